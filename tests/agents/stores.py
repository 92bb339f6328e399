"""Hand-made databases of Hermes and OpenClaw, and reading them again and again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from scrubjay.agents import Cursor, Reader, Reading, readers
from scrubjay.session import Message
from tests.agents.dumped import TABLES, packed

STARTED = 1_788_252_000.0
PATHS = {"hermes": ".hermes/state.db", "openclaw": ".openclaw/agents/main/agent/openclaw-agent.sqlite"}


class Store:
    """One agent's database in a home, and what was read of it so far: each cursor goes through its JSON."""

    def __init__(self, agent: str, home: Path, *, without: frozenset[str] = frozenset(), version: int = 0) -> None:
        self.agent, self.home, self.path = agent, home, home / PATHS[agent]
        self.reader: Reader = readers()[agent]
        self.cursors: dict[str, Cursor] = {}
        self.messages: dict[str, dict[str, Message]] = {}
        self.live: dict[str, dict[str, bool]] = {}
        self.rereads = 0
        self.rows = 0
        if not self.path.exists():
            self.path.parent.mkdir(parents=True)
            with self.db() as db:
                db.execute("PRAGMA journal_mode = WAL")
                for table, columns in TABLES[agent].items():
                    there = [name for name in columns if name not in without]
                    key = " INTEGER PRIMARY KEY AUTOINCREMENT" if table == "messages" else ""
                    db.execute(f"CREATE TABLE {table}({there[0]}{key}, {', '.join(there[1:]) or 'more'})")
                if agent == "hermes":
                    db.execute("INSERT INTO schema_version(version) VALUES (?)", (version or 22,))
                else:
                    db.execute(f"PRAGMA user_version = {version or 23}")

    @contextmanager
    def db(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            yield connection

    def put(self, table: str, **values: object) -> None:
        with self.db() as db:
            names = ", ".join(values)
            db.execute(f"INSERT INTO {table}({names}) VALUES ({', '.join('?' * len(values))})", tuple(values.values()))

    def change(self, sql: str, *values: object) -> None:
        with self.db() as db:
            db.execute(sql, values)

    def read(self) -> list[Reading]:
        found: list[Reading] = []
        for source in self.reader.find(str(self.home), {}):
            readings = list(self.reader.read_all(source, self.cursors.get(source.key)))
            cursor = Cursor.from_json(readings[-1].cursor.to_json())
            assert cursor == readings[-1].cursor
            self.cursors[source.key] = cursor
            self.rereads += readings[-1].reread
            for reading in readings:
                session = reading.session
                messages, live = self.messages.setdefault(session.id, {}), self.live.setdefault(session.id, {})
                messages.update({message.key: message for message in session.messages})
                live.update({message.key: message.key in session.live for message in session.messages})
                live.update({key: on for key, on in reading.branches.items() if key in messages})
            found += readings
        return found

    def prompts(self, session: str) -> list[tuple[str, bool]]:
        """Text and live flag of a session's prompts, in order."""
        messages = sorted(self.messages.get(session, {}).values(), key=lambda message: message.line)
        return [(m.text, self.live[session][m.key]) for m in messages if m.origin in ("user", "machine")]

    def keys(self, session: str) -> list[str]:
        messages = sorted(self.messages[session].values(), key=lambda message: message.line)
        return [message.key for message in messages if message.origin in ("user", "machine")]


class HermesStore(Store):
    """A `state.db`; a row's time is a minute after the last one's unless it is given."""

    def __init__(self, home: Path, **values: Any) -> None:
        super().__init__("hermes", home, **values)
        self.clock = STARTED

    def session(
        self, name: str, *, parent: str | None = None, config: dict[str, Any] | None = None, **values: Any
    ) -> None:
        self.clock += 60
        self.put("sessions", id=name, source=values.pop("source", "cli"), started_at=self.clock, cwd="/w/r",
                 parent_session_id=parent, model_config=json.dumps(config or {}), **values)  # fmt: skip

    def say(self, session: str, role: str, text: str | None, *, after: float = 60.0, **values: Any) -> None:
        self.clock += after
        given = {"timestamp": self.clock, **values}
        self.put("messages", session_id=session, role=role, content=text, **given)

    def turn(self, session: str, prompt: str, answer: str = "ok") -> None:
        self.say(session, "user", prompt)
        self.say(session, "assistant", answer, after=1.5)


class OpenClawStore(Store):
    """One agent's database; events hang on the one before unless told otherwise."""

    def __init__(self, home: Path, **values: Any) -> None:
        super().__init__("openclaw", home, **values)
        self.seq: dict[str, int] = {}
        self.last: dict[str, str | None] = {}
        self.made = 0

    def window(self, name: str, *, previous: str | None = None, key: str = "agent:main:main", **values: Any) -> None:
        self.put(
            "session_windows", session_id=name, session_key=key, previous_session_id=previous, created_at=1, **values
        )
        self.event(name, {"type": "session", "version": 4, "id": name, "cwd": "/w/r", "timestamp": self.stamp()})

    def stamp(self) -> str:
        self.made += 1
        return f"2026-09-03T{self.made // 3600 % 24:02}:{self.made // 60 % 60:02}:{self.made % 60:02}.120Z"

    def event(self, session: str, event: dict[str, Any], *, compress: bool = False) -> None:
        seq = self.seq[session] = self.seq.get(session, -1) + 1
        text = json.dumps(event)
        column, value = ("event_zstd", packed(text)) if compress else ("event_json", text)
        self.put(
            "transcript_events",
            session_id=session,
            seq=seq,
            created_at=1_788_252_000_000 + self.made,
            **{column: value},
        )
        self.put("transcript_event_identities", session_id=session, seq=seq, event_id=event["id"],
                 event_type=event["type"], parent_id=event.get("parentId"))  # fmt: skip

    def record(self, session: str, kind: str, *, parent: str | None = "", compress: bool = False, **values: Any) -> str:
        """An event in the chain; its id."""
        uid = f"00000000-0000-4000-8000-{self.made:012}"
        before = self.last.get(session) if parent == "" else parent
        event = {"type": kind, "id": uid, "parentId": before, "timestamp": self.stamp(), **values}
        self.event(session, event, compress=compress)
        self.last[session] = event.get("targetId") if kind == "leaf" else uid
        return uid

    def say(self, session: str, role: str, text: str, *, compress: bool = False, **values: Any) -> str:
        content = text if role == "user" else [{"type": "text", "text": text}]
        return self.record(session, "message", compress=compress, message={"role": role, "content": content, **values})

    def copy(self, old: str, new: str) -> None:
        """What a rewind does first: all events of the old session but its header, under their ids."""
        with self.db() as db:
            rows = db.execute(
                "SELECT event_json FROM transcript_events WHERE session_id = ? AND seq > 0", (old,)
            ).fetchall()
        for (text,) in rows:
            event = json.loads(text)
            self.event(new, event)
            self.last[new] = event["id"]
