"""One wire file of Kimi Code, line by line (protocols 1.0 to 1.5).

A session is a line; `context.undo` takes back its last turns, `kimi fork` copies lines with their ids and times into another
session. Every message is told several times: `turn.prompt` and the first record that puts a message into the context count, the
`agent.message.appended` events repeat them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from scrubjay.agents.base import Json, state_text
from scrubjay.agents.graph import NONE
from scrubjay.agents.jsonl import Record, objects, string, table
from scrubjay.agents.kimi_cli.parser import stamp, touched
from scrubjay.agents.kimi_cli.prompts import texts_of
from scrubjay.agents.kimi_code import prompts
from scrubjay.agents.kimi_code.place import Originals, digest
from scrubjay.agents.reading import About, Book, Draft, FileParser, NeedWhole
from scrubjay.session import Origin, Role, chained_key, timed_key

ANCHOR = 64
"""A node that `context.undo` counts as a turn."""
_KNOWN = re.compile(
    r"(?:metadata|forked|runtime|config|profile|permission|plugin|plugin_command|skill|plan|plan_mode|swarm_mode|tower_mode|goal|cron|mcp"
    r"|task|tools?|turn|prompt|context|llm|usage|token_counting|file_history|full_compaction|interaction|agent|session|event"
    r"|interruptionReminder)(?:\.[\w.]{1,60})?\Z"
)
"""Families of record types, seen up to 2.1.0."""
_SILENT = re.compile(
    rb'\{"type":"(?:llm\.[a-z_]{1,30}|usage\.record|token_counting\.[a-z_]{1,30}|file_history\.[a-z_]{1,30}|tools\.[a-z_]{1,30}|mcp\.[a-z_]{1,30})"'
)
_EVENT_END = re.compile(rb'"type":"agent\.[a-z.]{1,40}","time":\d{1,15},"kind":"event"\}\s*\Z')
_OWN_TOOLS = frozenset(
    (
        *(
            "Read",
            "Write",
            "Edit",
            "Grep",
            "Glob",
            "Bash",
            "TaskList",
            "TaskOutput",
            "TaskStop",
            "WaitFor",
            "CronCreate",
        ),
        *("CronList", "CronDelete", "ReadMediaFile", "TodoList", "Skill", "Agent", "AgentSwarm", "AskUserQuestion"),
        *("NotifyUser", "EnterPlanMode", "ExitPlanMode", "CreateGoal", "GetGoal", "SetGoalBudget", "UpdateGoal"),
        *("TowerInit", "TowerStatus", "TowerTeardown"),
    )
)
_MAX_PENDING = 32
_MAX_OPEN_TOOLS = 256


class KimiParser(FileParser):
    """See the module."""

    def __init__(self, book: Book, state: Mapping[str, Json], originals: Originals) -> None:
        super().__init__(book)
        self._about = About(
            id=state_text(state, "id"),
            cwd=state_text(state, "cwd"),
            title=state_text(state, "title"),
            forked_from=state_text(state, "forked_from"),
            sub_agent=state.get("sub") is True,
        )
        self._import = {name: state_text(state, name) for name in ("imported", "source")}
        self._originals = originals
        self._chain = state_text(state, "chain") or originals.chain
        taken = state.get("taken")
        for text in taken if isinstance(taken, list) else ():
            if originals.keys.get(str(text)):
                originals.keys[str(text)].pop(0)
        self._taken: list[Json] = list(taken) if isinstance(taken, list) else []
        pending, external = state.get("pending"), state.get("external")
        self._pending: dict[str, int] = dict.fromkeys(map(str, pending), NONE) if isinstance(pending, list) else {}
        self._external: dict[str, None] = dict.fromkeys(map(str, external)) if isinstance(external, list) else {}
        self._told: set[str] = set()
        self._step: Draft | None = None
        self._step_id = state_text(state, "step")
        """The last step of which there is a message: what follows it behind a boundary is one of its own."""

    def state(self) -> dict[str, Json]:
        about = self._about
        return {
            "id": about.id,
            "cwd": about.cwd,
            "forked_from": about.forked_from,
            **self._import,
            "chain": self._chain,
            "taken": list(self._taken),
            "step": self._step_id,
            "pending": list(self._pending),
            "external": list(self._external),
        }

    def about(self) -> About:
        return self._about

    def boundary(self) -> None:
        self._step = None

    def line(self, line: bytes) -> None:
        repeats = line.startswith(b'{"message":') and _EVENT_END.search(line, max(0, len(line) - 120))
        if (repeats or _SILENT.match(line)) and b'}{"' not in line:
            self.count(known=True)
            return
        for record in self.records(line):
            self._record(record)

    def _record(self, record: Record) -> None:
        kind = string(record, "type")
        known = _KNOWN.match(kind) is not None
        self.count(known=known)
        if record.get("kind") == "event":
            return
        match kind:
            case "turn.prompt":
                origin = table(record, "origin")
                self._prompt(record, origin, record.get("input"), string(record, "promptId"), waits=True)
            case "turn.steer":
                ids = [
                    value for value in (record.get("messageId"), *_list(record, "promptIds")) if isinstance(value, str)
                ]
                origin = table(record, "origin")
                self._prompt(record, origin, record.get("input"), ids[0] if ids else "", waits=True)
            case "context.append_message":
                self._append(record, table(record, "message"))
            case "context.append_loop_event":
                self._loop(record, table(record, "event"))
            case "context.apply_compaction" | "context.clear":
                self.boundary()
                self.book.compaction()
            case "context.undo":
                self._undo(record.get("count"))
            case "agent.switched" if "legacyUndoLine" not in record:
                self._undo(record.get("turns"))
            case "permission.record_approval_result":
                text = prompts.remark(table(record, "result"))
                if text:
                    self._prompt(record, {"kind": "user", "inTurn": True}, text, "", waits=False)
            case "profile.bind" | "config.update":
                cwd = string(table(record, "environmentDisclosure"), "cwd") or string(record, "cwd")
                self._about.cwd = self._about.cwd or cwd
            case _ if not known:
                self.book.skip(f"unknown_records:{kind[:40]}")

    # What a person said.

    def _prompt(self, record: Record, origin: Record, content: object, uid: str, *, waits: bool) -> int:
        """A message in the user's role. `waits`: the record that puts it into the context is still to come."""
        book = self.book
        text = prompts.words(origin, content)
        who: Origin = "user" if text and not self._about.sub_agent else "harness"
        if uid and book.graph.near(uid) != NONE:
            return NONE
        before = self.state()
        key, at = (uid, _time(record)) if uid else self._key(record, who, text, content)
        if not uid and book.graph.near(key) != NONE:
            return NONE
        if who == "user":
            book.turn_begins(before)
            self._told.clear()
        self.boundary()
        draft = self._add("user", who, key, at)
        if draft is None:
            return NONE
        book.add_text(draft, text if who == "user" else "\n".join(texts_of(content))[:2_000])
        book.add_files(draft, [], [command] if (command := prompts.command_of(origin, content)) else [])
        if waits:
            self._pending[uid or digest("\n".join(texts_of(content)))] = draft.index
            if len(self._pending) > _MAX_PENDING:
                del self._pending[next(iter(self._pending))]
        return draft.index

    def _key(self, record: Record, who: Origin, text: str, content: object) -> tuple[str, str]:
        """Key and time of a message without an id; that of its original where it was imported from kimi-cli."""
        if who == "user" and self._originals.chain:
            original = self._originals.take(text)
            self._chain = chained_key(self._chain, "user", text)
            if original is not None:
                self._taken.append(digest(text))
                return original
            return self._chain, _time(record)
        # The same text may be put in twice within a millisecond; the place in the chain tells the copies apart.
        return timed_key(repr(record.get("time")), "user", "\n".join(texts_of(content))), _time(record)

    def _append(self, record: Record, message: Record) -> None:
        role, origin, content = message.get("role"), table(message, "origin"), message.get("content")
        if role == "assistant":
            self._whole_answer(record, message)
            return
        if role != "user":
            self._tool(
                record, string(message, "toolCallId"), "\n".join(texts_of(content)), string(message, "toolCallId")
            )
            return
        uid = string(message, "id")
        index = self._pending.pop(uid, None) if uid else None
        if index is None:
            index = self._pending.pop(digest("\n".join(texts_of(content))), None)
        if index is None:
            near = self.book.graph.near(uid) if uid else NONE
            index = near if near != NONE else self._prompt(record, origin, content, uid, waits=False)
        if index != NONE and prompts.is_anchor(origin):
            self.book.graph.set_flags(index, ANCHOR)

    def _undo(self, turns: object) -> None:
        """The last turns were taken back: the next message follows what stood before them."""
        book, graph = self.book, self.book.graph
        index = book.leaf
        left = turns if isinstance(turns, int) and not isinstance(turns, bool) else 0
        if index == NONE and left > 0 and not book.whole:
            raise NeedWhole
        while left > 0 and index != NONE:
            left -= 1 if graph.flags(index) & ANCHOR else 0
            index = graph.parent(index)
            if NONE < index < graph.first and left > 0 and not book.whole:
                raise NeedWhole
        book.leaf = index
        graph.step_back(max(index, 0))
        self.boundary()

    # What the model said and did.

    def _loop(self, record: Record, event: Record) -> None:
        match event.get("type"):
            case "step.begin" | "step.end":
                self.boundary()
            case "content.part":
                part = table(event, "part")
                if part.get("type") == "text" and (draft := self._assistant(record, event)) is not None:
                    self._told.add(digest(string(part, "text")))
                    self.book.add_text(draft, string(part, "text"))
            case "tool.call":
                draft = self._assistant(record, event)
                name = string(event, "name")
                self._called(string(event, "toolCallId"), name)
                if draft is not None:
                    files, commands = touched(name, table(event, "args"))
                    self.book.add_files(draft, files, commands)
            case "tool.result":
                call = string(event, "toolCallId")
                uid = string(event, "parentUuid")
                self._tool(record, call, prompts.output_of(table(event, "result")), uid)

    def _assistant(self, record: Record, event: Record) -> Draft | None:
        """The message of this step, begun now if it is not there yet."""
        step = string(event, "stepUuid")
        if self._step is None or step != self._step_id:
            new = step and step != self._step_id and self.book.graph.near(step) == NONE
            uid = step if new else string(event, "uuid")
            self._step_id = step
            self._step = self._add("assistant", "assistant", uid or _made(record, "assistant", event), _time(record))
        return self._step

    def _called(self, call: str, name: str) -> None:
        if name not in _OWN_TOOLS:
            self._external[call] = None
            if len(self._external) > _MAX_OPEN_TOOLS:
                del self._external[next(iter(self._external))]

    def _tool(self, record: Record, call: str, text: str, uid: str) -> None:
        origin: Origin = "external" if self._external.pop(call, 0) is None else "tool"
        key = f"result-{uid}" if uid else _made(record, "tool", {"output": text[:200]})
        draft = self._add("tool", origin, key, _time(record))
        if draft is not None:
            self.book.add_text(draft, text[:4_000])

    def _whole_answer(self, record: Record, message: Record) -> None:
        """An answer in one record: in imports, and in old protocols again after the events that tell it in parts."""
        text = "\n".join(texts_of(message.get("content")))
        calls = objects(message, "toolCalls")
        if (text and digest(text) in self._told) or not (text or calls):
            return
        self.boundary()
        key = string(message, "id") or _made(record, "assistant", {"text": text, "after": self._last_key()})
        draft = self._add("assistant", "assistant", key, _time(record))
        if draft is None:
            return
        self.book.add_text(draft, text)
        for call in calls:
            function = table(call, "function") or call
            name = string(function, "name")
            self._called(string(call, "id"), name)
            files, commands = touched(name, string(function, "arguments"))
            self.book.add_files(draft, files, commands)

    def _last_key(self) -> str:
        return self.book.graph.key(self.book.leaf) if self.book.leaf != NONE else ""

    def _add(self, role: Role, origin: Origin, key: str, at: str) -> Draft | None:
        """A message after the last one; None when the same stands there already."""
        book = self.book
        index = book.node(key, None, attach=True)
        if index == NONE:
            return None
        book.leaf = index
        return book.message(index, role, origin, at=at, cwd=self._about.cwd)


def _time(record: Record) -> str:
    value = record.get("time")
    return stamp(value / 1000) if isinstance(value, int | float) else ""


def _made(record: Record, role: Role, values: Record) -> str:
    return timed_key(repr(record.get("time")), role, *(f"{name}={values[name]!r}" for name in sorted(values)))


def _list(record: Record, name: str) -> list[object]:
    value = record.get(name)
    return value if isinstance(value, list) else []
