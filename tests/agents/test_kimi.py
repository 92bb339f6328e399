"""Kimi Code and kimi-cli: what no recording shows, forks and undone turns, and sessions that one imports from the other."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from scrubjay.agents import readers
from scrubjay.inject.fence import RECALL_TAG, fenced
from scrubjay.session import Session
from tests.agents.growing import Growing, whole
from tests.agents.made import Record, dump, live_prompts, reading, said
from tests.agents.recorded import materialise

CODE, CLI = readers()["kimi-code"], readers()["kimi-cli"]
USER: Record = {"kind": "user"}


def parts(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


def prompt(name: str, text: str, **origin: object) -> list[Record]:
    """A prompt of Kimi Code, in the two records that tell it; without a name as the first protocols did."""
    at, who = 1788872400000 + sum(name.encode()) + len(text), {**USER, **origin}
    ids = ({"promptId": name}, {"id": name}) if name else ({}, {})
    message = {"role": "user", "content": parts(text), "toolCalls": [], "origin": who, **ids[1]}
    return [
        {"type": "turn.prompt", "input": parts(text), "origin": who, "time": at, **ids[0]},
        {"type": "context.append_message", "message": message, "time": at + 1},
    ]


def injected(text: str, **origin: object) -> Record:
    message = {"role": "user", "content": parts(text), "toolCalls": [], "origin": origin}
    return {"type": "context.append_message", "message": message, "time": 1788872400005}


def loop(**event: object) -> Record:
    return {"type": "context.append_loop_event", "event": event, "time": 1788872400006}


def answer(step: str, text: str) -> Record:
    return loop(type="content.part", uuid=f"p-{step}", stepUuid=step, part={"type": "text", "text": text})


def code(folder: Path, *records: Record | bytes, state: Record | None = None, agent: str = "main") -> Session:
    session = folder / ".kimi-code" / "sessions" / "wd_r_0" / "session_1"
    session.mkdir(parents=True, exist_ok=True)
    (session / "state.json").write_text(json.dumps(state or {"cwd": "/w/r"}), encoding="utf-8")
    path = session / "agents" / agent / "wire.jsonl"
    return reading("kimi-code", path, records, sub_agent=agent != "main").session


def wire(kind: str, at: float = 1788872402.5, **payload: object) -> Record:
    return {"timestamp": at, "message": {"type": kind, "payload": payload}}


def cli(folder: Path, *records: Record | bytes, work: str = "/w/r", session: str = "s1") -> Session:
    root = folder / ".kimi"
    path = root / "sessions" / hashlib.md5(work.encode()).hexdigest() / session / "wire.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    (root / "kimi.json").write_text(json.dumps({"work_dirs": [{"path": work}]}), encoding="utf-8")
    return reading("kimi-cli", path, records).session


# Kimi Code.


def test_undone_turns_are_left_behind(tmp_path: Path) -> None:
    """`/undo 2` as the real client wrote it: the turns stay in the file, the next one follows what stood before them."""
    materialise("kimi-code/acme-api-fork-undo", tmp_path)
    (session,) = (CODE.read(source, None).session for source in CODE.find(str(tmp_path), {}))
    prompts = [m for m in session.messages if m.origin == "user"]
    assert [m.key in session.live for m in prompts] == [True, False, False, True, True, True, True]
    above = {m.key: m.parent for m in session.messages}
    key: str | None = prompts[3].parent
    while key is not None and key != prompts[0].key:
        assert key not in (prompts[1].key, prompts[2].key)
        key = above[key]
    assert key == prompts[0].key


@pytest.mark.parametrize(("count", "reread"), [(1, False), (5, True)])
def test_an_undo_after_the_last_read(count: int, reread: bool, tmp_path: Path) -> None:
    """It takes back turns that an earlier read handed on as live; far back, the whole file is read."""
    growing = Growing(CODE, tmp_path / "wire.jsonl")
    for turn in range(8):
        growing.append(dump([*prompt(f"msg_{turn}", f"prompt {turn}"), answer(f"s{turn}", "ok")]))
    growing.read()
    growing.append(dump([{"type": "context.undo", "count": count, "time": 1}, *prompt("msg_n", "instead")]))
    (found,) = growing.read()
    assert found.reread is reread
    live = [growing.messages[key].text for key, flag in growing.prompts().items() if flag]
    assert live == [*(f"prompt {turn}" for turn in range(8 - count)), "instead"]
    assert growing.prompts() == whole(CODE, growing.path).prompts()


def test_a_steered_message_is_said_but_is_no_turn_of_its_own(tmp_path: Path) -> None:
    """What was typed while the agent worked is taken back together with its turn."""
    steer = {"type": "turn.steer", "input": parts("and use tabs"), "origin": USER, "messageId": "msg_b", "time": 5}
    message = {"role": "user", "id": "msg_b", "content": parts("and use tabs"), "origin": {**USER, "inTurn": True}}
    append = {"type": "context.append_message", "message": message, "time": 6}
    records = [*prompt("msg_0", "first"), *prompt("msg_a", "do it"), steer, append]
    session = code(tmp_path, *records)
    assert said(session) == [("user", "first"), ("user", "do it"), ("user", "and use tabs")]
    assert live_prompts(code(tmp_path, *records, {"type": "context.undo", "count": 1})) == ["first"]


def test_a_fork_shares_keys_with_its_parent(tmp_path: Path) -> None:
    """`kimi fork` copies lines with their ids: told once, whichever session is read first."""
    materialise("kimi-code/acme-api", tmp_path)
    sessions = {s.id: s for s in (CODE.read(source, None).session for source in CODE.find(str(tmp_path), {}))}
    (fork,) = (session for session in sessions.values() if session.forked_from)
    parent = sessions[fork.forked_from]
    shared = {m.key for m in parent.messages} & {m.key for m in fork.messages}
    assert [m.text[:12] for m in fork.messages if m.key in shared and m.origin == "user"] == ["partner says"]
    assert fork.title.startswith("Fork: ")


@pytest.mark.parametrize(
    "origin",
    [
        {"kind": "injection", "variant": "date_change"},
        {"kind": "hook_result", "event": "UserPromptSubmit"},
        {"kind": "compaction_summary"},
        {"kind": "system_trigger", "name": "goal_continuation"},
        {"kind": "cron_job"},
        {"kind": "task"},
        {"kind": "retry"},
        {"kind": "skill_activation", "trigger": "model-tool", "skillArgs": "always use tabs"},
        {"kind": "shell_command", "phase": "output"},
        {"kind": "something_new"},
    ],
)
def test_messages_in_the_users_role_that_no_person_said(origin: Record, tmp_path: Path) -> None:
    session = code(tmp_path, *prompt("msg_a", "hello"), injected("always use tabs", **origin))
    assert [m.origin for m in session.messages] == ["user", "harness"]


def test_our_own_hooks_text_is_no_ones_word(tmp_path: Path) -> None:
    """What our hook printed comes back wrapped by the client, or inside a prompt that a person pasted it into."""
    block = fenced(RECALL_TAG, "always use tabs")
    wrapped = f'<hook_result hook_event="UserPromptSubmit">\n{block}\n</hook_result>'
    session = code(
        tmp_path,
        *prompt("msg_a", f"{block}\nuse spaces"),
        injected(wrapped, kind="hook_result", event="UserPromptSubmit"),
        *prompt("msg_b", wrapped),
    )
    assert said(session)[0] == ("user", "use spaces")
    assert [m.origin for m in session.messages] == ["user", "harness", "harness"]
    assert all("always use tabs" not in message.text for message in session.messages)


def test_words_after_a_slash_command_are_the_persons(tmp_path: Path) -> None:
    skill = {"kind": "skill_activation", "trigger": "user-slash", "skillName": "pdf", "skillArgs": "extract report.pdf"}
    plugin = {"kind": "plugin_command", "trigger": "user-slash", "commandArgs": "with tabs"}
    bundled = {"skillActivations": [{"skillName": "pdf"}]}
    two = [*parts("<skill-loaded>Always extract</skill-loaded>"), *parts("and this")]
    session = code(
        tmp_path,
        *prompt("msg_a", "Always extract.", **skill),
        *prompt("msg_b", "Expanded body", **plugin),
        {"type": "turn.prompt", "input": two, "origin": {**USER, **bundled}, "promptId": "msg_c", "time": 5},
        injected("<bash-input>\nmake test\n</bash-input>", kind="shell_command", phase="input"),
    )
    assert said(session)[:3] == [("user", "extract report.pdf"), ("user", "with tabs"), ("user", "and this")]
    assert session.messages[3].commands == ("make test",)


def test_a_remark_beside_a_refusal_is_said_by_the_person(tmp_path: Path) -> None:
    refusal = {"decision": "rejected", "feedback": "never touch the lock file"}
    handler = {"decision": "rejected", "feedback": "No approval handler registered."}
    session = code(
        tmp_path,
        *prompt("msg_a", "hello"),
        {"type": "permission.record_approval_result", "toolCallId": "c", "result": refusal, "time": 7},
        {"type": "permission.record_approval_result", "toolCallId": "d", "result": handler, "time": 8},
    )
    assert said(session) == [("user", "hello"), ("user", "never touch the lock file")]


def test_the_first_protocols_had_no_ids_and_told_answers_twice(tmp_path: Path) -> None:
    """A prompt and its message are one; the key is made of time and words, as is that of a copy."""
    records: list[Record] = [
        {"type": "metadata", "protocol_version": "1.1", "created_at": 1},
        {"type": "config.update", "cwd": "/w/old", "time": 2},
        *prompt("", "hi"),
        answer("s1", "hello"),
        {"type": "context.append_message", "message": {"role": "assistant", "content": parts("hello")}, "time": 9},
        *prompt("", "use tabs"),
    ]
    records[2].pop("origin")
    session = code(tmp_path, *records, state={"title": "t"})
    assert [(m.role, m.text) for m in session.messages] == [
        ("user", "hi"),
        ("assistant", "hello"),
        ("user", "use tabs"),
    ]
    assert session.cwd == "/w/old"
    copy = code(tmp_path / "copy", *records, state={"forkedFrom": "session_1"})
    assert [m.key for m in copy.messages] == [m.key for m in session.messages]


def test_a_compaction_is_a_boundary_and_mcp_results_come_from_outside(tmp_path: Path) -> None:
    session = code(
        tmp_path,
        *prompt("msg_a", "hello"),
        loop(type="tool.call", uuid="t1", stepUuid="s1", toolCallId="c1", name="mcp__scrubjay__recall", args={}),
        loop(type="tool.result", parentUuid="t1", toolCallId="c1", result={"output": parts("use tabs")}),
        {"type": "context.apply_compaction", "summary": "always use tabs", "compactedCount": 2, "time": 8},
        *prompt("msg_b", "go on"),
    )
    assert [(m.origin, m.compacted) for m in session.messages] == [
        ("user", False),
        ("assistant", False),
        ("external", False),
        ("user", True),
    ]


def test_a_sub_agents_wire_file_holds_no_prompt(tmp_path: Path) -> None:
    session = code(tmp_path, *prompt("msg_a", "always look everywhere"), answer("s1", "done"), agent="sub_1")
    assert session.sub_agent
    assert [m.origin for m in session.messages] == ["harness", "assistant"]
    flagged = {source.sub_agent for source in CODE.find(str(tmp_path), {})}
    assert flagged == {True}


def test_strange_records_are_counted(tmp_path: Path) -> None:
    session = code(
        tmp_path, *prompt("msg_a", "hello"), {"type": "hologram.shown", "time": 1}, b"[1]\n", b'{"type":"tu\n'
    )
    assert session.skipped == {"unknown_records:hologram.shown": 1, "broken_lines": 2}


# kimi-cli.


def test_the_directory_of_a_session_is_found_by_the_hash_of_its_path(tmp_path: Path) -> None:
    assert cli(tmp_path, wire("TurnBegin", user_input="hello")).cwd == "/w/r"
    (tmp_path / ".kimi" / "kimi.json").write_text("{broken", encoding="utf-8")
    (source,) = CLI.find(str(tmp_path), {})
    assert CLI.read(source, None).session.cwd == ""


def test_a_fork_of_kimi_cli_is_told_by_its_times(tmp_path: Path) -> None:
    """Copied lines, no ids, no link: the same time and words are the same message, elsewhere they are not."""
    first = [wire("TurnBegin", 100.25, user_input="hello"), wire("TurnEnd", 101.0)]
    parent = cli(tmp_path, *first, wire("TurnBegin", 110.0, user_input="again"), session="s1")
    fork = cli(tmp_path, *first, wire("TurnBegin", 120.0, user_input="again"), session="s2")
    assert parent.messages[0].key == fork.messages[0].key
    assert parent.messages[1].key != fork.messages[1].key


@pytest.mark.parametrize(
    "text",
    [
        "<system-reminder>Background tasks completed while you were idle.</system-reminder>",
        "<system>CHECKPOINT 3</system>",
        "[Imported context from file notes.md]",
        "do it.\n\nAvailable branches:\n- CONTINUE\n- STOP\n\nReply with a choice using <choice>...</choice>.",
        fenced(RECALL_TAG, "always use tabs"),
    ],
)
def test_turns_that_the_client_began_itself(text: str, tmp_path: Path) -> None:
    session = cli(
        tmp_path, wire("TurnBegin", user_input="hello"), wire("TurnBegin", 1788872403.0, user_input=parts(text))
    )
    assert [m.origin for m in session.messages] == ["user", "harness"]


def test_a_loop_over_one_prompt_repeats_nothing(tmp_path: Path) -> None:
    session = cli(tmp_path, wire("TurnBegin", 100.0, user_input="do it"), wire("TurnBegin", 100.01, user_input="do it"))
    assert said(session) == [("user", "do it")]
    assert session.skipped == {"repeated_records": 1}


def test_what_a_person_said_while_the_agent_worked(tmp_path: Path) -> None:
    """Steering, a question aside, and the reason of a refusal."""
    session = cli(
        tmp_path,
        wire("TurnBegin", 100.0, user_input="do it"),
        wire("SteerInput", 101.0, user_input=parts("with tabs")),
        wire("BtwBegin", 102.0, id="b", question="what is this"),
        wire("ApprovalResponse", 103.0, request_id="r", response="reject", feedback="never push"),
        wire("ApprovalResponse", 104.0, request_id="r", response="approve", feedback=""),
    )
    assert [text for _, text in said(session)] == ["do it", "with tabs", "what is this", "never push"]


def test_arguments_in_parts_and_a_sub_agents_files(tmp_path: Path) -> None:
    inner = {"type": "ToolCall", "payload": {"function": {"name": "WriteFile", "arguments": '{"path": "/w/r/b.py"}'}}}
    session = cli(
        tmp_path,
        wire("TurnBegin", 100.0, user_input="do it"),
        wire("StepBegin", 100.1, n=1),
        wire("ToolCall", 100.2, id="c1", function={"name": "ReadFile", "arguments": '{"path": "/w'}),
        wire("ToolCallPart", 100.3, arguments_part='/r/a.py"}'),
        wire("SubagentEvent", 100.4, event=inner),
        wire("ToolResult", 100.5, tool_call_id="c1", return_value={"is_error": False, "output": "x"}),
        wire("ToolCall", 100.6, id="c2", function={"name": "recall", "arguments": "{}"}),
        wire("ToolResult", 100.7, tool_call_id="c2", return_value={"is_error": False, "output": "use tabs"}),
        wire("Hologram", 100.8),
    )
    assert session.messages[1].files == ("/w/r/a.py", "/w/r/b.py")
    assert [m.origin for m in session.messages] == ["user", "assistant", "tool", "external"]
    assert session.skipped == {"unknown_records:Hologram": 1}


def _context(folder: Path) -> Path:
    """The one recorded context file, alone in its session's folder."""
    materialise("kimi-cli/acme-api", folder)
    (path,) = folder.glob(".kimi/sessions/*/*/context.jsonl")
    return path


