"""`jay edit`: change a memory in your editor, or its aliases from the command line."""

from __future__ import annotations

import os
from dataclasses import asdict, replace
from typing import Annotated

import typer

from scrubjay import clock, memory
from scrubjay.cli.editor import edited
from scrubjay.cli.opened import opened, reindex
from scrubjay.cli.output import SHA, DryRun, Json, show
from scrubjay.errors import BadInput
from scrubjay.store.change import commit, rewrite


def command(
    wanted: Annotated[str, typer.Argument(metavar="MEMORY", help="Its id, or the beginning of it.")],
    alias: Annotated[list[str] | None, typer.Option(help="Add other words that people ask with.")] = None,
    body: Annotated[str, typer.Option(help="The new text.")] = "",
    name: Annotated[str, typer.Option(help="The new name.")] = "",
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Change a memory, or add words to find it by.

    Without options in your editor ($VISUAL, $EDITOR).

    Example: [bold]jay edit m-7k2m --alias "bastion timeout"[/]
    """
    look = opened()
    stored = look.library.get(wanted)
    old = stored.memory
    if alias or body or name:
        aliases = (*old.aliases, *(one for one in alias or () if one not in old.aliases))
        new = replace(old, aliases=aliases, body=body or old.body, name=name or old.name)
    else:
        new = _in_editor(stored.path, old)
    changed = new != old
    if changed and not dry_run:
        done = commit(
            look.home, [rewrite(stored, replace(new, updated=clock.text(clock.now())))], subject=f"edit {old.id}"
        )
        reindex(look)
        show(asdict(done), json, lambda out: out.print(f"edited {old.id}; [dim]jay undo {done.undo[:SHA]}[/]"))
        return
    text = "would change" if changed else "nothing changed"
    show({"id": old.id, "changed": changed, "dry_run": dry_run}, json, lambda out: out.print(f"{text}: {old.id}"))


def _in_editor(path: str, old: memory.Memory) -> memory.Memory:
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = edited(file.read(), suffix=".md")
    parsed = memory.parse(text.encode("utf-8", "surrogateescape"), name=os.path.basename(path))
    if parsed.problems:
        raise BadInput(f"the edited text does not read well: {parsed.problems[0]}", at=path, hint="nothing was changed")
    return replace(parsed.memory, id=old.id)
