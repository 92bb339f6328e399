"""`jay scan`: what scrubjay would keep of the sessions on this machine."""

from __future__ import annotations

import os
import textwrap
from typing import Annotated

import typer
from rich.console import Console

from scrubjay import home
from scrubjay.cli.output import Json, plain, progress, show
from scrubjay.scan import Scan, scan


def command(
    secrets: Annotated[bool, typer.Option("--secrets", help="Search every session for secrets, not a sample.")] = False,
    json: Json = False,
) -> None:
    """Look at the agents' sessions on this machine. Read-only: nothing is written, nothing is sent.

    Example: [bold]jay scan --secrets[/]
    """
    with progress("reading sessions", json) as step:
        result = scan(all_secrets=secrets, step=step)
    show(result.as_json(), json, lambda out: _text(result, out))
    if not result.agents:
        raise typer.Exit(1)


def _text(result: Scan, out: Console) -> None:
    for found in result.agents:
        size = f"{found.files:>5} sessions  {found.bytes / 1e6:>7.1f} MB"
        line = f"[bold]{found.title:<12}[/] {size}  {found.oldest} to {found.newest}"
        out.print(line + (f"  [yellow]{found.unreadable} not readable[/]" if found.unreadable else ""))
    for name in result.not_readable_yet:
        out.print(f"[bold]{name:<12}[/] [dim]found; its sessions are not readable yet[/]")
    if not result.agents:
        out.print("No sessions of Claude Code, Codex or Qwen Code under", plain(home.user_home()))
        return
    out.print(f"\nOf {result.people_messages} prompts scrubjay would keep [bold green]{result.keep}[/] memories, "
              f"ask you about [bold]{result.ask}[/] and refuse {sum(result.refused.values())}.")  # fmt: skip
    if result.best:
        out.print("\n[bold]The best of them[/]")
    for one in result.best:
        out.print(f"  [green]{one.type:<9}[/] {plain(one.name)}")
        out.print("            [dim]" + plain(textwrap.shorten(f"“{one.quote}", 96, placeholder=" …")) + "”[/]")
        out.print(f"            [dim]{one.agent}, {one.at[:10]}{', ' + plain(one.project) if one.project else ''}[/]")
    if result.refused:
        rows = sorted(result.refused.items(), key=lambda row: -row[1])[:6]
        out.print("\n[bold]Refused[/]   " + ", ".join(f"{count} {rule}" for rule, count in rows))
    _secrets(result, out)
    out.print(f"\n[bold]Cost[/]      about {result.tokens_per_session} tokens at the start of a session"
              + (f" in {plain(result.tokens_project)}" if result.tokens_project else "")
              + ", at most 500 on a prompt, no model calls")  # fmt: skip
    for problem in result.problems[:5]:
        out.print(f"[yellow]problem[/]   {plain(problem)}")
    out.print("\nNothing was written. Next: [bold]jay init[/]")


def _secrets(result: Scan, out: Console) -> None:
    where = "every session" if result.secrets_all else f"the end of the newest {result.secrets_searched_files} sessions"
    if not result.secrets:
        out.print(
            f"\n[bold]Secrets[/]   none found in {where}" + ("" if result.secrets_all else " (all: jay scan --secrets)")
        )
        return
    out.print(
        f"\n[bold red]Secrets[/]   {len(result.secrets)} lie in {where}; rotate them. Their values are shown nowhere."
    )
    for one in result.secrets[:8]:
        out.print(f"            {one.kind:<18} {plain(os.path.relpath(one.file, home.user_home()))}:{one.line}")
    if len(result.secrets) > 8:
        out.print(f"            and {len(result.secrets) - 8} more: jay scan --secrets --json")
