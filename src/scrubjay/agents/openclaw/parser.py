"""One OpenClaw session, event by event (headers 3 and 4): a tree by `parentId`, the client's own records in its chain.

A fork and a rewind copy events under their ids. A `leaf` record moves on to another event: what comes next hangs there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from scrubjay.agents.base import Json, state_text
from scrubjay.agents.graph import NONE
from scrubjay.agents.jsonl import Record, objects, second, string, table
from scrubjay.agents.openclaw import words
from scrubjay.agents.reading import About, Book, Draft, FileParser, NeedWhole
from scrubjay.session import Origin, Role, timed_key

_SILENT = frozenset(
    (
        *("session", "model_change", "thinking_level_change", "custom", "custom_message", "branch_summary", "label"),
        *("leaf", "session_info", "compaction", "reset"),
    )
)
_INJECTED = frozenset(("system", "custom", "hookMessage", "branchSummary", "compactionSummary"))
_SHELL_TOOLS = frozenset(("exec", "bash", "process"))
_FILE_ARGUMENTS = ("path", "file_path", "filePath")
_EXTERNAL_TOOLS = ("mcp", "web_", "browser", "memory_", "sessions_", "tool_call", "image", "nodes")
_LASTING_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
"""Older releases have ids of 8 digits, which are the same in two sessions now and then."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Circumstances:
    """What the database knows of a session beside its events."""

    speaker: Origin = "user"
    shared: bool = False
    """A group: only what the owner said counts, where the client tells who said it."""
    sub_agent: bool = False
    title: str = ""
    forked_from: str = ""


class OpenClawParser(FileParser):
    """See the module."""

    def __init__(self, book: Book, state: Mapping[str, Json], around: Circumstances, session: str = "") -> None:
        super().__init__(book)
        self._around = around
        self._about = About(
            id=state_text(state, "id") or session,
            cwd=state_text(state, "cwd"),
            title=around.title,
            forked_from=around.forked_from,
            headless=around.speaker == "machine",
            sub_agent=around.sub_agent,
        )

    def state(self) -> dict[str, Json]:
        return {"id": self._about.id, "cwd": self._about.cwd}

    def about(self) -> About:
        return self._about

    def row(self, event: tuple[bytes, bool]) -> None:
        """One event of the database; its JSON, and whether it was cut."""
        data, cut = event
        if cut:
            self.book.skip("long_lines_cut")
        self.line(data)

    def line(self, line: bytes) -> None:
        for record in self.records(line):
            self._record(record)

    def _record(self, record: Record) -> None:
        book, kind, uid = self.book, string(record, "type"), string(record, "id")
        known = kind in _SILENT or kind == "message"
        self.count(known=known)
        if not known:
            book.skip(f"unknown_records:{kind[:40]}")
            if not uid or "parentId" not in record:
                return
        match kind:
            case "session":
                self._header(record)
            case "message":
                self._message(record, table(record, "message"), uid)
            case "leaf":
                self._leaf(record)
            case _:
                if self._node(record, uid) != NONE and kind in ("compaction", "reset"):
                    book.compaction()

    def _header(self, record: Record) -> None:
        about = self._about
        about.id = about.id or string(record, "id")
        about.cwd = about.cwd or string(record, "cwd")
        parent = string(record, "parentSession")
        about.forked_from = about.forked_from or parent.rpartition("/")[2].removesuffix(".jsonl")

    def _leaf(self, record: Record) -> None:
        """The client goes on elsewhere: at `targetId`, or at the beginning when it names nothing."""
        book, target = self.book, string(record, "targetId")
        index = book.graph.find(target) if target else NONE
        if index == NONE and target:
            if not book.whole:
                raise NeedWhole
            book.skip("orphan_records")
            return
        book.leaf = index
        if index != NONE:
            book.graph.step_back(index)

    def _node(self, record: Record, uid: str) -> int:
        """The event in the tree. Whatever it is, the last one is where the client goes on."""
        parent = string(record, "parentId") or None
        index = self.book.node(uid, parent, attach=not uid)
        if index != NONE:
            self.book.leaf = index
        return index

    def _message(self, record: Record, message: Record, uid: str) -> None:
        match message.get("role"):
            case "user":
                self._user(record, message, uid)
            case "assistant":
                self._assistant(record, message, uid)
            case "toolResult":
                origin: Origin = "external" if string(message, "toolName").startswith(_EXTERNAL_TOOLS) else "tool"
                draft = self._draft(record, uid, "tool", origin)
                if draft is not None:
                    self.book.add_text(draft, words.text_of(message)[:4_000])
            case "bashExecution":
                draft = self._draft(record, uid, "user", "harness")
                if draft is not None:
                    self.book.add_files(draft, [], [string(message, "command")])
            case role:
                if role not in _INJECTED:
                    self.book.skip(f"unknown_records:message/{str(role)[:30]}")
                self._node(record, uid)

    def _draft(self, record: Record, uid: str, role: Role, origin: Origin) -> Draft | None:
        """A message, or None when its id was there already."""
        index = self._node(record, uid)
        if index == NONE:
            return None
        stamp = string(record, "timestamp")
        if not _LASTING_ID.fullmatch(uid):
            self.book.graph.set_key(index, timed_key(stamp or f"line {self.book.place.line}", role, uid))
        return self.book.message(index, role, origin, at=second(stamp), cwd=self._about.cwd)

    def _user(self, record: Record, message: Record, uid: str) -> None:
        book, text = self.book, words.words_of(message)
        origin = self._speaker(message) if text else "harness"
        if origin in ("user", "machine") and not (uid and book.graph.near(uid) != NONE):
            book.turn_begins(self.state())
        draft = self._draft(record, uid, "user", origin)
        if draft is not None:
            book.add_text(draft, text)

    def _speaker(self, message: Record) -> Origin:
        around = self._around
        if around.sub_agent:
            return "harness"
        owner = table(message, "__openclaw").get("senderIsOwner")
        return "external" if owner is False or (around.shared and owner is not True) else around.speaker

    def _assistant(self, record: Record, message: Record, uid: str) -> None:
        calls = [block for block in objects(message, "content") if block.get("type") == "toolCall"]
        text = words.answer_of(message)
        if not text and not calls:  # an error, or thinking that was broken off
            self._node(record, uid)
            return
        draft = self._draft(record, uid, "assistant", "assistant")
        if draft is None:
            return
        files: list[str] = []
        commands: list[str] = []
        for call in calls:
            arguments = table(call, "arguments")
            files += [path for key in _FILE_ARGUMENTS if (path := string(arguments, key))]
            if string(call, "name") in _SHELL_TOOLS and (command := string(arguments, "command")):
                commands.append(command)
        self.book.add_text(draft, text)
        self.book.add_files(draft, files, commands)
