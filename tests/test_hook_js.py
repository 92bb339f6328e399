"""OpenCode's and pi's hooks as our JavaScript files inside them call them: whole processes, through the shim."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import hook_process
from tests.hook_process import SILENCE, Ended
from tests.hook_world import OTHER, SESSION, World, busy

RULE = "Always run the linter before you commit."
LATER = "Never push to the main branch without asking."
FACT = "and the bastion does not let them in from anywhere else, as the network team told us in a mail."
"""The end of a memory that is too long to stand in the block as a whole."""
WHOLE = (
    f"The staging deploy needs the vpn job to run first: the runners moved out of the office network in August, {FACT}"
)
QUESTION = "why does the staging deploy fail without the vpn job?"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with busy(tmp_path) as one:
        one.remember(RULE, kind="feedback")
        one.remember(WHOLE, name="Staging deploy and vpn")
        yield one


def fire(world: World, agent: str, event: str, session: str = SESSION, **more: Any) -> Ended:
    """What the shim inside the agent sends."""
    values = {"session_id": session, "cwd": str(world.repository()), **more}
    env = hook_process.environment(world.top, **world.env)
    ended = hook_process.run(event, values, env, [world.home.shim, agent, event])
    assert (ended.code, ended.stderr) == (0, "")
    return ended


def opencode(world: World, event: str, session: str = SESSION, **more: Any) -> Ended:
    return fire(world, "opencode", event, session, **more)


def pi(world: World, prompt_id: str, session: str = SESSION, text: str = QUESTION, **more: Any) -> Ended:
    """A prompt."""
    return fire(
        world, "pi", "UserPromptSubmit", session, **{"prompt": text, "prompt_id": prompt_id, "held": [], **more}
    )


def asked(world: World, prompt_id: str, session: str = SESSION, **more: Any) -> str:
    """What a prompt brings in OpenCode."""
    return opencode(world, "UserPromptSubmit", session, prompt=QUESTION, prompt_id=prompt_id, **more).context


def jobs(world: World) -> list[tuple[str, dict[str, str]]]:
    found = []
    with world.ledger() as ledger:
        while (job := ledger.take()) is not None:
            number, kind, payload = job
            found.append((kind, json.loads(payload)))
            ledger.done(number)
    return found


def test_each_process_of_opencode_is_given_the_same_block(world: World) -> None:
    """Nobody keeps what the plugin adds to the system prompt; other bytes would cost the provider's cache."""
    first = opencode(world, "SessionStart", source="startup").context
    assert RULE in first
    world.remember(LATER, kind="feedback")
    assert opencode(world, "SessionStart", source="startup").context == first
    assert LATER in asked(world, "msg_1")
    after = opencode(world, "SessionStart", source="compact").context
    assert LATER in after


def test_what_a_revert_took_back_in_opencode_comes_again(world: World) -> None:
    """Once while it stands in the context, and once more when it was taken out."""
    opencode(world, "SessionStart", source="startup")
    assert FACT in asked(world, "msg_1")
    assert asked(world, "msg_2") == ""
    assert asked(world, "msg_3", gone=["msg_0", 7]) == ""
    assert FACT in asked(world, "msg_4", gone=["msg_1"])


@pytest.mark.parametrize("parent", [SESSION, ""])
def test_a_fork_in_opencode_is_told_nothing_twice(world: World, parent: str) -> None:
    """Its parent is named by our parts that it copied; without any it is the session of this directory that fired last."""
    block = opencode(world, "SessionStart", source="startup").context
    assert FACT in asked(world, "msg_1")
    assert opencode(world, "SessionStart", OTHER, source="fork", parent=parent).context == block
    assert asked(world, "msg_2", OTHER) == ""


def test_opencode_names_the_session_that_changed_and_not_the_file(world: World) -> None:
    """The plugin does not know where the client keeps its database."""
    opencode(world, "Stop")
    assert jobs(world) == [("session", {"agent": "opencode", "session": SESSION})]


@pytest.mark.parametrize(
    "text", ["Create or update `AGENTS.md` for this repository.\n\nwhy staging deploy vpn job", "/x"]
)
def test_opencode_s_own_prompts_bring_nothing(world: World, text: str) -> None:
    """They are stored as if typed."""
    opencode(world, "SessionStart", source="startup")
    assert opencode(world, "UserPromptSubmit", prompt=text, prompt_id="msg_1").context == ""


def test_pi_is_given_its_block_and_what_the_prompt_brings_at_once(world: World) -> None:
    """The session's start itself brings nothing: what an extension gives lies behind a prompt."""
    assert "context" not in fire(world, "pi", "SessionStart", source="startup").stdout
    first = pi(world, "1").context
    assert (first.count(RULE), first.count(FACT)) == (1, 1)
    assert pi(world, "2", held=["1"], block=True).context == ""


def test_what_left_pi_s_context_comes_again(world: World) -> None:
    """A walk to another branch of the tree takes entries out; a compaction all but the tail that it kept."""
    pi(world, "1", text="hello")
    assert FACT in pi(world, "2", held=["1"], block=True).context
    walked = pi(world, "3", held=["1"], block=True).context
    assert (walked.count(RULE), walked.count(FACT)) == (0, 1)
    summed = pi(world, "4", held=["3"], block=False, compacted="2026-11-30T10:00:00Z").context
    assert (summed.count(RULE), summed.count(FACT)) == (1, 0)
    assert pi(world, "5", held=["3", "4"], block=True, compacted="2026-11-30T10:00:00Z").context == ""


def test_a_fork_in_pi_is_told_nothing_twice(world: World) -> None:
    """It copies the entries; after its own compaction what the parent had been told may come again."""
    pi(world, "1")
    parent = f"/somewhere/2026-11-30T10-00-00-000Z_{SESSION}.jsonl"
    more: dict[str, Any] = {"parent": parent, "held": ["1"], "block": True}
    assert pi(world, "2", OTHER, **more).context == ""
    again = pi(world, "3", OTHER, parent=parent, held=[], block=False, compacted="2026-11-30T11:00:00Z").context
    assert (again.count(RULE), again.count(FACT)) == (1, 1)


def test_pi_names_the_file_that_changed(world: World) -> None:
    """None for a session that is not kept."""
    fire(world, "pi", "Stop", session_file="/x.jsonl")
    fire(world, "pi", "SessionEnd", session_file="")
    assert jobs(world) == [("session", {"agent": "pi", "path": "/x.jsonl"})]


@pytest.mark.parametrize("agent", ["opencode", "pi"])
def test_what_is_no_event_is_answered_with_silence(world: World, agent: str) -> None:
    """Unknown events, payloads without a session, no JSON."""
    assert fire(world, agent, "Else") == SILENCE
    assert fire(world, agent, "UserPromptSubmit", "", prompt=QUESTION) == SILENCE
    env = hook_process.environment(world.top)
    for data in (b"", b"[]", b"{", b'{"session_id": 1, "cwd": 2, "prompt": 3}'):
        assert hook_process.run("Stop", data, env, [world.home.shim, agent, "Stop"]) == SILENCE


@pytest.mark.parametrize("agent", ["opencode", "pi"])
def test_where_nothing_can_be_noted_nothing_is_given_twice(world: World, agent: str) -> None:
    """It would come again with every prompt."""
    with world.ledger() as ledger:
        ledger._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ledger._db.execute("BEGIN IMMEDIATE")
        found = fire(world, agent, "UserPromptSubmit", prompt=QUESTION, prompt_id="1", held=[])
        ledger._db.execute("ROLLBACK")
    assert found.context == ""
