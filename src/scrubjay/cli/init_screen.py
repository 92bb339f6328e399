"""The questions and the screen of `jay init`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rich.console import Console

from scrubjay.cli import question
from scrubjay.cli.cmd_learn import text as learnt_text
from scrubjay.cli.output import counted, para, plain, stdout, tilde
from scrubjay.errors import BadInput
from scrubjay.home import user_home
from scrubjay.install import FileChange, rules_files
from scrubjay.setup import AgentHere, SetUp


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
        stdout.print(
            f"\n[bold]{plain(tilde(change.path))}[/]: {added} lines come in, {gone} go; the rest stays byte for byte"
        )
        what = f"hooks: {', '.join(change.entry.events)}" if change.entry.events else "your trust in these hooks"
        if change.agent == rules_files.NAME:
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
    if dry_run:
        out.print("\nNothing was written.")
        return
    for title, one in done.obstacles:
        out.print(f"\n[yellow]{plain(title)}[/]: {plain(one.what)}\n  [dim]→[/] [bold]{plain(one.remedy)}[/]")
    pending = bool(done.learnt and done.learnt.pending)
    out.print(f"\nDone. Next: [bold]{'jay review' if pending else 'jay list'}[/]   [dim]the way back: jay uninstall[/]")


def as_json(done: SetUp, here: list[AgentHere], dry_run: bool) -> dict[str, Any]:
    """The whole of it for `--json`."""
    return {
        "agents": [{"agent": one.name, "found": one.found, "sessions": one.sessions, "hooks": one.hooks,
                    "ticked": one.name in done.agents} for one in here],
        "changed": [{"agent": one.agent, "path": one.path, "diff": one.diff} for one in done.changed],
        "learnt": done.learnt.as_json() if done.learnt else None,
        "problems": [{"agent": agent, "what": one.what, "remedy": one.remedy} for agent, one in done.obstacles],
        "dry_run": dry_run,
    }  # fmt: skip
