"""`jay edit`: change a memory in your editor, or its aliases from the command line."""

from __future__ import annotations

import os
from dataclasses import asdict, replace
from typing import Annotated

import typer

from scrubjay import clock, memory
from scrubjay.cli.editor import edited, offer_again
from scrubjay.cli.opened import Opened, opened, reindex
from scrubjay.cli.output import SHA, DryRun, Json, show
from scrubjay.errors import BadInput, ScrubjayError
from scrubjay.store.change import Committed, commit, rewrite
from scrubjay.store.library import Stored


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
        done = _change(look, stored, new, dry_run)
    else:
        new, done = _in_editor(look, stored, dry_run)
    if done:
        show(asdict(done), json, lambda out: out.print(f"edited {old.id}; [dim]jay undo {done.undo[:SHA]}[/]"))
        return
    text = "would change" if new != old else "nothing changed"
    show({"id": old.id, "changed": new != old, "dry_run": dry_run}, json, lambda out: out.print(f"{text}: {old.id}"))


def _change(look: Opened, stored: Stored, new: memory.Memory, dry_run: bool) -> Committed | None:
    """Write it down; None when nothing differs or nothing may be written."""
    if new == stored.memory or dry_run:
        return None
    updated = replace(new, updated=clock.text(clock.now()))
    done = commit(look.home, [rewrite(stored, updated)], subject=f"edit {new.id}")
    reindex(look)
    return done


def _in_editor(look: Opened, stored: Stored, dry_run: bool) -> tuple[memory.Memory, Committed | None]:
    """What the person made of the file. When it is refused their words are not lost: the editor opens on them again."""
    with open(stored.path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    while True:
        text = edited(text, suffix=".md")
        try:
            parsed = memory.parse(text.encode("utf-8", "surrogateescape"), name=os.path.basename(stored.path))
            if parsed.problems:
                hint = "nothing was changed"
                raise BadInput(f"the edited text does not read well: {parsed.problems[0]}", at=stored.path, hint=hint)
            new = replace(parsed.memory, id=stored.memory.id)
            return new, _change(look, stored, new, dry_run)
        except ScrubjayError as error:
            kept = offer_again(text, error)
            if not kept:
                raise
            stored = opened().library.get(stored.memory.id)
