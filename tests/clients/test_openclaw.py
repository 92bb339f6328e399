"""The whole life of a memory inside the real OpenClaw, offline. Its turns take their time: few tests, each with much in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.faults import faults
from tests.clients.machine import Machine
from tests.clients.pinned import claude_code, node_modules
from tests.clients.plugged_sandbox import OpenClawSandbox

pytestmark = [pytest.mark.agents, pytest.mark.heavy]

RULE = "Always run the linter before you commit."
RULE_WORDS = "run the linter before you commit"
FACT = "From now on the staging database listens on port 5544."
FACT_WORDS = "staging database listens on port 5544"
QUESTION = "which port does the staging database listen on?"
PORT = "From now on the shop backend listens on port 6543."
PORT_QUESTION = "which port does the shop backend listen on?"


@pytest.fixture(scope="module")
def clients() -> tuple[Path, Path]:
    return claude_code(), node_modules("openclaw").parent


@pytest.fixture
def machine(tmp_path: Path, clients: tuple[Path, Path]) -> Iterator[Machine]:
    with OpenClawSandbox(tmp_path, clients[0], client=clients[1]) as sandbox:
        sandbox.env["SCRUBJAY_LEARN_HEADLESS"] = "active"
        sandbox.env["SCRUBJAY_HOOK_DEADLINE_MS"] = "1500"  # a busy machine
        yield Machine.set_up(sandbox)


def openclaw(machine: Machine) -> OpenClawSandbox:
    assert isinstance(machine.sandbox, OpenClawSandbox)
    return machine.sandbox


def said(machine: Machine, text: str) -> None:
    """Typed into Claude Code, and learnt."""
    machine.sandbox.prompt(machine.repository(), text)
    machine.settled()


def test_a_memory_lives_in_openclaw_and_leaves_no_trace(machine: Machine) -> None:
    """What Claude Code heard is there with each prompt, once; what OpenClaw hears reaches Claude Code; nothing is learnt back;
    taken out, the settings have their bytes."""
    client, repo = openclaw(machine), machine.repository()
    before = client.config.read_bytes()
    machine.jay("init", "--yes")
    assert client.config.read_bytes() != before
    said(machine, FACT)
    first = client.ask(repo, QUESTION)
    assert (first.code, first.shown(FACT_WORDS)) == (0, 1), first.output
    machine.settled()
    learnt = machine.memories()
    assert len(learnt) == 1

    client.ask(repo, RULE, first.session)
    machine.settled()
    assert len(machine.memories()) == 2
    session = str(machine.sandbox.prompt(repo, "hi")["session_id"])
    assert str(machine.sandbox.requests(session)[0]).count(RULE_WORDS) == 1
    again = client.ask(repo, QUESTION + " Look again.", first.session)
    assert (again.shown(FACT_WORDS), again.shown(RULE_WORDS)) == (1, 1), "the rule in its own words alone"
    new = client.ask(repo, "hi")
    assert new.shown(RULE_WORDS) == 1
    machine.settled()
    machine.jay("learn")
    assert len(machine.memories()) == 2

    machine.jay("uninstall")
    assert client.config.read_bytes() == before
    assert not (client.state / "scrubjay").exists()
    ended = client.ask(repo, QUESTION)
    assert (ended.code, ended.shown(FACT_WORDS)) == (0, 0)


def test_two_repositories_open_at_once_see_nothing_of_each_other(machine: Machine) -> None:
    """In the sessions that were taught."""
    machine.jay("init", "--yes")
    client, first, second = openclaw(machine), machine.repository(), machine.repository("shop")
    one, two = client.ask(first, FACT), client.ask(second, PORT)
    machine.settled()
    assert len(machine.memories()) == 2
    assert client.ask(first, PORT_QUESTION, one.session).shown("6543") == 0
    assert client.ask(second, QUESTION, two.session).shown(FACT_WORDS) == 0
    assert client.ask(second, PORT_QUESTION).shown("6543") >= 1


def test_a_tool_of_the_mcp_server_is_called_and_nothing_is_learnt_from_it(machine: Machine) -> None:
    """By the entry of `jay init --mcp`, through the client's own search for tools, behind which it keeps those of servers."""
    client = openclaw(machine)
    machine.jay("init", "openclaw", "--mcp", "--no-hooks", "--yes", "--days", "0")
    machine.jay("remember", FACT, "--user", "--type", "reference")
    before = machine.memories()
    call = {"id": "scrubjay__recall", "args": {"query": QUESTION}}
    client.script({"ask the memory": {"name": "tool_call", "input": call}})
    asked = client.ask(machine.repository(), "please ask the memory")
    results = [one for one in asked.requests[-1]["messages"] if one["role"] == "tool"]
    assert FACT_WORDS in str(results), asked.output
    machine.settled()
    assert machine.memories() == before


def test_openclaw_answers_whatever_becomes_of_the_store(machine: Machine) -> None:
    """A turn ends well."""
    machine.jay("init", "--yes")
    said(machine, RULE)
    for fault, wrap in faults(machine, shim=True):
        ran = openclaw(machine).ask(machine.repository(), QUESTION, wrap=wrap)
        assert ran.code == 0, f"{fault}: {ran.output}"
        assert "ok" in ran.answer.splitlines(), f"{fault}: {ran.output}"
