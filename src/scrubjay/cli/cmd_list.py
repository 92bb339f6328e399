"""`jay list`: the memories that this directory sees."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from scrubjay.cli.opened import opened, row
from scrubjay.cli.output import Json, plain, show
from scrubjay.store.library import Stored

MARKS = {
    "active": "[green]●[/]",
    "pending": "[yellow]?[/]",
    "dormant": "[dim]z[/]",
    "superseded": "[dim]←[/]",
    "archived": "[dim]▪[/]",
}


def command(
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="All projects, not only what this directory sees.")
    ] = False,
    everything: Annotated[bool, typer.Option("--all", help="Archived and superseded ones too.")] = False,
    status: Annotated[str, typer.Option(help="active, pending, dormant, superseded or archived.")] = "",
    json: Json = False,
) -> None:
    """The memories that this directory sees.

    ● active, ? waits for review, z dormant (not injected, still found), ← superseded, ▪ archived.

    Example: [bold]jay list --status pending[/]
    """
    look = opened()
    found = look.library.memories() if everywhere else look.visible()
    if status:
        found = [one for one in found if one.memory.status == status]
    elif not everything:
        found = [one for one in found if one.memory.status in ("active", "pending", "dormant")]
    show(
        {"memories": [row(one) for one in found], "notes": list(look.library.notes)},
        json,
        lambda out: _text(found, out),
    )
    if not found:
        raise typer.Exit(1)


def _text(found: list[Stored], out: Console) -> None:
    heading = ""
    for one in found:
        store = {"user": "every project", "team": "team"}.get(one.store.scope, one.store.project)
        if store != heading:
            heading = store
            out.print(f"\n[bold]{plain(store)}[/]")
        broken = "  [red]file is broken: jay doctor[/]" if one.broken else ""
        out.print(
            f"{MARKS[one.memory.status]} [dim]{one.memory.id}[/] {one.memory.type:<9} {plain(one.memory.name)}{broken}"
        )
    if not found:
        out.print("No memories here yet. Next: [bold]jay scan[/]")
