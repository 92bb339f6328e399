"""`jay config`: every setting, where its value comes from, and changing one."""

from __future__ import annotations

import json as jsonlib
import os
from typing import Annotated, Any

import typer
from rich.console import Console

from scrubjay import clock, config_file, home, settings
from scrubjay.cli.output import DryRun, Json, para, plain, show
from scrubjay.errors import BadInput, NothingFound
from scrubjay.ledger import Ledger
from scrubjay.redact import own


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
    if unset and not key:
        raise BadInput("which setting?", at="--unset", hint="`jay config KEY --unset`")
    if key and key not in settings.BY_KEY:
        raise NothingFound(f"no setting is called {key!r}", hint="`jay config` lists every setting")
    if value is not None or unset:
        row = settings.BY_KEY[key]
        new = None if unset else settings.parse(row, value or "", at="the new value")
        if key == own.KEY and isinstance(new, list):
            own.check(new, "the new value")
        if dry_run:
            data = {"file": place, "key": key, "would_be": row.default if unset else new, "dry_run": True}
            show(data, json, lambda out: out.print(f"would be: {key} = {plain(str(data['would_be']))}"))
            return
        config_file.write(place, key, new)
        if key == "mode":
            _keep_the_time(str(row.default if unset else new))
    values = _loaded(place, key)
    rows = [_row(row, values) for row in settings.ROWS if key in ("", row.key)]
    show({"file": place, "settings": rows, "dry_run": dry_run}, json, lambda out: _text(rows, out))


def _keep_the_time(mode: str) -> None:
    """What is said while nothing may be learnt stays unlearnt, also of agents that call no hook."""
    where, now = home.current(), clock.text(clock.now())
    if os.path.exists(where.ledger):
        with Ledger.open(where.ledger) as ledger:
            (ledger.shut if mode in ("off", "read-only") else ledger.reopen)("mode:", at=now)


def _loaded(place: str, changed: str) -> settings.Settings:
    try:
        return settings.load(place)
    except BadInput as error:
        hint = f"{changed} stands in the file as it should be; put this one right by hand" if changed else error.hint
        raise BadInput(error.what, at=error.at, hint=hint) from error


def _row(row: settings.Setting, values: settings.Settings) -> dict[str, Any]:
    return {"key": row.key, "value": values.get(row.key), "source": values.sources[row.key], "default": row.default,
            "variable": row.variable, "text": row.text, "choices": list(row.choices)}  # fmt: skip


def _text(rows: list[dict[str, Any]], out: Console) -> None:
    for row in rows:
        changed = "" if row["source"] == "default" else f"  [yellow]from {row['source']}[/]"
        value = jsonlib.dumps(row["value"], ensure_ascii=False)
        out.print(f"[bold]{row['key']}[/] = {plain(value)}{changed}")
        para(out, f"{row['text']}; {row['variable']}", style="dim")
