"""One Qwen Code chat file, line by line (0.15 to 0.24.4): a tree by `parentUuid`, telemetry records in its chain.

Nothing in a prompt's record says whether a person typed it. What follows does: the terminal takes a snapshot of the files
before it asks the model, a headless run does not. Until then a prompt is held back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from scrubjay.agents.base import Json, state_text
from scrubjay.agents.graph import NONE
from scrubjay.agents.jsonl import Record, objects, second, string, table
from scrubjay.agents.qwen_code import prompts
from scrubjay.agents.reading import About, Book, FileParser, Place
from scrubjay.session import Origin

_TYPES = frozenset(("user", "assistant", "tool_result", "system"))
_SILENT = re.compile(
    rb'\{"uuid":"([^"\\]{1,80})","parentUuid":(null|"[^"\\]{1,80}"),"sessionId":"[^"\\]{1,80}","timestamp":"[^"\\]{1,40}",'
    rb'"type":"system",[^\n]{0,2000}?"subtype":"'
    rb'(?:ui_telemetry|attribution_snapshot|session_artifact_event|session_artifact_snapshot|session_sources_snapshot)"'
)
_MAX_HELD = 50
_SHELL_TOOLS = frozenset(("run_shell_command", "shell", "monitor"))
_EXTERNAL_TOOLS = ("web_fetch", "web_search", "mcp__")
_FILE_ARGUMENTS = ("file_path", "absolute_path", "path", "notebook_path")
_MEMORY_PATH = re.compile(r"/\.qwen/(?:memories|memory|team-memory)/|/projects/[^/]+/memory/")


class QwenParser(FileParser):
    """See the module."""

    def __init__(self, book: Book, state: Mapping[str, Json]) -> None:
        super().__init__(book)
        self._about = About(
            id=state_text(state, "id"),
            cwd=state_text(state, "cwd"),
            git_branch=state_text(state, "branch"),
            title=state_text(state, "title"),
            forked_from=state_text(state, "forked_from"),
            sub_agent=state.get("sub") is True,
        )
        self._spoken, self._machine = state.get("spoken") is True, state.get("machine") is True
        external = state.get("external")
        self._external: dict[str, None] = dict.fromkeys(map(str, external)) if isinstance(external, list) else {}
        self._held: list[tuple[Place, Record]] = []

    def state(self) -> dict[str, Json]:
        about = self._about
        return {
            "id": about.id,
            "cwd": about.cwd,
            "branch": about.git_branch,
            "title": about.title,
            "forked_from": about.forked_from,
            "sub": about.sub_agent,
            "spoken": self._spoken,
            "machine": self._machine,
            "external": list(self._external),
        }

    def about(self) -> About:
        self._about.headless = self._machine and not self._spoken
        return self._about

    def held_from(self) -> int | None:
        return self._held[0][0].offset if self._held else None

    def line(self, line: bytes) -> None:
        if not self._held and self._quick(line):
            return
        for record in self.records(line):
            self._take(record)

    def _quick(self, line: bytes) -> bool:
        silent = _SILENT.match(line)
        if not silent or b'}{"' in line or b"\\" in silent[1] + silent[2]:
            return False
        self.count(known=True)
        parent = None if silent[2] == b"null" else silent[2][1:-1].decode("utf-8", "replace")
        self.book.node(silent[1].decode("utf-8", "replace"), parent)
        return True

    # Holding a prompt back until it is known who wrote it.

    def _take(self, record: Record) -> None:
        speaker = self._sign(record) if self._held else None
        if speaker is not None or len(self._held) >= _MAX_HELD:
            self._release(speaker or "machine")
        place = self.book.place
        if self._held or (self._is_prompt(record) and "provenance" in record and not self._about.sub_agent):
            self._held.append((Place(place.offset, place.end, place.line, place.fresh), record))
        else:
            # Releases without `provenance` give no sign at all; theirs were all but always typed.
            self._record(record, "user")

    def _release(self, speaker: Origin) -> None:
        held, self._held = self._held, []
        now = self.book.place
        for place, record in held:
            self.book.place = place
            self._record(record, speaker)
        self.book.place = now

    @staticmethod
    def _sign(record: Record) -> Origin | None:
        kind, subtype = string(record, "type"), record.get("subtype")
        if kind == "system":
            return "user" if subtype == "file_history_snapshot" else "machine" if subtype == "ui_telemetry" else None
        return "machine" if kind in _TYPES else None

    @staticmethod
    def _is_prompt(record: Record) -> bool:
        return record.get("type") == "user" and record.get("subtype") in (None, "mid_turn_user_message")

    # Records.

    def _record(self, record: Record, speaker: Origin) -> None:
        kind, uid = string(record, "type"), string(record, "uuid")
        if kind not in _TYPES or not uid:
            self.count(known=False)
            self.book.skip(f"unknown_records:{kind[:40]}")
            if not uid:
                return
        else:
            self.count(known=True)
        self._envelope(record)
        parent = string(record, "parentUuid") or None
        if kind == "user" and not self._answers_tool(record):
            self._user(record, uid, parent, speaker)
            return
        index = self.book.node(uid, parent)
        if index == NONE:
            return
        match kind:
            case "assistant":
                self._assistant(record, index)
            case "tool_result" | "user":
                self._result(record, index)
            case "system":
                self._system(record, index)

    def _envelope(self, record: Record) -> None:
        about = self._about
        about.id = string(record, "sessionId") or about.id
        about.cwd = about.cwd or string(record, "cwd")
        about.git_branch = string(record, "gitBranch") or about.git_branch
        about.forked_from = about.forked_from or string(table(record, "forkedFrom"), "sessionId")

    @staticmethod
    def _answers_tool(record: Record) -> bool:
        """Old releases keep tool results as `user` records."""
        return any("functionResponse" in part for part in objects(table(record, "message"), "parts"))

    def _user(self, record: Record, uid: str, parent: str | None, speaker: Origin) -> None:
        book = self.book
        text, pasted = prompts.words_of(record)
        human = (
            self._is_prompt(record)
            and record.get("provenance") in (None, "real_user")
            and not record.get("backgroundTurn")
        )
        origin: Origin = speaker if human and (text or pasted) and not self._about.sub_agent else "harness"
        if origin != "harness":
            if book.graph.near(uid) != NONE:
                book.skip("repeated_records")
                return
            book.turn_begins(self.state())
        index = book.node(uid, parent)
        if index == NONE:
            return
        book.leaf = index
        self._spoken, self._machine = self._spoken or origin == "user", self._machine or origin == "machine"
        draft = book.message(index, "user", origin, at=second(string(record, "timestamp")), cwd=string(record, "cwd"))
        for part in pasted:
            book.add_pasted(draft, part)
        book.add_text(draft, text)

    def _assistant(self, record: Record, index: int) -> None:
        book = self.book
        book.leaf = index
        texts, _ = prompts.parts_of(record)
        files: list[str] = []
        commands: list[str] = []
        called = False
        for part in objects(table(record, "message"), "parts"):
            call = table(part, "functionCall")
            if call:
                called = True
                self._call(call, files, commands)
        if not texts and not called:
            return
        draft = book.message(
            index, "assistant", "assistant", at=second(string(record, "timestamp")), cwd=string(record, "cwd")
        )
        book.add_text(draft, "".join(texts))
        book.add_files(draft, files, commands)
        for path in files:
            if _MEMORY_PATH.search(path):
                book.native_memory[path] = None

    def _call(self, call: Record, files: list[str], commands: list[str]) -> None:
        name, arguments = string(call, "name"), table(call, "args")
        if name == "tool_call":  # the bridge to MCP: the real name is inside
            name, arguments = string(arguments, "name"), table(arguments, "arguments")
        if name in _SHELL_TOOLS and (command := string(arguments, "command")):
            commands.append(command)
        files += [path for key in _FILE_ARGUMENTS if (path := string(arguments, key))]
        if name.startswith(_EXTERNAL_TOOLS):
            self._external[string(call, "id")] = None

    def _result(self, record: Record, index: int) -> None:
        book = self.book
        book.leaf = index
        origin: Origin = "tool"
        texts: list[str] = []
        for part in objects(table(record, "message"), "parts"):
            answer = table(part, "functionResponse")
            if answer:
                if self._external.pop(string(answer, "id"), 0) is None:
                    origin = "external"
                response = table(answer, "response")
                texts.append(string(response, "output") or string(response, "error"))
        draft = book.message(index, "tool", origin, at=second(string(record, "timestamp")), cwd=string(record, "cwd"))
        for text in texts:
            book.add_text(draft, text[:4_000])

    def _system(self, record: Record, index: int) -> None:
        match record.get("subtype"):
            case "rewind":
                self.book.leaf = index
            case "chat_compression":
                self.book.compaction()
            case "custom_title":
                self._about.title = string(table(record, "systemPayload"), "customTitle")[:200] or self._about.title
