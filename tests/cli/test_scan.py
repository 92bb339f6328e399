"""`jay scan`: read-only, and worth looking at."""

from __future__ import annotations

import os
from pathlib import Path

from scrubjay.demo.fill import values
from tests.cli.test_demo import snapshot
from tests.cli.world import SEEDED, World


def test_it_writes_nothing_and_counts_everything(fresh: World) -> None:
    """No byte changes anywhere below the home; agents, kept, asked, refused, secrets and cost are there."""
    before = snapshot(fresh.home)
    data = fresh.jay("scan", "--json", env=SEEDED).json
    assert snapshot(fresh.home) == before
    assert {one["agent"]: one["files"] for one in data["agents"]} == {"claude-code": 2, "codex": 1, "qwen-code": 1}
    assert data["people_messages"] == 26
    assert data["keep"] > 10
    assert len(data["best"]) == 5
    assert len({one["cue"] for one in data["best"]}) == 5
    assert data["refused"]["question"] > 5
    assert 0 < data["tokens_per_session"] <= 1500


def test_secrets_are_named_by_place_and_never_by_value(fresh: World) -> None:
    """Kind, file and line; the line really holds it; neither text nor JSON repeats it."""
    data, text = fresh.jay("scan", "--secrets", "--json"), fresh.jay("scan", "--secrets")
    found = data.json["secrets"]
    assert {one["kind"] for one in found} >= {"url-password", "aws-access-key"}
    for one in found:
        line = Path(one["file"]).read_text().splitlines()[one["line"] - 1]
        assert any(value in line for value in values())
        assert f":{one['line']}" in text.out
    assert not any(value in data.out + text.out for value in values())
    assert "in all sessions, in clear text; no value is shown" in text.out


def test_the_text(fresh: World) -> None:
    """What is asked about is shown when nothing is kept; quotes, agents and dates; the next command; 60 columns are enough."""
    text = fresh.process("scan", env={"COLUMNS": "60"})
    assert text.code == 0
    lines = text.out.splitlines()
    assert max(map(len, lines)) <= 60
    assert "The best of what it would ask about" in lines
    assert lines.count("  It asks about each because: a program wrote the prompt") == 1
    assert "asks because" not in text.out
    assert lines[-1] == "Nothing was written. Next: jay init"
    kept = fresh.jay("scan", env=SEEDED)
    assert "The best of them" in kept.out.splitlines()


def test_agents_without_a_reader_are_named(fresh: World) -> None:
    """Found by their folders, told apart from those that are read."""
    os.makedirs(os.path.join(fresh.home, ".cursor", "chats"))
    os.makedirs(os.path.join(fresh.home, ".copilot", "session-state"))
    assert fresh.jay("scan", "--json").json["not_readable_yet"] == ["Cursor", "Copilot CLI"]
    assert "Cursor       found; no reader for its sessions yet" in fresh.jay("scan").out


def test_an_unreadable_session_is_named_and_hides_no_other(fresh: World) -> None:
    """A file in which nothing is understood is a problem with its path; the others count as before."""
    before = fresh.jay("scan", "--json").json
    folder = os.path.dirname(next(path for path in snapshot(fresh.home) if ".claude/projects" in path))
    Path(folder, "11111111-1111-4111-8111-111111111111.jsonl").write_text('{"what": "is this"}\n' * 3)
    after = fresh.jay("scan", "--json").json
    assert len(after["problems"]) == 1
    assert "11111111" in after["problems"][0]
    assert (after["keep"], after["ask"]) == (before["keep"], before["ask"])
