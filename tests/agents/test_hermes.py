"""Hermes: what a session's rows say, which of them are copies, and what was taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scrubjay.agents.hermes.words import words_of
from tests.agents.stores import HermesStore


def test_rows_are_read_as_they_come_and_only_new_ones(tmp_path: Path) -> None:
    """A read after every row gives, together, what one read gives; nothing is read twice as new."""
    growing = HermesStore(tmp_path)
    growing.session("s1")
    fresh: list[str] = []
    for number in range(6):
        growing.say("s1", "user", f"prompt {number}")
        fresh += [key for reading in growing.read() for key in reading.session.fresh]
        growing.say("s1", "assistant", f"answer {number}", after=1.0)
        fresh += [key for reading in growing.read() for key in reading.session.fresh]
    once = HermesStore(tmp_path)
    once.read()
    assert growing.messages == once.messages
    assert growing.live == once.live
    assert len(fresh) == len(set(fresh)) == 12
    assert growing.rereads == 0
    (reading,) = growing.read()
    assert (reading.session.messages, reading.branches) == ((), {})


def test_what_was_undone_is_no_longer_live_and_its_successor_hangs_before_it(tmp_path: Path) -> None:
    """`/undo` marks rows that were read long ago: the next read notices."""
    store = HermesStore(tmp_path)
    store.session("s1")
    store.turn("s1", "we have a queue")
    store.turn("s1", "use redis for it")
    store.read()
    store.change("UPDATE messages SET active = 0 WHERE id >= 3")
    store.read()
    assert store.prompts("s1") == [("we have a queue", True), ("use redis for it", False)]
    store.turn("s1", "use postgres for it")
    store.read()
    assert store.prompts("s1") == [
        ("we have a queue", True),
        ("use redis for it", False),
        ("use postgres for it", True),
    ]
    messages = sorted(store.messages["s1"].values(), key=lambda message: message.line)
    assert messages[4].parent == messages[1].key
    assert store.rereads >= 1


@pytest.mark.parametrize("kept_times", [True, False])
def test_a_compaction_in_place_repeats_nothing_and_leaves_nothing_behind(tmp_path: Path, kept_times: bool) -> None:
    """The first and last messages are written once more; what was summed up still counts; the summary is nobody's."""
    store = HermesStore(tmp_path)
    store.session("s1")
    for text in ("first prompt", "yes", "always use tabs", "yes"):
        store.turn("s1", text, f"about {text}, at {store.clock}")
    store.read()
    keys = store.keys("s1")
    assert len(set(keys)) == 4
    with store.db() as db:
        rows = db.execute("SELECT role, content, timestamp FROM messages ORDER BY id").fetchall()
    store.change("UPDATE messages SET active = 0, compacted = 1")
    store.clock += 30
    summary = "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted. The user wants tabs, always."
    for role, content, at in (*rows[:2], ("assistant", summary, None), *rows[5:]):
        given = {"timestamp": at} if kept_times and at else {}
        store.say("s1", role, content, after=0.000001, **given)
    store.turn("s1", "yes", "and after it")
    store.read()
    assert store.keys("s1")[:4] == keys
    assert store.prompts("s1") == [(text, True) for text in ("first prompt", "yes", "always use tabs", "yes", "yes")]
    assert not any("[CONTEXT" in message.text for message in store.messages["s1"].values())
    after = max(store.messages["s1"].values(), key=lambda message: message.line)
    assert [message.compacted for message in store.messages["s1"].values()].count(True) == 1
    assert after.text == "and after it"


def test_a_branch_shares_the_keys_of_what_it_copied(tmp_path: Path) -> None:
    """The copies have new ids and times; what is said in the branch, the same words too, is new."""
    store = HermesStore(tmp_path)
    store.session("s1")
    for text in ("look at it", "yes", "yes"):
        store.turn("s1", text, f"about {text} {store.clock}")
    with store.db() as db:
        rows = db.execute("SELECT role, content FROM messages ORDER BY id").fetchall()
    store.session("s2", parent="s1", config={"_branched_from": "s1"})
    for role, content in rows:
        store.say("s2", role, content, after=0.001)
    store.turn("s2", "yes", "in the branch")
    store.turn("s1", "no", "in the first one")
    store.read()
    first, branch = store.keys("s1"), store.keys("s2")
    assert set(first[:3]) >= set(branch[:-1])
    assert branch[-1] not in first
    assert {text for text, _ in store.prompts("s2")} == {"look at it", "yes"}
    assert all(live for _, live in store.prompts("s2"))


def test_a_session_that_goes_on_after_a_compaction_shares_the_keys_of_the_tail(tmp_path: Path) -> None:
    """Rotation: a child session begins with a summary and the messages that were kept."""
    store = HermesStore(tmp_path)
    store.session("s1", end_reason="compression")
    store.turn("s1", "one")
    store.turn("s1", "two", "second answer")
    store.session("s2", parent="s1")
    store.say("s2", "user", "[CONTEXT COMPACTION — REFERENCE ONLY] one", after=0.01)
    store.say("s2", "user", "two", after=0.001)
    store.say("s2", "assistant", "second answer", after=0.001)
    store.turn("s2", "three")
    readings = store.read()
    assert not any(reading.session.sub_agent for reading in readings)
    assert store.keys("s2")[0] == store.keys("s1")[1]
    assert [text for text, _ in store.prompts("s2")] == ["two", "three"]


