"""One session of Hermes's `state.db`, row by row (schema versions up to 22).

A session is a line: rows in the order of their ids. `/undo` marks rows with `active = 0`; a compaction does, too (then with
`compacted = 1`), and writes its summary and the rows that it kept once more. A branch is a session that begins with its
parent's rows under new ids and times. So a message's key is made of its role, text and time, and a copy has the key of
the row that it is a copy of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from scrubjay.agents.base import Json, state_text
from scrubjay.agents.digests import Digests
from scrubjay.agents.hermes import words
from scrubjay.agents.jsonl import Record, clean, decoded, moment, string, table
from scrubjay.agents.reading import About, Book, Draft
from scrubjay.session import Origin, Role, timed_key

BURST = 2.0
"""Seconds between two rows that one copying wrote; nobody types, and no model answers, so fast over many rows."""
_YEAR_3000 = 32_503_680_000
ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "tool": "tool"}
_SILENT_ROLES = frozenset(("system", "session_meta"))
_SHELL_TOOLS = frozenset(("terminal", "process"))
_FILE_TOOLS = frozenset(("read_file", "write_file", "patch"))
_EXTERNAL_TOOLS = ("mcp__", "mcp_", "web_", "browser_", "x_search", "session_search", "memory")


@dataclass(slots=True)
class HermesRow:
    """One row of `messages`, with what an older schema lacks filled in. Never changed; frozen ones take long to make."""

    id: int
    role: str
    content: str
    calls: str
    """`tool_calls`: JSON, "" none."""
    call_id: str
    tool: str
    at: float
    """Seconds since the epoch."""
    active: bool
    compacted: bool
    observed: bool
    """Said by somebody else in a group, and only overheard."""

    @property
    def sign(self) -> bytes:
        """What a row has in common with its copies."""
        said = "\x1f".join((self.role, self.content.strip(), self.call_id, "" if self.content else self.calls))
        return hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=12).digest()

    @property
    def key(self) -> str:
        role = ROLES.get(self.role, "system")
        return timed_key(f"{self.at:.3f}", role, self.content.strip(), self.call_id, "" if self.content else self.calls)


class Copies:
    """Tells the rows that a copying wrote from what was said again."""

    def __init__(
        self, inherited: Digests, started: float, summaries: Mapping[int, float], *, straight: bool = False
    ) -> None:
        self._straight = straight
        """No row can be a copy: none is kept in mind."""
        self._parents = inherited
        """Sign → key in the session that this one began as a copy of."""
        self.beginning = len(inherited) > 0
        self._summaries = summaries
        """Rows that hold a compaction's summary: id → time. The first messages are copied before it, the last after it."""
        self._seen = Digests()
        self._after_summary = False
        self._last = started
        self._latest = 0.0

    def key(self, row: HermesRow) -> tuple[str, bool]:
        """The row's message key, and whether the same session has it already."""
        if self._straight:
            return row.key, False
        sign, own = row.sign, row.key
        burst = row.at - self._last < BURST
        before = row.at < self._latest - 0.001
        first = _key(self._seen.get(sign))
        again = first is not None and (
            first == own
            or before
            or (self._after_summary and burst)
            or any(row.id < other <= row.id + 12 and abs(row.at - at) < BURST for other, at in self._summaries.items())
        )
        if self._after_summary and not burst:
            self._after_summary = False
        if self.beginning:
            of_parent = _key(self._parents.get(sign))
            if of_parent is not None and (burst or of_parent == own):
                own = of_parent
            elif row.role in ("user", "assistant") and row.content:
                self.beginning = False
        self._last, self._latest = row.at, max(self._latest, row.at)
        if again and first is not None:
            return first, True
        if first is None:
            self._seen.put(sign, bytes.fromhex(own[2:]))
        return own, False

    def summary(self, row: HermesRow) -> None:
        self._after_summary, self._last = True, row.at

    def keys(self) -> Digests:
        """Sign → key of all rows so far, the session's own and the inherited ones."""
        for sign, key in self._seen.items():
            self._parents.put(sign, key)
        return self._parents


