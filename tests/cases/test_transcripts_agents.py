"""What people reported about reading sessions, for every agent that is read: through `jay learn`, `jay scan`, `jay doctor`."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scrubjay.agents import readers
from scrubjay.inject.fence import TAGS, fenced
from tests.cases import sessions
from tests.cases.machine import Machine

ALL = tuple(sessions.BUILDERS)
RULE = "From now on invoices are always numbered per country."
FRIDAY = "Never deploy on a Friday."
SAID = (
    RULE, FRIDAY, "We use pnpm here, not npm.", "Always answer in British English.", "Never touch the lock file by hand.",
    "Migrations always run before the api container starts.", "Always write commit messages in the imperative.",
    "The staging database always listens on port 6543.", "Never log the body of a payment request.",
    "Always run the linter before you commit.",
)  # fmt: skip


@pytest.fixture
def repo(machine: Machine) -> Path:
    return machine.repository("shop")


@pytest.mark.parametrize("agent", ALL)
def test_what_is_new_is_learnt_once_and_what_is_half_written_waits(machine: Machine, repo: Path, agent: str) -> None:
    """A line that stops in its middle is nothing yet, and is read once it is whole; a database's row is there or not."""
    path = sessions.write(agent, machine.home, repo, RULE)
    assert machine.learn()["messages"] == 1
    assert machine.listed(repo) == [RULE]
    whole = path.read_bytes()
    sessions.more(agent, path, FRIDAY)
    if agent in sessions.LINES:
        longer = path.read_bytes()
        path.write_bytes(longer[: len(longer) - 20])
        assert machine.learn()["messages"] == 0
        assert longer.startswith(whole)
        path.write_bytes(longer)
    assert machine.learn()["messages"] == 1
    assert machine.listed(repo) == sorted([RULE, FRIDAY])
    assert machine.learn()["messages"] == 0
    for row in machine.jay("list", "--json", cwd=repo).json["memories"]:
        (proof,) = machine.jay("why", row["id"], "--json", cwd=repo).json["evidence"]
        assert (proof["agent"], proof["session"]) == (agent, sessions.IDS[agent])


def damage(agent: str, path: Path) -> None:
    """NULs, half a record, a bare value and a foreign one at the end of the file; or rows whose JSON stops."""
    if agent in sessions.LINES:
        with path.open("ab") as file:
            file.write(b"\0" * 300 + b'\n\n42\n{"type":"user","mess\n\xff\xfe\n')
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        if agent == "opencode":
            db.execute("""INSERT INTO message VALUES('msg_5', 'ses_1', 5, 5, '{"role":"us')""")
            db.execute("""INSERT INTO part VALUES('prt_50', 'msg_1', 'ses_1', 5, 5, '{"type":"te')""")
        else:
            db.execute("INSERT INTO transcript_events(session_id, seq, event_json) VALUES('s1', 5, '{\"type\":')")


@pytest.mark.parametrize("agent", [one for one in ALL if one != "hermes"])  # whose messages are columns, no records
def test_what_is_damaged_costs_itself_and_is_counted(machine: Machine, repo: Path, agent: str) -> None:
    """Before and behind it everything is learnt; `jay scan`, `jay learn`, and afterwards `jay doctor`, say how much it was."""
    path = sessions.write(agent, machine.home, repo, RULE)
    if agent in sessions.LINES:
        last = path.read_bytes()
        sessions.more(agent, path, FRIDAY)
        behind = path.read_bytes().removeprefix(last)
        path.write_bytes(last)
        damage(agent, path)
        with path.open("ab") as file:
            file.write(behind)
    else:
        damage(agent, path)
        if agent == "opencode":
            sessions.more(agent, path, FRIDAY)
    assert machine.jay("scan", "--json", cwd=repo).json["skipped"]["broken_lines"] >= 1
    assert machine.learn()["skipped"]["broken_lines"] >= 1
    assert machine.listed(repo) == ([RULE] if agent == "openclaw" else sorted([RULE, FRIDAY]))
    assert any("broken_lines" in one["detail"] for one in machine.jay("doctor", "--json").json["checks"])


