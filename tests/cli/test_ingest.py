"""`jay ingest`: a session that a builder of agents hands over is learnt from like any other, once, and kept nowhere."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.world import JAY, World

RULE = "always run `make lint` before you commit, CI refuses it otherwise"
SMALL_TALK = "the heron stood in the shallow water all afternoon"


def session(world: World, *more: dict[str, Any], **values: Any) -> bytes:
    """A session with one rule in it, as a harness would write it."""
    head = {
        "type": "session",
        "schema": "scrubjay.session/1",
        "agent": "toy",
        "session": "t1",
        "cwd": world.repo,
        **values,
    }
    said = [
        {"type": "message", "role": "user", "at": "2026-09-20T10:12:44Z", "text": RULE},
        {
            "type": "message",
            "role": "assistant",
            "at": "2026-09-20T10:12:50Z",
            "text": f"{'.' * 600} {SMALL_TALK} {'.' * 600}",
        },
        {
            "type": "message",
            "role": "user",
            "at": "2026-09-20T10:14:44Z",
            "text": "thanks",
            "meta": {"note": SMALL_TALK},
        },
    ]
    return b"".join(json.dumps(one).encode() + b"\n" for one in [head, *said, *more])


def written(world: World, data: bytes) -> str:
    path = os.path.join(world.home, "session.jsonl")
    Path(path).write_bytes(data)
    return path


def bodies(world: World) -> list[str]:
    return [row["body"] for row in world.jay("list", "--json").json["memories"]]


def files(world: World) -> dict[str, bytes]:
    """Everything below the scrubjay home."""
    return {str(path): path.read_bytes() for path in Path(world.store).rglob("*") if path.is_file()}


def test_a_file_is_learnt_from_once(fresh: World) -> None:
    """The memory names the agent that the file names; the same file again, and a grown one, change nothing else."""
    path = written(fresh, session(fresh))
    first = fresh.jay("ingest", path, "--json").json
    assert [len(first[name]) for name in ("created", "pending")] == [1, 0]
    assert (first["messages"], first["sessions"]) == (2, 1)
    (body,) = bodies(fresh)
    assert RULE in body
    assert "toy" in fresh.jay("why", first["created"][0]["id"]).out
    before = files(fresh)
    again = fresh.jay("ingest", path, "--json").json
    assert (again["created"], again["evidence_added"], again["messages"]) == ([], 0, 0)
    assert {name: data for name, data in files(fresh).items() if name.endswith(".md")} == {
        name: data for name, data in before.items() if name.endswith(".md")
    }
    grown = {"type": "message", "role": "user", "at": "2026-09-20T11:00:00Z", "text": "never push to main yourself"}
    written(fresh, session(fresh, grown))
    assert len(fresh.jay("ingest", path, "--json").json["created"]) == 1
    assert len(bodies(fresh)) == 2


def test_standard_input_is_learnt_from_and_kept_nowhere(fresh: World, tmp_path: Path) -> None:
    """What is no memory, no evidence and no kept turn of the person is in no file afterwards, not in a temporary one either."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = subprocess.run(
        [*JAY, "ingest", "-", "--json"], input=session(fresh), capture_output=True, cwd=fresh.repo, check=False,
        env=fresh.environ({"TMPDIR": str(temporary)}),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(json.loads(done.stdout)["created"]) == 1
    assert any(RULE.encode() in data for data in files(fresh).values())
    assert [name for name, data in files(fresh).items() if SMALL_TALK.encode() in data] == []
    assert list(temporary.iterdir()) == []


def test_a_dry_run_says_what_it_would_keep_and_writes_nothing(fresh: World) -> None:
    """Not even the scrubjay home is made."""
    done = fresh.jay("ingest", written(fresh, session(fresh)), "--dry-run")
    assert done.code == 0
    assert "would keep 1" in done.out
    assert not os.path.exists(os.path.join(fresh.store, "memory"))
    assert files(fresh) == {}


@pytest.mark.parametrize("flag", ["--json", ""])
def test_a_wrong_line_is_told_with_its_place_and_nothing_is_learnt(fresh: World, flag: str) -> None:
    """Exit code 2. The lines before the wrong one were good, and are not learnt either."""
    path = written(fresh, session(fresh, {"type": "message", "role": "user", "text": "no time"}))
    done = fresh.jay("ingest", path, *([flag] if flag else []))
    assert done.code == 2
    assert f"{path}:5" in (done.out if flag else done.err).replace("\n", "")
    assert "without `at`" in done.out + done.err
    assert bodies(fresh) == []
    assert not any(RULE.encode() in data for data in files(fresh).values())


def test_what_is_no_file_is_told(fresh: World) -> None:
    """A missing file and a folder."""
    missing, folder = fresh.jay("ingest", "nope.jsonl"), fresh.jay("ingest", fresh.repo)
    assert (missing.code, folder.code) == (2, 2)
    assert "no such file" in missing.err
    assert "a folder, not a file" in folder.err


def test_a_session_of_a_sub_agent_and_an_excluded_folder_teach_nothing(fresh: World) -> None:
    """As with every other agent."""
    inner = fresh.jay("ingest", written(fresh, session(fresh, sub_agent=True)), "--json").json
    assert (inner["created"], inner["skipped"]) == ([], {"sub-agent": 1})
    shut = {"SCRUBJAY_LEARN_EXCLUDE": fresh.repo}
    excluded = fresh.jay("ingest", written(fresh, session(fresh)), "--json", env=shut).json
    assert (excluded["created"], excluded["skipped"]) == ([], {"excluded": 1})
    assert len(fresh.jay("ingest", written(fresh, session(fresh)), "--json").json["created"]) == 1


def test_a_secret_goes_nowhere(fresh: World) -> None:
    """The gates are the same ones."""
    from tests.secrets import VALUES

    secret = VALUES["github-token:1"]
    said = {
        "type": "message",
        "role": "user",
        "at": "2026-09-20T10:20:00Z",
        "text": f"always use the token {secret} for CI",
    }
    assert fresh.jay("ingest", written(fresh, session(fresh, said)), "--json").code == 0
    assert not any(secret.encode() in data for data in files(fresh).values())
