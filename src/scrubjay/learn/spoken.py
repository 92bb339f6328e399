"""What people said around a moment: the messages that may stand behind an agent's tool call, and their clauses."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from scrubjay import clock
from scrubjay import home as homes
from scrubjay.agents import Reader, Reading, Source, readers
from scrubjay.errors import UnknownFormat
from scrubjay.home import Home
from scrubjay.learn.alike import Statement, statement
from scrubjay.learn.candidate import Candidate
from scrubjay.learn.heard import masked
from scrubjay.learn.places import Places
from scrubjay.learn.remember import short
from scrubjay.learn.rules import PlaceHint, propose
from scrubjay.learn.rules.text import sentences
from scrubjay.learn.turns import Turn, turns
from scrubjay.ledger.hints import Hint
from scrubjay.memory import MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS, Memory
from scrubjay.operations import Proposal, Quote
from scrubjay.projects import resolve
from scrubjay.scope import Place, StoreRef
from scrubjay.search.tokens import index_terms
from scrubjay.session import Message, Session

LEAST_SHARED, SHARE = 2, 0.5
"""Content words of the hint that the clause must have: two, and half of them. The agent puts it in words of its own; what
is kept is the person's clause, so a loose match brings nothing in that nobody said."""
LATE = timedelta(hours=1)
"""A file that was read this long after the hint's time is not read again for it; a new one is."""
_FIRST_PERSON = re.compile(r"(?i)\b(?:i|i['’]m|my|me|mine|myself)\b|我")
_ABOUT = frozenset(
    index_terms(
        "the user person project prefers wants likes asked says said told remember note always should must use uses"
    )
)
"""What agents say around a fact ("the user prefers …")."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Words:
    """One prompt of a person (or a program) with the session that it stands in."""

    session: Session
    spoken: tuple[Turn, ...]
    """All prompts of this part of the session: a later one may take back what an earlier one said."""
    turn: Turn
    place: Place
    source: Source


@dataclass(slots=True)
class Around:
    """Everything said near any of the hints."""

    window: timedelta
    words: list[Words] = field(default_factory=list)
    ends: dict[str, str] = field(default_factory=dict)
    """Key of a session file → time of its newest prompt."""
    projects: dict[str, str] = field(default_factory=dict)
    """Working directory of a hint → what its project is known by."""

    def near(self, hint: Hint) -> list[Words]:
        """Of the hint's project and time, the nearest first."""
        at = clock.parse(hint.at)
        found = [
            (abs(moment - at), words)
            for words in self.words
            if at is not None
            and (moment := clock.parse(words.turn.user.at)) is not None
            and abs(moment - at) <= self.window
            and _known_by(words.place) == self.projects[hint.cwd]
        ]
        return [words for _far, words in sorted(found, key=lambda pair: pair[0])]

    def finished(self, hint: Hint) -> tuple[str, ...]:
        """Files that were read beyond the hint's time, or long after it: they will say no more about it."""
        at = clock.parse(hint.at)
        late = clock.text(at + self.window) if at else ""
        over = at is not None and clock.now() > at + self.window + LATE
        return tuple(sorted({*hint.seen, *(key for key, end in self.ends.items() if over or end > late)}))


def listen(
    home: Home, waiting: Sequence[Hint], places: Places, *, window: timedelta, agents: Collection[str]
) -> Around:
    """Read the session files that were written since the earliest hint, from the top, without touching any mark."""
    around = Around(window=window)
    times = [moment for hint in waiting if (moment := clock.parse(hint.at)) is not None]
    if not times:
        return around
    for hint in waiting:
        around.projects.setdefault(hint.cwd, _known_by(resolve(home, hint.cwd, create=False)))
    since, until = min(times) - window, max(times) + window
    done = set.intersection(*(set(hint.seen) for hint in waiting))
    for reader, source in _sources(agents, since):
        if source.key not in done:
            _read(around, reader, source, places, (since, until))
    return around


def _sources(agents: Collection[str], since: datetime) -> Iterator[tuple[Reader, Source]]:
    for name, reader in readers().items():
        if agents and name not in agents:
            continue
        for source in reader.find(homes.user_home(), os.environ):
            if not source.sub_agent and not source.unreadable and source.mtime_ns >= since.timestamp() * 1e9:
                yield reader, source


def _read(around: Around, reader: Reader, source: Source, places: Places, between: tuple[datetime, datetime]) -> None:
    try:
        for reading in reader.read_all(source, None):
            _take(around, reading, source, places, between)
    except (UnknownFormat, OSError):  # learning tells of it
        return


