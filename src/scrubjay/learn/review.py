"""The queue of memories that wait for a person's yes: best first, alike ones together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from scrubjay import clock, settings
from scrubjay.errors import BadInput, NothingFound, Refused
from scrubjay.home import Home
from scrubjay.learn.reconcile import settle, sleeps, supersede
from scrubjay.learn.rulebook import REFUSALS, reason, word_of
from scrubjay.learn.shelf import Entry, Shelf
from scrubjay.operations import MemoryType, Scope, Status, lower_trust
from scrubjay.redact import is_clean
from scrubjay.scope import look
from scrubjay.search.build import refresh
from scrubjay.store.change import commit
from scrubjay.store.forget import forget
from scrubjay.store.library import Library, Stored

PAGE = 10
"""How many are shown at once: what a person answers in a minute."""
_EASE = (
    "limit", "backlog", "headless", "inferred", "review", "mass-change", "no-project", "agent", "imported",
    "contradiction", "older", "forgotten", "gone", "wrong", "untrusted",
)  # fmt: skip
"""Reasons in the order in which a yes is likely."""
_PENDING: tuple[Status, ...] = ("pending",)
_TYPES: tuple[MemoryType, ...] = ("feedback", "user", "project", "reference")


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """One pending memory."""

    id: str
    name: str
    type: MemoryType
    scope: Scope
    project: str
    body: str
    reason: str
    quote: str
    agent: str
    said_at: str
    times: int
    """Pieces of evidence."""
    group: str
    """Rows with the same group can be answered together (same project and same reason)."""
    replaces: str = ""
    """Id of the active memory that accepting this one would supersede."""
    replaces_name: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """`accept`, `reject` (forgotten: not learnt again) or `edit` (accepted with other words) for one memory."""

    id: str
    verb: str
    body: str = ""
    name: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reviewed:
    """What the answers changed."""

    accepted: tuple[str, ...]
    rejected: tuple[str, ...]
    superseded: tuple[str, ...]
    left: int
    undo: tuple[str, ...] = ()
    """For `jay undo`, newest first: one for what was forgotten, one for what was kept."""
    """Takes back the last transaction: what was accepted, and, when something was rejected too, only that."""


def waiting(home: Home, *, cwd: str = "", limit: int = PAGE) -> list[Waiting]:
    """The queue, best first; with `cwd` only what that directory sees. `limit` 0: all."""
    library = Library.open(home)
    stores = look(home, cwd).stores() if cwd else None
    rows = [_row(library, stored) for stored in library.memories(statuses=_PENDING, stores=stores)]
    rows.sort(key=lambda row: row.said_at, reverse=True)
    rows.sort(key=_rank)
    return rows[:limit] if limit else rows


def answer(home: Home, answers: list[Answer]) -> Reviewed:
    """Carry the answers out. `NothingFound` for an unknown id, `BadInput` for one that is not pending; then nothing is
    changed."""
    library = Library.open(home)
    shelf = Shelf(library)
    accepted: list[str] = []
    rejected: list[str] = []
    replaced: list[str] = []
    settled: list[Entry] = []
    for one in answers:
        entry = _entry(library, shelf, one.id)
        match one.verb:
            case "accept" | "edit":
                replaced += _accept(shelf, entry, one)
                accepted.append(entry.id)
            case "reject":
                settled += settle(shelf, entry)
                rejected.append(entry.id)
            case _:
                raise BadInput(f"no answer is called {one.verb!r}", hint="accept, reject or edit")
    undo: list[str] = []
    if accepted or settled:
        subject = f"review: {len(accepted)} accepted" if accepted else f"review: {len(settled)} hold after all"
        undo.append(commit(home, shelf.changes(), subject=subject).undo)
    if rejected:
        undo.insert(0, forget(home, Library.open(home), rejected, reason="rejected in review").undo)
    library = Library.open(home)
    if answers:
        refresh(home, library)
    left = len(library.memories(statuses=_PENDING))
    return Reviewed(
        accepted=tuple(accepted),
        rejected=tuple(rejected),
        superseded=tuple(replaced),
        left=left,
        undo=tuple(filter(None, undo)),
    )


def archive_unanswered(home: Home) -> list[str]:
    """Archive what nobody answered for `review.archive_days`; the ids. Undoable, and still found by `jay list --all`."""
    days = settings.load(home.config).number("review.archive_days")
    oldest = clock.text(clock.now() - timedelta(days=days))
    library = Library.open(home)
    shelf = Shelf(library)
    late = [
        entry
        for entry in shelf
        if entry.memory.status == "pending"
        and entry.memory.by != "user"
        and not entry.memory.pinned
        and not sleeps(entry)  # doubted for what another memory says: its own age is no answer
        and "" < max(entry.memory.updated, entry.memory.created) < oldest
    ]
    for entry in late:
        settle(shelf, entry)
        shelf.change(entry, status="archived", reason=reason("unanswered"))
    if late:
        commit(home, shelf.changes(), subject=f"review: {len(late)} unanswered, archived")
        refresh(home, Library.open(home))
    return [entry.id for entry in late]


def _row(library: Library, stored: Stored) -> Waiting:
    memory = stored.memory
    evidence = library.evidence(memory.evidence)
    first = evidence[0] if evidence else None
    old = next((one for one in memory.supersedes if library.has(one)), "")
    return Waiting(
        id=memory.id,
        name=memory.name,
        type=memory.type,
        scope=stored.store.scope,
        project=stored.store.project,
        body=memory.body,
        reason=memory.reason,
        quote=first.quote if first else "",
        agent=first.agent if first else "",
        said_at=first.at if first else memory.created,
        times=len(memory.evidence),
        group=f"{stored.store.project}/{word_of(memory.reason)}",
        replaces=old,
        replaces_name=library.get(old).memory.name if old else "",
    )


def _rank(row: Waiting) -> tuple[int, int, int]:
    word = word_of(row.reason)
    return (_EASE.index(word) if word in _EASE else len(_EASE), -row.times, _TYPES.index(row.type))


def _entry(library: Library, shelf: Shelf, memory_id: str) -> Entry:
    entry = shelf.get(library.get(memory_id).memory.id)
    if entry is None:
        raise NothingFound(f"no memory {memory_id!r}", hint="`jay review` shows what waits")
    if entry.memory.status != "pending":
        raise BadInput(f"{entry.id} does not wait for review: it is {entry.memory.status}", hint=f"jay show {entry.id}")
    return entry


def _accept(shelf: Shelf, entry: Entry, one: Answer) -> list[str]:
    """Active from now on. The person's yes makes it at least `confirmed`; words that they wrote are theirs."""
    memory = entry.memory
    if one.verb == "edit":
        for text in (one.body, one.name):
            if not is_clean(text):
                raise Refused(
                    REFUSALS["secret"], at=entry.id, rule="secret", hint="write where it is kept, not what it is"
                )
        shelf.change(entry, body=one.body.strip() or memory.body, name=one.name.strip() or memory.name)
    trusted = memory.trust if lower_trust(memory.trust, "confirmed") == "confirmed" else "confirmed"
    shelf.change(
        entry,
        status="active",
        reason="",
        trust="user" if one.verb == "edit" else trusted,
        updated=clock.text(clock.now()),
        supersedes=(),
    )
    old = [
        found
        for name in memory.supersedes
        if (found := shelf.get(name)) and (found.memory.status == "active" or sleeps(found))
    ]
    if old:
        supersede(shelf, entry, old)
    return [found.id for found in old]