def test_sessions_without_a_wire_file_are_read_from_their_context(tmp_path: Path) -> None:
    """Same words, files and directory as in the wire file; markers and the system prompt are nobody's words."""
    path = _context(tmp_path)
    by_wire = next(s for s in CLI.find(str(tmp_path), {}) if s.path == str(path.parent / "wire.jsonl"))
    wired = CLI.read(by_wire, None).session
    (path.parent / "wire.jsonl").unlink()
    source = next(s for s in CLI.find(str(tmp_path), {}) if s.path == str(path))
    session = CLI.read(source, None).session
    assert said(session) == said(wired)
    assert (session.id, session.cwd) == (wired.id, wired.cwd)
    assert {f for m in session.messages for f in m.files} == {f for m in wired.messages for f in m.files}
    flat = path.parent.with_suffix(".jsonl")
    path.rename(flat)
    for left in path.parent.iterdir():
        left.unlink()
    path.parent.rmdir()
    oldest = next(s for s in CLI.find(str(tmp_path), {}) if s.path == str(flat))
    assert [m.key for m in CLI.read(oldest, None).session.messages] == [m.key for m in session.messages]


def _imported(context: Path, source: Path) -> tuple[list[Record], Record]:
    """What Kimi Code's importer makes of a session: no ids, one time for all."""
    uuid = context.parent.name
    records: list[Record] = [{"type": "metadata", "protocol_version": "1.0", "created_at": 1788437402000}]
    for line in context.read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        if row["role"] not in ("user", "assistant", "tool"):
            continue
        content = parts(row["content"]) if isinstance(row["content"], str) else row["content"]
        if row["role"] == "user":
            records.append({"type": "turn.prompt", "input": content, "origin": USER, "time": 1788437402000})
        message = {"role": row["role"], "content": content, "toolCalls": row.get("tool_calls", [])}
        records.append({"type": "context.append_message", "message": message})
    custom = {"imported_from_kimi_cli": True, "kimi_cli_session_id": uuid, "kimi_cli_source_path": str(source)}
    return records, {"id": f"ses_{uuid}", "workDir": "/w/r", "custom": custom}


