"""`jay uninstall`: out of the agents' settings; the memories stay."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console

from scrubjay import home
from scrubjay.cli.output import DryRun, Json, plain, show
from scrubjay.errors import BadInput
from scrubjay.install import Removed, installers, uninstall


def command(
    agents: Annotated[list[str] | None, typer.Argument(metavar="[AGENT]...", help="Only these; else all.")] = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Out of the agents' settings; the memories stay.

    A file that nobody changed since gets its old bytes back; else only our entries go.

    Example: [bold]jay uninstall --dry-run[/]
    """
    where = home.current()
    for name in agents or ():
        if name not in installers():
            hint = f"agents: {', '.join(installers())}"
            raise BadInput(f"no agent with hooks is called {name!r}", at="AGENT", hint=hint)
    removed = uninstall(where, agents or (), dry_run=dry_run)
    data = {"removed": [asdict(one) for one in removed], "memories": where.memory, "dry_run": dry_run}
    show(data, json, lambda out: _text(removed, where.root, dry_run, out))
    if not removed:
        raise typer.Exit(1)


def _text(removed: list[Removed], root: str, dry_run: bool, out: Console) -> None:
    for one in removed:
        did = "would be as before" if dry_run else "is as before" if one.restored else "only our entries were taken out"
        out.print(f"[bold]{plain(one.path)}[/] {did}")
        if one.changed_since:
            out.print("[dim]what others changed there since stays:[/]\n" + plain(one.changed_since))
    if not removed:
        out.print("scrubjay stands in no agent's settings.")
    out.print(f"\nThe memories stay in {plain(root)}. To delete them too: [bold]rm -r {plain(root)}[/]")
