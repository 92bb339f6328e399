"""`jay uninstall`: out of the agents' settings; the memories stay."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console

from scrubjay import home
from scrubjay.cli.output import DryRun, Json, plain, show
from scrubjay.errors import BadInput
from scrubjay.install import Removed, installers, mcp_entries, uninstall
from scrubjay.install.mcp_clients import CLIENTS


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
    known = sorted({*installers(), *CLIENTS, mcp_entries.NAME})
    for name in agents or ():
        if name not in known:
            raise BadInput(f"no agent is called {name!r}", at="AGENT", hint=f"agents: {', '.join(known)}")
    removed = uninstall(where, agents or (), dry_run=dry_run)
    data = {"removed": [asdict(one) for one in removed], "memories": where.memory, "dry_run": dry_run}
    show(data, json, lambda out: _text(removed, where.root, dry_run, out))
    if not removed:
        raise typer.Exit(1)


def _text(removed: list[Removed], root: str, dry_run: bool, out: Console) -> None:
    for one in removed:
        kept, lost = ("is", "were") if not dry_run else ("would be", "would be")
        did = f"{kept} as before" if one.restored else f"only our entries {lost} taken out"
        out.print(f"[bold]{plain(one.path)}[/] {did}" if one.restored else f"[bold]{plain(one.path)}[/]: {did}")
        if one.changed_since:
            out.print("[dim]what others changed there since stays:[/]\n" + plain(one.changed_since))
    if not removed:
        out.print("scrubjay stands in no agent's settings.")
    out.print(f"\nThe memories stay in {plain(root)}. To delete them too: [bold]rm -r {plain(root)}[/]")
