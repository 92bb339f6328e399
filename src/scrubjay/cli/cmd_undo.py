"""`jay undo`: take back the last change, or a named one."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from scrubjay.cli.opened import opened, reindex
from scrubjay.cli.output import SHA, DryRun, Json, counted, plain, show
from scrubjay.errors import NothingFound
from scrubjay.store import history


def command(
    change: Annotated[str, typer.Argument(help="Which change (see `jay log`); default: the newest.")] = "",
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Take a change back.

    Whatever was learnt, forgotten, edited or reviewed; an undo can be undone.

    Example: [bold]jay undo 3f9a12c0[/]
    """
    look = opened()
    if dry_run:
        entries = [one for one in history.log(look.home, limit=1000) if one.sha.startswith(change)][:1]
        if not entries:
            raise NothingFound(f"no change is called {change!r}", hint="`jay log` lists them")
        show(asdict(entries[0]), json, lambda out: out.print(f"would take back: {plain(entries[0].subject)}"))
        return
    result = history.undo(look.home, change or None)
    reindex(look)
    data = asdict(result)
    show(
        data,
        json,
        lambda out: out.print(
            f"taken back: {counted(len(result.ids))}; [dim]jay undo {result.undo[:SHA]}[/] undoes this"
        ),
    )
