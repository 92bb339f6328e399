"""`jay ingest`: learn from a session that no agent's folder holds, in the format for builders of agents."""

from __future__ import annotations

import os
import sys
from typing import Annotated, BinaryIO

import typer

from scrubjay import home
from scrubjay.agents.neutral import STANDARD_INPUT, Neutral, neutral_source
from scrubjay.cli.cmd_learn import text
from scrubjay.cli.output import DryRun, Json, show
from scrubjay.errors import BadInput
from scrubjay.learn.pipeline import learn_given


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A scrubjay.session/1 file; - reads standard input.")],
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Learn from a session that you hand over.

    For agents that scrubjay does not know: JSON Lines as docs/session-1.schema.json has them. A wrong line is told and
    nothing is learnt; the same again changes nothing; standard input is kept nowhere.

    Example: [bold]jay ingest session.jsonl --dry-run[/]
    """
    if file == STANDARD_INPUT:
        report = learn_given(home.current(), Neutral(sys.stdin.buffer), neutral_source(file), dry_run=dry_run)
    else:
        path = os.path.abspath(file)
        with _opened(path) as stream:
            report = learn_given(home.current(), Neutral(stream), neutral_source(path), dry_run=dry_run)
    show(report.as_json(), json, lambda out: text(report, out))


def _opened(path: str) -> BinaryIO:
    try:
        return open(path, "rb")
    except FileNotFoundError as error:
        raise BadInput("no such file", at=path) from error
    except IsADirectoryError as error:
        raise BadInput("a folder, not a file", at=path, hint="one file is one session") from error
