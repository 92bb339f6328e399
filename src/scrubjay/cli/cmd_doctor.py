"""`jay doctor`: does everything really work?"""

from __future__ import annotations

from dataclasses import asdict

import typer
from rich.console import Console

from scrubjay import home
from scrubjay.cli.output import Json, plain, show
from scrubjay.doctor import Check, doctor

SIGNS = {"ok": "[green]ok[/]      ", "warning": "[yellow]warning[/] ", "error": "[red]error[/]   "}


def command(json: Json = False) -> None:
    """Try every part for real and say what mends it.

    Exit code 2 when something is broken.

    Example: [bold]jay doctor[/]
    """
    checks = doctor(home.current())
    show({"checks": [asdict(one) for one in checks]}, json, lambda out: _text(checks, out))
    if any(one.state == "error" for one in checks):
        raise typer.Exit(2)


def _text(checks: list[Check], out: Console) -> None:
    for one in checks:
        out.print(f"{SIGNS[one.state]} [bold]{plain(one.name)}[/]  {plain(one.detail)}")
        if one.remedy:
            out.print(f"           [dim]→[/] [bold]{plain(one.remedy)}[/]")
