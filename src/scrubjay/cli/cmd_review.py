"""`jay review`: say yes or no to what waits, best first, one key each."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer
from rich.console import Console

from scrubjay import home
from scrubjay.cli.output import SHA, Json, counted, show, stdout
from scrubjay.cli.review_screen import ask, show_row
from scrubjay.learn.review import PAGE, Answer, Waiting, answer, archive_unanswered, waiting


def command(
    accept: Annotated[list[str] | None, typer.Option(help="Keep this one without asking.")] = None,
    reject: Annotated[list[str] | None, typer.Option(help="Forget this one without asking.")] = None,
    here: Annotated[bool, typer.Option("--here", help="Only what this directory sees.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="All of them, not ten.")] = False,
    json: Json = False,
) -> None:
    """Say yes or no to what waits, one key each.

    Best first, ten at a time. What you leave unanswered for 30 days is archived (`review.archive_days`).

    Example: [bold]jay review --here[/]
    """
    where, place = home.current(), os.getcwd() if here else ""
    archived = archive_unanswered(where)
    answers = [Answer(id=one, verb="accept") for one in accept or ()] + [
        Answer(id=one, verb="reject") for one in reject or ()
    ]
    rows = [] if answers else waiting(where, cwd=place, limit=0 if everything else PAGE)
    asking = bool(rows) and not json and stdout.is_terminal and os.isatty(0)
    if asking:
        answers = ask(rows)
    result = answer(where, answers) if answers else None
    data = {
        "waiting": [{slot: getattr(row, slot) for slot in row.__slots__} for row in rows],
        "accepted": list(result.accepted) if result else [],
        "rejected": list(result.rejected) if result else [],
        "left": result.left if result else len(waiting(where, cwd=place, limit=0)),
        "archived": archived,
        "undo": list(result.undo) if result else [],
    }
    show(data, json, lambda out: _text(rows if not asking else [], data, out))
    if not rows and not answers:
        raise typer.Exit(1)


def _text(rows: list[Waiting], data: dict[str, Any], out: Console) -> None:
    for row in rows:
        show_row(row, out)
    if data["accepted"] or data["rejected"]:
        out.print(f"\nkept {len(data['accepted'])}, forgot {len(data['rejected'])}")
        ways = ", ".join(f"jay undo {one[:SHA]}" for one in data["undo"])
        out.print(f"[dim]take it back: {ways}[/]" if ways else "")
    if data["archived"]:
        out.print(f"{counted(len(data['archived']))} nobody answered for too long: archived (jay list --all)")
    out.print(f"{data['left']} waiting." if data["left"] else "Nothing waits for review.")
