"""What was brought to a prompt that the person took back is no longer in the conversation, and may come again.

The reader of an agent's sessions knows which prompts lie off the live branch. The hook's row in the ledger is that of the
prompt with the same id where a client's records have one (Claude Code), else of the prompt whose time is nearest.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os

from scrubjay import clock, quickjson
from scrubjay import home as homes
from scrubjay.agents import Source, readers
from scrubjay.errors import UnknownFormat
from scrubjay.ledger import Ledger

NEAR_S = 120
"""Seconds: a hook runs when its prompt is typed. Where no prompt is so near, nothing is known of the row."""
BY_PROMPT = frozenset(("claude-code",))
BY_THEMSELVES = frozenset(("opencode", "pi"))
"""Our plugin in these tells with each prompt what is gone."""

_REWOUND = """
SELECT DISTINCT session FROM branches WHERE agent = ? AND live = 0 AND session IN (
    SELECT session FROM injected WHERE agent = ? UNION SELECT session FROM residents WHERE agent = ?)
"""

Prompts = dict[str, tuple[float, bool]]
"""Message key → when it was typed, in seconds since 1970, and whether it lies on the live branch."""


def free(ledger: Ledger, agent: str, path: str) -> None:
    """Look whether prompts of the sessions in the file at `path` were taken back since the last look."""
    if agent in BY_PROMPT:
        _by_prompt(ledger, agent, path)
    elif agent not in BY_THEMSELVES:
        for (session,) in ledger.rows(_REWOUND, agent, agent, agent):
            _by_time(ledger, agent, str(session), path)


def _by_prompt(ledger: Ledger, agent: str, path: str) -> None:
    """Claude Code names a prompt's id in the record of the prompt; the ledger knows which records lie off the live branch."""
    session = os.path.splitext(os.path.basename(path))[0]
    prompts = ledger.injected_prompts(agent, session)
    if not prompts or not os.path.isfile(path):
        return
    records: dict[str, str] = {}
    with open(path, "rb") as file:
        for line in file:
            if b'"promptId"' in line and b'"type":"user"' in line:
                with contextlib.suppress(ValueError):
                    record = json.loads(line)
                    if record.get("promptId") in prompts and isinstance(record.get("message", {}).get("content"), str):
                        records[str(record.get("uuid"))] = record["promptId"]
    gone = ledger.abandoned(records)
    ledger.free_injected(agent, session, {records[key] for key in gone})


def _by_time(ledger: Ledger, agent: str, session: str, path: str) -> None:
    left = ledger.rows("SELECT key FROM branches WHERE (agent, session, live) = (?, ?, 0) ORDER BY key", agent, session)
    seen, now = f"rewound:{agent}:{session}", hashlib.sha256(repr(left).encode()).hexdigest()
    if ledger.get(seen) == now:
        return
    prompts = list(_prompts(agent, session, path).values())
    if not prompts:
        return
    inherited = _inherited_at(ledger, agent, session)
    rows = ledger.injected(agent, session).items()
    gone = [memory for memory, (_channel, at) in rows if at > inherited and _is_gone(at, prompts)]
    ledger.write_all(
        [("DELETE FROM injected WHERE (agent, session, memory) = (?, ?, ?)", [(agent, session, one) for one in gone])]
    )
    block = ledger.resident(agent, session)
    if block is not None and ledger.get(f"late:{agent}:{session}") and _is_gone(block.at, prompts):
        # it came with a prompt and went with it: the next one brings it anew
        ledger.write_all([("DELETE FROM residents WHERE (agent, session) = (?, ?)", [(agent, session)])])
        ledger.put(f"due:{agent}:{session}", "1")
    ledger.put(seen, now)


def _prompts(agent: str, session: str, path: str) -> Prompts:
    """The prompts of a session: as of now, all branches. Empty when it cannot be read."""
    reader = readers()[agent]
    found: Prompts = {}
    with contextlib.suppress(OSError, UnknownFormat):
        for source in reader.find(homes.user_home(), os.environ):
            for reading in reader.read_all(source, None) if _may_hold(source, session, path) else ():
                if reading.session.id != session:
                    continue
                for message in reading.session.messages:
                    moment = clock.parse(message.at) if message.origin in ("user", "machine") else None
                    if moment is not None:
                        found[message.key] = moment.timestamp(), message.key in reading.session.live
                for key, live in reading.branches.items():
                    if key in found:
                        found[key] = found[key][0], live
    return found


def _may_hold(source: Source, session: str, path: str) -> bool:
    """Is it the session's row of a database, its file, or another one of the same thread?"""
    if source.sub_agent or source.unreadable:
        return False
    if source.session:
        return source.session == session
    return session in os.path.basename(source.path) or os.path.realpath(source.path) == os.path.realpath(path)


def _inherited_at(ledger: Ledger, agent: str, session: str) -> str:
    """What a fork was given with its parent's history was noted at this time; "" when it is no fork."""
    told = ledger.get(f"fork:{agent}:{session}")
    return str(quickjson.loads(told)[2]) if told else ""


def _is_gone(at: str, prompts: list[tuple[float, bool]]) -> bool:
    """Whether the prompt that this came with was taken back."""
    moment = clock.parse(at)
    if moment is None:
        return False
    when = moment.timestamp()
    # of two equally near the later one: the hook runs before the client writes the prompt down
    typed, live = min(prompts, key=lambda one: (abs(one[0] - when), one[0] < when))
    return not live and abs(typed - when) <= NEAR_S
