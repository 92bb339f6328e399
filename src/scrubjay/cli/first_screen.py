"""`jay` alone: the state and the one next command."""

from __future__ import annotations

import os

from scrubjay import home
from scrubjay.cli.cmd_status import text
from scrubjay.cli.output import stdout
from scrubjay.status import status


def first_screen() -> None:
    """Print it."""
    where = home.current()
    if not os.path.isdir(where.root):
        stdout.print("[bold]scrubjay[/]: one long-term memory for all of your coding agents. Nothing is set up yet.")
        stdout.print("\nNext: [bold]jay scan[/]  [dim](read-only: what it would keep of your sessions)[/]")
        return
    text(status(where, os.getcwd()), stdout)
