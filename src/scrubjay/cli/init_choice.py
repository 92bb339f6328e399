"""What `jay init` is to set up: by the command line, and by the answers of a person who is asked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scrubjay import settings
from scrubjay.cli import init_screen
from scrubjay.cli.output import stdout
from scrubjay.errors import BadInput
from scrubjay.home import Home, user_home
from scrubjay.install import mcp_clients
from scrubjay.install.mcp_entries import Offer
from scrubjay.setup import AgentHere, Choice, changes, kept, servers_here


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """The command line."""

    agents: Sequence[str]
    days: int | None
    hooks: bool
    trust: bool
    mcp: bool
    notes: bool
    rules: Sequence[str]
    asking: bool
    """A person sits at a terminal and may be asked."""
    silent: bool
    """Nothing is shown on the way."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Offered:
    """What there is beside hooks, chosen or not."""

    servers: Sequence[Offer]
    notes: Mapping[str, int]
    """Agent → notes of its own that an import would bring over."""


def choose(home: Home, here: list[AgentHere], given: Given) -> tuple[Choice, Offered]:
    """Everything that would change was shown when this returns; a person who is asked said yes to it."""
    choice = Choice(
        agents=_ticked(here, given),
        hooks="none" if not given.hooks else "trusted" if given.trust else "in",
        rules=given.rules,
        notes=given.notes,
        among_others=bool(given.agents),
    )
    if given.asking and not given.agents:
        choice = replace(choice, agents=init_screen.tick(here, list(choice.agents)))
    elif not given.silent:
        init_screen.show_agents(here, choice.agents, stdout)
    if given.asking and choice.hooks == "in":
        trusted = replace(choice, hooks="trusted")
        choice = trusted if init_screen.ask_trust(changes(home, choice), changes(home, trusted)) else choice
    offered = _offered(home, here, given, choice)
    if given.mcp or (given.asking and init_screen.ask_servers(offered.servers)):
        choice = replace(choice, servers=[one.name for one in offered.servers if one.standing != "taken"])
    if not (given.asking or given.silent):
        init_screen.show_offers(offered, choice.servers, choice.notes, stdout)
    planned = changes(home, choice)
    if given.asking:
        init_screen.confirm(planned)
    elif not given.silent:
        init_screen.show_changes(planned, stdout)
    return _from_what_is_there(home, given, choice, offered), offered


def _ticked(here: list[AgentHere], given: Given) -> list[str]:
    """Names of the agents to set up."""
    known = {one.name: one for one in here}
    for name in given.agents:
        if name not in known and not (given.mcp and name in mcp_clients.CLIENTS):
            raise BadInput(f"no agent is called {name!r}", at="AGENT", hint=f"agents: {', '.join(known)}")
        found = known[name].found if name in known else mcp_clients.config_homes(name, user_home(), os.environ)
        if not found:
            title = known[name].title if name in known else mcp_clients.CLIENTS[name].title
            raise BadInput(f"{title} was never started here", at="AGENT", hint="start it once, then again")
    return [one.name for one in here if one.found and (one.name in given.agents if given.agents else one.ticked)]


def _offered(home: Home, here: list[AgentHere], given: Given, choice: Choice) -> Offered:
    """For the agents of this choice, and for clients that can have a server and nothing else of ours."""
    others = {name for name in mcp_clients.CLIENTS if name not in {one.name for one in here}}
    wanted = {*choice.agents, *(others & set(given.agents) if given.agents else others)}
    servers = [one for one in servers_here(home, choice) if one.name in wanted]
    return Offered(servers=servers, notes=kept(home, choice.agents))


def _from_what_is_there(home: Home, given: Given, choice: Choice, offered: Offered) -> Choice:
    """How much of what agents have on disk is taken in."""
    days, notes = given.days, given.notes
    if days is None:
        days = settings.load(home.config).number("learn.days")
        days = init_screen.ask_days(days) if given.asking and choice.agents else days
    if given.asking and offered.notes and not notes:
        notes = init_screen.ask_notes(offered.notes)
    return replace(choice, days=days, notes=notes)
