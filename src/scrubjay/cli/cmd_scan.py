"""`jay scan`: what scrubjay would keep of the sessions on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from scrubjay.cli.output import Json, progress, show
from scrubjay.cli.scan_screen import text
from scrubjay.scan import scan


def command(
    secrets: Annotated[bool, typer.Option("--secrets", help="Search every session for secrets, not a sample.")] = False,
    json: Json = False,
) -> None:
    """What it would keep of your sessions. Read-only.

    Nothing is written, nothing is sent, no key is needed.

    Example: [bold]jay scan --secrets[/]
    """
    with progress("reading sessions", json) as step:
        result = scan(all_secrets=secrets, step=step)
    show(result.as_json(), json, lambda out: text(result, out))
    if not result.agents:
        raise typer.Exit(1)
