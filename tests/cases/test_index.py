"""What people reported about the always-loaded index: cut without a word, drifting from the files, lost in a rebuild."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cases.machine import Machine, memory_file

NODE = "Use Node 22 for the storefront build."
ASKS = "which node version for the storefront build?"


def many(machine: Machine, count: int) -> tuple[Path, Path]:
    """A repository with `count` memories written by hand, and their folder."""
    repo = machine.repository("shop")
    machine.remember("The tapir mascot is drawn by Ines.", cwd=repo)
    (store,) = (machine.store / "memory" / "projects").iterdir()
    for number in range(count):
        text = memory_file(f"Topic {number}", f"The zeta{number} switch stands at {number}.")
        (store / f"project_n{number}.md").write_text(text)
    return repo, store


def test_a_full_index_costs_no_memory(machine: Machine) -> None:
    """With far more memories than an index shows, one more is saved as ever, comes back with its prompt, and both the index
    file and the block say how many are not shown and how to see them; the block keeps its size."""
    repo, store = many(machine, 180)
    sizes = []
    for text in (NODE, "The invoices are numbered per country."):
        machine.remember(text, cwd=repo)
        block = machine.jay("context", "--json", cwd=repo).json
        sizes.append(len(block["block"]))
        assert block["left_out"]["length"] + len(block["memories"]) == len(machine.listed(repo))
        assert f"{block['left_out']['length']} other memories (" in block["block"]
        assert "jay list" in block["block"]
    assert max(sizes) <= 6000
    index = (store / "MEMORY.md").read_text()
    assert "are not shown here" in index
    assert NODE in machine.recalled(ASKS, repo)


def test_a_memory_that_is_too_long_is_refused_with_its_size_and_the_limit(machine: Machine) -> None:
    """No loop of guesses: one answer says what is too long, by how much, and that nothing was written."""
    repo = machine.repository("shop")
    done = machine.jay("remember", "word " * 1000, "--json", cwd=repo)
    assert done.code == 2
    assert "4000" in done.out.replace(",", "").replace(" characters", "") + done.err.replace(",", "")
    assert machine.listed(repo) == []


def test_index_and_files_cannot_drift(hooked: Machine) -> None:
    """A file made by hand, one deleted by hand, a note that lists others, an index edited by hand: after the next command the
    index says what the files say, and it is told once."""
    repo, store = many(hooked, 3)
    (store / "api_index.md").write_text("# API notes\n\n- [one](project_n0.md)\n- [gone](no_such.md)\n")
    (store / "project_n1.md").unlink()
    (store / "MEMORY.md").write_text("# mine\n- [lost](lost.md)\n")
    shown = set(hooked.listed(repo))
    assert {"The zeta0 switch stands at 0.", "The zeta2 switch stands at 2."} < shown
    assert "The zeta1 switch stands at 1." not in shown
    index = (store / "MEMORY.md").read_text()
    assert "(project_n0.md)" in index
    assert "(api_index.md)" in index
    assert "lost.md" not in index
    assert "project_n1.md" not in index
    log = hooked.jay("log", cwd=repo).out
    assert log.count("Hand edits: ") == 1
    hooked.listed(repo)
    assert hooked.jay("log", cwd=repo).out == log
    assert "API notes" in hooked.jay("context", cwd=repo).out


@pytest.mark.parametrize("damage", ["garbage", "gone"])
def test_a_search_is_never_empty_because_the_database_is_broken(hooked: Machine, damage: str) -> None:
    """The command line builds it again and answers; left-over files of a killed rebuild go; the hook, which may not build,
    stays silent until then and answers afterwards."""
    repo = hooked.repository("shop")
    hooked.remember(NODE, cwd=repo)
    (database,) = (hooked.store / "state").glob("*/search.sqlite")
    if damage == "gone":
        database.unlink()
    else:
        database.write_bytes(os.urandom(9000))
    database.with_name("search.sqlite.new").write_bytes(b"half of a rebuild")
    assert hooked.ask(ASKS, repo) == ""
    assert NODE in hooked.recalled(ASKS, repo)
    assert {path.name for path in database.parent.glob("search.sqlite*")} <= {"search.sqlite", "search.sqlite.lock"}
    new = "31111111-2222-4333-8444-555555555555"
    assert NODE in hooked.start(repo, session_id=new) + hooked.ask(ASKS, repo, session_id=new)


def test_a_rebuild_that_is_killed_leaves_the_old_index(machine: Machine) -> None:
    """Killed in the middle, again and again: the old answers stay all the time, and the next run ends the work."""
    repo = machine.repository("shop")
    machine.remember(NODE, cwd=repo)
    (database,) = (machine.store / "state").glob("*/search.sqlite")
    (store,) = (machine.store / "memory" / "projects").iterdir()
    for number in range(40):
        text = memory_file(f"Topic zeta{number}", f"The zeta{number} switch stands at {number}.\n" * 20)
        (store / f"project_n{number}.md").write_text(text)
    (store / "project_otter.md").write_text(memory_file("Otter enclosure", "The otter enclosure opens at noon."))
    before = database.read_bytes()
    command = [sys.executable, "-c", "from scrubjay.cli.main import main; main()", "recall", "otter enclosure"]
    env = {"PATH": os.environ["PATH"], "HOME": str(machine.home)}
    killed = subprocess.Popen(command, cwd=repo, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    half_built = database.with_name("search.sqlite.new")
    while killed.poll() is None and not half_built.exists():
        time.sleep(0.001)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    if killed.returncode == -signal.SIGKILL:
        assert database.read_bytes() == before
    assert "noon" in machine.recalled("when does the otter enclosure open?", repo)
    assert not half_built.exists()
