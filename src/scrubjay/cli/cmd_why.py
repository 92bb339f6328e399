"""`jay why`: the proof of one memory."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console

from scrubjay.cli.opened import opened, row
from scrubjay.cli.output import Json, plain, show
from scrubjay.store import history
from scrubjay.store.library import Library, Stored

SAID_BY = {
    "user": "you",
    "machine": "a program's prompt",
    "assistant": "the agent",
    "tool": "a tool's output",
    "external": "someone else",
}


def command(memory: Annotated[str, typer.Argument(help="Its id, or the beginning of it.")], json: Json = False) -> None:
    """Show where a memory comes from: whose words, when, in which session, and what became of it.

    Example: [bold]jay why m-7k2m[/]
    """
    look = opened()
    stored = look.library.get(memory)
    evidence = look.library.evidence(stored.memory.evidence)
    changes = history.log(look.home, limit=10, id=stored.memory.id)
    data: dict[str, Any] = {
        "memory": row(stored),
        "evidence": [{**asdict(one), "source_there": os.path.exists(one.file)} for one in evidence],
        "replaces": list(stored.memory.supersedes),
        "replaced_by": stored.memory.superseded_by or stored.memory.merged_into,
        "history": [{"at": one.at, "subject": one.subject, "sha": one.sha} for one in changes],
    }
    show(data, json, lambda out: text(stored, data, look.library, out))


def text(stored: Stored, data: dict[str, Any], library: Library, out: Console) -> None:
    """The proof for a person."""
    memory = stored.memory
    out.print(
        f"[bold]{plain(memory.name)}[/]  [dim]{memory.id} · {memory.type} · {memory.status} · trust {stored.effective_trust}[/]"
    )
    out.print("  " + plain(memory.body).replace("\n", "\n  "))
    if memory.reason:
        out.print(f"  [yellow]{memory.status} because:[/] {plain(memory.reason)}")
    for one in data["evidence"]:
        out.print(f"\n[green]“{plain(one['quote'])}”[/]")
        out.print(f"  said by {SAID_BY.get(one['origin'], one['origin'])} on {one['at'][:16].replace('T', ' ')} "
                  f"in {one['agent']} session {one['session'][:8]}")  # fmt: skip
        gone = "" if one["source_there"] else "  [dim](the agent has deleted it; this quote is what is left)[/]"
        out.print(f"  [dim]{plain(one['file'])}, byte {one['offset']}[/]{gone}")
    if not data["evidence"]:
        out.print(f"\nNo session stands behind it: written by {memory.by}" + (" by hand" if stored.hand_made else ""))
    for old in data["replaces"]:
        name = library.get(old).memory.name if library.has(old) else "forgotten"
        out.print(f"\nreplaces [dim]{old}[/] {plain(name)}")
    if data["replaced_by"]:
        out.print(f"\nreplaced by [dim]{data['replaced_by']}[/]")
    for change in data["history"]:
        out.print(f"[dim]{change['at'][:16].replace('T', ' ')}  {plain(change['subject'])}[/]")
