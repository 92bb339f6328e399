"""`jay last`: what this directory's newest session was given, and why."""

from __future__ import annotations

import json as jsonlib
import os
from typing import Any

import typer
from rich.console import Console

from scrubjay import home
from scrubjay.cli.output import Json, plain, show
from scrubjay.ledger import Ledger


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
    show({"given": rows}, json, lambda out: _text(rows, out))
    if not rows:
        raise typer.Exit(1)


def _decoded(detail: object) -> Any:
    try:
        return jsonlib.loads(str(detail))
    except ValueError:
        return detail


def _text(rows: list[dict[str, Any]], out: Console) -> None:
    if not rows:
        out.print("No session of this directory was given anything yet (see `jay doctor`).")
        return
    out.print(f"[bold]{rows[0]['agent']}[/] session [dim]{rows[0]['session']}[/]")
    for row in reversed(rows):
        out.print(f"\n[dim]{str(row['at'])[:16].replace('T', ' ')}[/] [bold]{row['channel']}[/]")
        detail = row["detail"] if isinstance(row["detail"], dict) else {"": row["detail"]}
        for key, value in detail.items():
            items = value if isinstance(value, list) else [value]
            out.print(
                f"  {key}: "
                + plain(", ".join(one if isinstance(one, str) else jsonlib.dumps(one) for one in items) or "none")
            )
