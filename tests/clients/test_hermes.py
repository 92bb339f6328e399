"""The whole life of a memory inside the real Hermes, offline. What `claude -p` is told counts as the person's words here
(`learn.headless = active`)."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.machine import Machine
from tests.clients.pinned import claude_code
from tests.clients.plugged_sandbox import HermesSandbox, install_hermes

pytestmark = pytest.mark.agents

RULE = "Always run the linter before you commit."
RULE_WORDS = "run the linter before you commit"
FACT = "From now on the staging database listens on port 5544."
FACT_WORDS = "staging database listens on port 5544"
QUESTION = "which port does the staging database listen on?"


@pytest.fixture(scope="module")
def clients() -> tuple[Path, Path]:
    if missing := [name for name in ("unshare", "nsenter", "npm") if shutil.which(name) is None]:
        pytest.skip(f"needs {', '.join(missing)}: the clients run in an empty network namespace of Linux")
    return claude_code(), install_hermes()


@pytest.fixture
def machine(tmp_path: Path, clients: tuple[Path, Path]) -> Iterator[Machine]:
    with HermesSandbox(tmp_path, clients[0], client=clients[1]) as sandbox:
        sandbox.env["SCRUBJAY_LEARN_HEADLESS"] = "active"
        sandbox.env["SCRUBJAY_HOOK_DEADLINE_MS"] = "1500"  # a busy machine
        yield Machine.set_up(sandbox)


def hermes(machine: Machine) -> HermesSandbox:
    assert isinstance(machine.sandbox, HermesSandbox)
    return machine.sandbox


def said(machine: Machine, text: str, repo: str = "acme-api") -> None:
    """Typed into Claude Code, and learnt."""
    machine.sandbox.prompt(machine.repository(repo), text)
    machine.settled()


def test_what_claude_code_heard_reaches_hermes_once_and_nothing_is_learnt_back(machine: Machine) -> None:
    """A session that was open gets it with its next prompt, a new one from its start; resumed it is there once."""
    machine.jay("init", "--yes")
    client, repo = hermes(machine), machine.repository()
    opened = client.ask(repo, "hello")
    assert (opened.code, opened.shown(FACT_WORDS)) == (0, 0), opened.output
    assert opened.answer.splitlines()[-1] == "ok"
    said(machine, FACT)
    said(machine, RULE)
    learnt = machine.memories()
    assert len(learnt) == 2

    resumed = client.ask(repo, QUESTION, opened.session)
    assert (resumed.shown(FACT_WORDS), resumed.shown(RULE_WORDS)) == (1, 1)
    again = client.ask(repo, QUESTION + " Look again.", opened.session)
    assert (again.shown(FACT_WORDS), again.shown(RULE_WORDS)) == (1, 1)
    new = client.ask(repo, QUESTION)
    assert (new.shown(FACT_WORDS), new.shown(RULE_WORDS)) == (1, 1)
    assert new.requests[-1]["messages"][0]["role"] == "system"
    assert RULE_WORDS in new.requests[-1]["messages"][0]["content"]
    resumed = client.ask(repo, QUESTION + " And again.", new.session)
    assert (resumed.shown(FACT_WORDS), resumed.shown(RULE_WORDS)) == (1, 1)
    machine.settled()
    assert set(machine.memories()) == set(learnt)
    machine.jay("learn")
    assert set(machine.memories()) == set(learnt)


def test_two_projects_see_nothing_of_each_other(machine: Machine) -> None:
    """What belongs to one repository is in no request of the other, at a start and with a prompt."""
    machine.jay("init", "--yes")
    client = hermes(machine)
    said(machine, FACT)
    assert client.ask(machine.repository(), QUESTION).shown(FACT_WORDS) == 1
    other = client.ask(machine.repository("shop"), QUESTION)
    assert (other.code, other.shown(FACT_WORDS)) == (0, 0)
    assert client.ask(machine.repository("shop"), QUESTION + " Look again.", other.session).shown(FACT_WORDS) == 0


def test_what_hermes_heard_reaches_claude_code_and_its_own_next_session(machine: Machine) -> None:
    """Learnt at the end of the turn, from `state.db`; in its own session the words are not said again."""
    machine.jay("init", "--yes")
    client, repo = hermes(machine), machine.repository()
    first = client.ask(repo, RULE)
    machine.settled()
    assert any(RULE_WORDS in text for text in machine.memories().values())
    assert client.ask(repo, "rename the parser class", first.session).shown(RULE_WORDS) == 1, "its own words alone"
    assert client.ask(repo, "hi").shown(RULE_WORDS) == 1
    session = machine.sandbox.prompt(repo, "hi")["session_id"]
    assert str(machine.sandbox.requests(str(session))[0]).count(RULE_WORDS) == 1


def test_its_tools_answer_and_what_they_bring_is_not_learnt(machine: Machine) -> None:
    """The seven of `jay mcp`; what the model would remember waits until the person's words are found."""
    machine.jay("init", "--yes")
    client, repo = hermes(machine), machine.repository()
    machine.jay("remember", FACT, "--user", "--type", "reference")
    before = machine.memories()
    client.script({"ask the memory": {"name": "scrubjay_recall", "input": {"query": QUESTION}}})
    asked = client.ask(repo, "please ask the memory")
    offered = {tool["function"]["name"] for tool in asked.requests[0]["tools"]}
    assert {"scrubjay_recall", "scrubjay_remember", "scrubjay_forget"} <= offered
    results = [one for one in asked.requests[-1]["messages"] if one["role"] == "tool"]
    assert FACT_WORDS in str(results), asked.output
    machine.settled()
    assert set(machine.memories()) == set(before)


