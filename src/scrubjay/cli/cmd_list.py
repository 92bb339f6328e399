"""`jay list`: the memories that this directory sees."""

from __future__ import annotations

from typing import Annotated, get_args

import typer
from rich.console import Console

from scrubjay.cli.opened import opened, row
from scrubjay.cli.output import Json, cleaned, fit, plain, room, show, styled
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

BROKEN = "[red]broken, see jay doctor:[/] "
BEFORE = 26
"""Columns before a name: mark, id, type."""


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
    notes = look.library.notes
    data = {"memories": [row(one) for one in found], "notes": list(notes)} if json else {}
    show(data, json, lambda out: _text(found, notes, out))
    if not found:
        raise typer.Exit(1)


def _text(found: list[Stored], notes: tuple[str, ...], out: Console) -> None:
    marks = {status: styled(out, mark) for status, mark in MARKS.items()}
    dim, undim = styled(out, "[dim]|[/]").split("|")
    broken, sound_room = styled(out, BROKEN), room(out, BEFORE)
    broken_room = room(out, BEFORE + len(BROKEN) - len("[red][/]"))
    heading, lines = "", []
    for one in found:
        store = {"user": "every project", "team": "team"}.get(one.store.scope, one.store.project)
        if store != heading:
            lines.append(("\n" if heading else "") + styled(out, f"[bold]{plain(store)}[/]"))
            heading = store
        name = broken + fit(one.memory.name, broken_room) if one.broken else fit(one.memory.name, sound_room)
        lines.append(f"{marks[one.memory.status]} {dim}{cleaned(one.memory.id)}{undim} {one.memory.type:<9} {name}")
    if lines:
        out.file.write("\n".join(lines) + "\n")
    else:
        out.print("No memories here. Next: [bold]jay scan[/]")
    for note in notes:
        out.print(f"[dim]{plain(note)}[/]")
