"""`jay pause`: no learning and no recall for a while."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Annotated

import typer

from scrubjay import clock, home, projects
from scrubjay.cli.output import Json, plain, show
from scrubjay.errors import BadInput
from scrubjay.ledger import Ledger

UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def command(
    time: Annotated[
        str, typer.Argument(metavar="[FOR]", help="30m, 2h or 1d; left out: until you say otherwise.")
    ] = "",
    here: Annotated[bool, typer.Option("--here", help="Only this directory's project.")] = False,
    off: Annotated[bool, typer.Option("--off", help="Go on.")] = False,
    json: Json = False,
) -> None:
    """No learning and no recall for a while.

    Everywhere, or only in this project. Nothing is deleted.

    Example: [bold]jay pause 2h --here[/]
    """
    where, now = home.current(), clock.now()
    place = projects.resolve(where, os.getcwd(), create=False) if here else None
    scope = (place.project or place.root or place.cwd) if place else ""
    until = ""
    if time:
        if time[-1] not in UNITS or not time[:-1].isdigit():
            raise BadInput(f"not a length of time: {time!r}", hint="write 30m, 2h or 1d")
        until = clock.text(now + timedelta(**{UNITS[time[-1]]: int(time[:-1])}))
    with Ledger.open(where.ledger) as ledger:
        if off:
            ledger.resume(scope)
        else:
            ledger.pause(scope, until)
        pauses = ledger.pauses(at=clock.text(now))
    what = scope or "everything"
    end = f"until {until}" if until else "until `jay pause --off" + (" --here`" if here else "`")
    says = f"going on: {plain(what)}" if off else f"paused: {plain(what)} {end}"
    show({"pauses": pauses}, json, lambda out: out.print(says))
