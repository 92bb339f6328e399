"""`jay learn`: read what is new in the agents' sessions and keep what is worth it."""

from __future__ import annotations

import os
from typing import Annotated

import typer
from rich.console import Console

from scrubjay import agents, clock, home
from scrubjay.cli.output import SHA, DryRun, Json, because, counted, plain, progress, show
from scrubjay.errors import BadInput
from scrubjay.learn.pipeline import learn
from scrubjay.learn.report import LearnReport


def command(
    names: Annotated[list[str] | None, typer.Argument(metavar="[AGENT]...", help="Only these agents.")] = None,
    since: Annotated[str, typer.Option(help="Only what was said from this date on (2026-09-03).")] = "",
    session: Annotated[list[str] | None, typer.Option(help="Only this session file.")] = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Learn from every session on this machine.

    Of all dates, without asking; what was read before is not read again.

    Example: [bold]jay learn codex --since 2026-09-01[/]
    """
    known = agents.readers()
    for name in names or ():
        if name not in known:
            raise BadInput(f"no agent is called {name!r}", hint=f"agents: {', '.join(sorted(known))}")
    start = clock.parse(since) if since else None
    if since and start is None:
        raise BadInput(f"not a date: {since!r}", at="--since", hint="write it like 2026-09-03")
    for path in session or ():
        if not os.path.isfile(path):
            raise BadInput("no such session file", at=path)
    with progress("learning", json) as step:
        report = learn(
            home.current(),
            agents=names or None,
            since=start,
            sources=session or None,
            dry_run=dry_run,
            progress=step,
        )
    show(report.as_json(), json, lambda out: text(report, out))


def text(report: LearnReport, out: Console) -> None:
    if not report.messages:
        out.print("Nothing new in any session.")
    else:
        did = "would keep" if report.dry_run else "kept"
        read = f"{counted(report.messages, 'prompt', 'prompts')} in {counted(report.sessions, 'session', 'sessions')}"
        out.print(f"{read}: {did} [bold green]{len(report.created)}[/], [bold]{len(report.pending)}[/] wait for review, "
                  f"{sum(report.refused_by_rule.values())} refused, {report.evidence_added} said again")  # fmt: skip
    for mark, rows in (
        ("[green]+[/]", report.created),
        ("[yellow]?[/]", report.pending),
        ("[dim]-[/]", report.superseded),
    ):
        for one in rows[:12]:
            out.print(
                f"  {mark} {plain(one.name)}  [dim]{one.id}{' · ' + plain(because(one.reason)) if one.reason else ''}[/]"
            )
        if len(rows) > 12:
            out.print(f"    [dim]and {len(rows) - 12} more[/]")
    for problem in report.problems:
        out.print(f"  [red]not read[/] {plain(problem)}")
    if report.undo:
        out.print(f"[dim]take it back: jay undo {report.undo[:SHA]}[/]")
