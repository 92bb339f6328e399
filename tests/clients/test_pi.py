"""The whole life of a memory inside the real pi, offline. Prompts of `pi -p` count as headless, so these runs say that they are
the person's words (`learn.headless = active`), but for the one test of the default."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.faults import faults
from tests.clients.js_sandbox import PiSandbox
from tests.clients.machine import Machine
from tests.clients.pinned import claude_code, node_modules
from tests.clients.test_claude_code import RULE, RULE_WORDS
from tests.clients.test_opencode import FACT, FACT_WORDS, OURS, PORT, PORT_QUESTION, QUESTION, taught

pytestmark = pytest.mark.agents


@pytest.fixture(scope="module")
def clients() -> tuple[Path, Path]:
    return claude_code(), node_modules("pi")


@pytest.fixture
def sandbox(tmp_path: Path, clients: tuple[Path, Path]) -> Iterator[PiSandbox]:
    sandbox = PiSandbox(tmp_path, clients[0], client=clients[1])
    with sandbox:
        sandbox.env["SCRUBJAY_LEARN_HEADLESS"] = "active"
        yield sandbox


@pytest.fixture
def machine(sandbox: PiSandbox) -> Machine:
    made = Machine.set_up(sandbox)
    made.jay("init", "--yes", "--days", "0")
    return made


def test_what_claude_code_learnt_reaches_pi_once_and_is_not_learnt_back(machine: Machine, sandbox: PiSandbox) -> None:
    """The rule and the fact with the first prompt; replayed by a new process and by a fork, and never a second time."""
    learnt = taught(machine)
    repo = machine.repository()
    first = sandbox.ask(repo, QUESTION)
    assert (first.shown(RULE_WORDS), first.shown(FACT_WORDS)) == (1, 1), first.output
    again = sandbox.ask(repo, QUESTION + " Look once more.", first.session)
    assert (again.shown(RULE_WORDS), again.shown(FACT_WORDS)) == (1, 1), again.output
    fork = sandbox.ask(repo, QUESTION + " And once more.", options=("--fork", first.session))
    assert fork.session != first.session
    assert (fork.shown(RULE_WORDS), fork.shown(FACT_WORDS)) == (1, 1), fork.output
    machine.settled()
    assert machine.memories().keys() == learnt.keys()


def test_what_is_said_in_pi_reaches_claude_code(machine: Machine, sandbox: PiSandbox) -> None:
    """From a session of pi that goes on, to one of Claude Code that is open, with its next prompt."""
    repo = machine.repository()
    with sandbox.open(repo) as opened, sandbox.rpc(repo) as pi:
        opened.say("hello")
        pi.say(RULE)
        machine.settled()
        opened.say("rename the parser class")
        assert [str(one).count(RULE_WORDS) for one in opened.requests()] == [0, 1]


def test_prompts_of_a_program_wait_for_review_and_typed_ones_do_not(machine: Machine, sandbox: PiSandbox) -> None:
    """By the extension's mark: the session file itself does not tell them apart."""
    del sandbox.env["SCRUBJAY_LEARN_HEADLESS"]
    repo = machine.repository()
    sandbox.ask(repo, RULE)
    with sandbox.rpc(repo) as pi:
        pi.say(FACT)
        machine.settled()
    waiting = {RULE_WORDS: True, FACT_WORDS: False}
    for words, expected in waiting.items():
        (text,) = (text for text in machine.memories().values() if words in text)
        assert ("status: pending" in text) == expected


def test_a_summary_holds_nothing_of_ours_and_after_it_all_is_there_again(machine: Machine, sandbox: PiSandbox) -> None:
    """The block is built anew with the next prompt, and the fact may come again."""
    taught(machine)
    repo = machine.repository()
    with sandbox.rpc(repo) as pi:
        assert pi.say(QUESTION).shown(FACT_WORDS) == 1
        pi.say("rename the parser class")
        before = len(pi.requests())
        pi.command("response", type="compact")
        summary = pi.requests()[before:]
        assert "staging deploy fail" in json.dumps(summary)
        assert OURS not in json.dumps(summary)
        machine.settled()
        after = pi.say(QUESTION)
        assert (after.shown(RULE_WORDS), after.shown(FACT_WORDS)) == (1, 1)


def test_two_repositories_open_at_once_see_nothing_of_each_other(machine: Machine, sandbox: PiSandbox) -> None:
    """Also in sessions that begin later."""
    first, second = machine.repository("acme-api"), machine.repository("shop")
    with sandbox.rpc(first) as one, sandbox.rpc(second) as two:
        one.say(FACT)
        two.say(PORT)
        machine.settled()
        assert len(machine.memories()) == 2
        assert one.say(PORT_QUESTION).shown("6543") == 0
        assert two.say(QUESTION).shown(FACT_WORDS) == 0
    assert sandbox.ask(first, PORT_QUESTION).shown("6543") == 0
    assert sandbox.ask(second, PORT_QUESTION).shown("6543") >= 1


def test_pi_answers_whatever_becomes_of_the_store(machine: Machine, sandbox: PiSandbox) -> None:
    """And shows no trouble of ours."""
    taught(machine)
    repo = machine.repository()
    for fault, wrap in faults(machine, shim=True):
        started = time.monotonic()
        ran = sandbox.ask(repo, QUESTION, wrap=wrap)
        assert (ran.code, len(ran.requests), ran.answer) == (0, 1, "ok"), f"{fault}: {ran.output}"
        assert "scrubjay" not in ran.output, fault
        assert time.monotonic() - started < 60, fault


def test_uninstall_leaves_no_trace(machine: Machine, sandbox: PiSandbox) -> None:
    """The extension and its folder are gone, nothing else was touched, and a session that was begun with it goes on."""
    taught(machine)
    machine.jay("uninstall")
    repo = machine.repository()
    sandbox.ask(repo, "hello")
    before = {path: path.read_bytes() for path in sandbox.config.rglob("*") if path.is_file()}
    machine.jay("init", "--yes", "--days", "0")
    assert (sandbox.config / "extensions" / "scrubjay.js").is_file()
    ran = sandbox.ask(repo, QUESTION)
    assert ran.shown(FACT_WORDS) == 1
    machine.settled()
    assert "did not answer" not in machine.jay("doctor")
    machine.jay("uninstall")
    left = {path: path.read_bytes() for path in sandbox.config.rglob("*") if path.is_file() and path in before}
    assert left == before
    assert not (sandbox.config / "extensions").exists()
    assert OURS not in json.dumps(sandbox.ask(repo, "hi").requests)
    assert sandbox.ask(repo, "go on", ran.session).answer == "ok"
