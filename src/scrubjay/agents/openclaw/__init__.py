"""OpenClaw: a database for each agent of a state folder; older releases wrote one JSON Lines file a session."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from scrubjay.agents import database, engine, files, rows
from scrubjay.agents.base import Cursor, Json, Reading, Source, source_at
from scrubjay.agents.codex.compressed import ZstFile
from scrubjay.agents.database import Database
from scrubjay.agents.engine import IN_ONE, Limits
from scrubjay.agents.files import ByteFile, PlainFile
from scrubjay.agents.openclaw import store
from scrubjay.agents.openclaw.parser import Circumstances, OpenClawParser
from scrubjay.agents.openclaw.store import Window
from scrubjay.agents.reading import Book
from scrubjay.errors import UnknownFormat

_LEGACY = re.compile(r"(?P<id>[^/]+?)(?:-topic-[^/.]+)?\.jsonl(?P<reset>\.reset\.[^/]*?)?(?:\.zst)?\Z")
"""`<id>.jsonl`, one thread of it, and what a reset put aside. A session that the person deleted is left alone."""


class OpenClaw:
    """See `Reader`."""

    name = "openclaw"
    title = "OpenClaw"
    own_memory = ("workspace/memory", "workspace-*/memory")

    def roots(self, home: str, environ: Mapping[str, str]) -> list[str]:
        """`OPENCLAW_STATE_DIR`, `~/.openclaw`, those of profiles (`~/.openclaw-NAME`) and of the names before."""
        profiles = sorted(glob.glob(os.path.join(glob.escape(home), ".openclaw-*")))
        named = [os.path.join(home, name) for name in (".openclaw", ".moltbot", ".clawdbot")]
        return files.existing([environ.get("OPENCLAW_STATE_DIR", "").strip(), *named, *profiles])

    def find(self, home: str, environ: Mapping[str, str]) -> list[Source]:
        """See `Reader`. A session that is in the database and in an older file is read from the database."""
        found: list[Source | None] = []
        for root in self.roots(home, environ):
            for agent in sorted(glob.glob(os.path.join(glob.escape(root), "agents", "*"))):
                sessions = self._in_database(os.path.join(agent, "agent", "openclaw-agent.sqlite"))
                found += sessions
                found += self._in_files(os.path.join(agent, "sessions"), {one.session for one in sessions})
        return files.oldest_first(found)

    def _in_database(self, path: str) -> list[Source]:
        whole = source_at(self.name, path) if os.path.isfile(path) else None
        if whole is None or not whole.size:
            return []
        try:
            with database.opened(path) as db:
                there = store.windows(db) if store.check(db) else {}
        except (OSError, UnknownFormat):
            return [whole]
        closed = "" if store.can_unpack() else store.COMPRESSED
        return [
            replace(
                whole,
                session=one.id,
                mtime_ns=one.at_ms * 1_000_000 or whole.mtime_ns,
                sub_agent=one.around.sub_agent,
                unreadable=closed if one.compressed else "",
            )
            for one in there.values()
        ]

    def _in_files(self, folder: str, known: set[str]) -> Iterator[Source | None]:
        for path in files.below(folder, ("",)):
            match = _LEGACY.fullmatch(os.path.basename(path))
            if match and (match["reset"] or match["id"] not in known) and not match["id"].endswith(".trajectory"):
                closed = store.COMPRESSED if path.endswith(".zst") and not store.can_unpack() else ""
                yield source_at(self.name, path, unreadable=closed)

    def read_all(self, source: Source, cursor: Cursor | None) -> Iterator[Reading]:
        """See `Reader`."""
        return _read(source, cursor, None)

    def read(self, source: Source, cursor: Cursor | None) -> Reading:
        """See `Reader`."""
        return next(_read(source, cursor, IN_ONE))


def _read(source: Source, cursor: Cursor | None, limits: Limits | None) -> Iterator[Reading]:
    if not source.path.endswith(".sqlite"):
        yield from engine.read_file(source, cursor, _maker(Circumstances()), limits, _open)
        return
    with database.opened(source.path) as db:
        window = store.windows(db, source.session).get(source.session) if store.check(db) and source.session else None
        if window is None:
            raise OSError(None, "the session could not be read; it is tried again next time", source.path)
        store.refuse_compressed(db, window)
        table = store.table(db, window)
        for reading in rows.read_rows(source, cursor, table, _maker(window.around, window.id), limits):
            if not (reading.last and reading.session.messages):
                yield reading
                continue
            became, left = _branches(db, window)
            yield replace(reading, branches={**reading.branches, **became})
            for before, branches in left:
                session = replace(reading.session, id=before.id, messages=(), live=frozenset(), fresh=frozenset())
                yield replace(reading, session=replace(session, skipped={}), branches=branches)


def _branches(db: Database, window: Window) -> tuple[dict[str, bool], list[tuple[Window, dict[str, bool]]]]:
    """What a rewind, which goes on in a new session with a copy of the old one, says of branches: of this session's
    events, when it was rewound; of those of the sessions before it, when it is where the conversation stands."""
    last = store.last_of(db, window)
    if last != window.id:
        own = store.live_events(db, window.id)
        return {key: live for key, live in store.live_events(db, last).items() if key in own}, []
    live = store.live_events(db, window.id) if window.previous else {}
    left = []
    for before in store.copied_by(db, window):
        shared = {key: live[key] for key in store.live_events(db, before.id) if key in live}
        if shared:
            left.append((before, shared))
    return {}, left


def _maker(around: Circumstances, session: str = "") -> Callable[[Book, Mapping[str, Json]], OpenClawParser]:
    def make(book: Book, state: Mapping[str, Json]) -> OpenClawParser:
        return OpenClawParser(book, state, around, session)

    return make


def _open(path: str) -> ByteFile:
    if not path.endswith(".zst"):
        return PlainFile(path)
    if not store.can_unpack():
        raise UnknownFormat("skipped, compressed", at=path, hint='pip install "scrubjay[zst]", then `jay learn`')
    return ZstFile(path)


READER = OpenClaw()
