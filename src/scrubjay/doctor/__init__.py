"""What `jay doctor` checks: each check tries the real thing (runs the shim, opens the databases, writes a file) instead of
trusting that a file is there, and says what to do when it fails."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing

from scrubjay import projects, settings
from scrubjay.doctor import sessions
from scrubjay.doctor.base import Check
from scrubjay.errors import ScrubjayError
from scrubjay.home import Home, user_home
from scrubjay.importing import importers
from scrubjay.importing.run import Wanted, bring_over
from scrubjay.install import checks, installers, mcp_check, shim
from scrubjay.install.doubled import PLUGIN, REMOVE, Doubled, doubled
from scrubjay.install.state import installed
from scrubjay.ledger import Ledger
from scrubjay.redact import own
from scrubjay.search import query
from scrubjay.store.library import Library

__all__ = ["Check", "doctor"]

SHIM_SECONDS = 10


def doctor(home: Home) -> list[Check]:
    """Every check, in order. A check that breaks is itself a finding, never the end of the others."""
    found: list[Check] = []
    for check in CHECKS:
        try:
            found += list(check(home))
        except (ScrubjayError, OSError, sqlite3.Error) as error:
            what = error.what if isinstance(error, ScrubjayError) else getattr(error, "strerror", "") or str(error)
            remedy = error.hint if isinstance(error, ScrubjayError) else ""
            found.append(Check(name=check.__name__.strip("_"), state="error", detail=what, remedy=remedy))
    return found


def _home(home: Home) -> Iterator[Check]:
    if not os.path.isdir(home.root):
        yield Check(name="home", state="warning", detail=f"{home.root} does not exist yet", remedy="jay init")
        return
    with tempfile.TemporaryFile(dir=home.root) as file:
        file.write(b"x" * 4096)
        file.flush()
    open_to_others = [
        path
        for path in (home.root, home.memory, home.evidence, home.state, home.ledger, home.search)
        if os.path.exists(path) and stat.S_IMODE(os.stat(path).st_mode) & 0o077
    ]
    for path in open_to_others:
        yield Check(name="home", state="error", detail=f"others can read {path}", remedy=f"chmod go-rwx {path}")
    if not open_to_others:
        yield Check(name="home", state="ok", detail=f"{home.root} can be written and is private")


def _config(home: Home) -> Iterator[Check]:
    values = settings.load(home.config)
    changed = [key for key, source in values.sources.items() if source != "default"]
    own.check(values.words(own.KEY), home.config)
    mode = values.text("mode")
    detail = f"mode {mode}, {len(changed)} settings differ from their defaults"
    yield Check(name="settings", state="warning" if mode == "off" else "ok", detail=detail)


def _tools(_home: Home) -> Iterator[Check]:
    git = shutil.which("git")
    yield (
        Check(name="git", state="ok", detail=git)
        if git
        else Check(name="git", state="warning", detail="not found: no history, no undo", remedy="install git")
    )
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
            yield Check(name="sqlite", state="ok", detail=f"{sqlite3.sqlite_version} with FTS5")
        except sqlite3.OperationalError:
            remedy = "use a Python whose SQLite has FTS5"
            yield Check(
                name="sqlite", state="error", detail="this SQLite has no FTS5: nothing can be recalled", remedy=remedy
            )


def _memories(home: Home) -> Iterator[Check]:
    library = Library.open(home, take_in=False)
    found = library.memories()
    broken = [one for one in found if one.broken]
    for one in broken:
        detail = f"{one.path}: {'; '.join(one.problems)}"
        yield Check(name="memories", state="error", detail=detail, remedy=f"edit {one.path}")
    if not broken:
        yield Check(name="memories", state="ok", detail=f"{len(found)} in all, every file readable")
    for note in library.notes:
        yield Check(name="memories", state="warning", detail=note)


def _projects(home: Home) -> Iterator[Check]:
    for hidden, older, claim in projects.twins(home):
        detail = f"{hidden} and {older} both claim {claim}; only {older} is seen there"
        yield Check(name="projects", state="error", detail=detail, remedy=f"jay relink {hidden} {older}")
    for project in projects.read_all(home).values():
        if project.broken:
            path = os.path.join(home.projects, project.key, "project.toml")
            yield Check(name="projects", state="error", detail=f"{path}: {project.broken}", remedy=f"edit {path}")


def _databases(home: Home) -> Iterator[Check]:
    if os.path.exists(home.ledger):
        with Ledger.open(home.ledger) as ledger:
            for note in ledger.notes:
                yield Check(name="ledger", state="warning", detail=note, remedy="jay learn")
            yield Check(name="ledger", state="ok", detail=f"{ledger.waiting()} jobs waiting")
            if since := ledger.get("worker.failing_since"):
                detail = f"fails since {since}: {ledger.get('worker.error')}"
                yield Check(name="worker", state="error", detail=detail, remedy=f"jay learn; the log is {home.log}")
    index = query.open(home.search)
    if index is None:
        if os.path.isdir(home.memory):
            yield Check(
                name="index", state="warning", detail="missing, broken or of another version", remedy="jay learn"
            )
        return
    with closing(index):
        (fine,) = index.execute("PRAGMA quick_check(1)").fetchone()
        (unclean,) = index.execute("SELECT count(*) FROM memories WHERE NOT clean").fetchone()
    yield Check(
        name="index",
        state="ok" if fine == "ok" else "error",
        detail=f"check: {fine}",
        remedy="" if fine == "ok" else "jay learn",
    )
    if unclean:
        detail = f"{unclean} memories look as if they hold a secret; they are never injected"
        yield Check(name="secrets", state="error", detail=detail, remedy="jay list --json, then edit or forget them")


def _shim(home: Home) -> Iterator[Check]:
    there = installed(home)
    if not there:
        yield Check(name="hooks", state="warning", detail="in no agent's settings", remedy="jay init")
        return
    repaired = shim.ensure(home)
    Ledger.open(home.ledger).close()
    # an event that no client sends: goes the whole way through shim, interpreter and package, and leaves a row behind
    word = os.urandom(8).hex()
    command = [home.shim, "doctor", "SelfTest"]
    done = subprocess.run(command, input=word.encode(), capture_output=True, timeout=SHIM_SECONDS, check=False)
    with Ledger.open(home.ledger) as ledger:
        arrived = any(row["detail"] == word for row in ledger.events("doctor", limit=5))
    if done.returncode or not arrived:
        detail = f"{home.shim} ran, but the hook behind it did not answer"
        yield Check(name="hooks", state="error", detail=detail, remedy=f"read {home.log}, then jay init --days 0")
    else:
        yield Check(
            name="hooks", state="ok", detail="self-test answered" + (" (the shim was repaired)" if repaired else "")
        )
    for finding in checks.check(home, user_home(), os.environ):
        yield Check(name=finding.agent, state=finding.state, detail=finding.detail, remedy=finding.remedy)


def _servers(home: Home) -> Iterator[Check]:
    for finding in mcp_check.check(home, os.environ):
        yield Check(name=finding.agent, state=finding.state, detail=finding.detail, remedy=finding.remedy)


def _registered(home: Home) -> Iterator[Check]:
    """Is each event of a client ours once?"""
    with contextlib.suppress(FileNotFoundError):  # the working directory is gone
        for double in doubled(home, user_home(), os.environ, os.getcwd()) if installed(home) else ():
            yield _told_twice(home, double)


def _told_twice(home: Home, double: Doubled) -> Check:
    """An event that calls us twice brings nothing twice, but costs twice."""
    where = ", ".join(f"{place} ({times} times)" if times > 1 else place for place, times in double.places)
    verb = "calls" if len(double.events) == 1 else "call"
    detail = f"{', '.join(double.events)} {verb} us more than once: {where}"
    path = installers()[double.agent].found(user_home(), os.environ)
    others = [place for place, _ in double.places if place != PLUGIN and os.path.dirname(place) not in path]
    if double.by_plugin:
        remedy = f"one of the two is enough: {REMOVE[double.agent]}, or jay uninstall {double.agent}"
    elif others:
        remedy = f"take the entries with {home.shim} out of {' and '.join(others)}"
    else:
        remedy = f"jay init {double.agent} --days 0"
    return Check(name=double.agent, state="warning" if double.by_plugin else "error", detail=detail, remedy=remedy)


def _own_memories(home: Home) -> Iterator[Check]:
    """Agents that keep a memory of their own: which of the two has what."""
    if settings.load(home.config).text("mode") == "off":
        return
    with contextlib.suppress(FileNotFoundError):  # the working directory is gone
        report = bring_over(home, Wanted(cwd=os.getcwd(), dry_run=True))
        new, known = report.new(), importers()
        for agent, count in report.notes.items():
            rest = f"; jay import {agent} would bring over {new[agent]}" if new.get(agent) else ", brought over"
            notes = "1 note" if count == 1 else f"{count} notes"
            detail = f"two memories: its own has {notes}{rest}; ours has what you said; neither writes into the other"
            yield Check(name=known[agent].title, state="ok", detail=detail)


CHECKS: tuple[Callable[[Home], Iterator[Check]], ...] = (
    _home, _config, _tools, _memories, _projects, _databases, _shim, _registered, _servers, sessions.transcripts, _own_memories,
)  # fmt: skip
