"""Hermes's and OpenClaw's hooks as our plugins inside them call them: whole processes, through the shim."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scrubjay.install import ownfiles
from tests import hook_process
from tests.hook_process import Ended
from tests.hook_world import OTHER, SESSION, World, busy

RULE = "Always run the linter before you commit."
LATER = "Never push to the main branch without asking."
FACT = "The staging deploy needs the vpn job to run first."
QUESTION = "why does the staging deploy fail without the vpn job?"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with busy(tmp_path) as one:
        yield one


def fire(world: World, agent: str, event: str, session: str = SESSION, repo: str = "acme-api", **more: Any) -> Ended:
    """What the plugin sends."""
    home = str(world.top / f".{agent}")
    values = {"session_id": session, "cwd": str(world.repository(repo)), "config_home": home, **more}
    env = hook_process.environment(world.top, **world.env)
    return hook_process.run(event, values, env, [world.home.shim, agent, event])


def system(ended: Ended) -> str:
    """The block that OpenClaw adds to its system prompt."""
    return str(ended.output.get("hookSpecificOutput", {}).get("systemContext", ""))


def test_hermes_is_given_its_block_whenever_it_builds_the_prompt(world: World) -> None:
    """The same bytes after an undo as at the start; after a compaction it is built anew."""
    world.remember(RULE, kind="feedback")
    first = fire(world, "hermes", "SessionStart", source="startup")
    assert RULE in first.context
    world.remember(LATER, kind="feedback")
    assert fire(world, "hermes", "SessionStart", source="resume").context == first.context
    assert LATER in fire(world, "hermes", "UserPromptSubmit", prompt="go on", prompt_id="1").context
    assert fire(world, "hermes", "UserPromptSubmit", prompt="go on again", prompt_id="2").context == ""
    after = fire(world, "hermes", "SessionStart", source="compact").context
    assert RULE in after
    assert LATER in after


def test_a_branch_in_hermes_goes_on_with_what_its_parent_was_given(world: World) -> None:
    """It is told nothing twice, and its prompt keeps its bytes."""
    world.remember(RULE, kind="feedback")
    world.remember(FACT)
    block = fire(world, "hermes", "SessionStart", source="startup").context
    asked = fire(world, "hermes", "UserPromptSubmit", prompt=QUESTION, prompt_id="1").context
    assert FACT in block + asked
    assert fire(world, "hermes", "SessionSwitch", OTHER, parent=SESSION).stdout == ""
    assert fire(world, "hermes", "SessionStart", OTHER, source="resume").context == block
    assert fire(world, "hermes", "UserPromptSubmit", OTHER, prompt=QUESTION, prompt_id="2").context == ""


@pytest.mark.parametrize("more", [{"chat_type": "group"}, {"platform": "cron"}, {"agent_context": "subagent"}])
def test_hermes_is_given_nothing_where_others_read_along_or_no_person_wrote(world: World, more: dict[str, str]) -> None:
    """What is private stays out of groups; a tool answers there neither."""
    world.remember(RULE, kind="feedback")
    world.remember(FACT)
    assert fire(world, "hermes", "SessionStart", source="startup", **more).stdout == ""
    assert fire(world, "hermes", "UserPromptSubmit", prompt=QUESTION, **more).stdout == ""
    assert fire(world, "hermes", "Tool", tool="recall", arguments={"query": QUESTION}, **more).stdout == ""


def test_two_repositories_see_nothing_of_each_other(world: World) -> None:
    """In either agent, at a start and with a prompt."""
    world.remember(FACT)
    for agent in ("hermes", "openclaw"):
        started = fire(world, agent, "SessionStart", repo="shop", source="startup")
        asked = fire(world, agent, "UserPromptSubmit", repo="shop", prompt=QUESTION)
        assert "vpn job" not in started.stdout + asked.stdout
        here = fire(world, agent, "UserPromptSubmit", OTHER, prompt=QUESTION)
        assert "vpn job" in here.stdout


def test_the_end_of_a_turn_leaves_a_job_for_the_agents_store(world: World) -> None:
    """The worker reads what is new in it."""
    for agent, path in (
        ("hermes", ".hermes/state.db"),
        ("openclaw", ".openclaw/agents/main/agent/openclaw-agent.sqlite"),
    ):
        assert fire(world, agent, "Stop", agent_id="main").stdout == ""
        with world.ledger() as ledger:
            number, kind, payload = ledger.take() or (0, "", "")
            ledger.done(number)
        assert (kind, json.loads(payload)) == ("session", {"agent": agent, "path": str(world.top / path)})


def test_a_tool_answers_through_the_hook(world: World) -> None:
    """With what the server's tool would say; what is wrong is an answer, too."""
    world.remember(FACT)
    asked = fire(world, "hermes", "Tool", tool="recall", arguments={"query": QUESTION})
    assert FACT in asked.output["answer"]
    assert "no tool" in fire(world, "hermes", "Tool", tool="drop_everything", arguments={}).output["error"]
    long = fire(world, "hermes", "Tool", tool="remember", arguments={"text": "x" * 70_000})
    assert "too long" in long.output["error"]


