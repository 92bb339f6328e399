"""Agents' SQLite databases, opened for reading only: the database, its write-ahead log and its folder stay as they are.

A database in WAL mode cannot be read without its log, and SQLite makes an empty log beside it when there is none. So
without a log it is opened as a file that does not change, and looked at again at the end; with one, as a reader among the
agent's own; and when the folder takes no lock file, as a copy of both.
"""

from __future__ import annotations

import functools
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from urllib.parse import quote

from scrubjay.agents.jsonl import CHUNK, MAX_LINE, Cutter, clean
from scrubjay.errors import UnknownFormat

BUSY_SECONDS = 5.0
"""How long a writer that holds the database is waited for."""
MAX_COPY = 1 << 30
"""Bytes of database and log that are copied when the folder cannot be written and a log is there."""
BATCH = 200
_MOST = 1e19

Value = str | bytes | int | float | None
Row = tuple[Value, ...]


class Database:
    """An open database. Every method raises `OSError` when it is busy or changed, `UnknownFormat` when it is none."""

    def __init__(self, connection: sqlite3.Connection, path: str, still: tuple[int, ...] | None) -> None:
        self._connection, self.path, self._still = connection, path, still

    def rows(self, sql: str, values: Sequence[Value] = ()) -> Iterator[Row]:
        """The rows of a query, as they are asked for."""
        with _told(self.path):
            cursor = self._connection.execute(sql, tuple(values))
            while batch := cursor.fetchmany(BATCH):
                self.check()
                yield from batch
            self.check()

    def some(self, sql: str, values: Sequence[Value]) -> list[Row]:
        """All rows of a query that has few, asked for so often that whoever asks calls `check` when they use them."""
        try:
            return self._connection.execute(sql, values).fetchall()
        except (sqlite3.Error, OverflowError) as error:
            raise _ours(self.path, error) from error

    def one(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        """The first row of a query."""
        return next(iter(list(self.rows(sql, values))), None)

    def columns(self, table: str) -> frozenset[str]:
        """Names of a table's columns; empty when there is no such table."""
        return frozenset(str(row[0]) for row in self.rows("SELECT name FROM pragma_table_info(?)", (table,)))

    def beginning(self, table: str, column: str, rowid: int, size: int) -> bytes:
        """The first bytes of a text, of which SQLite would load all. Empty when it is NULL or a number, or gone."""
        try:
            with self._connection.blobopen(table, column, rowid, readonly=True) as blob:
                return blob.read(size)
        except (sqlite3.Error, OverflowError) as error:
            if "cannot open value" in str(error) or "no such rowid" in str(error):
                return b""
            raise _ours(self.path, error) from error

    def document(self, table: str, column: str, rowid: int) -> tuple[bytes, bool]:
        """A column's JSON as bytes, and whether it was over `MAX_LINE`: such a one has its long strings cut while it
        streams in. Empty when it is NULL or a number, or when the row is gone."""
        try:
            with self._connection.blobopen(table, column, rowid, readonly=True) as blob:
                if len(blob) <= MAX_LINE:
                    return blob.read(), False
                cutter = Cutter()
                while piece := blob.read(CHUNK):
                    cutter.feed(piece)
                return b"" if cutter.overflow else cutter.result(), True
        except (sqlite3.Error, OverflowError) as error:
            if "cannot open value" in str(error) or "no such rowid" in str(error):
                return b"", False
            raise _ours(self.path, error) from error

    def check(self) -> None:
        """Raises `OSError` when a database that was opened as one that does not change did change."""
        if self._still is not None and self._still != _state(self.path):
            raise OSError(None, "the database changed while it was read; it is read again next time", self.path)


@contextmanager
def opened(path: str) -> Iterator[Database]:
    """The database at `path`. See the module."""
    if not os.path.isfile(path):
        raise FileNotFoundError(2, "no such database", path)
    with ExitStack() as stack:
        with _told(path):
            connection, still = _connect(path, stack)
        stack.callback(connection.close)
        yield Database(connection, path, still)


def _connect(path: str, stack: ExitStack) -> tuple[sqlite3.Connection, tuple[int, ...] | None]:
    still = _state(path)
    if not os.path.exists(path + "-wal") and not os.path.exists(path + "-journal"):
        return _open(path, "mode=ro&immutable=1"), still
    try:
        return _open(path, "mode=ro"), None
    except sqlite3.OperationalError as error:
        if os.path.exists(path + "-shm") or "unable to open" not in str(error):
            raise
    log = path + "-wal"
    if os.path.getsize(path) + os.path.getsize(log) > MAX_COPY:
        raise OSError(None, "its folder cannot be written, and it is too large to be copied with its log", path)
    copy = os.path.join(stack.enter_context(tempfile.TemporaryDirectory()), "copy.db")
    shutil.copyfile(path, copy)
    shutil.copyfile(log, copy + "-wal")
    return _open(copy, "mode=ro"), None


def _open(path: str, options: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(os.path.abspath(path))}?{options}", uri=True, timeout=BUSY_SECONDS, isolation_level=None
    )
    try:
        connection.text_factory = functools.partial(str, encoding="utf-8", errors="replace")
        connection.execute("PRAGMA query_only = 1")
        connection.execute("PRAGMA trusted_schema = 0")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens the file
    except BaseException:
        connection.close()
        raise
    return connection


def _state(path: str) -> tuple[int, ...]:
    info = os.stat(path)
    return info.st_ino, info.st_size, info.st_mtime_ns, int(os.path.exists(path + "-wal"))


@contextmanager
def _told(path: str) -> Iterator[None]:
    """SQLite's errors as ours."""
    try:
        yield
    except (sqlite3.DatabaseError, OverflowError) as error:
        raise _ours(path, error) from error


def _ours(path: str, error: Exception) -> OSError | UnknownFormat:
    if not isinstance(error, sqlite3.OperationalError) or "no such" in str(error):  # a table or a column
        return _strange(path, str(error))
    if "locked" in str(error) or "busy" in str(error):
        return OSError(None, "its agent holds the database; it is read again next time", path)
    return OSError(None, f"SQLite: {error}", path)


def _strange(path: str, why: str) -> UnknownFormat:
    return UnknownFormat(f"not a database of this agent that can be read: {why}", at=path, hint=HINT)


HINT = "`jay doctor` lists the formats that are read; the file is tried again at the next run"


def refuse_newer(path: str, version: int, known: int) -> None:
    """Raises `UnknownFormat` when the schema is one of a release that was not there yet."""
    if version > known:
        raise UnknownFormat(
            f"schema version {version} is unknown: up to {known} is read",
            at=path,
            hint="upgrade scrubjay, then `jay learn`; nothing is lost, the sessions are read then",
        )


def text(value: Value) -> str:
    """A column's value when it is text, cleaned; else ""."""
    return clean(value) if isinstance(value, str) else ""


def number(value: Value) -> float:
    """A column's value when it is a number that a column of whole numbers could hold; else 0."""
    return float(value) if type(value) in (int, float) and -_MOST < value < _MOST else 0.0  # type: ignore[arg-type, operator]
