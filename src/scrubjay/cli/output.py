"""What every command shares: where text goes, how an error looks, the options that mean the same everywhere.

Standard output is data; notices, progress and errors go to standard error. Colours only on a terminal, and everything
reads without them.
"""

from __future__ import annotations

import json as jsonlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from scrubjay.errors import ScrubjayError
from scrubjay.home import user_home

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change and write nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

MAX_WIDTH = 100
"""Wider lines are hard to read, however wide the terminal is."""
MIN_WIDTH = 20
SHA = 10
"""Characters of a commit id that are shown; `jay undo` takes a beginning."""

stdout = Console(highlight=False, soft_wrap=True, emoji=False)
stderr = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def show(data: dict[str, Any], json: bool, text: Callable[[Console], None]) -> None:
    """Print `data` as one JSON object, or let `text` write for a person."""
    if json:
        write_json(data, indent=1)
    else:
        text(stdout)


def write_json(data: dict[str, Any], indent: int | None = None) -> None:
    """One object on standard output; not through Rich: data is never wrapped, coloured or read as markup."""
    text = jsonlib.dumps(data, ensure_ascii=False, indent=indent, default=_listed)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # a lone surrogate, or a locale without UTF-8: the same data, escaped
        text = jsonlib.dumps(data, indent=indent, default=_listed)
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _listed(value: object) -> list[Any]:
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(type(value).__name__)


def cleaned(value: str) -> str:
    """Text without control characters: no memory or transcript can move the cursor, colour or retitle the terminal."""
    return value if value.isprintable() else "".join(c if c.isprintable() or c in "\n\t" else "�" for c in value)


def plain(value: str) -> str:
    """Text from a memory or a transcript, safe to print: no control characters, no Rich markup."""
    return escape(cleaned(value))


def para(out: Console, value: str, *, indent: int = 2, style: str = "") -> None:
    """Foreign text as a paragraph: wrapped by words at the terminal's width (at most `MAX_WIDTH`), indented throughout."""
    room = max(MIN_WIDTH, min(out.width, MAX_WIDTH) - indent)
    for paragraph in cleaned(value).split("\n"):
        for line in Text(paragraph.replace("\t", "    ")).wrap(out, room, tab_size=4) or [Text("")]:
            out.print(Text(" " * indent).append(Text(line.plain.rstrip(), style=style)))


def say(out: Console, markup: str) -> None:
    """Our own sentence, wrapped by words at the terminal's width."""
    out.print(markup, soft_wrap=False, width=min(out.width, MAX_WIDTH))


def fitted(value: str, out: Console, *, used: int = 0) -> str:
    """Foreign text on one line of the terminal of which `used` columns are taken, cut with an ellipsis; safe to print."""
    return escape(fit(value, room(out, used)))


def room(out: Console, used: int = 0) -> int:
    """Columns that a line has left when `used` are taken."""
    return max(MIN_WIDTH, min(out.width, MAX_WIDTH) - used)


def fit(value: str, columns: int) -> str:
    """Foreign text on one line of so many columns, cut with an ellipsis; no markup, but may look like some."""
    one_line = " ".join(cleaned(value).split())
    if 2 * len(one_line) <= columns:  # no character is wider than two columns
        return one_line
    text = Text(one_line)
    text.truncate(columns, overflow="ellipsis")
    return text.plain


def styled(out: Console, markup: str) -> str:
    """What `out.print` would write for it. For many lines of one form: Rich takes a second for some thousands."""
    with out.capture() as written:
        out.print(markup, end="")
    return written.get()


def counted(number: int, what: str = "memory", many: str = "memories") -> str:
    """`1 memory`, `2 memories`."""
    return f"{number} {what if number == 1 else many}"


def tilde(path: str) -> str:
    """A path as people write it: `~/…` below their home."""
    top = user_home().rstrip("/") + "/"
    return "~/" + path[len(top) :] if path.startswith(top) else path


def because(reason: str) -> str:
    """The reason in words, without the word of docs/refusals.md that it starts with."""
    return reason.partition(": ")[2] or reason


def day(moment: str) -> str:
    """`2026-09-03` of a stored time."""
    return moment[:10] or "undated"


def minute(moment: str) -> str:
    """`2026-09-03 10:12` of a stored time."""
    return moment[:16].replace("T", " ")


def failed(error: ScrubjayError, json: bool) -> int:
    """Show an error in its four fields; returns the exit code."""
    texts = {"error": error.what, "at": error.at, "rule": error.rule, "hint": error.hint}
    fields = {key: _redacted(text) for key, text in texts.items()}
    if json:
        write_json({key: value for key, value in fields.items() if value})
    else:
        stderr.print(f"[bold red]jay:[/] {plain(fields['error'])}")
        for field in ("at", "rule"):
            if fields[field]:
                stderr.print(f"  [dim]{field:<5}[/] {plain(fields[field])}")
        if error.hint:
            stderr.print(f"\n[bold]hint:[/] {plain(fields['hint'])}")
    return error.exit_code


def _redacted(text: str) -> str:
    """An error may quote the command line, and outputs end up in logs."""
    from scrubjay.redact import redact

    try:
        return redact(text)
    except ScrubjayError:  # the person's patterns or settings are what is wrong
        return redact(text, own=False)


Step = Callable[[str, int, int], None]
"""Progress of something long: what is at hand (a file), how many are done, how many there are."""


def _unseen(_what: str, _done: int, _total: int) -> None:
    """Progress where nobody watches."""


@contextmanager
def progress(title: str, json: bool) -> Iterator[Step]:
    """A bar on standard error, only on a terminal, gone when done."""
    if json or not stderr.is_terminal:
        yield _unseen
        return
    # Rich's progress is loaded only where somebody watches: it costs as much as a short command
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=stderr, transient=True) as bar:
        task = bar.add_task(title, total=None)

        def step(_what: str, done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield step
