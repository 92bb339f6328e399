"""What the stores hold, as one open look at the files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from scrubjay.home import Home
from scrubjay.memory import Memory
from scrubjay.operations import Evidence, Status, Trust
from scrubjay.scope import StoreRef
from scrubjay.store.tombstones import Tombstones


@dataclass(frozen=True, kw_only=True, slots=True)
class Stored:
    """A memory and the file it stands in."""

    memory: Memory
    """Its `id` is never empty: a file without one is known by an id made of its place, written down at its first rewrite."""
    path: str
    """Absolute."""
    store: StoreRef
    """The store it belongs to, also when the file lies in the archive."""
    sha: str
    """SHA-256 of the file's bytes: the base of a later change."""
    problems: tuple[str, ...] = ()
    broken: bool = False
    """Never rewritten (`memory.Parsed.broken`)."""
    effective_trust: Trust
    """The lower of the file's claim and the ceiling of its store."""
    hand_made: bool = False
    """The file as it stands was written by no transaction of ours."""
    mtime_ns: int = 0
    size: int = 0


class Library:
    """One consistent look. Open a new one after a `commit`."""

    home: Home
    tombstones: Tombstones
    notes: tuple[str, ...]
    """What `open` did or could not do, for the person: hand edits taken in, recovery, git missing, read-only home."""

    @classmethod
    def open(cls, home: Home, *, repos: Sequence[str] = (), take_in: bool = True) -> Library:
        """Finishes or rolls back what a killed process left, takes in edits, additions and deletions made by hand (a file
        deleted by hand is forgotten), and makes missing commits. Creates nothing when the home holds no memory folder.

        `repos`: work trees whose team store (`.scrubjay/memory`) is read too. `take_in=False` only reads.
        """
        raise NotImplementedError

    def stores(self) -> list[StoreRef]:
        """Every store: user, projects by key, team stores of `repos`."""
        raise NotImplementedError

    def memories(
        self, *, statuses: Collection[Status] | None = None, stores: Iterable[StoreRef] | None = None
    ) -> list[Stored]:
        """In stable order (store, file name); None: all statuses, all stores. Archived ones are part of their store."""
        raise NotImplementedError

    def get(self, memory_id: str, *, follow: bool = False) -> Stored:
        """By id or unique prefix (with or without `m-`). `follow`: the memory that it was merged into or superseded by.

        Raises `NothingFound`, and `BadInput` when a prefix fits several.
        """
        raise NotImplementedError

    def has(self, memory_id: str) -> bool:
        """True when a memory (archived ones too) has exactly this id."""
        raise NotImplementedError

    def evidence(self, ids: Iterable[str]) -> list[Evidence]:
        """Full records in the order asked for; unknown ids are left out."""
        raise NotImplementedError

    def has_evidence(self, evidence_id: str) -> bool:
        """True when a memory that is still there rests on it."""
        raise NotImplementedError

    def evidence_owner(self, evidence_id: str) -> str | None:
        """Id of the memory whose `evidence` names it."""
        raise NotImplementedError