@pytest.mark.parametrize("with_wire", [True, False])
def test_an_imported_session_is_the_same_session(with_wire: bool, tmp_path: Path) -> None:
    """Kimi Code takes over old sessions as copies: their prompts keep the keys, what is said afterwards is new."""
    context = _context(tmp_path)
    if not with_wire:
        (context.parent / "wire.jsonl").unlink()
    source = next(s for s in CLI.find(str(tmp_path), {}) if s.path.startswith(str(context.parent)))
    original = CLI.read(source, None).session
    records, state = _imported(context, context.parent)
    session = code(tmp_path, *records, *prompt("msg_new", "and from now on tabs"), state=state)
    prompts = [m.key for m in session.messages if m.origin == "user"]
    assert prompts == [*(m.key for m in original.messages if m.origin == "user"), "msg_new"]
    assert session.live == {m.key for m in session.messages}


def test_an_imported_session_read_in_pieces(tmp_path: Path) -> None:
    """The same words twice in one session: each copy meets its own original, wherever the reading paused."""
    turns = [wire("TurnBegin", 100.0 + place, user_input="yes") for place in range(5)]
    original = cli(tmp_path, *(record for turn in turns for record in (turn, wire("TurnEnd"))))
    folder = tmp_path / ".kimi" / "sessions" / hashlib.md5(b"/w/r").hexdigest() / "s1"
    context = folder / "context.jsonl"
    context.write_bytes(dump({"role": "user", "content": "yes"} for _ in turns))
    records, state = _imported(context, folder)
    code(tmp_path, *records, state=state)
    path = tmp_path / ".kimi-code" / "sessions" / "wd_r_0" / "session_1" / "agents" / "main" / "wire.jsonl"
    data = path.read_bytes()
    path.unlink()
    growing = Growing(CODE, path)
    for line in data.splitlines(keepends=True):
        growing.append(line)
        growing.read()
    assert list(growing.prompts()) == [m.key for m in original.messages]
    assert growing.rereads == 0


@pytest.mark.parametrize(("reader", "variable"), [(CODE, "KIMI_CODE_HOME"), (CLI, "KIMI_SHARE_DIR")])
def test_the_config_homes_variable_is_followed(reader: Any, variable: str, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    assert reader.roots(str(tmp_path), {variable: str(tmp_path / "other")}) == [str(tmp_path / "other")]
    assert reader.roots(str(tmp_path), {variable: "~/other"}) == [str(tmp_path / "other")]
    assert reader.roots(str(tmp_path), {variable: "relative"}) == []
