"""The tables of search.sqlite and the writing of rows. Cold; `query.py` reads them on the hot path.

A memory that may be injected (active, scanned clean) lies in its store's *live* group, every other one in the store's
*rest* group. A group is a range of row numbers, so that FTS5 itself passes over what a prompt may not see.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scrubjay.memory import Memory
from scrubjay.operations import Scope, Trust
from scrubjay.search.query import GROUP_BITS, NAME_END, SCHEMA
from scrubjay.search.tokens import index_terms

_TABLES = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE groups(n INTEGER PRIMARY KEY, store TEXT NOT NULL, scope TEXT NOT NULL, project TEXT NOT NULL,
  live INTEGER NOT NULL, rows INTEGER NOT NULL DEFAULT 0, terms INTEGER NOT NULL DEFAULT 0, UNIQUE(store, live));
CREATE TABLE memories(n INTEGER PRIMARY KEY, id TEXT NOT NULL, path TEXT NOT NULL, mtime_ns INTEGER NOT NULL,
  size INTEGER NOT NULL, sha TEXT NOT NULL, status TEXT NOT NULL, trust TEXT NOT NULL, type TEXT NOT NULL,
  paths TEXT NOT NULL, agents TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, body TEXT NOT NULL,
  clean INTEGER NOT NULL, pinned INTEGER NOT NULL, rule INTEGER NOT NULL, said INTEGER NOT NULL, updated TEXT NOT NULL,
  key_terms TEXT NOT NULL, description_terms TEXT NOT NULL, anchor_terms TEXT NOT NULL, body_terms TEXT NOT NULL);
CREATE INDEX by_path ON memories(path);
CREATE INDEX by_id ON memories(id);
CREATE INDEX by_rank ON memories(n >> {GROUP_BITS}, rule, pinned DESC, said DESC, updated DESC, id);
CREATE TABLE evidence(memory TEXT NOT NULL, agent TEXT NOT NULL, session TEXT NOT NULL, at TEXT NOT NULL);
CREATE INDEX by_session ON evidence(session, memory);
CREATE INDEX by_memory ON evidence(memory);
CREATE VIRTUAL TABLE fts USING fts5(key_terms, description_terms, anchor_terms, body_terms,
  content='memories', content_rowid='n', tokenize='ascii', detail=column, columnsize=0);
"""
_SHOWN = (
    "n, id, path, mtime_ns, size, sha, status, trust, type, paths, agents, name, description, body, clean, pinned, rule, "
    "said, updated"
)
_TERMS = "key_terms, description_terms, anchor_terms, body_terms"


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One memory on its way into the index."""

    memory: Memory
    path: str
    store: str
    """Absolute folder of the store."""
    scope: Scope
    project: str
    trust: Trust
    """Effective."""
    clean: bool
    broken: bool = False
    """The file could be read in part only: what it says of its own status is not sure."""
    mtime_ns: int = 0
    size: int = 0
    sha: str = ""
    said: Sequence[tuple[str, str, str]] = ()
    """`(agent, session, at)` of its evidence."""

    @property
    def live(self) -> bool:
        """May be injected."""
        return self.clean and not self.broken and self.memory.status == "active"

    @property
    def rule(self) -> bool:
        """A standing rule: the person's own words about how to work."""
        return self.memory.type in ("feedback", "user") and self.trust == "user"


def create(connection: sqlite3.Connection) -> None:
    """The empty tables."""
    connection.executescript(_TABLES)
    connection.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA),))


def add(connection: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    """New rows. The caller removed older rows of the same file."""
    columns = f"{_SHOWN}, {_TERMS}"
    marks = ", ".join("?" * len(columns.split(",")))
    highest: dict[int, int] = {}
    for entry in entries:
        group = _group(connection, entry)
        if group not in highest:
            low = group << GROUP_BITS
            found = connection.execute(
                "SELECT max(n) FROM memories WHERE n BETWEEN ? AND ?", (low, low + (1 << GROUP_BITS) - 1)
            ).fetchone()[0]
            highest[group] = low if found is None else found
        highest[group] += 1
        terms = _terms(entry.memory)
        row = (highest[group], *_values(entry), *terms)
        connection.execute(f"INSERT INTO memories({columns}) VALUES ({marks})", row)  # noqa: S608
        connection.execute(f"INSERT INTO fts(rowid, {_TERMS}) VALUES (?, ?, ?, ?, ?)", (row[0], *terms))  # noqa: S608
        connection.executemany(
            "INSERT INTO evidence VALUES (?, ?, ?, ?)", [(entry.memory.id, *said) for said in entry.said]
        )
        _count(connection, group, 1, terms)


def remove(connection: sqlite3.Connection, path: str) -> None:
    """Every row of the file at `path`."""
    for n, memory_id, *terms in connection.execute(
        f"SELECT n, id, {_TERMS} FROM memories WHERE path = ?",  # noqa: S608
        (path,),
    ).fetchall():
        connection.execute(f"INSERT INTO fts(fts, rowid, {_TERMS}) VALUES ('delete', ?, ?, ?, ?, ?)", (n, *terms))  # noqa: S608
        connection.execute("DELETE FROM memories WHERE n = ?", (n,))
        connection.execute("DELETE FROM evidence WHERE memory = ?", (memory_id,))
        _count(connection, n >> GROUP_BITS, -1, terms)


def _values(entry: Entry) -> tuple[str | int, ...]:
    memory = entry.memory
    return (
        memory.id, entry.path, entry.mtime_ns, entry.size, entry.sha, memory.status, entry.trust, memory.type,
        _text("\n".join(memory.paths)), _text("\n".join(memory.agents)), _text(memory.name), _text(memory.description),
        _text(memory.body), entry.clean, memory.pinned, entry.rule, len(memory.evidence), memory.updated,
    )  # fmt: skip


def _text(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")  # SQLite takes no lone surrogates


def _terms(memory: Memory) -> tuple[str, str, str, str]:
    anchors = [value for anchor in memory.anchors for key, value in anchor if key not in ("hash", "commit_at", "lines")]
    key = NAME_END.join(" ".join(index_terms(text)) for text in (memory.name, *memory.aliases))
    description, anchor, body = (
        " ".join(index_terms(text)) for text in (memory.description, "\n".join((*anchors, *memory.paths)), memory.body)
    )
    return key, description, anchor, body


def _group(connection: sqlite3.Connection, entry: Entry) -> int:
    key = (entry.store, entry.live)
    found = connection.execute("SELECT n FROM groups WHERE store = ? AND live = ?", key).fetchone()
    if found is not None:
        return int(found[0])
    cursor = connection.execute(
        "INSERT INTO groups(store, scope, project, live) VALUES (?, ?, ?, ?)",
        (entry.store, entry.scope, entry.project, entry.live),
    )
    return int(cursor.lastrowid or 0)


def _count(connection: sqlite3.Connection, group: int, sign: int, terms: Sequence[str]) -> None:
    length = sum(text.count(" ") + 1 for text in terms if text)
    connection.execute("UPDATE groups SET rows = rows + ?, terms = terms + ? WHERE n = ?", (sign, sign * length, group))
