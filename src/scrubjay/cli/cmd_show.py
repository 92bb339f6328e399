"""`jay show`: one memory."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.console import Console

from scrubjay.cli.opened import opened, row
from scrubjay.cli.output import Json, because, para, plain, show, tilde
from scrubjay.store.library import Stored


def command(
    memory: Annotated[str, typer.Argument(help="Its id, or the beginning of it.")],
    md: Annotated[bool, typer.Option("--md", help="The file as it stands on disk.")] = False,
    json: Json = False,
) -> None:
    """One memory.

    With `--md` its file as it stands on disk.

    Example: [bold]jay show m-7k2m --md[/]
    """
    stored = opened().library.get(memory)
    if md and not json:
        with open(stored.path, "rb") as file:
            sys.stdout.buffer.write(file.read())
        return
    show(row(stored), json, lambda out: _text(stored, out))


def _text(stored: Stored, out: Console) -> None:
    memory = stored.memory
    state = memory.status + (f" ({because(memory.reason)})" if memory.reason else "")
    out.print(f"[bold]{plain(memory.name)}[/]  [dim]{memory.id}[/]")
    para(out, memory.description, indent=0, style="dim")
    out.print()
    para(out, memory.body)
    out.print()
    rows = {"type": memory.type, "status": state, "scope": f"{stored.store.scope} {stored.store.project}".strip(),
            "trust": stored.effective_trust, "observed": memory.observed, "paths": ", ".join(memory.paths),
            "also asked as": ", ".join(memory.aliases), "file": tilde(stored.path)}  # fmt: skip
    for key, value in rows.items():
        if value:
            out.print(f"[dim]{key:<13}[/] {plain(value)}")
    for problem in stored.problems:
        out.print(f"[yellow]problem[/]       {plain(problem)}")
    out.print(f"\n[dim]proof: jay why {memory.id}[/]")
