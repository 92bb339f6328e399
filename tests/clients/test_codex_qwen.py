"""The whole life of a memory over the real Claude Code, Codex and Qwen Code, offline. Headless prompts count as the person's
here (`learn.headless = active`)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.ledger import Ledger
from tests.clients.faults import faults
from tests.clients.hooked_sandbox import HookedSandbox, spoken
from tests.clients.machine import Machine, texts
from tests.clients.pinned import claude_code, node_modules
from tests.clients.stub_openai import WAIT

pytestmark = pytest.mark.agents

RULE = "Always run the linter before you commit."
RULE_WORDS = "run the linter before you commit"
OTHER_RULE = "Never push to the main branch without asking me."
OTHER_RULE_WORDS = "push to the main branch without asking"
FACT = "From now on the staging deploy needs the vpn job to run first, otherwise the runners can't reach the bastion."
FACT_WORDS = "staging deploy needs the vpn job"
QUESTION = "why does the staging deploy fail, is it the vpn job again?"
PORT = "From now on the shop database listens on port 6543, not on the default one."
PORT_QUESTION = "which port does the shop database listen on?"


@pytest.fixture(scope="session")
def clients() -> tuple[Path, Path]:
    return claude_code(), node_modules("hooked")


@pytest.fixture
def machine(tmp_path: Path, clients: tuple[Path, Path]) -> Iterator[Machine]:
    with HookedSandbox(tmp_path, clients[0], modules=clients[1]) as sandbox:
        sandbox.env["SCRUBJAY_LEARN_HEADLESS"] = "active"
        yield Machine.set_up(sandbox)


def hooked(machine: Machine) -> HookedSandbox:
    assert isinstance(machine.sandbox, HookedSandbox)
    return machine.sandbox


def said(machine: Machine, text: str, repo: str = "acme-api") -> str:
    """Typed into Claude Code, and learnt; the session."""
    session = str(machine.sandbox.prompt(machine.repository(repo), text)["session_id"])
    machine.settled()
    return session


def test_a_fact_from_claude_code_reaches_codex_once_and_nothing_is_learnt_back(machine: Machine) -> None:
    """In a thread that was open with its next prompt, in a new one from its start; resumed and forked it is there once."""
    machine.jay("init", "--yes", "--trust")
    sandbox, repo = hooked(machine), machine.repository()
    opened = sandbox.ask_codex(repo, "hello")
    assert (opened.code, opened.shown(FACT_WORDS)) == (0, 0)
    said(machine, FACT)
    learnt = machine.memories()

    assert sandbox.ask_codex(repo, QUESTION, "resume", opened.session).shown(FACT_WORDS) == 1
    assert sandbox.ask_codex(repo, QUESTION + " Look again.", "resume", opened.session).shown(FACT_WORDS) == 1
    new = sandbox.ask_codex(repo, QUESTION)
    assert new.shown(FACT_WORDS) == 1
    assert sandbox.ask_codex(repo, QUESTION + " And again.", "fork", new.session).shown(FACT_WORDS) == 1
    machine.settled()
    assert set(machine.memories()) == set(learnt)
    assert len(machine.jay("learn").splitlines()) > 0
    assert set(machine.memories()) == set(learnt)


def test_a_fact_from_claude_code_reaches_qwen_code_once_and_nothing_is_learnt_back(machine: Machine) -> None:
    """The same; the block, which this client keeps nowhere, is there again after a resume."""
    machine.jay("init", "--yes")
    sandbox, repo = hooked(machine), machine.repository()
    opened = sandbox.ask_qwen(repo, "hello")
    assert (opened.code, opened.shown(FACT_WORDS)) == (0, 0)
    said(machine, FACT)
    said(machine, RULE)
    learnt = machine.memories()
    resumed = sandbox.ask_qwen(repo, QUESTION, "--resume", opened.session)
    assert (resumed.shown(FACT_WORDS), resumed.shown(RULE_WORDS)) == (1, 1)
    new = sandbox.ask_qwen(repo, f"{QUESTION} But {WAIT}.")
    assert len(new.requests) > 1, "no tool was called"
    assert (new.shown(FACT_WORDS), new.shown(RULE_WORDS)) == (1, 1)
    with Ledger.open(machine.home.ledger) as ledger:
        fired = [row["event"] for row in ledger.events("qwen-code") if row["session"] == new.session]
    assert fired.count("UserPromptSubmit") == 1, "the result of a tool is no prompt"
    assert "&lt;scrubjay" not in spoken(new.requests[-1])
    assert "[scrubjay-memory]" in spoken(new.requests[-1])
    fork = sandbox.ask_qwen(repo, QUESTION + " And again.", "--resume", new.session, "--fork-session")
    assert fork.session != new.session
    assert (fork.shown(FACT_WORDS), fork.shown(RULE_WORDS)) == (1, 1)
    machine.settled()
    assert set(machine.memories()) == set(learnt)


def test_a_rule_said_in_codex_or_qwen_code_reaches_an_open_session_of_claude_code(machine: Machine) -> None:
    """Once, with its next prompt; and each other's next session from its start."""
    machine.jay("init", "--yes", "--trust")
    sandbox, repo = hooked(machine), machine.repository()
    with sandbox.open(repo) as conversation:
        conversation.say("hello")
        assert sandbox.ask_codex(repo, RULE).code == 0
        machine.settled()
        conversation.say("rename the parser class")
        assert sandbox.ask_qwen(repo, OTHER_RULE).code == 0
        machine.settled()
        conversation.say("rename the lexer class")
        conversation.say("rename the printer class")
        requests = conversation.requests()
        assert [texts(one).count(RULE_WORDS) for one in requests] == [0, 1, 1, 1]
        assert [texts(one).count(OTHER_RULE_WORDS) for one in requests] == [0, 0, 1, 1]
    later = sandbox.ask_codex(repo, "hi")
    assert (later.shown(RULE_WORDS), later.shown(OTHER_RULE_WORDS)) == (1, 1)


