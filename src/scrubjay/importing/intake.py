"""From notes to memories: the gates of learning decide, one transaction writes, and the same again changes nothing.

A note is known by its agent, its project and its words: that is its message key, and makes its evidence and its memory's id.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from scrubjay import clock
from scrubjay import home as homes
from scrubjay.agents.harness import strip_injected
from scrubjay.home import Home
from scrubjay.importing.base import Found, Note
from scrubjay.importing.report import Imported, NotTaken
from scrubjay.learn import instructions
from scrubjay.learn.candidate import Candidate, Verdict
from scrubjay.learn.gate import Rules, judge_imported
from scrubjay.learn.places import Places
from scrubjay.learn.reconcile import MASS_LEAST, MASS_SHARE, contradicted, reconcile
from scrubjay.learn.remember import short
from scrubjay.learn.rulebook import REFUSALS, reason, word_of
from scrubjay.learn.rules import PlaceHint, propose
from scrubjay.learn.shelf import MAX_EVIDENCE, Entry, Shelf
from scrubjay.learn.turns import Turn
from scrubjay.memory import MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS
from scrubjay.operations import Evidence, Proposal, Quote
from scrubjay.projects import read_all
from scrubjay.scope import Place, StoreRef, normalise_remote
from scrubjay.session import Message, Session
from scrubjay.store.library import Library

KEY = "import-"
"""Beginning of a note's message key."""
MAX_MADE_NAME_CHARS = 60
IN_REPOSITORY = "it lies in a repository, where others write too"


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One note as a candidate."""

    note: Note
    agent: str
    candidate: Candidate
    named: bool = False
    """The person named the file: that it says so already is no objection."""


@dataclass(slots=True)
class Done:
    """The shelf with everything changed, and what led there."""

    shelf: Shelf
    rows: dict[str, dict[str, tuple[Entry, Asked | None]]] = field(default_factory=dict)
    """`created`, `updated`, `evidence`, `removed` → memory id → its entry and note."""
    refused: list[NotTaken] = field(default_factory=list)
    unchanged: int = 0

    def book(self, what: str, entry: Entry, one: Asked | None) -> None:
        """Note the first thing that became of a memory."""
        if not any(entry.id in rows for rows in self.rows.values()):
            self.rows.setdefault(what, {})[entry.id] = (entry, one)

    def listed(self, what: str) -> list[Imported]:
        """Rows for the report."""
        return [self._row(entry, one) for entry, one in self.rows.get(what, {}).values()]

    def _row(self, entry: Entry, one: Asked | None) -> Imported:
        memory = entry.memory
        last = self.shelf.evidence(entry)[-1:]
        return Imported(
            id=memory.id,
            name=memory.name,
            type=memory.type,
            scope=entry.store.scope,
            project=entry.store.project,
            status=memory.status,
            reason=memory.reason,
            agent=one.agent if one else memory.by.removeprefix("imported:"),
            file=one.note.path if one else last[0].file if last else "",
            line=one.note.line if one else 0,
        )


def candidates(home: Home, agent: str, found: Found, places: Places, *, named: bool = False) -> list[Asked]:
    """The notes of one agent, oldest first; those of excluded directories are counted in `found.left_out`."""
    remotes = _remotes(home) if any(note.remote for note in found.notes) else {}
    asked = []
    for note in found.notes:
        directory = note.directory or remotes.get(normalise_remote(note.remote), "") if note.remote else note.directory
        if directory and places.excluded(directory):
            found.left_out["excluded"] += 1
            continue
        place = places.of(_session(agent, note, directory)) if directory else Place(home, "")
        asked.append(Asked(note=note, agent=agent, candidate=_candidate(agent, note, place), named=named))
    return sorted(asked, key=lambda one: (one.note.at, one.note.path, one.note.line))


def decide(library: Library, asked: Iterable[Asked], founds: Mapping[str, Found], places: Places, mode: str) -> Done:
    """Everything that this import changes, decided and not yet written."""
    done = Done(shelf=Shelf(library))
    rules = Rules(headless="active", mode=mode, tombstones=library.tombstones, instructions=_said_by_files())
    asked = list(asked)
    current = {one.candidate.said.key for one in asked}
    before = _Before(done.shelf, founds, current)
    every = [store for store in library.stores() if store.scope != "team"]
    for one in asked:
        candidate = one.candidate
        verdict = judge_imported(candidate, rules if not one.named else _without_files(rules))
        if not one.candidate.proposal.body:
            verdict = Verdict(status="refused", word="origin")
        if verdict.status == "refused":
            why = verdict.text or REFUSALS[verdict.word]
            done.refused.append(
                NotTaken(agent=one.agent, file=one.note.path, line=one.note.line, rule=verdict.word, why=why)
            )
            continue
        stores = places.stores(candidate) if candidate.place.root else every
        _meet(done, one, verdict, before, store=places.store(candidate, verdict), stores=stores)
    _remove(done, before.gone())
    return done


def _remove(done: Done, gone: list[Entry]) -> None:
    """Archive what the agents keep no more; very much at once is more likely a fault over there."""
    if len(gone) > max(MASS_LEAST, int(MASS_SHARE * done.shelf.active_before)):
        for by, count in Counter(entry.memory.by for entry in gone).items():
            agent = by.removeprefix("imported:")
            why = f"{count} notes are gone over there at once; what they gave stays here"
            done.refused.append(NotTaken(agent=agent, file="", line=0, rule="mass-change", why=why))
        return
    for entry in gone:
        done.shelf.change(entry, status="archived", reason=reason("removed"))
        done.book("removed", entry, None)


class _Before:
    """What was imported earlier from the files that were read now."""

    def __init__(self, shelf: Shelf, founds: Mapping[str, Found], current: set[str]) -> None:
        self._shelf, self._founds, self._current = shelf, founds, current
        self.owners = {proof: entry for entry in shelf for proof in entry.memory.evidence}
        self._mine = [entry for entry in shelf if _untouched(entry)]

    def of_file(self, one: Asked) -> Entry | None:
        """The memory that this whole file gave when it said something else."""
        for entry in self._mine if one.note.whole_file else ():
            evidence = self._shelf.evidence(entry)
            if {proof.file for proof in evidence} == {one.note.path} and self._left(evidence):
                return entry
        return None

    def gone(self) -> list[Entry]:
        """Memories whose every note is gone: from a file that was read, or with its file from a folder that is there."""
        return [
            entry
            for entry in self._mine
            if entry.memory.status in ("active", "pending") and self._left(self._shelf.evidence(entry))
        ]

    def _left(self, evidence: list[Evidence]) -> bool:
        return bool(evidence) and all(self._is_gone(one) for one in evidence)

    def _is_gone(self, one: Evidence) -> bool:
        found = self._founds.get(one.agent)
        if found is None or not one.message.startswith(KEY) or one.message in self._current:
            return False
        if one.file in found.files:
            return True
        inside = any(one.file.startswith(folder.rstrip(os.sep) + os.sep) for folder in found.folders)
        return inside and not os.path.lexists(one.file)


def _untouched(entry: Entry) -> bool:
    """As the import left it: no person changed it, pinned it or said yes to it."""
    memory, stored = entry.memory, entry.stored
    by_hand = stored is None or stored.hand_made or stored.broken
    return memory.by.startswith("imported:") and memory.trust == "agent" and not memory.pinned and not by_hand


def _meet(
    done: Done, one: Asked, verdict: Verdict, before: _Before, *, store: StoreRef, stores: Iterable[StoreRef]
) -> None:
    """The note meets what is remembered: known, in other words than before, said by somebody else already, or new."""
    shelf, candidate = done.shelf, one.candidate
    if shelf.knows_evidence(candidate.first_evidence):
        owner = before.owners.get(candidate.first_evidence)
        if owner is not None and owner.memory.status == "archived" and word_of(owner.memory.reason) == "removed":
            _settle(shelf, owner, verdict)
            done.book("updated", owner, one)
        else:
            done.unchanged += 1
        return
    earlier = before.of_file(one)
    if earlier is not None:
        _reword(shelf, earlier, one, verdict)
        done.book("updated", earlier, one)
        return
    waiting = Verdict(status="pending", word=verdict.word or "imported", text=verdict.text, trust="agent")
    met = reconcile(candidate, waiting, shelf, store=store, stores=stores, live=True)
    entry = met.entry
    if entry is None or entry.stored is not None or met.outcome not in ("created", "pending"):
        if entry is not None and entry.store.scope != "team" and len(entry.memory.evidence) < MAX_EVIDENCE:
            shelf.change(entry, evidence=candidate.evidence(entry.store.project))
            done.book("evidence", entry, one)
        else:
            done.unchanged += 1
        return
    shelf.change(entry, by=f"imported:{one.agent}", x_type=one.note.x_type)
    _settle(shelf, entry, verdict)
    if verdict.status == "active":
        shelf.change(entry, updated=candidate.at or entry.memory.updated)
    against = contradicted(candidate, entry, shelf) if verdict.status == "active" else []
    if against:  # an agent's note replaces nothing that a person said
        shelf.change(
            entry,
            status="pending",
            reason=reason("contradiction", f"it contradicts {against[0].memory.name!r}"),
            supersedes=tuple(other.id for other in against),
            updated=clock.text(clock.now()),
        )
    done.book("created", entry, one)


def _settle(shelf: Shelf, entry: Entry, verdict: Verdict) -> None:
    if verdict.status == "active":
        shelf.change(entry, status="active", reason="")
    else:
        shelf.change(entry, status="pending", reason=reason(verdict.word, verdict.text))


def _reword(shelf: Shelf, entry: Entry, one: Asked, verdict: Verdict) -> None:
    """The same file says something else: so does the memory that it gave."""
    said, candidate = one.candidate.proposal, one.candidate
    shelf.change(
        entry,
        evidence=candidate.evidence(entry.store.project),
        name=said.name,
        description=said.description,
        type=said.type,
        body=said.body,
        x_type=one.note.x_type,
        updated=candidate.at or clock.text(clock.now()),
        observed=said.observed or entry.memory.observed,
    )
    if entry.memory.status in ("active", "pending", "archived"):
        _settle(shelf, entry, verdict)


def _candidate(agent: str, note: Note, place: Place) -> Candidate:
    text = strip_injected(note.text).strip()
    digest = hashlib.sha256("\x1f".join((agent, place.root, " ".join(text.split()))).encode("utf-8", "surrogatepass"))
    message = Message(
        key=KEY + digest.hexdigest()[:24],
        parent=None,
        role="assistant",
        origin="assistant",
        at=note.at,
        text=text,
        offset=note.offset,
        line=note.line,
    )
    return Candidate(
        proposal=_proposal(note, message, place),
        agent=agent,
        session="",
        path=note.path,
        place=place,
        quoted=((Quote(message=message.key, start=0, text=text), message),),
        context=text,
    )


def _proposal(note: Note, message: Message, place: Place) -> Proposal:
    """The note's own words; what its file leaves open is taken from the rules' reading of them."""
    text = message.text
    found = propose(
        [
            Turn(
                user=Message(key=message.key, parent=None, role="user", origin="user", at=note.at, text=text), live=True
            )
        ],
        place=PlaceHint(cwd=place.cwd, rel=place.rel, project=place.name),
    ).proposals
    guess = found[0] if len(found) == 1 else None
    rule = next((one.type for one in found if one.type in ("feedback", "user")), None)
    return Proposal(
        name=short(note.name or (guess.name if guess else _first_words(text)), MAX_NAME_CHARS),
        description=short(note.description or (guess.description if guess else text), MAX_DESCRIPTION_CHARS),
        type=note.type or rule or (guess.type if guess else "project"),
        body=text,
        scope="project" if place.root else "user",
        quotes=(Quote(message=message.key, start=0, text=text),),
        trust="agent",
        cue="import",
        pending=IN_REPOSITORY if note.from_repository else "",
        paths=note.paths,
        aliases=tuple(dict.fromkeys(short(one, MAX_NAME_CHARS) for one in note.aliases)),
        anchors=guess.anchors if guess else (),
        observed=note.observed or note.at[:10],
    )


def _first_words(text: str) -> str:
    line = next((line.strip(" #-*>`") for line in text.splitlines() if line.strip(" #-*>`")), text)
    return short(line, MAX_MADE_NAME_CHARS)


def _session(agent: str, note: Note, directory: str) -> Session:
    """What the look-up of a place asks for."""
    empty: frozenset[str] = frozenset()
    return Session(agent=agent, id="", path=note.path, cwd=directory, messages=(), live=empty, fresh=empty)


def _remotes(home: Home) -> dict[str, str]:
    """Normalised URL → a directory on this machine."""
    return {
        remote: project.here()[0] for project in read_all(home).values() if project.here() for remote in project.remotes
    }


def _said_by_files() -> Callable[[Candidate], instructions.Instructions]:
    """The repository's own instruction files; the person's personal ones belong to one agent each, and the notes' own file
    is no reason against them."""
    seen: dict[str, instructions.Instructions] = {}

    def of(candidate: Candidate) -> instructions.Instructions:
        tree = candidate.place.worktree if candidate.place.root else ""
        if tree not in seen:
            every = instructions.of(tree, "", homes.user_home(), ()) if tree else {}
            seen[tree] = {name: said for name, said in every.items() if not name.startswith("~/")}
        return seen[tree]

    return of


def _without_files(rules: Rules) -> Rules:
    return Rules(headless=rules.headless, mode=rules.mode, tombstones=rules.tombstones, instructions=lambda _one: {})
