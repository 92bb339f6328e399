"""The tables of the ledger, as numbered migrations, and what opening a ledger in full takes. Cold.

A migration is never edited once released: a change of the tables is a new entry at the end.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3

from scrubjay import clock
from scrubjay.errors import BadInput, StoreUnavailable

BUSY_MS = 10_000
"""How long a cold call waits for another process's write."""

QUICK_CHECK_BYTES = 16_000_000
"""A ledger up to this size is checked in full whenever it is opened cold (some 20 ms); a larger one by `jay doctor`."""

FULL_BYTES = 65_536
"""SQLite's shared memory alone takes 32 kB: with less room than this an error of the disk is for want of it."""

KEPT_EVENTS = 20_000
"""Rows of `events` that stay; some weeks of heavy use."""

NETWORK_FILE_SYSTEMS = frozenset(
    "nfs nfs4 cifs smb2 smb3 smbfs 9p afs ceph glusterfs lustre gpfs vboxsf drvfs fuse.sshfs fuse.glusterfs".split()  # noqa: SIM905 - one word a file system reads better
)
"""WAL needs shared memory among its users, which these do not give (SQLite, "Write-Ahead Logging", section 1)."""

MIGRATIONS: tuple[tuple[str, str], ...] = (
    (
        "m001_initial",
        """
        CREATE TABLE cursors (agent TEXT, path TEXT, cursor TEXT, PRIMARY KEY (agent, path)) WITHOUT ROWID;
        CREATE TABLE marks (learner TEXT, key TEXT, version INTEGER, run INTEGER, outcome TEXT,
            PRIMARY KEY (learner, key)) WITHOUT ROWID;
        CREATE TABLE branches (key TEXT, agent TEXT, session TEXT, live INTEGER,
            PRIMARY KEY (key, agent, session)) WITHOUT ROWID;
        CREATE TABLE runs (id INTEGER PRIMARY KEY, kind TEXT, started_at TEXT, ended_at TEXT DEFAULT '',
            outcome TEXT DEFAULT '', counts TEXT DEFAULT '{}');
        CREATE TABLE queue (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT, payload TEXT, at TEXT, UNIQUE (kind, payload));
        CREATE TABLE events (id INTEGER PRIMARY KEY, at TEXT, agent TEXT, event TEXT, session TEXT, cwd TEXT,
            outcome TEXT, detail TEXT, ms INTEGER);
        CREATE INDEX events_by_kind ON events (agent, event, at);
        CREATE TABLE injected (agent TEXT, session TEXT, memory TEXT, channel TEXT, at TEXT, chars INTEGER, prompt TEXT,
            PRIMARY KEY (agent, session, memory)) WITHOUT ROWID;
        CREATE TABLE usage (memory TEXT PRIMARY KEY, times INTEGER, at TEXT) WITHOUT ROWID;
        CREATE TABLE residents (agent TEXT, session TEXT, text TEXT, memories TEXT, rules TEXT, told TEXT, at TEXT,
            PRIMARY KEY (agent, session)) WITHOUT ROWID;
        CREATE TABLE compactions (agent TEXT, session TEXT, at TEXT, PRIMARY KEY (agent, session)) WITHOUT ROWID;
        CREATE TABLE last (id INTEGER PRIMARY KEY, cwd TEXT, agent TEXT, session TEXT, channel TEXT, detail TEXT, at TEXT);
        CREATE INDEX last_by_cwd ON last (cwd);
        CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;
        CREATE TABLE pauses (scope TEXT PRIMARY KEY, until TEXT) WITHOUT ROWID;
        CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
        CREATE TABLE files (path TEXT PRIMARY KEY, sha TEXT, size INTEGER, mtime_ns INTEGER, checked_ns INTEGER,
            id TEXT, hand INTEGER, evidence TEXT, prints TEXT) WITHOUT ROWID;
        """,
    ),
)


def on_network(path: str, mounts: str = "/proc/mounts") -> bool:
    """True when `path` lies on a network file system. Where the system does not tell (macOS), False."""
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as file:
            rows = [line.split() for line in file]
    except OSError:
        return False
    path, best, kind = os.path.realpath(path), "", ""
    for row in rows:
        if len(row) < 3:
            continue
        point = row[1].replace("\\040", " ").replace("\\011", "\t")
        if len(point) >= len(best) and (path + "/").startswith(point.rstrip("/") + "/"):
            best, kind = point, row[2]
    return kind in NETWORK_FILE_SYSTEMS


