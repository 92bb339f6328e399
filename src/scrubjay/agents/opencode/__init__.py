"""OpenCode: one SQLite database of all sessions, `opencode.db`; before 2026 a folder of JSON files, `storage/`.

What a revert takes back is deleted by the next prompt. Prompts that an earlier read had met are then told as left behind;
the event log in the same database still has their words and is not read.
"""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice

from scrubjay.agents import files, rows
from scrubjay.agents.base import Cursor, Json, Reading, Source, source_at
from scrubjay.agents.database import Database, number, opened, text
from scrubjay.agents.engine import IN_ONE, Limits
from scrubjay.agents.jsonl import Record, string, table
from scrubjay.agents.opencode.parser import MAX_PROMPTS, OpenCodeParser
from scrubjay.agents.opencode.stores import Files, Row, Rows, Store, check_layout
from scrubjay.agents.reading import Book
from scrubjay.errors import UnknownFormat


class OpenCode:
    """See `Reader`."""

    name = "opencode"
    title = "OpenCode"
    own_memory: tuple[str, ...] = ()

    def roots(self, home: str, environ: Mapping[str, str]) -> list[str]:
        """The folder of `OPENCODE_DB`, `$XDG_DATA_HOME/opencode`, else `~/.local/share/opencode`."""
        data = _data_folder(home, environ)
        named = _named_database(data, environ)
        return files.existing([os.path.dirname(named) if named else "", data])

    def find(self, home: str, environ: Mapping[str, str]) -> list[Source]:
        """See `Reader`. A session that was moved into the database is read there; its old files stay behind."""
        data = _data_folder(home, environ)
        candidates = [_named_database(data, environ), *glob.glob(os.path.join(glob.escape(data), "opencode*.db"))]
        databases = {os.path.realpath(path): path for path in candidates if path and os.path.isfile(path)}
        found: list[Source | None] = []
        for path in databases.values():
            found += _sessions(self.name, path)
        moved = {source.session for source in found if source is not None}
        for path in files.below(os.path.join(data, "storage", "session"), (".json",)):
            if os.path.basename(path).removesuffix(".json") not in moved:
                found.append(source_at(self.name, path, sub_agent=bool(_parent(path))))
        return files.oldest_first(found)

    def read_all(self, source: Source, cursor: Cursor | None) -> Iterator[Reading]:
        """See `Reader`."""
        return _read(source, cursor, None)

    def read(self, source: Source, cursor: Cursor | None) -> Reading:
        """See `Reader`."""
        return next(_read(source, cursor, IN_ONE))


def _data_folder(home: str, environ: Mapping[str, str]) -> str:
    return os.path.join(environ.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share"), "opencode")


def _named_database(data: str, environ: Mapping[str, str]) -> str:
    """`OPENCODE_DB`: a path, relative to the data folder; "" when unset, or in memory."""
    path = environ.get("OPENCODE_DB", "")
    return os.path.join(data, path) if path and path != ":memory:" else ""


def _sessions(agent: str, path: str) -> list[Source | None]:
    """The sessions of a database; the file itself, as a source that says why, when it cannot be read."""
    whole = source_at(agent, path)
    if whole is None:
        return []
    try:
        with opened(path) as database:
            check_layout(database)
            listed = list(database.rows("SELECT id, parent_id, time_updated FROM session"))
    except (OSError, UnknownFormat):
        return [whole]
    return [
        replace(whole, session=text(id), sub_agent=bool(parent), mtime_ns=int(number(updated) * 1e6))
        for id, parent, updated in listed  # noqa: A001
        if text(id)
    ]


def _parent(path: str) -> str:
    try:
        return Files(path).known.parent
    except UnknownFormat:
        return ""


def _read(source: Source, cursor: Cursor | None, limits: Limits | None) -> Iterator[Reading]:
    with ExitStack() as stack:
        store: Store
        if source.path.endswith(".json"):
            store = Files(source.path)
        else:
            database = stack.enter_context(opened(source.path))
            _one_state(database)
            store = Rows(database, source.session)
        yield from _readings(source, cursor, store, limits)


def _one_state(database: Database) -> None:
    """All that is asked from now on is answered from one state of the database, whatever the client writes meanwhile."""
    for _ in database.rows("BEGIN"):
        pass


def _readings(source: Source, cursor: Cursor | None, store: Store, limits: Limits | None) -> Iterator[Reading]:
    sees = _Sees(store)
    held = cursor.state.get("prompts") if cursor else None
    known = {row: key for row, key in held.items() if isinstance(key, str)} if isinstance(held, dict) else {}
    rewritten = cursor is not None and (
        cursor.inode != source.inode or cursor.offset > sees.end or cursor.head != sees.settled(cursor.offset)
    )
    parsers: list[OpenCodeParser] = []

    def make(book: Book, state: Mapping[str, Json]) -> OpenCodeParser:
        parsers.append(OpenCodeParser(book, state, store.known))
        return parsers[-1]

    table = rows.Table(end=sees.end, rows=sees.rows, settled=sees.settled)
    for reading in rows.read_rows(source, None if rewritten else cursor, table, make, limits):
        store.check()
        told = known | (parsers[-1].prompts if parsers else {})
        here = {row: key for row, key in told.items() if store.has(row)}
        gone = dict.fromkeys(told.values(), False) if reading.last else {}
        for key in here.values():
            gone.pop(key, None)
        kept: Json = dict(list(here.items())[-MAX_PROMPTS:])
        yield replace(
            reading,
            cursor=replace(reading.cursor, state={**reading.cursor.state, "prompts": kept}),
            reread=reading.reread or rewritten,
            branches={**gone, **reading.branches},
        )


class _Sees:
    """The messages of a session that are complete: what is still being written at its end waits for the next read."""

    _hashed: int
    _ids: Iterator[str]

    def __init__(self, store: Store) -> None:
        self._store = store
        self.end = store.count()
        for message in store.newest():
            if not _unfinished(store.row(message)):
                break
            self.end -= 1
        self._begin()

    def rows(self, first: int) -> Iterator[tuple[int, Row]]:
        for ordinal, message in enumerate(islice(self._store.ids(first), self.end - first), first):
            yield ordinal, self._store.row(message)

    def settled(self, end: int) -> str:
        """A hash of all ids before `end`. The next one that is asked for is mostly further on, and goes on from there."""
        if end < self._hashed:
            self._begin()
        for message in islice(self._ids, end - self._hashed):
            self._hash.update(b"\n" + message.encode("utf-8", "replace"))
        self._hashed = end
        return self._hash.hexdigest()

    def _begin(self) -> None:
        known = self._store.known
        told = f"{known.reverted}\n{known.reverted_part}"
        self._hash = hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=12)
        self._hashed, self._ids = 0, self._store.ids(0)


def _unfinished(row: Row) -> bool:
    """A prompt whose words were not written yet, or an answer that goes on."""
    record: Record = row.document.record or {}
    if string(record, "role") == "user":
        return next(row.parts(), None) is None
    return string(record, "role") == "assistant" and not (table(record, "time").get("completed") or record.get("error"))


READER = OpenCode()
