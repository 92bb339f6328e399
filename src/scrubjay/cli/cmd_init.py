"""`jay init`: into the agents' settings, and a first learning from what is there."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Annotated, Any

import typer
from rich.console import Console

from scrubjay import clock, home, settings
from scrubjay.cli.cmd_learn import text as learnt_text
from scrubjay.cli.output import DryRun, Json, Yes, plain, progress, show, stdout
from scrubjay.install import claude_code
from scrubjay.learn.pipeline import learn
from scrubjay.learn.report import LearnReport


def command(
    days: Annotated[
        int | None, typer.Option(help="Learn from the last DAYS of existing sessions; 0: from none.")
    ] = None,
    no_hooks: Annotated[bool, typer.Option("--no-hooks", help="Change no agent's settings; only learn.")] = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Set scrubjay up: ask, write, learn from what is there.

    Shows every change first. `jay uninstall` takes the hooks out, `jay undo` what was learnt.

    Example: [bold]jay init --days 30[/]
    """
    where, user = home.current(), home.user_home()
    changes = [] if no_hooks else claude_code.plan(where, user, os.environ)
    if not json:
        for change in changes:
            stdout.print(f"[bold]{plain(change.path)}[/]\n{plain(change.diff)}")
        if not changes and not no_hooks:
            there = claude_code.found(user, os.environ)
            stdout.print("Claude Code: " + ("the hooks are there already" if there else "not found; nothing to set up"))
    asking = not (yes or json or dry_run) and stdout.is_terminal and os.isatty(0)
    if changes and asking:
        typer.confirm("Write these changes?", default=True, abort=True)
    if days is None:
        days = settings.load(where.config).number("learn.days")
        if asking:
            days = typer.prompt("Learn from how many days of existing sessions? (0: none)", default=days, type=int)
    if not dry_run and not no_hooks:
        changes = claude_code.install(where, user, os.environ)
    report: LearnReport | None = None
    if days:
        since = clock.now() - timedelta(days=days)
        with progress("learning", json) as step:
            report = learn(where, since=since, backlog=True, dry_run=dry_run, progress=step)
    data: dict[str, Any] = {
        "changed": [{"agent": one.agent, "path": one.path, "diff": one.diff} for one in changes],
        "learnt": report.as_json() if report else None,
        "dry_run": dry_run,
    }
    show(data, json, lambda out: _text(report, dry_run, out))


def _text(report: LearnReport | None, dry_run: bool, out: Console) -> None:
    if report:
        learnt_text(report, out)
    out.print(
        "\nNothing was written."
        if dry_run
        else "\nDone. Take it back with [bold]jay uninstall[/]; see it with [bold]jay status[/]."
    )
