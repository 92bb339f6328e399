"""Reading for learning: what is new in the sessions, as candidates, kept turns and branches. Writes nothing.

Every text is masked here, before any rule reads it: nothing behind this module can repeat a secret.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from scrubjay import clock
from scrubjay.agents import Cursor, Reader, Reading, Source
from scrubjay.errors import UnknownFormat
from scrubjay.learn.agent_written import could_be_memory
from scrubjay.learn.candidate import Candidate
from scrubjay.learn.rules import VERSION, PlaceHint, propose
from scrubjay.learn.turns import Turn, turns
from scrubjay.ledger import Ledger
from scrubjay.operations import Proposal, Rejection
from scrubjay.redact import MASK, mask_all
from scrubjay.scope import Place
from scrubjay.session import Message, Session
from scrubjay.store.turns import KeptTurn

_COVERED = re.compile(f"{MASK}[{MASK}\r\n]*{MASK}|{MASK}")

LEARNER = "rules"
MAX_KEPT_CHARS = 8_000
MAX_BEFORE_CHARS = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A clause that the rules turned down, with where it stood."""

    rejection: Rejection
    agent: str
    session: str
    at: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Prompt:
    """One prompt that is new: for the marks, and for repairs."""

    key: str
    agent: str
    session: str
    at: str
    text: str
    """Masked."""
    by_person: bool
    live: bool
    place: Place


@dataclass(slots=True)
class Heard:
    """Everything new of all sessions of a run."""

    candidates: list[Candidate] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    """Keys of the prompts."""
    kept: list[tuple[KeptTurn, Place]] = field(default_factory=list)
    """Each with the place it was typed in, whose project may not have a key yet."""
    branches: dict[tuple[str, str], dict[str, bool]] = field(default_factory=dict)
    """(agent, session) → message key → on the live branch."""
    touched: dict[str, list[str]] = field(default_factory=dict)
    """Memory files that tool calls named, by real path → times."""
    cursors: list[tuple[str, str, str]] = field(default_factory=list)
    """(agent, key of the source, cursor as kept)."""
    skipped: Counter[str] = field(default_factory=Counter)
    unread: dict[str, str] = field(default_factory=dict)
    """Files that could not be read → why."""
    sessions: Counter[str] = field(default_factory=Counter)
    """Agent → session files with something new."""

    @property
    def problems(self) -> list[str]:
        return [f"{path}: {why}" for path, why in self.unread.items()]


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What of the sessions may be read."""

    headless: str
    since: datetime | None
    live: bool
    """What was passed over before stays so; `since` is only for sessions that were never read."""
    excluded: Callable[[str], bool]
    """A working directory lies below a path of `learn.exclude`, or in scrubjay's own home."""
    unlearnt: Callable[[Session, Place, str], bool]
    """What was said at this time stays unlearnt: a pause, or the mode."""
    place: Callable[[Session], Place]
    keep_turns: bool
    memory_folder: str


