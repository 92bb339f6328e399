"""`jay remember`: write one thing down by hand."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer
from rich.console import Console

from scrubjay import home
from scrubjay.cli.output import Json, plain, show, tilde
from scrubjay.errors import BadInput
from scrubjay.learn.remember import Remembered, Wish, remember
from scrubjay.operations import MemoryType, Scope

SAYS = {
    "created": "remembered",
    "pending": "waits for your review",
    "known": "known already; noted that you said it again",
    "superseded": "remembered; it replaces what was said before",
}


def command(
    text: Annotated[str, typer.Argument(help="What to remember; - reads it from standard input.")],
    user: Annotated[bool, typer.Option("--user", help="About you, for every project.")] = False,
    team: Annotated[bool, typer.Option("--team", help="Into the repository, for everyone who works on it.")] = False,
    kind: Annotated[str, typer.Option("--type", help="user, feedback, project or reference.")] = "",
    path: Annotated[list[str] | None, typer.Option(help="Only for this path of the repository.")] = None,
    alias: Annotated[list[str] | None, typer.Option(help="Other words that you may ask with.")] = None,
    name: Annotated[str, typer.Option(help="A short name; made from the text when left out.")] = "",
    json: Json = False,
) -> None:
    """Write one thing down by hand.

    The same checks as for learning: a secret is never written.

    Example: [bold]jay remember "deploys need the vpn job first" --path .github/workflows[/]
    """
    if user and team:
        raise BadInput("a memory is for you or for the team, not both", at="--user --team")
    if kind and kind not in MemoryType.__args__:  # type: ignore[attr-defined]  # a Literal has its values there
        raise BadInput(f"no type is called {kind!r}", at="--type", hint="user, feedback, project or reference")
    scope: Scope | None = "user" if user else "team" if team else None
    wish = Wish(
        text=sys.stdin.read() if text == "-" else text,
        cwd=os.getcwd(),
        scope=scope,
        type=kind or None,  # type: ignore[arg-type]  # checked above
        name=name,
        paths=tuple(path or ()),
        aliases=tuple(alias or ()),
    )
    result = remember(home.current(), wish)
    show({slot: getattr(result, slot) for slot in result.__slots__}, json, lambda out: _text(result, out))


def _text(result: Remembered, out: Console) -> None:
    out.print(f"[green]{SAYS[result.outcome]}[/]  [bold]{result.id}[/]  [dim]{plain(tilde(result.file))}[/]")
    for note in result.notes:
        out.print(f"  [yellow]{plain(note)}[/]")
    for old in result.replaced:
        out.print(f"  [dim]replaces {old}[/]")
