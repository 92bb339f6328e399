"""What is measured must be measurable: the evaluation data reads whole, and holds nothing that looks like a secret."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from scrubjay import redact

STORIES = Path(__file__).parent.parent / "bench" / "stories"
FILES = sorted(path for path in STORIES.iterdir() if path.suffix in (".json", ".jsonl"))
PLAIN = [path for path in FILES if path.stem.startswith("plain-")]

sys.path.insert(0, str(STORIES.parent))
from packed import norm, read  # noqa: E402 - a script beside the data, no package


@pytest.mark.parametrize("path", PLAIN, ids=lambda path: path.name)
def test_a_plain_voice_is_whole(path: Path) -> None:
    """Each prompt once, no secret, and every pattern of a fact is found in its prompt."""
    rows = [json.loads(line) for line in read(path).splitlines()]
    assert len({row["id"] for row in rows}) == len({row["user"] for row in rows}) == len(rows) >= 100
    assert [row["id"] for row in rows if not redact.is_clean(row["user"])] == []
    lost = [
        (row["id"], pattern)
        for row in rows
        for fact in row["facts"]
        for pattern in fact["must"]
        if not re.search(pattern, norm(row["user"]))
    ]
    assert lost == []


@pytest.mark.parametrize("path", [path for path in FILES if path not in PLAIN], ids=lambda path: path.name)
def test_secrets_stand_in_parts(path: Path) -> None:
    """The file as it lies in the repository shows no secret; the text that is measured holds each one whole."""
    raw, text = path.read_text(encoding="utf-8"), read(path)
    assert "{{parts:" in raw
    assert "{{parts:" not in text
    assert [number for number, line in enumerate(raw.splitlines(), 1) if redact.findings(line)] == []
    assert not all(redact.is_clean(line) for line in text.splitlines())


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".json"], ids=lambda path: path.name)
def test_a_story_is_whole(path: Path) -> None:
    """Sessions, labels, negatives and queries are there, and every label names a turn."""
    story = json.loads(read(path))
    turns = {session["id"]: len(session["turns"]) for session in story["sessions"]}
    assert all(one["turn"] < turns[one["session"]] or one.get("branch") for one in story["gold"] + story["negatives"])
    assert min(len(story["gold"]), len(story["negatives"])) >= 30
    assert len(story["no_recall_queries"]) >= 10
