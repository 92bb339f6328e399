"""The whole life of a memory inside the real OpenCode, offline. Prompts of `opencode run` count as headless, so these runs say
that they are the person's words (`learn.headless = active`)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.ledger import Ledger
from tests.clients.faults import faults
from tests.clients.js_sandbox import OpenCodeSandbox, is_title
from tests.clients.machine import WAIT_S, Machine
from tests.clients.pinned import claude_code, need, node_modules
from tests.clients.test_claude_code import RULE, RULE_WORDS

pytestmark = pytest.mark.agents

FACT = "From now on the staging deploy needs the vpn job to run first, otherwise the runners can't reach the bastion."
FACT_WORDS = "staging deploy needs the vpn job"
QUESTION = "why does the staging deploy fail, is it the vpn job again?"
PORT = "From now on the shop database listens on port 6543, not on the default one."
PORT_QUESTION = "which port does the shop database listen on?"
OURS = "scrubjay-"


@pytest.fixture(scope="module")
def clients() -> tuple[Path, Path]:
    need("curl")
    return claude_code(), node_modules("opencode")


@pytest.fixture
def sandbox(tmp_path: Path, clients: tuple[Path, Path]) -> Iterator[OpenCodeSandbox]:
    sandbox = OpenCodeSandbox(tmp_path, clients[0], client=clients[1])
    with sandbox:
        sandbox.env["SCRUBJAY_LEARN_HEADLESS"] = "active"
        yield sandbox


@pytest.fixture
def machine(sandbox: OpenCodeSandbox) -> Machine:
    made = Machine.set_up(sandbox)
    made.jay("init", "--yes", "--days", "0")
    return made


def heard(machine: Machine, session: str, turns: int = 1) -> None:
    """Wait until the ends of a session's turns were told, which the client does not wait for, and all is learnt."""
    end = time.monotonic() + WAIT_S
    while True:
        with Ledger.open(machine.home.ledger) as ledger:
            rows = ledger.events("opencode", limit=1000)
        if sum(row["event"] == "Stop" and row["session"] == session for row in rows) >= turns:
            return machine.settled()
        assert time.monotonic() < end, "the end of a turn was never told"
        time.sleep(0.02)


def taught(machine: Machine) -> dict[str, str]:
    """A rule and a fact, said in sessions of Claude Code; the memories that they made."""
    repo = machine.repository()
    machine.sandbox.prompt(repo, RULE)
    machine.sandbox.prompt(repo, FACT)
    machine.settled()
    learnt = machine.memories()
    assert any(RULE_WORDS in text for text in learnt.values())
    assert any(FACT_WORDS in text for text in learnt.values())
    return learnt


def test_what_claude_code_learnt_reaches_opencode_once_and_is_not_learnt_back(
    machine: Machine, sandbox: OpenCodeSandbox
) -> None:
    """The rule with the session, the fact with the prompt; replayed by a new process and by a fork, and never a second time.
    The request for a title holds nothing of it."""
    learnt = taught(machine)
    repo = machine.repository()
    first = sandbox.ask(repo, QUESTION)
    assert (first.shown(RULE_WORDS), first.shown(FACT_WORDS)) == (1, 1), first.output
    again = sandbox.ask(repo, QUESTION + " Look once more.", first.session)
    assert (again.shown(RULE_WORDS), again.shown(FACT_WORDS)) == (1, 1)
    fork = sandbox.ask(repo, QUESTION + " And once more.", first.session, options=("--fork",))
    assert fork.session != first.session
    assert (fork.shown(RULE_WORDS), fork.shown(FACT_WORDS)) == (1, 1)
    system = [json.dumps(one.requests[-1]["messages"][0]) for one in (first, again, fork)]
    assert system[0] == system[1] == system[2], "the provider's cache of the prompt holds"

    titles = [one for one in sandbox.all_requests() if is_title(one)]
    assert titles
    assert OURS not in json.dumps(titles)
    heard(machine, first.session, 2)
    heard(machine, fork.session)
    assert machine.memories().keys() == learnt.keys()


def test_what_is_said_in_opencode_reaches_claude_code(machine: Machine, sandbox: OpenCodeSandbox) -> None:
    """Also an open session of it, with the next prompt."""
    repo = machine.repository()
    with sandbox.open(repo) as opened:
        opened.say("hello")
        heard(machine, sandbox.ask(repo, RULE).session)
        opened.say("rename the parser class")
        assert [str(one).count(RULE_WORDS) for one in opened.requests()] == [0, 1]


