"""Projects: keys and the identities that lead to them (`memory/projects/<key>/project.toml`). Cold: may ask git and write.

A key is minted once, readable name and random suffix, and never recomputed. The hook's way to the same answer is
`scrubjay.scope.look`.
"""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.home import Home
from scrubjay.scope import Place


@dataclass(frozen=True, kw_only=True, slots=True)
class Likeness:
    """A project that may be the same as a place's, for "looks like acme-api (42 memories): jay relink"."""

    key: str
    name: str
    memories: int
    reason: str
    """`same first commit`, `same path earlier` or `same name`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Relinked:
    """What `relink` moved (or would move)."""

    old: str
    new: str
    moved: tuple[str, ...]
    """Ids of the memories."""
    undo: str
    """For `jay undo`; "" on a dry run or when nothing moved."""


def resolve(home: Home, cwd: str, *, remote: str = "", branch: str = "", create: bool = True) -> Place:
    """The place of `cwd`, which may be a directory that is gone.

    `remote` and `branch` are what a session recorded. With `create` an unknown project gets a key and new identities are
    added to its `project.toml`; without, nothing is written (`Place.project` is then "" for an unknown one). One call
    costs some file reads and at most a git call or two: callers that resolve many sessions keep the answers.
    Raises `StoreUnavailable` when it must write and cannot.
    """
    raise NotImplementedError


def similar(home: Home, place: Place) -> list[Likeness]:
    """Projects that may be the same as `place`, with memories of their own, most likely first."""
    raise NotImplementedError


def relink(home: Home, old: str, new: str, *, dry_run: bool = False) -> Relinked:
    """Move the memories and identities of project `old` into `new` (keys, unique beginnings of keys, or paths).

    One transaction, so `jay undo` takes it back; ids and dates stay. `NothingFound` for an unknown project, `BadInput`
    when both are the same or a name is ambiguous.
    """
    raise NotImplementedError