def _key(digest: bytes | None) -> str | None:
    return None if digest is None else f"h-{digest.hex()}"


class HermesParser:
    """See the module."""

    def __init__(self, book: Book, state: Mapping[str, Json], about: About, copies: Copies, *, speaker: Origin) -> None:
        self.book, self._about, self._copies, self._speaker = book, about, copies, speaker
        self._tip = state_text(state, "tip")
        """Id of the last row on the line that counts."""
        self._side = state_text(state, "side")
        """Id of the row before, when that was taken back."""
        external = state.get("external")
        self._external = dict.fromkeys(map(str, external)) if isinstance(external, list) else {}

    def state(self) -> dict[str, Json]:
        external: list[Json] = [*self._external]
        return {
            "id": self._about.id,
            "cwd": self._about.cwd,
            "tip": self._tip,
            "side": self._side,
            "external": external[-50:],
            "copying": self._copies.beginning,
        }

    def about(self) -> About:
        return self._about

    def boundary(self) -> None:
        """Rows are whole messages."""

    def branches(self) -> dict[str, bool]:
        return {}

    def row(self, row: HermesRow) -> None:
        book = self.book
        role = ROLES.get(row.role)
        if role is None:
            if row.role not in _SILENT_ROLES:
                book.skip(f"unknown_records:{row.role[:40]}")
            return
        book.understood += 1
        text = words.content_text(row.content)
        if role != "tool" and words.is_summary(text):
            self._copies.summary(row)
            book.compaction()
            return
        key, again = self._copies.key(row)
        if again:
            book.skip("copied_messages")
            return
        origin = self._origin(row, role)
        pasted: list[str] = []
        if role == "user":
            text, pasted = words.words_of(text)
            if origin in ("user", "machine") and not text and not pasted:
                origin = "harness"
            if origin in ("user", "machine"):
                book.turn_begins(self.state())
        self._message(row, role, origin, key, text, pasted)

    def _origin(self, row: HermesRow, role: Role) -> Origin:
        if role == "assistant":
            return "assistant"
        if role == "tool":
            known = self._external.pop(row.call_id, 0) is None
            return "external" if known or row.tool.startswith(_EXTERNAL_TOOLS) else "tool"
        return "external" if row.observed else self._speaker

    def _message(self, row: HermesRow, role: Role, origin: Origin, key: str, text: str, pasted: list[str]) -> None:
        book = self.book
        counts = row.active or row.compacted
        uid = f"{row.id:024x}"
        parent = (self._tip if counts else self._side or self._tip) or None
        index = book.node(uid, parent)
        if index < 0:
            return
        book.graph.set_key(index, key)
        if counts:
            book.leaf, self._tip, self._side = index, uid, ""
        else:
            self._side = uid
        draft = book.message(index, role, origin, at=_moment(row.at), cwd=self._about.cwd)
        for part in pasted:
            book.add_pasted(draft, part)
        book.add_text(draft, text)
        if role == "assistant" and row.calls:
            self._calls(row, draft)

    def _calls(self, row: HermesRow, draft: Draft) -> None:
        files: list[str] = []
        commands: list[str] = []
        for call in _list(row.calls):
            function = table(call, "function")
            name, arguments = string(function, "name"), _object(function.get("arguments"))
            if name in _SHELL_TOOLS and (command := string(arguments, "command")):
                commands.append(command)
            if name in _FILE_TOOLS and (path := string(arguments, "path")):
                files.append(path)
            if name.startswith(_EXTERNAL_TOOLS):
                self._external[string(call, "id") or string(call, "call_id")] = None
        self.book.add_files(draft, files, commands)


def _moment(at: float) -> str:
    """`2026-09-03T10:12:44Z` of seconds since the epoch; "" when it is no time."""
    return moment(at + 5e-7) if 0 < at < _YEAR_3000 else ""  # rounded to the microsecond, as Python does


def _list(text: str) -> list[Record]:
    value = decoded(text)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _object(value: object) -> Record:
    """The arguments of a call: an object, or JSON of one."""
    if isinstance(value, str):
        value = decoded(clean(value))
    return value if isinstance(value, dict) else {}
