"""The questions and the screen of `jay init`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console

from scrubjay.cli import question
from scrubjay.cli.cmd_learn import text as learnt_text
from scrubjay.cli.import_screen import text as imported_text
from scrubjay.cli.output import counted, para, plain, stdout, tilde
from scrubjay.errors import BadInput
from scrubjay.home import user_home
from scrubjay.importing import importers
from scrubjay.install import FileChange, mcp_entries, rules_files
from scrubjay.install.mcp_entries import Offer
from scrubjay.setup import AgentHere, SetUp

if TYPE_CHECKING:
    from scrubjay.cli.init_choice import Offered


def show_agents(here: list[AgentHere], ticked: Collection[str], out: Console) -> None:
    """Each agent that was found with its tick, numbered for `tick`; the others by name."""
    out.print("[bold]Agents[/]")
    for number, one in enumerate(_found(here), start=1):
        mark = "[green]x[/]" if one.name in ticked else " "
        newest = f", newest {one.newest}" if one.newest else ""
        how = "hooks, and its sessions are learnt from" if one.hooks else "its sessions are learnt from (no hooks yet)"
        out.print(
            f"  {number} \\[{mark}] {one.title:<12} {how}: {counted(one.sessions, 'session', 'sessions')}{newest}"
        )
    if readers := rules_files.here(user_home()):
        titles = ", ".join(f"{rules_files.KNOWN[name].title} (--rules {name})" for name in readers)
        out.print(f"  [dim]only read rules files, on request: {titles}[/]")
    missing = [one.title for one in here if not one.found]
    if missing:
        out.print(f"  [dim]not found: {', '.join(missing)}[/]")


def tick(here: list[AgentHere], ticked: list[str]) -> list[str]:
    """Ask which agents; a number turns its tick over, an empty line goes on."""
    found = {str(number): one.name for number, one in enumerate(_found(here), start=1)}
    chosen = set(ticked)
    while found:
        show_agents(here, chosen, stdout)
        answer = question.ask("A number turns its tick over; Enter goes on")
        if not answer:
            break
        for number in answer.replace(",", " ").split():
            if number in found:
                chosen ^= {found[number]}
    if not found:
        show_agents(here, chosen, stdout)
    return [one.name for one in here if one.name in chosen]


def _found(here: list[AgentHere]) -> list[AgentHere]:
    return [one for one in here if one.found]


def show_offers(offered: Offered, servers: Collection[str], notes: bool, out: Console) -> None:
    """What there is beside hooks, with a tick where it was chosen (`servers`, `notes`)."""
    if not (offered.servers or offered.notes):
        return
    out.print("[bold]Offered[/]")
    if offered.servers:
        out.print(f"  \\[{'[green]x[/]' if servers else ' '}] the memory as tools, by our MCP server (--mcp)")
        if titles := _titles(offered.servers):
            para(out, f"first: {mcp_entries.EXTRA}" if mcp_entries.missing() else titles, indent=6)
        for one in offered.servers:
            if one.standing != "free":
                para(out, f"{one.title}: {one.why or 'has it'}", indent=6, style="dim")
    if offered.notes:
        out.print(f"  \\[{'[green]x[/]' if notes else ' '}] what agents keep themselves (--import)")
        para(out, _counts(offered.notes), indent=6)


def ask_servers(offers: Sequence[Offer]) -> bool:
    """The one question about MCP, where any client could have it."""
    titles = _titles(offers)
    if not titles:
        return False
    if mcp_entries.missing():
        para(stdout, f"\nTo have the memory as tools, too (MCP): {mcp_entries.EXTRA}, then jay init --mcp")
        return False
    para(
        stdout, f"\nMemories come by themselves. As an MCP server in {titles} the model can also search and keep them."
    )
    return question.agreed("Put our MCP server there, too?")


def ask_notes(notes: Mapping[str, int]) -> bool:
    """Whether to bring over what agents keep themselves."""
    para(stdout, f"\nThese agents keep notes of their own: {_counts(notes)}. They stay there, whatever you say.")
    return question.agreed("Bring them over, too?")


def _titles(offers: Sequence[Offer]) -> str:
    return ", ".join(one.title for one in offers if one.standing == "free")


def _counts(notes: Mapping[str, int]) -> str:
    known = importers()
    rows = [f"{known[name].title} {counted(number, 'note', 'notes')}" for name, number in notes.items()]
    return ", ".join(rows)


def show_changes(planned: list[FileChange], out: Console) -> None:
    """Every change to a settings file, as a diff."""
    for change in planned:
        out.print(f"\n[bold]{plain(change.path)}[/]")
        for line in change.diff.splitlines():
            style = {"+": "green", "-": "red"}.get(line[:1], "dim") if not line.startswith(("+++", "---")) else "dim"
            out.print(f"[{style}]{plain(line)}[/]")
    if not planned:
        out.print("\nNo settings file needs a change.")


def confirm(planned: list[FileChange]) -> None:
    """Sum the changes up, show the whole of them if asked, and end the command at a no."""
    for change in planned:
        lines = change.diff.splitlines()
        added = sum(line.startswith("+") and not line.startswith("+++") for line in lines)
        gone = sum(line.startswith("-") and not line.startswith("---") for line in lines)
        size = f"{counted(added, 'line', 'lines')} in, {gone} out"
        stdout.print(f"\n[bold]{plain(tilde(change.path))}[/]: {size}; the rest stays byte for byte")
        what = f"hooks: {', '.join(change.entry.events)}" if change.entry.events else "your trust in these hooks"
        if change.entry.server:
            what = "our MCP server, which lets the model search and keep memories"
        elif change.agent == rules_files.NAME:
            what = f"a block of {change.entry.created[0]} memories, kept up to date"
        para(stdout, what)
    while planned:
        answer = question.ask("Write this? Y yes, n no, d the whole difference", "Y", shown=False)
        match answer.lower()[:1]:
            case "y":
                return
            case "d":
                show_changes(planned, stdout)
            case "n":
                raise BadInput("stopped; nothing was changed")
            case _:
                continue
    stdout.print("\nNo settings file needs a change.")


def ask_trust(without: list[FileChange], having: list[FileChange]) -> bool:
    """What an agent asks before it runs a hook, asked here where that adds anything to the changes."""
    if [one.after for one in without] == [one.after for one in having]:
        return False
    para(stdout, "\nCodex runs a hook only after you trusted it, and skips the others without a word.")
    return question.agreed("Trust our hooks in Codex? (no: later, there, with /hooks)")


def ask_days(default: int) -> int:
    """How far back to learn."""
    return question.number("Learn from how many days of existing sessions? (0: none)", default)


def show_done(done: SetUp, dry_run: bool, out: Console) -> None:
    """What was learnt, and the way back."""
    if done.learnt:
        out.print()
        learnt_text(done.learnt, out)
    if done.imported:
        out.print()
        imported_text(done.imported, out)
    if dry_run:
        out.print("\nNothing was written.")
        return
    for title, one in done.obstacles:
        out.print(f"\n[yellow]{plain(title)}[/]: {plain(one.what)}\n  [dim]→[/] [bold]{plain(one.remedy)}[/]")
    pending = any(one is not None and one.pending for one in (done.learnt, done.imported))
    out.print(f"\nDone. Next: [bold]{'jay review' if pending else 'jay list'}[/]   [dim]the way back: jay uninstall[/]")


def as_json(done: SetUp, here: list[AgentHere], offered: Offered, dry_run: bool) -> dict[str, Any]:
    """The whole of it for `--json`."""
    return {
        "agents": [{"agent": one.name, "found": one.found, "sessions": one.sessions, "hooks": one.hooks,
                    "ticked": one.name in done.agents} for one in here],
        "mcp": [{"agent": one.name, "standing": one.standing, "why": one.why} for one in offered.servers],
        "notes": dict(offered.notes),
        "changed": [{"agent": one.agent, "path": one.path, "diff": one.diff} for one in done.changed],
        "learnt": done.learnt.as_json() if done.learnt else None,
        "imported": done.imported.as_json() if done.imported else None,
        "problems": [{"agent": agent, "what": one.what, "remedy": one.remedy} for agent, one in done.obstacles],
        "dry_run": dry_run,
    }  # fmt: skip
