"""The whole life of a memory inside the real Gemini CLI and Kimi Code, offline. Headless prompts count as the person's here
(`learn.headless = active`). Kimi Code shows the person what a hook brings, in its output too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clients.faults import faults
from tests.clients.heavy_sandbox import Client, HeavySandbox, Kimi
from tests.clients.machine import Machine
from tests.clients.pinned import node_modules

pytestmark = [pytest.mark.agents, pytest.mark.heavy]

NAMES = ("gemini-cli", "kimi-code")
RULE = "Always run the linter before you commit."
RULE_WORDS = "run the linter before you commit"
FACT = "From now on the staging deploy needs the vpn job to run first, otherwise the runners can't reach the bastion."
FACT_WORDS = "staging deploy needs the vpn job"
QUESTION = "why does the staging deploy fail, is it the vpn job again?"
PORT = "From now on the shop database listens on port 6543, not on the default one."
PORT_QUESTION = "which port does the shop database listen on?"


@pytest.fixture(scope="session")
def modules() -> Path:
    return node_modules("heavy")


@pytest.fixture
def machine(tmp_path: Path, modules: Path) -> Iterator[Machine]:
    with HeavySandbox(tmp_path, modules) as sandbox:
        sandbox.env["SCRUBJAY_LEARN_HEADLESS"] = "active"
        yield Machine.set_up(sandbox)


def clients(machine: Machine, *names: str) -> list[Client]:
    """These clients, with scrubjay in them."""
    assert isinstance(machine.sandbox, HeavySandbox)
    made = [machine.sandbox.client(name) for name in names]
    machine.jay("init", *names, "--yes", "--days", "0")
    return made


@pytest.mark.parametrize(("learner", "reader"), [NAMES, NAMES[::-1]])
def test_what_one_client_learnt_reaches_the_other_once_and_is_not_learnt_back(
    machine: Machine, learner: str, reader: str
) -> None:
    """A rule and a fact: in an open session with its next prompt, in a new one with its first; a resume holds them once."""
    one, other = clients(machine, learner, reader)
    repo = machine.repository()
    opened = other.ask(repo, "hello")
    assert (opened.answer, opened.shown(FACT_WORDS), opened.shown(RULE_WORDS)) == ("ok", 0, 0)
    said = one.ask(repo, RULE)
    one.ask(repo, FACT, said.session)
    machine.settled()
    learnt = machine.memories()
    assert any(RULE_WORDS in text for text in learnt.values())
    assert any(FACT_WORDS in text for text in learnt.values())

    again = other.ask(repo, QUESTION, opened.session)
    assert (again.shown(FACT_WORDS), again.shown(RULE_WORDS)) == (1, 1)
    new = other.ask(repo, QUESTION)
    assert (new.shown(FACT_WORDS), new.shown(RULE_WORDS)) == (1, 1)
    more = other.ask(repo, QUESTION + " Look again.", new.session)
    assert (more.shown(FACT_WORDS), more.shown(RULE_WORDS)) == (1, 1)
    own = one.ask(repo, QUESTION, said.session)
    assert own.shown(RULE_WORDS) == own.shown(FACT_WORDS) == 1, "its own words, and no copy of them"
    machine.settled()
    machine.jay("learn")
    assert set(machine.memories()) == set(learnt)


@pytest.mark.parametrize("name", NAMES)
def test_two_repositories_see_nothing_of_each_other(machine: Machine, name: str) -> None:
    """Sessions of both are open while both are taught."""
    (client,) = clients(machine, name)
    first, second = machine.repository("acme-api"), machine.repository("shop")
    one, two = client.ask(first, FACT), client.ask(second, PORT)
    machine.settled()
    assert len(machine.memories()) == 2
    assert client.ask(first, PORT_QUESTION, one.session).shown("6543") == 0
    assert client.ask(second, QUESTION, two.session).shown(FACT_WORDS) == 0
    assert client.ask(first, PORT_QUESTION).shown("6543") == 0
    assert client.ask(second, PORT_QUESTION).shown("6543") >= 1


@pytest.mark.parametrize("name", NAMES)
def test_the_client_answers_whatever_becomes_of_the_store(machine: Machine, name: str) -> None:
    """A turn ends well."""
    (client,) = clients(machine, name)
    repo = machine.repository()
    client.ask(repo, RULE)
    machine.settled()
    for fault, wrap in faults(machine):
        assert client.ask(repo, QUESTION, wrap=wrap).answer == "ok", fault


def test_uninstall_leaves_the_bytes_of_before(machine: Machine) -> None:
    """Both files; afterwards nothing is brought any more."""
    assert isinstance(machine.sandbox, HeavySandbox)
    both = [machine.sandbox.client(name) for name in NAMES]
    before = [one.config.read_bytes() for one in both]
    machine.jay("init", *NAMES, "--yes", "--days", "0")
    assert all(one.config.read_bytes() != data for one, data in zip(both, before, strict=True))
    both[0].ask(machine.repository(), RULE)
    machine.settled()
    assert machine.memories()
    assert "did not answer" not in machine.jay("doctor")
    machine.jay("uninstall")
    assert [one.config.read_bytes() for one in both] == before
    for one in both:
        assert one.ask(machine.repository(), "hi").shown(RULE_WORDS) == 0


def test_a_summarised_chat_of_gemini_gets_its_block_again(machine: Machine) -> None:
    """No event says that the chat was compressed; the session's file does."""
    (client,) = clients(machine, "gemini-cli")
    repo = machine.repository()
    client.ask(repo, RULE)
    machine.settled()
    session = client.ask(repo, "hello there, " + "many words " * 1_500).session
    settings = client.config.read_text(encoding="utf-8")
    eager = settings.replace('"privacy"', '"model": {"compressionThreshold": 0.00001},\n  "privacy"')
    client.config.write_text(eager, encoding="utf-8")
    machine.sandbox.script({"state_snapshot": "<state_snapshot>They said hello.</state_snapshot>"})
    compressed = client.ask(repo, "and now", session)
    assert len(compressed.requests) > 1, "the client asked for a summary"
    assert compressed.shown(RULE_WORDS) == 0
    client.config.write_text(settings, encoding="utf-8")
    assert client.ask(repo, "and then", session).shown(RULE_WORDS) == 1
    assert client.ask(repo, "and at last", session).shown(RULE_WORDS) == 1


