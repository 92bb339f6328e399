"""What people reported about reading session files: on real files, through `jay learn`, `jay scan` and `jay doctor`."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys

from tests.cases.machine import Machine

RULE = "From now on invoices are always numbered per country."
FRIDAY = "Never deploy on a Friday."


def test_a_line_that_is_still_being_written_waits(machine: Machine) -> None:
    """Cut anywhere, also inside a character: what is whole is learnt, the rest is learnt once it is whole, nothing twice."""
    repo = machine.repository("shop")
    talk = machine.talk("one", repo)
    talk.say(RULE)
    whole = talk.path.read_bytes()
    talk.say("Never deploy on a Friday: ŝarĝo.")
    more = talk.path.read_bytes().replace(rb"\u015d", "ŝ".encode())
    for cut in (len(whole) + 14, more.index("ŝ".encode()) + 1):
        talk.path.write_bytes(more[:cut])
        machine.learn()
        assert machine.listed(repo) == [RULE]
    talk.path.write_bytes(more)
    machine.learn()
    assert len(machine.listed(repo)) == 2
    assert machine.learn()["messages"] == 0


def test_damaged_lines_cost_themselves_and_are_counted(machine: Machine) -> None:
    """NULs, blanks, bare values, foreign objects, half a line glued to the next one: the rest is learnt, and the counts are
    told by `jay learn`, by `jay scan`, and afterwards by `jay doctor`."""
    repo = machine.repository("shop")
    talk = machine.talk("one", repo)
    talk.say(RULE)
    with talk.path.open("ab") as file:
        file.write(b"\0" * 300 + b"\n\n42\n" + b'{"a":1}\n' + b'{"type":"user","mess\n' + b"\xff\xfe\n")
    talk.say(FRIDAY)
    assert machine.jay("scan", "--json", cwd=repo).json["skipped"]["broken_lines"] >= 3
    assert machine.learn()["skipped"]["broken_lines"] >= 3
    assert machine.listed(repo) == sorted([RULE, FRIDAY])
    assert any("broken_lines" in one["detail"] for one in machine.jay("doctor", "--json").json["checks"])


def test_a_huge_line_is_cut_and_memory_stays_bounded(machine: Machine) -> None:
    """One line of 100 MB, in a process that may use 300 MB of addresses: learnt, counted, not "not found"."""
    repo = machine.repository("shop")
    talk = machine.talk("one", repo)
    talk.say(RULE)
    with talk.path.open("ab") as file:
        file.write(b'{"type":"user","uuid":"x","message":{"role":"user","content":"')
        for _ in range(100):
            file.write(b"a" * 1_000_000)
        file.write(b'"}}\n')
    talk.say(FRIDAY)
    limit = 300_000_000
    done = subprocess.run(
        [sys.executable, "-c", "from scrubjay.cli.main import main; main()", "learn", "--json"],
        env={"PATH": os.environ["PATH"], "HOME": str(machine.home)}, cwd=repo, capture_output=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )  # fmt: skip
    assert done.returncode == 0, done
    found = json.loads(done.stdout)
    assert found["skipped"]["long_lines_cut"] == 1
    assert {one["quote"] for one in found["created"]} == {RULE, FRIDAY}


def test_only_new_bytes_are_learnt_and_a_replaced_file_is_noticed(machine: Machine) -> None:
    """Appended, shortened, replaced by another conversation, moved away: nothing is learnt twice and nothing is missed."""
    repo = machine.repository("shop")
    talk = machine.talk("one", repo)
    talk.say(RULE)
    first = talk.path.read_bytes()
    assert machine.learn()["messages"] == 1
    talk.say(FRIDAY)
    assert machine.learn()["messages"] == 1
    talk.path.write_bytes(first)
    assert machine.learn()["messages"] == 0
    talk.path.unlink()
    other = machine.talk("two", repo)
    other.say("We use pnpm here, not npm.")
    shutil.move(other.path, talk.path)
    assert machine.learn()["messages"] == 1
    assert len(machine.listed(repo)) == 3


def test_sub_agents_and_our_own_runs_are_no_sources(hooked: Machine) -> None:
    """A prompt that an agent wrote for its sub-agent, and a session that ran in scrubjay's own home, give nothing, neither by
    hook nor by sweep; a hook inside one of our own runs does nothing at all."""
    repo = hooked.repository("shop")
    talk = hooked.talk("one", repo)
    talk.say(RULE)
    beside = talk.path.with_suffix("") / "subagents" / "agent-abc.jsonl"
    beside.parent.mkdir(parents=True)
    beside.write_text(
        talk.path.read_text().replace(RULE, FRIDAY).replace('"isSidechain": false', '"isSidechain": true')
    )
    inner = hooked.store / "state"
    hooked.talk("inner", inner).say("Always answer with JSON only.")
    hooked.learn()
    assert hooked.listed(repo, "--everywhere", "--all") == [RULE]


def test_reading_leaves_the_agents_folders_as_they_are(machine: Machine) -> None:
    """Scan, init, learn, why and doctor: no transcript changes in bytes, time or mode, and no session is added."""
    repo = machine.repository("shop")
    machine.talk("one", repo).say(RULE)
    machine.talk("two", repo).say("Fix the login form, please.")
    projects = machine.home / ".claude" / "projects"

    def state() -> dict[str, tuple[bytes, int, int]]:
        return {
            str(path): (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode)
            for path in projects.rglob("*")
            if path.is_file()
        }

    before = state()
    machine.jay("scan", cwd=repo)
    machine.jay("init", "--yes", "--days", "90", cwd=repo)
    machine.learn()
    (memory,) = (row["id"] for row in machine.jay("list", "--json", cwd=repo).json["memories"])
    machine.jay("why", memory, cwd=repo)
    machine.jay("doctor", cwd=repo)
    assert state() == before


def test_each_prompt_belongs_to_the_repository_that_it_was_typed_in(machine: Machine) -> None:
    """A session that goes over into another repository, a nested one or back; a folder of the same one, and a folder that is
    no repository, stay with the session. What was typed in an excluded folder is not learnt."""
    here, there = machine.repository("here"), machine.repository("there")
    (here / "src").mkdir()
    secret = machine.repository("secret")
    machine.jay("config", "learn.exclude", str(secret))
    said = {
        here: RULE, here / "src": "Never deploy on a Friday.", there: "We use pnpm here, not npm.",
        machine.folder("scratch"): "Migrations always run before the api container starts.",
        secret: "The codename of the launch is always Bluebird.",
    }  # fmt: skip
    talk = machine.talk("one", here)
    for folder, text in said.items():
        talk.cwd = folder
        talk.say(text)
    machine.learn()
    assert machine.listed(there) == ["We use pnpm here, not npm."]
    assert len(machine.listed(here)) == 3
    assert machine.listed(secret) == []
    assert b"Bluebird" not in b"".join(machine.files(machine.store).values())
