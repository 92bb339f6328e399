"""The whole life of a memory inside the real Hermes, offline. What `claude -p` is told counts as the person's words here
(`learn.headless = active`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients import pinned
from tests.clients.faults import faults
from tests.clients.machine import Machine
from tests.clients.plugged_sandbox import HermesSandbox

pytestmark = pytest.mark.agents

RULE = "Always run the linter before you commit."
RULE_WORDS = "run the linter before you commit"
FACT = "From now on the staging database listens on port 5544."
FACT_WORDS = "staging database listens on port 5544"
QUESTION = "which port does the staging database listen on?"
PORT = "From now on the shop database listens on port 6543, not on the default one."
PORT_QUESTION = "which port does the shop database listen on?"


@pytest.fixture(scope="module")
def clients() -> tuple[Path, Path]:
    return pinned.claude_code(), pinned.hermes()


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


def test_two_repositories_open_at_once_see_nothing_of_each_other(machine: Machine) -> None:
    """In the sessions that were taught, and in one that begins later."""
    machine.jay("init", "--yes")
    client, first, second = hermes(machine), machine.repository(), machine.repository("shop")
    one, two = client.ask(first, FACT), client.ask(second, PORT)
    machine.settled()
    assert len(machine.memories()) == 2
    assert client.ask(first, PORT_QUESTION, one.session).shown("6543") == 0
    assert client.ask(second, QUESTION, two.session).shown(FACT_WORDS) == 0
    assert client.ask(first, PORT_QUESTION).shown("6543") == 0
    assert client.ask(second, PORT_QUESTION).shown("6543") >= 1


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


def test_the_mcp_server_answers_where_scrubjay_is_not_the_provider(machine: Machine) -> None:
    """By the entry of `jay init --mcp`; nothing is learnt from what it brings."""
    client = hermes(machine)
    with client.config.open("a", encoding="utf-8") as config:
        config.write("mcp_discovery_timeout: 60\n")  # a busy machine
    machine.jay("init", "hermes", "--mcp", "--no-hooks", "--yes", "--days", "0")
    machine.jay("remember", FACT, "--user", "--type", "reference")
    before = machine.memories()
    client.script({"ask the memory": {"name": "mcp__scrubjay__recall", "input": {"query": QUESTION}}})
    asked = client.ask(machine.repository(), "please ask the memory")
    assert "mcp__scrubjay__recall" in [tool["function"]["name"] for tool in asked.requests[0]["tools"]]
    results = [one for one in asked.requests[-1]["messages"] if one["role"] == "tool"]
    assert FACT_WORDS in str(results), asked.output
    machine.settled()
    assert machine.memories() == before


def test_hermes_answers_whatever_becomes_of_the_store(machine: Machine) -> None:
    """A turn ends well, and nothing is said of the memory."""
    machine.jay("init", "--yes")
    said(machine, RULE)
    client, repo = hermes(machine), machine.repository()
    assert client.ask(repo, "hi").shown(RULE_WORDS) == 1
    machine.settled()
    for fault, wrap in faults(machine, shim=True):
        ran = client.ask(repo, QUESTION, wrap=wrap)
        assert (ran.code, ran.answer.splitlines()[-1:]) == (0, ["ok"]), f"{fault}: {ran.output}"
        assert "scrubjay" not in ran.output, fault


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