def test_a_fork_of_kimi_code_holds_its_block_once(machine: Machine) -> None:
    """It copies what its parent was given."""
    (client,) = clients(machine, "kimi-code")
    assert isinstance(client, Kimi)
    repo = machine.repository()
    client.ask(repo, RULE)
    machine.settled()
    parent = client.ask(repo, "hello")
    assert parent.shown(RULE_WORDS) == 1
    assert client.ask(repo, "another way", client.fork(repo, parent.session)).shown(RULE_WORDS) == 1


def results(request: dict[str, Any]) -> list[Any]:
    """What tools brought, in either layout."""
    if "messages" in request:
        return [one["content"] for one in request["messages"] if one["role"] == "tool"]
    return [part for one in request["contents"] for part in one["parts"] if "functionResponse" in part]


@pytest.mark.parametrize(
    ("name", "tool"), [("gemini-cli", "mcp_scrubjay_recall"), ("kimi-code", "mcp__scrubjay__recall")]
)
def test_a_tool_of_the_mcp_server_is_called_and_nothing_is_learnt_from_it(
    machine: Machine, name: str, tool: str
) -> None:
    """By the entry of `jay init --mcp`; Gemini CLI offers a server's tools to a headless run where the person trusts it."""
    (client,) = clients(machine, name)
    machine.jay("init", name, "--mcp", "--no-hooks", "--yes", "--days", "0")
    if name == "gemini-cli":
        text = client.config.read_text(encoding="utf-8")
        client.config.write_text(text.replace('"command": ', '"trust": true, "command": '), encoding="utf-8")
    machine.jay("remember", FACT, "--user", "--type", "reference")
    before = machine.memories()
    machine.sandbox.script({"ask the memory": {"name": tool, "input": {"query": QUESTION}}})
    ran = client.ask(machine.repository(), "please ask the memory")
    machine.settled()
    assert tool in json.dumps(ran.requests[0])
    assert len(ran.requests) == 2
    assert FACT_WORDS in json.dumps(results(ran.requests[-1]))
    assert machine.memories() == before
