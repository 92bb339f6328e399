"""One short session in the form of each agent: a prompt that a person typed, a tool's output, an answer."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from scrubjay.agents import readers
from tests.agents import made, stores
from tests.agents.dumped import TABLES

Record = dict[str, Any]
CWD = "/w/r"
"""What the builders write as the directory; `write` puts the real one in its place."""
SESSION = "11111111-2222-4333-8444-555555555555"
AT = "2026-09-26T09:0{}:00.000Z"
MS = 1_790_413_200_000


def write(agent: str, home: Path, repo: Path, prompt: str, output: str = "a.py", answer: str = "Done.") -> Path:
    """The session below `home`, said in `repo`; its file."""
    path = BUILDERS[agent](home, prompt, output, answer)
    if agent == "kimi-cli":  # its folder is the hash of the directory
        folder = path.parent.parent.rename(path.parent.parent.with_name(hashlib.md5(str(repo).encode()).hexdigest()))
        path = folder / path.parent.name / path.name
    if path.suffix == ".jsonl":
        for file in (path, path.parent.parent.parent / "state.json", home / ".kimi" / "kimi.json"):
            if file.exists():
                text = file.read_text().replace('"sessionId": "s1"', f'"sessionId": "{SESSION}"')
                file.write_text(text.replace(CWD, str(repo)))
    else:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            for table, columns in TABLES[agent].items():
                for column in columns:
                    db.execute(f"UPDATE {table} SET {column} = replace({column}, ?, ?)"
                               f" WHERE typeof({column}) = 'text'", (CWD, str(repo)))  # fmt: skip
    return path


def more(agent: str, path: Path, prompt: str) -> None:
    """Another prompt at the end of that session."""
    if agent in LINES:
        last = json.loads(path.read_text().splitlines()[-1])
        with path.open("a") as file:
            file.write("".join(json.dumps(record) + "\n" for record in NEXT[agent](prompt, last)))
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        if agent == "hermes":
            db.execute("INSERT INTO messages(session_id, role, content, timestamp, active) VALUES('s1', 'user', ?, ?, 1)",
                       (prompt, MS / 1000 + 900))  # fmt: skip
        elif agent == "openclaw":
            message = {"role": "user", "content": prompt}
            event = {"type": "message", "id": "u9", "parentId": None, "timestamp": AT.format(8), "message": message}
            (seq, before) = db.execute("SELECT max(seq), event_id FROM transcript_event_identities").fetchone()
            event["parentId"] = before
            db.execute("INSERT INTO transcript_events(session_id, seq, created_at, event_json) VALUES('s1', ?, ?, ?)",
                       (seq + 1, MS + 900, json.dumps(event)))  # fmt: skip
            db.execute("INSERT INTO transcript_event_identities(session_id, seq, event_id, event_type, parent_id)"
                       " VALUES('s1', ?, 'u9', 'message', ?)", (seq + 1, before))  # fmt: skip
        else:
            at = MS + 900_000
            data = json.dumps({"role": "user", "time": {"created": at}})
            part = json.dumps({"type": "text", "text": prompt})
            db.execute("INSERT INTO message VALUES('msg_9', 'ses_1', ?, ?, ?)", (at, at, data))
            db.execute("INSERT INTO part VALUES('prt_90', 'msg_9', 'ses_1', ?, ?, ?)", (at, at, part))
            db.execute("UPDATE session SET time_updated = ?", (at,))


def _put(path: Path, records: list[Record]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(made.dump(records))
    return path


def _claude(home: Path, prompt: str, output: str, answer: str) -> Path:
    typed = {"entrypoint": "cli", "promptSource": "typed", "turnOrigin": "human"}
    call = {"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": f"{CWD}/a.py"}}
    result = [{"type": "tool_result", "tool_use_id": "t1", "content": output}]
    records = [
        made.claude("cl-u1", None, content=prompt, timestamp=AT.format(0), **typed),
        made.answer("cl-a1", "cl-u1", call, timestamp=AT.format(1)),
        made.claude("cl-r1", "cl-a1", content=result, timestamp=AT.format(2)),
        made.answer("cl-a2", "cl-r1", answer, timestamp=AT.format(3)),
    ]
    return _put(home / ".claude" / "projects" / "-w-r" / f"{SESSION}.jsonl", records)


def _codex(home: Path, prompt: str, output: str, answer: str) -> Path:
    meta = {"id": SESSION, "cwd": CWD, "source": "cli", "originator": "codex_cli_rs", "cli_version": "0.60.0"}
    call = {"type": "function_call", "name": "shell", "arguments": '{"command": ["cat", "a.py"]}', "call_id": "t1"}
    result = {"type": "function_call_output", "call_id": "t1", "output": output}
    records = [
        made.codex("session_meta", meta),
        made.codex_message("user", prompt),
        made.codex("response_item", call),
        made.codex("response_item", result),
        made.codex_message("assistant", answer),
    ]
    for number, record in enumerate(records):
        record["timestamp"] = AT.format(number)
    folder = home / ".codex" / "sessions" / "2026" / "09" / "26"
    return _put(folder / f"rollout-2026-09-26T09-00-00-{SESSION}.jsonl", records)


def _qwen(home: Path, prompt: str, output: str, answer: str) -> Path:
    call = {"functionCall": {"id": "t1", "name": "read_file", "args": {"absolute_path": f"{CWD}/a.py"}}}
    result = {"functionResponse": {"id": "t1", "name": "read_file", "response": {"output": output}}}
    records = [
        made.qwen("qw-u1", None, text=prompt),
        {**made.qwen("qw-a1", "qw-u1", "assistant"), "message": {"role": "model", "parts": [call]}},
        {**made.qwen("qw-r1", "qw-a1", "tool_result"), "message": {"role": "user", "parts": [result]}},
        made.qwen("qw-a2", "qw-r1", "assistant", answer),
    ]
    for number, record in enumerate(records):
        record["timestamp"] = AT.format(number)
    return _put(home / ".qwen" / "projects" / "-w-r" / "chats" / f"{SESSION}.jsonl", records)


def _gemini(home: Path, prompt: str, output: str, answer: str) -> Path:
    folder = home / ".gemini" / "tmp" / "r"
    (folder / "chats").mkdir(parents=True)
    (folder / "logs.json").write_text(json.dumps([{"sessionId": SESSION, "message": prompt}]))
    head = {"sessionId": SESSION, "projectHash": "x", "startTime": AT.format(0), "kind": "main"}
    context = "<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\n"
    context += f"- **Workspace Directories:**\n  - {CWD}\n"
    result: list[Record] = [{"functionResponse": {"id": "t1", "name": "read_file", "response": {"output": output}}}]
    call = {"id": "t1", "name": "read_file", "args": {"file_path": f"{CWD}/a.py"}, "result": result}

    def message(uid: str, number: int, kind: str, content: object, **more: Any) -> Record:
        return {"id": uid, "timestamp": AT.format(number), "type": kind, "content": content, **more}

    records: list[Record] = [
        head,
        {"$set": {"messages": [message("c", 0, "user", [{"text": context}])]}},
        message("ge-u1", 1, "user", [{"text": prompt}]),
        message("ge-a1", 2, "gemini", "", toolCalls=[call]),
        message("ge-r1", 3, "user", result),
        message("ge-a2", 4, "gemini", answer),
    ]
    return _put(folder / "chats" / f"session-2026-09-26T09-00-{SESSION[:8]}.jsonl", records)


def _pi(home: Path, prompt: str, output: str, answer: str) -> Path:
    def entry(uid: str, parent: str | None, number: int, role: str, content: object, **more: Any) -> Record:
        message = {"role": role, "content": content, "timestamp": MS + 60_000 * number, **more}
        return {"type": "message", "id": uid, "parentId": parent, "timestamp": AT.format(number), "message": message}

    def text(words: str) -> list[Record]:
        return [{"type": "text", "text": words}]

    call = [{"type": "toolCall", "id": "t1", "name": "read", "arguments": {"path": f"{CWD}/a.py"}}]
    records = [
        {"type": "session", "version": 3, "id": SESSION, "timestamp": AT.format(0), "cwd": CWD},
        entry("00000001", None, 1, "user", prompt),
        entry("00000002", "00000001", 2, "assistant", call),
        entry("00000003", "00000002", 3, "toolResult", text(output), toolCallId="t1", toolName="read"),
        entry("00000004", "00000003", 4, "assistant", text(answer)),
    ]
    return _put(home / ".pi" / "agent" / "sessions" / "--w-r--" / f"2026-09-26T09-00-00-000Z_{SESSION}.jsonl", records)


def _kimi_prompt(prompt: str, number: int = 0) -> list[Record]:
    parts, at, uid = [{"type": "text", "text": prompt}], MS + number, f"msg_{number}"
    message = {"role": "user", "content": parts, "toolCalls": [], "origin": {"kind": "user"}, "id": uid}
    return [
        {"type": "turn.prompt", "input": parts, "origin": {"kind": "user"}, "time": at, "promptId": uid},
        {"type": "context.append_message", "message": message, "time": at + 1},
    ]


def _kimi_code(home: Path, prompt: str, output: str, answer: str) -> Path:
    def loop(number: int, **event: object) -> Record:
        return {"type": "context.append_loop_event", "event": event, "time": MS + number}

    folder = home / ".kimi-code" / "sessions" / "wd_r_0" / SESSION
    folder.mkdir(parents=True)
    (folder / "state.json").write_text(json.dumps({"id": SESSION, "cwd": CWD}))
    args = {"path": f"{CWD}/a.py"}
    records = [
        *_kimi_prompt(prompt),
        loop(10, type="tool.call", uuid="c1", stepUuid="s1", toolCallId="t1", name="Read", args=args),
        loop(11, type="tool.result", parentUuid="c1", toolCallId="t1", result={"output": output}),
        loop(12, type="content.part", uuid="p1", stepUuid="s2", part={"type": "text", "text": answer}),
    ]
    return _put(folder / "agents" / "main" / "wire.jsonl", records)


def _wire(kind: str, number: int, **payload: object) -> Record:
    return {"timestamp": MS / 1000 + number, "message": {"type": kind, "payload": payload}}


def _kimi_cli(home: Path, prompt: str, output: str, answer: str) -> Path:
    root = home / ".kimi"
    root.mkdir()
    (root / "kimi.json").write_text(json.dumps({"work_dirs": [{"path": CWD}]}))
    call = {"name": "ReadFile", "arguments": json.dumps({"path": f"{CWD}/a.py"})}
    records = [
        _wire("TurnBegin", 0, user_input=prompt),
        _wire("ToolCall", 1, id="t1", function=call),
        _wire("ToolResult", 2, tool_call_id="t1", return_value={"is_error": False, "output": output}),
        _wire("ContentPart", 3, type="text", text=answer),
    ]
    return _put(root / "sessions" / hashlib.md5(CWD.encode()).hexdigest() / SESSION / "wire.jsonl", records)


def _opencode(home: Path, prompt: str, output: str, answer: str) -> Path:
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    state = {"status": "completed", "input": {"filePath": f"{CWD}/a.py"}, "output": output}
    call = {"type": "tool", "tool": "read", "callID": "t1", "state": state}
    said: list[tuple[str, list[str | Record]]] = [("user", [prompt]), ("assistant", [call, answer])]
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        for table, columns in TABLES["opencode"].items():
            db.execute(f"CREATE TABLE {table}(id text PRIMARY KEY, {', '.join(columns[1:])})")
        db.execute("INSERT INTO session VALUES('ses_1', NULL, ?, 'a title', NULL, NULL, ?, ?)", (CWD, MS, MS + 99))
        for number, (role, parts) in enumerate(said):
            at, uid = MS + 1000 * number, f"msg_{number}"
            data = json.dumps({"role": role, "time": {"created": at, "completed": at + 5}})
            db.execute("INSERT INTO message VALUES(?, 'ses_1', ?, ?, ?)", (uid, at, at, data))
            for piece, part in enumerate(parts):
                text = json.dumps({"type": "text", "text": part} if isinstance(part, str) else part)
                row = (f"prt_{number}{piece}", uid, at, at, text)
                db.execute("INSERT INTO part VALUES(?, ?, 'ses_1', ?, ?, ?)", row)
    return path


def _hermes(home: Path, prompt: str, output: str, answer: str) -> Path:
    store = stores.HermesStore(home)
    store.session("s1")
    call = {"id": "t1", "function": {"name": "read_file", "arguments": json.dumps({"path": f"{CWD}/a.py"})}}
    store.say("s1", "user", prompt)
    store.say("s1", "assistant", None, tool_calls=json.dumps([call]))
    store.say("s1", "tool", output, tool_call_id="t1", tool_name="read_file")
    store.say("s1", "assistant", answer)
    return store.path


def _openclaw(home: Path, prompt: str, output: str, answer: str) -> Path:
    store = stores.OpenClawStore(home)
    store.window("s1")
    store.say("s1", "user", prompt)
    call = [{"type": "toolCall", "id": "t1", "name": "read", "arguments": {"path": f"{CWD}/a.py"}}]
    store.record("s1", "message", message={"role": "assistant", "content": call})
    result = [{"type": "text", "text": output}]
    store.record("s1", "message", message={"role": "toolResult", "content": result, "toolCallId": "t1"})
    store.say("s1", "assistant", answer)
    return store.path


BUILDERS: dict[str, Callable[[Path, str, str, str], Path]] = {
    "claude-code": _claude,
    "codex": _codex,
    "gemini-cli": _gemini,
    "hermes": _hermes,
    "kimi-cli": _kimi_cli,
    "kimi-code": _kimi_code,
    "openclaw": _openclaw,
    "opencode": _opencode,
    "pi": _pi,
    "qwen-code": _qwen,
}
assert set(BUILDERS) == set(readers()), "an agent is read and not built here"

NEXT: dict[str, Callable[[str, Record], list[Record]]] = {
    "claude-code": lambda prompt, last: [
        {**last, "parentUuid": last["uuid"], "uuid": "u2", "type": "user", "timestamp": AT.format(8),
         "message": {"role": "user", "content": prompt}, "entrypoint": "cli", "turnOrigin": "human"}
    ],
    "codex": lambda prompt, _last: [{**made.codex_message("user", prompt), "timestamp": AT.format(8)}],
    "gemini-cli": lambda prompt, _last: [
        {"id": "u2", "timestamp": AT.format(8), "type": "user", "content": [{"text": prompt}]}
    ],
    "kimi-cli": lambda prompt, _last: [_wire("TurnBegin", 100, user_input=prompt)],
    "kimi-code": lambda prompt, _last: _kimi_prompt(prompt, 100)[-1:],
    "pi": lambda prompt, last: [
        {**last, "id": "00000009", "parentId": last["id"], "timestamp": AT.format(8),
         "message": {"role": "user", "content": prompt, "timestamp": MS + 500_000}}
    ],
    "qwen-code": lambda prompt, last: [{**made.qwen("u2", last["uuid"], text=prompt), "cwd": last["cwd"], "sessionId": SESSION,
                                        "timestamp": AT.format(8)}],
}  # fmt: skip
"""Agents whose sessions are files of lines."""
LINES = tuple(sorted(NEXT))
DATABASES = tuple(sorted(set(BUILDERS) - set(NEXT)))

IDS = {**dict.fromkeys(BUILDERS, SESSION), "hermes": "s1", "openclaw": "s1", "opencode": "ses_1"}
"""How the agent calls the session."""
