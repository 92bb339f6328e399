"""Before anything else is done with the stores: finish what died, take in what people did by hand, catch up the history."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scrubjay import clock
from scrubjay.errors import BadInput, StoreUnavailable
from scrubjay.home import Home
from scrubjay.ledger import Ledger
from scrubjay.ledger.files import FileRow, put_files, touch, with_prints
from scrubjay.ledger.files import files as known_files
from scrubjay.operations import Evidence
from scrubjay.store import evidence as evidence_log
from scrubjay.store import files, git, history, index, journal, layout, parsed, purge, tombstones
from scrubjay.store.lock import locked
from scrubjay.store.parsed import RACY_NS

READ_WAIT_S = 10.0
"""A command that only reads waits this long for a writer, then reads what is there."""

BASELINE = "files.known"
"""Fact in the ledger: `files` holds what the last transaction left."""


def look(home: Home, *, take_in: bool) -> tuple[Mapping[str, FileRow] | None, list[str]]:
    """For `Library.open`: what is known of the files (None: nothing, the ledger cannot be read), and notes."""
    lost = _vanished(home)
    if not os.path.isdir(home.memory) and not os.path.isdir(home.journal):
        return None, lost
    if take_in:
        try:
            with locked(home, READ_WAIT_S), files.writing(home.root), Ledger.open(home.ledger) as ledger:
                notes = settle(home, ledger)
                return known_files(ledger), lost + notes
        except (StoreUnavailable, BadInput) as error:
            notes = [f"only reading: {error.what} ({error.at})"]
    else:
        notes = []
    hot = Ledger.open_hot(home.ledger)
    if hot is None:
        return None, notes
    with hot:
        return (known_files(hot) if hot.get(BASELINE) else None), notes


def settle(home: Home, ledger: Ledger) -> list[str]:
    """Under the lock. Returns notes; raises `OSError` and `StoreUnavailable`."""
    purge.repair(home)
    anew = start_anew(home, ledger) if os.path.isdir(home.memory) else []
    finishing, uncommitted, notes = journal.pending(home)
    for plan in finishing:
        notes += ["an interrupted change was finished", *journal.finish(home, plan)]
        note_known(home, ledger, plan)
        journal.mark_done(home, plan)
    notes += history.catch_up(home, [*uncommitted, *finishing])
    notes += purge.resume(home, ledger)
    if os.path.isdir(home.memory):
        notes += take_in(home, ledger)
    return [*ledger.notes, *anew, *notes]


def start_anew(home: Home, ledger: Ledger) -> list[str]:
    """Forget what is known of the files when not one of them is there (any more): the folder was moved, unmounted or
    replaced, perhaps begun anew by somebody who knew nothing of it. That is no deletion of single memories. Notes."""
    known = known_files(ledger)
    if not known or any(os.path.lexists(os.path.join(home.memory, below)) for below in known):
        return []
    put_files(ledger, {}, list(known))
    return _gone(home, known)


def _vanished(home: Home) -> list[str]:
    """An empty memory must not look like a fresh one when the folder was there before (unmounted, moved, deleted)."""
    if os.path.isdir(home.memory) or (ledger := Ledger.open_hot(home.ledger)) is None:
        return []
    with ledger:
        return _gone(home, known_files(ledger))


def _gone(home: Home, known: Mapping[str, FileRow]) -> list[str]:
    count = sum(bool(row.memory) for row in known.values())
    if not count:
        return []
    return [
        f"{home.memory} is gone, and with it {count} memories: put the folder back; what is written now begins anew"
    ]


def carry_out(home: Home, ledger: Ledger, plan: journal.Plan, contents: Mapping[str, bytes]) -> tuple[str, list[str]]:
    """A transaction from its plan to its commit: the commit's id ("" without git) and notes."""
    notes = journal.run(home, plan, contents)
    try:
        note_known(home, ledger, plan)
        journal.mark_done(home, plan)
    except (OSError, StoreUnavailable):
        # The files are changed; what is known of them is written at the next opening, from the journal that stays.
        return "", [*notes, "the change is made; its bookkeeping follows when the store is opened next"]
    commit_id, more = history.commit_plan(home, plan)
    return commit_id, notes + more


def note_known(home: Home, ledger: Ledger, plan: journal.Plan) -> None:
    """Remember the files as this plan left them."""
    rows = {}
    for below, known in plan.known.items():
        row = _row(home, below, known)
        if row is not None:
            rows[below] = row
    put_files(ledger, rows, plan.gone)
    if not ledger.get(BASELINE):
        ledger.put(BASELINE, "1")


