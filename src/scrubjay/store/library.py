"""What the stores hold, as one open look at the files."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scrubjay.errors import BadInput, NothingFound
from scrubjay.home import Home
from scrubjay.ledger.files import FileRow
from scrubjay.memory import Memory
from scrubjay.operations import Evidence, Status, Trust, lower_trust
from scrubjay.scope import StoreRef
from scrubjay.store import evidence as evidence_log
from scrubjay.store import layout, parsed
from scrubjay.store.parsed import Reading
from scrubjay.store.tombstones import Tombstones

FEW_RECORDS = 50
"""Records of evidence that are looked for one by one; when more are asked for, all are read."""


MIN_PREFIX_CHARS = 3
"""Of the ten random characters of an id, as few as name a memory."""


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

    def __init__(
        self,
        home: Home,
        stores: Sequence[StoreRef],
        known: Mapping[str, FileRow] | None,
        notes: Sequence[str],
        *,
        keeping: bool,
    ) -> None:
        self.home, self._keeping = home, keeping
        self.tombstones = Tombstones.load(home)
        self.notes = tuple(notes)
        """What `open` did or could not do, for the person: hand edits taken in, recovery, git missing, read-only home."""
        self._stores, self._known = list(stores), known
        self._all: list[Stored] | None = None
        self._by_id: dict[str, Stored] = {}
        self._owners: dict[str, str] = {}
        self._evidence: dict[str, Evidence] = {}
        self._asked, self._all_evidence = 0, False
        self._unread: list[str] = []
        self._repos: tuple[str, ...] = ()

    @classmethod
    def open(cls, home: Home, *, repos: Sequence[str] = (), take_in: bool = True) -> Library:
        """Finishes or rolls back what a killed process left, takes in edits, additions and deletions made by hand (a file
        deleted by hand is forgotten), and makes missing commits. Creates nothing when the home holds no memory folder.

        `repos`: work trees whose team store (`.scrubjay/memory`) is read too. `take_in=False` only reads.
        """
        from scrubjay.store import settle

        known, notes = settle.look(home, take_in=take_in)
        team = (layout.team_store(repo) for repo in dict.fromkeys(repos))
        library = cls(
            home,
            [*layout.private_stores(home), *(one for one in team if one is not None)],
            known,
            notes,
            keeping=take_in,
        )
        library._repos = tuple(repos)
        return library

    def again(self) -> Library:
        """A new look at the same stores."""
        return type(self).open(self.home, repos=self._repos)

    def after(self, ids: Collection[str], paths: Iterable[str]) -> Library:
        """This look after a transaction of this process that wrote these memories into these files (`Committed`): only they
        are read. What others did meanwhile is not seen; whoever looks next sees it."""
        now = type(self)(self.home, self._stores, self._known, (), keeping=False)
        now._repos, now._unread = self._repos, list(self._unread)
        now._all = [stored for stored in self._loaded() if stored.memory.id not in ids]
        folders = {folder: store for store in self._stores for folder in layout.folders(self.home, store)}
        for path in paths:
            reading = parsed.one(path)
            if reading is not None and os.path.dirname(path) in folders:
                store = folders[os.path.dirname(path)]
                now._all.append(_stored(self.home, store, path, reading, hand=False))
        for stored in now._all:
            now._by_id.setdefault(stored.memory.id, stored)
            for one in stored.memory.evidence:
                now._owners.setdefault(one, stored.memory.id)
        return now

    def stores(self) -> list[StoreRef]:
        """Every store: user, projects by key, team stores of `repos`."""
        return list(self._stores)

    def memories(
        self, *, statuses: Collection[Status] | None = None, stores: Iterable[StoreRef] | None = None
    ) -> list[Stored]:
        """In stable order (store, file name); None: all statuses, all stores. Archived ones are part of their store."""
        wanted = None if stores is None else {os.path.realpath(store.path) for store in stores}
        chosen = {one.path for one in self._stores if wanted is None or os.path.realpath(one.path) in wanted}
        return [
            stored
            for stored in self._loaded()
            if (statuses is None or stored.memory.status in statuses) and stored.store.path in chosen
        ]

    def unread(self) -> list[str]:
        """Files of the stores that could not be read (no permission, vanished while reading)."""
        self._loaded()
        return list(self._unread)

    def get(self, memory_id: str, *, follow: bool = False) -> Stored:
        """By id or unique prefix (with or without `m-`). `follow`: the memory that it was merged into or superseded by.

        Raises `NothingFound`, and `BadInput` when a prefix fits several.
        """
        self._loaded()
        stored = self._by_id.get(memory_id) or self._by_prefix(memory_id)
        seen = {stored.memory.id}
        while follow:
            following = self._by_id.get(stored.memory.merged_into or stored.memory.superseded_by)
            if following is None or following.memory.id in seen:
                break
            seen.add(following.memory.id)
            stored = following
        return stored

    def _by_prefix(self, given: str) -> Stored:
        start = given.strip().lower()
        start = start if start.startswith("m-") else f"m-{start}"
        fitting = [memory_id for memory_id in self._by_id if memory_id.startswith(start)] if len(start) > 2 else []
        if len(fitting) > 1:
            raise BadInput(
                f"{len(fitting)} memories begin with {given!r}",
                hint="give more of the id: " + ", ".join(sorted(fitting)[:5]),
            )
        if not fitting:
            raise NothingFound(f"no memory {given!r}", hint="`jay list` shows ids")
        if len(start) < len("m-") + MIN_PREFIX_CHARS:
            # a letter or two fit some memory by chance, and `forget` would take it
            raise BadInput(f"{given!r} is too little of an id", hint=f"give more of it: {fitting[0]}")
        return self._by_id[fitting[0]]

    def has(self, memory_id: str) -> bool:
        """True when a memory (archived ones too) has exactly this id."""
        self._loaded()
        return memory_id in self._by_id

    def evidence(self, ids: Iterable[str]) -> list[Evidence]:
        """Full records in the order asked for; unknown ids are left out."""
        wanted = list(ids)
        new = {one for one in wanted if one not in self._evidence}
        if new and not self._all_evidence:
            self._asked += len(new)
            self._all_evidence = self._asked > FEW_RECORDS
            self._evidence |= evidence_log.load(self.home, None if self._all_evidence else new)
        return [self._evidence[one] for one in wanted if one in self._evidence]

    def has_evidence(self, evidence_id: str) -> bool:
        """True when a memory that is still there rests on it."""
        return self.evidence_owner(evidence_id) is not None

    def evidence_owner(self, evidence_id: str) -> str | None:
        """Id of the memory whose `evidence` names it."""
        self._loaded()
        return self._owners.get(evidence_id)

    def _loaded(self) -> list[Stored]:
        if self._all is None:
            found = [stored for store in self._stores for stored in self._read_store(store)]
            self._all = self._distinct(found)
            for stored in self._all:
                for one in stored.memory.evidence:
                    self._owners.setdefault(one, stored.memory.id)
            if self._keeping:
                parsed.keep(self.home)
        return self._all

    def _read_store(self, store: StoreRef) -> list[Stored]:
        found = []
        for folder in layout.folders(self.home, store):
            below = os.path.relpath(folder, self.home.memory)
            for name, reading in parsed.folder(self.home, folder, self._unread).items():
                row = None if self._known is None else self._known.get(f"{below}/{name}")
                known = self._known is None or store.scope == "team"
                hand = not known and (row is None or row.hand or row.sha != reading.sha)
                found.append(_stored(self.home, store, f"{folder}/{name}", reading, hand=hand))
        return found

    def _distinct(self, found: Sequence[Stored]) -> list[Stored]:
        """Of files with one id (a copy made by hand), the one that a transaction wrote keeps it, else the first."""
        for stored in sorted(found, key=lambda one: one.hand_made):
            self._by_id.setdefault(stored.memory.id, stored)
        result = []
        for stored in found:
            holder = self._by_id[stored.memory.id]
            if holder is stored:
                result.append(stored)
                continue
            own = layout.place_id(self.home, stored.store, stored.path)
            problem = f"has the id of {os.path.basename(holder.path)}; counts as another memory"
            memory = replace(stored.memory, id=own)
            copy = replace(stored, memory=memory, problems=(*stored.problems, problem), hand_made=True)
            self._by_id.setdefault(own, copy)
            result.append(copy)
        return result


def _stored(home: Home, store: StoreRef, path: str, reading: Reading, *, hand: bool) -> Stored:
    memory, parsed_file = reading.parsed.memory, reading.parsed
    hand = hand or not memory.id
    if not memory.id:
        memory = replace(memory, id=layout.place_id(home, store, path))
    return Stored(
        memory=memory,
        path=path,
        store=store,
        sha=reading.sha,
        problems=parsed_file.problems,
        broken=parsed_file.broken,
        effective_trust=lower_trust(memory.trust, "team") if store.scope == "team" else memory.trust,
        hand_made=hand,
        mtime_ns=reading.version[1],
        size=reading.version[0],
    )
