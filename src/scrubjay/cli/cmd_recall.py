"""`jay recall`: what a prompt would bring back."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from scrubjay import settings
from scrubjay.cli.opened import fresh_index, here
from scrubjay.cli.output import Json, show
from scrubjay.cli.recall_screen import text as screen
from scrubjay.inject.recall import Request, Seen, recall
from scrubjay.search.query import Row
from scrubjay.search.spoken import spoken


def command(
    text: Annotated[str, typer.Argument(help="A prompt, as you would type it to an agent.")],
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the best rejected ones and what stopped each.")
    ] = False,
    agent: Annotated[str, typer.Option(help="As this agent would see it.")] = "",
    json: Json = False,
) -> None:
    """What a prompt here would bring back.

    Often nothing, and then nothing is injected (exit code 1).

    Example: [bold]jay recall "deploy times out at the bastion" --explain[/]
    """
    where, place = here()
    request = Request(text, place, agent=agent, explain=explain)
    with fresh_index(where, place) as index:
        result = recall(request, index, settings.load(where.config), Seen())
    data: dict[str, Any] = {
        "block": result.block,
        "memories": [_row(one, text) for one in [*result.rules, *result.memories]],
        "left_out": [_rejected(one) for one in result.left_out],
        "reason": result.reason,
    }
    if explain:
        data["rejected"] = [_rejected(one) for one in result.rejected]
    show(data, json, lambda out: screen(text, result, explain, out))
    if not result.block:
        raise typer.Exit(1)


def _row(one: Row, prompt: str) -> dict[str, Any]:
    return {"id": one.id, "file": one.path, "score": one.score, "name": one.name, "type": one.type, "scope": one.scope,
            "trust": one.trust, "matched": spoken(prompt, one.matched)}  # fmt: skip


def _rejected(one: Any) -> dict[str, Any]:
    return {"id": one.id, "name": one.name, "filter": one.filter, "detail": one.detail, "score": one.score}
