"""search.sqlite from the memory files: a derived index that may be deleted at any time.

The file is never changed in place. A refresh works on a copy and renames it over the old one, so that a hook that reads
at the same moment sees one consistent state and waits for nobody, and a killed refresh leaves the old index.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scrubjay import redact
from scrubjay.errors import StoreUnavailable
from scrubjay.home import Home
from scrubjay.search import index, query
from scrubjay.search.index import Entry

if TYPE_CHECKING:
    from scrubjay.store.library import Library, Stored

Rebuilt = Literal["", "missing", "version", "corrupt", "asked"]

_OWN_SECURE_DELETE = (3, 42, 0)  # FTS5's option of that name (SQLite 3.42); before, only `optimize` drops dead terms


@dataclass(frozen=True, kw_only=True, slots=True)
class Refreshed:
    """What a refresh did, in memories."""

    added: int
    changed: int
    removed: int
    unchanged: int
    unclean: tuple[str, ...]
    """Ids of rows in which the scanner found a secret: kept out of every block."""
    rebuilt: Rebuilt
    """Why the file was built from nothing; "" it was brought up to date."""


def refresh(home: Home, library: Library, *, rebuild: bool = False) -> Refreshed:
    """Brings `home.search` in line with the library. Nothing new: the file is not touched.

    Rows of a team store that the library was not opened for stay as long as its folder is there. `rebuild=True` builds
    from nothing, so that no byte of a purged memory is left. Raises `StoreUnavailable` when the state folder cannot be
    written; the old index is then still in place.
    """
    stored = {item.path: item for item in library.memories()}
    looked_at = {store.path for store in library.stores()}
    try:
        os.makedirs(home.state, mode=0o700, exist_ok=True)
        with _locked(home.search + ".lock"):
            return _refresh(home.search, library, stored, looked_at, rebuild=rebuild)
    except OSError as error:
        raise StoreUnavailable(
            f"the search index cannot be written: {error.strerror}", at=home.search, hint="`jay doctor`"
        ) from error
    except sqlite3.Error as error:
        raise StoreUnavailable(f"the search index cannot be written: {error}", at=home.search) from error


@contextmanager
def _locked(path: str) -> Iterator[None]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _refresh(
    path: str, library: Library, stored: dict[str, Stored], looked_at: set[str], *, rebuild: bool
) -> Refreshed:
    why = "asked" if rebuild else _unusable(path)
    known = {} if why else _known(path)
    gone = [
        file
        for file, row in known.items()
        if file not in stored and (row.store in looked_at or not os.path.isdir(row.store))
    ]
    new = [item for file, item in stored.items() if file not in known]
    changed = [item for file, item in stored.items() if file in known and known[file].state != _state(item)]
    if why or gone or new or changed:
        _write(path, library, why, [*gone, *(item.path for item in changed)], [*new, *changed])
        unclean = _unclean(path)
    else:
        unclean = {file for file, row in known.items() if not row.clean}
    return Refreshed(
        added=len(new),
        changed=len(changed),
        removed=len(gone),
        unchanged=len(stored) - len(new) - len(changed),
        unclean=tuple(sorted(item.memory.id for file, item in stored.items() if file in unclean)),
        rebuilt=why,
    )


@dataclass(frozen=True, slots=True)
class _Known:
    """What the index says about one file."""

    store: str
    clean: bool
    state: tuple[str, int, int, str, str, str]


def _state(item: Stored) -> tuple[str, int, int, str, str, str]:
    return (item.sha, item.mtime_ns, item.size, item.memory.status, item.effective_trust, item.memory.id)


def _known(path: str) -> dict[str, _Known]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
        rows = connection.execute(
            "SELECT m.path, g.store, m.clean, m.sha, m.mtime_ns, m.size, m.status, m.trust, m.id "
            "FROM memories m JOIN groups g ON g.n = m.n >> ?",
            (query.GROUP_BITS,),
        )
        return {row[0]: _Known(row[1], bool(row[2]), row[3:]) for row in rows}


def _unclean(path: str) -> set[str]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
        return {row[0] for row in connection.execute("SELECT path FROM memories WHERE NOT clean")}


def _unusable(path: str) -> Rebuilt:
    """Why the file at `path` must be built from nothing; "" when it is fine."""
    if not os.path.exists(path):
        return "missing"
    connection = query.open(path)
    if connection is None:
        return "corrupt" if _schema(path) is None else "version"
    with closing(connection):
        try:
            sound = connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
            connection.execute("SELECT count(*) FROM fts WHERE fts MATCH 'a'").fetchone()
        except sqlite3.Error:
            sound = False
    return "" if sound else "corrupt"


def _schema(path: str) -> str | None:
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as connection:
            return str(connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()[0])
    except (sqlite3.Error, TypeError):
        return None


def _write(path: str, library: Library, why: Rebuilt, gone: list[str], fresh: list[Stored]) -> None:
    """A new file beside the old one, then in its place."""
    new = path + ".new"
    for left in (new, new + "-journal", new + "-wal", new + "-shm"):
        if os.path.lexists(left):
            os.unlink(left)
    if not why:
        shutil.copyfile(path, new)
    descriptor = os.open(new, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
        write(new, (entry_of(item, library) for item in fresh), gone=gone, create=bool(why))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(new, path)


def write(path: str, entries: Iterator[Entry], *, gone: list[str] | None = None, create: bool = True) -> None:
    """Rows into the file at `path`, which nobody else reads yet. `gone`: files whose rows go first."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("PRAGMA synchronous = OFF")  # the caller syncs the whole file before it is used
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("BEGIN")
        if create:
            index.create(connection)
            connection.execute("BEGIN")
        if gone and sqlite3.sqlite_version_info >= _OWN_SECURE_DELETE:
            connection.execute("INSERT INTO fts(fts, rank) VALUES ('secure-delete', 1)")
        for file in gone or ():
            index.remove(connection, file)
        index.add(connection, entries)
        if create or (gone and sqlite3.sqlite_version_info < _OWN_SECURE_DELETE):
            connection.execute("INSERT INTO fts(fts) VALUES ('optimize')")
        connection.execute("COMMIT")


def entry_of(item: Stored, library: Library) -> Entry:
    """A stored memory as a row, scanned for secrets."""
    memory = item.memory
    text = "\n".join((memory.name, memory.description, memory.body, *memory.aliases, *memory.paths))
    return Entry(
        memory=memory,
        path=item.path,
        store=item.store.path,
        scope=item.store.scope,
        project=item.store.project,
        trust=item.effective_trust,
        clean=redact.is_clean(text),
        broken=item.broken,
        mtime_ns=item.mtime_ns,
        size=item.size,
        sha=item.sha,
        said=tuple((proof.agent, proof.session, proof.at) for proof in library.evidence(memory.evidence)),
    )
