"""The state of everything, as one value: for `jay`, `jay status`, and the line at session start."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from scrubjay import clock, projects, settings
from scrubjay.errors import ScrubjayError
from scrubjay.home import Home, user_home
from scrubjay.install import checks
from scrubjay.install.state import installed
from scrubjay.ledger import Ledger
from scrubjay.projects import Likeness
from scrubjay.scope import Place
from scrubjay.store import turns
from scrubjay.store.library import Library, Stored

STATUSES = ("active", "pending", "dormant", "superseded", "archived")


@dataclass(frozen=True, kw_only=True, slots=True)
class Status:
    """A snapshot. Counts are by memory status, in the order of `STATUSES`."""

    home: str
    mode: str
    pauses: dict[str, str]
    project: str
    here: dict[str, int]
    all: dict[str, int]
    hooks: dict[str, dict[str, str]]
    """Agent with hooks installed → event → time of its last real firing."""
    last_learn: str
    queue: int
    turns_bytes: int
    similar: tuple[Likeness, ...]
    problems: tuple[str, ...]
    next: str
    """The one command that makes most sense now."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def status(home: Home, cwd: str) -> Status:
    """Look at everything. Problems are collected, not raised: a broken part must not hide the others."""
    problems: list[str] = []
    place = _place(home, cwd, problems)
    visible, found = _memories(home, place, problems)
    pauses, hooks, last_learn, queue = _ledger(home, problems)
    mode = "auto"
    try:
        mode = settings.load(home.config).text("mode")
    except ScrubjayError as error:
        problems.append(f"{error.what} ({error.at})")
    there = installed(home)
    agents = {one.agent for one in there}
    problems += [
        f"{title}: {one.what} ({one.remedy})" for title, one in checks.obstacles(home, user_home(), os.environ)
    ]
    known = any(one.store.scope != "user" for one in visible)
    similar = () if known or place is None else tuple(projects.similar(home, place))
    return Status(
        home=home.root,
        mode=mode,
        pauses=pauses,
        project=place.project or place.name if place else "",
        here=_counted(visible),
        all=_counted(found),
        hooks={agent: hooks.get(agent, {}) for agent in sorted({one.agent for one in there if one.events})},
        last_learn=last_learn,
        queue=queue,
        turns_bytes=turns.size(home),
        similar=similar,
        problems=tuple(problems),
        next=_next(agents, _counted(found), problems),
    )


def _next(agents: set[str], counts: dict[str, int], problems: list[str]) -> str:
    if problems:
        return "jay doctor"
    if not agents:
        return "jay init" if any(counts.values()) else "jay scan"
    if counts["pending"]:
        return "jay review"
    return "jay list"


def _counted(found: list[Stored]) -> dict[str, int]:
    counts: Counter[str] = Counter(one.memory.status for one in found)
    return {name: counts[name] for name in STATUSES}


def _place(home: Home, cwd: str, problems: list[str]) -> Place | None:
    try:
        return projects.resolve(home, cwd, create=False)
    except (ScrubjayError, OSError) as error:
        problems.append(f"this directory's project cannot be found: {error}")
        return None


def _memories(home: Home, place: Place | None, problems: list[str]) -> tuple[list[Stored], list[Stored]]:
    """What this directory sees, and everything."""
    try:
        library = Library.open(home, repos=[place.worktree] if place and place.git else [], take_in=False)
    except (ScrubjayError, OSError) as error:
        problems.append(f"the memories cannot be read: {error}")
        return [], []
    found = library.memories()
    problems += [f"{one.path}: {one.problems[0]}" for one in found if one.broken and one.problems]
    return library.memories(stores=place.stores()) if place else [], found


def _ledger(home: Home, problems: list[str]) -> tuple[dict[str, str], dict[str, dict[str, str]], str, int]:
    if not os.path.exists(home.ledger):
        return {}, {}, "", 0
    try:
        with Ledger.open(home.ledger) as ledger:
            problems += ledger.notes
            hooks: dict[str, dict[str, str]] = {}
            for (agent, event), at in sorted(ledger.last_events().items(), key=lambda row: row[1], reverse=True):
                hooks.setdefault(agent, {})[event] = at
            runs = ledger.runs("learn", limit=1)
            last = str(runs[0]["ended_at"] or runs[0]["started_at"]) if runs else ""
            return ledger.pauses(at=clock.text(clock.now())), hooks, last, ledger.waiting()
    except ScrubjayError as error:
        problems.append(error.what)
        return {}, {}, "", 0
