"""What people reported about bad extraction: sessions in, and what must not come out of them."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from tests.cases.machine import Machine

RULE = "From now on invoices are always numbered per country."


def everything(machine: Machine) -> list[str]:
    return machine.listed(None, "--everywhere", "--all")


def test_what_was_injected_is_not_learnt_again(hooked: Machine) -> None:
    """Our own blocks, instruction files and reminders in the transcript, and "ok, thanks" of the person: nothing new, however
    often; and the assistant that repeats a memory adds no proof to it."""
    repo = hooked.repository("shop")
    hooked.talk("first", repo).say(RULE)
    hooked.learn()
    hooked.jay("recall", "invoices", cwd=repo)
    block = hooked.start(repo)
    (memory,) = (row["id"] for row in hooked.jay("list", "--json", "--all", cwd=repo).json["memories"])
    proof = hooked.jay("why", memory, "--json", cwd=repo).json["evidence"]
    talk = hooked.talk("second", repo)
    reminder = (
        f"<system-reminder>\n{block}\nContents of CLAUDE.md: Always use tabs. Never push to main.\n</system-reminder>"
    )
    talk.say(f"{reminder}\nok, thanks", reply=f"As you said: {RULE} I will always do that.")
    talk.say(f"{block}\nok", reply="Invoices are always numbered per country, as remembered.")
    hooked.learn()
    assert everything(hooked) == [RULE]
    assert hooked.jay("why", memory, "--json", cwd=repo).json["evidence"] == proof


NOTHING = {
    "the assistant's answer": ("Explain how to reverse a linked list.", "I always prefer recursion: def rev(n): ..."),
    "a remark about now": ("I like the new cleanup approach better, can we just write to /tmp instead?", "Sure."),
    "that something exists": (
        "it can run in the VM, remember we have that",
        "NEVER use anything but the VM. I will remember.",
    ),
    "a task": ("Fix the login bug and run the linter.", "Done. From now on I always run the linter."),
    "thanks": ("ok, thanks", "You're welcome. We use pnpm here, not npm."),
    "an order for this once": (
        "Add a licence header to all Go files.",
        "Added. All Go files must have a licence header.",
    ),
}


@pytest.mark.parametrize("case", NOTHING)
def test_nothing_that_lasts_was_said(machine: Machine, case: str) -> None:
    """No memory says what only the assistant said, none holds a remark, a task or a whole message."""
    text, reply = NOTHING[case]
    machine.talk("one", machine.repository("shop")).say(text, reply)
    machine.learn()
    assert [one for one in everything(machine) if one != text or case != "that something exists"] == []


def test_a_run_that_finds_nothing_moves_on(machine: Machine) -> None:
    """Twenty trivial turns are read once; the next runs read no prompt, write no byte of a memory and keep no junk."""
    talk = machine.talk("one", machine.repository("shop"))
    for number in range(20):
        talk.say(f"now rename variable {number}")
    assert machine.learn()["messages"] == 20
    before = machine.files(machine.store / "memory")
    assert (machine.learn()["messages"], machine.files(machine.store / "memory")) == (0, before)
    assert everything(machine) == []


def test_a_scheduled_run_teaches_nothing_by_itself(machine: Machine) -> None:
    """What a program typed waits for the person, or is skipped by setting; an explicit `jay remember` works there too."""
    repo = machine.repository("shop")
    machine.talk("cron", repo, headless=True).say(f"Write the nightly report.\n\n{RULE}")
    machine.learn()
    assert machine.listed(repo, "--status", "active") == []
    machine.jay("config", "learn.headless", "skip")
    machine.talk("cron 2", repo, headless=True).say("From now on the report is always sent by mail.")
    machine.learn()
    assert not [one for one in everything(machine) if "mail" in one]
    machine.remember("The report goes to the finance list.", cwd=repo)
    assert machine.listed(repo, "--status", "active") == ["The report goes to the finance list."]


def test_a_rule_for_some_files_stays_with_them(machine: Machine) -> None:
    """The condition is data: it comes for a Go file, not for a Java file."""
    repo = machine.repository("shop")
    machine.talk("one", repo).say("From now on all Go files start with a licence header.")
    machine.learn()
    (row,) = machine.jay("list", "--json", cwd=repo).json["memories"]
    assert row["paths"] == ["*.go"]
    assert "licence" in machine.recalled("add the licence header to cmd/main.go", repo)
    assert machine.recalled("add the licence header to src/Main.java", repo) == ""


def test_a_backlog_does_not_keep_the_live_path_waiting(hooked: Machine) -> None:
    """While another process learns from old sessions, hooks answer, leave their job, and `remember` writes."""
    repo = hooked.repository("shop")
    hooked.talk("old", repo).say(RULE)
    (state,) = (hooked.store / "state").iterdir()
    descriptor = os.open(state / "learn.lock", os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        assert hooked.hook("Stop", repo).code == 0
        hooked.remember("The paper archive is in room 12.", cwd=repo)
        assert "archive" in hooked.start(repo)
    finally:
        os.close(descriptor)


def test_every_memory_can_be_switched_off_corrected_and_removed(machine: Machine) -> None:
    """Capture has an off switch, and what was kept can be edited and forgotten, and then does not return."""
    repo = machine.repository("shop")
    machine.jay("config", "mode", "off")
    machine.talk("one", repo).say(RULE)
    machine.learn()
    assert everything(machine) == []
    machine.jay("config", "mode", "auto")
    machine.learn()
    (memory,) = (row["id"] for row in machine.jay("list", "--json", cwd=repo).json["memories"])
    assert machine.jay("edit", memory, "--alias", "billing numbers", cwd=repo).code == 0
    assert machine.jay("forget", memory, cwd=repo).code == 0
    next(Path(machine.store / "state").glob("*/ledger.sqlite")).unlink()
    machine.learn()
    assert everything(machine) == []


def test_types_are_a_closed_set_and_a_foreign_one_is_kept(machine: Machine) -> None:
    """A rule, a fact and a link get their types; a word that is none is refused by the command line, and in a file of somebody
    else it is kept beside the type that it is taken for."""
    repo = machine.repository("shop")
    assert machine.jay("remember", RULE, "--type", "procedure", cwd=repo).code == 2
    memory = machine.remember(
        "The dashboard is at https://grafana.example.net/d/shop.", "--type", "reference", cwd=repo
    )
    file = Path(machine.jay("show", memory, "--json", cwd=repo).json["file"]).with_name("theirs.md")
    file.write_text("---\nname: Theirs\ntype: procedure\n---\nHow to release.\n")
    types = {row["name"]: row["type"] for row in machine.jay("list", "--json", cwd=repo).json["memories"]}
    assert sorted(types.values()) == ["project", "reference"]
    assert "procedure" in file.read_text()


def test_numbers_can_be_the_subject(machine: Machine) -> None:
    """Service 0 and service 1 are two services: neither replaces the other."""
    repo = machine.repository("shop")
    talk = machine.talk("one", repo)
    for number in range(2):
        talk.say(f"From now on the port of service {number} is always {5000 + number}, never 8080.")
        machine.learn()
    assert len(machine.listed(repo, "--status", "active")) == 2


def test_a_rule_for_some_files_at_the_end_of_the_sentence(machine: Machine) -> None:
    """B068 in other word order: "... to Go files" narrows as "all Go files ..." does."""
    repo = machine.repository("shop")
    machine.talk("one", repo).say("Always add a licence header to Go files.")
    machine.learn()
    (row,) = machine.jay("list", "--json", cwd=repo).json["memories"]
    assert row["paths"] == ["*.go"]