def _row(home: Home, below: str, known: journal.Known, checked_ns: int = 0) -> FileRow | None:
    try:
        found = os.lstat(os.path.join(home.memory, below))
    except OSError:
        return None
    # File times are the machine's, so the machine's clock and not `clock.now` tells how old they are.
    stat = (found.st_size, found.st_mtime_ns, checked_ns or time.time_ns())
    return FileRow(known.sha, stat, memory=known.memory, hand=known.hand, evidence=known.evidence, prints=known.prints)


def knowledge(home: Home, below: str, data: bytes, *, hand: bool, key: bytes) -> journal.Known:
    """What is remembered of a file with these bytes. A memory without an id was made by hand
    (an undo brings such a file back as it was)."""
    store = layout.store_of(home, below)
    sha = files.sha(data)
    if store is None:
        return journal.Known(sha=sha, hand=hand)
    memory = parsed.ahead(data, name=os.path.basename(below), sha=sha).memory
    memory_id = memory.id or layout.place_id(home, store, os.path.join(home.memory, below))
    return journal.Known(
        sha=sha,
        memory=memory_id,
        hand=hand or not memory.id,
        evidence=memory.evidence,
        prints=tombstones.prints_of(memory, key),
    )


@dataclass(slots=True)
class _Found:
    """What differs from what the last transaction left, as paths below `memory/`."""

    changed: dict[str, bytes] = field(default_factory=dict)
    added: dict[str, bytes] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    touched: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.gone)

    def all(self) -> list[str]:
        return sorted({*self.changed, *self.added, *self.gone})


def take_in(home: Home, ledger: Ledger) -> list[str]:
    """Edits, additions and deletions made by hand: kept, committed; a deleted memory leaves a tombstone."""
    known = known_files(ledger)
    if not ledger.get(BASELINE):
        known = _baseline(home, ledger)
    elif known and not git.exists(home) and git.available():
        known = {}  # `memory/` was made anew: what was there before is no deletion of single memories
    found = _differences(home, known)
    if found.touched:
        touch(ledger, found.touched)
    if not found:
        return found.notes
    _keep_edited_indexes(home, found)
    plan, contents = _plan(home, found, {**known, **with_prints(ledger, found.gone)})
    _, notes = carry_out(home, ledger, plan, contents)
    return [*found.notes, plan.message.split("\n")[0], *notes]


def _baseline(home: Home, ledger: Ledger) -> dict[str, FileRow]:
    """Without a ledger the newest commit says what was there; without that, what is there is taken as it is."""
    key = tombstones.load_key(home, create=True)
    contents = history.known_from_head(home, ledger)
    if not contents:
        for below in _seen(home):
            data = files.read(os.path.join(home.memory, below))
            if data is not None:
                contents[below] = data
    rows = {}
    for below, data in contents.items():
        known = knowledge(home, below, data, hand=False, key=key)
        found = (len(data), 0, 0)  # compared by content once
        rows[below] = FileRow(
            known.sha,
            found,
            memory=known.memory,
            hand=known.hand,
            evidence=known.evidence,
            prints=known.prints,
        )
    put_files(ledger, rows)
    ledger.put(BASELINE, "1")
    return rows


def _seen(home: Home) -> dict[str, os.stat_result]:
    """Regular files below `memory/`, hidden ones left out. A folder that cannot be read ends it (`OSError`): its files are
    not to be taken for deleted."""
    found: dict[str, os.stat_result] = {}
    waiting = [""]
    while waiting:
        below = waiting.pop()
        with os.scandir(os.path.join(home.memory, below)) as entries:
            for entry in entries:
                path = os.path.join(below, entry.name)
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(path)
                elif entry.is_file(follow_symlinks=False):
                    found[path] = entry.stat(follow_symlinks=False)
    return found


def _differences(home: Home, known: Mapping[str, FileRow]) -> _Found:
    found = _Found()
    try:
        seen = _seen(home)
    except OSError as error:
        found.notes.append(f"a folder cannot be read, changes by hand are not taken in: {error.filename}")
        return found
    now = time.time_ns()
    for below, state in seen.items():
        row = known.get(below)
        same = row is not None and (row.size, row.mtime_ns) == (state.st_size, state.st_mtime_ns)
        if row is not None and same and row.mtime_ns < row.checked_ns - RACY_NS:
            continue
        try:
            data = files.read(os.path.join(home.memory, below))
        except OSError:
            found.notes.append(f"cannot be read: {below}")
            continue
        if data is None:
            continue
        if row is not None and row.memory and not data.strip():
            # What an editor leaves on a full disk. Nobody forgets by emptying a file: it stays known as what it was.
            found.notes.append(f"{below} is empty now; `jay log {row.memory}` has what it said")
        elif row is None:
            found.added[below] = data
        elif files.sha(data) != row.sha:
            found.changed[below] = data
        elif not same or now - state.st_mtime_ns > RACY_NS:
            found.touched[below] = (state.st_size, state.st_mtime_ns, now)
    found.gone = sorted(set(known) - set(seen))
    return found


