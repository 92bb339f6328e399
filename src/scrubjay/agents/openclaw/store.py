"""OpenClaw's database of one agent (schema versions 4 to 23): which sessions it holds, and their events.

Sessions stand in `transcript_events`; an event is JSON, as text or compressed with Zstandard. A rewind goes on in a new
session that begins with a copy of the old one, the abandoned branch included: there, and only there, stands what became of it.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from scrubjay.agents.database import Database, Value, number, refuse_newer, text
from scrubjay.agents.jsonl import MAX_LINE
from scrubjay.agents.openclaw.parser import Circumstances
from scrubjay.agents.rows import Counted, Table
from scrubjay.errors import UnknownFormat
from scrubjay.session import Origin

SCHEMA = 23
"""The newest `user_version` that is known (OpenClaw 2026.9.6)."""
MAX_EVENT = 4 << 20
"""Bytes of a compressed event when unpacked: OpenClaw's own limit."""
COMPRESSED = "compressed: needs the package zstandard"
_MACHINE = frozenset(("cron", "plugin", "internal"))
_MAX_LINEAGE = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class Window:
    """One session id."""

    id: str
    end: int = 0
    """One more than the number of its last event."""
    at_ms: int = 0
    """When its last event was written."""
    compressed: bool = False
    key: str = ""
    previous: str = ""
    chat_type: str = ""
    hooked: bool = False
    """Its prompts come from mail or a webhook."""
    created_via: str = ""
    spawned: bool = False
    forked_from: str = ""
    title: str = ""

    @property
    def around(self) -> Circumstances:
        inner = self.spawned or ":subagent:" in self.key or self.created_via == "spawn"
        machine = self.created_via in _MACHINE or self.key.startswith("cron:") or ":cron:" in self.key
        hooked = self.hooked or self.key.startswith("hook:") or ":hook:" in self.key
        speaker: Origin = "external" if hooked else "machine" if machine else "user"
        shared = self.chat_type in ("group", "channel") or ":group:" in self.key or ":channel:" in self.key
        return Circumstances(
            speaker=speaker,
            shared=shared,
            sub_agent=inner,
            title=self.title,
            forked_from=self.forked_from or self.previous,
        )


def can_unpack() -> bool:
    return importlib.util.find_spec("zstandard") is not None


def check(db: Database) -> bool:
    """Whether the database holds sessions. Raises `UnknownFormat` for a schema that is not known."""
    row = db.one("PRAGMA user_version")
    refuse_newer(db.path, int(number(row[0])) if row else 0, SCHEMA)
    return {"session_id", "seq", "event_json"} <= db.columns("transcript_events")


def windows(db: Database, only: str = "") -> dict[str, Window]:
    """All sessions that have events, or one of them."""
    there = db.columns("transcript_events")
    about = _about(db, only)
    at = "e.created_at" if "created_at" in there else "0"
    closed = _compressed(db, only) if "event_zstd" in there and not can_unpack() else frozenset()
    where, values = _only("session_id", only)
    found = {}
    for id_, end, latest in db.rows(
        f"SELECT g.session_id, g.latest + 1, {at}"  # noqa: S608
        f" FROM (SELECT session_id, max(seq) AS latest FROM transcript_events{where} GROUP BY session_id) g"
        " JOIN transcript_events e ON e.session_id = g.session_id AND e.seq = g.latest",
        values,
    ):
        if name := text(id_):
            known = about.get(name) or Window(id=name)
            found[name] = replace(known, end=int(number(end)), at_ms=int(number(latest)), compressed=name in closed)
    return found


def _only(column: str, value: str) -> tuple[str, tuple[str, ...]]:
    return (f" WHERE {column} = ?", (value,)) if value else ("", ())


def _compressed(db: Database, only: str) -> frozenset[str]:
    """Sessions with compressed events: a look at every row, which is only needed where they cannot be unpacked."""
    more, values = _only("session_id", only)
    query = f"SELECT DISTINCT session_id FROM (SELECT * FROM transcript_events{more}) WHERE event_zstd IS NOT NULL"  # noqa: S608
    return frozenset(text(row[0]) for row in db.rows(query, values))


def _about(db: Database, only: str) -> dict[str, Window]:
    there = db.columns("session_windows")
    nodes = db.columns("session_nodes")
    if not {"session_id", "session_key"} <= there:
        return {}

    def column(name: str, of: frozenset[str], table: str) -> str:
        return f"{table}.{name}" if name in of else "NULL"

    wanted = [
        "w.session_id",
        "w.session_key",
        column("previous_session_id", there, "w"),
        column("chat_type", there, "w"),
        column("hook_external_content_source", there, "w"),
        column("spawned_by", there, "w"),
        column("created_via", nodes, "n"),
        column("spawned_by", nodes, "n"),
        column("fork_source_session_id", nodes, "n"),
        column("display_name", nodes, "n"),
    ]
    join = " LEFT JOIN session_nodes n ON n.session_key = w.session_key" if "session_key" in nodes else ""
    where, values = _only("w.session_id", only)
    return {
        text(row[0]): Window(
            id=text(row[0]),
            key=text(row[1]),
            previous=text(row[2]),
            chat_type=text(row[3]),
            hooked=bool(row[4]),
            spawned=bool(row[5] or row[7]),
            created_via=text(row[6]),
            forked_from=text(row[8]),
            title=text(row[9])[:200],
        )
        for row in db.rows(f"SELECT {', '.join(wanted)} FROM session_windows w{join}{where}", values)  # noqa: S608
    }


