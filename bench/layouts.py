"""Sessions as the clients write them, of any length, with fixed randomness: for `learn.py`."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Iterator, Mapping
from typing import Protocol

WORDS = ("the", "tests", "of", "the", "billing", "service", "fail", "when", "the", "cache", "is", "cold", "again")
CODE = (
    '    if total < 0:\n        raise ValueError(f"total of {invoice!r} is negative: {total}")\n\treturn "\\u2713 ok"\n'
)
STAMP = "2026-09-01T08:40:00.303Z"


class Layout(Protocol):
    """Makes the records of a session."""

    separators: tuple[str, str]
    """As the client's JSON has them."""

    def turn(self) -> Iterator[dict[str, object]]:
        """One turn: a prompt, a dozen tool calls, an answer."""

    def long(self, size: int) -> dict[str, object]:
        """A record with a string of so many bytes."""


class Maker:
    """Records of one layout, with fixed randomness."""

    separators = (",", ":")

    def __init__(self) -> None:
        self.random = random.Random(7)
        self.parent: str | None = None

    def uid(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def words(self, count: int) -> str:
        return " ".join(self.random.choices(WORDS, k=count))

    def code(self, size: int) -> str:
        return (CODE * (size // len(CODE) + 1))[:size]

    def output(self) -> str:
        """A tool's output: mostly short, now and then a whole file."""
        return self.code(int(min(self.random.paretovariate(0.9) * 500, 60_000)))


class Claude(Maker):
    """Claude Code. `harness`: the bookkeeping that 2.1.332 writes around each request."""

    def __init__(self, harness: bool) -> None:
        super().__init__()
        self.harness, self.session = harness, self.uid()

    def node(self, kind: str, **values: object) -> dict[str, object]:
        uid, parent = self.uid(), self.parent
        self.parent = uid
        head = {"parentUuid": parent, "isSidechain": False}
        tail = {
            "uuid": uid,
            "timestamp": STAMP,
            "userType": "external",
            "entrypoint": "cli",
            "cwd": "/home/dev/acme-api",
        }
        tail |= {"sessionId": self.session, "version": "2.1.332", "gitBranch": "main"}
        if kind in ("attachment", "assistant"):
            return {**head, **values, "type": kind, **tail}
        if kind == "progress":
            del tail["uuid"], tail["timestamp"]
            return {**head, **tail, "type": kind, **values, "uuid": uid, "timestamp": STAMP}
        return {**head, "type": kind, **values, **tail}

    def attachment(self, kind: str, size: int) -> dict[str, object]:
        text = self.code(size)
        return self.node(
            "attachment", attachment={"type": kind, "text": text}, rendered=[{"content": text}], renderedRole="user"
        )

    def turn(self) -> Iterator[dict[str, object]]:
        prompt = self.words(30)
        yield self.node(
            "user", message={"role": "user", "content": prompt}, promptSource="typed", origin={"kind": "human"}
        )
        if self.harness:
            for kind, size in (
                ("environment", 700),
                ("model", 200),
                ("skill_listing", 6000),
                ("session_context", 900),
                ("date", 50),
            ):
                yield self.attachment(kind, size)
            yield self.attachment("prompt_snapshot", 28_000)
            yield {"type": "api-request-shape", "sessionId": self.session, "shape": {"system": self.code(38_000)}}
            yield {
                "type": "api-request-blob",
                "sessionId": self.session,
                "message": {"role": "user", "content": self.code(9000)},
            }
        for _ in range(12):
            yield from self.step()
        yield self.assistant({"type": "text", "text": self.words(120)})
        yield {"type": "last-prompt", "lastPrompt": prompt, "leafUuid": self.parent, "sessionId": self.session}

    def assistant(self, block: dict[str, object]) -> dict[str, object]:
        message = {"id": f"msg_{self.uid()[:20]}", "role": "assistant", "model": "claude-opus-5-5", "content": [block]}
        return self.node(
            "assistant", message={**message, "usage": {"input_tokens": 12, "output_tokens": 61}}, effort="medium"
        )

    def step(self) -> Iterator[dict[str, object]]:
        if self.harness:
            yield {
                "type": "api-request",
                "sessionId": self.session,
                "params": {"betas": [self.words(4)] * 6},
                "tail": [self.uid()] * 20,
            }
        call = f"toolu_{self.uid()[:24]}"
        command = {"command": f"python3 scripts/check.py --fast -k {self.words(2)}", "description": self.words(5)}
        yield self.assistant({"type": "thinking", "thinking": "", "signature": self.uid() * 10})
        yield self.assistant({"type": "tool_use", "id": call, "name": "Bash", "input": command})
        if not self.harness:
            for _ in range(3):
                yield self.node("progress", data={"type": "bash_progress", "output": self.code(600)}, toolUseID=call)
        output = self.output()
        result = {"tool_use_id": call, "type": "tool_result", "content": output, "is_error": False}
        yield self.node(
            "user", message={"role": "user", "content": [result]}, toolUseResult={"stdout": output, "stderr": ""}
        )

    def long(self, size: int) -> dict[str, object]:
        image = {"type": "image", "source": {"type": "base64", "data": "iVBORw0KGgo" * (size // 11)}}
        content = [{"type": "text", "text": "what is on this screenshot?"}, image]
        return self.node(
            "user", message={"role": "user", "content": content}, promptSource="typed", origin={"kind": "human"}
        )


class Codex(Maker):
    """Codex 0.171, a paginated thread."""

    def __init__(self) -> None:
        super().__init__()
        self.ordinal, self.thread = -1, self.uid()

    def line(self, kind: str, payload: dict[str, object]) -> dict[str, object]:
        self.ordinal += 1
        return {"timestamp": STAMP, "ordinal": self.ordinal, "type": kind, "payload": payload}

    def event(self, kind: str, **values: object) -> dict[str, object]:
        return self.line("event_msg", {"type": kind, **values})

    def turn(self) -> Iterator[dict[str, object]]:
        if self.ordinal < 0:
            meta = {
                "id": self.thread,
                "cwd": "/home/dev/acme-api",
                "source": "cli",
                "base_instructions": {"text": self.code(22_000)},
            }
            yield self.line("session_meta", {**meta, "history_mode": "paginated"})
        yield self.event("task_started", turn_attribution={"turn_trigger": "user"})
        yield self.line("world_state", {"full": True, "state": {"agents_md": self.code(1500)}})
        yield self.line("turn_context", {"cwd": "/home/dev/acme-api", "model": "gpt-5.5", "summary": self.words(40)})
        yield self.message("user", self.words(30), "user.text")
        for _ in range(12):
            yield from self.step()
        yield self.message("assistant", self.words(120), "unknown")

    def message(self, role: str, text: str, kind: str) -> dict[str, object]:
        notes = {"content_item_kinds": [kind]}
        content = [{"type": "input_text", "text": text}]
        item = {"type": "message", "id": f"msg_{self.uid()}", "role": role, "content": content}
        return self.line("response_item", {**item, "internal_chat_message_metadata_passthrough": notes})

    def step(self) -> Iterator[dict[str, object]]:
        call, output = f"call_{self.uid()[:24]}", self.output()
        arguments = json.dumps({"cmd": f"python3 scripts/check.py -k {self.words(2)}"})
        yield self.line("response_item", {"type": "reasoning", "summary": [], "encrypted_content": self.uid() * 40})
        yield self.line(
            "response_item",
            {
                "type": "function_call",
                "id": f"fc_{self.uid()}",
                "name": "exec_command",
                "arguments": arguments,
                "call_id": call,
            },
        )
        yield self.line(
            "token_usage_record", {"thread_id": self.thread, "usage": {"input_tokens": 1, "note": self.words(40)}}
        )
        done = {
            "type": "CommandExecution",
            "id": call,
            "command": ["/bin/bash", "-lc", "check"],
            "aggregated_output": output,
        }
        yield self.event("item_completed", thread_id=self.thread, item=done)
        yield self.line(
            "response_item",
            {"type": "function_call_output", "id": f"fco_{self.uid()}", "call_id": call, "output": output},
        )
        yield self.event("token_count", info={"total_token_usage": {"input_tokens": 9573}, "note": self.words(30)})

    def long(self, size: int) -> dict[str, object]:
        return self.line(
            "response_item",
            {"type": "function_call_output", "id": f"fco_{self.uid()}", "call_id": "c", "output": "x" * size},
        )


class Qwen(Maker):
    """Qwen Code 0.24.4, in the terminal."""

    def __init__(self) -> None:
        super().__init__()
        self.session = self.uid()

    def node(self, kind: str, provenance: str, **values: object) -> dict[str, object]:
        uid, parent = self.uid(), self.parent
        self.parent = uid
        head = {"uuid": uid, "parentUuid": parent, "sessionId": self.session, "timestamp": STAMP, "type": kind}
        return {
            **head,
            "provenance": provenance,
            "cwd": "/home/dev/acme-api",
            "version": "0.24.4",
            "gitBranch": "main",
            **values,
        }

    def system(self, subtype: str, payload: dict[str, object]) -> dict[str, object]:
        return self.node("system", "system", subtype=subtype, systemPayload=payload)

    def said(self, kind: str, provenance: str, role: str, part: Mapping[str, object]) -> dict[str, object]:
        return self.node(kind, provenance, message={"role": role, "parts": [part]})

    def turn(self) -> Iterator[dict[str, object]]:
        yield self.said("user", "real_user", "user", {"text": self.words(30)})
        yield self.system("attribution_snapshot", {"snapshot": {"fileStates": {"a": self.code(2000)}}})
        yield self.system("file_history_snapshot", {"snapshots": []})
        for _ in range(12):
            yield from self.step()
        yield self.said("assistant", "assistant_output", "model", {"text": self.words(120)})

    def step(self) -> Iterator[dict[str, object]]:
        call, output = f"call_{self.uid()[:24]}", self.output()
        arguments = {"command": f"python3 scripts/check.py -k {self.words(2)}"}
        yield self.system(
            "ui_telemetry", {"uiEvent": {"event.name": "qwen-code.api_response", "response_text": self.words(60)}}
        )
        called = {"functionCall": {"id": call, "name": "run_shell_command", "args": arguments}}
        yield self.said("assistant", "assistant_output", "model", called)
        yield self.system(
            "ui_telemetry", {"uiEvent": {"event.name": "qwen-code.tool_call", "function_args": arguments}}
        )
        answer = {"functionResponse": {"id": call, "name": "run_shell_command", "response": {"output": output}}}
        shown = {"callId": call, "status": "success", "resultDisplay": {"output": output[:32_000]}}
        yield {**self.said("tool_result", "tool_result", "user", answer), "toolCallResult": shown}

    def long(self, size: int) -> dict[str, object]:
        answer = {"functionResponse": {"id": "c", "name": "read_file", "response": {"output": "x" * size}}}
        return self.said("tool_result", "tool_result", "user", answer)
