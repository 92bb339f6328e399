"""Clients' databases as SQL text, so that a fixture can be read, and holds placeholders instead of secrets.

Only the columns that a reader could want are kept. A value that the client compressed stands there as the text that it
was, in a call of `zstd()`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

Tables = Mapping[str, Sequence[str]]
"""Table → its columns, the first of them the primary key when it is called `id` (or ends in `_key`)."""

TABLES: dict[str, Tables] = {
    "hermes": {
        "schema_version": ("version",),
        "sessions": (
            *("id", "source", "model_config", "parent_session_id", "started_at", "end_reason", "cwd", "git_branch"),
            *("title", "rewind_count", "chat_type"),
        ),
        "messages": (
            *("id", "session_id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp"),
            *("finish_reason", "observed", "active", "compacted", "api_content"),
        ),
    },
    "opencode": {
        "session": (
            *("id", "parent_id", "directory", "title", "revert", "permission", "time_created", "time_updated"),
        ),
        "message": ("id", "session_id", "time_created", "time_updated", "data"),
        "part": ("id", "message_id", "session_id", "time_created", "time_updated", "data"),
    },
    "openclaw": {
        "schema_meta": ("meta_key", "role", "schema_version"),
        "session_nodes": (
            *("session_key", "current_session_id", "created_via", "parent_session_key", "spawned_by"),
            *("fork_source_session_id", "display_name"),
        ),
        "session_windows": (
            *("session_id", "session_key", "previous_session_id", "reason", "created_at", "chat_type"),
            *("hook_external_content_source", "spawned_by"),
        ),
        "transcript_events": ("session_id", "seq", "event_json", "event_zstd", "created_at"),
        "transcript_event_identities": ("session_id", "event_id", "seq", "event_type", "parent_id"),
        "transcript_rewrite_watermarks": ("session_id", "generation"),
    },
}


def dump(path: Path, tables: Tables, thin: Callable[[str], str] = str) -> str:
    """The database as SQL. `thin` shortens the JSON of a value that only takes space."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        lines = [f"PRAGMA user_version = {version};"]
        for table, columns in tables.items():
            key = " PRIMARY KEY" if columns[0] == "id" or columns[0].endswith("_key") else ""
            kind = " INTEGER" if (table, columns[0]) == ("messages", "id") else ""
            lines.append(f"CREATE TABLE {table}({', '.join((columns[0] + kind + key, *columns[1:]))});")
            rows = db.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY rowid")
            lines += [f"INSERT INTO {table} VALUES({','.join(_literal(one, thin) for one in row)});" for row in rows]
    return "\n".join(lines) + "\n"


def _literal(value: object, thin: Callable[[str], str]) -> str:
    if isinstance(value, bytes):
        import zstandard

        with zstandard.ZstdDecompressor().stream_reader(value) as stream:
            text: bytes = stream.read()
        return f"zstd({_literal(text.decode(), thin)})"
    if isinstance(value, str):
        return "'" + thin(value).replace("'", "''") + "'"
    return "NULL" if value is None else repr(value)


def load(sql: str, path: Path) -> None:
    """Make the database, as the client leaves it when it ends: in WAL mode, without a log."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.create_function("zstd", 1, packed, deterministic=True)
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(f"BEGIN;\n{sql}\nCOMMIT;")


def packed(text: str) -> bytes:
    import zstandard

    return bytes(zstandard.ZstdCompressor(level=1).compress(text.encode()))
