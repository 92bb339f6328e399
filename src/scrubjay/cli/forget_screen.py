"""What `jay forget` asks and says."""

from __future__ import annotations

import os
from typing import Any

from rich.console import Console

from scrubjay.cli.output import SHA, counted, plain, stdout, tilde
from scrubjay.cli.question import agreed
from scrubjay.errors import BadInput
from scrubjay.store.library import Stored


def sure(ids: list[str], *, purge: bool, many: bool) -> None:
    """Ask before a purge, and before all memories of a session or a time go. Raises `BadInput` at a no, and without a
    terminal to ask on."""
    if not (purge or many):
        return
    if not (stdout.is_terminal and os.isatty(0)):
        what = "a purge cannot be undone" if purge else f"{counted(len(ids))} would be forgotten"
        raise BadInput(what, at="--purge" if purge else "", hint="add --yes when you are sure, --dry-run to see them")
    which = ", ".join(ids) if len(ids) <= 5 else counted(len(ids))
    question = f"Purge {which} for good, from the history too?" if purge else f"Forget {which}?"
    if not agreed(question):
        raise BadInput("stopped; nothing was changed")


def listed(rows: list[Stored], partly: list[Stored], out: Console) -> None:
    """A dry run."""
    for one in rows:
        out.print(f"would forget [dim]{one.memory.id}[/] {plain(one.memory.name)}")
    _said_elsewhere(partly, out)


def told(result: dict[str, Any], partly: list[Stored], out: Console) -> None:
    """What was done, the way back, and where it still stands."""
    out.print(f"{'purged' if result['purged'] else 'forgotten'}: {', '.join(result['ids'])}")
    if result["undo"]:
        out.print(f"[dim]bring it back: jay undo {result['undo'][:SHA]}[/]")
    for place in result["out_of_reach"]:
        out.print(f"[yellow]still says it, out of reach:[/] {plain(tilde(place))}")
    for place in result["left"]:
        out.print(f"[red]still holds the text:[/] {plain(place)}")
    for note in result["notes"]:
        out.print(f"[dim]{plain(note)}[/]")
    _said_elsewhere(partly, out)


def _said_elsewhere(partly: list[Stored], out: Console) -> None:
    for one in partly:
        out.print(f"[yellow]stays, said elsewhere too:[/] [dim]{one.memory.id}[/] {plain(one.memory.name)}")
