"""`jay relink`: join the memories of two projects that are the same."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console

from scrubjay import home, projects
from scrubjay.cli.opened import opened, reindex
from scrubjay.cli.output import SHA, DryRun, Json, counted, plain, show
from scrubjay.errors import NothingFound


def command(
    old: Annotated[str, typer.Argument(help="The project that moved: its key, the beginning of it, or a path.")] = "",
    new: Annotated[str, typer.Argument(help="Where its memories go; default: this directory's project.")] = "",
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Join the memories of two projects that are one.

    After a rename or a move. Without arguments: the projects that look like this directory's. Undoable.

    Example: [bold]jay relink acme-api-k3f9 .[/]
    """
    where = home.current()
    if not old:
        place = projects.resolve(where, os.getcwd(), create=False)
        alike = projects.similar(where, place)
        show({"similar": [asdict(one) for one in alike]}, json, lambda out: _similar(alike, out))
        if not alike:
            raise typer.Exit(1)
        return
    if not new:
        new = projects.resolve(where, os.getcwd(), create=not dry_run).project
        if not new:
            raise NothingFound(
                "this directory is no project yet", hint="name the target, or run `jay relink` without --dry-run"
            )
    result = projects.relink(where, old, new, dry_run=dry_run)
    if not dry_run:
        reindex(opened())
    did = "would move" if dry_run else "moved"
    says = f"{did} {counted(len(result.moved))} from {plain(result.old)} to {plain(result.new)}"
    undo = f"; [dim]jay undo {result.undo[:SHA]}[/]" if result.undo else ""
    show({**asdict(result), "dry_run": dry_run}, json, lambda out: out.print(says + undo))


def _similar(alike: list[projects.Likeness], out: Console) -> None:
    for one in alike:
        out.print(
            f"looks like [bold]{plain(one.name)}[/] ({counted(one.memories)}, {one.reason}): [bold]jay relink {one.key}[/]"
        )
    if not alike:
        out.print("No other project looks like this one.")
