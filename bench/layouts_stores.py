"""Sessions as the clients keep them in a database, as in `layouts.py`: OpenCode, Hermes, OpenClaw; one huge session each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Protocol

from layouts import Maker

START = 1_788_252_003_563
"""Milliseconds since 1970."""
CWD = "/home/dev/acme-api"

Statement = tuple[str, tuple[object, ...]]


class Store(Protocol):
    """Makes the rows of one session."""

    session: str
    schema: str
    """SQL that makes the database: the columns that are read, the client's own indexes, the session's row."""

    def turn(self) -> Iterator[Statement]:
        """One turn: a prompt, a dozen tool calls, an answer."""

    def long(self, size: int) -> Iterator[Statement]:
        """A row with a string of so many bytes."""


def packed(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


class OpenCode(Maker):
    """OpenCode 1.18: a row a message, rows for its parts; a tool's output stands in its part twice."""

    session = "ses_0a3dfe376ffe9vlhRgy8FZ1MQf"
    schema = f"""
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, directory text NOT NULL,
  title text NOT NULL, revert text, permission text, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
  time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL,
  time_updated integer NOT NULL, data text NOT NULL);
CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
CREATE INDEX part_message_id_id_idx ON part (message_id, id);
CREATE INDEX part_session_idx ON part (session_id);
INSERT INTO session VALUES ('{session}', 'global', NULL, '{CWD}', 'a title', NULL, NULL, {START}, {START});
"""

    def __init__(self) -> None:
        super().__init__()
        self.clock, self.user = START, ""

    def uid(self, kind: str = "call") -> str:
        """Ids ascend with time."""
        self.clock += 37
        return f"{kind}_{self.clock * 4096:014x}Y{self.random.getrandbits(64):016x}"[:30]

    def message(self, record: dict[str, object], *parts: Mapping[str, object]) -> Iterator[Statement]:
        uid = self.uid("msg")
        record["time"] = {"created": self.clock, **({"completed": self.clock + 30} if "finish" in record else {})}
        yield "INSERT INTO message VALUES (?,?,?,?,?)", (uid, self.session, self.clock, self.clock, packed(record))
        for part in parts:
            row = (self.uid("prt"), uid, self.session, self.clock, self.clock, packed(part))
            yield "INSERT INTO part VALUES (?,?,?,?,?,?)", row
        self.user = uid if record["role"] == "user" else self.user

    def answer(self, finish: str, *parts: dict[str, object]) -> Iterator[Statement]:
        tokens: dict[str, object] = {"input": 4058, "output": 42, "reasoning": 0, "cache": {"write": 0, "read": 4057}}
        record: dict[str, object] = {"parentID": self.user, "role": "assistant", "mode": "build", "agent": "build"}
        record |= {"path": {"cwd": CWD, "root": CWD}, "cost": 0, "tokens": tokens, "modelID": "m", "providerID": "p"}
        end = {
            "reason": finish,
            "snapshot": "863aeaebb594a76192ae210dc5c5e16f5ca23ff1",
            "type": "step-finish",
            "tokens": tokens,
        }
        begin = {"snapshot": "863aeaebb594a76192ae210dc5c5e16f5ca23ff1", "type": "step-start"}
        return self.message({**record, "finish": finish}, begin, *parts, end)

    def tool(self, output: str) -> dict[str, object]:
        command = {"command": f"python3 scripts/check.py -k {self.words(2)}", "description": self.words(5)}
        shown = {"output": output[:30_000], "exit": 0, "truncated": len(output) > 30_000}
        state = {
            "status": "completed",
            "input": command,
            "output": output,
            "metadata": shown,
            "title": command["command"],
        }
        time = {"start": self.clock, "end": self.clock + 20}
        return {"type": "tool", "tool": "bash", "callID": self.uid(), "state": {**state, "time": time}}

    def turn(self) -> Iterator[Statement]:
        model = {"providerID": "p", "modelID": "m"}
        prompt: dict[str, object] = {"role": "user", "agent": "build", "model": model, "summary": {"diffs": []}}
        yield from self.message(prompt, {"type": "text", "text": self.words(30)})
        for _ in range(12):
            yield from self.answer("tool-calls", self.tool(self.output()))
        yield from self.answer("stop", {"type": "text", "text": self.words(120), "time": {"start": 1, "end": 2}})

    def long(self, size: int) -> Iterator[Statement]:
        return self.answer("tool-calls", self.tool("x" * size))


