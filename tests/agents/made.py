"""Small hand-made sessions, for what no recording shows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scrubjay.agents import Reading, readers
from scrubjay.agents.base import source_at
from scrubjay.session import Session

Record = dict[str, Any]
READERS = readers()


def dump(records: Iterable[Record | bytes]) -> bytes:
    """One line a record; bytes as they are."""
    return b"".join(record if isinstance(record, bytes) else json.dumps(record).encode() + b"\n" for record in records)


def reading(agent: str, path: Path, records: Iterable[Record | bytes], *, sub_agent: bool = False) -> Reading:
    """Write the records to `path` and read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(dump(records))
    source = source_at(agent, str(path), sub_agent=sub_agent)
    assert source is not None
    return READERS[agent].read(source, None)


def said(session: Session) -> list[tuple[str, str]]:
    """Origin and text of every user message."""
    return [(message.origin, message.text) for message in session.messages if message.role == "user"]


def live_prompts(session: Session) -> list[str]:
    return [m.text for m in session.messages if m.origin in ("user", "machine") and m.key in session.live]


def claude(uid: str, parent: str | None, kind: str = "user", content: object = "hello", **values: object) -> Record:
    """A record of Claude Code at a terminal."""
    head = {"parentUuid": parent, "isSidechain": False, "type": kind, "message": {"role": kind, "content": content}}
    tail = {"uuid": uid, "timestamp": "2026-09-03T10:12:44.367Z", "sessionId": "s1", "cwd": "/w/r", "version": "2.1.40"}
    return {**head, **tail, **values}


def answer(uid: str, parent: str | None, *blocks: object, api: str = "", **values: object) -> Record:
    """An assistant's record of Claude Code; a text, or blocks."""
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    message = {"id": api or f"msg-{uid}", "role": "assistant", "content": content}
    return claude(uid, parent, "assistant", **{"message": message, **values})


def codex(kind: str, payload: Record, **values: object) -> Record:
    """A wrapped record of Codex."""
    return {"timestamp": "2026-09-03T10:12:44.367Z", "type": kind, "payload": payload, **values}


def codex_message(role: str, text: str, **values: object) -> Record:
    part = {"type": "input_text" if role == "user" else "output_text", "text": text}
    return codex("response_item", {"type": "message", "role": role, "content": [part], **values})


def qwen(uid: str, parent: str | None, kind: str = "user", text: str = "hello", **values: object) -> Record:
    """A record of Qwen Code without `provenance` (0.15)."""
    part = {"text": text}
    head = {"uuid": uid, "parentUuid": parent, "sessionId": "s1", "timestamp": "2026-09-03T10:12:44.367Z", "type": kind}
    return {
        **head,
        "cwd": "/w/r",
        "message": {"role": "user" if kind == "user" else "model", "parts": [part]},
        **values,
    }
