"""Further layouts, as in `layouts.py`: pi, Kimi Code, kimi-cli, Gemini CLI."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from layouts import STAMP, Maker


class Pi(Maker):
    """pi 1.6: a tree; version 1: a list without ids."""

    def __init__(self, version: int = 3) -> None:
        super().__init__()
        self.version, self.count = version, 0

    def entry(self, kind: str, **values: object) -> dict[str, object]:
        self.count += 1
        at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(milliseconds=self.count * 37)
        stamp = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if self.version == 1:
            return {"type": kind, "timestamp": stamp, **values}
        uid, parent = (
            f"{self.count * 2654435761 % (1 << 32):08x}",
            self.parent,
        )
        self.parent = uid
        return {"type": kind, "id": uid, "parentId": parent, "timestamp": stamp, **values}

    def turn(self) -> Iterator[dict[str, object]]:
        if not self.count:
            head: dict[str, object] = {
                "type": "session",
                "id": self.uid(),
                "timestamp": STAMP,
                "cwd": "/home/dev/acme-api",
            }
            yield head if self.version == 1 else {**head, "version": self.version}
        yield self.message("user", [{"type": "text", "text": self.words(30)}])
        for _ in range(12):
            yield from self.step()
        yield self.message("assistant", [{"type": "text", "text": self.words(120)}], usage={"note": self.words(10)})

    def message(self, role: str, content: list[dict[str, object]], **values: object) -> dict[str, object]:
        return self.entry("message", message={"role": role, "content": content, "timestamp": 1788872400567, **values})

    def step(self) -> Iterator[dict[str, object]]:
        call = f"call_{self.uid()[:24]}"
        arguments = {"command": f"python3 scripts/check.py -k {self.words(2)}"}
        block: dict[str, object] = {"type": "toolCall", "id": call, "name": "bash", "arguments": arguments}
        yield self.message("assistant", [block], usage={"input": 404, "note": self.words(20)}, stopReason="toolUse")
        output: dict[str, object] = {"type": "text", "text": self.output()}
        yield self.message("toolResult", [output], toolCallId=call, toolName="bash", isError=False)

    def long(self, size: int) -> dict[str, object]:
        return self.message("toolResult", [{"type": "text", "text": "x" * size}], toolCallId="c", toolName="read")


class KimiCode(Maker):
    """Kimi Code 2.1, with the events that repeat everything."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def line(self, kind: str, **values: object) -> dict[str, object]:
        self.count += 37
        return {"type": kind, "agentId": "main", **values, "time": 1788872401974 + self.count}

    def event(self, message: Mapping[str, object]) -> dict[str, object]:
        self.count += 1
        return {
            "message": {"message": message, "meta": {"source": "llm"}},
            "type": "agent.message.appended",
            "time": 1788872401974 + self.count,
            "kind": "event",
        }

    def turn(self) -> Iterator[dict[str, object]]:
        if not self.count:
            yield {"type": "metadata", "protocol_version": "1.5", "created_at": 1788872401939}
            yield self.line("llm.tools_snapshot", tools=[{"description": self.code(400)}] * 40)
        prompt, text = f"msg_{self.random.getrandbits(128):026X}"[:30], self.words(30)
        content = [{"type": "text", "text": text}]
        yield self.line("turn.prompt", input=content, origin={"kind": "user"}, promptId=prompt)
        message = {"role": "user", "content": content, "id": prompt, "toolCalls": [], "origin": {"kind": "user"}}
        yield self.line("context.append_message", message=message)
        yield self.event(message)
        for _ in range(12):
            yield from self.step()
        uid = self.uid()
        part = {"type": "text", "text": self.words(120)}
        yield self.loop("step.begin", uuid=uid)
        yield self.loop("content.part", uuid=self.uid(), stepUuid=uid, part=part)
        yield self.event({"role": "assistant", "content": [part], "toolCalls": []})

    def loop(self, kind: str, **values: object) -> dict[str, object]:
        return self.line("context.append_loop_event", event={"type": kind, **values})

    def step(self) -> Iterator[dict[str, object]]:
        step, uid, call, output = self.uid(), self.uid(), f"call_{self.uid()[:24]}", self.output()
        arguments = {"command": f"python3 scripts/check.py -k {self.words(2)}"}
        yield self.loop("step.begin", uuid=step)
        yield self.line("llm.request", provider="openai", systemPromptHash=self.uid() * 2)
        yield self.line("usage.record", usage={"inputOther": 9442, "note": self.words(20)})
        yield self.loop("tool.call", uuid=uid, stepUuid=step, toolCallId=call, name="Bash", args=arguments)
        yield self.loop("tool.result", parentUuid=uid, toolCallId=call, result={"output": output})
        yield self.loop("step.end", uuid=step, usage={"inputOther": 9442})
        yield self.event({"role": "tool", "content": [{"type": "text", "text": output}], "toolCallId": call})

    def long(self, size: int) -> dict[str, object]:
        return self.loop("tool.result", parentUuid=self.uid(), toolCallId="c", result={"output": "x" * size})


