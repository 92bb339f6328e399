"""The whole life of a memory inside the real Claude Code, offline. Prompts of `claude -p` count as headless, so these runs
say that they are the person's words (`learn.headless = active`), but for the one test of the default."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.faults import faults
from tests.clients.machine import Machine, texts
from tests.clients.pinned import claude_code
from tests.clients.sandbox import Sandbox

pytestmark = pytest.mark.agents

RULE = "Always run the linter before you commit."
RULE_WORDS = "run the linter before you commit"
FACT = "From now on the staging deploy needs the vpn job to run first, otherwise the runners can't reach the bastion."
FACT_WORDS = "staging deploy needs the vpn job"
QUESTION = "why does the staging deploy fail, is it the vpn job again?"


@pytest.fixture(scope="session")
def binary() -> Path:
    return claude_code()


@pytest.fixture
def machine(tmp_path: Path, binary: Path) -> Iterator[Machine]:
    with Sandbox(tmp_path, binary) as sandbox:
        sandbox.env["SCRUBJAY_LEARN_HEADLESS"] = "active"
        yield Machine.set_up(sandbox)


def shown(request: dict[str, object], words: str) -> int:
    """How often the model reads these words in one request."""
    return texts(request).count(words)


def test_a_rule_reaches_the_next_session_and_once_the_open_one(machine: Machine) -> None:
    """Said in one session, it is in the first request of the next, and in an open one with its next prompt only."""
    machine.jay("init", "--yes")
    repo = machine.repository()
    with machine.sandbox.open(repo) as open_session:
        open_session.say("hello")
        said_in = machine.sandbox.prompt(repo, RULE)["session_id"]
        machine.settled()
        assert any(RULE_WORDS in text for text in machine.memories().values())

        later = machine.sandbox.prompt(repo, "hi")["session_id"]
        assert shown(machine.sandbox.requests(later)[0], RULE_WORDS) == 1

        open_session.say("rename the parser class")
        open_session.say("rename the lexer class")
        before, first, second = open_session.requests()
        assert [shown(request, RULE_WORDS) for request in (before, first, second)] == [0, 1, 1]

    learnt = set(machine.memories())
    machine.sandbox.prompt(repo, "go on", "--resume", said_in)
    assert shown(machine.sandbox.requests(said_in)[-1], RULE_WORDS) == 1, "its own words, and no copy of them"
    machine.settled()
    machine.jay("learn")
    assert set(machine.memories()) == learnt
    assert len(learnt) == 1, "what was shown was learnt"


def test_a_fact_is_recalled_in_another_session_once_and_in_its_own_after_compaction(machine: Machine) -> None:
    """Recall never echoes, and a summary is allowed to have lost it."""
    machine.jay("init", "--yes")
    repo = machine.repository()
    with machine.sandbox.open(repo) as first, machine.sandbox.open(repo) as other:
        other.say("hello")
        first.say(FACT)
        machine.settled()
        other.say(QUESTION)
        other.say(QUESTION + " Please look once more.")
        assert [shown(request, FACT_WORDS) for request in other.requests()] == [0, 1, 1]

        first.say(QUESTION)
        assert shown(first.requests()[-1], FACT_WORDS) == 1, "its own words"
        first.say("/compact")
        machine.settled()
        first.say(QUESTION)
        assert shown(first.requests()[-1], FACT_WORDS) >= 1
        assert FACT not in texts(first.requests()[-1]), "the words themselves were summarised away"


def test_a_resumed_and_a_forked_session_hold_their_block_once(machine: Machine) -> None:
    """The client replays the block that the session was given; a second copy would be paid for with every request."""
    machine.jay("init", "--yes")
    repo = machine.repository()
    machine.sandbox.prompt(repo, RULE)
    machine.settled()
    session = str(machine.sandbox.prompt(repo, "hi")["session_id"])
    machine.sandbox.prompt(repo, "go on", "--resume", session)
    assert [shown(request, RULE_WORDS) for request in machine.sandbox.requests(session)] == [1, 1]
    fork = machine.sandbox.prompt(repo, "go another way", "--resume", session, "--fork-session")["session_id"]
    assert [shown(request, RULE_WORDS) for request in machine.sandbox.requests(str(fork))] == [1]


def test_a_fork_is_not_told_what_was_said_before_it(machine: Machine) -> None:
    """The copied words are in its context under the parent's name; what the parent hears later is news to it."""
    machine.jay("init", "--yes")
    repo = machine.repository()
    session = str(machine.sandbox.prompt(repo, FACT)["session_id"])
    machine.settled()
    fork = str(machine.sandbox.prompt(repo, "hi", "--resume", session, "--fork-session")["session_id"])
    machine.sandbox.prompt(repo, QUESTION, "--resume", fork)
    assert shown(machine.sandbox.requests(fork)[-1], FACT_WORDS) == 1, "its own words"
    machine.sandbox.prompt(repo, RULE, "--resume", session)
    machine.settled()
    machine.sandbox.prompt(repo, "rename the parser class", "--resume", fork)
    assert shown(machine.sandbox.requests(fork)[-1], RULE_WORDS) == 1