@dataclass(frozen=True, kw_only=True, slots=True)
class _Bookmark:
    """The reader's cursor with what it must be used under."""

    cursor: Cursor | None = None
    since: str = ""
    """Messages before this time were passed over, not learnt."""
    excluded: str = ""
    """Working directory that was excluded when the file was read."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """What no read could make use of, by kind: the most of any one read, since each reads the last turns again."""

    @classmethod
    def load(cls, text: str | None) -> _Bookmark:
        try:
            row = json.loads(text or "")
            if row["rules"] != VERSION:  # other rules find other things: everything is read again
                return cls()
            cursor = Cursor.from_json(row["cursor"])
            skipped = {str(kind): int(count) for kind, count in row.get("skipped", {}).items()}
            return cls(cursor=cursor, since=str(row["since"]), excluded=str(row["excluded"]), skipped=skipped)
        except (ValueError, KeyError, TypeError, AttributeError):
            return cls()

    def save(self) -> str:
        cursor = self.cursor.to_json() if self.cursor else ""
        more = {"skipped": dict(self.skipped)} if self.skipped else {}
        return json.dumps({"rules": VERSION, "cursor": cursor, "since": self.since, "excluded": self.excluded, **more})


def skipped(bookmark: str | None) -> Mapping[str, int]:
    """What reading a file passed over, at least, from what the ledger keeps of it."""
    return _Bookmark.load(bookmark).skipped


def read_to(bookmark: str | None) -> int | None:
    """Where reading a file will go on, in bytes, from what the ledger keeps of it; None where that is not known."""
    cursor = _Bookmark.load(bookmark).cursor
    return cursor.offset if cursor is not None else None


def hear(heard: Heard, reader: Reader, source: Source, ledger: Ledger | None, limits: Limits) -> None:
    """Add what is new in one session file. A file that cannot be read is a problem, told and tried again next time."""
    if source.sub_agent:
        heard.skipped["sub-agent"] += 1
        return
    if source.unreadable:
        heard.skipped[source.unreadable] += 1
        return
    since = clock.text(limits.since) if limits.since else ""
    if limits.since and source.mtime_ns < limits.since.timestamp() * 1e9:
        heard.skipped["before the asked time"] += 1
        return
    mark = _Bookmark.load(ledger.cursor(source.agent, source.key)) if ledger else _Bookmark()
    if limits.live:
        since = mark.since or ("" if mark.cursor else since)
    elif mark.since and (not since or since < mark.since):
        mark = _Bookmark()
    if mark.excluded:
        if limits.excluded(mark.excluded):
            heard.skipped["excluded"] += 1
            return
        mark = _Bookmark()
    try:
        _hear(heard, reader, source, replace(mark, since=since or mark.since), ledger, limits)
    except UnknownFormat as error:
        heard.unread[source.path] = f"unknown format ({error.what})"
    except OSError as error:
        heard.unread[source.path] = str(error.strerror or error)


def _hear(heard: Heard, reader: Reader, source: Source, mark: _Bookmark, ledger: Ledger | None, limits: Limits) -> None:
    cursor: Cursor | None = mark.cursor
    new, passed = False, dict(mark.skipped)
    for reading in reader.read_all(source, cursor):
        session = reading.session
        for kind, count in session.skipped.items():
            heard.skipped[kind] += count
            passed[kind] = max(passed.get(kind, 0), count)
        if session.sub_agent:
            heard.skipped["sub-agent"] += 1
        elif limits.excluded(session.cwd):
            heard.skipped["excluded"] += 1
            heard.cursors.append((source.agent, source.key, _Bookmark(excluded=session.cwd).save()))
            return
        else:
            new |= _listen(heard, reading, ledger, limits, mark.since)
        cursor = reading.cursor
    if new:
        heard.sessions[source.agent] += 1
    heard.cursors.append((source.agent, source.key, replace(mark, cursor=cursor, skipped=passed).save()))


def _listen(heard: Heard, reading: Reading, ledger: Ledger | None, limits: Limits, since: str) -> bool:
    """One part of a session; True when it held a prompt that nobody has learnt from."""
    if not reading.session.messages and not reading.branches:
        return False
    for message in reading.session.messages:
        for path in message.files:
            if could_be_memory(path, limits.memory_folder):
                heard.touched.setdefault(os.path.realpath(path), []).append(message.at)
    session = masked(reading.session)
    spoken = turns(session)
    places = _places(session, spoken, limits)
    flags = heard.branches.setdefault((session.agent, session.id), {})
    for turn in spoken:
        flags[turn.user.key] = turn.live
        if turn.assistant_before_key:
            flags.setdefault(turn.assistant_before_key, turn.live)
    flags.update(reading.branches)
    fresh = {turn.user.key for turn in spoken if turn.fresh}
    fresh -= ledger.marked(LEARNER, VERSION, fresh) if ledger else set()
    fresh -= heard.keys  # a fork copies the beginning of its parent
    new = [turn for turn in spoken if turn.user.key in fresh and (not since or turn.user.at >= since)]
    heard.keys |= {turn.user.key for turn in new}
    silent = {turn.user.key: why for turn in new if (why := _why_not(turn, session, places[turn.user.key], limits))}
    # What was said then stays unlearnt: its marks move on.
    for why in sorted(set(silent.values())):
        heard.skipped[why] += 1
    heard.prompts += [_prompt(one, session, places[one.user.key], silent=one.user.key in silent) for one in new]
    new = [turn for turn in new if turn.user.key not in silent]
    if limits.keep_turns:
        heard.kept += [(_kept(turn, session), places[turn.user.key]) for turn in new]
    _propose(heard, session, spoken, places, {turn.user.key for turn in new})
    return bool(new)


def _places(session: Session, spoken: Collection[Turn], limits: Limits) -> dict[str, Place]:
    """Where each prompt was said. A session may go over into another repository; a step into a folder of the same one, or
    into one that is none (a shell that was left in /tmp), stays with the session."""
    start = limits.place(session)
    at = {session.cwd: start}
    for turn in spoken:
        cwd = turn.user.cwd or session.cwd
        if cwd not in at:
            own = limits.place(replace(session, cwd=cwd, remote="", git_branch=""))
            at[cwd] = own if own.git and own.root != start.root else start
    return {turn.user.key: at[turn.user.cwd or session.cwd] for turn in spoken}


def _why_not(turn: Turn, session: Session, place: Place, limits: Limits) -> str:
    """Why nothing may be learnt from a prompt; "" when it may."""
    if limits.unlearnt(session, place, turn.user.at):
        return "paused"
    if limits.headless == "skip" and session.headless:
        return "headless"
    return "excluded" if turn.user.cwd and limits.excluded(turn.user.cwd) else ""


def _propose(
    heard: Heard, session: Session, spoken: list[Turn], places: Mapping[str, Place], fresh: Collection[str]
) -> None:
    """What the rules find in the new prompts, for each place where some were said."""
    by_key = {message.key: message for message in session.messages}
    before = {turn.user.key: turn for turn in spoken}
    for place in {id(place): place for key, place in places.items() if key in fresh}.values():
        here = {key for key in fresh if places[key] is place}
        cwd = session.cwd if len(set(map(id, places.values()))) == 1 else place.cwd
        found = propose(spoken, place=PlaceHint(cwd=cwd, rel=place.rel, project=place.name))
        heard.candidates += [
            _candidate(one, session, place, by_key, before) for one in found.proposals if _is_new(one, here, by_key)
        ]
        heard.told += [
            Told(rejection=one, agent=session.agent, session=session.id, at=by_key[one.message].at)
            for one in found.rejections
            if one.message in here and one.message in by_key
        ]


def _is_new(proposal: Proposal, fresh: Collection[str], known: Collection[str]) -> bool:
    """What the person said just now makes it: the clause itself, or the agreement to what was said before."""
    quotes = proposal.quotes
    return bool(quotes) and quotes[0].message in known and any(quote.message in fresh for quote in quotes)


def masked(session: Session) -> Session:
    """The session as rules may read it: no secret of a person or an assistant, no text of tools."""
    spoken = [message.text if message.role in ("user", "assistant") else "" for message in session.messages]
    messages = tuple(
        replace(message, text=text) for message, text in zip(session.messages, mask_all(spoken), strict=True)
    )
    return replace(session, messages=messages)


def _candidate(
    proposal: Proposal, session: Session, place: Place, by_key: Mapping[str, Message], before: Mapping[str, Turn]
) -> Candidate:
    quoted = tuple((quote, by_key[quote.message]) for quote in proposal.quotes if quote.message in by_key)
    around = [before[quote.message] for quote, _message in quoted if quote.message in before]
    context = "\n".join(f"{turn.user.text}\n{turn.assistant_before}\n{' '.join(turn.files)}" for turn in around)
    return Candidate(
        proposal=proposal,
        agent=session.agent,
        session=session.id,
        path=session.path,
        place=place,
        quoted=quoted,
        context=context,
        native_memory=(*session.native_memory, os.path.join(os.path.dirname(session.path), "memory")),
    )


def _prompt(turn: Turn, session: Session, place: Place, *, silent: bool = False) -> Prompt:
    return Prompt(
        key=turn.user.key,
        agent=session.agent,
        session=session.id,
        at=turn.user.at,
        text="" if silent else turn.user.text,
        by_person=turn.user.origin == "user",
        live=turn.live,
        place=place,
    )


def _kept(turn: Turn, session: Session) -> KeptTurn:
    return KeptTurn(
        key=turn.user.key,
        agent=session.agent,
        session=session.id,
        origin=turn.user.origin,
        at=turn.user.at,
        project="",
        cwd=session.cwd,
        text=_uncover(turn.user.text[:MAX_KEPT_CHARS]),
        before=_uncover(turn.assistant_before[-MAX_BEFORE_CHARS:]),
    )


def _uncover(text: str) -> str:
    return _COVERED.sub("[redacted]", text)


def in_order(candidates: list[Candidate]) -> Iterator[Candidate]:
    """By time over all agents, so that what was said later meets what was said before it."""
    return iter(
        sorted(
            candidates, key=lambda one: (one.at, one.agent, one.session, one.said.offset, one.proposal.quotes[0].start)
        )
    )
