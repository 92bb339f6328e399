"""Where OpenCode keeps a session: rows of its database (since 2026), or a JSON file for each message and part (before).

Both hold the same documents. Either way the ids of messages and parts ascend with time.
"""

from __future__ import annotations

import bisect
import json
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from scrubjay.agents import jsonl
from scrubjay.agents.database import HINT, Database, number, text
from scrubjay.agents.jsonl import Record, string, table
from scrubjay.errors import UnknownFormat

NEEDED = {
    "session": ("id", "parent_id", "directory", "title", "revert", "permission", "time_updated"),
    "message": ("id", "session_id", "data"),
    "part": ("id", "message_id", "data"),
}
"""Columns since the first release with a database (migration 20260127222353)."""
_RUN_DENIES = frozenset(("question", "plan_enter", "plan_exit"))


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """One message or part. `record` None: it is no JSON object. `cut`: it was over 8 MB, its strings were shortened."""

    record: Record | None
    cut: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One message with its parts, which are read when they are asked for."""

    id: str
    document: Document
    parts: Callable[[], Iterator[Document]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What the session's own record says."""

    id: str
    directory: str
    title: str = ""
    parent: str = ""
    """The session whose sub-agent this one is. A fork names no parent."""
    reverted: str = ""
    """Id of the first message that the person took back; "" when none."""
    reverted_part: str = ""
    """When not "": that message stays, up to this part of it."""
    run: bool = False
    """`opencode run` began it: it denies itself what only a person could answer."""


class Store(Protocol):
    """One session, wherever it is kept."""

    known: Known

    def count(self) -> int:
        """How many messages it has."""

    def ids(self, first: int) -> Iterator[str]:
        """Ids of its messages from the one with this number on, oldest first."""

    def newest(self) -> Iterator[str]:
        """All of them, newest first."""

    def has(self, id: str) -> bool:  # noqa: A002
        """Whether it has this message."""

    def check(self) -> None:
        """Raises `OSError` when what was read up to now may be of two states of the store."""

    def row(self, id: str) -> Row:  # noqa: A002
        """One message; a document of None when it is gone."""


class Rows:
    """A session in the database."""

    def __init__(self, database: Database, session: str) -> None:
        check_layout(database)
        self._database, self._session = database, session
        row = database.one(
            "SELECT directory, title, parent_id, revert, permission FROM session WHERE id = ?", (session,)
        )
        if row is None:  # deleted since it was found
            row = ("", "", "", "", "")
        directory, title, parent, revert, permission = (text(column) for column in row)
        self.known = known_of(
            session, directory=directory, title=title, parent=parent, revert=_json(revert), permission=_json(permission)
        )

    def count(self) -> int:
        """See `Store`."""
        row = self._database.one("SELECT count(*) FROM message WHERE session_id = ?", (self._session,))
        count = int(number(row[0])) if row else 0
        if not count:
            self._refuse_next_layout()
        return count

    def ids(self, first: int) -> Iterator[str]:
        """See `Store`. SQLite sorts them, in a file when there are many."""
        found = "SELECT id FROM message WHERE session_id = ? ORDER BY id LIMIT -1 OFFSET ?"
        return (text(row[0]) for row in self._database.rows(found, (self._session, first)))

    def newest(self) -> Iterator[str]:
        """See `Store`."""
        found = "SELECT id FROM message WHERE session_id = ? ORDER BY id DESC"
        return (text(row[0]) for row in self._database.rows(found, (self._session,)))

    def has(self, id: str) -> bool:  # noqa: A002
        """See `Store`."""
        found = "SELECT 1 FROM message WHERE id = ? AND session_id = ?"
        return self._database.one(found, (id, self._session)) is not None

    def row(self, id: str) -> Row:  # noqa: A002
        """See `Store`."""
        found = self._database.some("SELECT rowid FROM message WHERE id = ?", (id,))
        document = self._document("message", int(number(found[0][0]))) if found else Document(record=None)
        return Row(id=id, document=document, parts=lambda: self._parts(id))

    def check(self) -> None:
        """See `Store`."""
        self._database.check()

    def _parts(self, message: str) -> Iterator[Document]:
        for row in self._database.some("SELECT rowid FROM part WHERE message_id = ? ORDER BY id", (message,)):
            yield self._document("part", int(number(row[0])))

    def _document(self, name: str, rowid: int) -> Document:
        data, cut = self._database.document(name, "data", rowid)
        return _parsed(data, cut)

    def _refuse_next_layout(self) -> None:
        """Later releases may keep messages in `session_message`, which is there and empty up to 1.18."""
        if "session_id" in self._database.columns("session_message") and self._database.one(
            "SELECT 1 FROM session_message WHERE session_id = ? LIMIT 1", (self._session,)
        ):
            raise UnknownFormat(
                f"session {self._session} is kept in the table session_message, which is not read yet",
                at=self._database.path,
                hint="upgrade scrubjay, then `jay learn`; nothing of it counts as read until then",
            )


