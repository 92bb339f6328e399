"""What was brought to prompts that were taken back may come again: each client's recorded rewind, through the worker."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay import worker
from scrubjay.ledger import Ledger, Resident
from tests import hook_process
from tests.agents import recorded
from tests.hook_world import World

PARTS = (
    *("codex/acme-api", "codex/acme-api-codemode", "gemini-cli/acme-api-terminal-rewind", "hermes/acme-api"),
    *("kimi-code/acme-api-fork-undo", "qwen-code/acme-api"),
)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    one = World(tmp_path)
    for name, value in hook_process.environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    one.repository()
    return one


def rewound(part: str, world: World) -> tuple[str, Path, list[recorded.Turn]]:
    """The session of a recording in which the person went back, its newest file, and its prompts."""
    moved = recorded.materialise(part, world.top)
    turns = list(recorded.turns(part))
    native = next(turn.native for turn in turns if not turn.live)
    prompts = sorted((turn for turn in turns if turn.native == native), key=lambda turn: turn.time)
    return native, world.top / moved[prompts[-1].file], prompts


def ends(world: World, agent: str, path: Path) -> None:
    """A turn ends: the hook leaves its job, the worker does it."""
    with world.ledger() as ledger:
        ledger.enqueue("session", json.dumps({"agent": agent, "path": str(path)}), at="2026-11-29T11:00:00Z")
    assert worker.run(world.home)
    with world.ledger() as ledger:
        assert ledger.get("worker.failing_since") == ""


def brought(ledger: Ledger, agent: str, session: str, turns: list[recorded.Turn]) -> set[str]:
    """Each of these prompts was given a memory of its own, by a hook that knows no id of the prompt's record."""
    for number, turn in enumerate(turns):
        ledger.add_injected(agent, session, [(f"m-{number}", "recall", 10, "")], at=turn.time)
    return {f"m-{number}" for number, turn in enumerate(turns) if turn.live}


@pytest.mark.parametrize("part", PARTS)
def test_what_was_brought_to_prompts_that_were_taken_back_may_come_again(part: str, world: World) -> None:
    """And what the other prompts brought is in the conversation still."""
    agent = part.partition("/")[0]
    session, path, turns = rewound(part, world)
    with world.ledger() as ledger:
        kept = brought(ledger, agent, session, turns)
    ends(world, agent, path)
    with world.ledger() as ledger:
        assert ledger.injected(agent, session).keys() == kept
        assert 0 < len(kept) < len(turns)


@pytest.mark.parametrize("part", ["gemini-cli/acme-api-terminal-rewind", "kimi-code/acme-api-fork-undo"])
@pytest.mark.parametrize("live", [True, False])
def test_a_block_that_came_with_a_prompt_goes_with_it(part: str, live: bool, world: World) -> None:
    """The next prompt brings it anew; one that stands before the place that the person went back to stays."""
    agent = part.partition("/")[0]
    session, path, turns = rewound(part, world)
    at = next(turn.time for turn in turns if turn.live is live)
    with world.ledger() as ledger:
        ledger.set_resident(agent, session, Resident("the block", [], [], at, []))
        ledger.put(f"late:{agent}:{session}", "1")
    ends(world, agent, path)
    with world.ledger() as ledger:
        assert (ledger.resident(agent, session) is not None) is live
        assert ledger.get(f"due:{agent}:{session}") == ("" if live else "1")


def test_a_fork_keeps_what_its_parent_was_given(world: World) -> None:
    """It was noted when the fork began, whatever prompt of the copied history lies near that time."""
    agent = "kimi-code"
    session, path, turns = rewound("kimi-code/acme-api-fork-undo", world)
    dead = next(turn.time for turn in turns if not turn.live)
    with world.ledger() as ledger:
        ledger.put(f"fork:{agent}:{session}", json.dumps(["session_other", "", dead]))
        ledger.add_injected(agent, session, [("m-parent", "recall", 0, "")], at=dead)
    ends(world, agent, path)
    with world.ledger() as ledger:
        assert ledger.injected(agent, session).keys() == {"m-parent"}
