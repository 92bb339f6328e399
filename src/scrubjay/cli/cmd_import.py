"""`jay import`: bring over what agents already keep."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from scrubjay import home
from scrubjay.cli.import_screen import text
from scrubjay.cli.output import DryRun, Json, show
from scrubjay.errors import BadInput
from scrubjay.importing import importers
from scrubjay.importing.run import Wanted, bring_over


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCE]...", help="Agents, or files of instructions such as ./CLAUDE.md; none: every agent."
        ),
    ] = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Bring over what agents already keep.

    Their own memories, each note through the same checks as what is learnt; the originals stay as they are, and doing it
    again changes nothing.

    Example: [bold]jay import claude-code --dry-run[/]
    """
    known = importers()
    agents = [one for one in names or () if one in known]
    files = [os.path.abspath(os.path.expanduser(one)) for one in names or () if one not in known]
    for given, path in zip((one for one in names or () if one not in known), files, strict=True):
        if not os.path.isfile(path):
            what = "no such file" if os.sep in given or "." in given else f"nothing is imported from {given!r}"
            raise BadInput(what, at=given, hint=f"agents: {', '.join(known)}; or a path to a file of instructions")
    wanted = Wanted(cwd=os.getcwd(), agents=agents, files=files, dry_run=dry_run)
    report = bring_over(home.current(), wanted)
    show(report.as_json(), json, lambda out: text(report, out))
