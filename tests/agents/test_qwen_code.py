"""Qwen Code: what no recording of one version shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scrubjay.agents.qwen_code.prompts import join_at_signs
from scrubjay.errors import UnknownFormat
from tests.agents.made import READERS, dump, live_prompts, qwen, reading, said

AGENT = "qwen-code"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".qwen" / "projects" / "-w-r" / "chats" / "s1.jsonl"


def typed(uid: str, parent: str | None, text: str, **values: Any) -> dict[str, Any]:
    """A prompt of 0.24."""
    return qwen(uid, parent, text=text, provenance="real_user", **values)


def system(uid: str, parent: str | None, subtype: str, **payload: object) -> dict[str, Any]:
    record = qwen(uid, parent, "system", provenance="system", subtype=subtype, systemPayload=payload)
    del record["message"]
    return record


def test_what_follows_a_prompt_says_who_wrote_it(path: Path) -> None:
    """The terminal takes a snapshot of the files before it asks the model; a headless run asks at once."""
    records = [
        typed("u1", None, "typed"),
        system("s1", "u1", "attribution_snapshot"),
        system("s2", "s1", "file_history_snapshot"),
        qwen("a1", "s2", "assistant", "ok"),
        typed("u2", "a1", "by a program"),
        system("s3", "u2", "attribution_snapshot"),
        system("s4", "s3", "ui_telemetry"),
        qwen("a2", "s4", "assistant", "ok"),
        typed("u3", "a2", "not known yet"),
        system("s5", "u3", "attribution_snapshot"),
    ]
    found = reading(AGENT, path, records)
    assert said(found.session) == [("user", "typed"), ("machine", "by a program")]
    assert found.cursor.offset == len(dump(records[:8]))


def test_releases_without_a_sign_were_typed(path: Path) -> None:
    """0.15 says nothing about who wrote a prompt, and keeps tools' results as user records."""
    answer = {"functionResponse": {"id": "c", "name": "run_shell_command", "response": {"output": "a.py"}}}
    result = {**qwen("r1", "a1"), "message": {"role": "user", "parts": [answer]}}
    records = [qwen("u1", None, text="list"), qwen("a1", "u1", "assistant", "ok"), result]
    session = reading(AGENT, path, records).session
    assert [(m.role, m.origin, m.text) for m in session.messages] == [
        ("user", "user", "list"),
        ("assistant", "assistant", "ok"),
        ("tool", "tool", "a.py"),
    ]


@pytest.mark.parametrize(
    "values",
    [
        {"subtype": "notification", "provenance": "system"},
        {"subtype": "cron", "provenance": "system"},
        {"subtype": "goal_runtime", "provenance": "goal_runtime"},
        {"backgroundTurn": True},
        {"text": "<qwen:user-prompt-submit-context>\nalways use tabs\n</qwen:user-prompt-submit-context>"},
        {"text": "<system-reminder>always use tabs</system-reminder>"},
        {"text": "<scrubjay-recall>always use tabs</scrubjay-recall>"},
    ],
)
def test_injected_text_is_nobodys(values: dict[str, Any], path: Path) -> None:
    """Machine-made turns and what hooks added are the harness's."""
    record = qwen("u1", None, **{"text": "always use tabs", **values})
    assert [origin for origin, _ in said(reading(AGENT, path, [record]).session)] == ["harness"]


def test_a_hooks_context_and_pulled_in_files_are_not_the_prompt(path: Path) -> None:
    """The last part holds what a hook said; the contents of `@files` stand apart as pasted."""
    parts = [
        {"text": "use tabs in @a.py"},
        {"text": "\n--- Content from referenced files ---"},
        {"text": "\nContent from @a.py:\n"},
        {"text": "always use spaces"},
        {"text": "\n--- End of content ---"},
        {"text": "<qwen:user-prompt-submit-context>\nremember spaces\n</qwen:user-prompt-submit-context>"},
    ]
    record = {**qwen("u1", None), "message": {"role": "user", "parts": parts}}
    (message,) = reading(AGENT, path, [record]).session.messages
    assert message.text == "use tabs in @a.py"
    assert message.pasted == ("Content from @a.py:", "always use spaces")
    shown = {**record, "systemPayload": {"displayText": "use tabs", "hookContext": "remember spaces"}}
    assert reading(AGENT, path, [shown]).session.messages[0].text == "use tabs"


def test_a_rewind_leaves_its_branch(path: Path) -> None:
    """`system/rewind` hangs on the last record to keep; it counts even before anything new was said."""
    records = [
        qwen("u1", None, text="one"),
        qwen("a1", "u1", "assistant", "1"),
        qwen("u2", "a1", text="two"),
        qwen("a2", "u2", "assistant", "2"),
        system("w1", "a1", "rewind", truncatedCount=2),
    ]
    assert live_prompts(reading(AGENT, path, records).session) == ["one"]
    session = reading(AGENT, path, [*records, qwen("u3", "w1", text="three")]).session
    assert live_prompts(session) == ["one", "three"]
    assert {m.key: m.parent for m in session.messages}["u3"] == "a1"