def _keep_edited_indexes(home: Home, found: _Found) -> None:
    """An index that was edited is made anew with this transaction: what stood in it goes into the history first."""
    edited = [below for below in found.all() if os.path.basename(below) == layout.INDEX]
    if edited and git.available():
        try:
            git.commit(home, "Hand edits of a generated index\n", edited, when=clock.text(clock.now()))
        except git.GitError as error:
            found.notes.append(f"the history could not be written: {error}")


def _plan(home: Home, found: _Found, known: Mapping[str, FileRow]) -> tuple[journal.Plan, dict[str, bytes]]:
    key, at = tombstones.load_key(home, create=True), clock.text(clock.now())
    written = {below: knowledge(home, below, data, hand=True, key=key) for below, data in
               [*found.changed.items(), *found.added.items()]}  # fmt: skip
    ids = [one.memory for one in written.values() if one.memory]
    stones = _tombstones(home, found, known, written, key=key, at=at)
    contents: dict[str, bytes] = {}
    steps: list[journal.Step] = []
    for stone in stones:
        path = tombstones.path_for(home, stone.memory)
        contents[path] = tombstones.encode(stone)
        steps.append(journal.Step(kind="put", path=path, after=files.sha(contents[path])))
    for below, data in index_changes(home, found.all(), {}).items():
        path = os.path.join(home.memory, below)
        contents[path] = data
        steps.append(journal.Step(kind="put", path=path, before="*", after=files.sha(data)))
    for path, data in contents.items():
        written[os.path.relpath(path, home.memory)] = journal.Known(sha=files.sha(data))
    plan = journal.Plan(
        id=journal.new_id(),
        message=history.message(_subject(home, found), [*ids, *(stone.memory for stone in stones)]),
        at=at,
        steps=tuple(steps),
        known=written,
        gone=tuple(below for below in found.gone if below not in written),
        also=tuple(found.all()),
    )
    return plan, contents


def _tombstones(
    home: Home,
    found: _Found,
    known: Mapping[str, FileRow],
    written: Mapping[str, journal.Known],
    *,
    key: bytes,
    at: str,
) -> list[tombstones.Tombstone]:
    """For each memory that is gone and did not only move."""
    gone = [known[below] for below in found.gone if known[below].memory]
    there = {one.memory for one in written.values()} | {one.sha for one in written.values()}
    there |= {row.memory for below, row in known.items() if below not in found.gone}
    stones = []
    records: dict[str, Evidence] = evidence_log.load(home) if gone else {}
    for row in gone:
        if row.memory not in there and row.sha not in there:
            evidence = [records[one] for one in row.evidence if one in records]
            stones.append(
                tombstones.make(
                    row.memory, at=at, by="hand", evidence=evidence, ids=row.evidence, prints=row.prints, key=key
                )
            )
    return stones


def index_changes(home: Home, touched: Iterable[str], coming: Mapping[str, bytes | None]) -> dict[str, bytes]:
    """MEMORY.md of each store that has a file among `touched` (paths below `memory/`), where it will differ."""
    folders = {os.path.dirname(below) for below in touched if not below.startswith(layout.ARCHIVE + os.sep)}
    found = {}
    for folder in sorted(folders):
        if layout.store_of(home, os.path.join(folder, "x.md")) is None:
            continue
        path = index.path_of(os.path.join(home.memory, folder))
        place = os.path.join(home.memory, folder)
        data = index.render(place, parsed.folder(home, place), coming)
        if files.read(path) != data:
            found[os.path.relpath(path, home.memory)] = data
    return found


def _subject(home: Home, found: _Found) -> str:
    counts = []
    for word, paths in (("changed", found.changed), ("added", found.added), ("deleted", found.gone)):
        number = sum(layout.store_of(home, below) is not None for below in paths)
        if number:
            counts.append(f"{number} {word}")
    if counts:
        return "Hand edits: " + ", ".join(counts)
    return f"{history.OTHER}: {len(found.all())} changed"
