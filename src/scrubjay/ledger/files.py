"""What is known of the files below `memory/`: how a change made by hand is told from one of ours. Cold; `store/` alone uses it.

Without it (ledger lost) the private git history says what the last transaction left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from scrubjay.ledger import Ledger, Row


class FileRow:
    """What the last transaction (or look) knew of a file below `memory/`."""

    __slots__ = ("checked_ns", "evidence", "hand", "memory", "mtime_ns", "prints", "sha", "size")

    def __init__(
        self,
        sha: str,
        stat: tuple[int, int, int],
        *,
        memory: str,
        hand: bool,
        evidence: Sequence[str],
        prints: Sequence[str],
    ) -> None:
        self.sha = sha  # SHA-256 of the bytes
        self.size, self.mtime_ns, self.checked_ns = stat  # checked: when the bytes were last compared with `sha`
        self.memory = memory  # memory id, "" for MEMORY.md and other files
        self.hand = hand  # as it stands, no transaction of ours wrote it
        self.evidence, self.prints = evidence, prints


_known: WeakKeyDictionary[Ledger, dict[str, FileRow]] = WeakKeyDictionary()
"""By connection: only who holds the store's lock writes rows, so within one opening they are read once."""

_COLUMNS = "path, sha, size, mtime_ns, checked_ns, id, hand, evidence"


def files(ledger: Ledger) -> dict[str, FileRow]:
    """Path below `memory/` → what was known of it, prints left out (they are most of the bytes and seldom needed).
    Not to be changed."""
    found = _known.get(ledger)
    if found is None:
        rows = ledger.rows(f"SELECT {_COLUMNS} FROM files")  # noqa: S608 - constant
        found = _known[ledger] = {str(row[0]): _row(row) for row in rows}
    return found


def with_prints(ledger: Ledger, paths: Iterable[str]) -> dict[str, FileRow]:
    """The same for some paths, prints included."""
    found = {}
    for path in paths:
        for row in ledger.rows(f"SELECT {_COLUMNS}, prints FROM files WHERE path = ?", path):  # noqa: S608 - constant
            found[path] = _row(row[:8], str(row[8]))
    return found


def _row(row: tuple[Any, ...], prints: str = "") -> FileRow:
    _, sha, size, mtime, checked, memory, hand, evidence = row
    return FileRow(
        sha,
        (size, mtime, checked),
        memory=memory,
        hand=bool(hand),
        evidence=evidence.split(),
        prints=prints.split("\n") if prints else (),
    )


def touch(ledger: Ledger, stats: Mapping[str, tuple[int, int, int]]) -> None:
    """Same bytes, other size, time or time of the comparison."""
    _known.pop(ledger, None)
    sql = "UPDATE files SET size = ?, mtime_ns = ?, checked_ns = ? WHERE path = ?"
    ledger.write_all([(sql, [(*stat, path) for path, stat in stats.items()])])


def put_files(ledger: Ledger, rows: Mapping[str, FileRow], gone: Iterable[str] = ()) -> None:
    """Both in one step."""
    known, gone = _known.pop(ledger, None), tuple(gone)
    values: list[Row] = [
        (path, row.sha, row.size, row.mtime_ns, row.checked_ns, row.memory, int(row.hand), *_joined(row))
        for path, row in rows.items()
    ]
    ledger.write_all([
        ("DELETE FROM files WHERE path = ?", [(path,) for path in gone]),
        ("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values),
    ])  # fmt: skip
    if known is not None:
        left = set(gone)
        _known[ledger] = {**{path: row for path, row in known.items() if path not in left}, **rows}


def _joined(row: FileRow) -> tuple[str, str]:
    return " ".join(row.evidence), "\n".join(row.prints)


def purge(ledger: Ledger, ids: Collection[str]) -> None:
    """Nothing of these memories stays, not even in free pages: blocks that held them, uses, injections."""
    _known.pop(ledger, None)
    one: list[Row] = [(memory,) for memory in ids]
    quoted: list[Row] = [(f'%"{memory}"%',) for memory in ids]
    ledger.write_all([
        ("DELETE FROM residents WHERE memories LIKE ?", quoted), ("DELETE FROM residents WHERE rules LIKE ?", quoted),
        ("DELETE FROM residents WHERE told LIKE ?", quoted),
        ("DELETE FROM last WHERE detail LIKE '%' || ? || '%'", one), ("DELETE FROM usage WHERE memory = ?", one),
        ("DELETE FROM injected WHERE memory = ?", one), ("DELETE FROM files WHERE id = ?", one),
    ])  # fmt: skip
    ledger.write_all([("VACUUM", [()])])
    ledger.rows("PRAGMA wal_checkpoint(TRUNCATE)")
