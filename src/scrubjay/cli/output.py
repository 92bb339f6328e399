"""What every command shares: where text goes, how an error looks, the options that mean the same everywhere.

Standard output is data; notices, progress and errors go to standard error. Colours only on a terminal, and everything
reads without them.
"""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from scrubjay.errors import ScrubjayError

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change and write nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

stdout = Console(highlight=False, soft_wrap=True)
stderr = Console(stderr=True, highlight=False, soft_wrap=True)


def show(data: dict[str, Any], json: bool, text: Callable[[Console], None]) -> None:
    """Print `data` as one JSON object, or let `text` write for a person."""
    if json:
        # not through Rich: data is never wrapped, coloured or read as markup
        sys.stdout.write(jsonlib.dumps(data, ensure_ascii=False, indent=1) + "\n")
        sys.stdout.flush()
    else:
        text(stdout)


def plain(value: str) -> str:
    """Text from a memory or a transcript, safe to print: no Rich markup, no control characters (terminal escapes)."""
    return escape("".join(c if c.isprintable() or c in "\n\t" else "�" for c in value))


def failed(error: ScrubjayError, json: bool) -> int:
    """Show an error in its four fields; returns the exit code."""
    fields = {"error": error.what, "at": error.at, "rule": error.rule, "hint": error.hint}
    if json:
        sys.stdout.write(
            jsonlib.dumps({key: value for key, value in fields.items() if value}, ensure_ascii=False) + "\n"
        )
    else:
        stderr.print(f"[bold red]jay:[/] {plain(error.what)}")
        for field in ("at", "rule"):
            if fields[field]:
                stderr.print(f"  [dim]{field:<5}[/] {plain(fields[field])}")
        if error.hint:
            stderr.print(f"\n[bold]hint:[/] {plain(error.hint)}")
    return error.exit_code


Step = Callable[[str, int, int], None]
"""Progress of something long: what is at hand (a file), how many are done, how many there are."""


def _unseen(_what: str, _done: int, _total: int) -> None:
    """Progress where nobody watches."""


@contextmanager
def progress(title: str, json: bool) -> Iterator[Step]:
    """A bar on standard error, only on a terminal, gone when done."""
    if json or not stderr.is_terminal:
        yield _unseen
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=stderr, transient=True) as bar:
        task = bar.add_task(title, total=None)

        def step(_what: str, done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield step
