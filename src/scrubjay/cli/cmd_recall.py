"""`jay recall`: what a prompt would bring back."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console

from scrubjay import settings
from scrubjay.cli.opened import fresh_index, here
from scrubjay.cli.output import Json, fitted, para, plain, show
from scrubjay.inject.recall import Recall, Request, Seen, recall
from scrubjay.search.query import Row

WHY_NOT = {
    "machine-made": "no person typed this prompt",
    "long-paste": "the prompt is a long paste",
    "disabled": "recall is switched off (`jay config recall.enabled`, `jay config mode`)",
    "no-index": "there are no memories yet",
    "no-words": "the prompt holds no word to look for",
}
"""`Recall.reason` in words."""


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
    result = recall(request, fresh_index(where, place), settings.load(where.config), Seen())
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
        out.print(f"[bold green]{fitted(one.name, out)}[/]")
        para(out, one.body)
        out.print(
            f"  [dim]{one.id} · {one.type} · score {one.score:.2f} · matched {plain(', '.join(one.matched)) or 'by place'}[/]"
        )
    if result.block:
        out.print(f"\n[dim]{len(result.block)} characters would be injected, about {len(result.block) // 4} tokens[/]")
    else:
        out.print(f"Nothing: {WHY_NOT.get(result.reason, result.reason) or 'no memory answers this prompt'}.")
    rows = [("left out, no room", one) for one in result.left_out]
    for what, near in rows + [("close", one) for one in result.rejected if explain]:
        out.print(f"\n[yellow]{what}[/]  {fitted(near.name, out, used=len(what) + 2)}")
        out.print(f"  [dim]{near.id} · stopped by {near.filter}{': ' + plain(near.detail) if near.detail else ''}[/]")
    if explain and not result.rejected:
        out.print("[dim]nothing else came close[/]")
