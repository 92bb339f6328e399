"""The screen of `jay review`: one memory at a time, one key each."""

from __future__ import annotations

import typer
from rich.console import Console

from scrubjay.cli.editor import edited
from scrubjay.cli.output import plain, stdout
from scrubjay.errors import BadInput
from scrubjay.learn.review import Answer, Waiting

KEYS = "[bold]y[/] keep  [bold]n[/] forget  [bold]e[/] edit  [bold]s[/] skip  [bold]Y N[/] the whole group  [bold]q[/] stop"


def ask(rows: list[Waiting]) -> list[Answer]:
    answers: dict[str, Answer] = {}
    for number, row in enumerate(rows, start=1):
        if row.id in answers:
            continue
        show_row(row, stdout, f"{number} of {len(rows)}")
        stdout.print("  " + KEYS)
        key = read_key()
        if key in ("q", "\x1b", ""):
            break
        alike = [other.id for other in rows if other.group == row.group] if key in "YN" else [row.id]
        if key == "e":
            text = edited(row.body, suffix=".md").strip()
            if text:
                answers[row.id] = Answer(id=row.id, verb="edit", body=text)
        elif key in "yYnN":
            answers |= {
                one: Answer(id=one, verb="accept" if key in "yY" else "reject") for one in alike if one not in answers
            }
    return list(answers.values())


def read_key() -> str:
    while True:
        key = typer.getchar()
        if key in "yYnNesq\x1b":
            return key
        if key in ("\x03", "\x04"):
            raise BadInput("interrupted; nothing was changed")


def show_row(row: Waiting, out: Console, count: str = "") -> None:
    out.print(
        f"\n[bold]{plain(row.name)}[/]  [dim]{row.id} {row.type} {plain(row.project) or 'every project'} {count}[/]"
    )
    out.print("  " + plain(row.body).replace("\n", "\n  "))
    out.print(f"  [dim]{row.agent} {row.said_at[:10]}, said {row.times} ×; waits because: {plain(row.reason)}[/]")
    if row.replaces_name:
        out.print(f"  [yellow]would replace[/] {plain(row.replaces_name)} [dim]{row.replaces}[/]")