def test_a_sub_agent_gets_nothing_and_nothing_is_learnt_from_its_prompt(machine: Machine) -> None:
    """Its prompt is the main agent's, not the person's."""
    machine.jay("init", "--yes")
    repo = machine.repository()
    machine.sandbox.prompt(repo, RULE)
    machine.settled()
    below = "Always deploy from the release branch. Then say hello from below, and run the linter."
    task = {"description": "look", "prompt": below, "subagent_type": "general-purpose"}
    machine.sandbox.script({"ask a helper": {"name": "Agent", "input": task}})
    with machine.sandbox.open(repo) as conversation:
        conversation.say("please ask a helper")
        requests = [one for one in conversation.requests() if shown(one, "hello from below")]
        sub_agents = [one for one in requests if not shown(one, "ask a helper")]
        assert sub_agents
        assert [shown(one, "scrubjay-") for one in sub_agents] == [0] * len(sub_agents)
    machine.settled()
    assert not any("release branch" in text for text in machine.memories().values())


def test_the_line_of_news_is_for_the_person_and_not_for_the_model(machine: Machine) -> None:
    """The client takes it as its system message: in the transcript of what hooks said, and in no request."""
    machine.jay("init", "--yes")
    repo = machine.repository()
    machine.sandbox.prompt(repo, RULE)
    machine.settled()
    session = str(machine.sandbox.prompt(repo, "hi")["session_id"])
    (transcript,) = machine.sandbox.home.glob(f".claude/projects/*/{session}.jsonl")
    assert "scrubjay: 1 learnt" in transcript.read_text(encoding="utf-8")
    assert shown(machine.sandbox.requests(session)[0], "1 learnt") == 0


def test_a_secret_goes_nowhere(machine: Machine) -> None:
    """Not into a byte of the home, packed or not, and into no request but those of the session in which it was typed."""
    machine.jay("init", "--yes")
    repo = machine.repository()
    secret = "".join(("AK", "IA", "Q7RXW2LM", "5VTNB8KD"))
    session = machine.sandbox.prompt(
        repo, f"From now on always deploy staging with the key {secret}, never with mine."
    )["session_id"]
    machine.sandbox.prompt(repo, f"The staging key is {secret}, and the vpn job must run first.", "--resume", session)
    machine.settled()
    other = machine.sandbox.prompt(repo, "which key do we deploy staging with?")["session_id"]
    machine.settled()
    assert [path for path, data in machine.bytes_written() if secret.encode() in data] == []
    assert secret not in json.dumps(machine.sandbox.requests(other))