class KimiCli(Maker):
    """kimi-cli 1.49."""

    separators = (", ", ": ")

    def __init__(self) -> None:
        super().__init__()
        self.clock = 1788872402.401517

    def line(self, kind: str, **payload: object) -> dict[str, object]:
        self.clock += 0.37
        return {"timestamp": self.clock, "message": {"type": kind, "payload": payload}}

    def turn(self) -> Iterator[dict[str, object]]:
        yield self.line("TurnBegin", user_input=self.words(30))
        for _ in range(12):
            yield from self.step()
        yield self.line("StepBegin", n=13)
        yield self.line("ContentPart", type="text", text=self.words(120))
        yield self.line("TurnEnd")

    def step(self) -> Iterator[dict[str, object]]:
        call = f"call_{self.uid()[:24]}"
        arguments = json.dumps({"command": f"python3 scripts/check.py -k {self.words(2)}"})
        yield self.line("StepBegin", n=1)
        yield self.line("ToolCall", type="function", id=call, function={"name": "Shell", "arguments": arguments})
        yield self.line("StatusUpdate", context_usage=0.06, token_usage={"note": self.words(20)})
        value = {"is_error": False, "output": self.output(), "message": "Command executed successfully."}
        yield self.line("ToolResult", tool_call_id=call, return_value=value)

    def long(self, size: int) -> dict[str, object]:
        return self.line("ToolResult", tool_call_id="c", return_value={"is_error": False, "output": "x" * size})


class GeminiCli(Maker):
    """Gemini CLI 0.61: an answer with tool calls is written before and after they ran, a line on the time behind each."""

    def __init__(self) -> None:
        super().__init__()
        self.session, self.count = self.uid(), 0

    def message(self, kind: str, content: object, uid: str = "", **values: object) -> Iterator[dict[str, object]]:
        yield {"id": uid or self.uid(), "timestamp": STAMP, "type": kind, "content": content, **values}
        yield {"$set": {"lastUpdated": STAMP}}

    def answer(self, content: str, uid: str = "", **values: object) -> Iterator[dict[str, object]]:
        tokens = {"input": 12_474, "output": 47, "cached": 0, "thoughts": 0, "tool": 0, "total": 12_521}
        return self.message("gemini", content, uid, thoughts=[], tokens=tokens, model="gemini-2.5-pro", **values)

    def turn(self) -> Iterator[dict[str, object]]:
        if not self.count:
            head = {"sessionId": self.session, "projectHash": "6689668a" * 8, "startTime": STAMP, "lastUpdated": STAMP}
            yield {**head, "kind": "main"}
            context = "<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\n"
            message = {
                "id": self.uid(),
                "timestamp": STAMP,
                "type": "user",
                "content": [{"text": context + self.code(900)}],
            }
            yield {"$set": {"messages": [message]}}
        yield from self.message("user", [{"text": self.words(30)}])
        for _ in range(12):
            yield from self.step(self.output())
        yield from self.answer(self.words(120))

    def step(self, output: str) -> Iterator[dict[str, object]]:
        self.count += 1
        uid, call = self.uid(), f"run_shell_command__run_shell_command_1789374305101_{self.count}"
        response = {"functionResponse": {"id": call, "name": "run_shell_command", "response": {"output": output}}}
        arguments = {"command": f"python3 scripts/check.py -k {self.words(2)}", "description": self.words(5)}
        done: dict[str, object] = {"id": call, "name": "run_shell_command", "args": arguments, "result": [response]}
        done |= {"status": "success", "timestamp": STAMP, "resultDisplay": output[:30_000], "displayName": "Shell"}
        yield from self.answer("", uid)
        yield next(self.answer("", uid, toolCalls=[done]))
        yield from self.message("user", [response])

    def long(self, size: int) -> dict[str, object]:
        response = {"functionResponse": {"id": "c", "name": "read_file", "response": {"output": "x" * size}}}
        return next(self.message("user", [response]))
