"""One pi session file, line by line (versions 1 to 3): a tree by `parentId`, in version 1 a list without ids.

The client rewrites a file of version 1 with new, random ids when it opens it, and a fork copies entries with their ids and
times. What stays the same in every copy is an entry's time and content: those make the message key.
"""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.agents.base import Json, state_text
from scrubjay.agents.graph import NONE
from scrubjay.agents.jsonl import Record, objects, second, string, table
from scrubjay.agents.pi import prompts
from scrubjay.agents.reading import About, Book, Draft, FileParser
from scrubjay.session import Origin, Role, timed_key

_SILENT = frozenset(
    (
        *("model_change", "thinking_level_change", "branch_summary", "custom", "label", "usage", "context_edit"),
        *("session_info", "compaction"),
    )
)
"""Entries of the tree that nobody said, seen up to 1.6; others that are no message are counted as unknown."""
_INJECTED = frozenset(("custom", "hookMessage", "branchSummary", "compactionSummary"))
_EXTERNAL_TOOLS = ("mcp__", "web_")
_FILE_ARGUMENTS = ("path", "file_path")


class PiParser(FileParser):
    """See the module."""

    def __init__(self, book: Book, state: Mapping[str, Json]) -> None:
        super().__init__(book)
        self._about = About(
            id=state_text(state, "id"),
            cwd=state_text(state, "cwd"),
            title=state_text(state, "title"),
            forked_from=state_text(state, "forked_from"),
        )
        self._program = state.get("program") is True
        self._spoken, self._machine = state.get("spoken") is True, state.get("machine") is True

    def state(self) -> dict[str, Json]:
        about = self._about
        told: dict[str, Json] = {"program": self._program, "spoken": self._spoken, "machine": self._machine}
        return {"id": about.id, "cwd": about.cwd, "title": about.title, "forked_from": about.forked_from, **told}

    def about(self) -> About:
        self._about.headless = self._machine and not self._spoken
        return self._about

    def line(self, line: bytes) -> None:
        for record in self.records(line):
            self._record(record)

    def _record(self, record: Record) -> None:
        book, kind, uid = self.book, string(record, "type"), string(record, "id")
        known = kind == "message" or kind in _SILENT or kind in ("session", "custom_message")
        self.count(known=known)
        if not known:
            book.skip(f"unknown_records:{kind[:40]}")
            if not uid or "parentId" not in record:
                return
        match kind:
            case "session":
                self._header(record)
                return
            case "message" | "custom_message":
                self._message(record, table(record, "message"), uid)
                return
            case "custom":
                # our extension's mark: the next prompt is a program's
                ours = string(record, "customType") == "scrubjay"
                self._program = self._program or (ours and table(record, "data").get("headless") is True)
            case "session_info":
                self._about.title = string(record, "name")[:200] or self._about.title
        index = self._node(record, uid)
        if index != NONE and kind == "compaction":
            book.compaction()

    def _header(self, record: Record) -> None:
        about = self._about
        if about.id:  # a second header in the file: two writers, or a copy glued to its original
            return
        about.id, about.cwd = string(record, "id"), string(record, "cwd")
        parent = string(record, "parentSession") or string(record, "branchedFrom")
        about.forked_from = parent.rpartition("_")[2].removesuffix(".jsonl")

    def _node(self, record: Record, uid: str) -> int:
        """The entry in the tree. Whatever it is, the last one is where the client goes on."""
        parent = string(record, "parentId") or None
        index = self.book.node(uid, parent, attach=not uid)
        if index != NONE:
            self.book.leaf = index
        return index

    def _message(self, record: Record, message: Record, uid: str) -> None:
        match string(message, "role") if record["type"] == "message" else "custom":
            case "user":
                self._user(record, message, uid)
            case "assistant":
                self._assistant(record, message, uid)
            case "toolResult":
                origin: Origin = "external" if string(message, "toolName").startswith(_EXTERNAL_TOOLS) else "tool"
                draft = self._draft(record, uid, "tool", origin, string(message, "toolCallId"))
                if draft is not None:
                    self.book.add_text(draft, prompts.text_of(message)[:4_000])
            case "bashExecution":
                draft = self._draft(record, uid, "user", "harness", string(message, "command"))
                if draft is not None:
                    self.book.add_files(draft, [], [string(message, "command")])
            case role:
                if role != "system" and role not in _INJECTED:
                    self.book.skip(f"unknown_records:message/{role[:30]}")
                self._node(record, uid)

    def _draft(self, record: Record, uid: str, role: Role, origin: Origin, said: str) -> Draft | None:
        """A message, or None when its id was there already."""
        index = self._node(record, uid)
        if index == NONE:
            return None
        stamp = string(record, "timestamp")
        self.book.graph.set_key(index, timed_key(stamp or uid, role, said))
        return self.book.message(index, role, origin, at=second(stamp), cwd=self._about.cwd)

    def _user(self, record: Record, message: Record, uid: str) -> None:
        book = self.book
        text, pulled = prompts.words_of(message)
        origin: Origin = ("machine" if self._program else "user") if text or pulled else "harness"
        if origin != "harness" and not (uid and book.graph.near(uid) != NONE):
            book.turn_begins(self.state())
        self._program = False
        draft = self._draft(record, uid, "user", origin, prompts.text_of(message))
        if draft is None:
            return
        self._spoken, self._machine = self._spoken or origin == "user", self._machine or origin == "machine"
        for part in pulled:
            book.add_pasted(draft, part)
        book.add_text(draft, text)

    def _assistant(self, record: Record, message: Record, uid: str) -> None:
        calls = [block for block in objects(message, "content") if block.get("type") == "toolCall"]
        text = prompts.text_of(message)
        if not text and not calls:  # an error, or thinking that was broken off
            self._node(record, uid)
            return
        said = "\x1f".join((text, *(string(call, "id") for call in calls)))
        draft = self._draft(record, uid, "assistant", "assistant", said)
        if draft is None:
            return
        files: list[str] = []
        commands: list[str] = []
        for call in calls:
            arguments = table(call, "arguments")
            files += [path for key in _FILE_ARGUMENTS if (path := string(arguments, key))]
            if command := string(arguments, "command"):
                commands.append(command)
        self.book.add_text(draft, text)
        self.book.add_files(draft, files, commands)
