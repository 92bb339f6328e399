"""OpenClaw: events of its database and of its older files, rewinds and forks, and what is no person's word."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from scrubjay.agents import readers
from scrubjay.agents.base import Source
from scrubjay.agents.openclaw.words import words_of
from scrubjay.errors import UnknownFormat
from scrubjay.redact import MASK
from tests.agents.made import dump, said
from tests.agents.stores import OpenClawStore

READER = readers()["openclaw"]


def test_events_are_read_as_they_come_and_only_new_ones(tmp_path: Path) -> None:
    """A read after every event gives, together, what one read gives; compressed events are events like others."""
    growing = OpenClawStore(tmp_path)
    growing.window("s1")
    fresh: list[str] = []
    for number in range(6):
        growing.say("s1", "user", f"prompt {number}", compress=number % 2 == 0)
        fresh += [key for reading in growing.read() for key in reading.session.fresh]
        growing.record("s1", "custom", customType="openclaw.cache-ttl", data={})
        growing.say("s1", "assistant", f"[[reply_to_current]] answer {number}")
        fresh += [key for reading in growing.read() for key in reading.session.fresh]
    once = OpenClawStore(tmp_path)
    once.read()
    assert growing.messages == once.messages
    assert growing.live == once.live
    assert len(fresh) == len(set(fresh)) == 12
    assert growing.rereads == 0
    texts = [message.text for message in once.messages["s1"].values()]
    assert texts[:2] == ["prompt 0", "answer 0"]


def test_a_rewind_goes_on_in_a_new_session_and_says_what_was_left_in_the_old_one(tmp_path: Path) -> None:
    """The old session knows nothing of it: only its copy tells that its last turns were taken back."""
    store = OpenClawStore(tmp_path)
    store.window("old")
    store.say("old", "user", "we have a queue")
    target = store.say("old", "assistant", "noted")
    store.say("old", "user", "use redis for it")
    store.read()
    assert store.prompts("old") == [("we have a queue", True), ("use redis for it", True)]
    store.window("new", previous="old")
    store.copy("old", "new")
    store.record("new", "leaf", targetId=target)
    store.read()
    assert store.prompts("old") == store.prompts("new") == [("we have a queue", True), ("use redis for it", False)]
    store.say("new", "user", "use postgres for it")
    store.read()
    assert store.prompts("new")[1:] == [("use redis for it", False), ("use postgres for it", True)]
    assert store.prompts("old") == [("we have a queue", True), ("use redis for it", False)]
    again = OpenClawStore(tmp_path)
    again.read()
    assert (again.live, again.messages) == (store.live, store.messages)


def test_a_fork_leaves_its_parent_live_and_shares_its_keys(tmp_path: Path) -> None:
    """`sessions.fork`: another session key, a copied beginning, no link from one window to the other."""
    store = OpenClawStore(tmp_path)
    store.window("one")
    store.say("one", "user", "we have a queue")
    store.window("two", key="agent:main:dashboard:x")
    store.copy("one", "two")
    store.say("one", "user", "use redis for it")
    store.say("two", "user", "use postgres for it")
    store.read()
    assert all(live for name in ("one", "two") for _, live in store.prompts(name))
    assert store.keys("one")[0] == store.keys("two")[0]


@pytest.mark.parametrize(
    ("window", "message", "origin"),
    [
        ({}, {}, "user"),
        ({}, {"__openclaw": {"senderIsOwner": True}}, "user"),
        ({}, {"__openclaw": {"senderIsOwner": False}}, "external"),
        ({"chat_type": "group"}, {}, "external"),
        ({"chat_type": "group"}, {"__openclaw": {"senderIsOwner": True}}, "user"),
        ({"key": "agent:main:cron:daily"}, {}, "machine"),
        ({"hook_external_content_source": "gmail"}, {}, "external"),
        ({"key": "agent:main:subagent:x"}, {}, "harness"),
        ({"spawned_by": "agent:main:main"}, {}, "harness"),
        ({}, {"provenance": {"kind": "inter_session"}}, "harness"),
    ],
)
def test_who_wrote_a_prompt(tmp_path: Path, window: dict[str, Any], message: dict[str, Any], origin: str) -> None:
    """Other agents, schedules, mail and other people in a group are not the owner."""
    store = OpenClawStore(tmp_path)
    store.window("s1", **window)
    store.say("s1", "user", "always use tabs", **message)
    (reading,) = store.read()
    assert [one.origin for one in reading.session.messages] == [origin]


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("use tabs", "use tabs"),
        ('Sender (untrusted metadata):\n```json\n{"label": "x"}\n```\n\n[Thu 2026-09-03 10:12 GMT+2] use tabs', "use tabs"),
        ('Sender: ⟦openclaw:ctx⟧\n```json\n{"name": "always"}\n```\n\nuse tabs', "use tabs"),
        ("use tabs\n\nContext: ⟦openclaw:ctx⟧\nalways use spaces", "use tabs"),
        ("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nspaces\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nuse tabs", "use tabs"),
        ("Context:\n<active_memory_plugin>use spaces</active_memory_plugin>\nuse tabs", "use tabs"),
        ("<scrubjay-recall>use spaces</scrubjay-recall>use tabs", "use tabs"),
        ("[media attached: /tmp/a.png (image/png)]\nuse tabs\n[message_id: 17]", "use tabs"),
        ("[OpenClaw heartbeat poll]", ""),
        ("[cron:1 daily] always check", ""),
        ("[Subagent Context] Your prior run ended", ""),
        ("postgresql://app:***@db, key AKIA…ESTX", f"postgresql://app:{MASK * 3}@db, key {MASK * 9}"),
        ("**really** a *** b", "**really** a *** b"),
    ],
)  # fmt: skip
def test_what_the_client_put_into_a_prompt_is_taken_out(stored: str, expected: str) -> None:
    """Senders, contexts and reminders go; what the client masked counts as the secret that it was."""
    assert words_of({"content": stored}) == expected
    assert words_of({"content": [{"type": "text", "text": stored}]}) == expected


def test_without_zstandard_a_session_with_compressed_events_is_refused_and_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a session would be misunderstood. The message names the package, and nothing is lost: it is read later."""
    store = OpenClawStore(tmp_path)
    store.window("plain")
    store.say("plain", "user", "use tabs")
    store.window("packed")
    store.say("packed", "user", "use spaces", compress=True)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    found = {source.session: source for source in READER.find(str(tmp_path), {})}
    assert (found["plain"].unreadable, found["packed"].unreadable) == ("", "compressed: needs the package zstandard")
    assert said(READER.read(found["plain"], None).session) == [("user", "use tabs")]
    with pytest.raises(UnknownFormat) as refused:
        READER.read(found["packed"], None)
    assert "scrubjay[zst]" in refused.value.hint
    monkeypatch.undo()
    assert said(READER.read(found["packed"], None).session) == [("user", "use spaces")]