@pytest.mark.parametrize("name", ["codex", "qwen-code"])
def test_two_repositories_open_at_once_see_nothing_of_each_other(machine: Machine, name: str) -> None:
    """In the sessions that were taught, and in one that begins later."""
    machine.jay("init", "--yes", "--trust")
    sandbox, first, second = hooked(machine), machine.repository(), machine.repository("shop")
    ask, more = (sandbox.ask_codex, "resume") if name == "codex" else (sandbox.ask_qwen, "--resume")
    one, two = ask(first, FACT), ask(second, PORT)
    machine.settled()
    assert len(machine.memories()) == 2
    assert ask(first, PORT_QUESTION, more, one.session).shown("6543") == 0
    assert ask(second, QUESTION, more, two.session).shown(FACT_WORDS) == 0
    assert ask(first, PORT_QUESTION).shown("6543") == 0
    assert ask(second, PORT_QUESTION).shown("6543") >= 1


def test_after_a_compaction_codex_has_its_block_once(machine: Machine) -> None:
    """The summary swallowed the first copy."""
    machine.jay("init", "--yes", "--trust")
    sandbox, repo = hooked(machine), machine.repository()
    said(machine, RULE)
    first = sandbox.ask_codex(repo, "hello")
    again = sandbox.ask_codex(repo, "go on", "resume", first.session, "-c", "model_auto_compact_token_limit=100")
    assert len(again.requests) > 1, "no compaction happened"
    assert [first.shown(RULE_WORDS), again.shown(RULE_WORDS)] == [1, 1]


def test_codex_skips_what_is_not_trusted_and_that_is_said_out_loud(machine: Machine) -> None:
    """By init, status and doctor; trusted, Codex itself confirms it to doctor."""
    told = json.loads(machine.jay("init", "--yes", "--json"))["problems"]
    assert [one["agent"] for one in told] == ["Codex"]
    sandbox, repo = hooked(machine), machine.repository()
    said(machine, RULE)
    assert sandbox.ask_codex(repo, "hi").shown(RULE_WORDS) == 0
    assert "until you trust them" in " ".join(machine.jay("status").split())
    errors = [one for one in doctor(machine) if one["name"] == "codex" and one["state"] == "error"]
    assert any("until you trust them" in one["detail"] and "--trust" in one["remedy"] for one in errors), errors
    assert "until you trust them" not in machine.jay("init", "codex", "--yes", "--trust", "--days", "0")
    assert sandbox.ask_codex(repo, "hi").shown(RULE_WORDS) == 1
    found = doctor(machine)
    assert [one for one in found if one["state"] == "error"] == []
    assert any(one["name"] == "codex" and "itself says" in one["detail"] for one in found)


def doctor(machine: Machine) -> list[dict[str, str]]:
    program = "import sys; from scrubjay.cli.main import main; sys.argv[0] = 'jay'; main()"
    argv = [str(machine.environment / "bin" / "python"), "-I", "-c", program, "doctor", "--json"]
    env = machine.sandbox.environment()
    done = subprocess.run(argv, env=env, cwd=machine.sandbox.home, capture_output=True, text=True, check=False)
    checks: list[dict[str, str]] = json.loads(done.stdout)["checks"]
    return checks


def test_the_clients_answer_whatever_becomes_of_the_store(machine: Machine) -> None:
    """A turn in each ends well, and with no trouble of ours shown."""
    machine.jay("init", "--yes", "--trust")
    said(machine, RULE)
    sandbox, repo = hooked(machine), machine.repository()
    for fault, wrap in faults(machine):
        for ran in (sandbox.ask_codex(repo, QUESTION, wrap=wrap), sandbox.ask_qwen(repo, QUESTION, wrap=wrap)):
            assert (ran.code, bool(ran.requests), '"ok"' in ran.output) == (0, True, True), f"{fault}: {ran.output}"


def test_uninstall_leaves_the_bytes_of_before(machine: Machine) -> None:
    """Comments, order and other people's hooks, after both clients had their turn with the files."""
    sandbox, repo = hooked(machine), machine.repository()
    hooks = sandbox.codex_config.with_name("hooks.json")
    hooks.write_text('{"hooks": {"Stop": [{"hooks": [{"type":"command","command":"true"}]}]}}', encoding="utf-8")
    sandbox.ask_codex(repo, "hello")
    sandbox.ask_qwen(repo, "hello")
    files = (sandbox.codex_config, hooks, sandbox.qwen_settings)
    before = [path.read_bytes() for path in files]
    machine.jay("init", "--yes", "--trust")
    assert [path.read_bytes() != was for path, was in zip(files, before, strict=True)] == [True, True, True]
    sandbox.ask_codex(repo, RULE)
    sandbox.ask_qwen(repo, "hello")
    machine.settled()
    assert any(RULE_WORDS in text for text in machine.memories().values())
    machine.jay("uninstall")
    assert [path.read_bytes() for path in files] == before
    assert sandbox.ask_codex(repo, "hi").shown(RULE_WORDS) == 0
