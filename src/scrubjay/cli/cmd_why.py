"""`jay why`: the proof of one memory."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from scrubjay.cli.opened import opened, row
from scrubjay.cli.output import Json, show
from scrubjay.cli.why_screen import text
from scrubjay.why import Proof, why


def command(memory: Annotated[str, typer.Argument(help="Its id, or the beginning of it.")], json: Json = False) -> None:
    """The proof: whose words, when, in which session.

    And what became of it since: what it replaced, what replaced it, every change to its file.

    Example: [bold]jay why m-7k2m[/]
    """
    proof = why(opened().library, memory)
    show(as_json(proof), json, lambda out: text(proof, out))


def as_json(proof: Proof) -> dict[str, Any]:
    """The proof as JSON-able values."""
    return {
        "memory": row(proof.stored),
        "evidence": [{**asdict(one), "source_there": one.file not in proof.gone} for one in proof.evidence],
        "replaces": [key for key, _ in proof.replaces],
        "replaced_by": proof.replaced_by,
        "history": [{"at": one.at, "subject": one.subject, "sha": one.sha} for one in proof.changes],
    }
