"""Learning: agents' session files in, memories out. `learn` is the whole way; the other modules here are its steps."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from scrubjay import clock, settings
from scrubjay import home as homes
from scrubjay.agents import Reader, Source, readers
from scrubjay.errors import BadInput, Conflict, StoreUnavailable
from scrubjay.home import Home
from scrubjay.learn.deciding import Circumstances, Decided, decide, only_heard
from scrubjay.learn.forgetting import forget
from scrubjay.learn.heard import LEARNER, Heard, Limits, hear
from scrubjay.learn.places import Places
from scrubjay.learn.report import LearnReport
from scrubjay.learn.reporting import nothing_new, report, subject
from scrubjay.learn.rules import VERSION
from scrubjay.learn.shelf import Shelf
from scrubjay.ledger import Ledger
from scrubjay.search.build import refresh
from scrubjay.settings import Settings
from scrubjay.store.change import Committed, commit
from scrubjay.store.library import Library
from scrubjay.store.turns import KeptTurn

Progress = Callable[[str, int, int], None]
"""Called before each session file with its path, its number (from 0) and how many there are."""

_NOTHING = Committed(ids=(), paths=(), sha="", undo="")
ATTEMPTS = 4
"""How often a run decides again because a file changed between its look and its write."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Run:
    """What was asked for."""

    agents: Sequence[str] | None = None
    since: datetime | None = None
    sources: Sequence[str] | None = None
    backlog: bool = False
    live: bool = False
    progress: Progress | None = None
    dry_run: bool = False
    given: tuple[Reader, Source] | None = None
    """The one session to learn from, which no folder of an agent holds."""


def learn(
    home: Home,
    *,
    agents: Sequence[str] | None = None,
    since: datetime | None = None,
    sources: Sequence[str] | None = None,
    backlog: bool = False,
    progress: Progress | None = None,
    dry_run: bool = False,
) -> LearnReport:
    """Learn what is new in the sessions of `agents` (None: all that the settings allow).

    `sources` narrows to session files by path, or to one session of many in a file by its id, `since` to messages from
    then on. `backlog`: what is older than 30 days
    and said once, or names a path that is gone, waits for review. `dry_run` reads everything from the top and writes
    nothing. Doing it again changes nothing. Raises `StoreUnavailable` when the store cannot be written.
    """
    return _learn(
        home,
        _Run(agents=agents, since=since, sources=sources, backlog=backlog, progress=progress, dry_run=dry_run),
    )


def learn_given(home: Home, reader: Reader, source: Source, *, dry_run: bool = False) -> LearnReport:
    """As `learn`, from one session that is handed over. No cursor is kept: what was learnt before is known by its keys.

    Raises what `reader` raises; nothing was written then.
    """
    return _learn(home, _Run(given=(reader, source), dry_run=dry_run))


def learn_live(
    home: Home,
    *,
    sources: Sequence[str] | None = None,
    since: datetime | None = None,
    progress: Progress | None = None,
) -> LearnReport:
    """As `learn`, for sessions that go on right now (the hook's worker): at most `learn.max_new_active` new active
    memories a session, the rest waits for review. The search index is left to the caller, who has more to do.

    `since`: of a session that was never read, only messages from then on (the installation): what is older is a backlog,
    which the person is asked about.
    """
    return _learn(home, _Run(sources=sources, since=since, live=True, progress=progress))


def _learn(home: Home, run: _Run) -> LearnReport:
    values = settings.load(home.config)
    if values.text("mode") in ("off", "read-only"):
        return LearnReport(skipped={f"mode is {values.text('mode')}": 1}, dry_run=run.dry_run)
    with _ledger(home, run) as ledger:
        places = _places(home, values, ledger, dry_run=run.dry_run)
        heard = _hear_all(home, run, values, ledger, places)
        if ledger is None:
            library = Library.open(home, repos=places.team_repositories(), take_in=False)
            return report(heard, decide(library, heard, places, _under(values, run, None, heard)), dry_run=True)
        if not heard.prompts and not heard.branches:
            _remember_reading(ledger, heard, None)
            return nothing_new(heard)
        with _alone(home):
            decided, done = _write(home, values, run, ledger, heard, places)
            _remember_reading(ledger, heard, decided)
        if not run.live and (done.ids or not os.path.exists(home.search)):
            refresh(home, Library.open(home, repos=places.team_repositories()))
    return report(heard, decided, undo=done.undo)


def _hear_all(home: Home, run: _Run, values: Settings, ledger: Ledger | None, places: Places) -> Heard:
    """Read what is new in every session file, oldest first. Without a lock: reading may take minutes."""
    heard = Heard()
    limits = Limits(
        headless=values.text("learn.headless"),
        since=run.since,
        live=run.live,
        excluded=places.excluded,
        unlearnt=places.unlearnt,
        place=places.of,
        keep_turns=values.number("learn.keep_turns_mb") > 0,
        memory_folder=home.memory,
    )
    found = _sources(run, values)
    for number, (reader, source) in enumerate(found):
        if run.progress:
            run.progress(source.path, number, len(found))
        hear(heard, reader, source, ledger, limits)
    if run.given:
        heard.cursors.clear()
    return heard


