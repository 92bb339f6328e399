"""Hermes: all sessions in `state.db` of the home, and of each profile below it."""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from scrubjay.agents import database, files, rows
from scrubjay.agents.base import Cursor, Json, Reading, Source, source_at
from scrubjay.agents.database import Database, Row, number, text
from scrubjay.agents.digests import Digests
from scrubjay.agents.engine import IN_ONE, Limits
from scrubjay.agents.hermes.parser import Copies, HermesParser, HermesRow
from scrubjay.agents.reading import About, Book
from scrubjay.errors import UnknownFormat
from scrubjay.session import MAX_MESSAGE_CHARS, Origin

SCHEMA = 22
"""The newest `schema_version` that is known (hermes-agent 0.19.0). Every release adds columns; none was renamed so far."""
NEEDED = frozenset(("id", "session_id", "role", "content", "timestamp"))
_LACKING = {
    "tool_calls": "NULL",
    "tool_call_id": "NULL",
    "tool_name": "NULL",
    "active": "1",
    "compacted": "0",
    "observed": "0",
}
"""Columns that older schemas lack → what stands for them."""
_MAX_VALUE = 8 << 20
"""Bytes: a longer list of parts or of tool calls is passed over."""
_MAX_CONTENT = 4 * MAX_MESSAGE_CHARS + 4
"""Bytes of a content that are read: as many characters as a message keeps, and one."""
_MAX_LINEAGE = 20
_INNER = frozenset(("subagent", "tool"))
"""Values of `source`: another agent wrote the prompts."""
_MACHINE = frozenset(("cron", "webhook", "batch"))
_ALONE = frozenset(("", "dm", "direct", "private"))
"""Values of `chat_type` where only one person talks to the agent."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Chat:
    """One row of `sessions`."""

    id: str
    source: str
    cwd: str
    branch: str
    title: str
    parent: str
    branched: bool
    delegated: bool
    started: float
    chat_type: str


class Hermes:
    """See `Reader`."""

    name = "hermes"
    title = "Hermes"
    own_memory = ("memories",)

    def roots(self, home: str, environ: Mapping[str, str]) -> list[str]:
        """`HERMES_HOME`, `~/.hermes`, and the profiles of both."""
        homes = [environ.get("HERMES_HOME", "").strip(), os.path.join(home, ".hermes")]
        profiles = [sorted(glob.glob(os.path.join(glob.escape(one), "profiles", "*"))) for one in homes if one]
        return files.existing([*homes, *(path for found in profiles for path in found)])

    def find(self, home: str, environ: Mapping[str, str]) -> list[Source]:
        """See `Reader`. A source is a session; a database that cannot be read is one source, too: reading it says why."""
        found: list[Source | None] = []
        for root in self.roots(home, environ):
            path = os.path.join(root, "state.db")
            whole = source_at(self.name, path)
            if whole is not None and whole.size and os.path.isfile(path):
                found += _sources(whole)
        return files.oldest_first(found)

    def read_all(self, source: Source, cursor: Cursor | None) -> Iterator[Reading]:
        """See `Reader`."""
        return _read(source, cursor, None)

    def read(self, source: Source, cursor: Cursor | None) -> Reading:
        """See `Reader`."""
        return next(_read(source, cursor, IN_ONE))


def _sources(whole: Source) -> list[Source]:
    try:
        with database.opened(whole.path) as db:
            _check(db)
            chats = _chats(db)
            latest = db.rows("SELECT session_id, max(timestamp) FROM messages GROUP BY session_id")
            return [
                replace(
                    whole,
                    session=text(session),
                    mtime_ns=int(number(at) * 1e9) or whole.mtime_ns,
                    sub_agent=_is_inner(chats.get(text(session)), chats),
                )
                for session, at in latest
                if text(session)
            ]
    except (OSError, UnknownFormat):
        return [whole]


def _check(db: Database) -> None:
    """Raises `UnknownFormat` for a schema that is not known."""
    lacking = NEEDED - db.columns("messages")
    if lacking:
        raise UnknownFormat(
            f"the table `messages` has no column {min(lacking)!r}: no state.db of Hermes",
            at=db.path,
            hint=database.HINT,
        )
    if db.columns("schema_version"):
        row = db.one("SELECT max(version) FROM schema_version")
        database.refuse_newer(db.path, int(number(row[0])) if row else 0, SCHEMA)


def _chats(db: Database, only: str = "") -> dict[str, _Chat]:
    """All sessions, or one with those that it came from."""
    there = db.columns("sessions")
    if "id" not in there:
        return {}
    wanted = (
        "id",
        "source",
        "cwd",
        "git_branch",
        "title",
        "parent_session_id",
        "model_config",
        "started_at",
        "chat_type",
    )
    columns = ", ".join(f"s.{name}" if name in there else "NULL" for name in wanted)
    if {"parent_session_id", "end_reason"} <= there:
        columns += ", (SELECT p.end_reason FROM sessions p WHERE p.id = s.parent_session_id)"
    else:
        columns += ", NULL"
    if not only:
        return {chat.id: chat for row in db.rows(f"SELECT {columns} FROM sessions s") if (chat := _chat(row)).id}  # noqa: S608
    found: dict[str, _Chat] = {}
    while only and only not in found and len(found) < _MAX_LINEAGE:
        row = db.one(f"SELECT {columns} FROM sessions s WHERE s.id = ?", (only,))  # noqa: S608
        if row is None:
            break
        found[only] = chat = _chat(row)
        only = chat.parent
    return found


def _chat(row: Row) -> _Chat:
    config: object = None
    with suppress(ValueError, RecursionError):
        config = json.loads(text(row[6]) or "null")
    marks = config if isinstance(config, dict) else {}
    return _Chat(
        id=text(row[0]),
        source=text(row[1]),
        cwd=text(row[2]),
        branch=text(row[3]),
        title=text(row[4])[:200],
        parent=text(row[5]),
        branched=bool(marks.get("_branched_from")) or text(row[9]) in ("branched", "compression"),
        delegated=bool(marks.get("_delegate_from")),
        started=number(row[7]),
        chat_type=text(row[8]),
    )


def _is_inner(chat: _Chat | None, chats: Mapping[str, _Chat]) -> bool:
    """A sub-agent's session: every child that is neither a branch nor goes on after a compaction (Hermes's own rule)."""
    if chat is None:
        return False
    orphan = chat.parent not in chats
    return chat.source in _INNER or chat.delegated or bool(chat.parent and not chat.branched and not orphan)


def _read(source: Source, cursor: Cursor | None, limits: Limits | None) -> Iterator[Reading]:
    with database.opened(source.path) as db:
        _check(db)
        if not source.session:  # `find` could not read it a moment ago
            raise OSError(None, "the database could not be read; it is read again next time", source.path)
        if cursor is not None and cursor.state.get("copying") is True:
            cursor = None  # caught in the middle of a copying: only from the top its end is seen
        chats = _chats(db, source.session)
        chat = chats.get(source.session)
        yield from rows.read_rows(source, cursor, _table(db, source.session), _maker(db, source, chat, chats), limits)


def _table(db: Database, session: str) -> rows.Table:
    there = db.columns("messages")
    active = "active" if "active" in there else "1"

    counted = (
        f"SELECT count(*), min(id), sum({active} IS NOT 0) FROM messages WHERE session_id = ? AND id >= ? AND id < ?"  # noqa: S608
    )
    settled = rows.Counted(lambda start, before: db.one(counted, (session, start, before)))

    def found(start: int) -> Iterator[tuple[int, HermesRow]]:
        settled(start)
        for row in db.rows(_select(there), (session, start)):
            one = _row(db, row)
            settled.add(one.id, int(one.active))
            yield one.id, one

    last = db.one("SELECT max(id) FROM messages WHERE session_id = ?", (session,))
    return rows.Table(end=int(number(last[0])) + 1 if last else 0, rows=found, settled=settled)


_SELECT = """
SELECT id, role, typeof(content) IN ('text', 'blob'), CASE WHEN length(CAST(content AS BLOB)) <= {bytes} THEN content END,
  CASE WHEN length(CAST({tool_calls} AS BLOB)) <= {most} THEN {tool_calls} END,
  {tool_call_id}, {tool_name}, timestamp, {active}, {compacted}, {observed}