def connect(path: str, notes: list[str], *, network: bool | None = None) -> sqlite3.Connection:
    """A connection to a ledger of the newest schema; whatever is in the way is migrated, or moved aside when corrupt."""
    try:
        folder = os.path.dirname(path)
        _make_folder(folder)
        _make(path)
    except OSError as error:
        raise StoreUnavailable(f"the ledger cannot be written: {error.strerror}", at=path) from error
    wal = not (on_network(folder) if network is None else network)
    for attempt in (1, 2):
        db = None
        try:
            db = sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None)
            _prepare(db, path, wal=wal)
        except sqlite3.DatabaseError as error:
            if db is not None:
                db.close()
            if attempt == 2 or not is_corrupt(error):
                raise unavailable(error, path) from error
            notes.append(f"the ledger was corrupt and is made anew; the old one is {_move_aside(path)}")
        except BadInput:
            if db is not None:
                db.close()
            raise
        else:
            return db
    raise AssertionError("unreachable")


def _make_folder(path: str) -> None:
    """0700 with each parent that is missing (`os.makedirs` gives its mode to the last one only)."""
    if not os.path.isdir(path):
        _make_folder(os.path.dirname(path))
        with contextlib.suppress(FileExistsError):
            os.mkdir(path, 0o700)


def _make(path: str) -> None:
    """An empty file of the owner's alone. One that is there is never opened by us: closing it would drop the locks that
    SQLite holds on it in this process (SQLite, "How To Corrupt An SQLite Database File", section 2.2)."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def is_corrupt(error: sqlite3.Error) -> bool:
    """A damaged file, as opposed to a busy or full one."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def unavailable(error: sqlite3.Error, path: str) -> StoreUnavailable:
    hint = "`jay doctor` checks it" if is_corrupt(error) else ""
    why = str(error)
    with contextlib.suppress(OSError):  # SQLite says "disk I/O error" for a full disk too
        room = os.statvfs(os.path.dirname(path))
        if not is_corrupt(error) and room.f_bavail * room.f_frsize < FULL_BYTES:
            why = f"the disk is full ({error})"
        elif room.f_flag & os.ST_RDONLY:
            why = "the file system is read-only"
    return StoreUnavailable(f"the ledger cannot be used: {why}", at=path, hint=hint)


def _prepare(db: sqlite3.Connection, path: str, *, wal: bool) -> None:
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if found > len(MIGRATIONS):
        raise BadInput(
            f"the ledger has schema {found}, this scrubjay knows up to {len(MIGRATIONS)}; nothing was changed",
            at=path,
            hint="upgrade scrubjay, or move the file away (marks and usage counts are lost, memories are not)",
        )
    mode = db.execute("PRAGMA journal_mode").fetchone()[0]
    if (mode == "wal") != wal:
        with contextlib.suppress(sqlite3.OperationalError):  # in use elsewhere: the next opening changes it
            db.execute(f"PRAGMA journal_mode = {'WAL' if wal else 'DELETE'}")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA secure_delete = ON")
    if os.path.getsize(path) <= QUICK_CHECK_BYTES:
        verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            error = sqlite3.DatabaseError(verdict)
            error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise error
    if found < len(MIGRATIONS):
        _migrate(db)
    newest = db.execute("SELECT max(id) FROM events").fetchone()[0] or 0
    oldest = db.execute("SELECT min(id) FROM events").fetchone()[0] or 0
    if newest - oldest > KEPT_EVENTS * 5 // 4:
        db.execute("DELETE FROM events WHERE id <= ?", (newest - KEPT_EVENTS,))


def _migrate(db: sqlite3.Connection) -> None:
    """All missing migrations in one transaction: a failure leaves the ledger as it was."""
    db.execute("BEGIN IMMEDIATE")
    try:
        for number in range(db.execute("PRAGMA user_version").fetchone()[0], len(MIGRATIONS)):
            for statement in MIGRATIONS[number][1].split(";"):
                db.execute(statement)
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _move_aside(path: str) -> str:
    stamp = clock.text(clock.now()).replace(":", "")
    aside = f"{path}.corrupt-{stamp}"
    number = 1
    while os.path.exists(aside):
        number += 1
        aside = f"{path}.corrupt-{stamp}-{number}"
    os.replace(path, aside)
    for ending in ("-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            os.replace(path + ending, aside + ending)
    _make(path)
    return os.path.basename(aside)