def _take(around: Around, reading: Reading, source: Source, places: Places, between: tuple[datetime, datetime]) -> None:
    session = reading.session
    if session.sub_agent or places.excluded(session.cwd):
        return
    prompts = turns(session)
    around.ends[source.key] = max([around.ends.get(source.key, ""), *(one.user.at for one in prompts)])
    wanted = [
        turn.user.key
        for turn in prompts
        if (at := clock.parse(turn.user.at)) is not None and between[0] <= at <= between[1] and turn.live
    ]
    if not wanted:
        return
    session = masked(session)
    spoken = tuple(turns(session))
    for turn in spoken:
        if turn.user.key in wanted:
            place = _place(places, session, turn.user)
            if not places.unlearnt(session, place, turn.user.at):
                around.words.append(Words(session=session, spoken=spoken, turn=turn, place=place, source=source))


def _place(places: Places, session: Session, message: Message) -> Place:
    """A session may go over into another repository."""
    start = places.of(session)
    if message.cwd in ("", session.cwd):
        return start
    own = places.of(replace(session, cwd=message.cwd, remote="", git_branch=""))
    return own if own.git and own.root != start.root else start


def saying(words: Sequence[Words], memory: Memory, store: StoreRef) -> Iterator[Candidate]:
    """Candidates in the person's words that say what a waiting memory says, the best of each message."""
    hint = statement(memory.body)
    for one in words:
        found = propose(one.spoken, place=PlaceHint(cwd=one.session.cwd, rel=one.place.rel, project=one.place.name))
        key = one.turn.user.key
        # also what the person only agreed to: "yes, keep that" after the agent's words
        mine = [own for own in found.proposals if any(quote.message == key for quote in own.quotes)]
        taken = [
            (quote.start, quote.start + len(quote.text)) for own in mine for quote in own.quotes if quote.message == key
        ]
        taken += [(own.start, own.start + len(own.text)) for own in found.rejections if own.message == key]
        scored = [(_alike(hint, own.body), own) for own in mine]
        scored += [
            (_alike(hint, clause), _proposal(clause, start, one, memory))
            for start, clause in _clauses(one.turn.user.text, taken)
        ]
        score, best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
        if best is not None and score > 0:
            wide = store.scope == "user" and best.type == "user" and _FIRST_PERSON.search(best.body) is not None
            # for every project only what the person says of themselves, whatever scope the agent asked for
            yield _candidate(replace(best, pending="", scope="user" if wide else best.scope), one)


def _clauses(text: str, taken: Sequence[tuple[int, int]]) -> list[tuple[int, str]]:
    """Sentences of the person's own that no rule has read as something or as nothing."""
    found = []
    for start, end in sentences(text):
        if not any(start < stop and begin < end for begin, stop in taken):
            clause = text[start:end]
            found.append((start + len(clause) - len(clause.lstrip()), clause.strip()))
    return [(start, clause) for start, clause in found if clause and not clause.endswith(("?", "？"))]


def _alike(hint: Statement, text: str) -> float:
    """Share of the hint's content words that the clause has; 0 when it is another statement."""
    clause = statement(text)
    wanted = hint.terms - _ABOUT
    shared = len(wanted & clause.terms)
    if shared < min(LEAST_SHARED, len(wanted)) or not wanted or shared < SHARE * len(wanted):
        return 0.0
    numbers = {value for value in hint.values if value[0].isdigit()}
    return shared / len(wanted) if all(value in clause.plain for value in numbers) else 0.0


def _proposal(clause: str, start: int, words: Words, memory: Memory) -> Proposal:
    return Proposal(
        name=short(clause, MAX_NAME_CHARS),
        description=short(clause, MAX_DESCRIPTION_CHARS),
        type=memory.type,
        body=clause,
        scope="project" if words.place.root else "user",
        quotes=(Quote(message=words.turn.user.key, start=start, text=clause),),
        trust="user",
        cue="hint",
        paths=memory.paths,
        aliases=memory.aliases,
        observed=words.turn.user.at[:10],
    )


def _candidate(proposal: Proposal, words: Words) -> Candidate:
    by_key: dict[str, Message] = {message.key: message for message in words.session.messages}
    turn = words.turn
    return Candidate(
        proposal=proposal,
        agent=words.session.agent,
        session=words.session.id,
        path=words.session.path,
        place=words.place,
        quoted=tuple((quote, by_key[quote.message]) for quote in proposal.quotes if quote.message in by_key),
        context=f"{turn.user.text}\n{turn.assistant_before}\n{' '.join(turn.files)}",
        native_memory=(*words.session.native_memory, os.path.join(os.path.dirname(words.session.path), "memory")),
    )


def _known_by(place: Place) -> str:
    """Two directories are of one project when this is the same."""
    return place.project or place.root or place.cwd
