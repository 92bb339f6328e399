"""Codex: what no recording of one version shows."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from scrubjay.errors import UnknownFormat
from tests.agents.growing import whole
from tests.agents.made import READERS, codex, codex_message, dump, live_prompts, reading, said
from tests.agents.recorded import materialise

AGENT = "codex"
THREAD = "01a08120-b915-7510-b4db-56d68ce686a7"
OTHER = "01a08121-b915-7510-b4db-56d68ce686a8"
META = {"id": THREAD, "cwd": "/w/r", "source": "cli", "originator": "codex_cli_rs", "cli_version": "0.60.0"}


def rollout(home: Path, thread: str = THREAD, at: str = "2026-09-03T10-12-44", revision: str = "") -> Path:
    suffix = f"_{revision}" if revision else ""
    return home / ".codex" / "sessions" / "2026" / "09" / "03" / f"rollout-{at}-{thread}{suffix}.jsonl"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return rollout(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n<cwd>/w/r</cwd>\n</environment_context>",
        "# AGENTS.md instructions for /w/r\n\n<INSTRUCTIONS>\nalways use tabs\n</INSTRUCTIONS>",
        "<user_instructions>\nalways use tabs\n</user_instructions>",
        '<subagent_notification>{"status":{"completed":"always use tabs"}}</subagent_notification>',
        "<turn_aborted>\nThe user interrupted\n</turn_aborted>",
        '<hook_prompt hook_run_id="1">always use tabs</hook_prompt>',
        "<user_shell_command>ls</user_shell_command>",
        "<skill>always use tabs</skill>",
        "Another language model started to solve this problem and produced a summary of its thinking process.",
        "<scrubjay-recall>always use tabs</scrubjay-recall>",
    ],
)
def test_injected_text_is_nobodys(text: str, path: Path) -> None:
    """What older releases put into user messages without a mark is the harness's."""
    session = reading(AGENT, path, [codex("session_meta", META), codex_message("user", text)]).session
    assert [origin for origin, _ in said(session)] == ["harness"]


def test_kinds_say_what_a_part_is(path: Path) -> None:
    """Newer releases mark each part of a message; only what the user's own hand gave counts, whatever it looks like."""

    def marked(kinds: list[str], provenance: list[str]) -> dict[str, Any]:
        notes = {
            "content_item_kinds": kinds,
            "content_item_metadata": [{"provenance": {"type": kind}} for kind in provenance],
        }
        parts = [{"type": "input_text", "text": f"part {place}"} for place in range(len(kinds))]
        item = {"type": "message", "role": "user", "id": f"msg_{kinds[0]}{provenance[0]}", "content": parts}
        return codex("response_item", {**item, "internal_chat_message_metadata_passthrough": notes})

    records = [
        codex("session_meta", META),
        marked(["user.text", "hooks.additional_context"], ["user", "harness"]),
        marked(["memories.instructions"], ["harness"]),
        marked(["user.text"], ["harness"]),
        codex_message("developer", "always use tabs"),
    ]
    assert [(origin, text) for origin, text in said(reading(AGENT, path, records).session) if origin != "harness"] == [
        ("user", "part 0")
    ]


def test_an_editors_context_is_not_what_was_asked(path: Path) -> None:
    """The IDE extension puts open files before the request."""
    text = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py: a.py\n\n## My request for Codex:\nuse tabs\n"
    assert said(reading(AGENT, path, [codex("session_meta", META), codex_message("user", text)]).session) == [
        ("user", "use tabs")
    ]


@pytest.mark.parametrize(
    ("meta", "trigger", "origin"),
    [
        ({"source": "cli"}, "", "user"),
        ({"source": "vscode", "originator": "codex-tui"}, "user", "user"),
        ({"source": "exec", "originator": "codex_exec"}, "", "machine"),
        ({"source": "exec", "originator": "codex_exec"}, "user", "user"),
        ({"source": "cli"}, "exec", "machine"),
        ({"source": "mcp"}, "", "machine"),
        ({"source": {"custom": "atlas"}}, "", "machine"),
        ({"source": {"subagent": {"thread_spawn": {"depth": 1}}}}, "user", "harness"),
        ({"thread_source": "subagent"}, "", "harness"),
    ],
)
def test_who_wrote_a_prompt(meta: dict[str, Any], trigger: str, origin: str, path: Path) -> None:
    """The turn's trigger says it, else where the thread was started; a sub-agent's prompts are another agent's."""
    records = [codex("session_meta", {**META, **meta}), codex_message("user", "hello")]
    if trigger:
        records.insert(1, codex("event_msg", {"type": "task_started", "turn_attribution": {"turn_trigger": trigger}}))
    session = reading(AGENT, path, records).session
    assert said(session) == [(origin, "hello")]
    assert session.sub_agent is (origin == "harness")


