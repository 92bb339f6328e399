"""The screen of `jay import`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from scrubjay.cli.output import SHA, because, counted, plain, tilde
from scrubjay.importing.report import Imported, ImportReport, NotTaken

MOST = 12
LEFT_OUT = {
    "daily-notes": "daily notes, which are a log",
    "excluded": "of an excluded folder",
    "imported-file": "lines that only name another file",
    "ours": "written by scrubjay",
    "superseded": "marked as superseded",
    "too-short": "too short to say anything alone",
    "unknown-directory": "folders whose project cannot be told: run `jay import` in that project's directory",
}


def text(report: ImportReport, out: Console) -> None:
    """Counts, then what is new, changed, gone, refused and broken, each with its file and line."""
    if not (report.notes or report.problems or report.left_out):
        out.print("No agent on this machine keeps a memory of its own.")
        return
    did = "would bring over" if report.dry_run else "brought over"
    read = ", ".join(f"{plain(agent)} {count}" for agent, count in report.notes.items()) or "none"
    out.print(
        f"Notes: {read}. {did.capitalize()} [bold green]{len(report.created)}[/], [bold]{len(report.pending)}[/] wait for "
        f"review, {len(report.updated)} changed, {len(report.removed)} gone, {len(report.evidence)} known already, "
        f"{report.unchanged} unchanged, {len(report.refused)} refused"
    )
    for mark, rows in (
        ("[green]+[/]", report.created),
        ("[yellow]?[/]", report.pending),
        ("[cyan]~[/]", report.updated),
        ("[dim]=[/]", report.evidence),
        ("[dim]-[/]", report.removed),
    ):
        _rows(mark, rows, out)
    _not_taken("refused", report.refused, out)
    _not_taken("broken", report.problems, out)
    for agent, reasons in report.left_out.items():
        for reason, count in reasons.items():
            out.print(f"  [dim]left out: {count} {plain(LEFT_OUT.get(reason, reason))} ({plain(agent)})[/]")
    if report.undo:
        out.print(f"[dim]take it back: jay undo {report.undo[:SHA]}[/]")


def _rows(mark: str, rows: Sequence[Imported], out: Console) -> None:
    for one in rows[:MOST]:
        why = f" · {plain(because(one.reason))}" if one.reason else ""
        out.print(f"  {mark} {plain(one.name)}  [dim]{one.id} · {plain(one.agent)}{why}[/]")
    if len(rows) > MOST:
        out.print(f"    [dim]and {len(rows) - MOST} more[/]")


def _not_taken(what: str, rows: Sequence[NotTaken], out: Console) -> None:
    for one in rows[:MOST]:
        place = plain(tilde(one.file) or one.agent) + (f":{one.line}" if one.line else "")
        out.print(f"  [red]{what}[/] {place}  [dim]{one.rule + ': ' if one.rule else ''}{plain(one.why)}[/]")
    if len(rows) > MOST:
        out.print(f"    [dim]and {counted(len(rows) - MOST, 'more', 'more')}: --json has them all[/]")
