"""`jay status`: what scrubjay holds and does."""

from __future__ import annotations

import os

from rich.console import Console

from scrubjay import home
from scrubjay.cli.output import Json, counted, plain, show, tilde
from scrubjay.status import Status, status


def command(json: Json = False) -> None:
    """What is remembered, what fired, what waits.

    And what is wrong.

    Example: [bold]jay status[/]
    """
    state = status(home.current(), os.getcwd())
    show(state.as_json(), json, lambda out: text(state, out))


def text(state: Status, out: Console) -> None:
    """The state for a person."""
    paused = (
        f"  [yellow]paused: {', '.join(plain(scope or 'everything') for scope in state.pauses)}[/]"
        if state.pauses
        else ""
    )
    out.print(f"[bold]scrubjay[/]  mode {state.mode}{paused}  [dim]{plain(tilde(state.home))}[/]")
    here = plain(state.project) if state.project else "no project"
    out.print(f"[bold]here[/]      {here}: " + (_counts(state.here) or "no memories"))
    out.print("[bold]in all[/]    " + (_counts(state.all) or "no memories"))
    for name, events in state.hooks.items():
        out.print(f"[bold]{name}[/]  " + (", ".join(f"{event} {at[:16].replace('T', ' ')}" for event, at in events.items())
                                          or "hooks never fired yet"))  # fmt: skip
    if state.last_learn:
        out.print(f"[bold]learnt[/]    {state.last_learn[:16].replace('T', ' ')}, {state.queue} jobs waiting")
    if state.turns_bytes:
        out.print(f"[bold]kept[/]      {state.turns_bytes / 1e6:.1f} MB of your prompts, redacted, for later learners")
    for one in state.similar:
        out.print(f"[yellow]looks like {plain(one.name)} ({counted(one.memories)}): jay relink {one.key}[/]")
    for problem in state.problems:
        out.print(f"[red]problem[/]   {plain(problem)}")
    out.print(f"\nNext: [bold]{state.next}[/]")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in counts.items() if number)