def check_layout(database: Database) -> None:
    """Raises `UnknownFormat` when a table or column that is read is not there. More of them do no harm."""
    for name, needed in NEEDED.items():
        there = database.columns(name)
        missing = [column for column in needed if column not in there]
        if missing:
            what = f"column {missing[0]}" if there else "no columns"
            raise UnknownFormat(
                f"not a layout of OpenCode's database that is known: table {name} has "
                + (f"no {what}" if there else what),
                at=database.path,
                hint=HINT,
            )


def known_of(
    id: str,  # noqa: A002
    *,
    directory: str,
    title: str,
    parent: str,
    revert: object,
    permission: object,
) -> Known:
    """The session's record, from either store."""
    back: Record = revert if isinstance(revert, dict) else {}
    rules = [rule for rule in permission if isinstance(rule, dict)] if isinstance(permission, list) else []
    denied = {string(rule, "permission") for rule in rules if rule.get("action") == "deny"}
    return Known(
        id=id,
        directory=directory,
        title=title[:200],
        parent=parent,
        reverted=string(back, "messageID"),
        reverted_part=string(back, "partID"),
        run=denied >= _RUN_DENIES,
    )


class Files:
    """A session of the releases before the database: `storage/session/<project>/<id>.json` and what belongs to it.

    Ids are the files' names: earlier moves renamed files and left the ids inside as they were.
    """

    def __init__(self, path: str) -> None:
        self._storage = os.path.dirname(os.path.dirname(os.path.dirname(path)))
        self._session = os.path.basename(path).removesuffix(".json")
        record = _read(path).record
        if record is None:
            raise UnknownFormat("not a session of OpenCode: no JSON object", at=path, hint=HINT)
        self.known = known_of(
            self._session,
            directory=string(record, "directory"),
            title=string(record, "title"),
            parent=string(record, "parentID"),
            revert=table(record, "revert"),
            permission=record.get("permission"),
        )

    @cached_property
    def _ids(self) -> list[str]:
        return _names(os.path.join(self._storage, "message", self._session))

    def count(self) -> int:
        """See `Store`."""
        return len(self._ids)

    def ids(self, first: int) -> Iterator[str]:
        """See `Store`."""
        return (self._ids[place] for place in range(first, len(self._ids)))

    def newest(self) -> Iterator[str]:
        """See `Store`."""
        return reversed(self._ids)

    def has(self, id: str) -> bool:  # noqa: A002
        """See `Store`."""
        place = bisect.bisect_left(self._ids, id)
        return self._ids[place : place + 1] == [id]

    def row(self, id: str) -> Row:  # noqa: A002
        """See `Store`."""
        path = os.path.join(self._storage, "message", self._session, id + ".json")
        return Row(id=id, document=_read(path), parts=lambda: self._parts(id))

    def check(self) -> None:
        """See `Store`. Files are read one by one, and what is missing is read the next time."""

    def _parts(self, message: str) -> Iterator[Document]:
        folder = os.path.join(self._storage, "part", message)
        for name in _names(folder):
            yield _read(os.path.join(folder, name + ".json"))


def _names(folder: str) -> list[str]:
    """Names of a folder's JSON files, in order, without the ending."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return sorted(name.removesuffix(".json") for name in names if name.endswith(".json"))


def _read(path: str) -> Document:
    """A JSON file. Not one that is gone, or a symbolic link."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return Document(record=None)
    with open(descriptor, "rb", buffering=0) as file:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode):
            return Document(record=None)
        if info.st_size <= jsonl.MAX_LINE:
            return _parsed(file.read(jsonl.MAX_LINE), cut=False)
        cutter = jsonl.Cutter()
        while piece := file.read(jsonl.CHUNK):
            cutter.feed(piece)
        return _parsed(b"" if cutter.overflow else cutter.result(), cut=True)


def _parsed(data: bytes, cut: bool) -> Document:
    found, _ = jsonl.records(data)
    return Document(record=found[0] if found else None, cut=cut)


def _json(data: str) -> object:
    try:
        return json.loads(data) if data else None
    except (ValueError, RecursionError):
        return None
