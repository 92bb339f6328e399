"""Setting scrubjay up on a machine: which agents are here, what would change, and doing it."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from scrubjay import agents, clock, config_file, settings
from scrubjay.errors import ScrubjayError
from scrubjay.home import Home, user_home
from scrubjay.importing import importers
from scrubjay.importing.report import ImportReport
from scrubjay.importing.run import Wanted, bring_over
from scrubjay.install import FileChange, Obstacle, base, checks, installers, mcp_entries, rules_files
from scrubjay.install.mcp_entries import Offer
from scrubjay.install.state import installed
from scrubjay.learn.pipeline import Progress, learn
from scrubjay.learn.report import LearnReport
from scrubjay.ledger import Ledger

Hooks = Literal["none", "in", "trusted"]
"""What is done about hooks. `trusted`: the person also said yes to what an agent asks before it runs a hook."""


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
    """scrubjay can put hooks into what is here; without, its sessions are learnt from and nothing is brought back there."""
    ticked: bool
    """Learnt from, as the settings stand."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """What the person wants set up."""

    agents: Sequence[str]
    """Learnt from, and given the hooks."""
    hooks: Hooks = "in"
    servers: Sequence[str] = ()
    """Clients that get the entry of our MCP server (`mcp_clients.CLIENTS`)."""
    rules: Sequence[str] = ()
    """Rules files that get a block."""
    days: int = 0
    """Learn from so many days of existing sessions; 0: from none."""
    notes: bool = False
    """Bring over what these agents keep themselves."""
    among_others: bool = False
    """Agents that are learnt from already and are not named here stay so."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SetUp:
    """What setting up did (or would do)."""

    changed: tuple[FileChange, ...]
    learnt: LearnReport | None
    """None when no existing session was asked for."""
    imported: ImportReport | None
    """None when that was not asked for."""
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
        settable = bool(name in with_hooks and with_hooks[name].found(user_home(), os.environ))
        newest = max((source.mtime_ns for source in sources), default=0)
        row = AgentHere(
            name=name,
            title=reader.title,
            found=bool(sources or settable or reader.roots(user_home(), os.environ)),
            sessions=len(sources),
            newest=datetime.fromtimestamp(newest / 1e9, UTC).date().isoformat() if newest else "",
            hooks=settable,
            ticked=not wanted or name in wanted,
        )
        rows.append(row)
    return rows


def servers_here(home: Home, choice: Choice) -> list[Offer]:
    """Every client that is here with how our MCP server stands there, once the hooks of this choice are in."""
    with base.as_if(_hooks(home, choice)):
        return mcp_entries.offers(home, user_home(), os.environ)


def kept(home: Home, ticked: Collection[str]) -> dict[str, int]:
    """Agent → how many notes of its own memory an import would bring over now; {} where none can be."""
    if not (names := _importable(ticked)):
        return {}
    try:
        return bring_over(home, Wanted(cwd=_cwd(), agents=names, dry_run=True)).new()
    except ScrubjayError:  # switched off, or a store that cannot be read: doctor tells
        return {}


def changes(home: Home, choice: Choice) -> list[FileChange]:
    """What would be written into others' files, in this order: hooks, servers, blocks. Nothing is written."""
    planned = _hooks(home, choice)
    with base.as_if(planned):
        servers = mcp_entries.plan(home, choice.servers, user_home(), os.environ)
    return [*planned, *servers, *rules_files.plan(home, choice.rules, user_home())]


def set_up(home: Home, choice: Choice, *, dry_run: bool = False, progress: Progress | None = None) -> SetUp:
    """Remember which agents are learnt from, write into others' files, learn from what is there, bring over what is kept.

    One commit and one undo for all that is learnt, another one for what is brought over. Starts nothing in the background.
    """
    planned = changes(home, choice)
    blocks = [one for one in planned if one.agent == rules_files.NAME]
    if not dry_run:
        # first our own home: when it cannot be written, nobody's settings are touched
        Ledger.open(home.ledger).close()  # hooks write into it and never create it
        _record(home, choice.agents, among_others=choice.among_others)
        if hooks := [one for one in planned if one not in blocks and not one.entry.server]:
            mcp_entries.settle(home, base.install(home, hooks))
        mcp_entries.write(home, [one for one in planned if one.entry.server])
    report = imported = None
    if choice.days and choice.agents:
        since = clock.now() - timedelta(days=choice.days)
        report = learn(home, agents=choice.agents, since=since, backlog=True, dry_run=dry_run, progress=progress)
    if choice.notes and (names := _importable(choice.agents)):
        imported = bring_over(home, Wanted(cwd=_cwd(), agents=names, dry_run=dry_run))
    if not dry_run:
        rules_files.write(home, blocks)
    still = () if dry_run or choice.hooks == "none" else checks.obstacles(home, user_home(), os.environ)
    return SetUp(
        changed=tuple(planned), learnt=report, imported=imported, agents=tuple(choice.agents), obstacles=tuple(still)
    )


def _hooks(home: Home, choice: Choice) -> list[FileChange]:
    return [
        change
        for name, one in installers().items()
        if name in choice.agents and choice.hooks != "none"
        for change in one.plan(home, user_home(), os.environ, trust=choice.hooks == "trusted")
    ]


def _importable(ticked: Collection[str]) -> list[str]:
    """Agents whose own memory is read: those that are ticked, and those that keep one and no sessions that we read."""
    return [name for name in importers() if name in ticked or name not in agents.readers()]


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:  # it is gone
        return user_home()


def _record(home: Home, ticked: Sequence[str], *, among_others: bool) -> None:
    """All that are here ticked is the default, so that an agent installed later is learnt from too."""
    values = settings.load(home.config)
    before = values.words("agents")
    if among_others and (not ticked or (not before and installed(home))):
        return  # none more, or all are learnt from already
    wanted = sorted({*ticked, *(before if among_others else ())})
    here = {row.name for row in agents_here(home) if row.found}
    value: list[str] | None = None if here <= set(wanted) else wanted
    if value is not None or values.sources["agents"] == "config.toml":
        config_file.write(home.config, "agents", value)
