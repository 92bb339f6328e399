"""The hook as Claude Code sees it: recorded payloads, whole processes, through the shim."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.hooks import claude_memory
from tests.hook_process import PAYLOADS, SILENCE
from tests.hook_world import OTHER, SESSION, World, busy

RULE = "Always run the linter before you commit."
FACT = "The staging deploy needs the vpn job to run first."
QUESTION = "why does the staging deploy fail without the vpn job?"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with busy(tmp_path) as one:
        yield one


@pytest.mark.parametrize("path", sorted(PAYLOADS.glob("*.json")), ids=lambda path: path.stem)
def test_every_recorded_payload_is_answered_in_the_clients_form(world: World, path: Path) -> None:
    """Exit code 0, nothing on standard error, and nothing or one JSON object of known keys on standard output."""
    world.remember(RULE, kind="feedback")
    event = json.loads(path.read_text())["hook_event_name"]
    ended = world.fire(event, path.stem)
    assert (ended.code, ended.stderr) == (0, "")
    assert ended.output.keys() <= {"hookSpecificOutput", "systemMessage"}
    if specific := ended.output.get("hookSpecificOutput"):
        assert specific.keys() == {"hookEventName", "additionalContext"}
        assert specific["hookEventName"] == event
        assert event in ("SessionStart", "UserPromptSubmit")


def test_a_session_starts_with_the_standing_rules_and_the_same_bytes_each_time(world: World) -> None:
    """The block has no clock in it: two sessions over the same memories get the same text."""
    world.remember(RULE, kind="feedback")
    first, second = world.start(), world.start(session=OTHER)
    assert RULE in first.context
    assert first.stdout == second.stdout
    with world.ledger() as ledger:
        resident = ledger.resident("claude-code", SESSION)
        assert resident is not None
        assert resident.text == first.context


def test_a_resumed_session_gets_its_block_from_the_client(world: World) -> None:
    """The client replays hook text on resume; a second copy would be paid for and could differ."""
    world.remember(RULE, kind="feedback")
    world.start()
    assert world.start("resume").context == ""
    assert RULE in world.start("clear", session=OTHER).context


def test_a_session_from_before_the_installation_gets_its_block_when_it_is_resumed(world: World) -> None:
    """There is nothing that the client could replay."""
    world.remember(RULE, kind="feedback")
    assert RULE in world.start("resume").context


def test_a_session_whose_start_was_missed_gets_its_block_with_the_first_prompt(world: World) -> None:
    """Installed while it was open, or the start came too late: the rules arrive once, and not with a notification."""
    world.remember(RULE, kind="feedback")
    assert world.fire("UserPromptSubmit", "UserPromptSubmit-notification") == SILENCE
    assert RULE in world.ask("hello there, how are you").context
    assert world.ask("hello there, how are you") == SILENCE


def test_without_a_block_the_first_prompt_still_recalls(world: World) -> None:
    """`resident.enabled = false` and a missed start: nothing is due, and the prompt gets its answer."""
    world.remember(FACT)
    world.env["SCRUBJAY_RESIDENT_ENABLED"] = "false"
    assert FACT in world.ask(QUESTION).context
    assert world.ask(QUESTION) == SILENCE


def test_compaction_brings_a_fresh_block_and_frees_what_was_injected(world: World) -> None:
    """What was summarised away may be needed again, and the set of what the session holds starts anew."""
    world.remember(RULE, kind="feedback")
    fact = world.remember(FACT)
    world.start()
    world.remember("Never push to main on a Friday.", kind="feedback")
    block = world.start("compact").context
    assert RULE in block
    assert "Friday" in block
    with world.ledger() as ledger:
        assert ledger.last_compaction("claude-code", SESSION)
        assert fact not in ledger.injected("claude-code", SESSION)


def test_a_prompt_brings_a_fact_back_once(world: World) -> None:
    """Recall never echoes: what an earlier prompt brought is in the context already."""
    world.start()
    fact = world.remember(FACT)
    first = world.ask(QUESTION)
    assert FACT in first.context
    assert fact in first.context
    assert world.ask(QUESTION) == SILENCE
    assert FACT in world.ask(QUESTION, session=OTHER).context or FACT in world.start(session=OTHER).context


def test_what_the_block_says_whole_is_not_recalled_and_what_it_points_to_is(world: World) -> None:
    """A rule stands in the block with all of its words; an index line names a fact whose text a prompt may still need."""
    rule = world.remember(RULE, kind="feedback")
    more = " It opens the tunnel to the bastion, which the runners cannot reach by themselves. See part four of the runbook."
    fact = world.remember(FACT + more, name="Staging deploys")
    block = world.start().context
    assert rule in block
    assert fact in block
    assert "runbook" in world.ask(QUESTION).context
    assert world.ask("should I always run the linter before a commit?") == SILENCE


def test_a_fork_inherits_what_its_parent_was_given(world: World) -> None:
    """The client replays the parent's hook text into the fork, under a new session id and without naming the parent."""
    world.remember(RULE, kind="feedback")
    world.start()
    world.remember(FACT)
    assert FACT in world.ask(QUESTION).context
    assert world.start("fork", session=OTHER).context == ""
    assert world.ask(QUESTION, session=OTHER) == SILENCE


