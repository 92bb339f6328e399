"""The screen of `jay review`: one memory at a time, one key each."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from scrubjay.cli.editor import edited
from scrubjay.cli.keyboard import as_usual, keyboard
from scrubjay.cli.output import because, day, para, plain, stdout
from scrubjay.learn.review import Answer, Waiting

SAYS = {"y": "[green]kept[/]", "n": "[red]forgotten[/]", "s": "[dim]left for later[/]"}


def ask(rows: list[Waiting]) -> list[Answer]:
    """Answers to `rows`, as far as the person went. Ctrl-C ends the command and drops them all."""
    with keyboard() as typed:
        return _ask(rows, typed)


def _ask(rows: list[Waiting], typed: Iterator[str]) -> list[Answer]:
    answers: dict[str, Answer] = {}
    for number, row in enumerate(rows, start=1):
        if row.id in answers:
            continue
        # what was left for later above stays so: a group answer counts from here on
        alike = [one.id for one in rows[number - 1 :] if one.group == row.group and one.id not in answers]
        show_row(row, stdout, f"{number} of {len(rows)}")
        stdout.print(_choices(len(alike)))
        key = _next(typed)
        if key == "q":
            break
        if key == "e":
            with as_usual():
                text = edited(row.body, suffix=".md").strip()
            stdout.print("  [green]kept, with your words[/]" if text else "  [dim]left for later[/]")
            if text:
                answers[row.id] = Answer(id=row.id, verb="edit", body=text)
            continue
        many = alike if key in "YN" else [row.id]
        stdout.print(f"  {SAYS[key.lower()]}" + (f" [dim]({len(many)})[/]" if len(many) > 1 else ""))
        if key != "s":
            answers |= {one: Answer(id=one, verb="accept" if key in "yY" else "reject") for one in many}
    return list(answers.values())


def _choices(alike: int) -> str:
    group = f"   [bold]Y N[/] all {alike} alike" if alike > 1 else ""
    return f"  [bold]y[/] keep   [bold]n[/] forget   [bold]e[/] edit   [bold]s[/] later{group}   [bold]q[/] stop"


def _next(typed: Iterator[str]) -> str:
    """The next key that means something; the end of the input and Escape stop."""
    return next(
        ("q" if key in ("", "\x1b", "\x04") else key) for key in typed if key in ("", "\x1b", "\x04", *"yYnNesq")
    )


def show_row(row: Waiting, out: Console, count: str = "") -> None:
    """One waiting memory: what it says, whose words, why it waits."""
    where = "every project" if row.scope == "user" else row.project
    out.print(f"\n[bold]{plain(row.name)}[/]  [dim]{row.id}{'  ' + count if count else ''}[/]")
    para(out, row.body)
    if row.quote and row.quote not in row.body:
        para(out, f"“{row.quote}”", style="green")
    times = f", said {row.times} times" if row.times > 1 else ""
    out.print(f"  [dim]{row.type} · {plain(where)} · {row.agent}, {day(row.said_at)}{times}[/]")
    if row.reason:
        out.print(f"  [yellow]waits because:[/] {plain(because(row.reason))}")
    if row.replaces_name:
        out.print(f"  [yellow]would replace:[/] {plain(row.replaces_name)} [dim]{row.replaces}[/]")