def strange(agent: str, path: Path) -> None:
    """A release to come wrote it."""
    if agent in sessions.LINES:
        rows = [{"type": "envelope_of_2027", "id": number, "body": {"say": RULE}} for number in range(9)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        if agent == "hermes":
            db.execute("UPDATE schema_version SET version = 999")
        elif agent == "openclaw":
            db.execute("PRAGMA user_version = 999")
        else:
            db.execute("ALTER TABLE part RENAME TO piece")


@pytest.mark.parametrize("agent", ALL)
def test_a_format_that_nobody_understands_is_said_and_its_place_is_held(
    machine: Machine, repo: Path, agent: str
) -> None:
    """Each time again, with the file; nothing counts as read: once it is understood, everything is learnt. Another agent's
    sessions are not held up by it."""
    path = sessions.write(agent, machine.home, repo, RULE)
    kept = path.read_bytes()
    other = "codex" if agent != "codex" else "pi"
    sessions.write(other, machine.home, repo, FRIDAY)
    strange(agent, path)
    for _ in range(2):
        (problem,) = machine.learn()["problems"]
        assert str(path) in problem
        assert agent not in sessions.LINES or ("unknown format" in problem and "envelope_of_2027" in problem), problem
    assert machine.listed(repo) == [FRIDAY]
    assert machine.jay("scan", "--json").json["problems"] == [problem]
    assert any(str(path) in one["detail"] for one in machine.jay("doctor", "--json").json["checks"])
    for beside in path.parent.glob(path.name + "-*"):
        beside.unlink()
    path.write_bytes(kept)
    machine.learn()
    assert machine.listed(repo) == sorted([RULE, FRIDAY])


def folders(home: Path) -> dict[str, tuple[Any, ...]]:
    """Everything of the agents: bytes, times, modes; folders too, since something may appear in them."""
    found: dict[str, tuple[Any, ...]] = {}
    for path in home.rglob("*"):
        if not {".scrubjay", "w"} & set(path.relative_to(home).parts):
            about = path.stat()
            data = path.read_bytes() if path.is_file() else b""
            found[str(path)] = (data, about.st_mtime_ns, about.st_mode)
    return found


def test_reading_leaves_every_agents_folder_as_it_is(machine: Machine, repo: Path) -> None:
    """Scan, learn, why, import and doctor: no byte, time or mode of theirs changes, no session, log or lock file appears.
    Doctor says for each agent where it looks, how much is there and how new it is."""
    for number, agent in enumerate(ALL):
        sessions.write(agent, machine.home, repo, SAID[number])
    before = folders(machine.home)
    assert len(machine.jay("scan", "--json", cwd=repo).json["agents"]) >= len(ALL)
    assert machine.learn()["messages"] == len(ALL)
    for row in machine.jay("list", "--json", cwd=repo).json["memories"]:
        machine.jay("why", row["id"], cwd=repo)
    machine.jay("import", cwd=repo)
    checks = machine.jay("doctor", "--json", cwd=repo).json["checks"]
    assert folders(machine.home) == before
    for reader in readers().values():
        (said,) = (
            one["detail"] for one in checks if one["name"] == reader.title and "session files below" in one["detail"]
        )
        assert said.startswith("1 session files below ")
        assert "newest 20" in said


@pytest.mark.parametrize("agent", ALL)
def test_a_run_in_our_own_home_is_no_source(machine: Machine, agent: str) -> None:
    """Whatever it was for, what it was told is no person's word."""
    (machine.store / "state").mkdir(parents=True)
    sessions.write(agent, machine.home, machine.store / "state", RULE)
    assert machine.learn()["created"] == []
    assert machine.listed(machine.home, "--all", "--everywhere") == []


@pytest.mark.parametrize("agent", ALL)
def test_our_own_text_teaches_nothing(machine: Machine, repo: Path, agent: str) -> None:
    """A block of ours that stands in a prompt, in a tool's output or in an answer, whole or cut off, is nobody's word."""
    blocks = "\n".join(fenced(tag, f"- [m-1] {RULE}") for tag in TAGS)
    open_end = f"<{TAGS[0]}>\n- [m-1] {RULE}"
    sessions.write(agent, machine.home, repo, f"{FRIDAY}\n{blocks}\n{open_end}", output=blocks, answer=blocks)
    machine.learn()
    assert machine.listed(repo, "--all", "--everywhere") == [FRIDAY]


@pytest.mark.parametrize("agent", ["codex", "kimi-code"])
def test_old_and_new_places_are_both_read(machine: Machine, repo: Path, agent: str) -> None:
    """Archived threads, and the client that came before: each session once."""
    if agent == "kimi-code":
        sessions.write("kimi-cli", machine.home, repo, RULE)
    else:
        path = sessions.write(agent, machine.home, repo, RULE)
        archived = machine.home / ".codex" / "archived_sessions" / path.name.replace("1111-2222", "9999-2222")
        archived.parent.mkdir()
        archived.write_text(path.read_text().replace("1111-2222", "9999-2222"))
    sessions.write(agent, machine.home, repo, FRIDAY)
    assert machine.learn()["messages"] == 2
    assert machine.listed(repo) == sorted([RULE, FRIDAY])


@pytest.mark.parametrize("agent", ["claude-code", "codex", "qwen-code"])  # the others record one directory a session
def test_a_prompt_that_was_typed_in_another_repository_belongs_there(machine: Machine, repo: Path, agent: str) -> None:
    """One session, two directories."""
    other = machine.repository("there")
    path = sessions.write(agent, machine.home, repo, RULE)
    before = path.read_text()
    sessions.more(agent, path, FRIDAY)
    last = json.loads(path.read_text().removeprefix(before))
    turn = {"timestamp": last["timestamp"], "type": "turn_context", "payload": {"cwd": str(other)}}
    rows = [turn, last] if agent == "codex" else [{**last, "cwd": str(other)}]
    path.write_text(before + "".join(json.dumps(row) + "\n" for row in rows))
    machine.learn()
    assert machine.listed(repo) == [RULE]
    assert machine.listed(other) == [FRIDAY]
