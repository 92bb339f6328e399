"""Short ways to make what the store's tests write."""

from __future__ import annotations

from scrubjay.home import Home
from scrubjay.memory import Memory
from scrubjay.operations import Evidence
from scrubjay.store import layout
from scrubjay.store.change import Committed, commit, create

AT = "2026-09-03T10:12:44Z"


def add(home: Home, *names: str, **fields: object) -> Committed:
    """One commit with a memory for each name in the user's store."""
    changes = [create(memory(name, **fields), layout.user_store(home)) for name in names]
    return commit(home, changes, subject=f"Add {len(names)}")


def memory(name: str, **fields: object) -> Memory:
    """A memory with everything that it must have."""
    values: dict[str, object] = {
        "id": "",
        "name": name,
        "description": f"when it is about {name}",
        "type": "project",
        "body": f"What is to be known about {name}.",
        "created": AT,
        "updated": AT,
    }
    return Memory(**(values | fields))  # type: ignore[arg-type]


def evidence(number: int, **fields: object) -> Evidence:
    """A record of the message `k<number>`."""
    values: dict[str, object] = {
        "id": f"e-{number:016x}",
        "agent": "codex",
        "session": "s-1",
        "message": f"k{number}",
        "role": "user",
        "origin": "user",
        "at": AT,
        "project": "",
        "quote": f"quote number {number}",
        "file": "/nowhere/session.jsonl",
        "offset": number,
    }
    return Evidence(**(values | fields))  # type: ignore[arg-type]
