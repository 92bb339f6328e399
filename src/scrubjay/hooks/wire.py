"""What the events of all agents with hooks of Claude Code's kind have in common: payload in, the client's JSON out. Hot."""

from __future__ import annotations

import os
import time

from scrubjay import quickjson
from scrubjay.hooks import flow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Payload = Mapping[str, object]
    Handler = Callable[[flow.Call, Payload], dict[str, object]]
    Handlers = Mapping[str, Handler]

HEAD_BYTES = 4_096
TOGETHER_MS = 5_000
"""Two hooks of one event begin within this time; a session that was compacted or resumed twice took longer."""


def answer(
    agent: str, event: str, data: bytes, environ: Mapping[str, str], *, handlers: Handlers, started: float,
    inner: Callable[[Payload], bool] = lambda _values: False,
) -> bytes:  # fmt: skip
    """The bytes for standard output of one firing: b"" for an event without a handler, and where `inner` says that it is
    none of the person's. `ValueError` when `data` is not JSON."""
    values = payload(data)
    if values is None or event not in handlers or inner(values):
        return b""
    found = call(agent, event, values, environ)
    return respond(found, values, handlers[event], started) if found is not None else b""


def payload(data: bytes) -> dict[str, object] | None:
    """The event, None when it is no object. `ValueError` when `data` is not JSON."""
    found = quickjson.loads(data)
    return found if isinstance(found, dict) else None


def respond(call: flow.Call, values: Payload, handler: Handler, started: float) -> bytes:
    """Run one handler unless the person wants nothing here; the bytes for standard output."""
    output = {} if call.blocked() else handler(call, values)
    if call.outcome != "off":
        call.note(started)
    return quickjson.dumps(output).encode() if output else b""


def call(agent: str, event: str, values: Payload, environ: Mapping[str, str]) -> flow.Call | None:
    """The firing, None when the payload names no session or no directory."""
    session, cwd = values.get("session_id"), values.get("cwd")
    if not (isinstance(session, str) and session and isinstance(cwd, str) and cwd):
        return None
    return flow.Call(agent, event, session, cwd, environ)


def text(values: Payload, key: str) -> str:
    """A text of the payload, "" for anything else."""
    found = values.get(key)
    return found if isinstance(found, str) else ""


def session_changed(call: flow.Call, path: str, *, wake: bool = True) -> dict[str, object]:
    """Leave a job for the session file at `path` (none where nothing is recorded), and start the worker for it."""
    if path:
        flow.queue(call, "session", {"agent": call.agent, "path": path})
    if wake:
        flow.start_worker(call)
    return {}


def first(call: flow.Call, source: str) -> bool:
    """Of two hooks of ours for one start of a session, whatever named us twice (the person's settings, the project's, the
    plugin), is this the one that speaks? Also where that cannot be noted: twice is better than never.

    Both get the same payload, so one start is told from the next by the clock and by what the session did in between.
    """
    ledger = call.ledger
    if ledger is None:
        return True
    name = f"start:{call.agent}:{call.session}"
    now = time.monotonic_ns() // 1_000_000  # a clock that all processes of a machine share
    claim, last = ledger.get(name), ledger.rows("SELECT max(id) FROM events")
    if claim:
        other, at, event = quickjson.loads(claim)
        sql = "SELECT 1 FROM events WHERE id > ? AND agent = ? AND session = ? AND event != ? LIMIT 1"
        if other == source and 0 <= now - at < TOGETHER_MS and not ledger.rows(
            sql, event, call.agent, call.session, call.event
        ):  # fmt: skip
            return _second(call)
    mine = quickjson.dumps([source, now, last[0][0] or 0 if last else 0])
    sql = "INSERT INTO facts VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value WHERE value = ?"
    won: list[int] = []
    noted = call.write(lambda ledger: won.append(ledger.write_all([(sql, [(name, mine, claim)])])))
    return True if not noted or won[0] else _second(call)


def _second(call: flow.Call) -> bool:
    call.outcome, call.detail = "skipped", "another hook of this start was faster"
    return False


def start(call: flow.Call, own_index: flow.OwnIndex, source: str, *, replayed: bool = True) -> str:
    """The resident block for what these clients call a start. A session starts up once: of two hooks for it (settings and
    plugin) the first speaks."""
    fresh, compacted = source in ("startup", "clear"), source == "compact"
    return flow.start(call, own_index, fresh=fresh, compacted=compacted, replayed=replayed, once=source == "startup")


def started(call: flow.Call, block: str, source: str) -> dict[str, object]:
    """The answer to a session's start: the block, the line for the person, and a job to look for what changed meanwhile."""
    line = flow.notice(call) if source in ("startup", "resume", "clear") else ""
    flow.queue(call, "sweep", {"cwd": call.place.cwd})
    flow.start_worker(call)
    return output("SessionStart", block, line)


def output(event: str, block: str, line: str = "") -> dict[str, object]:
    """The client's answer. No other key: Codex drops an answer with one that it does not know."""
    answer: dict[str, object] = {}
    if block:
        answer["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": block}
    if line:
        answer["systemMessage"] = line
    return answer


def head(path: str) -> str:
    """The beginning of a session file, "" when there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return os.read(descriptor, HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        os.close(descriptor)


def named(text: str, key: str) -> str:
    """The text behind the first `"key":"…"`, "" when there is none. For the head of a line that is too long to parse."""
    for mark in (f'"{key}":"', f'"{key}": "'):
        at = text.find(mark)
        if at >= 0:
            return text[at + len(mark) :].partition('"')[0]
    return ""