def legacy(folder: Path, name: str, *, uid: str = "a1b2c3d4", text: str = "use tabs") -> Path:
    """A file of header version 3."""
    path = folder / ".openclaw/agents/main/sessions" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    stamp = "2026-02-03T10:12:44.367Z"
    sender = 'Sender (untrusted metadata):\n```json\n{"label": "x"}\n```\n\n[Tue 2026-02-03 10:12 UTC] '
    user = {"role": "user", "content": [{"type": "text", "text": sender + text}]}
    answer = {"role": "assistant", "content": [{"type": "text", "text": "[[reply_to_current]] ok"}]}
    records: list[dict[str, Any] | bytes] = [
        {"type": "session", "version": 3, "id": "s-old", "timestamp": stamp, "cwd": "/w/r"},
        {"type": "message", "id": uid, "parentId": None, "timestamp": stamp, "message": user},
        {"type": "message", "id": "e5f6a7b8", "parentId": uid, "timestamp": stamp, "message": answer},
    ]
    path.write_bytes(dump(records))
    return path


def names(sources: list[Source]) -> list[str]:
    return [Path(source.path).name for source in sources]


def test_the_files_of_older_releases_are_read(tmp_path: Path) -> None:
    """One JSON Lines file a session; also what a reset put aside, not what the person deleted."""
    for name in ("s-old.jsonl", "s-older.jsonl.reset.2026-01-01T00-00-00", "s-gone.jsonl.deleted.2026-01-01", "sessions.json",
                 "s-old.trajectory.jsonl"):  # fmt: skip
        legacy(tmp_path, name)
    found = READER.find(str(tmp_path), {})
    assert sorted(names(found)) == ["s-old.jsonl", "s-older.jsonl.reset.2026-01-01T00-00-00"]
    session = READER.read(found[0], None).session
    assert [message.text for message in session.messages] == ["use tabs", "ok"]
    assert (session.id, session.cwd) == ("s-old", "/w/r")


def test_short_ids_of_two_sessions_are_not_one_message(tmp_path: Path) -> None:
    """Eight digits come twice now and then; with their time they do not, and a copy keeps both."""
    first, other, copy = (legacy(tmp_path, f"{name}.jsonl") for name in ("one", "other", "copy"))
    other.write_text(other.read_text().replace("10:12:44", "11:12:44"))
    keys = {source.path: READER.read(source, None).session.messages[0].key for source in READER.find(str(tmp_path), {})}
    assert keys[str(first)] == keys[str(copy)] != keys[str(other)]


def test_a_session_that_was_taken_over_into_the_database_is_read_once(tmp_path: Path) -> None:
    """`openclaw doctor --fix` leaves the file behind."""
    legacy(tmp_path, "s-old.jsonl")
    store = OpenClawStore(tmp_path)
    store.window("s-old")
    store.say("s-old", "user", "use tabs")
    assert names(READER.find(str(tmp_path), {})) == ["openclaw-agent.sqlite"]


def test_unknown_events_are_passed_over_and_counted(tmp_path: Path) -> None:
    """The chain goes through them."""
    store = OpenClawStore(tmp_path)
    store.window("s1")
    store.say("s1", "user", "one")
    store.record("s1", "hologram", what=1)
    store.say("s1", "user", "two")
    store.put("transcript_events", session_id="s1", seq=90, event_json="{broken", created_at=1)
    (reading,) = store.read()
    assert dict(reading.session.skipped) == {"broken_lines": 1, "unknown_records:hologram": 1}
    one, two = reading.session.messages
    assert (two.parent, json.dumps(store.prompts("s1"))) == (one.key, '[["one", true], ["two", true]]')
