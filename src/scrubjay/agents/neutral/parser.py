"""One `scrubjay.session/1` stream, record by record."""

from __future__ import annotations

import hashlib
import re

from scrubjay.agents.base import Json
from scrubjay.agents.graph import NONE
from scrubjay.agents.jsonl import Record, array, second, string
from scrubjay.agents.neutral.record import HINT
from scrubjay.agents.reading import About, Book
from scrubjay.errors import BadInput
from scrubjay.session import Origin, Role, chained_key

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_ROLES: dict[str, tuple[Role, tuple[Origin, ...]]] = {
    "user": ("user", ("user", "machine", "external", "harness")),
    "assistant": ("assistant", ("assistant", "harness")),
    "tool": ("tool", ("tool", "external", "harness")),
}
"""Role → what its origin may be; the first is meant when there is none."""


class NeutralParser:
    """See the module. Raises `BadInput` for what one line cannot tell alone: an unknown parent, a second session."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._about = About()
        self._agent = ""
        self._last_key = ""
        self._lineage = ""
        self._begun = False
        self._back = False
        """The next message follows what a leaf names, not the line before."""

    def state(self) -> dict[str, Json]:
        return {"id": self._about.id, "cwd": self._about.cwd}

    def about(self) -> About:
        return self._about

    def boundary(self) -> None:
        """Records are whole messages."""

    def branches(self) -> dict[str, bool]:
        return {}

    def row(self, row: tuple[Record, str]) -> None:
        record, at = row
        self.book.understood += 1
        match record["type"]:
            case "session":
                self._session(record, at)
            case "message":
                self._message(record, at)
            case "leaf":
                self._leaf(record, at)

    def _session(self, record: Record, at: str) -> None:
        if self._begun:
            raise BadInput("a second session in one file", at=at, hint="one file, or one stream, is one session")
        self._begun, self._agent = True, string(record, "agent")
        self._about = About(
            id=string(record, "session"),
            cwd=string(record, "cwd"),
            remote=string(record, "remote"),
            git_branch=string(record, "git_branch"),
            title=string(record, "title")[:200],
            forked_from=string(record, "forked_from"),
            headless=record.get("headless") is True,
            sub_agent=record.get("sub_agent") is True,
        )
        self._lineage = f"{self._agent}\x1f{self._about.forked_from or self._about.id}"

    def _leaf(self, record: Record, at: str) -> None:
        index = self._find(string(record, "target"), at, "target") if record["target"] is not None else NONE
        self.book.leaf = index
        self._back, self._last_key = index == NONE, self.book.graph.key(index) if index != NONE else ""
        if index != NONE:
            self.book.graph.step_back(index)

    def _find(self, name: str, at: str, field: str) -> int:
        index = self.book.graph.find(self._uid(name))
        if index == NONE:
            raise BadInput(f"`{field}` names a message that does not stand before it", at=at, hint=HINT)
        return index

    def _uid(self, name: str) -> str:
        """What the graph keeps small: an id that is a UUID is one in every session; another one is the agent's own."""
        return name if _UUID.fullmatch(name) else "h-" + _digest(f"{self._agent}\x1f{name}")

    def _message(self, record: Record, at: str) -> None:
        book = self.book
        role, allowed = _ROLES[string(record, "role")]
        origin = self._origin(record, allowed, at)
        text = string(record, "text")
        before = self._before(record, at)
        name = string(record, "id")
        uid = self._uid(name) if name else chained_key(before or self._lineage, role, text)
        there = book.graph.near(uid)
        if there != NONE:
            book.skip("repeated_records")
            self._back, self._last_key, book.leaf = False, uid, there
            book.graph.step_back(there)
            return
        if origin in ("user", "machine"):
            book.turn_begins(self.state())
        if record.get("compacted") is True:
            book.compaction()
        index = book.node(uid, before or None)
        self._back, self._last_key, book.leaf = False, uid, index
        draft = book.message(
            index, role, origin, at=second(string(record, "at")), cwd=string(record, "cwd") or self._about.cwd
        )
        for part in array(record, "pasted"):
            book.add_pasted(draft, str(part))
        book.add_text(draft, text)
        book.add_files(
            draft, [str(one) for one in array(record, "files")], [str(one) for one in array(record, "commands")]
        )

    def _before(self, record: Record, at: str) -> str:
        """Key of the message that this one follows, "" for the beginning."""
        name = string(record, "parent")
        if name:
            return self.book.graph.key(self._find(name, at, "parent"))
        return "" if self._back or "parent" in record else self._last_key

    def _origin(self, record: Record, allowed: tuple[Origin, ...], at: str) -> Origin:
        if self._about.sub_agent and record["role"] == "user":
            return "harness"
        given = string(record, "origin")
        if not given:
            return "machine" if allowed[0] == "user" and self._about.headless else allowed[0]
        for origin in allowed:
            if given == origin:
                return origin
        raise BadInput(f"`origin` of role {record['role']} must be one of {', '.join(allowed)}", at=at, hint=HINT)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
