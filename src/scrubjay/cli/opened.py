"""What most commands begin with: this home, this directory's place, and the memories that they see."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass

from scrubjay import home, projects
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


def opened(cwd: str = "") -> Opened:
    """Open everything for `cwd` (default: the working directory). Takes in edits made by hand."""
    where = home.current()
    place = projects.resolve(where, cwd or os.getcwd(), create=False)
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


def fresh_index(look: Opened) -> sqlite3.Connection | None:
    """The search index, brought up to date first when a file of a visible store was added, changed or removed since."""
    index = query.open(look.home.search)
    if index is not None and _same(index, look.place):
        return index
    refresh(look.home, look.library)
    return query.open(look.home.search)


def _same(index: sqlite3.Connection, place: Place) -> bool:
    for store in place.stores():
        known = dict(index.execute("SELECT path, mtime_ns FROM memories WHERE store = ?", (store.path,)))
        try:
            there = {
                entry.path: entry.stat().st_mtime_ns
                for entry in os.scandir(store.path)
                if entry.name.endswith(".md") and entry.name != "MEMORY.md" and entry.is_file(follow_symlinks=False)
            }
        except OSError:
            there = {}
        if there != {path: at for path, at in known.items() if os.path.dirname(path) == store.path}:
            return False
    return True
