"""Setting scrubjay up on a machine: which agents are here, what would change, and doing it."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from scrubjay import agents, clock, config_file, settings
from scrubjay.home import Home, user_home
from scrubjay.install import FileChange, Obstacle, base, checks, installers
from scrubjay.install.state import installed
from scrubjay.learn.pipeline import Progress, learn
from scrubjay.learn.report import LearnReport
from scrubjay.ledger import Ledger

Hooks = Literal["none", "in", "trusted"]
"""What is done to agents' settings. `trusted`: the person also said yes to what an agent asks before it runs a hook."""


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
    obstacles: tuple[tuple[str, Obstacle], ...] = ()
    """(title of the agent, what still keeps its hooks from working)."""


def agents_here(home: Home) -> list[AgentHere]:
    """Every agent with a reader, found or not, in alphabetical order."""
    wanted = settings.load(home.config).words("agents")
    with_hooks = installers()
    rows = []
    for name, reader in agents.readers().items():
        sources = reader.find(user_home(), os.environ)
        newest = max((source.mtime_ns for source in sources), default=0)
        row = AgentHere(
            name=name,
            title=reader.title,
            found=bool(
                sources
                or reader.roots(user_home(), os.environ)
                or (name in with_hooks and with_hooks[name].found(user_home(), os.environ))
            ),
            sessions=len(sources),
            newest=datetime.fromtimestamp(newest / 1e9, UTC).date().isoformat() if newest else "",
            hooks=name in with_hooks,
            ticked=not wanted or name in wanted,
        )
        rows.append(row)
    return rows


def changes(home: Home, ticked: Collection[str], *, trust: bool = False) -> list[FileChange]:
    """What would be written into agents' settings; nothing is written. `trust`: see `Installer.plan`."""
    return [
        change
        for name, one in installers().items()
        if name in ticked
        for change in one.plan(home, user_home(), os.environ, trust=trust)
    ]


def set_up(
    home: Home,
    ticked: Sequence[str],
    *,
    hooks: Hooks = "in",
    days: int = 0,
    among_others: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> SetUp:
    """Remember which agents are learnt from, put the hooks in, learn from the last `days` of sessions (0: from none).

    `among_others`: agents that are learnt from already and are not ticked stay so.
    One commit and one undo for all that is learnt. Starts nothing in the background.
    """
    planned = changes(home, ticked, trust=hooks == "trusted") if hooks != "none" else []
    if not dry_run:
        # first our own home: when it cannot be written, nobody's settings are touched
        Ledger.open(home.ledger).close()  # hooks write into it and never create it
        _record(home, ticked, among_others=among_others)
        if planned:
            base.install(home, planned)
    report = None
    if days and ticked:
        since = clock.now() - timedelta(days=days)
        report = learn(home, agents=ticked, since=since, backlog=True, dry_run=dry_run, progress=progress)
    still = () if dry_run or hooks == "none" else checks.obstacles(home, user_home(), os.environ)
    return SetUp(changed=tuple(planned), learnt=report, agents=tuple(ticked), obstacles=tuple(still))


def _record(home: Home, ticked: Sequence[str], *, among_others: bool) -> None:
    """All that are here ticked is the default, so that an agent installed later is learnt from too."""
    values = settings.load(home.config)
    before = values.words("agents")
    if among_others and not before and installed(home):
        return  # all are learnt from already
    wanted = sorted({*ticked, *(before if among_others else ())})
    here = {row.name for row in agents_here(home) if row.found}
    value: list[str] | None = None if here <= set(wanted) else wanted
    if value is not None or values.sources["agents"] == "config.toml":
        config_file.write(home.config, "agents", value)