def table(db: Database, window: Window) -> Table:
    """The events of a session, as bytes of JSON, and whether one was over `MAX_LINE`: its long strings are cut then."""
    there = db.columns("transcript_events")
    packed = "event_zstd" if "event_zstd" in there else "NULL"
    marks = "transcript_rewrite_watermarks" if db.columns("transcript_rewrite_watermarks") else ""

    counted = Counted(
        lambda start, before: db.one(
            "SELECT count(*), min(seq) FROM transcript_events WHERE session_id = ? AND seq >= ? AND seq < ?",
            (window.id, start, before),
        )
    )

    def settled(before: int) -> str:
        told = counted(before).removesuffix("/None")
        mark = db.one(f"SELECT generation FROM {marks} WHERE session_id = ?", (window.id,)) if marks else None  # noqa: S608
        return "/".join(str(value) for value in (told, *(mark or ())))

    def found(start: int) -> Iterator[tuple[int, tuple[bytes, bool]]]:
        query = (
            "SELECT seq, rowid, typeof(event_json) = 'text',"  # noqa: S608
            f" CASE WHEN length(CAST(event_json AS BLOB)) <= {MAX_LINE} THEN CAST(event_json AS BLOB) END, {packed}"
            " FROM transcript_events WHERE session_id = ? AND seq >= ? ORDER BY seq"
        )
        for seq, rowid, is_plain, plain, blob in db.rows(query, (window.id, start)):
            if not is_plain:
                event = _unpacked(db, blob), False
            elif isinstance(plain, bytes):
                event = plain, False
            else:
                event = db.document("transcript_events", "event_json", int(number(rowid)))
            yield int(number(seq)), event

    return Table(end=window.end, rows=found, settled=settled)


def _unpacked(db: Database, blob: Value) -> bytes:
    if not isinstance(blob, bytes):
        return b""
    if not can_unpack():
        raise UnknownFormat("skipped, compressed", at=db.path, hint='pip install "scrubjay[zst]", then `jay learn`')
    import zstandard

    try:
        with zstandard.ZstdDecompressor().stream_reader(blob) as stream:
            return bytes(stream.read(MAX_EVENT))
    except zstandard.ZstdError:
        return b"(broken)"


def refuse_compressed(db: Database, window: Window) -> None:
    """Raises `UnknownFormat` when a part of the session cannot be unpacked here: half of it would be misunderstood."""
    if window.compressed and not can_unpack():
        raise UnknownFormat(
            "a part of the session is compressed with Zstandard, and the package zstandard is not installed",
            at=f"{db.path}#{window.id}",
            hint='pip install "scrubjay[zst]", then `jay learn`',
        )


def last_of(db: Database, window: Window) -> str:
    """Id of the session in which this one is gone on with after all rewinds; its own when there was none."""
    last, seen = window.id, {window.id}
    if "previous_session_id" not in db.columns("session_windows"):
        return last
    while len(seen) < _MAX_LINEAGE:
        row = db.one("SELECT max(session_id) FROM session_windows WHERE previous_session_id = ? AND created_at ="
                     " (SELECT max(created_at) FROM session_windows WHERE previous_session_id = ?)", (last, last))  # fmt: skip
        following = text(row[0]) if row else ""
        if not following or following in seen:
            break
        last = following
        seen.add(last)
    return last


def copied_by(db: Database, window: Window) -> Iterator[Window]:
    """The sessions that this one may be a copy of, nearest first."""
    seen = {window.id}
    while window.previous and window.previous not in seen and len(seen) < _MAX_LINEAGE:
        before = windows(db, window.previous).get(window.previous)
        if before is None:
            return
        yield before
        window = before
        seen.add(window.id)


def live_events(db: Database, session: str) -> dict[str, bool]:
    """Every event of a session by id: whether it is on the way from the session's end to its beginning."""
    if not {"event_id", "parent_id", "event_type"} <= db.columns("transcript_event_identities"):
        return {}
    parents: dict[str, str] = {}
    leaf = ""
    for id_, parent, kind, seq in db.rows(
        "SELECT event_id, parent_id, event_type, seq FROM transcript_event_identities WHERE session_id = ? ORDER BY seq",
        (session,),
    ):
        parents[text(id_)] = text(parent)
        leaf = _target(db, session, seq) if text(kind) == "leaf" else leaf if text(kind) == "session" else text(id_)
    live = dict.fromkeys(parents, False)
    while leaf in live and not live[leaf]:
        live[leaf] = True
        leaf = parents[leaf]
    return live


def _target(db: Database, session: str, seq: Value) -> str:
    row = db.one("SELECT event_json FROM transcript_events WHERE session_id = ? AND seq = ?", (session, seq))
    with suppress(ValueError, RecursionError, TypeError):
        event = json.loads(text(row[0])) if row else {}
        return str(event.get("targetId") or "") if isinstance(event, dict) else ""
    return ""
