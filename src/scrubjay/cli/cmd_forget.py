"""`jay forget`: take a memory away, for now or for good."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console

from scrubjay import agents, home
from scrubjay.cli.opened import Opened, opened, reindex, row
from scrubjay.cli.output import SHA, DryRun, Json, Yes, plain, show, stdout, tilde
from scrubjay.cli.question import agreed
from scrubjay.errors import BadInput
from scrubjay.learn.forgetting import forget
from scrubjay.store.library import Stored


def command(
    memories: Annotated[list[str], typer.Argument(help="Ids, or the beginnings of them.")],
    purge: Annotated[bool, typer.Option("--purge", help="For good: evidence, index and history too. No undo.")] = False,
    reason: Annotated[str, typer.Option(help="Why, for the history.")] = "",
    yes: Yes = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Take memories away, for now or for good.

    Not learnt again from the same words; `jay undo` brings it back, unless it was purged.

    Example: [bold]jay forget m-7k2m --purge[/]
    """
    look = opened()
    ids, rows = _find(look, memories, purge)
    if purge and not yes and not dry_run:
        if json or not stdout.is_terminal:
            raise BadInput("a purge cannot be undone", at="--purge", hint="add --yes when you are sure")
        if not agreed(f"Purge {', '.join(ids)} for good, from the history too?"):
            raise BadInput("stopped; nothing was changed")
    if dry_run:
        data: dict[str, Any] = {"would_forget": [row(one) for one in rows], "purge": purge, "dry_run": True}
        show(data, json, lambda out: _listed(rows, out))
        return
    places = agents.own_memories(home.user_home(), os.environ)
    result = forget(look.home, look.library, ids, purge=purge, reason=reason, places=places)
    reindex(look)
    show(asdict(result), json, lambda out: _text(asdict(result), out))


def _find(look: Opened, wanted: list[str], purge: bool) -> tuple[list[str], list[Stored]]:
    """Full ids. A purge also takes ids that were forgotten before, which no file holds any more."""
    gone = {stone.memory for stone in look.library.tombstones.all()} if purge else set()
    rows = [look.library.get(one) for one in wanted if one not in gone]
    return [one for one in wanted if one in gone] + [one.memory.id for one in rows], rows


def _listed(rows: list[Stored], out: Console) -> None:
    for one in rows:
        out.print(f"would forget [dim]{one.memory.id}[/] {plain(one.memory.name)}")


def _text(result: dict[str, Any], out: Console) -> None:
    out.print(f"{'purged' if result['purged'] else 'forgotten'}: {', '.join(result['ids'])}")
    if result["undo"]:
        out.print(f"[dim]bring it back: jay undo {result['undo'][:SHA]}[/]")
    for place in result["out_of_reach"]:
        out.print(f"[yellow]still says it, out of reach:[/] {plain(tilde(place))}")
    for place in result["left"]:
        out.print(f"[red]still holds the text:[/] {plain(place)}")
    for note in result["notes"]:
        out.print(f"[dim]{plain(note)}[/]")