HOLDER = """
import os, signal, sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
"""


def test_hermes_answers_whatever_becomes_of_the_store(machine: Machine) -> None:
    """A stopped process holds the ledger, the store is read-only, a file hangs, is broken, the hook hangs, all is gone."""
    machine.jay("init", "--yes")
    said(machine, RULE)
    home = Path(machine.home.root)
    assert hermes(machine).ask(machine.repository(), "hi").shown(RULE_WORDS) == 1
    machine.settled()
    argv = [sys.executable, "-I", "-c", HOLDER, machine.home.ledger]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        try:
            answers(machine)
        finally:
            holder.send_signal(signal.SIGKILL)
    read_only = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    answers(machine, "unshare", "-m", "sh", "-c", read_only, str(home))
    machine.settled()
    for name in (machine.home.ledger, machine.home.search):
        for path in Path(name).parent.glob(Path(name).name + "*"):
            path.unlink()
        os.mkfifo(name)  # whoever opens it waits for ever
    answers(machine)
    for name in (machine.home.ledger, machine.home.search, machine.home.config):
        Path(name).unlink(missing_ok=True)
        Path(name).write_bytes(b"\x00\xffno database " * 1000)
    answers(machine)
    Path(machine.home.shim).write_text("#!/bin/sh\nsleep 600\n", encoding="utf-8")
    answers(machine)
    shutil.rmtree(home)
    answers(machine)


def answers(machine: Machine, *wrap: str) -> None:
    """A turn ends well, and nothing is said of the memory."""
    ran = hermes(machine).ask(machine.repository(), QUESTION, wrap=wrap)
    assert (ran.code, ran.answer.splitlines()[-1:]) == (0, ["ok"]), ran.output
    assert "scrubjay" not in ran.output


def test_uninstall_leaves_no_trace(machine: Machine) -> None:
    """The bytes of the settings as before, the plugin's files and folders gone; Hermes goes on without memory."""
    client, repo = hermes(machine), machine.repository()
    assert client.ask(repo, "hello").code == 0  # Hermes makes its own files first
    before = client.config.read_bytes()
    plugins = client.hermes_home / "plugins"
    there = plugins.is_dir()
    machine.jay("init", "--yes")
    said(machine, RULE)
    assert client.ask(repo, "hi").shown(RULE_WORDS) == 1
    assert client.config.read_bytes() != before
    machine.settled()
    machine.jay("uninstall")
    assert client.config.read_bytes() == before
    assert plugins.is_dir() == there
    assert not (plugins / "scrubjay").exists()
    ended = client.ask(repo, "hi")
    assert (ended.code, ended.shown(RULE_WORDS)) == (0, 0)
