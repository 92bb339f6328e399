"""Changing the stores: one transaction a call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scrubjay.home import Home
from scrubjay.memory import Memory
from scrubjay.operations import Evidence
from scrubjay.scope import StoreRef
from scrubjay.store.library import Stored
from scrubjay.store.tombstones import Tombstone
from scrubjay.store.turns import KeptTurn


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One file to be written. Made by `create`, `rewrite` or `archive`."""

    kind: Literal["create", "rewrite", "archive"]
    memory: Memory
    """As it shall be. Its status decides the folder: `archived` and `superseded` go to the archive, and come back."""
    store: StoreRef
    stored: Stored | None = None
    """What is rewritten; its hash must still be that of the file."""


def create(memory: Memory, store: StoreRef) -> Change:
    """A new file. An empty `memory.id` gets a new id; an id that exists already is `Refused`."""
    raise NotImplementedError


def rewrite(stored: Stored, memory: Memory) -> Change:
    """The same memory with other content or status. `id` stays."""
    raise NotImplementedError


def archive(stored: Stored, memory: Memory) -> Change:
    """Move to the archive; `memory.status` is `archived` or `superseded`."""
    raise NotImplementedError


@dataclass(frozen=True, kw_only=True, slots=True)
class Committed:
    """What one transaction did."""

    ids: tuple[str, ...]
    """Ids of the changes, in order."""
    paths: tuple[str, ...]
    """Absolute paths of their files, in order."""
    sha: str
    """Git commit in the private history, "" when there is none (git missing)."""
    undo: str
    """What `history.undo` takes; "" when it cannot be undone."""
    notes: tuple[str, ...] = ()
    """What the person should know: no git, turns dropped at the size cap, history to be caught up."""


def commit(
    home: Home,
    changes: Sequence[Change],
    *,
    subject: str,
    evidence: Sequence[Evidence] = (),
    turns: Sequence[KeptTurn] = (),
    tombstones: Sequence[Tombstone] = (),
) -> Committed:
    """Write all of it or nothing. MEMORY.md of the touched stores is made anew inside the same transaction.

    `subject` is the first line of the commit and must not quote a memory's body. Raises `Conflict` (a file changed since
    it was read), `Refused` (limits, broken file), `StoreUnavailable` (read-only, disk full, lock); the stores are then as
    they were.
    """
    raise NotImplementedError
