"""Setting scrubjay up on a machine: which agents are here, what would change, and doing it."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from scrubjay import agents, clock, config_file, settings
from scrubjay.home import Home, user_home
from scrubjay.install import claude_code
from scrubjay.install.base import FileChange
from scrubjay.learn.pipeline import Progress, learn
from scrubjay.learn.report import LearnReport
from scrubjay.ledger import Ledger


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentHere:
    """One agent that scrubjay knows, as it is found on this machine."""

    name: str
    title: str
    found: bool
    """It has a configuration folder or sessions."""
    sessions: int
    newest: str
    """Date of the newest session file, or ""."""
    hooks: bool
    """scrubjay can put hooks into it; without, its sessions are learnt from and nothing is brought back there."""
    ticked: bool
    """Learnt from, as the settings stand."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SetUp:
    """What setting up did (or would do)."""

    changed: tuple[FileChange, ...]
    learnt: LearnReport | None
    """None when no existing session was asked for."""
    agents: tuple[str, ...]
    """Agents whose sessions are learnt from."""


def agents_here(home: Home) -> list[AgentHere]:
    """Every agent with a reader, found or not, in alphabetical order."""
    wanted = settings.load(home.config).words("agents")
    rows = []
    for name, reader in agents.readers().items():
        sources = reader.find(user_home(), os.environ)
        newest = max((source.mtime_ns for source in sources), default=0)
        row = AgentHere(
            name=name,
            title=reader.title,
            found=bool(sources or reader.roots(user_home(), os.environ)),
            sessions=len(sources),
            newest=datetime.fromtimestamp(newest / 1e9, UTC).date().isoformat() if newest else "",
            hooks=name == claude_code.name,
            ticked=not wanted or name in wanted,
        )
        rows.append(row)
    return rows


def changes(home: Home, ticked: Collection[str]) -> list[FileChange]:
    """What would be written into agents' settings; nothing is written."""
    return claude_code.plan(home, user_home(), os.environ) if claude_code.name in ticked else []


def set_up(
    home: Home,
    ticked: Sequence[str],
    *,
    hooks: bool = True,
    days: int = 0,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> SetUp:
    """Remember which agents are learnt from, put the hooks in, learn from the last `days` of sessions (0: from none).

    One commit and one undo for all that is learnt. Starts nothing in the background.
    """
    planned = changes(home, ticked) if hooks else []
    if not dry_run:
        # first our own home: when it cannot be written, nobody's settings are touched
        Ledger.open(home.ledger).close()  # hooks write into it and never create it
        _record(home, ticked)
        if planned:
            planned = claude_code.install(home, user_home(), os.environ)
    report = None
    if days and ticked:
        since = clock.now() - timedelta(days=days)
        report = learn(home, agents=ticked, since=since, backlog=True, dry_run=dry_run, progress=progress)
    return SetUp(changed=tuple(planned), learnt=report, agents=tuple(ticked))


def _record(home: Home, ticked: Sequence[str]) -> None:
    """All that are here ticked is the default, so that an agent installed later is learnt from too."""
    here = {row.name for row in agents_here(home) if row.found}
    value: list[str] | None = None if here <= set(ticked) else list(ticked)
    if value is not None or settings.load(home.config).sources["agents"] == "config.toml":
        config_file.write(home.config, "agents", value)