@pytest.mark.parametrize(
    ("session", "row", "origin"),
    [
        ({}, {}, "user"),
        ({"source": "telegram", "chat_type": "dm"}, {}, "user"),
        ({"source": "telegram", "chat_type": "group"}, {}, "external"),
        ({}, {"observed": 1}, "external"),
        ({"source": "cron"}, {}, "machine"),
        ({"source": "subagent"}, {}, "harness"),
        ({"config": {"_delegate_from": "s0"}}, {}, "harness"),
    ],
)
def test_who_wrote_a_prompt(tmp_path: Path, session: dict[str, Any], row: dict[str, Any], origin: str) -> None:
    """Another agent's task, a schedule's text and what others say in a group are not the person's words."""
    store = HermesStore(tmp_path)
    store.session("s1", **session)
    store.say("s1", "user", "always use tabs", **row)
    (reading,) = store.read()
    (message,) = reading.session.messages
    assert message.origin == origin
    assert reading.session.sub_agent == (origin == "harness")


SKILL = '[IMPORTANT: The user has invoked the "x" skill. The full skill content is loaded below.]\nnever do y\n'


@pytest.mark.parametrize(
    ("stored", "said", "apart"),
    [
        ("use tabs", "use tabs", []),
        ("use tabs\n\n<memory-context>\n[System note: x]\nuse spaces\n</memory-context>", "use tabs", []),
        ("<scrubjay-recall>use spaces</scrubjay-recall>use tabs", "use tabs", []),
        ("[System note: The previous turn was interrupted by a restart.]\n\nuse tabs", "use tabs", []),
        ("[Note: model was just switched from a to b via c.]\n\nuse tabs", "use tabs", []),
        ("[System: Your previous response was truncated by the output limit]", "", []),
        ("[IMPORTANT: Background process p1 finished]\nalways", "", []),
        ("[Continuing toward your standing goal]\nGoal: x", "", []),
        ("[CONTEXT COMPACTION — REFERENCE ONLY] always use tabs", "", []),
        ('[Replying to: "use spaces"]\n\nno, tabs', "no, tabs", ["use spaces"]),
        ("see it\n\n--- Attached Context ---\n\nalways use spaces", "see it", ["always use spaces"]),
        ("use tabs\n[Image attached at: /tmp/a.png]", "use tabs", []),
        (
            SKILL
            + "The user has provided the following instruction alongside the skill invocation: use tabs\n\n[Runtime note: z]",
            "use tabs",
            [],
        ),
        (
            '[IMPORTANT: The user has invoked the "x" skill. The full skill content is loaded below.]\nnever do y',
            "",
            [],
        ),
    ],
)
def test_what_the_client_put_into_a_prompt_is_taken_out(stored: str, said: str, apart: list[str]) -> None:
    """Recalled memories, notes, skills, quotes and attachments are not what the person typed."""
    assert words_of(stored) == (said, apart)


def test_parts_calls_and_results(tmp_path: Path) -> None:
    """A content of several parts, the files and commands of calls, and results from outside."""
    store = HermesStore(tmp_path)
    store.session("s1")
    parts = [{"type": "text", "text": "use tabs"}, {"type": "image_url", "image_url": {"url": "data:…"}}]
    store.say("s1", "user", "\0json:" + json.dumps(parts))
    calls = [
        {"id": "c1", "function": {"name": "terminal", "arguments": '{"command": "make"}'}},
        {"id": "c2", "function": {"name": "read_file", "arguments": '{"path": "/w/r/a.py"}'}},
        {"id": "c3", "function": {"name": "mcp__x__y", "arguments": "{"}},
    ]
    store.say("s1", "assistant", None, tool_calls=json.dumps(calls))
    store.say("s1", "tool", "built", tool_call_id="c1", tool_name="terminal")
    store.say("s1", "tool", "from far", tool_call_id="c3")
    (reading,) = store.read()
    prompt, call, result, outside = reading.session.messages
    assert (prompt.text, prompt.origin) == ("use tabs", "user")
    assert (call.commands, call.files) == (("make",), ("/w/r/a.py",))
    assert (result.origin, outside.origin) == ("tool", "external")


def test_an_older_schema_lacks_columns(tmp_path: Path) -> None:
    """Every release added some: what is not there is as if nothing was undone or overheard."""
    lacking = frozenset(("active", "compacted", "observed", "tool_name", "cwd", "chat_type", "model_config"))
    store = HermesStore(tmp_path, without=lacking, version=6)
    store.put("sessions", id="s1", source="cli", started_at=1.0)
    store.say("s1", "user", "use tabs")
    store.read()
    assert store.prompts("s1") == [("use tabs", True)]


def test_each_profile_has_a_database(tmp_path: Path) -> None:
    """`HERMES_HOME`, the usual home and the profiles below it, each once."""
    for place in (".hermes", ".hermes/profiles/work", "elsewhere"):
        (tmp_path / place).mkdir(parents=True)
    reader = HermesStore(tmp_path / "other").reader
    roots = reader.roots(str(tmp_path), {"HERMES_HOME": str(tmp_path / "elsewhere")})
    assert [str(Path(root).relative_to(tmp_path)) for root in roots] == [
        "elsewhere",
        ".hermes",
        ".hermes/profiles/work",
    ]
