"""Does what is installed really work? Every entry is run as its agent would run it, and the agent itself is asked where it can
be asked; files alone prove nothing."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from scrubjay import agents, clock
from scrubjay.errors import ScrubjayError
from scrubjay.home import Home
from scrubjay.install import installers, mcp_entries
from scrubjay.install.base import Installer, Obstacle
from scrubjay.install.state import Installed, installed
from scrubjay.ledger import Ledger

SECONDS = 10
"""A hook answers within one; what takes longer is broken."""
SELF_TEST = "SCRUBJAY_SELFTEST"
"""With a word in it a hook leaves that word for doctor and does nothing else (`hook.answer`)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing found about one agent."""

    agent: str
    state: Literal["ok", "warning", "error"]
    detail: str
    remedy: str = ""


def obstacles(home: Home, home_folder: str, environ: Mapping[str, str]) -> list[tuple[str, Obstacle]]:
    """(title of the agent, what keeps our entries from working) for every agent that we are installed in: cheap, from files."""
    rows = []
    for name in sorted({one.agent for one in installed(home)} & installers().keys()):
        one = installers()[name]
        try:
            rows += [(one.title, obstacle) for obstacle in one.obstacles(home, home_folder, environ)]
        except ScrubjayError as error:
            rows.append((one.title, Obstacle(what=f"{error.what} ({error.at})", remedy=error.hint)))
    return rows + mcp_entries.obstacles(home)


def check(home: Home, home_folder: str, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Every agent that we are installed in."""
    found = installers()
    for name in sorted({one.agent for one in installed(home)}):
        if name not in found:
            yield Finding(agent=name, state="warning", detail="installed by another version of scrubjay")
            continue
        try:
            yield from _agent(home, home_folder, environ, found[name])
        except ScrubjayError as error:
            yield Finding(agent=name, state="error", detail=f"{error.what} ({error.at})", remedy=error.hint)


def _agent(home: Home, home_folder: str, environ: Mapping[str, str], one: Installer) -> Iterator[Finding]:
    if any(one.plan(home, home_folder, environ)):
        remedy = f"jay init {one.name} --days 0"
        yield Finding(agent=one.name, state="error", detail="our entries in its settings are not whole", remedy=remedy)
    told = one.ask(home, home_folder, environ)
    by_files = one.obstacles(home, home_folder, environ)
    # what the agent says of itself counts more than what its files seem to say
    about_it = told if told is not None else by_files
    for obstacle in about_it:
        yield Finding(agent=one.name, state="error", detail=obstacle.what, remedy=obstacle.remedy)
    if told == []:
        yield Finding(
            agent=one.name, state="ok", detail=f"{one.title} itself says that it sees our hooks and runs them"
        )
    silent = [
        event for event, command in one.commands(home, home_folder, environ) if not answers(home, command, environ)
    ]
    if silent:
        detail = f"run as {one.title} runs them, these hooks did not answer: {', '.join(silent)}"
        remedy = f"read {home.log}, then jay init {one.name} --days 0"
        yield Finding(agent=one.name, state="error", detail=detail, remedy=remedy)
    rows = [row for row in installed(home) if row.agent == one.name]
    if not any(row.events for row in rows):  # rules files: nothing fires there
        if not about_it:
            yield Finding(agent=one.name, state="ok", detail=f"kept up to date: {', '.join(row.path for row in rows)}")
        return
    yield from _fired(home, home_folder, environ, one, rows, blocked=bool(about_it))


def answers(home: Home, command: list[str], environ: Mapping[str, str]) -> bool:
    """Run one entry with a word for it and see whether the word arrives, through shim, interpreter and package."""
    word = os.urandom(8).hex()
    try:
        done = subprocess.run(
            command,
            input=b"{}",
            env={**environ, SELF_TEST: word},
            cwd="/",
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    with Ledger.open(home.ledger) as ledger:
        arrived = any(row["detail"] == word for row in ledger.events("doctor", limit=20))
    return arrived and (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def _fired(
    home: Home, home_folder: str, environ: Mapping[str, str], one: Installer, rows: list[Installed], *, blocked: bool
) -> Iterator[Finding]:
    """What the ledger knows of its hooks, against the sessions on disk."""
    with Ledger.open(home.ledger) as ledger:
        fired = {event: at for (agent, event), at in ledger.last_events().items() if agent == one.name}
        failures = [row for row in ledger.events(one.name, limit=200) if row["outcome"] in ("failed", "late")]
    if failures:
        newest = failures[0]
        detail = f"{len(failures)} of the last 200 hooks failed or were late; newest {newest['at']}: {newest['detail']}"
        yield Finding(agent=one.name, state="warning", detail=detail)
    reader = agents.readers().get(one.name)
    sources = reader.find(home_folder, environ) if reader is not None else []
    newest_session = max((source.mtime_ns for source in sources), default=0) / 1e9
    moments = [moment.timestamp() for row in rows if (moment := clock.parse(row.at))]
    if fired:
        last = max(fired.values())
        yield Finding(agent=one.name, state="ok", detail=f"hooks fired last at {last} ({', '.join(sorted(fired))})")
    elif moments and newest_session > max(moments) + 60:
        detail = "a session ran after `jay init`, and no hook fired"
        remedy = f"start the agent in a trusted folder; see docs/{one.name}.md, troubleshooting"
        yield Finding(agent=one.name, state="error", detail=detail, remedy="" if blocked else remedy)
    elif not blocked:
        yield Finding(agent=one.name, state="ok", detail="installed; no session since then")