def test_a_new_rule_reaches_an_open_session_once(world: World) -> None:
    """Rules share no words with the requests they govern, so the next prompt brings them whatever it asks."""
    world.start()
    world.start(session=OTHER)
    world.remember(RULE, kind="feedback")
    for session in (SESSION, OTHER):
        assert RULE in world.ask("please rename the parser class", session).context
        assert world.ask("please rename the lexer class", session) == SILENCE


def test_machine_made_prompts_get_nothing(world: World) -> None:
    """Nobody asked: a notification of the client's own, a command, a sub-agent, an inner run of ours."""
    world.start()
    world.remember(RULE, kind="feedback")
    world.remember(FACT)
    assert world.fire("UserPromptSubmit", "UserPromptSubmit-notification") == SILENCE
    assert world.ask(f"<task-notification>{QUESTION}</task-notification>") == SILENCE
    assert world.ask(f"/deploy {QUESTION}") == SILENCE
    assert world.ask(QUESTION, agent_id="a1", agent_type="general-purpose") == SILENCE
    world.env["SCRUBJAY_INSIDE"] = "1"
    assert world.ask(QUESTION) == SILENCE


def test_off_paused_and_excluded_mean_silence_and_no_job(world: World) -> None:
    """Nothing is read, injected or queued; the start, too, says nothing."""
    world.remember(RULE, kind="feedback")
    world.remember(FACT)
    for name, value in (("SCRUBJAY_MODE", "off"), ("SCRUBJAY_LEARN_EXCLUDE", str(world.top / "acme-api"))):
        world.env = {name: value}
        assert world.start() == world.ask(QUESTION) == world.fire("Stop") == SILENCE
    world.env = {}
    for scope in ("", str(world.top / "acme-api")):
        with world.ledger() as ledger:
            ledger.pause(scope, "")
        assert world.start() == world.ask(QUESTION) == world.fire("Stop") == SILENCE
        with world.ledger() as ledger:
            assert ledger.waiting() == 0
            ledger.resume(scope)
    assert RULE in world.start().context


def test_the_ends_of_turns_and_sessions_only_leave_a_job(world: World) -> None:
    """One job a session however many turns ended; what a summariser fork says is no sub-agent's work."""
    world.repository()
    for event, payload in (
        ("Stop", "Stop"),
        ("Stop", "Stop"),
        ("PreCompact", "PreCompact-manual"),
        ("SessionEnd", "SessionEnd-other"),
        ("SubagentStop", "SubagentStop-summariser"),
    ):
        assert world.fire(event, payload) == SILENCE
    with world.ledger() as ledger:
        assert ledger.waiting() == 1
        job = ledger.take()
        assert job is not None
        assert job[1] == "session"
        assert json.loads(job[2])["agent"] == "claude-code"
    assert world.fire("SubagentStop", "SubagentStop-general-purpose") == SILENCE
    with world.ledger() as ledger:
        assert ledger.waiting() == 2


def test_what_claude_codes_own_index_says_is_not_said_twice(world: World) -> None:
    """Both memories side by side is the normal case: neither the block nor a prompt repeats a line of MEMORY.md."""
    repo = world.repository()
    world.remember(RULE, kind="feedback")
    world.remember(FACT)
    own = Path(claude_memory.folder(str(repo), {}, str(world.top)))
    own.mkdir(parents=True)
    (own / "MEMORY.md").write_text(f"- [Staging](staging.md) — {FACT}\n", encoding="utf-8")
    block = world.start().context
    assert RULE in block
    assert "vpn" not in block
    assert world.ask(QUESTION) == SILENCE


def test_two_repositories_see_nothing_of_each_other(world: World) -> None:
    """Project memories stay in their project, for block and recall."""
    world.repository("other")
    world.remember(FACT)
    assert "vpn" not in world.start(repo="other").stdout
    assert world.ask(QUESTION, repo="other") == SILENCE
    assert "vpn" in world.start(session=OTHER).stdout


def test_the_person_gets_one_line_of_news_once(world: World) -> None:
    """ "3 learnt, 2 to review", in the client's system message and never for the model."""
    world.repository()
    with world.ledger() as ledger:
        ledger.put("news.learnt", "3")
        ledger.put("news.pending", "2")
    world.env["SCRUBJAY_NOTICES"] = "problems"
    assert world.start().notice == ""
    world.env.clear()
    assert world.start(session=OTHER).notice == "scrubjay: 3 learnt, 2 to review (jay review)"
    assert world.start("clear", session=OTHER) == SILENCE


def test_the_person_hears_when_nothing_is_learnt_any_more(world: World) -> None:
    """A failing worker, and one that never comes to its jobs; `notices = off` silences both."""
    world.repository()
    world.env["SCRUBJAY_NOW"] = "2026-11-30T10:00:00Z"
    with world.ledger() as ledger:
        ledger.put("worker.failing_since", "2026-11-24T10:00:00Z")
    assert world.start().notice == "scrubjay: not learning since Tuesday: jay doctor"
    with world.ledger() as ledger:
        ledger.put("worker.failing_since", "")
        ledger.put("worker.ok_at", "2026-11-02T10:00:00Z")
    assert world.start(session=OTHER).notice == "scrubjay: not learning since 2026-11-02: jay doctor"
    world.env["SCRUBJAY_NOTICES"] = "off"
    assert world.start("clear", session=OTHER).notice == ""
