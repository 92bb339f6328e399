"""`jay context`: the resident block, as a session that starts here would get it."""

from __future__ import annotations

from typing import Annotated

import typer

from scrubjay import settings
from scrubjay.cli.opened import fresh_index, here
from scrubjay.cli.output import Json, plain, show, stderr
from scrubjay.inject.resident import resident


def command(
    agent: Annotated[str, typer.Option(help="As this agent would get it.")] = "claude-code", json: Json = False
) -> None:
    """What every session that starts here begins with.

    The same memories give the same bytes.

    Example: [bold]jay context[/]
    """
    where, place = here()
    with fresh_index(where, place) as index:
        block = resident(index, place, settings.load(where.config), agent=agent)
    data = {"block": block.text, "memories": block.ids, "rules": block.rule_ids, "left_out": block.left_out}
    show(data, json, lambda out: out.print(plain(block.text)) if block.text else None)
    if not block.text:
        if not json:
            stderr.print("Nothing: a session that starts here gets no block.")
        raise typer.Exit(1)
    if not json:
        stderr.print(f"[dim]{len(block.text)} characters, about {len(block.text) // 4} tokens[/]")