class Hermes(Maker):
    """Hermes 0.19, schema 22."""

    session = "20260901_084000_5d45e2"
    schema = f"""
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, chat_type TEXT, model_config TEXT, parent_session_id TEXT,
  started_at REAL NOT NULL, end_reason TEXT, cwd TEXT, git_branch TEXT, title TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT,
  tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_count INTEGER, finish_reason TEXT,
  observed INTEGER DEFAULT 0, active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0, api_content TEXT);
CREATE INDEX idx_messages_session ON messages(session_id, timestamp);
CREATE INDEX idx_messages_session_active ON messages(session_id, active, timestamp);
INSERT INTO schema_version VALUES (22);
INSERT INTO sessions VALUES ('{session}', 'cli', NULL, NULL, NULL, {START / 1000}, NULL, '{CWD}', 'main', 'a title');
"""

    def __init__(self) -> None:
        super().__init__()
        self.clock = START / 1000

    def row(self, role: str, content: str, call: str = "", calls: str = "", tool: str = "") -> Statement:
        self.clock += 0.537
        values = (self.session, role, content, call or None, calls or None, tool or None, self.clock)
        names = "session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp"
        return f"INSERT INTO messages({names}) VALUES (?,?,?,?,?,?,?)", values

    def turn(self) -> Iterator[Statement]:
        yield self.row("user", self.words(30))
        for _ in range(12):
            call = f"call_{self.uid()[:24]}"
            arguments = json.dumps({"command": f"python3 scripts/check.py -k {self.words(2)}"})
            function = {"name": "terminal", "arguments": arguments}
            yield self.row("assistant", "", calls=json.dumps([{"id": call, "type": "function", "function": function}]))
            yield self.result(call, self.output())
        yield self.row("assistant", self.words(120))

    def result(self, call: str, output: str) -> Statement:
        said = json.dumps({"output": output, "exit_code": 0, "error": None})
        return self.row("tool", said, call=call, tool="terminal")

    def long(self, size: int) -> Iterator[Statement]:
        yield self.result("c", "x" * size)


class OpenClaw(Maker):
    """OpenClaw 2026.9, schema 23: events as JSON in a chain, the client's own among them."""

    session = "bc0ec510-f151-5555-b101-61d498afe7ab"
    schema = f"""
PRAGMA user_version = 23;
CREATE TABLE session_windows (session_id TEXT NOT NULL PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT,
  reason TEXT, created_at INTEGER NOT NULL, hook_external_content_source TEXT, chat_type TEXT, spawned_by TEXT);
CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL,
  event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq));
CREATE TABLE transcript_event_identities (session_id TEXT NOT NULL, event_id TEXT NOT NULL, seq INTEGER NOT NULL,
  event_type TEXT, parent_id TEXT, created_at INTEGER NOT NULL, PRIMARY KEY (session_id, event_id));
CREATE INDEX idx_agent_transcript_event_identity_sequence ON transcript_event_identities(session_id, seq);
INSERT INTO session_windows VALUES ('{session}', 'agent:main:main', NULL, 'initial', {START}, NULL, 'direct', NULL);
"""

    def __init__(self) -> None:
        super().__init__()
        self.clock, self.seq = START, -1

    def event(self, kind: str, **values: object) -> Iterator[Statement]:
        self.clock, self.seq = self.clock + 37, self.seq + 1
        uid, parent = self.uid(), self.parent
        stamp = f"2026-09-{self.clock // 86_400_000 % 28 + 1:02}T{self.clock // 3_600_000 % 24:02}:40:11.118Z"
        record: dict[str, object] = {"type": kind, **values, "id": uid, "parentId": parent, "timestamp": stamp}
        if kind == "session":
            record = {"type": kind, "version": 4, "id": self.session, "timestamp": stamp, "cwd": CWD}
        else:
            self.parent = uid
        text = packed(record)
        row = (self.session, self.seq, text, self.clock, len(text))
        yield (
            "INSERT INTO transcript_events(session_id, seq, event_json, created_at, event_utf8_bytes) VALUES (?,?,?,?,?)",
            row,
        )
        known = (self.session, record["id"], self.seq, kind, record.get("parentId"), self.clock)
        yield "INSERT INTO transcript_event_identities VALUES (?,?,?,?,?,?)", known

    def message(self, role: str, content: object, **values: object) -> Iterator[Statement]:
        return self.event("message", message={"role": role, "content": content, **values, "timestamp": self.clock})

    def turn(self) -> Iterator[Statement]:
        if self.seq < 0:
            yield from self.event("session")
        yield from self.message("user", self.words(30), __openclaw={"senderIsOwner": True})
        for _ in range(12):
            call = f"call_{self.uid()[:24]}"
            command = {"command": f"python3 scripts/check.py -k {self.words(2)}"}
            usage = {"input": 5008, "output": 35, "cacheRead": 5007, "note": self.words(10)}
            block = {"type": "toolCall", "id": call, "name": "exec", "arguments": command}
            yield from self.message("assistant", [block], api="openai-completions", provider="p", usage=usage)
            yield from self.result(call, self.output())
            frozen = {"prunedToolResults": [], "frozenToolResults": [{"key": f"tool:{call}", "sourceHash": self.uid()}]}
            yield from self.event("custom", customType="openclaw.cache-ttl", data=frozen)
        yield from self.message("assistant", [{"type": "text", "text": self.words(120)}], usage={"input": 5008})

    def result(self, call: str, output: str) -> Iterator[Statement]:
        content = [{"type": "text", "text": output}]
        return self.message("toolResult", content, toolCallId=call, toolName="exec", details={"status": "completed"})

    def long(self, size: int) -> Iterator[Statement]:
        return self.result("c", "x" * size)
