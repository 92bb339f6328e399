"""`jay init`: into the agents' settings, and a first learning from what is there."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Annotated

import typer

from scrubjay import home, settings
from scrubjay.cli import init_screen
from scrubjay.cli.output import DryRun, Json, Yes, progress, show, stdout
from scrubjay.errors import BadInput
from scrubjay.install import rules_files
from scrubjay.setup import AgentHere, Hooks, agents_here, changes, set_up


def command(
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="[AGENT]...", help="Only these; else all found.")
    ] = None,
    days: Annotated[int | None, typer.Option(help="Learn from so many days of existing sessions.", min=0)] = None,
    no_hooks: Annotated[bool, typer.Option("--no-hooks", help="Change no agent's settings; only learn.")] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Tell Codex that you trust these hooks; it skips them otherwise.")
    ] = False,
    rules: Annotated[
        list[str] | None,
        typer.Option("--rules", metavar="NAME|FILE", help="A block of memories in a rules file (docs/rules-files.md)."),
    ] = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Set scrubjay up: ask, write, learn from what is there.

    Shows every change first. `jay uninstall` takes the hooks out, `jay undo` what was learnt.

    Example: [bold]jay init --days 30[/]
    """
    where = home.current()
    here = agents_here(where)
    ticked = _ticked(here, agents)
    asking = not (yes or json or dry_run) and stdout.is_terminal and os.isatty(0)
    if asking and not agents:
        ticked = init_screen.tick(here, ticked)
    elif not json:
        init_screen.show_agents(here, ticked, stdout)
    if asking and not (no_hooks or trust):
        trust = init_screen.ask_trust(changes(where, ticked), changes(where, ticked, trust=True))
    blocks = rules_files.plan(where, rules or (), home.user_home())
    planned = [*([] if no_hooks else changes(where, ticked, trust=trust)), *blocks]
    if asking:
        init_screen.confirm(planned)
    elif not json:
        init_screen.show_changes(planned, stdout)
    if days is None:
        days = settings.load(where.config).number("learn.days")
        days = init_screen.ask_days(days) if asking and ticked else days
    hooks: Hooks = "none" if no_hooks else "trusted" if trust else "in"
    with progress("learning", json) as step:
        done = set_up(where, ticked, hooks=hooks, days=days, among_others=bool(agents), dry_run=dry_run, progress=step)
    done = replace(done, changed=(*done.changed, *blocks))
    if not dry_run:
        rules_files.write(where, blocks)
    show(init_screen.as_json(done, here, dry_run), json, lambda out: init_screen.show_done(done, dry_run, out))


def _ticked(here: list[AgentHere], wanted: list[str] | None) -> list[str]:
    """Names of the agents to set up."""
    known = {one.name: one for one in here}
    for name in wanted or ():
        if name not in known:
            raise BadInput(f"no agent is called {name!r}", at="AGENT", hint=f"agents: {', '.join(known)}")
        if not known[name].found:
            raise BadInput(f"{known[name].title} was never started here", at="AGENT", hint="start it once, then again")
    return [one.name for one in here if one.found and (one.name in wanted if wanted else one.ticked)]
