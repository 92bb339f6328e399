"""Sessions of kimi-cli releases without a wire file: the model's context, line by line, without times and ids.

A message's key is made of the session's id and of everything that the person said up to it, so that Kimi Code's copy of the
session gets the same keys. The file's own time stands for all of its messages: such files do not grow any more.
"""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.agents.base import Json, state_text
from scrubjay.agents.graph import NONE
from scrubjay.agents.jsonl import Record, objects, string, table
from scrubjay.agents.kimi_cli import prompts
from scrubjay.agents.kimi_cli.parser import stamp, touched
from scrubjay.agents.reading import About, Book, FileParser
from scrubjay.session import Origin, Role, chained_key

_MARKERS = frozenset(("_system_prompt", "_checkpoint", "_usage"))


def first_link(session: str) -> str:
    """What the keys of a session without times begin with."""
    return f"kimi-cli:{session}"


class ContextParser(FileParser):
    """See the module."""

    def __init__(self, book: Book, state: Mapping[str, Json], mtime_ns: int) -> None:
        super().__init__(book)
        self._about = About(
            id=state_text(state, "id"),
            cwd=state_text(state, "cwd"),
            title=state_text(state, "title"),
            sub_agent=state.get("sub") is True,
        )
        self._at = stamp(mtime_ns // 1_000_000_000)
        self._chain = state_text(state, "chain") or first_link(self._about.id)
        count = state.get("count")
        self._count = count if isinstance(count, int) else 0

    def state(self) -> dict[str, Json]:
        about = self._about
        return {
            "id": about.id,
            "cwd": about.cwd,
            "chain": self._chain,
            "count": self._count,
        }

    def about(self) -> About:
        return self._about

    def line(self, line: bytes) -> None:
        for record in self.records(line):
            self._record(record)

    def _record(self, record: Record) -> None:
        book, role = self.book, string(record, "role")
        known = role in _MARKERS or role in ("user", "assistant", "tool")
        self.count(known=known)
        match role:
            case "user":
                self._user(record)
            case "assistant":
                self._assistant(record)
            case "tool":
                self._add("tool", "tool", "\n".join(prompts.texts_of(record.get("content")))[:4_000], [], [])
            case _ if not known:
                book.skip(f"unknown_records:{(role or string(record, 'type'))[:40]}")

    def _user(self, record: Record) -> None:
        text = prompts.words_of(record.get("content"))
        origin: Origin = "user" if text and not self._about.sub_agent else "harness"
        if origin == "user":
            self.book.turn_begins(self.state())
            self._chain, self._count = chained_key(self._chain, "user", text), 0
        self._add("user", origin, text, [], [], key=self._chain if origin == "user" else "")

    def _assistant(self, record: Record) -> None:
        files: list[str] = []
        commands: list[str] = []
        for call in objects(record, "tool_calls"):
            function = table(call, "function")
            paths, ran = touched(string(function, "name"), string(function, "arguments"))
            files += paths
            commands += ran
        self._add("assistant", "assistant", "\n".join(prompts.texts_of(record.get("content"))), files, commands)

    def _add(self, role: Role, origin: Origin, text: str, files: list[str], commands: list[str], key: str = "") -> None:
        self._count += 1
        index = self.book.node(key or chained_key(f"{self._chain}#{self._count}", role, ""), None, attach=True)
        if index == NONE:
            return
        self.book.leaf = index
        draft = self.book.message(index, role, origin, at=self._at, cwd=self._about.cwd)
        self.book.add_text(draft, text)
        self.book.add_files(draft, files, commands)
