"""The screen of `jay demo`: one screen, on which every line is what the library really did."""

from __future__ import annotations

from rich.console import Console

from scrubjay.cli.output import counted, day, fitted, plain, say
from scrubjay.cli.why_screen import SAID_BY, quotes
from scrubjay.demo import Demo
from scrubjay.learn.report import Learnt
from scrubjay.learn.rulebook import REFUSALS

SHOWN_KEPT = {"user": 1, "feedback": 2, "project": 2}
SHOWN_REFUSED = ("secret", "injection", "question", "temporary", "hypothetical")
TELLING_CHARS = 80
"""A quote of about this length says most on one line."""


def text(result: Demo, out: Console) -> None:
    """Sessions, kept, refused, what three prompts bring back, one proof."""
    say(out, "Recorded sessions of one project (a script typed the prompts; here they count as a person's):")
    for one in result.sessions:
        out.print(f"  {one.date}  [bold]{one.title:<12}[/] {one.prompts} prompts")
    _kept(result, out)
    _refused(result, out)
    out.print("\n[bold]Later, in a new session:[/]")
    for asked in result.recall:
        out.print(f"  > {plain(asked.prompt)}")
        for _, name, body in asked.memories:
            out.print(f"    [green]{fitted(body or name, out, used=4)}[/]")
        if not asked.memories:
            out.print("    [dim]nothing: no memory answers this[/]")
    memory = result.why.stored.memory
    out.print(f"\n[bold]jay why {memory.id}[/]")
    quotes(result.why, out, {**SAID_BY, "machine": "the person"})
    for _, name in result.why.replaces:
        out.print(f"  replaces: {fitted(name, out, used=12)}")
    say(out, "\nIt happened in a temporary home, gone by now. On your own sessions, read-only: [bold]jay scan[/]")


def _kept(result: Demo, out: Console) -> None:
    waiting, replaced = len(result.waiting), len(result.replaced)
    say(
        out,
        f"\n[bold]Kept {counted(len(result.kept))}[/]; {waiting} wait for a yes, {replaced} replaced by a later word",
    )
    for one in chosen(result):
        said = f"{one.agent} {day(one.at)}"
        out.print(f"  [green]{one.type:<9}[/] [bold]{fitted(one.name, out, used=16 + len(said))}[/]  [dim]{said}[/]")
        out.print(f"            “{fitted(one.quote, out, used=14)}”")


def chosen(result: Demo) -> list[Learnt]:
    """A few that show the range: each type, of different agents where possible, with a quote that fits a line."""
    shown: list[Learnt] = []
    for kind, most in SHOWN_KEPT.items():
        rows = sorted(
            (one for one in result.kept if one.type == kind), key=lambda one: abs(len(one.quote) - TELLING_CHARS)
        )
        firsts = [one for number, one in enumerate(rows) if one.agent not in {two.agent for two in rows[:number]}]
        shown += (firsts + [one for one in rows if one not in firsts])[:most]
    return sorted(shown, key=lambda one: one.at)


def _refused(result: Demo, out: Console) -> None:
    out.print(f"\n[bold]Refused {counted(len(result.refused), 'clause', 'clauses')}[/], such as")
    for rule in SHOWN_REFUSED:
        found = next((one for one in result.refused if one.rule == rule), None)
        if found:
            what = f"“{found.text}”" if found.text else REFUSALS[rule]
            said = f"{found.agent} {day(found.at)}"
            out.print(f"  [yellow]{rule:<12}[/] {fitted(what, out, used=17 + len(said))}  [dim]{said}[/]")
    leaks = f"{result.secrets_found} hold one" if result.secrets_found else "none holds one"
    of = f"the {result.secrets} secrets of these sessions"
    say(out, f"  [dim]every file written was searched for {of}: {leaks}[/]")
