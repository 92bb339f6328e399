"""`jay forget`: take a memory away, for now or for good."""

from __future__ import annotations

import os
from dataclasses import asdict, replace
from typing import Annotated, Any

import typer

from scrubjay import agents, home
from scrubjay.cli.forget_screen import listed, sure, told
from scrubjay.cli.opened import Opened, opened, reindex, row
from scrubjay.cli.output import DryRun, Json, Yes, show
from scrubjay.errors import BadInput, NothingFound
from scrubjay.learn.forgetting import forget
from scrubjay.store.choosing import Span, chosen, drop_turns
from scrubjay.store.forget import Forgotten
from scrubjay.store.library import Stored


def command(
    memories: Annotated[list[str] | None, typer.Argument(help="Ids, or the beginnings of them.")] = None,
    session: Annotated[str, typer.Option(help="All that was learnt from this session of an agent.")] = "",
    since: Annotated[str, typer.Option(help="All that was said from this date on (2026-09-03).")] = "",
    until: Annotated[str, typer.Option(help="All that was said up to this date.")] = "",
    purge: Annotated[bool, typer.Option("--purge", help="For good: evidence, index and history too. No undo.")] = False,
    reason: Annotated[str, typer.Option(help="Why, for the history.")] = "",
    yes: Yes = False,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Take memories away, for now or for good.

    Not learnt again from the same words; `jay undo` brings it back, unless it was purged.

    Example: [bold]jay forget m-7k2m --purge[/]
    """
    span = Span.of(session=session, since=since, until=until)
    if bool(span) == bool(memories):
        raise BadInput("name memories, or a session, or a time", hint="`jay list` shows ids, `jay why ID` the session")
    look = opened()
    meant = chosen(look.library, span) if span else None
    partly = list(meant.partly) if meant else []
    if meant:
        memories = [one.memory.id for one in meant.whole] + list(meant.gone if purge else ())
    ids, rows = _find(look, memories or [], purge)
    if dry_run:
        data: dict[str, Any] = {"would_forget": [row(one) for one in rows], "purge": purge, "dry_run": True}
        data["said_elsewhere"] = [one.memory.id for one in partly]
        show(data, json, lambda out: listed(rows, partly, out))
        return
    if not (ids or (span and purge)):
        raise NothingFound(
            "no memory rests on that alone", hint="`jay forget … --dry-run` shows what was said elsewhere too"
        )
    if not yes:
        sure(ids, purge=purge, many=bool(span))
    turns = drop_turns(look.home, span) if span and purge else 0
    result = Forgotten(ids=(), undo="", purged=purge)
    if ids:
        places = agents.own_memories(home.user_home(), os.environ)
        result = forget(look.home, look.library, ids, purge=purge, reason=reason, places=places)
        reindex(look)
    if turns:
        result = replace(result, notes=(*result.notes, f"{turns} kept turns of it are gone too"))
    data = {**asdict(result), "said_elsewhere": [one.memory.id for one in partly]}
    show(data, json, lambda out: told(data, partly, out))


def _find(look: Opened, wanted: list[str], purge: bool) -> tuple[list[str], list[Stored]]:
    """Full ids. A purge also takes ids that were forgotten before, which no file holds any more."""
    gone = {stone.memory for stone in look.library.tombstones.all()} if purge else set()
    rows = [look.library.get(one) for one in wanted if one not in gone]
    return [one for one in wanted if one in gone] + [one.memory.id for one in rows], rows