def test_a_legacy_fork_shares_the_keys_that_it_copied(tmp_path: Path) -> None:
    """Records without ids: the same words after the same history are the same message, in this thread and its copies only."""
    talk = [codex_message("user", "use tabs"), codex_message("assistant", "ok"), codex_message("user", "yes")]
    parent = reading(AGENT, rollout(tmp_path), [codex("session_meta", META), *talk])
    fork_meta = {**META, "id": OTHER, "forked_from_id": THREAD}
    copied = [
        codex("session_meta", fork_meta),
        codex("session_meta", META),
        *talk,
        codex_message("user", "now the fork"),
    ]
    fork = reading(AGENT, rollout(tmp_path, OTHER, "2026-09-04T10-12-44"), copied)
    stranger = reading(
        AGENT, rollout(tmp_path, OTHER, "2026-09-05T10-12-44"), [codex("session_meta", {**META, "id": OTHER}), *talk]
    )
    keys = [message.key for message in parent.session.messages]
    assert [message.key for message in fork.session.messages][:3] == keys
    assert fork.session.id == OTHER
    assert fork.session.forked_from == THREAD
    assert not set(keys) & {message.key for message in stranger.session.messages}
    assert len(set(keys)) == 3


def test_rolled_back_turns_are_abandoned(path: Path) -> None:
    """The last N turns of a legacy thread are dropped; the next message follows what stood before them."""
    records = [codex("session_meta", META)]
    for text in ("one", "two", "three"):
        records += [codex_message("user", text), codex_message("assistant", f"did {text}")]
    records.append(codex("event_msg", {"type": "thread_rolled_back", "num_turns": 2}))
    assert live_prompts(reading(AGENT, path, records).session) == ["one"]
    session = reading(AGENT, path, [*records, codex_message("user", "instead")]).session
    assert live_prompts(session) == ["one", "instead"]
    assert {m.text: m.parent for m in session.messages}["instead"] == {m.text: m.key for m in session.messages}[
        "did one"
    ]


def test_calls_of_every_age(path: Path) -> None:
    """The shell tool changed its name and its arguments; the command that ran and the files that were patched are known."""
    patch = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n*** Add File: c.py\n*** End Patch"

    def call(name: str, arguments: object, **values: object) -> dict[str, Any]:
        return codex(
            "response_item",
            {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "call_id": name, **values},
        )

    records = [
        codex("session_meta", META),
        codex_message("user", "go"),
        call("shell", {"command": ["bash", "-lc", "ls -a"]}),
        call("shell_command", {"command": "pwd"}),
        call("exec_command", {"cmd": "make test"}),
        codex(
            "response_item",
            {"type": "local_shell_call", "call_id": "l", "action": {"type": "exec", "command": ["git", "log"]}},
        ),
        codex("response_item", {"type": "custom_tool_call", "name": "apply_patch", "call_id": "p", "input": patch}),
        codex(
            "response_item",
            {"type": "custom_tool_call", "name": "exec", "call_id": "j", "input": "await tools.exec_command({})"},
        ),
        codex(
            "event_msg",
            {
                "type": "item_completed",
                "item": {"type": "CommandExecution", "id": "e", "command": ["/bin/bash", "-lc", "npm t"]},
            },
        ),
        codex(
            "event_msg",
            {
                "type": "item_completed",
                "item": {"type": "FileChange", "id": "f", "changes": {"/w/r/d.ts": {"type": "add"}}},
            },
        ),
        call("search", {}, namespace="mcp__web"),
        codex("response_item", {"type": "function_call_output", "call_id": "search", "output": "always obey"}),
        codex(
            "response_item",
            {
                "type": "function_call_output",
                "call_id": "shell",
                "output": json.dumps({"output": "a.py", "metadata": {}}),
            },
        ),
    ]
    session = reading(AGENT, path, records).session
    commands = [command for message in session.messages for command in message.commands]
    assert commands == ["ls -a", "pwd", "make test", "git log", "npm t"]
    assert [path for message in session.messages for path in message.files] == ["a.py", "b.py", "c.py", "/w/r/d.ts"]
    assert [(m.origin, m.text) for m in session.messages if m.role == "tool"] == [
        ("external", "always obey"),
        ("tool", "a.py"),
    ]


def test_a_summary_is_nobodys_answer_in_older_threads_too(path: Path) -> None:
    """The answer that a compaction made its summary from stands before it as an assistant's message."""
    records = [
        codex("session_meta", META),
        codex_message("user", "use tabs"),
        codex_message("assistant", "1. The user wants tabs"),
        codex(
            "compacted",
            {"message": "Another language model …\n1. The user wants tabs", "replacement_history": [{"role": "user"}]},
        ),
        codex_message("user", "go on"),
    ]
    session = reading(AGENT, path, records).session
    assert [(m.role, m.origin, m.text, m.compacted) for m in session.messages] == [
        ("user", "user", "use tabs", False),
        ("assistant", "harness", "", False),
        ("user", "user", "go on", True),
    ]


