"""One Codex rollout, line by line: the bare layout (before about 0.32), the wrapped one, and `paginated` threads.

A rollout is a line, not a tree: a message's parent is the message before it. What the user took back is told by a later
`thread_rolled_back`, or by a second file of the same thread (`lineage`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from scrubjay.agents.base import Json, state_text
from scrubjay.agents.codex import items
from scrubjay.agents.codex.lineage import Inherited
from scrubjay.agents.graph import NONE, PROMPT, Anchor
from scrubjay.agents.jsonl import Record, second, string, table
from scrubjay.agents.reading import About, Book, Draft, FileParser, NeedWhole
from scrubjay.session import Origin, chained_key

_KNOWN = frozenset(
    (
        *(
            "session_meta",
            "turn_context",
            "response_item",
            "event_msg",
            "compacted",
            "world_state",
            "token_usage_record",
        ),
        *("inter_agent_communication", "inter_agent_communication_metadata", "retained_context", "realtime_item"),
        *("security_risk_score", "dynamic_tools_updated", "id_allocation"),
    )
)
_BARE_ITEMS = frozenset(
    (
        *(
            "message",
            "reasoning",
            "function_call",
            "function_call_output",
            "local_shell_call",
            "local_shell_call_output",
        ),
        *("custom_tool_call", "custom_tool_call_output", "web_search_call", "ghost_snapshot", "other"),
    )
)
_SILENT = re.compile(
    rb'\{"timestamp":"[^"]{1,40}",(?:"ordinal":(\d{1,15}),)?"type":"(?:world_state|token_usage_record|event_msg|response_item)","payload":\{'
    rb'(?:"type":"(?:reasoning|token_count|agent_reasoning|agent_reasoning_raw_content|exec_command_output_delta|exec_command_end'
    rb'|mcp_tool_call_end|web_search_end|patch_apply_end|thread_settings_applied|background_event)"|"full":|"thread_id":)'
)
"""Records without anything to learn, known by their first bytes; some hold whole tool outputs."""
_CWD = re.compile(r"<cwd>(.{1,4096}?)</cwd>|Current working directory: (.{1,4096})")
_MEMORY_PATH = re.compile(r"/memories(?:_v2)?/\S*\.md")


class CodexParser(FileParser):
    """See the module."""

    def __init__(self, book: Book, state: Mapping[str, Json], inherited: Inherited) -> None:
        super().__init__(book)
        self._about = About(
            id=state_text(state, "id"),
            cwd=state_text(state, "cwd"),
            remote=state_text(state, "remote"),
            git_branch=state_text(state, "branch"),
            title=state_text(state, "title"),
            forked_from=state_text(state, "forked_from"),
            sub_agent=state.get("sub") is True,
        )
        self._inherited = inherited
        self._speaker: Origin = "machine" if state.get("speaker") == "machine" else "user"
        self._trigger = state_text(state, "trigger")
        self._turn_cwd = state_text(state, "turn_cwd") or self._about.cwd
        self._chain = state_text(state, "chain")
        self._started_at = state_text(state, "started_at")
        self._items = state.get("items") is True
        self._told = state_text(state, "told")
        self._spoken, self._machine = state.get("spoken") is True, state.get("machine") is True
        external = state.get("external")
        self._external: dict[str, None] = dict.fromkeys(map(str, external)) if isinstance(external, list) else {}
        self._call: Draft | None = None
        self._answer: Draft | None = None
        self.ordinal = -1
        if inherited.before is not None:
            book.graph.set_before(Anchor(inherited.before, True))

    def state(self) -> dict[str, Json]:
        about = self._about
        return {
            "id": about.id,
            "cwd": about.cwd,
            "remote": about.remote,
            "branch": about.git_branch,
            "title": about.title,
            "forked_from": about.forked_from,
            "sub": about.sub_agent,
            "speaker": self._speaker,
            "trigger": self._trigger,
            "turn_cwd": self._turn_cwd,
            "chain": self._chain,
            "started_at": self._started_at,
            "items": self._items,
            "told": self._told,
            "spoken": self._spoken,
            "machine": self._machine,
            "external": list(self._external),
        }

    def about(self) -> About:
        self._about.headless = self._machine and not self._spoken
        return self._about

    def branches(self) -> dict[str, bool]:
        return dict(self._inherited.branches)

    def boundary(self) -> None:
        self._call = self._answer = None

    def line(self, line: bytes) -> None:
        silent = _SILENT.match(line)
        if silent and b'}{"' not in line:
            self.count(known=True)
            return
        for record in self.records(line):
            self._record(record)

    def _record(self, record: Record) -> None:
        kind = string(record, "type")
        ordinal = record.get("ordinal")
        self.ordinal = ordinal if isinstance(ordinal, int) else -1
        if "payload" in record and kind in _KNOWN:
            self.count(known=True)
            self._wrapped(kind, table(record, "payload"), record)
        elif kind in _BARE_ITEMS:
            self.count(known=True)
            self._item(record, self._started_at)
        elif not kind and record.get("record_type") == "state":
            self.count(known=True)
        elif not kind and "id" in record and "timestamp" in record and not self._about.id:
            self.count(known=True)
            self._meta(record)
        else:
            self.count(known=False)
            self.book.skip(f"unknown_records:{(kind or string(record, 'record_type'))[:40]}")

    def _wrapped(self, kind: str, payload: Record, record: Record) -> None:
        at = second(string(record, "timestamp"))
        match kind:
            case "session_meta":
                self._meta(payload)
            case "turn_context":
                self._turn_cwd = string(payload, "cwd") or self._turn_cwd
            case "response_item":
                if not table(record, "metadata").get("compaction_output"):
                    self._item(payload, at)
            case "compacted":
                self._compacted(payload)
            case "event_msg":
                self._event(payload, at)

    def _meta(self, meta: Record) -> None:
        about = self._about
        identity = string(meta, "id")
        if not self._chain.startswith("h-"):
            # A legacy fork copies its parent's records, meta included, after its own: its history starts where theirs did.
            self._chain = f"thread:{identity}"
        if about.id:
            return
        about.id, about.cwd = identity, string(meta, "cwd")
        self._turn_cwd = about.cwd
        git = table(meta, "git")
        about.remote, about.git_branch = string(git, "repository_url"), string(git, "branch")
        about.forked_from = string(meta, "forked_from_id")
        self._started_at = second(string(meta, "timestamp"))
        source = meta.get("source")
        if isinstance(source, dict):
            about.sub_agent = "subagent" in source or "internal" in source
            self._speaker = "machine"
        elif source in ("exec", "mcp") or string(meta, "originator").startswith(("codex_exec", "codex_sdk")):
            self._speaker = "machine"
        if string(meta, "thread_source") in ("subagent", "memory_consolidation", "guardian_review"):
            about.sub_agent = True

    # Items of the conversation.

    def _item(self, item: Record, at: str) -> None:
        match item.get("type"):
            case "message":
                match item.get("role"):
                    case "user":
                        self._items = True
                        origin, text = items.prompt_of(item, self._who())
                        if not self._was_told("user", text):
                            self._prompt(string(item, "id"), origin, text, at)
                    case "assistant":
                        self._items = True
                        text = items.answer_of(item)
                        if not self._was_told("assistant", text):
                            self._answered(string(item, "id"), text, at)
                    case "developer" | "system":
                        self._items = True
            case "function_call" | "custom_tool_call" | "local_shell_call":
                self._called(item, at)
            case "function_call_output" | "custom_tool_call_output" | "local_shell_call_output":
                self._output(item, at)

    def _was_told(self, role: str, text: str) -> bool:
        """An event came before its item, and before it was known that this file has items: said once."""
        told, self._told = self._told, ""
        return bool(told) and told == _print(role, text)

    def _who(self) -> Origin:
        if self._about.sub_agent:
            return "harness"
        if self._trigger:
            return "user" if self._trigger == "user" else "machine"
        return self._speaker

    def _add(self, uid: str, *, prompt: bool = False) -> int:
        book, live = self.book, self._inherited.limit < 0 or self.ordinal < self._inherited.limit
        if uid and book.graph.near(uid) != NONE:
            return NONE
        index = book.node(uid, None, PROMPT if prompt else 0, attach=True)
        if live or book.leaf == NONE:
            book.leaf = index if live else NONE
        return index

    def _prompt(self, uid: str, origin: Origin, text: str, at: str) -> None:
        book = self.book
        if origin == "harness":
            cwd = _CWD.search(text) if "<environment_context>" in text[:200] else None
            if cwd:
                self._turn_cwd = (cwd[1] or cwd[2]).strip()
                self._about.cwd = self._about.cwd or self._turn_cwd
        else:
            book.turn_begins(self.state())
            self.boundary()
        key = uid or chained_key(self._chain, "user", text)
        index = self._add(key, prompt=origin != "harness")
        if index == NONE:
            return
        if not uid and origin != "harness":
            self._chain = key
        self._spoken, self._machine = self._spoken or origin == "user", self._machine or origin == "machine"
        book.add_text(book.message(index, "user", origin, at=at, cwd=self._turn_cwd), text)

    def _answered(self, uid: str, text: str, at: str) -> None:
        if not text:
            return
        key = uid or chained_key(self._chain, "assistant", text)
        index = self._add(key)
        if index == NONE:
            return
        if not uid:
            self._chain = key
        self._answer = self.book.message(index, "assistant", "assistant", at=at, cwd=self._turn_cwd)
        self.book.add_text(self._answer, text)

    def _called(self, item: Record, at: str) -> None:
        call_id = string(item, "call_id")
        call = items.call_of(item)
        name = string(item, "id") or f"call-{call_id}"
        index = self._add(name if name != "call-" else chained_key(self._chain, "assistant", repr(call.commands)))
        if index == NONE:
            return
        if call.external:
            self._external[call_id] = None
        self._call = self.book.message(index, "assistant", "assistant", at=at, cwd=self._turn_cwd)
        self._touched(self._call, call)

    def _output(self, item: Record, at: str) -> None:
        call_id = string(item, "call_id")
        text = items.output_of(item)
        name = string(item, "id") or f"output-{call_id}"
        index = self._add(name if name != "output-" else chained_key(self._chain, "tool", text[:200]))
        if index == NONE:
            return
        origin: Origin = "external" if self._external.pop(call_id, 0) is None else "tool"
        self.book.add_text(self.book.message(index, "tool", origin, at=at, cwd=self._turn_cwd), text[:4_000])

    def _touched(self, draft: Draft, call: items.Call) -> None:
        new = [command for command in call.commands if command not in draft.commands]
        self.book.add_files(draft, call.files, new)
        for path in (*call.files, *(match for command in call.commands for match in _MEMORY_PATH.findall(command))):
            if _MEMORY_PATH.search(path) and (".codex/" in path or path.startswith("/memories")):
                self.book.native_memory[path] = None

    # Events.

    def _event(self, event: Record, at: str) -> None:
        match event.get("type"):
            case "task_started":
                self._trigger = string(table(event, "turn_attribution"), "turn_trigger")
            case "thread_rolled_back":
                turns = event.get("num_turns")
                self._roll_back(turns if isinstance(turns, int) and not isinstance(turns, bool) else 0)
            case "thread_name_updated":
                self._about.title = string(event, "thread_name")[:200] or self._about.title
            case "item_completed":
                self._completed(table(event, "item"), at)
            case "user_message" if not self._items:
                text = string(event, "message").strip()
                self._told = _print("user", text)
                self._prompt("", self._who() if text else "harness", text, at)
            case "agent_message" if not self._items:
                text = string(event, "message").strip()
                self._told = _print("assistant", text)
                self._answered("", text, at)

    def _completed(self, item: Record, at: str) -> None:
        match item.get("type"):
            case "CommandExecution" | "FileChange":
                call = items.completed_of(item)
                if self._call is None:
                    index = self._add(f"item-{string(item, 'id')}")
                    if index == NONE:
                        return
                    self._call = self.book.message(index, "assistant", "assistant", at=at, cwd=self._turn_cwd)
                self._touched(self._call, call)
            # Every message is an item too. Only where no item is written do the events count.
            case "UserMessage" if not self._items:
                origin, text = items.prompt_of(item, self._who())
                self._told = _print("user", text)
                self._prompt(string(item, "id"), origin, text, at)
            case "AgentMessage" if not self._items:
                text = items.answer_of(item)
                self._told = _print("assistant", text)
                self._answered(string(item, "id"), text, at)

    def _compacted(self, payload: Record) -> None:
        """The summary repeats the user's facts in other words; the answer that it was made from stands before it."""
        answer = self._answer
        if answer is not None and answer.texts and answer.texts[0][:500] in string(payload, "message"):
            answer.origin = "harness"
            answer.texts = []
        self.boundary()
        self.book.compaction()

    def _roll_back(self, turns: int) -> None:
        """The last turns were taken back: the next message follows what stood before them."""
        graph, index = self.book.graph, self.book.leaf
        if index == NONE and not self.book.whole:
            raise NeedWhole
        while turns > 0 and index != NONE:
            turns -= 1 if graph.flags(index) & PROMPT else 0
            index = graph.parent(index)
            if NONE < index < graph.first and turns > 0 and not self.book.whole:
                raise NeedWhole
        self.book.leaf = index
        graph.step_back(max(index, 0))
        self.boundary()


def _print(role: str, text: str) -> str:
    return hashlib.blake2b(f"{role} {text}".encode("utf-8", "replace"), digest_size=9).hexdigest()
