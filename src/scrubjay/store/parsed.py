"""What the memory files say, kept so that a file is parsed once for each version of it: `state/<machine>/parsed.sqlite`.

Derived: holds nothing but what the files hold, may be deleted at any time, and a corrupt one is made anew. A file is taken
as read when size, times, inode and place are those of the reading, and its last change was well over before it (else it is
read again: a file may change twice within one tick of the clock). Nothing is ever written over a file on the word of this
cache: a transaction compares the bytes.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import stat
import time
import zlib
from dataclasses import fields
from functools import cache

from scrubjay import memory, operations
from scrubjay.errors import StoreUnavailable
from scrubjay.home import Home
from scrubjay.memory import Memory, Parsed, parse
from scrubjay.store import files, layout
from scrubjay.store.lock import locked

RACY_NS = 2_000_000_000
"""A file changed this shortly before it was looked at may change again with the same time and size (time stamps of some
file systems count in two seconds), so its bytes are looked at again next time."""

BUSY_S = 2.0
"""How long another process that writes rows is waited for; then the files are read instead."""

Version = tuple[int, int, int, int]
"""Size, time of the last change of the bytes and of the entry (ns), inode."""

_DEFAULTS = {field.name: field.default for field in fields(Memory)}
_LISTS = ("paths", "agents", "aliases", "evidence", "supersedes")


class Reading:
    """One memory file as it was read."""

    __slots__ = ("parsed", "settled", "sha", "version")

    def __init__(self, version: Version, *, settled: bool, sha: str, parsed: Parsed) -> None:
        self.version = version
        self.settled = settled  # the version tells: no further change can hide behind it
        self.sha = sha  # SHA-256 of the bytes
        self.parsed = parsed


class _Kept:
    """What this process knows of one home."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.sound = False  # the file is there and of our making
        self.rows = self._load()
        self.read: dict[str, dict[str, Reading]] = {}  # folder → name → as it was read last
        self.fresh: dict[str, dict[str, Reading]] = {}  # those that the file does not have
        self.gone: list[tuple[bytes, bytes]] = []

    def _load(self) -> dict[bytes, list[tuple[bytes, int, bytes]]]:
        """Folder → its rows, not yet decoded."""
        found: dict[bytes, list[tuple[bytes, int, bytes]]] = {}
        try:
            if not stat.S_ISREG(os.lstat(self.path).st_mode):
                return {}
            with contextlib.closing(_connect(self.path, "ro")) as db:
                if db.execute("SELECT value FROM maker").fetchone() != (_maker(),):
                    return {}
                for folder, name, check, data in db.execute("SELECT folder, name, sum, data FROM files"):
                    found.setdefault(folder, []).append((name, check, data))
        except (OSError, sqlite3.Error):
            return {}
        self.sound = True
        return found

    def folder(self, path: str) -> dict[str, Reading]:
        """The readings of a folder, name → reading, as far as they are known."""
        if path not in self.read:
            found = {}
            for name, check, data in self.rows.pop(os.fsencode(path), ()):
                reading = _decode(name, check, data)
                if reading is not None:
                    found[os.fsdecode(name)] = reading
            self.read[path] = found
        return self.read[path]


_kept: dict[str, _Kept] = {}
"""Of the home looked at last."""


_ahead: dict[tuple[str, str], Parsed] = {}
"""Name and hash → what was parsed before its file was read."""


def path_of(home: Home) -> str:
    return os.path.join(home.state, "parsed.sqlite")


def folder(home: Home, path: str, unread: list[str] | None = None) -> dict[str, Reading]:
    """The memory files in a folder, in the order of names; regular ones only. Missing folder: none. What cannot be read is
    left out and named in `unread`."""
    kept = _of(home)
    known, began = kept.folder(path), time.time_ns()
    try:
        with os.scandir(path) as entries:
            there = sorted(
                (one.name, one.stat(follow_symlinks=False))
                for one in entries
                if layout.is_memory_name(one.name) and one.is_file(follow_symlinks=False)
            )
    except (FileNotFoundError, NotADirectoryError):
        there = []
    found: dict[str, Reading] = {}
    for name, state in there:
        version = (state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino)
        reading = known.get(name)
        if reading is None or not reading.settled or reading.version != version:
            before, reading = reading, _read(os.path.join(path, name), version, began, reading)
            if reading is None:
                if unread is not None:
                    unread.append(os.path.join(path, name))
                continue
            if reading.settled or before is None or before.version != version:
                kept.fresh.setdefault(path, {})[name] = reading
        found[name] = reading
    kept.gone += [(os.fsencode(path), os.fsencode(name)) for name in known.keys() - found.keys()]
    kept.read[path] = found
    return found


def one(path: str) -> Reading | None:
    """One file, read now; None when it cannot be read."""
    try:
        state = os.lstat(path)
    except OSError:
        return None
    version = (state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino)
    return _read(path, version, time.time_ns(), None)


def _read(path: str, version: Version, began: int, before: Reading | None) -> Reading | None:
    """None: it cannot be read, or is gone. The version is that from before the reading: a change meanwhile gives another."""
    try:
        data = files.read(path)
    except OSError:
        return None
    if data is None:
        return None
    sha, settled = files.sha(data), max(version[1], version[2]) < began - RACY_NS
    known = before.parsed if before is not None and before.sha == sha else None
    name = os.path.basename(path)
    found = known or _ahead.pop((name, sha), None) or parse(data, name=name)
    return Reading(version, settled=settled, sha=sha, parsed=found)


