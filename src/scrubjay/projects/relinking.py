"""Joining two projects: everything of the old one moves to the new one, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.home import Home


@dataclass(frozen=True, kw_only=True, slots=True)
class Relinked:
    """What `relink` moved (or would move)."""

    old: str
    new: str
    moved: tuple[str, ...]
    """Ids of the memories."""
    undo: str
    """For `jay undo`; "" on a dry run or when nothing moved."""


def relink(home: Home, old: str, new: str, *, dry_run: bool = False) -> Relinked:
    """Move the memories and identities of project `old` into `new` (keys, unique beginnings of keys, or paths).

    One transaction, so `jay undo` takes it back; ids and dates stay. `NothingFound` for an unknown project, `BadInput`
    when both are the same or a name is ambiguous.
    """
    raise NotImplementedError
