"""A table of digests by digest, 44 bytes an entry at most: a dict of a million of them takes a quarter of a gigabyte."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

SIZE = 12
"""Bytes of a digest."""
_FIRST_SLOTS = 1024


class Digests:
    """Open addressing: a slot holds the number of an entry and 1, or 0 when it is free; half of the slots stay free."""

    def __init__(self) -> None:
        self._keys, self._values = bytearray(), bytearray()
        self._slots = array("I", bytes(4 * _FIRST_SLOTS))

    def __len__(self) -> int:
        return len(self._keys) // SIZE

    def get(self, key: bytes) -> bytes | None:
        """What was put there; None: nothing."""
        entry = self._slots[self._slot(key)]
        return bytes(self._values[SIZE * (entry - 1) : SIZE * entry]) if entry else None

    def put(self, key: bytes, value: bytes) -> None:
        """An entry, in place of the one that is there."""
        slot = self._slot(key)
        entry = self._slots[slot]
        if entry:
            self._values[SIZE * (entry - 1) : SIZE * entry] = value
            return
        self._keys += key
        self._values += value
        count = self._slots[slot] = len(self._keys) // SIZE
        if 2 * count > len(self._slots):
            self._grow()

    def items(self) -> Iterator[tuple[bytes, bytes]]:
        """All entries, in the order in which their keys came."""
        for start in range(0, len(self._keys), SIZE):
            yield bytes(self._keys[start : start + SIZE]), bytes(self._values[start : start + SIZE])

    def _slot(self, key: bytes) -> int:
        """The slot of `key`, or the free one where it belongs."""
        slots = self._slots
        last = len(slots) - 1
        slot = int.from_bytes(key[:4], "little") & last
        while (entry := slots[slot]) and self._keys[SIZE * (entry - 1) : SIZE * entry] != key:
            slot = (slot + 1) & last
        return slot

    def _grow(self) -> None:
        slots = self._slots = array("I", bytes(4 * 2 * len(self._slots)))
        last = len(slots) - 1
        for entry in range(1, len(self) + 1):
            at = SIZE * (entry - 1)
            slot = int.from_bytes(self._keys[at : at + 4], "little") & last
            while slots[slot]:
                slot = (slot + 1) & last
            slots[slot] = entry
