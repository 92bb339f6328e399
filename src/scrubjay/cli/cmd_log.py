"""`jay log`: what changed, and when."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console

from scrubjay import home
from scrubjay.cli.opened import opened
from scrubjay.cli.output import SHA, Json, counted, plain, show
from scrubjay.store import history


def command(
    memory: Annotated[str, typer.Argument(help="Only what touched this memory.")] = "",
    limit: Annotated[int, typer.Option(help="How many at most.", min=1)] = 20,
    json: Json = False,
) -> None:
    """What changed, newest first.

    Each change with the word that takes it back.

    Example: [bold]jay log m-7k2m[/]
    """
    wanted = opened().library.get(memory).memory.id if memory else None
    entries = history.log(home.current(), limit=limit, id=wanted)
    show({"changes": [asdict(one) for one in entries]}, json, lambda out: _text(entries, out))
    if not entries:
        raise typer.Exit(1)


def _text(entries: list[history.Entry], out: Console) -> None:
    for one in entries:
        count = counted(len(one.ids)) if len(one.ids) > 1 else "".join(one.ids)
        out.print(f"[yellow]{one.sha[:SHA]}[/] {one.at[:16].replace('T', ' ')}  {plain(one.subject)}  [dim]{count}[/]")
    out.print("[dim]take one back: jay undo SHA[/]" if entries else "No history yet.")
