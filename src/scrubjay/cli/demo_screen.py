"""The screen of `jay demo`: one screen, on which every line is real output of the library."""

from __future__ import annotations

from rich.console import Console

from scrubjay.cli.output import day, fitted, plain
from scrubjay.cli.why_screen import quotes
from scrubjay.demo import Demo
from scrubjay.learn.report import Learnt, Refusal

SHOWN_KEPT = 6
SHOWN_REFUSED = ("secret", "injection", "question", "pasted", "temporary", "hypothetical", "quoted")
MOST_REFUSED = 5


def text(result: Demo, out: Console) -> None:
    """Sessions, kept, refused, a prompt's recall, one proof."""
    for one in result.sessions:
        out.print(f"[bold]{one.title:<12}[/] session of {one.date}, {one.prompts} prompts")
    _kept(result, out)
    _refused(result, out)
    for asked in result.recall:
        out.print(f"\n[bold]Later, in any agent:[/] {plain(asked.prompt)}")
        for _, name, _body in asked.memories:
            out.print(f"  [green]←[/] {fitted(name, out, used=4)}")
        if not asked.memories:
            out.print("  [dim]nothing comes back: no memory answers this[/]")
    stored = result.why.stored.memory
    out.print(f"\n[bold]jay why[/] {stored.id}  {fitted(stored.name, out, used=24)}")
    quotes(result.why, out)
    out.print("\nAll of it happened in a temporary home that is gone now. On your own sessions: [bold]jay scan[/]")


def _kept(result: Demo, out: Console) -> None:
    out.print(
        f"\n[bold]Kept {len(result.kept)}[/], {len(result.waiting)} wait for a yes, {len(result.replaced)} replaced"
    )
    for one in chosen(result):
        out.print(f"  [green]{one.type:<9}[/] [bold]{fitted(one.name, out, used=12)}[/]")
        said = f"{one.agent}, {day(one.at)}"
        out.print(f"            [dim]“{fitted(one.quote, out, used=16 + len(said))}” {said}[/]")


def chosen(result: Demo) -> list[Learnt]:
    """A few that show the range: one of each type and agent first."""
    shown: list[Learnt] = []
    for distinct in (True, False):
        for one in sorted(result.kept, key=lambda one: len(one.quote)):
            new = (one.type, one.agent) not in {(other.type, other.agent) for other in shown}
            if one not in shown and len(shown) < SHOWN_KEPT and (new or not distinct):
                shown.append(one)
    return shown


def _refused(result: Demo, out: Console) -> None:
    out.print(f"\n[bold]Refused {len(result.refused)}[/], for example")
    for rule in SHOWN_REFUSED[:MOST_REFUSED]:
        found = next((one for one in result.refused if one.rule.split("/")[0] == rule), None)
        if found:
            _refusal(found, out)


def _refusal(one: Refusal, out: Console) -> None:
    text = f"“{fitted(one.text, out, used=36)}”" if one.text else "[dim](its text is kept nowhere)[/]"
    out.print(f"  [yellow]{one.rule:<12}[/] {text} [dim]{one.agent}, {day(one.at)}[/]")
