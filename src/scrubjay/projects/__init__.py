"""Projects: keys and the identities that lead to them (`memory/projects/<key>/project.toml`). Cold: may ask git and write.

A key is minted once, readable name and random suffix, and never recomputed. The hook's way to the same answer is
`scrubjay.scope.look`.
"""

from __future__ import annotations

import os

from scrubjay.errors import BadInput, NothingFound
from scrubjay.home import Home
from scrubjay.projects import relinking, resolving
from scrubjay.projects.likeness import Likeness, similar, twins
from scrubjay.projects.registry import Project, read_all
from scrubjay.projects.relinking import Relinked
from scrubjay.scope import Place

__all__ = ["Likeness", "Project", "Relinked", "read_all", "relink", "resolve", "similar", "twins"]


def resolve(home: Home, cwd: str, *, remote: str = "", branch: str = "", create: bool = True) -> Place:
    """The place of `cwd`, which may be a directory that is gone.

    `remote` and `branch` are what a session recorded. With `create` an unknown project gets a key and new identities are
    added to its `project.toml`; without, nothing is written (`Place.project` is then "" for an unknown one). One call
    costs some file reads and at most a git call or two: callers that resolve many sessions keep the answers.
    Raises `StoreUnavailable` when it must write and cannot.
    """
    return resolving.resolve(home, cwd, remote=remote, branch=branch, create=create)


def relink(home: Home, old: str, new: str, *, dry_run: bool = False) -> Relinked:
    """Move the memories and identities of project `old` into `new` (keys, unique beginnings of keys, names, or paths).

    One transaction, so `jay undo` takes it back; ids and dates stay. Joining the same two again changes nothing.
    `NothingFound` for an unknown project, `BadInput` when both are the same or a name is ambiguous.
    """
    source = _named(home, old, create=False)
    if not source:
        raise NothingFound(f"{old!r} is no project yet", hint="nothing to move")
    target = _named(home, new, create=not dry_run)
    return relinking.join(home, source, target, dry_run=dry_run)


def _named(home: Home, given: str, *, create: bool) -> str:
    """The key of a project that a person names."""
    projects = read_all(home)
    if given in projects:
        return given
    if os.sep in given or given.startswith((".", "~")) or os.path.isdir(given):
        path = os.path.abspath(os.path.expanduser(given))
        found = resolve(home, path, create=create and os.path.isdir(path)).project
        if found or (not create and os.path.isdir(path)):
            return found
    fitting = [key for key, one in projects.items() if key.startswith(given) or one.name == given] if given else []
    alive = [key for key in fitting if not projects[key].merged_into] or fitting
    if len(alive) > 1:
        raise BadInput(f"{len(alive)} projects are called {given!r}", hint="one of " + ", ".join(sorted(alive)[:5]))
    if not alive:
        raise NothingFound(f"no project {given!r}", hint="`jay status` names this directory's project")
    return alive[0]
