"""Kill, full disk, read-only disk, damage, races, no git: the old state or the new one, and a clear word."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scrubjay.errors import NothingFound, StoreUnavailable
from scrubjay.home import Home
from scrubjay.ledger import Ledger
from scrubjay.store import change, files, git, history, layout, lock
from scrubjay.store.library import Library
from tests.store.samples import AT, add, evidence, memory

ROOT = Path(__file__).parent.parent.parent

# The first step to be killed before, and how many steps on the next; every step with `-m slow`.
SOME = {"begin": (3, 11), "commit": (2, 6), "hand": (5, 9), "forget": (4, 9), "purge": (3, 8), "undo": (9, 12)}


def run(script: str, *arguments: str, before: tuple[str, ...] = ()) -> dict[str, Any]:
    """Output of a runner beside this file."""
    environment = {**os.environ, "SCRUBJAY_NOW": "2026-09-20T08:00:00Z"}
    command = [*before, sys.executable, "-m", f"tests.store.{script}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def check_kills(folder: Path, scenario: str, first: int, stride: int) -> None:
    result = run("fault_runner", str(folder), scenario, str(first), str(stride))
    assert result["rows"]
    for row in result["rows"]:
        where = f"killed before operation {row['number']}: {row['what']}"
        assert row["state"] in (result["old"], result["new"]), where
        assert (row["again"], row["notes"], row["faults"]) == (row["state"], [], []), where
        assert not (row["word"] and row["state"] == result["new"]), where
    if stride == 1:
        assert scenario == "hand" or result["rows"][0]["state"] == result["old"]
        assert result["rows"][-1]["state"] == result["new"]


@pytest.mark.parametrize("scenario", ["commit", "hand", "purge"])
def test_killed_at_some_steps(tmp_path: Path, scenario: str) -> None:
    """SIGKILL between file operations: the next opening finds the old or the new state, whole, committed, with no rest of
    the attempt; after a finished purge no byte of the memory."""
    check_kills(tmp_path, scenario, *SOME[scenario])


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SOME)
def test_killed_at_every_step(tmp_path: Path, scenario: str) -> None:
    """The same before every single operation of every kind of transaction."""
    check_kills(tmp_path, scenario, 1, 1)


def can_mount() -> bool:
    """Root in a system that lets a process have its own mounts."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        return False
    return subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0


needs_mounts = pytest.mark.skipif(not can_mount(), reason="needs root and mount namespaces")


@needs_mounts
def test_full_disk(tmp_path: Path) -> None:
    """Whatever the space that is left: the change goes through, or it is refused with the reason and every byte is as
    before; once there is room it goes through."""
    result = run("mount_runner", "full", str(tmp_path), before=("unshare", "-m"))
    *refused, last = result["rows"]
    assert refused
    for row in refused:
        assert row["same"], row
        assert "disk" in row["said"] or "full" in row["said"], row
        assert row["at"]
    assert last["said"] == ""
    assert result["ids"] == ["m-1", "m-2", "m-3", "m-big"]
    assert result["faults"] == []


@needs_mounts
def test_read_only_home(tmp_path: Path) -> None:
    """Reading goes on (hand-made files too), says that it only reads; a change is refused and nothing is touched."""
    result = run("mount_runner", "read-only", str(tmp_path), before=("unshare", "-m"))
    assert result["names"] == ["Hand", "Quetzalcoatl one", "Three", "Two"]
    assert result["hand"] == ["Hand"]
    assert "read-only" in result["notes"][0]
    assert "read-only" in result["said"]
    assert result["same"]


def test_a_limit_on_file_size(home: Home) -> None:
    """A write that the system cuts off half-way (EFBIG) is taken back: no torn line, no temporary file."""
    commit_many = [evidence(number, quote="q" * 900) for number in range(40)]
    add(home, "Alpha", id="m-1")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ledger_size = os.path.getsize(home.ledger)
    big = [evidence(number, quote="q" * 900) for number in range(40, 400)]
    change.commit(home, [], subject="Evidence", evidence=commit_many)
    before = Path(home.evidence, "2026-09.jsonl").read_bytes()
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (max(ledger_size * 2, 200_000), hard))
        with pytest.raises(StoreUnavailable) as error:
            change.commit(home, [change.create(memory("Beta"), layout.user_store(home))], subject="Big", evidence=big)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert error.value.at.endswith("2026-09.jsonl")
    assert Path(home.evidence, "2026-09.jsonl").read_bytes() == before
    assert [one.memory.name for one in Library.open(home).memories()] == ["Alpha"]
    assert not list(Path(home.root).rglob("*.tmp"))


