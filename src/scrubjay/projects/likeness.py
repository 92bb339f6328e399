"""Projects that look like one another: said, never acted on."""

from __future__ import annotations

import os
from dataclasses import dataclass

from scrubjay.home import Home
from scrubjay.projects import git, registry
from scrubjay.projects.registry import Project
from scrubjay.scope import Place, gitdir, normalise_remote

INDEX_FILE = "MEMORY.md"


@dataclass(frozen=True, kw_only=True, slots=True)
class Likeness:
    """A project that may be the same as a place's, for "looks like acme-api (42 memories): jay relink"."""

    key: str
    name: str
    memories: int
    reason: str
    """`same first commit`, `same repository name`, `a folder of this repository`, `same folder name` or `was beside it and
    is gone`."""


def similar(home: Home, place: Place) -> list[Likeness]:
    """Projects that may be the same as `place`, with memories of their own, most likely first."""
    projects = registry.read_all(home)
    mine = projects.get(place.project) or _unknown(place)
    if not place.root or mine.isolated:
        return []
    found = []
    for key, other in projects.items():
        if key == place.project or other.isolated or other.merged_into or key in dict(place.parents):
            continue
        rank, reason = _reason(place, mine, other)
        count = count_memories(home, key) if reason else 0
        if count:
            found.append((rank, -count, Likeness(key=key, name=other.name, memories=count, reason=reason)))
    return [one for _, _, one in sorted(found, key=lambda row: (row[0], row[1], row[2].key))]


def _unknown(place: Place) -> Project:
    """What a repository without a key would bring."""
    if not place.git:
        return Project(key="")
    repository = gitdir.find(place.worktree)
    url = gitdir.origin(repository.common) if repository else ""
    remotes = tuple(filter(None, [normalise_remote(url, base=place.worktree)]))
    return Project(key="", remotes=remotes, commits=tuple(filter(None, [git.root_commit(place.worktree)])))


def _reason(place: Place, mine: Project, other: Project) -> tuple[int, str]:
    if set(mine.commits) & set(other.commits):
        return 0, "same first commit"
    if _names(mine.remotes) & _names(other.remotes):
        return 1, "same repository name"
    if place.git and not other.remotes and not other.commits and any(_of(place, path) for path in other.here()):
        return 2, "a folder of this repository"  # it had memories of its own before there was a repository around it
    # The other's own folders are gone: then it may have moved here, or may have been renamed.
    if any(os.path.isdir(path) for path in other.here()):
        return 9, ""
    folders = {os.path.basename(path) for path in other.here()} or {other.name}
    if place.name in folders:
        return 3, "same folder name"
    beside = {os.path.dirname(path) for path in other.here()}
    return (4, "was beside it and is gone") if not place.git and os.path.dirname(place.root) in beside else (9, "")


def _of(place: Place, path: str) -> bool:
    return path.startswith(place.root.rstrip(os.sep) + os.sep)


def _names(remotes: tuple[str, ...]) -> set[str]:
    return {os.path.basename(remote).lower() for remote in remotes}


def twins(home: Home) -> list[tuple[str, str, str]]:
    """Projects that claim a directory or URL which leads to an older one (copied by hand, badly merged): the hidden one,
    the older one, and what both claim. `jay relink` joins them."""
    owners: dict[str, str] = {}
    found: dict[str, tuple[str, str, str]] = {}
    for key, project in registry.read_all(home).items():
        if not project.merged_into:
            for claim in (*project.here(), *project.here(worktrees=True), *project.remotes):
                if owners.setdefault(claim, key) != key:
                    found.setdefault(key, (key, owners[claim], claim))
    return list(found.values())


def count_memories(home: Home, key: str) -> int:
    """Memory files of a project."""
    try:
        names = os.listdir(os.path.join(home.projects, key))
    except OSError:
        return 0
    return sum(name.endswith(".md") and name != INDEX_FILE for name in names)