def ahead(data: bytes, *, name: str, sha: str) -> Parsed:
    """`memory.parse` of a file (`sha` is that of `data`) that will be read soon, so that it is parsed once."""
    found = _ahead[name, sha] = parse(data, name=name)
    return found


def keep(home: Home) -> None:
    """Write down what was read anew, unless another process holds the store's lock just now. Never fails.

    Under that lock, and only what still is as it was read: a purge must not be undone by one who read before it.
    """
    _ahead.clear()
    kept = _of(home)
    if not (kept.fresh or kept.gone) or not os.path.isdir(home.state):
        return
    with contextlib.suppress(StoreUnavailable, OSError), locked(home, 0):
        try:
            _write(kept)
        except sqlite3.Error:
            _remove(kept.path)
            forget_all()


def drop(home: Home) -> None:
    """Nothing that was parsed stays, here and on the disk. Raises `OSError`."""
    forget_all()
    _remove(path_of(home))


def forget_all() -> None:
    """This process begins anew with what the file says."""
    _kept.clear()
    _ahead.clear()


def _remove(path: str) -> None:
    for ending in ("", "-journal", "-wal", "-shm"):
        files.remove(path + ending)


def _of(home: Home) -> _Kept:
    path = path_of(home)
    if path not in _kept:
        _kept.clear()
        _kept[path] = _Kept(path)
    return _kept[path]


def _write(kept: _Kept) -> None:
    rows = []
    for path, readings in kept.fresh.items():
        for name, reading in readings.items():
            if _same(os.path.join(path, name), reading.version):
                rows.append((os.fsencode(path), *_encode(name, reading)))
    # Folders that nobody asked for are those of team stores seen from elsewhere, unless they are gone.
    empty = [one for one in kept.rows if not os.path.isdir(one)]
    if not kept.sound:
        _remove(kept.path)
        os.close(os.open(kept.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
    with contextlib.closing(_connect(kept.path, "rw")) as db:
        db.execute("PRAGMA journal_mode = MEMORY")  # no old page of a purged text in a file beside it
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA secure_delete = ON")
        db.execute("BEGIN IMMEDIATE")
        if not kept.sound:
            db.execute("CREATE TABLE maker (value TEXT)")
            db.execute("INSERT INTO maker VALUES (?)", (_maker(),))
            db.execute(
                "CREATE TABLE files (folder BLOB, name BLOB, sum INTEGER, data BLOB, PRIMARY KEY (folder, name))"
            )
        db.executemany("DELETE FROM files WHERE folder = ?", [(one,) for one in empty])
        db.executemany("DELETE FROM files WHERE folder = ? AND name = ?", kept.gone)
        db.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", rows)
        db.execute("COMMIT")
    kept.sound, kept.fresh, kept.gone = True, {}, []
    for one in empty:
        del kept.rows[one]


def _same(path: str, version: Version) -> bool:
    try:
        now = os.lstat(path)
    except OSError:
        return False
    return version == (now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino)


def _connect(path: str, mode: str) -> sqlite3.Connection:
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(f"file:{quoted}?mode={mode}", uri=True, timeout=BUSY_S, isolation_level=None)


@cache
def _maker() -> str:
    """What read the files: another parser may read them otherwise, and then nothing that the old one read counts."""
    where = os.path.dirname(memory.__file__ or "")
    sources = [os.path.join(where, name) for name in sorted(os.listdir(where)) if name.endswith(".py")]
    return "\n".join(f"{path} {(found := os.stat(path)).st_size} {found.st_mtime_ns}" for path in
                     [*sources, __file__, operations.__file__ or ""])  # fmt: skip


def _encode(name: str, reading: Reading) -> tuple[bytes, int, bytes]:
    one = reading.parsed.memory
    values = {key: value for key, default in _DEFAULTS.items() if (value := getattr(one, key)) != default}
    row = [reading.version, reading.settled, reading.sha, reading.parsed.problems, reading.parsed.broken, values]
    raw, data = os.fsencode(name), json.dumps(row, separators=(",", ":")).encode()
    return raw, zlib.crc32(data, zlib.crc32(raw)), data


def _decode(name: bytes, check: int, data: bytes) -> Reading | None:
    """None: the row is damaged."""
    try:
        if zlib.crc32(data, zlib.crc32(name)) != check:
            return None
        version, settled, sha, problems, broken, values = json.loads(data.decode("ascii"))
        _in_tuples(values)
        parsed = Parsed(memory=Memory(**values), problems=tuple(problems), broken=broken)
    except (ValueError, TypeError):
        return None
    size, mtime, ctime, inode = version
    return Reading((size, mtime, ctime, inode), settled=settled, sha=sha, parsed=parsed)


def _in_tuples(values: dict[str, object]) -> None:
    for key in _LISTS:
        if key in values:
            values[key] = tuple(values[key])  # type: ignore[arg-type]  # as it was encoded
    anchors = values.get("anchors")
    if isinstance(anchors, list):
        values["anchors"] = tuple(tuple((key, value) for key, value in anchor) for anchor in anchors)