def _sources(run: _Run, values: Settings) -> list[tuple[Reader, Source]]:
    if run.given:
        return [run.given]
    known = readers()
    wanted = list(run.agents) if run.agents is not None else values.words("agents") or list(known)
    for name in wanted:
        if name not in known:
            raise BadInput(f"no reader for agent {name!r}", hint=f"known: {', '.join(known)}")
    named = frozenset(run.sources or ()) - {""}  # a file of many sessions: each by its id
    only = None if run.sources is None else {os.path.realpath(path) for path in run.sources}
    found = [
        (known[name], source)
        for name in dict.fromkeys(wanted)
        for source in known[name].find(homes.user_home(), os.environ)
        if only is None or os.path.realpath(source.path) in only or source.session in named
    ]
    return sorted(found, key=lambda pair: (pair[1].mtime_ns, pair[1].agent, pair[1].path))


def _write(
    home: Home, values: Settings, run: _Run, ledger: Ledger, heard: Heard, places: Places
) -> tuple[Decided, Committed]:
    """Decide on a fresh look at the stores and commit in one transaction; a lost race is decided again."""
    moved = _note_branches(ledger, heard)
    under = _under(values, run, ledger, heard)
    if not (heard.candidates or heard.touched or under.shown or moved):
        # Small talk, which most looks at a session find: the stores need not be read for it.
        decided = only_heard(heard, Shelf(None))
        return decided, commit(home, [], subject="learn", turns=_turns(heard, places)) if heard.kept else _NOTHING
    for attempt in range(ATTEMPTS):
        library = Library.open(home, repos=places.team_repositories())
        decided = decide(library, heard, places, under)
        changes = decided.shelf.changes()
        if not changes and not heard.kept:
            return decided, _NOTHING
        try:
            done = commit(
                home,
                changes,
                subject=subject(heard, decided),
                evidence=decided.shelf.new_evidence(),
                turns=_turns(heard, places),
            )
        except Conflict:
            if attempt == ATTEMPTS - 1:
                raise
            continue
        if decided.repairs.forget:
            forget(home, library.again(), decided.repairs.forget, reason="the person said so in a session")
        return decided, done
    raise AssertionError  # the last attempt returns or raises


def _turns(heard: Heard, places: Places) -> list[KeptTurn]:
    """The kept turns with their project's key, for which `decide` may have minted one since they were read."""
    return [replace(turn, project=places.key(place)) for turn, place in heard.kept]


def _note_branches(ledger: Ledger, heard: Heard) -> bool:
    """Write down what is live; True when a branch was left, or taken up again."""
    live = {key for flags in heard.branches.values() for key, on in flags.items() if on}
    moved = bool(ledger.abandoned(live)) or not all(on for flags in heard.branches.values() for on in flags.values())
    for (agent, session), flags in heard.branches.items():
        ledger.branches(agent, session, flags)
    return moved


def _remember_reading(ledger: Ledger, heard: Heard, decided: Decided | None) -> None:
    """After the transaction: marks and cursors. Lost before this, the same is learnt again into the same ids."""
    if decided is not None and decided.outcomes:
        now = clock.text(clock.now())
        run = ledger.start_run("learn", at=now)
        ledger.mark(LEARNER, VERSION, run, decided.outcomes.items())
        counts = {
            "messages": len(heard.prompts),
            "created": len(decided.made),
            "evidence": decided.evidence_added,
            "superseded": len(decided.replaced),
            "refused": len(decided.refused),
        }
        ledger.end_run(run, at=clock.text(clock.now()), outcome="created" if decided.made else "noop", counts=counts)
    for agent, path, cursor in heard.cursors:
        if ledger.cursor(agent, path) != cursor:
            ledger.set_cursor(agent, path, cursor)


def _under(values: Settings, run: _Run, ledger: Ledger | None, heard: Heard) -> Circumstances:
    if ledger is None:
        live: set[str] = set()
        known: set[str] = set()
        for flags in heard.branches.values():
            known |= flags.keys()
            live |= {key for key, on in flags.items() if on}
        return Circumstances(
            settings=values,
            backlog=run.backlog,
            live=run.live,
            shown={},
            abandoned=lambda keys: {key for key in keys if key in known and key not in live},
        )
    sessions = {(prompt.agent, prompt.session) for prompt in heard.prompts}
    shown = {one: given for one in sessions if (given := ledger.injected(*one))}
    return Circumstances(settings=values, backlog=run.backlog, live=run.live, shown=shown, abandoned=ledger.abandoned)


def _places(home: Home, values: Settings, ledger: Ledger | None, *, dry_run: bool) -> Places:
    shut = ledger.shut_times() if ledger else _shut_times(home)
    return Places(home, exclude=values.words("learn.exclude"), shut=shut, dry_run=dry_run)


def _shut_times(home: Home) -> dict[str, list[tuple[str, str]]]:
    """For a dry run: a look that creates nothing."""
    ledger = Ledger.open_hot(home.ledger)
    if ledger is None:
        return {}
    with ledger:
        return ledger.shut_times()


@contextlib.contextmanager
def _ledger(home: Home, run: _Run) -> Iterator[Ledger | None]:
    """None on a dry run: it reads everything and leaves no trace."""
    if run.dry_run:
        yield None
        return
    with Ledger.open(home.ledger) as ledger:
        yield ledger


@contextlib.contextmanager
def _alone(home: Home) -> Iterator[None]:
    """One learner at a time decides and writes; the kernel lets go of the lock when the process dies."""
    os.makedirs(home.state, mode=0o700, exist_ok=True)
    path = os.path.join(home.state, "learn.lock")
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise StoreUnavailable(f"cannot lock the state folder: {error.strerror}", at=path) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
