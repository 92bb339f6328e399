"""`jay last`: what this directory's newest session was given, and why."""

from __future__ import annotations

import json as jsonlib
import os
from typing import Any

import typer
from rich.console import Console

from scrubjay import home
from scrubjay.cli.output import Json, counted, fitted, minute, plain, show
from scrubjay.cli.recall_screen import WHY_NOT
from scrubjay.ledger import Ledger
from scrubjay.store.library import Library

CHANNELS = {"resident": "at its start", "recall": "on a prompt"}
SHOWN = 8


def command(json: Json = False) -> None:
    """What this directory's newest session was given.

    Prompt by prompt, and why.

    Example: [bold]jay last[/]
    """
    where = home.current()
    rows: list[dict[str, Any]] = []
    if os.path.exists(where.ledger):
        with Ledger.open(where.ledger) as ledger:
            rows = [{**row, "detail": _decoded(row["detail"])} for row in ledger.last(os.path.realpath(os.getcwd()))]
    show({"given": rows}, json, lambda out: _text(rows, _names(rows), out))
    if not rows:
        raise typer.Exit(1)


def _decoded(detail: object) -> Any:
    try:
        return jsonlib.loads(str(detail))
    except ValueError:
        return {}


def _names(rows: list[dict[str, Any]]) -> dict[str, str]:
    if not rows:
        return {}
    library = Library.open(home.current(), repos=[os.getcwd()], take_in=False)
    return {one.memory.id: one.memory.name for one in library.memories()}


def _text(rows: list[dict[str, Any]], names: dict[str, str], out: Console) -> None:
    if not rows:
        out.print("No session of this directory was given anything yet (see `jay doctor`).")
        return
    out.print(f"[bold]{rows[0]['agent']}[/] session {plain(str(rows[0]['session'])[:8])}")
    for row in reversed(rows):
        detail = row["detail"] if isinstance(row["detail"], dict) else {}
        ids, reason = detail.get("ids") or [], str(detail.get("reason") or "")
        what = f"{counted(len(ids))}, {detail.get('chars', 0)} characters" if ids else "nothing"
        why = "" if ids else f": {WHY_NOT.get(reason, reason) or 'no memory answered'}"
        channel = CHANNELS.get(str(row["channel"]), row["channel"])
        out.print(f"\n[dim]{minute(str(row['at']))}[/] [bold]{channel}[/] {what}{plain(why)}")
        for one in ids[:SHOWN]:
            out.print(f"  [dim]{one}[/] {fitted(names.get(one, '(gone since)'), out, used=16)}")
        if len(ids) > SHOWN:
            out.print(f"  [dim]and {len(ids) - SHOWN} more: jay last --json[/]")
        left = detail.get("left_out") or {}
        if left and any(left.values() if isinstance(left, dict) else left):
            out.print(f"  [yellow]left out:[/] {plain(jsonlib.dumps(left))}")
