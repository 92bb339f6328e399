"""The private git repository in `memory/`: log and undo."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.home import Home
from scrubjay.store.change import Committed


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One commit."""

    sha: str
    at: str
    subject: str
    ids: tuple[str, ...]
    """Memories that it touched."""
    changes: tuple[tuple[str, str], ...]
    """`(A | M | D, path below memory/)`; generated files left out."""


def log(home: Home, limit: int = 20, id: str | None = None) -> list[Entry]:  # noqa: A002
    """Newest first; `id`: only what touched this memory. Empty without git or history."""
    raise NotImplementedError


def undo(home: Home, which: str | None = None) -> Committed:
    """Take back one commit (None: the newest) by a new transaction; an undo can be undone.

    Raises `NothingFound` (no such commit, no git), `Conflict` (a file changed since).
    """
    raise NotImplementedError
