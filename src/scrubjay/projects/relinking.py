"""Joining two projects: everything of the old one moves to the new one, in one transaction."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from scrubjay.errors import BadInput, NothingFound, Refused
from scrubjay.home import Home
from scrubjay.ledger import Ledger
from scrubjay.memory import parse
from scrubjay.projects import registry
from scrubjay.projects.registry import Project
from scrubjay.store import files, layout, settle
from scrubjay.store.change import rewrite
from scrubjay.store.draft import Draft
from scrubjay.store.library import Library, Stored
from scrubjay.store.lock import locked


@dataclass(frozen=True, kw_only=True, slots=True)
class Relinked:
    """What was moved (or would be)."""

    old: str
    new: str
    """"" on a dry run towards a directory that is no project yet."""
    moved: tuple[str, ...]
    """Ids of the memories."""
    undo: str
    """For `jay undo`; "" on a dry run, without git, or when nothing moved."""


def join(home: Home, old: str, new: str, *, dry_run: bool = False) -> Relinked:
    """Move everything of the project `old` (a key) into `new` (a key)."""
    projects = registry.read_all(home)
    source, target = registry.follow(projects, old), registry.follow(projects, new)
    if source == target:
        if old == new:
            raise BadInput("a project cannot be joined with itself", at=old)
        return Relinked(old=old, new=new, moved=(), undo="")
    if dry_run:
        return Relinked(old=source, new=target, moved=_ids(_memories(home, source, take_in=False)), undo="")
    with registry.lock(home):
        projects = registry.read_all(home)
        for key in (source, target):
            if key not in projects:
                raise NothingFound(f"no project {key!r}")
            if projects[key].broken:
                at = os.path.join(home.projects, key, registry.FILE)
                raise Refused(f"the project's file is broken ({projects[key].broken})", at=at, rule="store/broken")
        moved, undo = _move(home, projects[source], projects[target])
        registry.refresh(home)
    return Relinked(old=source, new=target, moved=moved, undo=undo)


def _move(home: Home, source: Project, target: Project) -> tuple[tuple[str, ...], str]:
    memories = _memories(home, source.key, take_in=True)
    store = layout.project_store(home, target.key)
    with locked(home), files.writing(home.root), Ledger.open(home.ledger) as ledger:
        settle.settle(home, ledger)
        draft, taken = Draft(home, ledger), set[str]()
        for stored in memories:
            if stored.broken or parse(files.read(stored.path) or b"", name=stored.path).memory.id:
                _carry(draft, stored.path, layout.folder_for(home, store, stored.memory), taken)
                draft.mentioned.append(stored.memory.id)
            else:  # known by its place until now: the id is written down before the place changes
                draft.change(rewrite(stored, stored.memory, store=store))
                taken.add(draft.paths[-1])
        for path in _other_files(home, source.key):
            below = os.path.relpath(os.path.dirname(path), os.path.join(home.projects, source.key))
            _carry(draft, path, os.path.normpath(os.path.join(store.path, below)), taken)
        for project in (_joined(source, target), _emptied(source, target)):
            path = os.path.join(home.projects, project.key, registry.FILE)
            draft.put(path, registry.render(project).encode(), before=files.sha_of(path))
        undo, _ = draft.carry_out(f"Relink {source.key} to {target.key}: {len(memories)} memories")
    return _ids(memories), undo


def _memories(home: Home, key: str, *, take_in: bool) -> list[Stored]:
    library = Library.open(home, take_in=take_in)
    return library.memories(stores=[layout.project_store(home, key)])


def _ids(memories: list[Stored]) -> tuple[str, ...]:
    return tuple(stored.memory.id for stored in memories)


def _carry(draft: Draft, path: str, folder: str, taken: set[str]) -> None:
    """Move a file as it is; its name stays where it is free, which is where nothing stands and nothing comes."""
    data = files.read(path)
    if data is None:
        return
    stem, ending = os.path.splitext(os.path.basename(path))
    name, number = stem + ending, 1
    while os.path.lexists(os.path.join(folder, name)) or os.path.join(folder, name) in taken:
        number += 1
        name = f"{stem}-{number}{ending}"
    taken.add(os.path.join(folder, name))
    draft.put(os.path.join(folder, name), data, before="")
    draft.delete(path, before=files.sha(data))


def _other_files(home: Home, key: str) -> list[str]:
    """What else somebody keeps in the project's folder, sub-folders included; no hidden files, no symbolic links."""
    found = []
    top = os.path.join(home.projects, key)
    for folder, inside, names in os.walk(top):
        inside[:] = [name for name in inside if not name.startswith(".")]
        for name in names:
            path = os.path.join(folder, name)
            ours = folder == top and (name == registry.FILE or name.lower().endswith(".md"))
            if not (ours or name.startswith(".") or os.path.islink(path)):
                found.append(path)
    return sorted(found)


def _joined(source: Project, target: Project) -> Project:
    return replace(
        target,
        remotes=_union(target.remotes, source.remotes),
        commits=_union(target.commits, source.commits),
        shallow=_union(target.shallow, source.shallow),
        roots=_paths(target.roots, source.roots),
        worktrees=_paths(target.worktrees, source.worktrees),
    )


def _emptied(source: Project, target: Project) -> Project:
    return Project(key=source.key, name=source.name, created=source.created, merged_into=target.key, extra=source.extra)


def _union(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _paths(first: dict[str, tuple[str, ...]], second: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Newest last: the target's are those of today."""
    machines = dict.fromkeys((*first, *second))
    return {machine: _union(second.get(machine, ()), first.get(machine, ())) for machine in machines}
