"""Doctor on the session files of each agent: are they found, understood, learnt from, and does the agent still write there?"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from scrubjay import agents, clock, settings
from scrubjay.agents import Reader, Source
from scrubjay.doctor.base import Check
from scrubjay.errors import UnknownFormat
from scrubjay.home import Home, user_home
from scrubjay.install.state import installed
from scrubjay.learn.heard import read_to, skipped
from scrubjay.ledger import Ledger

NEWEST_READ = 3
MAX_READ_BYTES = 20_000_000
"""So many of an agent's newest sessions are read to see whether their format is known, unless they are larger."""
DAMAGE = ("broken_lines", "long_lines_cut", "unknown_records")
"""Counts of readers that a person should hear of; docs/formats-read.md has them all."""
DELETED_AFTER_DAYS = 30
"""Claude Code deletes transcripts after this many days (`cleanupPeriodDays`, its documentation on settings)."""
LAG = timedelta(hours=1)
"""A session is written while it goes on and learnt from soon afterwards: what lags behind by more is told."""
ANSWERED = ("Stop", "AfterAgent")
"""Events at whose time the client has written what was said."""


def transcripts(home: Home) -> Iterator[Check]:
    """Every agent that wrote sessions here, or whose hooks fired."""
    for reader in agents.readers().values():
        found = reader.find(user_home(), os.environ)
        if os.path.exists(home.ledger):
            with Ledger.open(home.ledger) as ledger:
                yield from _elsewhere(reader, found, ledger)
        if not found:
            continue
        day = _written(max(found, key=_when).mtime_ns).date().isoformat()
        roots = ", ".join(reader.roots(user_home(), os.environ))
        yield Check(name=reader.title, state="ok", detail=f"{len(found)} session files below {roots}, newest {day}")
        yield from _understood(reader, found)
        closed = [one for one in found if one.unreadable]
        if closed:
            detail = f"{len(closed)} session files cannot be read: {closed[0].path}: {closed[0].unreadable}"
            yield Check(name=reader.title, state="warning", detail=detail)
        if shut := _shut(reader, found):
            detail = f"no permission to read {len(shut)} session files or folders: {shut[0]}"
            yield Check(
                name=reader.title, state="warning", detail=detail, remedy=f"chmod u+rX {shut[0]}, then jay learn"
            )
        if os.path.exists(home.ledger):
            with Ledger.open(home.ledger) as ledger:
                yield from _learnt_from(reader, found, ledger)
                yield from _unread(home, reader, found, ledger)


def _elsewhere(reader: Reader, found: Sequence[Source], ledger: Ledger) -> Iterator[Check]:
    """The agent was used later than its newest session was written: it has another place for them, or another form."""
    used = [
        moment
        for row in ledger.events(reader.name, limit=200)
        if row["event"] in ANSWERED and row["outcome"] == "queued" and (moment := clock.parse(str(row["at"])))
    ]
    newest = _written(max((one.mtime_ns for one in found), default=0))
    if used and max(used) - newest > LAG:
        what = f"the newest session that was found is of {newest:%Y-%m-%d %H:%M}" if found else "no session was found"
        detail = f"it was used at {max(used):%Y-%m-%d %H:%M}, and {what}: its sessions may lie elsewhere now"
        remedy = "name the folder in its own variable (docs/formats-read.md), or upgrade scrubjay"
        yield Check(name=reader.title, state="warning", detail=detail, remedy=remedy)


def _unread(home: Home, reader: Reader, found: Sequence[Source], ledger: Ledger) -> Iterator[Check]:
    """The newest session was written long after anything was read: hooks or worker do not come to it."""
    newest = max((one for one in found if not one.unreadable and not one.sub_agent), key=_when, default=None)
    if newest is None or settings.load(home.config).text("mode") in ("off", "read-only"):
        return
    kept = ledger.cursor(reader.name, newest.key)
    since = [one.at for one in installed(home)]
    if kept is not None:  # once read: it may have gone on since
        to = read_to(kept)
        if newest.session or to is None or to >= newest.size:
            return
        since = [ledger.get("worker.swept_at"), *(str(run["ended_at"]) for run in ledger.runs("learn", limit=1))]
    moments = [moment for one in since if one and (moment := clock.parse(one))]
    written = _written(newest.mtime_ns)
    if moments and written - max(moments) > LAG and clock.now() - written > LAG:
        detail = f"its newest session, of {written:%Y-%m-%d %H:%M}, was not learnt from yet: {newest.path}"
        yield Check(name=reader.title, state="warning", detail=detail, remedy=f"jay learn {reader.name}")


def _when(one: Source) -> int:
    return one.mtime_ns


def _written(mtime_ns: int) -> datetime:
    return datetime.fromtimestamp(mtime_ns / 1e9, UTC)


def _shut(reader: Reader, found: Sequence[Source]) -> list[str]:
    """Session files, and folders among them, that this person may not read: nothing is learnt from there."""
    roots = tuple(reader.roots(user_home(), os.environ))
    folders: set[str] = set()
    for one in found:
        folder = os.path.dirname(one.path)
        while folder.startswith(roots) and folder not in folders:
            folders.add(folder)
            folder = os.path.dirname(folder)
    closed: list[str] = []
    for folder in folders:
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            inside = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
            closed += [path for path in inside if not os.access(path, os.R_OK | os.X_OK)]
    return sorted({*closed, *(one.path for one in found if not os.access(one.path, os.R_OK))})


def _understood(reader: Reader, found: Sequence[Source]) -> Iterator[Check]:
    """Read the newest sessions: a new release of an agent may write what we do not know."""
    for one in sorted(found, key=_when, reverse=True)[:NEWEST_READ]:
        if one.size <= MAX_READ_BYTES and not one.unreadable and not one.sub_agent and os.access(one.path, os.R_OK):
            try:
                for _ in reader.read_all(one, None):
                    pass
            except UnknownFormat as error:
                detail = f"{one.path}: unknown format ({error.what}); nothing is learnt from it, and its place is kept"
                yield Check(name=reader.title, state="error", detail=detail, remedy="upgrade scrubjay, then jay learn")


def _learnt_from(reader: Reader, found: Sequence[Source], ledger: Ledger) -> Iterator[Check]:
    edge = (clock.now() - timedelta(days=DELETED_AFTER_DAYS - 2)).timestamp()
    cursors = {one.key: ledger.cursor(reader.name, one.key) for one in found if not one.unreadable}
    unread = [one for one in found if one.mtime_ns / 1e9 < edge and cursors.get(one.key, "") is None]
    if unread:
        detail = f"{len(unread)} sessions are about to be deleted by their agent and were never learnt from"
        yield Check(name=reader.title, state="warning", detail=detail, remedy=f"jay learn {reader.name}")
    damaged: Counter[str] = Counter()
    files = set()
    for path, cursor in cursors.items():
        for kind, count in skipped(cursor).items():
            if kind.startswith(DAMAGE):
                damaged[kind] += count
                files.add(path)
    if damaged:
        counts = ", ".join(f"{kind} {count}" for kind, count in sorted(damaged.items()))
        detail = f"in {len(files)} session files something was passed over ({counts}): {min(files)}"
        yield Check(name=reader.title, state="warning", detail=detail)