WRITER = """
import sys
sys.path.insert(0, sys.argv[2])
from tests.store.samples import add
from scrubjay.home import Home
for number in range(int(sys.argv[4])):
    add(Home(sys.argv[1]), f"Writer {sys.argv[3]} fact {number}")
"""


def check_writers(home: Home, writers: int, each: int) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", WRITER, home.root, str(ROOT), str(writer), str(each)])
        for writer in range(writers)
    ]
    assert [one.wait(600) for one in started] == [0] * writers
    library = Library.open(home)
    names = {one.memory.name for one in library.memories()}
    assert names == {f"Writer {writer} fact {number}" for writer in range(writers) for number in range(each)}
    assert len(history.log(home, 10_000)) == writers * each
    assert library.notes == ()


def test_writers_lose_nothing(home: Home) -> None:
    """Four processes write at once: every memory and every commit is there."""
    check_writers(home, 4, 5)


@pytest.mark.slow
def test_many_writers_lose_nothing(home: Home) -> None:
    """Eight processes, two hundred writes each."""
    check_writers(home, 8, 200)


def test_a_lock_that_is_held(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that does not let go: a change is refused after the wait, reading goes on; a dead owner holds nothing."""
    add(home, "Alpha")
    code = (
        "import sys; from scrubjay.home import Home; from scrubjay.store.lock import locked\n"
        "with locked(Home(sys.argv[1])): print('held', flush=True); sys.stdin.readline()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, home.root], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"
    monkeypatch.setattr("scrubjay.store.settle.READ_WAIT_S", 0.1)
    library = Library.open(home)
    assert "another process" in library.notes[0]
    assert [one.memory.name for one in library.memories()] == ["Alpha"]
    with pytest.raises(StoreUnavailable), lock.locked(home, 0.1):
        pass
    holder.kill()
    holder.communicate()
    add(home, "Beta")
    assert len(Library.open(home).memories()) == 2


@pytest.mark.parametrize("ending", [".plan", ".commit", ".done", ".json"])
@pytest.mark.parametrize("data", [b"", b"\xff\x00{", b'{"id": 1}', b"[]"])
def test_a_damaged_journal(home: Home, ending: str, data: bytes) -> None:
    """An unreadable journal costs nothing: it is put aside and said, memories are there, writing goes on."""
    add(home, "Alpha")
    Path(home.journal).mkdir(exist_ok=True)
    (Path(home.journal) / f"purge-x{ending}").write_bytes(data)
    assert [one.memory.name for one in Library.open(home).memories()] == ["Alpha"]
    add(home, "Beta")
    assert len(Library.open(home).memories()) == 2


@pytest.mark.parametrize("damage", ["gone", "corrupt"])
def test_without_its_ledger(home: Home, damage: str) -> None:
    """Memories, tombstones and the history do not depend on it: the newest commit says what was there, so an edit and a
    deletion made meanwhile are still noticed."""
    add(home, "Alpha", id="m-1")
    add(home, "Beta", id="m-2")
    for path in Path(home.state).glob("ledger*"):
        path.unlink()
    if damage == "corrupt":
        Path(home.ledger).write_bytes(b"no database at all" * 1000)
    os.unlink(os.path.join(home.user_store, "project_alpha.md"))
    library = Library.open(home)
    assert [stone.memory for stone in library.tombstones.all()] == ["m-1"]
    assert [(one.memory.id, one.hand_made) for one in library.memories()] == [("m-2", False)]
    assert any("corrupt" in note for note in library.notes) == (damage == "corrupt")


def without_git(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))


def test_without_git(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything but history and undo works and says so; hand deletions are noticed; with git back, history catches up."""
    with monkeypatch.context() as patch:
        without_git(patch, tmp_path / "empty")
        done = add(home, "Alpha", "Beta")
        assert (done.sha, done.undo, done.notes) == ("", "", (history.NO_GIT,))
        assert len(Library.open(home).memories()) == 2
        with pytest.raises(NothingFound):
            history.undo(home)
        assert history.log(home) == []
        os.unlink(done.paths[0])
        library = Library.open(home)
        assert [stone.memory for stone in library.tombstones.all()] == [done.ids[0]]
    library = Library.open(home)
    assert library.notes == ("a history was begun",) or library.notes == (
        "the history caught up with changes made without git",
    )
    assert git.run(home, "status", "--porcelain") == b""
    with monkeypatch.context() as patch:
        without_git(patch, tmp_path / "empty2")
        add(home, "Gamma")
    assert Library.open(home).notes == ("the history caught up with changes made without git",)
    assert git.run(home, "status", "--porcelain") == b""
    assert Library.open(home).notes == ()


def test_the_persons_own_git_set_up_is_not_used(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """GIT_* variables, global hooks, signing, autocrlf and templates change nothing; CR LF stays byte for byte."""
    person = Path(os.environ["HOME"])
    (person / "hooks").mkdir(parents=True)
    (person / "hooks" / "pre-commit").write_text("#!/bin/sh\nexit 1\n")
    (person / "hooks" / "pre-commit").chmod(0o755)
    (person / ".gitconfig").write_text(
        f"[core]\n hooksPath = {person}/hooks\n autocrlf = true\n[commit]\n gpgSign = true\n[user]\n signingKey = nobody\n"
    )
    for name, value in {
        "GIT_DIR": "/nowhere",
        "GIT_INDEX_FILE": "/nowhere/index",
        "GIT_AUTHOR_NAME": "Someone",
    }.items():
        monkeypatch.setenv(name, value)
    done = add(home, "Alpha", crlf=True)
    assert done.sha
    below = os.path.relpath(done.paths[0], home.memory)
    assert history.blobs(home, "HEAD", [below])[below] == Path(done.paths[0]).read_bytes()
    assert b"\r\n" in Path(done.paths[0]).read_bytes()
    assert b"Someone" not in git.run(home, "log", "--format=%an")


def test_a_commit_that_fails_is_made_up_for(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock left in the repository by a git that died: the change stands, it is said, and the next opening commits it."""
    add(home, "Alpha")
    lock_file = Path(home.memory, ".git", "index.lock")
    lock_file.touch()
    monkeypatch.setattr(git, "PATIENCE_S", 0.1)
    done = add(home, "Beta")
    assert done.sha == ""
    assert "history" in done.notes[0]
    assert len(Library.open(home).memories()) == 2
    os.utime(lock_file, (0, 0))
    assert Library.open(home).notes == ()
    assert [entry.subject for entry in history.log(home)] == ["Add 1", "Add 1"]


def test_a_hand_edit_between_commitment_and_rename_stays(home: Home) -> None:
    """After a crash a file was edited before the next opening: the edit stays, what was to be written is put aside."""
    done = add(home, "Alpha")
    path = Path(done.paths[0])
    code = (
        "import os, sys; sys.path.insert(0, sys.argv[2]); from dataclasses import replace\n"
        "from scrubjay.home import Home; from scrubjay.store import change, files; from scrubjay.store.library import Library\n"
        "home = Home(sys.argv[1]); one, = Library.open(home).memories()\n"
        "def stop(what):\n    if what.startswith('rename') and what.endswith('alpha.md'): os._exit(0)\n"
        "files.failpoint = stop\n"
        "change.commit(home, [change.rewrite(one, replace(one.memory, description='machine'))], subject='x'); os._exit(1)"
    )
    assert subprocess.run([sys.executable, "-c", code, home.root, str(ROOT)], check=False).returncode == 0
    path.write_text(path.read_text() + "\nby hand\n")
    library = Library.open(home)
    assert any("stays" in note for note in library.notes)
    assert library.memories()[0].memory.body.endswith("by hand")
    (aside,) = Path(home.journal, "aside").iterdir()
    assert "machine" in aside.read_text()
    assert Library.open(home).notes == ()


def test_failpoints_are_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but a test sets the hook."""
    assert files.failpoint is None
    assert AT
    environment: Mapping[str, str] = git.environment()
    assert not [name for name in environment if name.startswith("GIT_") and name in os.environ]


def test_usage_survives(home: Home) -> None:
    """A transaction and the ledger of hooks do not get into each other's way."""
    add(home, "Alpha", id="m-1")
    hot = Ledger.open_hot(home.ledger)
    assert hot
    add(home, "Beta")
    hot.add_injected("codex", "s", [("m-1", "recall", 1, "p")], at=AT)
    assert hot.skipped == 0
    hot.close()
    Library.open(home)
    with Ledger.open(home.ledger) as ledger:
        assert ledger.usage() == {"m-1": (1, AT)}
