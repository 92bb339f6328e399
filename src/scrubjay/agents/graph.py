"""The records of one file as a graph, small enough for a file of millions: 22 bytes a node.

A node is a record with an id. Its parent may stand before it, after it, or nowhere (a broken line); then the record
before it takes the parent's place, so that one lost line does not cut a conversation in two.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass

NONE = -1
_GENERATION = 40_000
_MAX_FAR_SEARCHES = 200
_MAX_PENDING = 10_000
_KEY_BYTES = 12
_NO_KEY = (b"", bytes(_KEY_BYTES))

MESSAGE = 1
PROMPT = 2
ASIDE = 4
"""Beside the conversation (a sub-agent's records in the main file): never a leaf, nobody's substitute parent."""
DEAD = 8
"""Taken back by the client, whatever the graph says."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """What is known of a record before the place where this read began."""

    key: str | None
    """Key of the nearest message at or before it."""
    live: bool


class Graph:
    """Nodes by index, in file order. Index 0 stands for everything before the place where this read began."""

    def __init__(self, before: Anchor | None, anchors: dict[str, Anchor]) -> None:
        self._parents = array("i")
        self._flags = bytearray()
        self._ids = _Ids()
        self._keys = bytearray()
        self._new: dict[str, int] = {}
        self._old: dict[str, int] = {}
        self._all: dict[str, int] | None = None
        self._far_searches = 0
        self._pending: dict[str, list[int]] = {}
        self._stated: dict[int, str] = {}
        self._outside: dict[int, Anchor] = {}
        self._last = NONE
        self.orphans = 0
        self._outside[self.add("", NONE, 0)] = before or Anchor(None, True)
        for uid, anchor in anchors.items():
            self._outside[self.add(uid, NONE, 0)] = anchor
        self._last = 0
        self.first = len(self._flags)

    def __len__(self) -> int:
        return len(self._flags)

    def add(self, uid: str, parent: int, flags: int) -> int:
        """A new node; `parent` is an index or NONE. Children that waited for `uid` are joined to it."""
        index = len(self._flags)
        self._parents.append(parent)
        self._flags.append(flags)
        self._ids.append(uid)
        if uid:
            self._remember(uid, index)
            for child in self._pending.pop(uid, ()) if self._pending else ():
                self._parents[child] = index
                self.orphans -= 1
        if not flags & ASIDE:
            self._last = index
        return index

    def find(self, uid: str) -> int:
        """Index of the node with this id, or NONE. Looks far back only a bounded number of times."""
        index = self._new.get(uid, NONE)
        if index == NONE:
            index = self._old.get(uid, NONE)
        return index if index != NONE or not self._old else self._far(uid)

    def near(self, uid: str) -> int:
        """As `find`, among the last records only: for ids that are expected to be new."""
        index = self._new.get(uid, NONE)
        return index if index != NONE else self._old.get(uid, NONE)

    def substitute(self, uid: str) -> int:
        """The parent of a record whose stated parent `uid` is not there: the record before it. Call `add` next."""
        self.orphans += 1
        index = len(self._flags)
        if uid and len(self._pending) < _MAX_PENDING:
            self._pending.setdefault(uid, []).append(index)
            self._stated[index] = uid
        return self._last

    def previous(self) -> int:
        """The last node of the conversation."""
        return self._last

    def step_back(self, index: int) -> None:
        """What follows is attached to `index`: everything after it was taken back."""
        self._last = index

    def set_before(self, anchor: Anchor) -> None:
        """What stands before the first record, when another file holds it."""
        self._outside[0] = anchor

    def set_flags(self, index: int, flags: int) -> None:
        self._flags[index] |= flags

    def flags(self, index: int) -> int:
        return self._flags[index]

    def parent(self, index: int) -> int:
        return self._parents[index]

    def uid(self, index: int) -> str:
        return self._ids.get(index)

    def set_key(self, index: int, key: str) -> None:
        """The message key of a node whose id is no key: `h-` and 24 hexadecimal digits (`session.chained_key`)."""
        start, missing = _KEY_BYTES * index, _KEY_BYTES * index - len(self._keys)
        if missing > 0:
            self._keys += bytes(missing)
        self._keys[start : start + _KEY_BYTES] = bytes.fromhex(key[2:])

    def key(self, index: int) -> str:
        """Message key of a node: the one that was set, else its id."""
        digest = self._keys[_KEY_BYTES * index : _KEY_BYTES * (index + 1)]
        return self._ids.get(index) if digest in _NO_KEY else f"h-{digest.hex()}"

    def nearest_message(self, index: int, aliases: dict[int, int]) -> Anchor | int:
        """The nearest message at or above `index`: its index, or what is known when it lies before this read."""
        steps = 0
        while index != NONE and steps <= len(self._flags):
            outside = self._outside.get(index)
            if outside is not None:
                return outside
            if self._flags[index] & MESSAGE or index in aliases:
                return aliases.get(index, index)
            index = self._parents[index]
            steps += 1
        return Anchor(None, True)

    def path(self, leaf: int, down_to: int) -> bytearray:
        """A 1 for each node from `leaf` up to the root; the walk may end below `down_to`, where nobody asks."""
        marks = bytearray(len(self._flags))
        parents = self._parents
        while leaf != NONE and not marks[leaf]:
            marks[leaf] = 1
            if leaf < down_to and parents[leaf] < leaf:
                break
            leaf = parents[leaf]
        return marks

    def outside_reached(self, leaf: int) -> Anchor | None:
        """The anchor at which the way from `leaf` to the root leaves this read; None: it has a root of its own."""
        steps = 0
        while leaf != NONE and steps <= len(self._flags):
            if leaf in self._outside:
                return self._outside[leaf]
            leaf = self._parents[leaf]
            steps += 1
        return None

    def stated_parent(self, index: int) -> str:
        """The parent's id as the record gives it, for a parent that stands before `index`."""
        stated = self._stated.get(index)
        return stated if stated is not None else self.uid(self._parents[index])

    def _remember(self, uid: str, index: int) -> None:
        if self._all is not None:
            self._all.setdefault(uid, index)
        self._new.setdefault(uid, index)
        if len(self._new) >= _GENERATION:
            self._old, self._new = self._new, {}

    def _far(self, uid: str) -> int:
        if self._all is not None:
            return self._all.get(uid, NONE)
        self._far_searches += 1
        if self._far_searches > _MAX_FAR_SEARCHES:
            self._all = {self.uid(index): index for index in range(len(self) - 1, -1, -1)}
            return self._all.get(uid, NONE)
        return self._ids.index(uid)


_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_SHORT = re.compile(r"(h-)?([0-9a-f]{8}(?:[0-9a-f]{16})?)", re.ASCII)
_TAIL = re.compile(r"(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{24}|[0-9a-f]{8})\Z", re.ASCII)


class _Ids:
    """Ids as 17 bytes each where they end in a UUID or in 8, 24 or 32 hexadecimal digits, as nearly all of all agents do."""

    def __init__(self) -> None:
        self._packed = bytearray()
        self._codes = bytearray()
        self._forms = [("", 36)]
        self._code_of = {("", 36): 0}
        self._odd: dict[int, str] = {}

    def append(self, uid: str) -> None:
        code, packed = self._pack(uid)
        if code == 255 and uid:
            self._odd[len(self._codes)] = uid
        self._codes.append(code)
        self._packed += packed

    def get(self, index: int) -> str:
        code = self._codes[index]
        if code == 255:
            return self._odd.get(index, "")
        prefix, length = self._forms[code]
        digits = self._packed[16 * index : 16 * index + 16].hex()
        if length == 36:
            return f"{prefix}{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
        return prefix + digits[:length]

    def index(self, uid: str) -> int:
        """Index of the first `uid`, or NONE: a search through all."""
        code, packed = self._pack(uid)
        if code == 255:
            return next((index for index, odd in self._odd.items() if odd == uid), NONE)
        at = self._packed.find(packed)
        while at >= 0:
            if at % 16 == 0 and self._codes[at // 16] == code:
                return at // 16
            at = self._packed.find(packed, at + 1)
        return NONE

    def _pack(self, uid: str) -> tuple[int, bytes]:
        if len(uid) == 36 and _UUID.fullmatch(uid):  # nearly all
            return 0, bytes.fromhex(uid.replace("-", ""))
        short = _SHORT.fullmatch(uid)
        if short is not None:  # a message key, an id of pi, a number of Hermes
            digits = short[2]
            return self._code(short[1] or "", len(digits)), bytes.fromhex(digits).ljust(16, b"\0")
        match = _TAIL.search(uid)
        if match is None:
            return 255, bytes(16)
        code = self._code(uid[: match.start()], len(uid) - match.start())
        return code, bytes(16) if code == 255 else bytes.fromhex(match.group().replace("-", "")).ljust(16, b"\0")

    def _code(self, prefix: str, length: int) -> int:
        form = (prefix, length)
        code = self._code_of.get(form)
        if code is None:
            if len(self._forms) >= 255:
                return 255
            code = self._code_of[form] = len(self._forms)
            self._forms.append(form)
        return code
