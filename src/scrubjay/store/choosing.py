"""Which memories came from a session or a span of time, so that a person can take all of it away."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from scrubjay import clock
from scrubjay.errors import BadInput
from scrubjay.home import Home
from scrubjay.ledger import Ledger
from scrubjay.store import files, lines, purge, settle, turns
from scrubjay.store.draft import Draft
from scrubjay.store.library import Library, Stored
from scrubjay.store.lock import locked

LEAST_OF_A_SESSION = 4
"""Characters of a session's id; fewer fit some session by chance."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """What is meant: a session (by the beginning of its id), a time, or a session within a time."""

    session: str = ""
    since: datetime | None = None
    until: datetime | None = None
    """The first moment that is no longer meant."""

    @classmethod
    def of(cls, *, session: str, since: str, until: str) -> Span:
        """From options: `2026-09-03` is the whole day. Raises `BadInput`."""
        if session and len(session) < LEAST_OF_A_SESSION:
            raise BadInput(
                f"{session!r} is too little of a session's id", at="--session", hint="`jay why ID` shows it whole"
            )
        start, end = _moment(since, "--since"), _moment(until, "--until")
        if end is not None and len(until.strip()) == len("2026-09-03"):
            end += timedelta(days=1)
        if start and end and start >= end:
            raise BadInput("nothing lies between --since and --until", at=f"{since} to {until}")
        return cls(session=session, since=start, until=end)

    def __bool__(self) -> bool:
        return bool(self.session or self.since or self.until)

    def holds(self, session: str, at: str) -> bool:
        """Was it said there and then? What has no time lies in no span of time."""
        if not session.startswith(self.session):
            return False
        moment = clock.parse(at) if self.since or self.until else None
        if moment is None:
            return not (self.since or self.until)
        return (self.since is None or moment >= self.since) and (self.until is None or moment < self.until)


@dataclass(frozen=True, kw_only=True, slots=True)
class Chosen:
    """What a span means."""

    whole: tuple[Stored, ...]
    """Memories that rest on nothing else, of every status."""
    partly: tuple[Stored, ...]
    """Memories that were said elsewhere too."""
    gone: tuple[str, ...]
    """Ids of memories that were forgotten before, whose evidence is still kept: a purge takes it too."""


def chosen(library: Library, span: Span) -> Chosen:
    """Raises `BadInput` when the beginning of a session's id fits several sessions.

    A memory without evidence (written by hand) has no session; its time is when it was made.
    """
    memories = library.memories()
    records = {
        one.id: one for one in library.evidence({each for stored in memories for each in stored.memory.evidence})
    }
    whole: list[Stored] = []
    partly: list[Stored] = []
    sessions: set[tuple[str, str]] = set()
    for stored in memories:
        proofs = [records[one] for one in stored.memory.evidence if one in records]
        inside = [one for one in proofs if span.holds(one.session, one.at)]
        if not proofs:
            if not span.session and span.holds("", stored.memory.created or stored.memory.observed):
                whole.append(stored)
        elif inside:
            sessions |= {(one.agent, one.session) for one in inside}
            (whole if len(inside) == len(proofs) else partly).append(stored)
    if span.session and len(sessions) > 1 and span.session not in {session for _, session in sessions}:
        names = ", ".join(sorted(session for _, session in sessions)[:5])
        raise BadInput(
            f"{len(sessions)} sessions begin with {span.session!r}", at="--session", hint=f"give more of it: {names}"
        )
    gone = [
        stone.memory
        for stone in library.tombstones.all()
        if (proofs := library.evidence(stone.evidence)) and all(span.holds(one.session, one.at) for one in proofs)
    ]
    return Chosen(whole=tuple(whole), partly=tuple(partly), gone=tuple(dict.fromkeys(gone)))


def drop_turns(home: Home, span: Span) -> int:
    """Take the kept turns of a span away for good; how many there were."""
    count = sum(span.holds(one.session, one.at) for one in turns.kept(home))
    if count:
        with locked(home), files.writing(home.root), Ledger.open(home.ledger) as ledger:
            settle.settle(home, ledger)
            draft = Draft(home, ledger)
            for path in lines.paths(home.turns):
                purge.take_out(draft, path, lambda row: span.holds(str(row.get("session")), str(row.get("at"))))
            draft.carry_out("Purge kept turns")
    return count


def _moment(text: str, at: str) -> datetime | None:
    found = clock.parse(text) if text else None
    if text and found is None:
        raise BadInput(f"not a date: {text!r}", at=at, hint="write it like 2026-09-03")
    return found