def test_openclaw_gets_block_and_recall_with_every_prompt(world: World) -> None:
    """The client keeps neither: the block's bytes stay, and what was brought before may come again."""
    world.remember(RULE, kind="feedback")
    first = fire(world, "openclaw", "UserPromptSubmit", prompt="hello", trigger="user")
    assert RULE in system(first)
    assert first.context == ""
    world.remember(LATER, kind="feedback")
    world.remember(FACT, name="Order of jobs")
    for _ in range(2):
        asked = fire(world, "openclaw", "UserPromptSubmit", prompt=QUESTION)
        assert system(asked) == system(first)
        assert asked.context.count(FACT) == 1
        assert asked.context.count(LATER) == 1
    emptied = fire(world, "openclaw", "UserPromptSubmit", prompt=QUESTION, source="clear")
    assert LATER in system(emptied)


@pytest.mark.parametrize(
    "more",
    [
        {"trigger": "heartbeat"},
        {"session_key": "agent:main:telegram:group:1"},
        {"session_key": "agent:main:subagent:2"},
        {"session_key": "cron:nightly"},
        {"provenance": "inter_session"},
    ],
)
def test_openclaw_is_given_nothing_where_others_read_along_or_no_person_wrote(
    world: World, more: dict[str, str]
) -> None:
    """Groups, channels, heartbeats, timers, inner agents."""
    world.remember(RULE, kind="feedback")
    assert fire(world, "openclaw", "UserPromptSubmit", prompt=QUESTION, **more).stdout == ""


@pytest.fixture
def provider(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The plugin as Hermes loads it, in a folder of its own."""
    folder = tmp_path / ".hermes" / "plugins" / "scrubjay"
    folder.mkdir(parents=True)
    for name in ("__init__.py", "tools.json"):
        (folder / name).write_bytes(ownfiles.source("hermes", name))
    told = {"hook": world.home.shim, "home": world.home.root}
    (folder / "scrubjay.json").write_text(json.dumps(told), encoding="utf-8")
    agent, inside = types.ModuleType("agent"), types.ModuleType("agent.memory_provider")
    inside.MemoryProvider = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "agent", agent)
    monkeypatch.setitem(sys.modules, "agent.memory_provider", inside)
    for name, value in hook_process.environment(world.top, **world.env).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(world.repository())
    spec = importlib.util.spec_from_file_location("hermes_plugin", folder / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    registered: list[Any] = []
    module.register(types.SimpleNamespace(register_memory_provider=registered.append))
    (one,) = registered
    assert one.is_available()
    one.initialize(SESSION, hermes_home=str(tmp_path / ".hermes"), platform="cli")
    return one


def test_the_provider_hands_text_on(world: World, provider: Any) -> None:
    """For the system prompt, for a prompt, and as the result of a tool."""
    world.remember(RULE, kind="feedback")
    block = provider.system_prompt_block()
    assert RULE in block
    world.remember(FACT)
    assert FACT in provider.prefetch(QUESTION)
    assert provider.prefetch("  ") == ""
    assert {one["name"] for one in provider.get_tool_schemas()} >= {"scrubjay_recall", "scrubjay_remember"}
    assert FACT in json.loads(provider.handle_tool_call("scrubjay_recall", {"query": QUESTION}))["answer"]
    provider.on_session_switch(OTHER, parent_session_id=SESSION, reason="branch")
    assert provider.system_prompt_block() == block
    provider.sync_turn("a", "b")
    provider.on_session_end([])
    provider.shutdown()
    with world.ledger() as ledger:
        fired = [row["event"] for row in ledger.events("hermes")]
    assert {"SessionStart", "UserPromptSubmit", "Tool", "SessionSwitch", "Stop", "SessionEnd"} <= set(fired)


@pytest.mark.parametrize(
    "hook", ["#!/bin/sh\nsleep 60 & sleep 60\n", "#!/bin/sh\nexit 3\n", "#!/bin/sh\necho '[1'\n", None]
)
def test_the_provider_says_nothing_when_the_hook_fails(
    world: World, provider: Any, hook: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It hangs with a child, fails, prints no JSON, is not there: no error, and not much later."""
    for name in ("PROMPT_S", "LAST_S"):
        limits = type(provider).prefetch.__globals__
        assert 0 < limits[name] <= 2
        monkeypatch.setitem(limits, name, 0.3)
    if hook is None:
        os.unlink(world.home.shim)
    else:
        Path(world.home.shim).write_text(hook, encoding="utf-8")
    start = time.monotonic()
    assert provider.system_prompt_block() == ""
    assert provider.prefetch("x" * 150_000) == ""
    provider.sync_turn("a", "b")
    provider.shutdown()
    assert time.monotonic() - start < 20
