"""Locks, races and databases (bug-log kind `concurrency`)."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from pathlib import Path

import pytest

from scrubjay import worker
from scrubjay.home import Home
from scrubjay.install.state import Installed, record
from scrubjay.ledger import Ledger
from tests.cases.machine import Machine
from tests.cli.world import JAY, NOW

RULE = "always run make fmt before you commit"
FACT = "deploys need the vpn job first, else there is no route to the bastion"
ASK = "which vpn job do deploys need before the bastion?"


def state(machine: Machine) -> Path:
    return Path(Home(str(machine.store)).state)


def start(machine: Machine, cwd: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """A command line that runs beside others."""
    env = {
        "HOME": str(machine.home),
        "SCRUBJAY_HOME": str(machine.store),
        "SCRUBJAY_NOW": NOW,
        "PATH": os.environ["PATH"],
    }
    return subprocess.Popen([*JAY, *arguments], cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.fixture
def here(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """The machine is this process's own, so that the worker can run in it."""
    monkeypatch.setenv("HOME", str(machine.home))
    monkeypatch.setenv("SCRUBJAY_HOME", str(machine.store))
    monkeypatch.setenv("SCRUBJAY_NOW", NOW)
    return machine


def test_what_a_dead_process_left_behind_locks_nobody_out(here: Machine) -> None:
    """Lock files with a dead process id in them, or empty: the worker runs and every command writes."""
    repo = here.repository("acme")
    here.remember(FACT, cwd=repo)
    for name in ("worker.lock", "learn.lock", "search.lock", "search.sqlite.lock", "projects.lock"):
        (state(here) / name).write_text("4194303\n" if name != "learn.lock" else "")
    (here.store / "lock").write_text("4194303\n")
    here.talk("s1", repo).say(RULE)
    assert worker.run(Home(str(here.store)))
    assert len(here.learn()["created"]) == 1
    assert here.jay("remember", "the print queue drains at noon", cwd=repo).code == 0


def test_a_sweep_that_failed_is_still_due(here: Machine) -> None:
    """The time of the last sweep moves on with what was learnt, not with the attempt: after a failure the same session
    files are looked at again, and the person hears of it meanwhile."""
    repo = here.repository("acme")
    home = Home(str(here.store))
    here.remember(FACT, cwd=repo)
    installed = Installed(agent="claude-code", path=str(here.home / "x.json"), at="2026-09-01T00:00:00Z", events=())
    record(home, installed)
    talk = here.talk("s1", repo)
    talk.say(RULE)
    hour_ago = Path(home.ledger).stat().st_mtime - 3600
    os.utime(talk.path, (hour_ago, hour_ago))

    def sweep() -> tuple[str, bool]:
        with Ledger.open(home.ledger) as ledger:
            ledger.enqueue("sweep", "", at=NOW)
        assert worker.run(home)
        with Ledger.open(home.ledger) as ledger:
            return ledger.get("worker.swept_at"), bool(ledger.get("worker.failing_since"))

    evidence = Path(home.evidence)
    aside = evidence.rename(evidence.with_name("aside"))
    evidence.write_text("in the way")
    assert sweep() == ("", True)
    evidence.unlink()
    aside.rename(evidence)
    swept, failing = sweep()
    assert (bool(swept), failing) == (True, False)
    assert RULE in here.listed(repo)


def test_learners_at_once_are_one(here: Machine) -> None:
    """Three `jay learn` at the same moment: all end well, and each rule is one memory with one commit."""
    repo = here.repository("acme")
    for number in range(3):
        here.talk(f"s{number}", repo).say(f"always run make step{number} before you deploy")
    running = [start(here, repo, "learn", "--json") for _ in range(3)]
    reports = []
    for one in running:
        out, err = one.communicate(timeout=60)
        assert one.returncode == 0, err
        reports.append(json.loads(out))
    assert sum(len(report["created"]) for report in reports) == 3
    assert len(here.listed(repo)) == 3
    changes = here.jay("log", "--json", cwd=repo).json["changes"]
    assert sum(row["subject"].startswith("learn") for row in changes) == 1


def test_the_same_said_in_two_sessions_that_end_together(here: Machine) -> None:
    """Two learners meet on one memory: the second decides again on what the first wrote, and both proofs are there."""
    repo = here.repository("acme")
    here.talk("s0", repo, on="2026-09-01").say(RULE)
    here.learn()
    paths = [here.talk(f"s{number}", repo, on=f"2026-09-0{number + 1}") for number in (1, 2)]
    for talk in paths:
        talk.say(RULE)
    running = [start(here, repo, "learn") for _ in paths]
    assert [one.wait(60) for one in running] == [0, 0]
    for one in running:
        one.communicate()
    (row,) = here.jay("list", "--json", cwd=repo).json["memories"]
    assert len(row["evidence"]) == 3


def test_a_long_write_of_another_process(here: Machine) -> None:
    """Somebody holds the ledger: reading goes on, and a save waits for its end and is there."""
    repo = here.repository("acme")
    here.remember(FACT, cwd=repo)
    held = sqlite3.connect(Home(str(here.store)).ledger, isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
    saving = start(here, repo, "remember", "the print queue drains at noon")
    try:
        assert FACT in here.recalled(ASK, repo)
        assert saving.poll() is None
    finally:
        held.execute("ROLLBACK")
        held.close()
    _, err = saving.communicate(timeout=60)
    assert saving.returncode == 0, err
    assert len(here.listed(repo)) == 2


def test_databases_are_made_anew_from_the_files(here: Machine) -> None:
    """Random bytes in place of the ledger and the index: lists, recall and the block are as before, and it is said."""
    repo = here.repository("acme")
    here.remember(FACT, cwd=repo)
    block = here.jay("context", cwd=repo).out
    for name in ("ledger.sqlite", "search.sqlite"):
        for path in state(here).glob(f"{name}*"):
            path.unlink()
        (state(here) / name).write_bytes(os.urandom(30_000))
    assert "corrupt" in here.jay("status", cwd=repo).out
    assert FACT in here.recalled(ASK, repo)
    assert here.jay("context", cwd=repo).out == block
    assert here.listed(repo) == [FACT]
    assert list(state(here).glob("ledger.sqlite.corrupt-*"))
