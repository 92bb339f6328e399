"""`jay list`: the memories that this directory sees."""

from __future__ import annotations

from typing import Annotated, get_args

import typer
from rich.console import Console

from scrubjay.cli.opened import opened, row
from scrubjay.cli.output import Json, fitted, plain, show
from scrubjay.errors import BadInput
from scrubjay.operations import Status
from scrubjay.store.library import Stored

MARKS = {
    "active": "[green]●[/]",
    "pending": "[yellow]?[/]",
    "dormant": "[dim]z[/]",
    "superseded": "[dim]←[/]",
    "archived": "[dim]▪[/]",
}

LINES_AT_ONCE = 50
"""Printed in one call: a call for each line makes a long list slow."""


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
    if status and status not in MARKS:
        raise BadInput(f"no status is called {status!r}", at="--status", hint=", ".join(get_args(Status)))
    look = opened()
    found = look.library.memories() if everywhere else look.visible()
    if status:
        found = [one for one in found if one.memory.status == status]
    elif not everything:
        found = [one for one in found if one.memory.status in ("active", "pending", "dormant")]
    data = {"memories": [row(one) for one in found], "notes": list(look.library.notes)}
    show(data, json, lambda out: _text(found, look.library.notes, out))
    if not found:
        raise typer.Exit(1)


def _text(found: list[Stored], notes: tuple[str, ...], out: Console) -> None:
    heading, lines = "", []
    for one in found:
        store = {"user": "every project", "team": "team"}.get(one.store.scope, one.store.project)
        if store != heading:
            lines.append(("\n" if heading else "") + f"[bold]{plain(store)}[/]")
            heading = store
        broken = "[red]broken, see jay doctor:[/] " if one.broken else ""
        name = fitted(one.memory.name, out, used=26 + (25 if broken else 0))
        lines.append(f"{MARKS[one.memory.status]} [dim]{one.memory.id}[/] {one.memory.type:<9} {broken}{name}")
    for start in range(0, len(lines), LINES_AT_ONCE):
        out.print("\n".join(lines[start : start + LINES_AT_ONCE]))
    if not found:
        out.print("No memories here. Next: [bold]jay scan[/]")
    for note in notes:
        out.print(f"[dim]{plain(note)}[/]")
