"""The one background process: learns from the sessions that changed, refreshes the search index, ends when its queue is empty.

`python -m scrubjay.worker`, started detached by hooks (`hooks.background.start`). An OS lock lets one run; the queue is
looked at again after the lock is released, so that what was queued in between is not left lying. A job stays in the queue
until it is done: a killed worker leaves it for the next one.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import json
import os
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from scrubjay import clock, settings
from scrubjay import home as homes
from scrubjay.agents import readers
from scrubjay.errors import ScrubjayError
from scrubjay.home import Home
from scrubjay.hook import where
from scrubjay.hooks import packing
from scrubjay.hooks.background import lock_path
from scrubjay.install import rules_files
from scrubjay.install.state import installed
from scrubjay.learn import hints, rewound
from scrubjay.learn.pipeline import learn_live
from scrubjay.learn.report import LearnReport
from scrubjay.learn.review import archive_unanswered
from scrubjay.ledger import Ledger
from scrubjay.ledger.pruning import prune
from scrubjay.projects import resolve
from scrubjay.scope import TEAM_FOLDER, look
from scrubjay.search.build import refresh
from scrubjay.store.library import Library

NICENESS = 10
MAX_ATTEMPTS = 3
"""A job that killed its worker this often is given up, so that it cannot keep the others waiting for ever."""
MAX_LOG_BYTES = 1_000_000
MAX_TEAM_STORES = 50
"""Team stores of the repositories that hooks fired in last are kept in the search index."""
SELDOM_COLLECTED = (50_000, 20, 100)
"""Objects between two runs of the garbage collector: thousands of memories are looked through in vain otherwise."""
CLOCK_SLACK_S = 60
"""File times and the clock may differ by this much when sessions older than the installation are told apart."""


def main() -> int:
    """Run until the queue is empty; 0 also when another worker is at it. What fails is kept for `jay doctor`."""
    os.chdir("/")
    os.umask(0o077)
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    gc.set_threshold(*SELDOM_COLLECTED)
    os.environ["SCRUBJAY_INSIDE"] = "1"  # whatever this process starts must not fire our hooks
    home = homes.current()
    while run(home) and _waiting(home):
        pass
    return 0


def run(home: Home) -> bool:
    """Take the lock and work the queue off; False when another process holds the lock."""
    with _lock(home) as held:
        if held:
            _work(home)
        return held


@contextlib.contextmanager
def _lock(home: Home) -> Iterator[bool]:
    """The kernel lets go of it when the process dies, however it dies: there is no stale lock."""
    os.makedirs(home.state, mode=0o700, exist_ok=True)
    descriptor = os.open(lock_path(home), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        yield False
        return
    try:
        yield True
    finally:
        os.close(descriptor)


def _waiting(home: Home) -> bool:
    with Ledger.open(home.ledger) as ledger:
        return ledger.waiting() > 0


def _work(home: Home) -> None:
    values = settings.load(home.config)
    with Ledger.open(home.ledger) as ledger:
        if values.text("mode") == "off":
            return
        failed = False
        while (job := ledger.take()) is not None:
            number, kind, payload = job
            failed |= not _attempt(home, ledger, number, kind, payload, learning=values.text("mode") != "read-only")
            ledger.done(number)
        learning = values.text("mode") != "read-only"
        failed |= not _guarded(home, ledger, "tidy", lambda: _tidy(home, ledger, archiving=learning))
        if not failed:
            ledger.put("worker.failing_since", "")
            ledger.put("worker.ok_at", clock.text(clock.now()))


def _attempt(home: Home, ledger: Ledger, number: int, kind: str, payload: str, *, learning: bool) -> bool:
    """Do one job; False when it failed or has killed its worker too often."""
    last = ledger.get("worker.job").split()
    tries = int(last[1]) + 1 if len(last) == 2 and last[0] == str(number) and last[1].isdigit() else 1
    ledger.put("worker.job", f"{number} {tries}")
    if tries > MAX_ATTEMPTS:
        _failed(home, ledger, kind, f"gave up after {MAX_ATTEMPTS} attempts that ended the worker")
        return False
    return _guarded(home, ledger, kind, lambda: _do(home, ledger, kind, payload, learning=learning))


def _do(home: Home, ledger: Ledger, kind: str, payload: str, *, learning: bool) -> None:
    details = json.loads(payload) if payload else {}
    if kind == "sweep" and details.get("cwd"):
        _know(home, str(details["cwd"]))
    if not learning:
        return
    if kind == "session":
        path = str(details.get("path") or "")  # a client that doesn't know where its database is names the session
        _news(ledger, learn_live(home, sources=[path or str(details["session"])], since=_installed_at(home)))
        rewound.free(ledger, str(details["agent"]), path)
    elif kind == "sweep":
        _sweep(home, ledger)
    hints.join(home, ledger)


def _know(home: Home, cwd: str) -> None:
    """A known project under a new address (moved, new remote) is recognised before the next prompt; no new key is minted."""
    if os.path.isdir(cwd) and resolve(home, cwd, create=False).project:
        resolve(home, cwd)


def _installed_at(home: Home) -> datetime | None:
    """What was said before it is a backlog, which `jay init` asks about, also in a session that goes on today."""
    return clock.parse(min((one.at for one in installed(home)), default=""))


def _sweep(home: Home, ledger: Ledger) -> None:
    """Learn from the session files of all agents written since the last sweep, none from before the installation.

    The time of the last sweep moves on only when all of it was learnt: one that failed or was killed counts as none.
    """
    start = _installed_at(home)
    if start is None:
        return
    began, last = clock.text(datetime.now(UTC)), clock.parse(ledger.get("worker.swept_at"))
    oldest_ns = int((max(start, last or start).timestamp() - CLOCK_SLACK_S) * 1e9)
    paths = [
        source.path
        for reader in readers().values()
        for source in reader.find(homes.user_home(), os.environ)
        if source.mtime_ns >= oldest_ns and not source.sub_agent
    ]
    if paths:
        _news(ledger, learn_live(home, sources=paths, since=start))
    ledger.put("worker.swept_at", began)


def _tidy(home: Home, ledger: Ledger, *, archiving: bool) -> None:
    """Take in what people changed by hand, bring the index up to date; once a day archive what nobody answered and drop
    what the ledger need not keep."""
    today = clock.text(clock.now())[:10]
    if ledger.get("worker.pruned_on") != today:
        prune(ledger, clock.now())
        ledger.put("worker.pruned_on", today)
    if archiving and ledger.get("worker.archived_on") != today:
        archive_unanswered(home)
        ledger.put("worker.archived_on", today)
    refresh(home, Library.open(home, repos=_team_repositories(home, ledger)))
    rules_files.regenerate(home)
    packing.write(home)


def _team_repositories(home: Home, ledger: Ledger) -> list[str]:
    """Work trees with a team store in which hooks fired lately."""
    found: dict[str, None] = {}
    for row in ledger.events(limit=1000):
        cwd = str(row["cwd"])
        if cwd and len(found) < MAX_TEAM_STORES:
            place = look(home, cwd)
            if place.git and os.path.isdir(os.path.join(place.worktree, TEAM_FOLDER)):
                found[place.worktree] = None
    return list(found)


def _news(ledger: Ledger, report: LearnReport) -> None:
    """Add to what the next session start tells the person."""
    for name, more in (("news.learnt", len(report.created)), ("news.pending", len(report.pending))):
        if more:
            before = ledger.get(name)
            ledger.put(name, str(more + (int(before) if before.isdigit() else 0)))


def _guarded(home: Home, ledger: Ledger, what: str, act: Callable[[], None]) -> bool:
    """True when `act` ended well. One job's failure must not keep the others from being done."""
    try:
        act()
    except Exception as error:  # noqa: BLE001 - the worker loop: what failed is told by doctor
        reason = error.what if isinstance(error, ScrubjayError) else where(error)
        _failed(home, ledger, what, reason)
        return False
    return True


def _failed(home: Home, ledger: Ledger, what: str, reason: str) -> None:
    """One line for doctor; sessions say since when nothing is learnt. The log holds no text of a session."""
    at = clock.text(clock.now())
    if not ledger.get("worker.failing_since"):
        ledger.put("worker.failing_since", at)
    ledger.put("worker.error", f"{what}: {reason}")
    if not (os.path.exists(home.log) and os.path.getsize(home.log) > MAX_LOG_BYTES):
        descriptor = os.open(home.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        with open(descriptor, "a", encoding="utf-8") as log:
            log.write(f"{at} worker {what} {reason}\n")


if __name__ == "__main__":
    sys.exit(main())
