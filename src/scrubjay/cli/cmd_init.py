"""`jay init`: into the agents' settings, and a first learning from what is there."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from scrubjay import home
from scrubjay.cli import init_choice, init_screen
from scrubjay.cli.init_choice import Given
from scrubjay.cli.output import DryRun, Json, Yes, progress, show, stdout
from scrubjay.setup import agents_here, set_up


def command(
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="[AGENT]...", help="Only these; else all found.")
    ] = None,
    days: Annotated[int | None, typer.Option(help="Learn from so many days of existing sessions.", min=0)] = None,
    no_hooks: Annotated[bool, typer.Option("--no-hooks", help="Put no hooks into agents' settings.")] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="Tell Codex that you trust these hooks; it skips them otherwise.")
    ] = False,
    mcp: Annotated[
        bool, typer.Option("--mcp", help="The memory as tools, too: our MCP server in each client (docs/mcp.md).")
    ] = False,
    notes: Annotated[
        bool, typer.Option("--import", help="Bring over what these agents keep themselves (docs/import.md).")
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

    Shows every change first. `jay uninstall` takes out what it wrote into agents' settings, `jay undo` what was learnt.

    Example: [bold]jay init --days 30[/]
    """
    where = home.current()
    given = Given(
        agents=agents or (), days=days, hooks=not no_hooks, trust=trust, mcp=mcp, notes=notes, rules=rules or (),
        asking=not (yes or json or dry_run) and stdout.is_terminal and os.isatty(0), silent=json,
    )  # fmt: skip
    here = agents_here(where)
    choice, offered = init_choice.choose(where, here, given)
    with progress("learning", json or not choice.days) as step:
        done = set_up(where, choice, dry_run=dry_run, progress=step)
    data = init_screen.as_json(done, here, offered, dry_run)
    show(data, json, lambda out: init_screen.show_done(done, dry_run, out))
