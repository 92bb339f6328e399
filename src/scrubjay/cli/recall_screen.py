"""The screen of `jay recall`."""

from __future__ import annotations

from rich.console import Console

from scrubjay.cli.output import fitted, para, plain
from scrubjay.inject.recall import Recall
from scrubjay.search.spoken import spoken

WHY_NOT = {
    "machine-made": "no person typed this prompt",
    "long-paste": "the prompt is a long paste",
    "disabled": "recall is switched off (`jay config mode`, `jay config recall.enabled`)",
    "no-index": "there are no memories yet",
    "no-words": "the prompt holds no word to look for",
}
"""`Recall.reason` in words."""


def text(prompt: str, result: Recall, explain: bool, out: Console) -> None:
    """What would be injected, or why nothing; with `explain` also what came close and what stopped it."""
    for one in [*result.rules, *result.memories]:
        out.print(f"[bold green]{fitted(one.name, out)}[/]")
        para(out, one.body)
        matched = plain(", ".join(spoken(prompt, one.matched))) or "by place"
        out.print(f"  [dim]{one.id} · {one.type} · score {one.score:.2f} · matched {matched}[/]")
    if result.block:
        out.print(f"\n[dim]{len(result.block)} characters would be injected, about {len(result.block) // 4} tokens[/]")
    else:
        out.print(f"Nothing: {WHY_NOT.get(result.reason, result.reason) or 'no memory answers this prompt'}.")
    rows = [("left out", one) for one in result.left_out]
    for what, near in rows + [("close", one) for one in result.rejected if explain]:
        out.print(f"\n[yellow]{what}[/]  {fitted(near.name, out, used=len(what) + 2)}")
        out.print(f"  [dim]{near.id} · stopped by {near.filter}{': ' + plain(near.detail) if near.detail else ''}[/]")
    if explain and not result.rejected:
        out.print("[dim]Nothing else came close.[/]")
