"""Changing the stores: one transaction a call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from scrubjay.errors import BadInput, Conflict, Refused
from scrubjay.home import Home
from scrubjay.ledger import Ledger
from scrubjay.memory import Memory
from scrubjay.operations import Evidence
from scrubjay.scope import StoreRef
from scrubjay.store import files, layout, settle
from scrubjay.store.library import Stored
from scrubjay.store.lock import locked
from scrubjay.store.tombstones import Tombstone
from scrubjay.store.turns import KeptTurn

Result = TypeVar("Result")


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
    return Change(kind="create", memory=memory, store=store)


def rewrite(stored: Stored, memory: Memory, *, store: StoreRef | None = None) -> Change:
    """The same memory with other content or status, or in another `store`. `id` stays."""
    return Change(
        kind="rewrite", memory=replace(memory, id=stored.memory.id), store=store or stored.store, stored=stored
    )


def archive(stored: Stored, memory: Memory) -> Change:
    """Move to the archive; `memory.status` is `archived` or `superseded`."""
    if memory.status not in layout.IN_ARCHIVE:
        raise BadInput(f"a memory of status {memory.status!r} does not go to the archive", at=stored.path)
    return Change(kind="archive", memory=replace(memory, id=stored.memory.id), store=stored.store, stored=stored)


@dataclass(frozen=True, kw_only=True, slots=True)
class Committed:
    """What one transaction did."""

    ids: tuple[str, ...]
    """Ids of the changes, in order."""
    paths: tuple[str, ...]
    """Absolute paths of their files, in order."""
    sha: str
    """Git commit in the private history, "" when there is none (git missing, nothing changed, team store only)."""
    undo: str
    """What `history.undo` takes; "" when it cannot be undone."""
    notes: tuple[str, ...] = ()
    """What the person should know: no git, turns dropped at the size cap, hand edits taken in first."""


def decided_again(act: Callable[[], Result], attempts: int) -> Result:
    """What `act` gives, which looks at the stores anew each time: again where another process changed a file in between.
    The `Conflict` of the last attempt is raised."""
    for _ in range(attempts - 1):
        with suppress(Conflict):
            return act()
    return act()


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
    it was read), `Refused` (limits, broken file, id taken), `StoreUnavailable` (read-only, disk full, lock); the stores
    are then as they were.
    """
    from scrubjay.store.draft import Draft

    _check(changes)
    if not (changes or evidence or turns or tombstones):
        return Committed(ids=(), paths=(), sha="", undo="")
    with locked(home), files.writing(home.root), Ledger.open(home.ledger) as ledger:
        notes = settle.settle(home, ledger)
        draft = Draft(home, ledger)
        for change in changes:
            draft.change(change)
        draft.add_evidence(evidence)
        draft.add_turns(turns)
        for tombstone in tombstones:
            draft.add_tombstone(tombstone)
        commit_id, more = draft.carry_out(subject)
    return Committed(
        ids=tuple(draft.ids),
        paths=tuple(draft.paths),
        sha=commit_id,
        undo=commit_id,
        notes=(*notes, *draft.notes, *more),
    )


def _check(changes: Sequence[Change]) -> None:
    seen: set[str] = set()
    for change in changes:
        if change.stored is None:
            continue
        if change.stored.broken:
            raise Refused(
                f"the file is broken ({change.stored.problems[0]}) and is not written over",
                at=change.stored.path,
                rule="store/broken",
                hint="repair it with an editor, then try again",
            )
        if change.stored.path in seen:
            raise BadInput(
                "two changes of one file in one transaction: the second would undo the first", at=change.stored.path
            )
        seen.add(change.stored.path)