def test_a_summary_holds_nothing_of_ours_and_after_it_all_is_there_again(
    machine: Machine, sandbox: OpenCodeSandbox
) -> None:
    """The block is built anew, and the fact may come again: it was summed up, or not."""
    taught(machine)
    repo = machine.repository()
    with sandbox.serve() as server:
        session = server.begin(repo)
        assert server.say(repo, session, QUESTION).shown(FACT_WORDS) == 1
        before = len(sandbox.all_requests())
        server.post(f"/session/{session}/summarize", repo, providerID="stub", modelID="stub-model")
        (summary,) = sandbox.all_requests()[before:]
        assert "staging deploy fail" in json.dumps(summary)
        assert OURS not in json.dumps(summary)
        heard(machine, session, 2)
        after = server.say(repo, session, QUESTION)
        assert (after.shown(RULE_WORDS), after.shown(FACT_WORDS)) == (1, 1)


def test_what_a_revert_took_back_comes_again(machine: Machine, sandbox: OpenCodeSandbox) -> None:
    """The prompt is gone from the context, and with it what it had brought."""
    taught(machine)
    repo = machine.repository()
    with sandbox.serve() as server:
        session = server.begin(repo)
        server.say(repo, session, "hello")
        answer = json.loads(
            json.dumps(server.post(f"/session/{session}/message", repo, parts=[{"type": "text", "text": QUESTION}]))
        )
        server.post(f"/session/{session}/revert", repo, messageID=answer["info"]["parentID"])
        assert server.say(repo, session, QUESTION).shown(FACT_WORDS) == 1


def test_a_sub_agent_gets_nothing_and_nothing_is_learnt_from_its_prompt(
    machine: Machine, sandbox: OpenCodeSandbox
) -> None:
    """Its prompt is the main agent's, not the person's."""
    learnt = taught(machine)
    below = (
        "From now on always deploy from the release branch. Say hello from below: why does the staging vpn job fail?"
    )
    task = {"description": "look", "prompt": below, "subagent_type": "general"}
    sandbox.script({"ask a helper": {"name": "task", "input": task}})
    ran = sandbox.ask(machine.repository(), "please ask a helper")
    assert ran.code == 0, ran.output
    inner = [one for one in ran.requests if "hello from below" in json.dumps(one["messages"][1])]
    assert inner
    assert OURS not in json.dumps(inner)
    heard(machine, ran.session)
    assert machine.memories().keys() == learnt.keys()


def test_two_repositories_open_at_once_see_nothing_of_each_other(machine: Machine, sandbox: OpenCodeSandbox) -> None:
    """One process with a session in each."""
    first, second = machine.repository("acme-api"), machine.repository("shop")
    with sandbox.serve() as server:
        one, two = server.begin(first), server.begin(second)
        server.say(first, one, FACT)
        server.say(second, two, PORT)
        heard(machine, one)
        heard(machine, two)
        assert len(machine.memories()) == 2
        assert server.say(first, one, PORT_QUESTION).shown("6543") == 0
        assert server.say(second, two, QUESTION).shown(FACT_WORDS) == 0
        assert server.say(first, server.begin(first), PORT_QUESTION).shown("6543") == 0
        assert server.say(second, server.begin(second), PORT_QUESTION).shown("6543") >= 1


def test_opencode_answers_whatever_becomes_of_the_store(machine: Machine, sandbox: OpenCodeSandbox) -> None:
    """In a process that was there before, in the time of an ordinary turn and our limit, and with no trouble of ours shown."""
    taught(machine)
    repo = machine.repository()
    with sandbox.serve() as server:
        server.say(repo, server.begin(repo), "hello")
        for fault, wrap in faults(machine, shim=True):
            started = time.monotonic()
            ran = sandbox.ask(repo, QUESTION, wrap=wrap) if wrap else server.say(repo, server.begin(repo), QUESTION)
            assert (ran.code, len(ran.requests), "ok" in ran.answer) == (0, 1, True), f"{fault}: {ran.output}"
            assert "scrubjay" not in ran.output + ran.answer, fault
            assert time.monotonic() - started < 60, fault


def test_uninstall_leaves_no_trace(machine: Machine, sandbox: OpenCodeSandbox) -> None:
    """The plugin and its folder are gone, nothing else was touched, and sessions that have parts of ours go on without."""
    taught(machine)
    machine.jay("uninstall")
    repo = machine.repository()
    sandbox.ask(repo, "hello")  # the client adds to its own settings
    before = {path: path.read_bytes() for path in sandbox.config.rglob("*") if path.is_file()}
    machine.jay("init", "--yes", "--days", "0")
    assert (sandbox.config / "plugin" / "scrubjay.js").is_file()
    ran = sandbox.ask(repo, QUESTION)
    assert ran.shown(FACT_WORDS) == 1
    heard(machine, ran.session)
    assert "did not answer" not in machine.jay("doctor")
    machine.jay("uninstall")
    left = {path: path.read_bytes() for path in sandbox.config.rglob("*") if path.is_file() and path in before}
    assert left == before
    assert not (sandbox.config / "plugin").exists()
    assert OURS not in json.dumps(sandbox.ask(repo, "hi", ran.session).requests)
