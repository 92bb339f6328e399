"""Forget, opt-out and consent in every agent: hooks as each client calls them, sessions as each client writes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.home import Home
from scrubjay.ledger import Ledger
from tests.cases import nine, sessions
from tests.cases.machine import ASK, FACT, RULE, Machine
from tests.cases.test_secrets import places_with

OTHER = "99999999-2222-4333-8444-555555555555"
NEW = "88888888-2222-4333-8444-555555555555"


@pytest.mark.parametrize("agent", nine.AGENTS)
def test_what_is_gone_is_gone_from_every_agents_open_session(hooked: Machine, agent: str) -> None:
    """Forgotten while sessions are open: neither their next prompt nor a new session has it."""
    repo = hooked.repository("acme")
    for session in (nine.SESSION, OTHER):
        nine.begin(hooked, agent, repo, session=session)
        nine.ask(hooked, agent, "hello", repo, session=session)
    ids = [hooked.remember(FACT, cwd=repo), hooked.remember(RULE, "--user", "--type", "feedback", cwd=repo)]
    told = nine.ask(hooked, agent, ASK, repo, session=OTHER)
    assert FACT in told
    assert RULE in told
    assert hooked.jay("forget", *ids, cwd=repo).code == 0
    assert nine.ask(hooked, agent, ASK, repo) == ""
    new = nine.begin(hooked, agent, repo, session=NEW) + nine.ask(hooked, agent, ASK, repo, session=NEW)
    assert new == ""


@pytest.mark.parametrize("agent", nine.AGENTS)
def test_off_is_off_in_every_agent(known: Machine, agent: str) -> None:
    """`mode = off`: not a byte into a session, no row about it, no job; a pause of this folder: the same until it ends."""
    repo = known.folder("acme")
    on, off = ("config", "mode", "auto"), ("config", "mode", "off")
    for switch, back in ((off, on), (("pause", "2h", "--here"), ("pause", "--off", "--here"))):
        assert known.jay(*switch, cwd=repo).code == 0
        for event in nine.NINE[agent].events:
            assert nine.told(nine.fire(known, agent, event, repo, text=ASK)) == ""
        if agent == "hermes":
            asked = nine.fire(known, agent, "Tool", repo, tool="recall", arguments={"query": ASK})
            assert FACT not in asked.stdout
        with Ledger.open(Home(str(known.store)).ledger) as ledger:
            assert list(ledger.rows("SELECT kind FROM queue WHERE kind = 'session'")) == []
        assert known.jay(*back, cwd=repo).code == 0
    new = nine.begin(known, agent, repo, session=NEW) + nine.ask(known, agent, ASK, repo, session=NEW)
    assert RULE in new
    assert FACT in new


@pytest.mark.parametrize("agent", nine.AGENTS)
def test_one_session_of_an_agent_opts_out(hooked: Machine, agent: str) -> None:
    """`SCRUBJAY_MODE=off` in the environment of one run: what it said is learnt by nobody later; another run's is."""
    repo = hooked.repository("acme")
    session = sessions.IDS[agent]
    for event in nine.NINE[agent].events:
        given = {"SCRUBJAY_MODE": "off", "SCRUBJAY_NOW": "2026-09-01T00:00:00Z"}
        assert nine.told(nine.fire(hooked, agent, event, repo, text=ASK, session=session, env=given)) == ""
    sessions.write(agent, hooked.home, repo, RULE)
    other = "codex" if agent != "codex" else "pi"
    sessions.write(other, hooked.home, repo, FACT)
    hooked.learn()
    assert [body.lower() for body in hooked.listed(repo, "--all", "--everywhere")] == [FACT]


@pytest.mark.parametrize("agent", tuple(sessions.BUILDERS))
def test_a_private_passage_of_any_agents_session_is_written_nowhere(machine: Machine, agent: str) -> None:
    """In a prompt, in a tool's output, in an answer; the rest of the prompt is learnt from."""
    repo = machine.repository("acme")
    private = "<private>the client is Foo Ltd</private>"
    sessions.write(agent, machine.home, repo, f"{RULE}. {private}", output=private, answer=private)
    assert machine.learn()["created"]
    assert any(RULE in body.lower() for body in machine.listed(repo))
    assert places_with(machine, "Foo Ltd") == []


SHOWS_NEWS = ("claude-code", "codex", "gemini-cli", "hermes", "opencode", "pi", "qwen-code")
"""Kimi Code and OpenClaw show a person nothing that a hook says."""


@pytest.mark.parametrize("agent", nine.AGENTS)
def test_news_is_for_the_person_and_never_for_the_model(hooked: Machine, agent: str) -> None:
    """One line, once, where the client has a place for it; `jay log` has every change in any case."""
    repo = hooked.repository("acme")
    with Ledger.open(Home(str(hooked.store)).ledger) as ledger:
        ledger.put("news.learnt", "3")
    found = []
    for session in (nine.SESSION, OTHER):
        started = nine.fire(hooked, agent, nine.NINE[agent].events[0], repo, session=session)
        asked = nine.fire(hooked, agent, nine.NINE[agent].events[1], repo, text="hello", session=session)
        assert "3 learnt" not in nine.told(started) + nine.told(asked)
        found += [one.notice for one in (started, asked) if one.stdout.startswith("{") and one.notice]
    assert found == (["scrubjay: 3 learnt"] if agent in SHOWS_NEWS else [])


def test_an_agents_forget_takes_nothing_that_was_not_named(machine: Machine, tmp_path: Path) -> None:
    """Through the tool and through the memory-tool commands: no id, an empty one, a wildcard, a beginning, the root folder."""
    from scrubjay.integrations.memory_tool import MemoryTool
    from scrubjay.mcp_server.desk import Desk

    repo = machine.repository("acme")
    machine.remember(FACT, cwd=repo)
    home = Home(str(machine.store))
    desk = Desk(home, read_only=False, client="test")
    note = desk.call("remember", {"text": "the print queue drains at noon"}, [str(repo)]).split()[0]
    before = machine.listed(repo, "--all")
    for given in (
        {},
        {"id": ""},
        {"id": "*"},
        {"id": "m-"},
        {"id": "m"},
        {"ids": [note]},
        {"id": [note]},
        {"id": None},
    ):
        with pytest.raises(Exception, match=r"\w"):
            desk.call("forget", dict(given), [str(repo)])
    tool = MemoryTool(str(repo), home=home)
    assert not tool.run({"command": "create", "path": "/memories/build.md", "file_text": "needs node 22"}).is_error
    for path in ("", "/", "/memories", "/memories/", "/memories/*", "/memories/learned", "/memories/user", None):
        assert tool.run({"command": "delete", "path": path}).is_error, path
    assert set(before) <= set(machine.listed(repo, "--all"))
    assert "node 22" in json.dumps(machine.listed(repo, "--all"))
