"""A home of its own for each test, and short ways to make memories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.home import Home
from scrubjay.memory import Memory
from scrubjay.operations import Evidence

AT = "2026-09-03T10:12:44Z"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SCRUBJAY_NOW", "2026-09-20T08:00:00Z")
    yield Home(str(tmp_path / "home"))


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
