"""What most commands begin with: this home, this directory's place, and the memories that they see."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from scrubjay import home, projects
from scrubjay.cli.output import stderr
from scrubjay.errors import StoreUnavailable
from scrubjay.home import Home
from scrubjay.scope import Place
from scrubjay.search import query
from scrubjay.search.build import refresh
from scrubjay.store.library import Library, Stored


@dataclass(frozen=True, kw_only=True, slots=True)
class Opened:
    """One look at the stores from one directory."""

    home: Home
    place: Place
    library: Library

    def visible(self) -> list[Stored]:
        """What this directory sees: its project, its team, the user."""
        return self.library.memories(stores=self.place.stores())


def here(cwd: str = "") -> tuple[Home, Place]:
    """The home, and the place of `cwd` (default: the working directory). Reads no memory and writes nothing."""
    where = home.current()
    return where, projects.resolve(where, cwd or os.getcwd(), create=False)


def opened(cwd: str = "") -> Opened:
    """Open everything for `cwd` (default: the working directory). Takes in edits made by hand."""
    where, place = here(cwd)
    return Opened(home=where, place=place, library=Library.open(where, repos=repos(place)))


def repos(place: Place) -> list[str]:
    """Work trees whose team store is read."""
    return [place.worktree] if place.git and place.worktree else []


def reindex(look: Opened) -> None:
    """Bring the search index up to what the stores hold now."""
    refresh(look.home, Library.open(look.home, repos=repos(look.place)))


def row(stored: Stored) -> dict[str, object]:
    """One memory for `--json`."""
    memory = stored.memory
    return {
        "id": memory.id, "name": memory.name, "description": memory.description, "type": memory.type,
        "status": memory.status, "reason": memory.reason, "scope": stored.store.scope, "project": stored.store.project,
        "trust": stored.effective_trust, "by": memory.by, "observed": memory.observed, "paths": list(memory.paths),
        "aliases": list(memory.aliases), "evidence": list(memory.evidence), "pinned": memory.pinned,
        "body": memory.body, "file": stored.path, "problems": list(stored.problems),
    }  # fmt: skip


@contextmanager
def fresh_index(where: Home, place: Place) -> Iterator[sqlite3.Connection | None]:
    """The search index, closed at the end: `_fresh_index`."""
    index = _fresh_index(where, place)
    try:
        yield index
    finally:
        if index is not None:
            index.close()


def _fresh_index(where: Home, place: Place) -> sqlite3.Connection | None:
    """The search index, brought up to date first when a file of a visible store was added, changed or removed since.

    The files are only listed, not read, while nothing changed: as fast with 10,000 memories as with ten. In a home that
    cannot be written the index stays as it is.
    """
    index = query.open(where.search)
    if not any(os.path.isdir(store.path) for store in place.stores()):
        return index  # nothing to index: a question leaves no folder behind
    if index is not None and all(_known(index, store.path) == _there(store.path) for store in place.stores()):
        return index
    try:
        refresh(where, Library.open(where, repos=repos(place)))
    except StoreUnavailable:
        if index is None:
            raise
        stderr.print(
            "[yellow]The index is older than the files and cannot be written: new changes are not looked at.[/]"
        )
        return index
    if index is not None:
        index.close()
    return query.open(where.search)


def _known(index: sqlite3.Connection, store: str) -> dict[str, tuple[int, int]]:
    """Files of one store's own folder, as the index has them: path → (mtime in ns, bytes)."""
    sql = "SELECT m.path, m.mtime_ns, m.size FROM memories m JOIN groups g ON g.n = m.n >> ? WHERE g.store = ?"
    rows = index.execute(sql, (query.GROUP_BITS, store))
    return {path: (mtime_ns, size) for path, mtime_ns, size in rows if os.path.dirname(path) == store}


def _there(store: str) -> dict[str, tuple[int, int]]:
    try:
        entries = [entry for entry in os.scandir(store) if entry.name.endswith(".md") and entry.name != "MEMORY.md"]
    except OSError:
        return {}
    files = [
        (entry.path, entry.stat(follow_symlinks=False)) for entry in entries if entry.is_file(follow_symlinks=False)
    ]
    return {path: (info.st_mtime_ns, info.st_size) for path, info in files}
