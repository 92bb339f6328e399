"""Forgetting: undoable by default, for good with `purge`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scrubjay import clock
from scrubjay.errors import NothingFound, Refused
from scrubjay.home import Home
from scrubjay.ledger import Ledger
from scrubjay.operations import Evidence
from scrubjay.store import files, settle, tombstones
from scrubjay.store import purge as purging
from scrubjay.store.draft import Draft
from scrubjay.store.library import Library, Stored
from scrubjay.store.lock import locked


@dataclass(frozen=True, kw_only=True, slots=True)
class Forgotten:
    """What went, and what is out of reach."""

    ids: tuple[str, ...]
    undo: str
    """"" after a purge, or without git."""
    purged: bool
    out_of_reach: tuple[str, ...] = ()
    """Files outside scrubjay that hold copies: transcripts named by the evidence, files of `places`."""
    left: tuple[str, ...] = ()
    """After a purge: files below the scrubjay home that still hold words of it (another memory that says the same)."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Target:
    """One memory to be forgotten: its file, or (a purge of what was forgotten before) its tombstone."""

    id: str
    stored: Stored | None
    evidence: tuple[Evidence, ...]
    evidence_ids: tuple[str, ...]
    prints: tuple[str, ...] = ()


def forget(
    home: Home,
    library: Library,
    ids: Sequence[str],
    *,
    purge: bool = False,
    reason: str = "",
    clear_index: Callable[[Sequence[str]], None] | None = None,
    places: Sequence[str] = (),
) -> Forgotten:
    """Remove memories and leave a tombstone for each. An empty `ids` is `Refused`, an unknown one `NothingFound`.

    `purge` also takes ids that were forgotten before. `clear_index` removes rows of the search database; without it the
    file is deleted by a purge (it is rebuilt from the stores). `places`: files and folders outside, such as an agent's own
    memory, that are searched for the text and named, never changed.
    """
    if not ids:
        raise Refused("nothing was named to be forgotten", rule="forget/empty", hint="`jay list` shows ids")
    targets = _targets(library, ids, purge=purge)
    needles = _needles(targets)
    outside = _outside(targets, needles, places)
    with locked(home), files.writing(home.root), Ledger.open(home.ledger) as ledger:
        notes = settle.settle(home, ledger)
        draft = Draft(home, ledger)
        for target in targets:
            _remove(home, draft, target, by="purge" if purge else "forget")
        if purge:
            gone = {target.id for target in targets}
            others = {
                one for stored in library.memories() if stored.memory.id not in gone for one in stored.memory.evidence
            }
            quoted = [one for target in targets for one in target.evidence]
            purging.prepare(home, draft, sorted(gone), quoted, others)
        commit_id, more = draft.carry_out(_subject(len(targets), reason, purge=purge))
        if purge:
            more += purging.resume(home, ledger, clear_index)
    if clear_index is not None and not purge:
        clear_index([target.id for target in targets])
    team = [target.stored.path for target in targets if target.stored and target.stored.store.scope == "team"]
    more += [f"{path} is gone from the work tree; its repository's own history still has it" for path in team]
    return Forgotten(
        ids=tuple(target.id for target in targets),
        undo="" if purge else commit_id,
        purged=purge,
        out_of_reach=tuple(outside),
        left=tuple(purging.search(home, needles)) if purge else (),
        notes=(*notes, *more),
    )


def _targets(library: Library, ids: Sequence[str], *, purge: bool) -> list[_Target]:
    found: dict[str, _Target] = {}
    for given in ids:
        try:
            stored = library.get(given)
        except NothingFound:
            stones = [stone for stone in library.tombstones.all() if stone.memory == given]
            if not purge or not stones:
                raise
            evidence_ids = tuple(one for stone in stones for one in stone.evidence)
            evidence = tuple(library.evidence(evidence_ids))
            found[given] = _Target(id=given, stored=None, evidence=evidence, evidence_ids=evidence_ids)
            continue
        memory = stored.memory
        key = tombstones.load_key(library.home, create=True)
        found[memory.id] = _Target(
            id=memory.id,
            stored=stored,
            evidence=tuple(library.evidence(memory.evidence)),
            evidence_ids=memory.evidence,
            prints=tombstones.prints_of(memory, key),
        )
    return list(found.values())


def _remove(home: Home, draft: Draft, target: _Target, *, by: str) -> None:
    if target.stored is not None:
        draft.delete(target.stored.path, before=target.stored.sha)
        if target.stored.store.scope == "team":
            draft.paths.append(target.stored.path)  # its index is made anew
    draft.add_tombstone(
        tombstones.make(
            target.id,
            at=clock.text(clock.now()),
            by=by,
            evidence=target.evidence,
            ids=target.evidence_ids,
            prints=target.prints,
            key=tombstones.load_key(home, create=True),
        )
    )


def _subject(count: int, reason: str, *, purge: bool) -> str:
    what = f"{'Purge' if purge else 'Forget'} {count} {'memory' if count == 1 else 'memories'}"
    return f"{what}: {reason}" if reason and not purge else what


def _needles(targets: Sequence[_Target]) -> list[str]:
    """Pieces of text by which a copy is found: whole lines and quotes, long enough to mean this memory."""
    texts: list[str] = []
    for target in targets:
        texts += [one.quote for one in target.evidence]
        if target.stored is not None:
            memory = target.stored.memory
            texts += [memory.name, memory.description, *memory.body.split("\n")]
    pieces = (piece.strip() for text in texts for piece in text.split("\n"))
    return list(dict.fromkeys(piece for piece in pieces if len(piece.encode()) >= purging.MIN_NEEDLE_BYTES))


def _outside(targets: Sequence[_Target], needles: Sequence[str], places: Sequence[str]) -> list[str]:
    """Transcripts that the evidence names and that are still there, and files of `places` that hold the text."""
    named = dict.fromkeys(one.file for target in targets for one in target.evidence if one.file)
    found = [path for path in named if os.path.exists(path)]
    for place in places:
        found += [path for path in purging.search_folder(place, needles) if path not in found]
    return found
