"""`jay demo`: what scrubjay does, on recorded sessions, in a temporary home."""

from __future__ import annotations

from scrubjay.cli.demo_screen import text
from scrubjay.cli.output import Json, show
from scrubjay.demo import demo


def command(json: Json = False) -> None:
    """All of it on recorded sessions; yours stay untouched.

    Sessions of three agents in a temporary home: what is kept, refused, brought back, and one memory's proof.

    Example: [bold]jay demo[/]
    """
    result = demo()
    show(result.as_json(), json, lambda out: text(result, out))