def test_two_repositories_open_at_once_see_nothing_of_each_other(machine: Machine) -> None:
    """Project memories stay in their project."""
    machine.jay("init", "--yes")
    with (
        machine.sandbox.open(machine.repository("acme-api")) as one,
        machine.sandbox.open(machine.repository("shop")) as two,
    ):
        one.say(FACT)
        two.say("From now on the shop database listens on port 6543, not on the default one.")
        machine.settled()
        one.say("which port does the shop database listen on?")
        two.say(QUESTION)
        assert shown(one.requests()[-1], "6543") == 0
        assert shown(two.requests()[-1], FACT_WORDS) == 0
    machine.settled()
    again = machine.sandbox.prompt(machine.repository("shop"), "which port does the shop database listen on?")[
        "session_id"
    ]
    assert shown(machine.sandbox.requests(again)[0], "6543") >= 1


def test_headless_prompts_wait_for_review_by_default(machine: Machine) -> None:
    """A program may have written them."""
    del machine.sandbox.env["SCRUBJAY_LEARN_HEADLESS"]
    machine.jay("init", "--yes")
    repo = machine.repository()
    machine.sandbox.prompt(repo, RULE)
    machine.settled()
    (text,) = (text for text in machine.memories().values() if RULE_WORDS in text)
    assert "status: pending" in text
    later = machine.sandbox.prompt(repo, "hi")["session_id"]
    assert shown(machine.sandbox.requests(later)[0], RULE_WORDS) == 0


def test_prompts_go_on_whatever_becomes_of_the_package(machine: Machine) -> None:
    """Upgraded under an open session, its interpreter moved, the package removed without uninstall; a command repairs it."""
    machine.jay("init", "--yes")
    repo = machine.repository()
    machine.sandbox.prompt(repo, RULE)
    machine.settled()
    with machine.sandbox.open(repo) as conversation:
        conversation.say("hello")
        newer = machine.package.with_name("newer")
        shutil.move(machine.package, newer)
        conversation.say("in the middle of an upgrade")
        (newer / "__init__.py").write_text('__version__ = "9.9.9"\n', encoding="utf-8")
        shutil.move(newer, machine.package)
        conversation.say("upgraded")

        moved = machine.environment.with_name("elsewhere")
        machine.environment.rename(moved)
        machine.environment = moved
        conversation.say("interpreter gone")
        assert machine.sandbox.prompt(repo, "hi")["result"] == "ok"
        machine.jay("status")
        repaired = machine.sandbox.prompt(repo, "hi")["session_id"]
        assert shown(machine.sandbox.requests(repaired)[0], RULE_WORDS) == 1

        shutil.rmtree(machine.package)
        conversation.say("package gone")
    removed = machine.sandbox.prompt(repo, "hi")
    assert removed["result"] == "ok"
    assert shown(machine.sandbox.requests(removed["session_id"])[0], RULE_WORDS) == 0


def test_claude_code_answers_whatever_becomes_of_the_store(machine: Machine) -> None:
    """A turn ends well, of a session that begins and of one that is open."""
    machine.jay("init", "--yes")
    repo = machine.repository()
    machine.sandbox.prompt(repo, RULE)
    machine.settled()
    with machine.sandbox.open(repo) as opened:
        opened.say("hello")
        for fault, wrap in faults(machine):
            assert machine.sandbox.prompt(repo, QUESTION, wrap=wrap)["result"] == "ok", fault
            assert opened.say(QUESTION)["result"] == "ok", fault


def test_uninstall_leaves_the_bytes_of_before(machine: Machine) -> None:
    """Other people's hooks, keys and formatting, untouched by coming and going."""
    hook = b'{"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}'
    before = b'{\n    "model": "opus",\n  "hooks": ' + hook + b',\n "env":{}}\n'
    machine.settings.write_bytes(before)
    machine.jay("init", "--yes")
    assert machine.settings.read_bytes() != before
    repo = machine.repository()
    machine.sandbox.prompt(repo, RULE)
    machine.settled()
    assert machine.memories()
    machine.jay("uninstall")
    assert machine.settings.read_bytes() == before
    ended = machine.sandbox.prompt(repo, "hi")
    assert shown(machine.sandbox.requests(ended["session_id"])[0], RULE_WORDS) == 0
