"""`jay recall`: what a prompt would bring back."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer
from rich.console import Console

from scrubjay import settings
from scrubjay.cli.opened import fresh_index, opened
from scrubjay.cli.output import Json, plain, show
from scrubjay.inject.recall import Recall, Request, Seen, recall
from scrubjay.search.query import Row


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
    look = opened()
    index = fresh_index(look)
    request = Request(text, look.place, agent=agent, explain=explain)
    result = recall(request, index, settings.load(look.home.config), Seen())
    data: dict[str, Any] = {
        "block": result.block,
        "memories": [_row(one) for one in [*result.rules, *result.memories]],
        "left_out": [_rejected(one) for one in result.left_out],
        "reason": result.reason,
    }
    if explain:
        data["rejected"] = [_rejected(one) for one in result.rejected]
    show(data, json, lambda out: _text(result, explain, out))
    if not result.block:
        raise typer.Exit(1)


def _row(one: Row) -> dict[str, Any]:
    return {"id": one.id, "file": one.path, "score": one.score, "name": one.name, "type": one.type, "scope": one.scope,
            "trust": one.trust, "matched": list(one.matched)}  # fmt: skip


def _rejected(one: Any) -> dict[str, Any]:
    return {"id": one.id, "name": one.name, "filter": one.filter, "detail": one.detail, "score": one.score}


def _text(result: Recall, explain: bool, out: Console) -> None:
    for one in [*result.rules, *result.memories]:
        out.print(
            f"[green]{one.score:7.2f}[/] [bold]{plain(one.name)}[/]  [dim]{one.id} · matched {', '.join(one.matched)}[/]"
        )
        out.print("        " + plain(one.body).replace("\n", "\n        "))
    if not result.block:
        out.print(
            "Nothing: " + (f"the prompt is {result.reason}" if result.reason else "no memory answers this prompt.")
        )
    else:
        size = len(result.block)
        out.print(f"\n[dim]{size} characters would be injected, about {size // 4} tokens (in {os.getcwd()})[/]")
    rows = [("left out", one) for one in result.left_out] + [("rejected", one) for one in result.rejected if explain]
    for what, near in rows:
        out.print(f"[yellow]{what}[/] {plain(near.name)}  [dim]{near.id} · {near.filter}: {plain(near.detail)}[/]")
