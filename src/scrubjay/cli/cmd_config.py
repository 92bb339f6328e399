"""`jay config`: every setting, where its value comes from, and changing one."""

from __future__ import annotations

import os
from typing import Annotated, Any

import tomlkit
import typer
from rich.console import Console

from scrubjay import home, settings
from scrubjay.cli.output import DryRun, Json, plain, show
from scrubjay.errors import BadInput, NothingFound, StoreUnavailable


def command(
    key: Annotated[str, typer.Argument(help="A setting, such as learn.headless.")] = "",
    value: Annotated[str | None, typer.Argument(help="Its new value; a list is comma-separated.")] = None,
    unset: Annotated[bool, typer.Option("--unset", help="Back to the default.")] = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """List the settings, show one, or change one.

    The environment comes before the file, the file before the default (docs/settings.md).

    Example: [bold]jay config learn.headless active[/]
    """
    place = home.current().config
    if key and key not in settings.BY_KEY:
        raise NothingFound(f"no setting is called {key!r}", hint="`jay config` lists every setting")
    if value is not None or unset:
        row = settings.BY_KEY[key]
        new = None if unset else settings.parse(row, value or "", at="the new value")
        if not dry_run:
            _write(place, key, new)
    values = settings.load(place)
    rows = [_row(row, values) for row in settings.ROWS if key in ("", row.key)]
    show({"file": place, "settings": rows, "dry_run": dry_run}, json, lambda out: _text(rows, out))


def _row(row: settings.Setting, values: settings.Settings) -> dict[str, Any]:
    return {"key": row.key, "value": values.get(row.key), "source": values.sources[row.key], "default": row.default,
            "variable": row.variable, "text": row.text, "choices": list(row.choices)}  # fmt: skip


def _text(rows: list[dict[str, Any]], out: Console) -> None:
    for row in rows:
        changed = "" if row["source"] == "default" else f"  [yellow]from {row['source']}[/]"
        out.print(f"[bold]{row['key']}[/] = {plain(str(row['value']))}{changed}")
        out.print(f"  [dim]{plain(row['text'])}; {row['variable']}[/]")


def _write(place: str, key: str, value: settings.Value | None) -> None:
    """Change one key and leave every other byte of the file, comments too, as it was."""
    settings.load(place)  # a file that does not parse is never written over
    try:
        with open(place, encoding="utf-8", newline="") as file:
            document = tomlkit.parse(file.read())
    except FileNotFoundError:
        document = tomlkit.document()
    table: Any = document
    *tables, last = key.split(".")
    for name in tables:
        if not isinstance(table.setdefault(name, tomlkit.table()), dict):
            raise BadInput(f"{name!r} is no table", at=place)
        table = table[name]
    if value is None:
        table.pop(last, None)
    else:
        table[last] = value
    try:
        os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
        with open(
            os.open(place + ".new", os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "w", encoding="utf-8", newline=""
        ) as file:
            file.write(tomlkit.dumps(document))
        os.replace(place + ".new", place)
    except OSError as error:
        raise StoreUnavailable(f"the setting could not be written: {error.strerror}", at=place) from error
