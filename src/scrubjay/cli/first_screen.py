"""`jay` alone: the state and the one next command."""

from __future__ import annotations

import os

from rich.console import Console

from scrubjay import home
from scrubjay.cli.cmd_status import text
from scrubjay.cli.output import show
from scrubjay.status import Status, status


def first_screen(json: bool) -> None:
    """Print it."""
    state = status(home.current(), os.getcwd())
    show(state.as_json(), json, lambda out: _text(state, out))


def _text(state: Status, out: Console) -> None:
    if os.path.isdir(state.home):
        text(state, out)
        return
    out.print("[bold]scrubjay[/]: one long-term memory for all of your coding agents. Nothing is set up yet.")
    out.print("\nNext: [bold]jay scan[/]  [dim](read-only: what it would keep of your sessions)[/]")
    out.print("or    [bold]jay demo[/]  [dim](the same on recorded sessions, in a temporary home)[/]")
