"""Redacted user turns, kept for later learners because agents delete their transcripts: `turns/<yyyy-mm>.jsonl`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields

from scrubjay.home import Home
from scrubjay.session import Origin
from scrubjay.store import lines


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptTurn:
    """One line of `turns/<yyyy-mm>.jsonl`. `text` is redacted by the caller."""

    key: str
    agent: str
    session: str
    origin: Origin
    at: str
    project: str
    cwd: str
    text: str
    before: str = ""
    """The end of what the assistant said before, redacted."""


_FIELDS = tuple(field.name for field in fields(KeptTurn))


def kept(home: Home) -> Iterator[KeptTurn]:
    """Every kept turn, oldest month first, each message key once."""
    seen: set[str] = set()
    for path in lines.paths(home.turns):
        for record in lines.records(path):
            key = record.get("key")
            if isinstance(key, str) and key not in seen:
                seen.add(key)
                yield KeptTurn(**{name: str(record.get(name, "")) for name in _FIELDS})  # type: ignore[arg-type]


def size(home: Home) -> int:
    """Bytes of all kept turns."""
    return sum(os.path.getsize(path) for path in lines.paths(home.turns))


def additions(home: Home, new: Iterable[KeptTurn]) -> dict[str, tuple[int, bytes]]:
    """What to append, by path."""
    return lines.additions(home.turns, ((one.key, one.at, lines.encode(asdict(one))) for one in new), "key")


def over_limit(home: Home, limit_bytes: int, coming: int) -> tuple[list[tuple[str, bytes]], int]:
    """What must go so that `coming` bytes fit: (path, bytes that stay; b"" = the whole file goes), and turns dropped.

    Oldest first. A fifth more than needed goes, so that this is rare.
    """
    every = lines.paths(home.turns)
    excess = size(home) + coming - limit_bytes
    if excess <= 0:
        return [], 0
    excess += limit_bytes // 5
    changes: list[tuple[str, bytes]] = []
    dropped = 0
    for path in every:
        if excess <= 0:
            break
        with open(path, "rb") as file:
            data = file.read()
        stay = b"" if len(data) <= excess else data[data.find(b"\n", excess) + 1 :]
        dropped += data.count(b"\n") - stay.count(b"\n")
        excess -= len(data) - len(stay)
        changes.append((path, stay))
    return changes, dropped