FROM (SELECT id AS place FROM messages WHERE session_id = ? AND id >= ? ORDER BY id LIMIT -1)
CROSS JOIN messages ON id = place
"""
"""Only the ids are sorted: with the contents SQLite would write half of a large database into a temporary file."""


def _select(there: frozenset[str]) -> str:
    columns = {name: name if name in there else default for name, default in _LACKING.items()}
    return _SELECT.format(bytes=_MAX_CONTENT, most=_MAX_VALUE, **columns)


def _row(db: Database, row: Row) -> HermesRow:
    id_, content = int(number(row[0])), row[3]
    if content is None and row[2]:  # a huge one
        content = db.beginning("messages", "content", id_, _MAX_CONTENT)
        if content[:1] == b"\0":  # a list of parts: all of it
            content = db.beginning("messages", "content", id_, _MAX_VALUE)
    if isinstance(content, bytes):
        content = content.decode("utf-8", "replace")
    return HermesRow(
        id=id_,
        role=text(row[1]),
        content=content if isinstance(content, str) else "",
        calls=text(row[4]),
        call_id=text(row[5]),
        tool=text(row[6]),
        at=number(row[7]),
        active=row[8] != 0,
        compacted=row[9] not in (0, None),
        observed=row[10] not in (0, None),
    )


def _maker(
    db: Database, source: Source, chat: _Chat | None, chats: Mapping[str, _Chat]
) -> Callable[[Book, Mapping[str, Json]], HermesParser]:
    inner = source.sub_agent or _is_inner(chat, chats)
    machine = chat is not None and chat.source in _MACHINE
    about = About(
        id=source.session,
        cwd=chat.cwd if chat else "",
        git_branch=chat.branch if chat else "",
        title=chat.title if chat else "",
        forked_from=chat.parent if chat and chat.branched else "",
        headless=machine,
        sub_agent=inner,
    )
    shared = chat is not None and chat.chat_type not in _ALONE
    speaker: Origin = "harness" if inner else "machine" if machine else "external" if shared else "user"

    def make(book: Book, state: Mapping[str, Json]) -> HermesParser:
        copies = _copies(db, source.session, chats) if book.whole else Copies(Digests(), 0.0, {})
        return HermesParser(book, state, about, copies, speaker=speaker)

    return make


def _copies(db: Database, session: str, chats: Mapping[str, _Chat], depth: int = 0) -> Copies:
    """What tells copies in a session: its parent's messages when it began as a copy of them, and its summaries."""
    chat = chats.get(session)
    inherited = Digests()
    if chat is not None and chat.branched and chat.parent and depth < _MAX_LINEAGE:
        row = db.one("SELECT min(id) FROM messages WHERE session_id = ?", (session,))
        first = int(number(row[0])) if row else 0
        of_parent = _copies(db, chat.parent, chats, depth + 1)
        for id_, one in _table(db, chat.parent).rows(0):
            if id_ >= first:
                break
            of_parent.key(one)
        inherited = of_parent.keys()
    summaries = db.rows(
        "SELECT id, timestamp FROM messages WHERE session_id = ? AND role IS NOT 'tool'"
        " AND substr(content, 1, 9) IN ('[CONTEXT ', '[PRIOR CO')",
        (session,),
    )
    told = {int(number(row[0])): number(row[1]) for row in summaries}
    straight = depth == 0 and not inherited and not told and db.one(_CROOKED, (session, session)) is None
    return Copies(inherited, chat.started if chat else 0.0, told, straight=straight)


_CROOKED = """
SELECT 1 FROM (
  SELECT id, timestamp AS at, lag(id) OVER w AS id_before, lag(timestamp) OVER w AS at_before
  FROM messages WHERE session_id = ? WINDOW w AS (ORDER BY timestamp, id)
) WHERE id < id_before OR at <= at_before + 0.001 OR typeof(at) NOT IN ('real', 'integer')
UNION ALL
SELECT 1 FROM messages WHERE session_id = ? AND role IS NOT 'tool'
  AND (instr(content, '[CONTEXT ') OR instr(content, '[PRIOR CONTEXT'))
LIMIT 1
"""
"""A row where the times of a session go back or stand still, or that may be a compaction's summary. Where there is none,
nothing in the session is a copy of something else in it."""


READER = Hermes()