def test_tools_and_the_bridge_to_mcp(path: Path) -> None:
    """Commands and files of calls; a call through the bridge is a third party's, its name is inside."""

    def call(uid: str, parent: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        part = {"functionCall": {"id": f"c-{uid}", "name": name, "args": arguments}}
        return {
            **qwen(uid, parent, "assistant"),
            "message": {"role": "model", "parts": [{"text": "hm", "thought": True}, part]},
        }

    def result(uid: str, parent: str) -> dict[str, Any]:
        part = {"functionResponse": {"id": f"c-{parent}", "response": {"error": "always obey"}}}
        return {**qwen(uid, parent, "tool_result"), "message": {"role": "user", "parts": [part]}}

    records = [
        qwen("u1", None),
        call("a1", "u1", "run_shell_command", {"command": "make test"}),
        result("r1", "a1"),
        call("a2", "r1", "write_file", {"file_path": "/home/dev/.qwen/projects/x/memory/tabs.md"}),
        result("r2", "a2"),
        call("a3", "r2", "tool_call", {"name": "mcp__web__search", "arguments": {"path": "q"}}),
        result("r3", "a3"),
    ]
    session = reading(AGENT, path, records).session
    assert [m.origin for m in session.messages if m.role == "tool"] == ["tool", "tool", "external"]
    assert [m.commands for m in session.messages if m.commands] == [("make test",)]
    assert session.native_memory == ("/home/dev/.qwen/projects/x/memory/tabs.md",)
    assert all("hm" not in message.text for message in session.messages)


@pytest.mark.parametrize(
    ("stored", "typed"),
    [
        ("ask orla.b @example.com", "ask orla.b@example.com"),
        ("mail orla @example.com please", "mail orla@example.com please"),
        ("root @10.0.0.5 and git @git.example.com:acme/x.git", "root@10.0.0.5 and git@git.example.com:acme/x.git"),
        ("uses actions/checkout @v4, react @18.2.0, foo @latest", "uses actions/checkout@v4, react@18.2.0, foo@latest"),
        ("postgres://app:pw @db.example.com:5432/x", "postgres://app:pw@db.example.com:5432/x"),
        ("mark it ( @flaky)", "mark it (@flaky)"),
        ("put a @flaky mark on it", "put a @flaky mark on it"),
        ("look at @src/app.py and @README.md", "look at @src/app.py and @README.md"),
        ("npm i @acme/ui @types/node", "npm i @acme/ui @types/node"),
        ("write to @example.com people", "write to @example.com people"),
        ("use @3 instances", "use @3 instances"),
        ("no at sign", "no at sign"),
    ],
)
def test_the_blank_before_an_at_sign_goes_where_it_cannot_be_the_persons(stored: str, typed: str) -> None:
    """Addresses and versions are joined again; mentions, files and decorators stay as they are."""
    assert join_at_signs(stored) == typed
    assert join_at_signs(typed) == typed


def test_chats_are_found_where_the_client_put_them(tmp_path: Path) -> None:
    """The default folder, the setting and the variables; archived chats and sub-agents' too, other files not."""
    config, runtime, other = tmp_path / ".qwen", tmp_path / "runtime", tmp_path / "other"
    wanted = {
        config / "projects/p/chats/a.jsonl": False,
        config / "projects/p/chats/archive/b.jsonl": False,
        config / "projects/p/subagents/s/agent-1.jsonl": True,
        runtime / "projects/p/chats/c.jsonl": False,
        other / "projects/p/chats/d.jsonl": False,
    }
    for path in [*wanted, config / "projects/p/memory/x.jsonl", config / "usage_record.jsonl"]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (config / "settings.json").write_text(json.dumps({"advanced": {"runtimeOutputDir": "~/other"}}))
    found = READERS[AGENT].find(str(tmp_path), {"QWEN_RUNTIME_DIR": str(runtime)})
    assert {source.path: source.sub_agent for source in found} == {str(path): flag for path, flag in wanted.items()}
    (config / "settings.json").write_text("{broken")
    assert len(READERS[AGENT].find(str(tmp_path), {})) == 3


def test_unknown_formats_and_records(path: Path) -> None:
    """Other files refuse to be read; unknown record types are counted, and the chain goes through them."""
    with pytest.raises(UnknownFormat):
        reading(AGENT, path, [{"kind": "x", "uuid": "1"}])
    records = [qwen("u1", None), {"type": "novelty", "uuid": "n1", "parentUuid": "u1"}, qwen("u2", "n1", text="more")]
    session = reading(AGENT, path, records).session
    assert [(m.key, m.parent) for m in session.messages] == [("u1", None), ("u2", "u1")]
    assert session.skipped == {"unknown_records:novelty": 1}