@pytest.mark.parametrize(
    "events",
    [
        [("user_message", {"message": "use tabs"}), ("agent_message", {"message": "ok"})],
        [
            (
                "item_completed",
                {"item": {"type": "UserMessage", "id": "i1", "content": [{"type": "text", "text": "use tabs"}]}},
            ),
            (
                "item_completed",
                {"item": {"type": "AgentMessage", "id": "i2", "content": [{"type": "Text", "text": "ok"}]}},
            ),
        ],
    ],
)
def test_events_count_only_where_no_item_is_written(events: list[tuple[str, dict[str, Any]]], path: Path) -> None:
    """Items and events tell the same turn twice: once is enough, and one family alone is enough too."""
    told = [codex("event_msg", {"type": kind, **values}) for kind, values in events]
    alone = reading(AGENT, path, [codex("session_meta", META), *told]).session
    items = [codex_message("user", "use tabs"), told[0], told[1], codex_message("assistant", "ok")]
    both = reading(AGENT, path, [codex("session_meta", META), *items]).session
    turned = reading(AGENT, path, [codex("session_meta", META), told[0], items[0], told[1], items[3]]).session
    expected = [("user", "use tabs"), ("assistant", "ok")]
    assert [(m.role, m.text) for m in turned.messages] == expected
    assert [(m.role, m.text) for m in alone.messages] == expected
    assert [(m.role, m.text) for m in both.messages] == expected


def test_a_file_of_unknown_records_is_said_to_be_so(path: Path) -> None:
    """A known first line does not make up for nothing understood after it."""
    with pytest.raises(UnknownFormat, match="turn_v9"):
        reading(AGENT, path, [codex("session_meta", META), codex("turn_v9", {"role": "user", "text": "use tabs"})])


def test_what_a_revert_left_behind_is_told_by_its_new_file(tmp_path: Path) -> None:
    """The old file gets no mark and is not read again: the new one says which prompts of it still count."""
    names = materialise("codex/acme-api-codemode", tmp_path)
    reader = READERS[AGENT]
    sources = [source for source in reader.find(str(tmp_path), {}) if "01a0811a" in source.path]
    assert [len(source.related or ()) for source in sources] == [1, 1]
    old, new = (reader.read(source, None) for source in sources)
    prompts = [m.key for m in old.session.messages if m.origin == "machine"]
    assert [key in old.session.live for key in prompts] == [True, False, False]
    assert new.branches == dict(zip(prompts, (True, False, False), strict=True))
    assert new.session.id == old.session.id
    assert len(names) == 3


def test_before_the_revert_everything_was_live(tmp_path: Path) -> None:
    """Read while its thread has no second file, the old file knows of no abandoned turn."""
    names = materialise("codex/acme-api-codemode", tmp_path)
    os.unlink(tmp_path / next(name for name in names.values() if "_01a0812a" in name))
    (source,) = (source for source in READERS[AGENT].find(str(tmp_path), {}) if "01a0811a" in source.path)
    session = READERS[AGENT].read(source, None).session
    assert all(message.key in session.live for message in session.messages)


def test_a_fork_keeps_alive_what_it_builds_on(tmp_path: Path) -> None:
    """A fork's inherited prompts are live in the fork's own session, though another thread's file holds them."""
    materialise("codex/acme-api-fork", tmp_path)
    parent, fork = (READERS[AGENT].read(source, None) for source in READERS[AGENT].find(str(tmp_path), {}))
    prompts = [m.key for m in parent.session.messages if m.origin == "machine"]
    assert fork.branches == dict.fromkeys(prompts, True)
    assert fork.session.forked_from == parent.session.id


def test_archived_and_compressed_threads_are_read_once(tmp_path: Path) -> None:
    """Archived flat, or compressed beside the plain file: each thread once, the plain file first."""
    zstandard = pytest.importorskip("zstandard")
    data = dump([codex("session_meta", META), codex_message("user", "use tabs")])
    archived = tmp_path / ".codex" / "archived_sessions" / rollout(tmp_path).name
    twice = rollout(tmp_path, OTHER)
    for file in (archived, twice):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    packed = zstandard.ZstdCompressor().compress(data * 3)
    twice.with_name(twice.name + ".zst").write_bytes(packed)
    alone = rollout(tmp_path, at="2026-09-09T10-12-44")
    alone.with_name(alone.name + ".zst").write_bytes(packed)
    found = READERS[AGENT].find(str(tmp_path), {})
    assert sorted(source.path for source in found) == sorted([str(archived), str(twice), f"{alone}.zst"])
    once = whole(READERS[AGENT], Path(f"{alone}.zst"))
    assert [m.text for m in once.messages.values()] == ["use tabs"] * 3
    (again,) = once.read()
    assert again.session.fresh == frozenset()


def test_a_compressed_thread_is_named_when_nothing_can_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `zstandard` it is found, called "compressed", and refused with the remedy."""
    monkeypatch.setitem(sys.modules, "zstandard", None)
    path = rollout(tmp_path).with_suffix(".jsonl.zst")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"anything")
    (source,) = READERS[AGENT].find(str(tmp_path), {})
    assert source.unreadable == "compressed"
    with pytest.raises(UnknownFormat, match="compressed"):
        READERS[AGENT].read(source, None)
