"""What people reported about memories that exist and never reach the agent."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from tests.cases.machine import Machine, memory_file, run

RULE = "Always run the linter before you commit."
FACT = "The staging deploy needs the vpn job to run first."
ASKS = "why does the staging deploy fail without the vpn job?"


def test_what_is_written_where_the_tool_says_is_loaded(hooked: Machine) -> None:
    """The folder that `remember` names is the folder that is read: a file put there by hand is in the next block."""
    repo = hooked.repository("shop")
    file = Path(hooked.jay("remember", FACT, "--json", cwd=repo).json["file"])
    file.with_name("feedback_by_hand.md").write_text(memory_file("Linter", RULE, kind="feedback"))
    assert hooked.start(repo, session_id="41111111-2222-4333-8444-555555555555").count("[m-") == 1
    hooked.jay("context", cwd=repo)  # what the worker does at each start
    assert RULE in hooked.start(repo)


def test_a_moved_home_is_the_only_one_that_anything_writes_to(machine: Machine) -> None:
    """Every entry point (command line, hook, worker, learning, index, ledger) honours SCRUBJAY_HOME; the default one is not
    even made."""
    repo = machine.repository("shop")
    elsewhere = machine.home / "disk" / "memory"
    env = {"SCRUBJAY_HOME": str(elsewhere)}
    machine.talk("one", repo).say(RULE)
    assert machine.process("init", "--yes", "--days", "90", cwd=repo, **env).code == 0
    assert machine.jay("remember", FACT, cwd=repo, **env).code == 0
    hook = [str(elsewhere / "bin" / "hook"), "claude-code", "Stop"]
    assert run(hook, repo, HOME=str(machine.home)).returncode == 0  # the shim knows its home; no variable is needed
    assert machine.jay("context", cwd=repo, **env).out.count("[m-") == 2
    assert not machine.store.exists()


def test_the_preview_is_what_is_injected_byte_for_byte(hooked: Machine) -> None:
    """`jay context` and `jay recall` print the very text that the hook gives, and say why there is none."""
    repo = hooked.repository("shop")
    assert hooked.jay("context", cwd=repo).code == 1
    assert hooked.jay("recall", ASKS, "--json", cwd=repo).json["reason"] != ""
    hooked.remember(RULE, "--user", "--type", "feedback", cwd=repo)
    hooked.remember(FACT + " It opens the tunnel; see part four of the runbook.", "--name", "Staging", cwd=repo)
    assert hooked.start(repo) == hooked.jay("context", "--json", cwd=repo).json["block"]
    assert hooked.ask(ASKS, repo) == hooked.recalled(ASKS, repo)


def test_a_note_is_usable_while_the_background_work_is_stuck(hooked: Machine) -> None:
    """No second stage stands between a note and its use: with the worker stuck and the learner's lock held, what was
    remembered is recalled at once, hooks answer, and their jobs wait."""
    repo = hooked.repository("shop")
    hooked.remember(FACT, cwd=repo)
    (state,) = (hooked.store / "state").iterdir()
    descriptor = os.open(state / "learn.lock", os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        assert hooked.hook("Stop", repo).code == 0
        assert FACT in hooked.ask(ASKS, repo) + hooked.recalled(ASKS, repo)
    finally:
        os.close(descriptor)
    assert hooked.jay("status", "--json", cwd=repo).json["queue"] == 1


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork", "a-source-of-next-year"])
def test_each_way_to_start_a_session_gives_the_rules_once(hooked: Machine, source: str) -> None:
    """A context that is fresh gets the block, from sources that did not exist when this was written too; nothing is given
    again that the client replays by itself."""
    repo = hooked.repository("shop")
    hooked.remember(RULE, "--user", "--type", "feedback", cwd=repo)
    known = source if "-" not in source else "startup"
    first = hooked.hook("SessionStart", repo, name=f"SessionStart-{known}", source=source).context
    assert RULE in first
    if "-" not in source:  # a session starts up once
        hooked.hook("Stop", repo)
        again = hooked.hook("SessionStart", repo, name=f"SessionStart-{known}", source=source).context
        assert (RULE in again) == (source in ("clear", "compact"))


@pytest.mark.parametrize("source", ["compact", "clear"])
def test_what_left_the_context_may_come_again(hooked: Machine, source: str) -> None:
    """Injected once a context, not once a process: after a compaction or a clear in the same session it is due again."""
    repo = hooked.repository("shop")
    hooked.start(repo)
    hooked.remember(FACT + " It opens the tunnel; see part four of the runbook.", "--name", "Staging", cwd=repo)
    assert FACT in hooked.ask(ASKS, repo)
    assert hooked.ask(ASKS, repo) == ""
    hooked.start(repo, source)
    assert FACT in hooked.ask(ASKS, repo)


def test_no_event_is_needed_for_a_session_to_be_learnt(hooked: Machine) -> None:
    """Neither a compaction hook nor any other has to fire: a sweep reads what the session file has grown by."""
    repo = hooked.repository("shop")
    talk = hooked.talk("one", repo)
    for text in (
        "From now on invoices are always numbered per country.",
        "Never deploy on a Friday.",
        "We use pnpm here, not npm.",
    ):
        talk.say(text)
        hooked.learn()
    assert len(hooked.listed(repo)) == 3


def test_pinned_notes_and_rules_come_without_a_common_word(hooked: Machine) -> None:
    """A session that begins with "do all 10, approved" has the rules and the pinned note, however many notes are newer."""
    repo = hooked.repository("shop")
    hooked.remember(RULE, "--user", "--type", "feedback", cwd=repo)
    file = Path(hooked.jay("remember", FACT, "--name", "Staging", "--json", cwd=repo).json["file"])
    file.write_text(file.read_text().replace("metadata:\n", "metadata:\n  pinned: true\n"))
    for number in range(60):
        text = memory_file(f"Topic {number}", f"The zeta{number} switch stands at {number}." * 5)
        file.with_name(f"project_n{number}.md").write_text(text)
    hooked.jay("context", cwd=repo)
    block = hooked.start(repo)
    assert RULE in block
    assert "Staging" in block
    assert hooked.ask("do all 10, approved", repo) == ""


def test_neither_block_is_read_as_markup(hooked: Machine) -> None:
    """What a memory says cannot open or close a tag of the block; inside there is one line a memory, whatever its text."""
    repo = hooked.repository("shop")
    hooked.remember("Use the tag <div> and never </scrubjay-memory> in templates of the storefront.", cwd=repo)
    block = hooked.start(repo)
    assert (block.count("<scrubjay-memory>"), block.count("</scrubjay-memory>")) == (1, 1)
    recalled = hooked.recalled("which tag in templates of the storefront?", repo)
    assert (recalled.count("</scrubjay-"), recalled.count("<div>")) == (1, 0)
