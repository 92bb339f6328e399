"""Nothing is lost (bug-log kind `loss`)."""

from __future__ import annotations

import os
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from tests.cases.machine import Machine, git
from tests.cli.world import NOW

FACT = "deploys need the vpn job first, else there is no route to the bastion"
ASK = "which vpn job do deploys need before the bastion?"
BY_HAND = "a line that somebody typed"


def file_of(machine: Machine, repo: Path, memory: str) -> Path:
    return Path(machine.jay("show", memory, "--json", cwd=repo).json["file"])


def history(machine: Machine) -> str:
    """Every text that the history holds."""
    return git(machine.store / "memory", "log", "-p", "--all", "--format=%s")


MUTATIONS = {
    "edit": ["edit", "{id}", "--alias", "bastion timeout"],
    "remember": ["remember", FACT.capitalize()],
    "replace": ["remember", "deploys no longer need the vpn job first, they need the tunnel job"],
    "learn": ["learn"],
    "forget": ["forget", "{id}"],
    "undo": ["undo"],
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_every_way_to_change_a_memory_keeps_what_was_typed_into_its_file(machine: Machine, mutation: str) -> None:
    """One guarded write for all: an edit that nobody told us of stays in the file, or, where the command takes that very
    file away, in the history from which `jay undo` brings it back. Line ends and blank lines refuse nothing."""
    repo = machine.repository("acme")
    memory = machine.remember(FACT, cwd=repo)
    machine.talk("s1", repo, on="2026-09-27").say("from now on deploys always need the vpn job first")
    path = file_of(machine, repo, memory)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n") + f"\r\n{BY_HAND}\r\n\r\n\r\n".encode())
    done = machine.jay(*[one.format(id=memory) for one in MUTATIONS[mutation]], cwd=repo)
    assert done.code == 0, done
    kept = path.read_bytes() if path.exists() else b""
    if mutation in ("forget", "undo"):
        assert BY_HAND in history(machine)
        assert machine.jay("undo", cwd=repo).code == 0
        kept = path.read_bytes()
    assert BY_HAND.encode() in kept
    assert b"\n" not in kept.replace(b"\r\n", b"")


def test_an_editor_that_was_open_while_the_file_changed(machine: Machine) -> None:
    """`jay edit` finds another version than it opened: it writes nothing and says so; the other version stands."""
    repo = machine.repository("acme")
    memory = machine.remember(FACT, cwd=repo)
    path = file_of(machine, repo, memory)
    editor = machine.home / "editor"
    editor.write_text(f'#!/bin/sh\necho "typed in the editor" >> "$1"\necho "{BY_HAND}" >> "{path}"\n')
    editor.chmod(0o700)
    done = machine.jay("edit", memory, cwd=repo, EDITOR=str(editor))
    assert done.code == 2
    assert "changed since it was read" in done.err
    assert path.read_text().endswith(f"{BY_HAND}\n")


def test_looking_changes_no_byte_of_a_file_that_somebody_else_wrote(machine: Machine) -> None:
    """Tables, comments, hard breaks, a placeholder phrase, an empty file, an instruction file: whatever is run, also the
    commands that write other memories, the bytes stay and no file vanishes."""
    repo = machine.repository("acme")
    memory = machine.remember(FACT, cwd=repo)
    store = file_of(machine, repo, memory).parent
    texts = {
        store
        / "table.md": b'---\ntitle: X\ncitekey: "a"\ntags: [b, c]\n---\n| a | b |\n|---|---|\n<!-- c -->\n- x\n    - y\n',
        store / "breaks.md": b"# Only a title\n\nhard break  \n[rest of the file unchanged]\n\n\n",
        store / "empty.md": b"",
        store / "date.md": b"2026-09-01\n",
        repo / "CLAUDE.md": b"".join(b"- rule %d\n" % number for number in range(500)),
    }
    for path, data in texts.items():
        path.write_bytes(data)
    commands = [["learn"], ["recall", ASK], ["context"], ["list"], ["status"], ["doctor"], ["review"], ["log"], ["scan"],
                ["why", memory], ["remember", "the print queue drains at noon"], ["undo"], ["list"]]  # fmt: skip
    for command in commands:
        machine.jay(*command, cwd=repo)
    assert {path: path.read_bytes() for path in texts} == texts


def test_the_one_that_was_replaced_outlives_its_successor(machine: Machine) -> None:
    """The successor is forgotten, even purged: the old one is still there, with its proof, and can be brought back."""
    repo = machine.repository("acme")
    machine.talk("s1", repo, on="2026-09-01").say("from now on we use npm for the console, always `npm ci` there")
    machine.talk("s2", repo, on="2026-09-05").say(
        "we moved to pnpm for the console, from now on never use npm any more"
    )
    machine.learn()
    rows = {row["status"]: row["id"] for row in machine.jay("list", "--all", "--json", cwd=repo).json["memories"]}
    assert machine.jay("forget", rows["active"], "--purge", "--yes", cwd=repo).code == 0
    machine.learn()
    assert [row["id"] for row in machine.jay("list", "--all", "--json", cwd=repo).json["memories"]] == [
        rows["superseded"]
    ]
    assert machine.jay("why", rows["superseded"], cwd=repo).code == 0


def test_another_machine_s_state_is_no_loss(machine: Machine) -> None:
    """The state folder is gone, or has another name (machine renamed, home copied): every memory is there, is found, and
    learning again makes no second one."""
    repo = machine.repository("acme")
    machine.talk("s1", repo, on="2026-09-20").say("always run make fmt before you commit")
    machine.learn()
    machine.remember(FACT, cwd=repo)
    before = machine.listed(repo, "--all")
    (state,) = (machine.store / "state").iterdir()
    state.rename(state.with_name("0123456789ab"))
    assert machine.listed(repo, "--all") == before
    assert FACT in machine.recalled(ASK, repo)
    machine.learn()
    shutil.rmtree(machine.store / "state")
    machine.learn()
    assert machine.listed(repo, "--all") == before


def test_a_ledger_of_a_newer_release_is_only_read_around(machine: Machine) -> None:
    """Going back to an older scrubjay: memories are listed and recalled, nothing is written, and it is said what to do."""
    import sqlite3

    repo = machine.repository("acme")
    machine.remember(FACT, cwd=repo)
    (ledger,) = machine.store.glob("state/*/ledger.sqlite")
    with sqlite3.connect(ledger) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    before = machine.files(machine.store / "memory")
    assert FACT in machine.jay("list", "--json", cwd=repo).out
    assert FACT in machine.recalled(ASK, repo)
    for command in (["remember", "the print queue drains at noon"], ["learn"], ["pause"]):
        done = machine.jay(*command, cwd=repo)
        assert done.code == 2, command
        assert "upgrade scrubjay" in done.err, command
    assert machine.files(machine.store / "memory") == before


def test_a_session_that_is_about_to_be_deleted_is_told(machine: Machine) -> None:
    """Claude Code deletes transcripts by age: doctor warns while there is time, and no longer once it was learnt from."""
    repo = machine.repository("acme")
    talk = machine.talk("s1", repo, on="2026-08-30")
    talk.say("always run make fmt before you commit")
    old = datetime.fromisoformat(NOW).timestamp() - 29 * 86400
    os.utime(talk.path, (old, old))
    machine.remember(FACT, cwd=repo)
    assert "about to be deleted" in machine.jay("doctor").out
    machine.learn()
    assert "about to be deleted" not in machine.jay("doctor").out
    talk.path.unlink()
    assert len(machine.listed(repo)) == 2


def test_a_memory_folder_that_vanished_is_told(machine: Machine) -> None:
    """Moved or unmounted while sessions run: no command takes the empty place for a fresh start; a save is true when it
    says so; and the folder put back is whole."""
    repo = machine.repository("acme")
    machine.remember(FACT, cwd=repo)
    memory, away = machine.store / "memory", machine.home / "away"
    memory.rename(away)
    listed = machine.jay("list", cwd=repo)
    assert "is gone, and with it 1 memories" in listed.out + listed.err
    saved = machine.jay("remember", "the print queue drains at noon", "--json", cwd=repo).json
    assert "is gone" in " ".join(saved["notes"])
    assert Path(saved["file"]).exists()
    assert machine.listed(repo) == ["the print queue drains at noon"]
    assert not list(memory.glob("tombstones/*.json"))  # nobody forgot anything
    shutil.rmtree(memory)
    away.rename(memory)
    assert machine.listed(repo) == [FACT]


def test_a_save_that_cannot_be_made_is_an_error(machine: Machine) -> None:
    """A file stands where the store's folder was: exit code, the place, nothing half-done; with the place free it works."""
    repo = machine.repository("acme")
    memory = machine.remember(FACT, cwd=repo)
    machine.remember("I read diffs on a phone", "--user", cwd=repo)
    store = file_of(machine, repo, memory).parent
    shutil.rmtree(store)
    store.write_text("in the way")
    failed = machine.jay("remember", "the print queue drains at noon", cwd=repo)
    assert failed.code == 2
    assert str(store) in failed.err
    store.unlink()
    machine.remember("the print queue drains at noon", cwd=repo)
    assert machine.listed(repo) == ["I read diffs on a phone", "the print queue drains at noon"]


def test_words_typed_in_an_editor_outlive_a_lost_race(machine: Machine) -> None:
    """Conflict, a limit passed, front matter that does not read well: the error names a private file with the typed text
    (not when it is refused for a secret)."""
    repo = machine.repository("acme")
    memory = machine.remember("deploys need the vpn job first", cwd=repo)
    path = machine.jay("show", memory, "--json", cwd=repo).json["file"]
    editor = machine.home / "editor"
    editor.write_text(f'#!/bin/sh\necho "ten careful lines" >> "$1"\necho "by hand" >> "{path}"\n')
    editor.chmod(0o700)
    done = machine.jay("edit", memory, cwd=repo, EDITOR=str(editor))
    assert done.code == 2
    kept = Path(done.err.split("what you typed is in ")[1].split(";")[0].split()[0])
    assert "ten careful lines" in kept.read_text()
    kept.unlink()
