"""`jay forget` by session and by time."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.cli.terminal import Terminal
from tests.cli.world import World


def rows(world: World) -> list[dict[str, Any]]:
    found = world.jay("list", "--everywhere", "--all", "--json").json["memories"]
    assert isinstance(found, list)
    return found


def by_session(world: World) -> dict[str, set[str]]:
    """Session → ids of the memories that rest on it alone."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in rows(world):
        sessions = {proof["session"] for proof in world.jay("why", row["id"], "--json").json["evidence"]}
        if len(sessions) == 1:
            found[sessions.pop()].add(row["id"])
    return found


def test_a_session(mine: World) -> None:
    """What rests on it alone goes, and nothing else; a dry run shows the same and changes nothing; without a terminal it
    needs --yes; undo brings it back."""
    session, ids = max(by_session(mine).items(), key=lambda pair: len(pair[1]))
    before = {row["id"] for row in rows(mine)}
    dry = mine.jay("forget", "--session", session[:13], "--dry-run", "--json").json
    assert {row["id"] for row in dry["would_forget"]} == ids
    refused = mine.jay("forget", "--session", session, "--json")
    assert (refused.code, "--yes" in refused.json["hint"]) == (2, True)
    assert {row["id"] for row in rows(mine)} == before
    done = mine.jay("forget", "--session", session, "--yes", "--json").json
    assert set(done["ids"]) == ids
    assert {row["id"] for row in rows(mine)} == before - ids
    assert mine.jay("undo", done["undo"]).code == 0
    assert {row["id"] for row in rows(mine)} == before
    with Terminal(mine, "forget", "--session", session) as terminal:
        terminal.wait_for("[y/N]: ")
        terminal.press("\n")
        terminal.wait_for("nothing was changed")
        assert terminal.end() == 2


def test_a_session_for_good(mine: World) -> None:
    """Evidence and kept turns of the session are gone, also of what was forgotten before; nothing is learnt again."""
    session, ids = max(by_session(mine).items(), key=lambda pair: len(pair[1]))
    first = min(ids)
    turns = list(Path(mine.store, "turns").glob("*.jsonl"))
    assert any(session in path.read_text() for path in turns)
    assert mine.jay("forget", first).code == 0
    done = mine.jay("forget", "--session", session, "--purge", "--yes", "--json").json
    assert set(done["ids"]) == ids
    assert not any(session in path.read_text() for path in Path(mine.store, "turns").glob("*.jsonl"))
    for path in Path(mine.store, "evidence").glob("*.jsonl"):
        assert not [line for line in path.read_text().splitlines() if session in line and not done["said_elsewhere"]]
    assert mine.jay("learn", "--json").json["created"] == []


def test_a_time(mine: World) -> None:
    """A date is its whole day; the bounds together take what lies between them."""
    days: dict[str, set[str]] = defaultdict(set)
    for row in rows(mine):
        proofs = {proof["at"][:10] for proof in mine.jay("why", row["id"], "--json").json["evidence"]}
        if len(proofs) == 1:
            days[proofs.pop()].add(row["id"])
    day, ids = max(days.items(), key=lambda pair: len(pair[1]))
    dry = mine.jay("forget", "--since", day, "--until", day, "--dry-run", "--json").json
    assert {row["id"] for row in dry["would_forget"]} == ids
    later = mine.jay("forget", "--since", "2030-01-01", "--yes", "--json")
    assert later.code == 1


def test_wrong_command_lines(mine: World) -> None:
    """Nothing named, both named, no date, bounds the wrong way round, too little of an id: 2, and nothing changes."""
    before = rows(mine)
    for arguments in (
        [], [before[0]["id"], "--since", "2026-01-01"], ["--since", "soon"],
        ["--since", "2026-03-02", "--until", "2026-03-01"], ["--session", "a"],
    ):  # fmt: skip
        assert mine.jay("forget", *arguments, "--yes").code == 2, arguments
    assert mine.jay("forget", "--session", os.urandom(8).hex(), "--yes").code == 1
    assert rows(mine) == before
