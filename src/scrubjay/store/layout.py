"""Which file belongs to which store, and where a memory's file goes."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from scrubjay.home import Home
from scrubjay.memory import Memory
from scrubjay.operations import new_id
from scrubjay.scope import TEAM_FOLDER, StoreRef

INDEX = "MEMORY.md"
ARCHIVE = "archive"
IN_ARCHIVE = ("archived", "superseded")
"""Statuses whose files lie in the archive; the others (pending and dormant too) stay in the store's own folder."""


def user_store(home: Home) -> StoreRef:
    return StoreRef("user", home.user_store)


def project_store(home: Home, key: str) -> StoreRef:
    return StoreRef("project", os.path.join(home.projects, key), key)


def private_stores(home: Home) -> list[StoreRef]:
    """The user's, and one for each project that has a folder here or in the archive."""
    keys = set(_folders(home.projects)) | set(_folders(os.path.join(home.archive, "projects")))
    return [user_store(home), *(project_store(home, key) for key in sorted(keys))]


def team_store(repo: str) -> StoreRef | None:
    """The store of a work tree, when it has one that is no way out of the tree (symbolic links are not followed)."""
    path = os.path.join(os.path.realpath(repo), TEAM_FOLDER)
    for folder in (os.path.dirname(path), path):
        try:
            if not stat.S_ISDIR(os.lstat(folder).st_mode):
                return None
        except OSError:
            return None
    return StoreRef("team", path)


def archive_of(home: Home, store: StoreRef) -> str:
    """The store's folder in the archive: its own path below `memory/archive`; a team store has its archive inside."""
    if store.scope == "team":
        return os.path.join(store.path, ARCHIVE)
    return os.path.join(home.archive, os.path.relpath(store.path, home.memory))


def folder_for(home: Home, store: StoreRef, memory: Memory) -> str:
    return archive_of(home, store) if memory.status in IN_ARCHIVE else store.path


def folders(home: Home, store: StoreRef) -> list[str]:
    return [store.path, archive_of(home, store)]


def store_of(home: Home, below: str) -> StoreRef | None:
    """The store of a memory file given by its path below `memory/`; None for every other file."""
    parts = below.split(os.sep)
    if parts[0] == ARCHIVE:
        parts = parts[1:]
    if not is_memory_name(parts[-1]):
        return None
    if len(parts) == 2 and parts[0] == "user":
        return user_store(home)
    if len(parts) == 3 and parts[0] == "projects":
        return project_store(home, parts[1])
    return None


def is_memory_name(name: str) -> bool:
    return name.lower().endswith(".md") and not name.startswith(".") and name.lower() != INDEX.lower()


def place_id(home: Home, store: StoreRef, path: str) -> str:
    """What a file without an id is known by until it is rewritten: made of its place, the same in every clone."""
    team = store.scope == "team"
    below = f"team/{os.path.relpath(path, store.path)}" if team else os.path.relpath(path, home.memory)
    return new_id(f"place\x1f{below}".encode("utf-8", "surrogateescape"))


def _folders(path: str) -> Sequence[str]:
    try:
        with os.scandir(path) as found:
            return [one.name for one in found if one.is_dir(follow_symlinks=False) and not one.name.startswith(".")]
    except (FileNotFoundError, NotADirectoryError):
        return ()
