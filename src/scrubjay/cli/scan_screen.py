"""The screen of `jay scan`: for many people the first that they see of scrubjay."""

from __future__ import annotations

from rich.console import Console

from scrubjay import home
from scrubjay.cli.output import MAX_WIDTH, MIN_WIDTH, because, day, fitted, para, plain, say, tilde
from scrubjay.scan import Scan

SHOWN_SECRETS = 8
SHOWN_REFUSALS = 6
NARROW = 70
"""Columns from which on both dates of an agent fit on its line."""


def text(result: Scan, out: Console) -> None:
    """Agents, the best of what would be kept, what would be refused, secrets, cost, the next step."""
    _agents(result, out)
    if not result.agents:
        return
    say(
        out,
        f"\nOf [bold]{result.people_messages}[/] prompts it would keep [bold green]{result.keep}[/] memories, "
        f"ask you about [bold yellow]{result.ask}[/] and refuse {sum(result.refused.values())}.",
    )
    _best(result, out)
    if result.refused:
        rows = sorted(result.refused.items(), key=lambda row: (-row[1], row[0]))
        more = sum(count for _, count in rows[SHOWN_REFUSALS:])
        out.print("\n[bold]Refused[/]")
        para(
            out,
            ", ".join(f"{count} {rule}" for rule, count in rows[:SHOWN_REFUSALS])
            + (f", {more} others" if more else ""),
        )
    _secrets(result, out)
    where = f" in {result.tokens_project}" if result.tokens_project else ""
    out.print("\n[bold]Cost[/]")
    para(
        out,
        f"about {result.tokens_per_session} tokens when a session starts{where}, none to 500 on a prompt; no model is called",
    )
    for problem in result.problems[:5]:
        out.print(f"\n[yellow]not read[/]  {plain(problem)}")
    out.print("\nNothing was written. Next: [bold]jay init[/]")


def _agents(result: Scan, out: Console) -> None:
    for found in result.agents:
        when = f"{found.oldest} to {found.newest}" if out.width > NARROW else f"since {found.oldest}"
        many = "sessions" if found.files != 1 else "session "
        size = f"{found.files:>5} {many} {found.bytes / 1e6:>7.1f} MB"
        closed = f"  [yellow]{found.unreadable} cannot be read[/]" if found.unreadable else ""
        out.print(f"[bold]{found.title:<12}[/] {size}  {when}{closed}")
    for name in result.not_readable_yet:
        out.print(f"[bold]{name:<12}[/] [dim]found; no reader for its sessions yet[/]")
    if not result.agents:
        out.print(f"No sessions of an agent that scrubjay reads under {plain(home.user_home())}.")
        out.print("\nNext: [bold]jay demo[/]  [dim](the same on recorded sessions)[/]")


def _best(result: Scan, out: Console) -> None:
    reasons = {because(one.reason) for one in result.best}
    shared = reasons.pop() if len(reasons) == 1 and len(result.best) > 1 else ""
    for number, one in enumerate(result.best):
        of_what = "The best of them" if result.keep else "The best of what it would ask about"
        out.print("" if number else f"\n[bold]{of_what}[/]")
        if shared and not number:
            para(out, f"It asks about each because: {shared}", style="yellow")
            out.print()
        out.print(f"  [bold green]{fitted(one.name, out, used=2)}[/]")
        para(out, f"“{' '.join(one.quote.split())}”", indent=4)
        where = "every project" if one.scope == "user" else one.project
        out.print(f"    [dim]{one.type} · {one.agent}, {day(one.at)}{' · ' + plain(where) if where else ''}[/]")
        if one.reason and not shared:
            out.print(f"    [yellow]asks because:[/] {plain(because(one.reason))}")


def _secrets(result: Scan, out: Console) -> None:
    everything = result.secrets_all
    where = "all sessions" if everything else f"the newest {result.secrets_searched_files} sessions"
    if not result.secrets:
        out.print("\n[bold]Secrets in transcripts[/]")
        para(out, f"none found in {where}" + ("" if everything else "; all: jay scan --secrets"))
        return
    out.print("\n[bold red]Secrets in transcripts[/]")
    para(out, f"{len(result.secrets)} in {where}, in clear text; no value is shown")
    widest = max(len(one.kind) for one in result.secrets[:SHOWN_SECRETS])
    for one in result.secrets[:SHOWN_SECRETS]:
        place = f"{tilde(one.file)}:{one.line}"
        out.print(f"  [red]{one.kind:<{widest}}[/]  {_end_of(place, out, used=4 + widest)}")
    if len(result.secrets) > SHOWN_SECRETS:
        out.print(f"  and {len(result.secrets) - SHOWN_SECRETS} more: jay scan --secrets --json")


def _end_of(path: str, out: Console, used: int) -> str:
    """A path whose end matters more than its beginning, on the rest of a line."""
    room = max(MIN_WIDTH, min(out.width, MAX_WIDTH) - used)
    return plain(path if len(path) <= room else "…" + path[-room + 1 :])
