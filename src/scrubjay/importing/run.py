"""One import from beginning to end: look, read, decide, write."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scrubjay import home as homes
from scrubjay import settings
from scrubjay.errors import BadInput, Conflict, Refused
from scrubjay.home import Home
from scrubjay.importing import importers, instructions
from scrubjay.importing.base import Ask, Found
from scrubjay.importing.intake import Asked, Done, candidates, decide
from scrubjay.importing.report import ImportReport, NotTaken
from scrubjay.learn.places import Places
from scrubjay.projects import read_all, resolve
from scrubjay.search.build import refresh
from scrubjay.store.change import Committed, commit
from scrubjay.store.library import Library

ATTEMPTS = 4
"""How often it is decided again because a file changed, or was made, between the look and the write."""
TAKEN = "store/id"
"""The store's rule against a second memory with one id: another import of the same notes was faster."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What is to be brought over."""

    cwd: str
    agents: Sequence[str] = ()
    """Empty, and no `files`: every agent."""
    files: Sequence[str] = ()
    """Files of instructions, which are read on request only."""
    dry_run: bool = False


def bring_over(home: Home, wanted: Wanted) -> ImportReport:
    """Import what agents keep. The originals are only read; doing it again changes nothing.

    Raises `BadInput` (an unknown agent, a file that is not there, scrubjay is off), `StoreUnavailable`.
    """
    values = settings.load(home.config)
    if values.text("mode") == "off":
        raise BadInput("scrubjay is off; nothing was written", at="setting mode", hint="jay config mode auto")
    places = Places(home, exclude=values.words("learn.exclude"), shut={}, dry_run=wanted.dry_run)
    founds, asked = _read(home, wanted, places)
    done, written = _write(home, wanted, places, founds, asked, values.text("mode"))
    if written.ids:
        refresh(home, Library.open(home, repos=places.team_repositories()))
    return _report(founds, done, written, dry_run=wanted.dry_run)


def _read(home: Home, wanted: Wanted, places: Places) -> tuple[dict[str, Found], list[Asked]]:
    """What each agent keeps, and the notes of all as candidates."""
    known = importers()
    for name in wanted.agents:
        if name not in known:
            raise BadInput(f"nothing is imported from an agent {name!r}", hint=f"known: {', '.join(known)}, or a path")
    ask = Ask(home=homes.user_home(), environ=os.environ, directories=_directories(home, wanted.cwd))
    founds: dict[str, Found] = {}
    asked: list[Asked] = []
    for name in dict.fromkeys(wanted.agents or ([] if wanted.files else known)):
        founds[name] = known[name].read(ask)
        asked += candidates(home, name, founds[name], places)
    for path in wanted.files:
        place = resolve(home, os.path.dirname(path), create=False)
        found, source = instructions.read(path, place), instructions.source_of(path)
        asked += candidates(home, source, found, places, named=True)
        founds.setdefault(source, Found()).add(found)
    return founds, asked


def _directories(home: Home, cwd: str) -> tuple[str, ...]:
    """Canonical roots of projects on this machine, the current one first."""
    here = resolve(home, cwd, create=False).root
    known = [root for project in read_all(home).values() for root in project.here()]
    return tuple(dict.fromkeys(path for path in (here, *known) if path))


def _write(
    home: Home, wanted: Wanted, places: Places, founds: Mapping[str, Found], asked: Sequence[Asked], mode: str
) -> tuple[Done, Committed]:
    nothing = Committed(ids=(), paths=(), sha="", undo="")
    for attempt in range(ATTEMPTS):
        library = Library.open(home, repos=places.team_repositories(), take_in=not wanted.dry_run)
        done = decide(library, asked, founds, places, mode)
        changes = done.shelf.changes()
        if wanted.dry_run or not changes:
            return done, nothing
        try:
            return done, commit(home, changes, subject=_subject(done, asked), evidence=done.shelf.new_evidence())
        except (Conflict, Refused) as error:
            made_meanwhile = isinstance(error, Conflict) or error.rule == TAKEN
            if attempt == ATTEMPTS - 1 or not made_meanwhile:
                raise
    raise AssertionError  # the last attempt returns or raises


def _subject(done: Done, asked: Sequence[Asked]) -> str:
    words = {"created": "new", "updated": "changed", "evidence": "said again", "removed": "gone"}
    counts = [f"{len(rows)} {words[what]}" for what in words if (rows := done.rows.get(what))]
    return f"import: {', '.join(counts)} ({', '.join(sorted({one.agent for one in asked})) or 'no agent'})"


def _report(founds: Mapping[str, Found], done: Done, written: Committed, *, dry_run: bool) -> ImportReport:
    created = done.listed("created")
    return ImportReport(
        created=tuple(one for one in created if one.status == "active"),
        pending=tuple(one for one in created if one.status != "active"),
        updated=tuple(done.listed("updated")),
        evidence=tuple(done.listed("evidence")),
        removed=tuple(done.listed("removed")),
        unchanged=done.unchanged,
        refused=tuple(done.refused),
        problems=tuple(
            NotTaken(agent=agent, file=one.path, line=one.line, rule="", why=one.what)
            for agent, found in founds.items()
            for one in found.troubles
        ),
        left_out={agent: dict(sorted(found.left_out.items())) for agent, found in founds.items() if found.left_out},
        notes={agent: len(found.notes) for agent, found in founds.items() if found.notes},
        undo=written.undo,
        dry_run=dry_run,
    )
