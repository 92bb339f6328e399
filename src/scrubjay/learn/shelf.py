"""The memories as one run of learning sees and changes them: a working copy that becomes one transaction.

Nothing is written here. What a run decides is held as changed copies, so that the next candidate of the same run already
meets what the last one made.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from scrubjay.learn.alike import Statement, clash, covers, same, statement
from scrubjay.learn.rules.change import Rarity, Said, asked_for
from scrubjay.memory import Memory
from scrubjay.operations import Evidence, Trust
from scrubjay.scope import StoreRef
from scrubjay.search.postings import Postings
from scrubjay.store.change import Change, archive, create, rewrite
from scrubjay.store.library import Library, Stored

MAX_EVIDENCE = 20
"""Pieces of evidence that a learnt memory keeps; what is said yet again changes nothing."""
_ARCHIVED = ("archived", "superseded")
_TELLING = 0.03
"""Words that say less about a subject find no memories: in a store of thousands they would find most of it."""
_NEAREST = 40
"""So many memories are taken apart for one statement."""


@dataclass(slots=True)
class Entry:
    """One memory, perhaps changed or new."""

    memory: Memory
    store: StoreRef
    trust: Trust
    stored: Stored | None = None
    cue: str = ""
    changed: bool = False
    _statement: Statement | None = None

    @property
    def id(self) -> str:
        return self.memory.id

    @property
    def statement(self) -> Statement:
        """What the body says."""
        if self._statement is None or not self.memory.body.startswith(self._statement.text):
            self._statement = statement(self.memory.body)
        return self._statement


class Shelf:
    """Every memory of a library by id, and by what it says. Without a library: empty."""

    def __init__(self, library: Library | None) -> None:
        self._library = library
        self._entries: dict[str, Entry] = {}
        self._terms: dict[str, set[str]] | None = None  # made when first asked for: most runs only add marks
        self._postings: Postings | None = None
        self._evidence: dict[str, Evidence] = {}
        self._owners: dict[str, str] = {}
        self.active_before = 0
        self.replaced_before = 0
        """Memories from before this run that it supersedes: the mass-change limit counts them."""
        for stored in library.memories() if library else ():
            self._put(Entry(memory=stored.memory, store=stored.store, trust=stored.effective_trust, stored=stored))
            self.active_before += stored.memory.status == "active"

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def get(self, memory_id: str) -> Entry | None:
        return self._entries.get(memory_id)

    def knows_evidence(self, evidence_id: str) -> bool:
        """Some memory rests on it already."""
        return evidence_id in self._owners

    def evidence(self, entry: Entry) -> list[Evidence]:
        """Full records, those of this run too, oldest first."""
        ids = entry.memory.evidence
        wanted = [one for one in ids if one not in self._evidence]
        old = {one.id: one for one in self._library.evidence(wanted)} if self._library else {}
        found = [self._evidence.get(one) or old.get(one) for one in ids]
        return [one for one in found if one is not None]

    def new_evidence(self) -> list[Evidence]:
        return list(self._evidence.values())

    def twins(self, said: Statement, stores: Iterable[StoreRef]) -> list[Entry]:
        """Entries of these stores that say the same, or that and more, of any status."""
        near = self._near(said, stores, least=0.3)
        return [entry for entry in near if same(entry.statement, said) or covers(entry.statement, said)]

    def clashing(self, said: Statement, stores: Iterable[StoreRef]) -> list[Entry]:
        """Active entries about the same subject that say something else."""
        near = self._near(said, stores, least=0.2)
        return [entry for entry in near if entry.memory.status == "active" and clash(entry.statement, said)]

    def near(self, said: Said, store: StoreRef) -> tuple[list[Entry], Rarity]:
        """Active entries of a store that share telling words with what is said, and how telling a word is there.

        Asks for words, not for memories: what it costs grows with the statement and hardly with the store.
        """
        path = store.path
        rarity = Rarity(
            sum(one.memory.status == "active" and one.store.path == path for one in self._entries.values()),
            lambda word: len(self._holding(word)),
        )
        hits: defaultdict[str, float] = defaultdict(float)
        for word in sorted(asked_for(said)):
            telling = rarity(word)
            if telling >= _TELLING:
                for one in self._holding(word):
                    hits[one] += telling
        found = [
            entry
            for one in sorted(hits, key=lambda one: (-hits[one], one))
            if (entry := self._entries[one]).memory.status == "active" and entry.store.path == path
        ]
        return found[:_NEAREST], rarity

    def add(self, memory: Memory, store: StoreRef, evidence: Iterable[Evidence], *, cue: str) -> Entry:
        """A new memory."""
        entry = Entry(memory=memory, store=store, trust=memory.trust, cue=cue, changed=True)
        self._put(entry)
        self._take(entry, evidence)
        return entry

    def change(self, entry: Entry, *, evidence: Iterable[Evidence] = (), **fields: object) -> None:
        """Other values for fields of the memory; more evidence."""
        memory = replace(entry.memory, **fields)  # type: ignore[arg-type]  # names and types are the memory's own
        new = [one for one in evidence if one.id not in memory.evidence]
        if new:
            memory = replace(memory, evidence=(*memory.evidence, *(one.id for one in new)))
        if memory != entry.memory:
            entry.memory, entry.changed = memory, True
            self._take(entry, new)

    def changes(self) -> list[Change]:
        """What differs from the library, in the order of ids: the same run gives the same transaction."""
        made: list[Change] = []
        for entry in sorted((one for one in self if one.changed), key=lambda one: one.id):
            if entry.stored is None:
                made.append(create(entry.memory, entry.store))
            elif entry.memory.status in _ARCHIVED:
                made.append(archive(entry.stored, entry.memory))
            elif entry.memory != entry.stored.memory:
                made.append(rewrite(entry.stored, entry.memory))
        return made

    def _near(self, said: Statement, stores: Iterable[StoreRef], *, least: float) -> list[Entry]:
        """Entries that share some of the words, in the order of ids. Keeps a run over many memories from comparing each
        with each."""
        wanted, need = {store.path for store in stores}, least * len(said.terms)
        hits = Counter(found for term in said.terms for found in self._holding(term))
        near = [self._entries[one] for one, count in hits.items() if count >= need]
        return sorted(
            (one for one in near if one.store.path in wanted and len(one.statement.terms & said.terms) >= need),
            key=lambda one: one.id,
        )

    def _holding(self, term: str) -> set[str]:
        """Ids of entries whose body holds a term: from the search index, for what it does not have from the texts."""
        if self._terms is None:
            self._postings = self._open_postings()
            self._terms = {}
            known = self._postings.known if self._postings else frozenset()
            self._cut(entry for entry in self if entry.id not in known)
        mine = self._terms.get(term, set())
        if self._postings is None:
            return mine
        try:
            return mine | self._postings.holding(term)
        except sqlite3.Error:
            known, self._postings = self._postings.known, None
            self._cut(self._entries[one] for one in known)
            return self._terms.get(term, set())

    def _open_postings(self) -> Postings | None:
        if self._library is None:
            return None
        files = {
            entry.stored.path: (entry.stored.sha, entry.id)
            for entry in self
            if entry.stored is not None and entry.stored.memory.body == entry.memory.body
        }
        return Postings(self._library.home, files)

    def _cut(self, entries: Iterable[Entry]) -> None:
        if self._terms is not None:
            for entry in entries:
                for term in entry.statement.terms:
                    self._terms.setdefault(term, set()).add(entry.id)

    def _put(self, entry: Entry) -> None:
        self._entries[entry.id] = entry
        self._cut([entry])
        for one in entry.memory.evidence:
            self._owners.setdefault(one, entry.id)

    def _take(self, entry: Entry, evidence: Iterable[Evidence]) -> None:
        for one in evidence:
            self._evidence[one.id] = one
            self._owners.setdefault(one.id, entry.id)
