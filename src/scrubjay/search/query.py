"""Which memories answer a prompt: candidates from the FTS5 index, the floor, and the order.

Hot: read only, standard library only. `build.py` writes the file that this reads.
"""

from __future__ import annotations

import os
import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA = 1
"""Version of search.sqlite. Another one is never migrated: the file is deleted and built again."""


class Row:
    """One memory as the index holds it, with what the search found out about it."""

    __slots__ = (
        "agents", "body", "description", "id", "matched", "mtime_ns", "name", "path", "paths", "pinned",
        "reason", "rule", "scope", "score", "size", "status", "store", "trust", "type", "updated",
    )  # fmt: skip

    id: str
    name: str
    description: str
    body: str
    type: str
    trust: str
    """Effective trust: never above the ceiling of the store."""
    status: str
    scope: str
    """`user`, `project` or `team`."""
    store: str
    """Absolute path of the store's folder."""
    path: str
    """Absolute path of the file."""
    mtime_ns: int
    size: int
    paths: tuple[str, ...]
    agents: tuple[str, ...]
    pinned: bool
    rule: bool
    """A standing rule of the user: type `feedback` or `user`, trust `user`."""
    updated: str
    score: float
    matched: tuple[str, ...]
    """The words of the prompt that were found, as stems."""
    reason: str
    """"" when the row passed, else the filter that stopped it: `floor`, `weak`, `far-below-best`, `status`, `scope`,
    `unclean`."""


def open(path: str) -> sqlite3.Connection | None:  # noqa: A001
    """The index for reading, or None when there is none, it is broken, or another version wrote it."""
    raise NotImplementedError(os.fspath(path))


class Found:
    """`rows`: what passed, best first. `rejected`: the best of what did not, each with its `reason`."""

    __slots__ = ("rejected", "rows", "visible", "words")

    def __init__(self, rows: list[Row], rejected: list[Row], words: list[str], visible: int) -> None:
        self.rows = rows
        self.rejected = rejected
        self.words = words
        self.visible = visible


def search(
    connection: sqlite3.Connection,
    text: str,
    stores: Sequence[str],
    *,
    limit: int = 20,
    floor: bool = True,
    explain: bool = False,
) -> Found:
    """Active, clean memories of `stores` (absolute folders) that match `text`. Any `text` is fine; it is never syntax.

    `floor=False` ranks everything that shares a word (a person's own search). `explain=True` also looks at what is not
    active, not clean, or in another store, and puts it into `rejected`.
    """
    raise NotImplementedError
