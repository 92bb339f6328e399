"""What most commands begin with: this home, this directory's place, and the memories that they see."""

from __future__ import annotations

import os
import sqlite3
from contextlib import AbstractContextManager
from dataclasses import dataclass

from scrubjay import home, projects
from scrubjay.cli.output import stderr
from scrubjay.home import Home
from scrubjay.scope import Place
from scrubjay.search import fresh
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


def fresh_index(where: Home, place: Place) -> AbstractContextManager[sqlite3.Connection | None]:
    """The search index, up to date, closed at the end (`search.fresh`); a stale one is said on standard error."""
    return fresh.fresh_index(where, place, lambda text: stderr.print(f"[yellow]{text}[/]"))
