"""A Responses API (Codex) and a Chat Completions API (Qwen Code) on the loopback, beside `stub.py` in the same namespace.

Run as a program: prints its port, appends every request to the file named by the first argument (one JSON line each). It
answers `ok`, with two exceptions: `WAIT`, and a tool that the client forces, which is called with nothing.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

INPUT_TOKENS = 50_000
"""So many that a client told to compact does so with the next prompt."""
WAIT = "wait a moment first"
"""A prompt with these words makes the model call the client's shell first. For Codex some seconds go by in it, in which its
MCP servers come up."""
_lock = threading.Lock()


def responses(body: dict[str, Any]) -> Iterable[tuple[str, str]]:
    """Event and data of the stream of one answer."""
    text = {"type": "output_text", "text": "ok", "annotations": []}
    item: dict[str, Any] = {"type": "message", "role": "assistant", "id": "m1", "content": [text]}
    if WAIT in str(body["input"]) and not any(one.get("type") == "function_call_output" for one in body["input"]):
        item = {"type": "function_call", "id": "f1", "call_id": "c1", "name": "exec_command"}
        item["arguments"] = json.dumps({"cmd": "sleep 8", "yield_time_ms": 15000})
    usage = {"input_tokens": INPUT_TOKENS, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": INPUT_TOKENS + 5}
    for event in (
        {"type": "response.created", "response": {"id": "r1"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": "r1", "usage": usage}},
    ):
        yield str(event["type"]), json.dumps(event)


def chunks(body: dict[str, Any]) -> Iterable[str]:
    """Data of the stream of one chat completion."""
    start = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "stub-model"}
    delta: dict[str, Any] = {"role": "assistant", "content": "ok"}
    calling = WAIT in str(body["messages"]) and not any(one["role"] == "tool" for one in body["messages"])
    if calling:
        function = {"name": "run_shell_command", "arguments": json.dumps({"command": "true", "is_background": False})}
        call = {"index": 0, "id": "call1", "type": "function", "function": function}
        delta = {"role": "assistant", "content": None, "tool_calls": [call]}
    said = {"index": 0, "delta": delta, "finish_reason": None}
    ended = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if calling else "stop"}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    for part in ({"choices": [said]}, {"choices": [ended]}, {"choices": [], "usage": usage}):
        yield json.dumps({**start, **part})
    yield "[DONE]"


def completion(body: dict[str, Any]) -> dict[str, Any]:
    """A chat completion that is not streamed: a forced tool is called with nothing."""
    tools = body.get("tools") or []
    message: dict[str, Any] = {"role": "assistant", "content": "ok"}
    if tools:
        function = {"name": tools[0]["function"]["name"], "arguments": '{"selected_memories": []}'}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "t", "type": "function", "function": function}],
        }
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "stub-model",
        "choices": [choice],
        "usage": usage,
    }


class Handler(BaseHTTPRequestHandler):
    """Answers as far as the clients ask in a headless run."""

    log_file = ""

    def do_GET(self) -> None:
        self._send("{}", "application/json")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        with _lock, open(self.log_file, "a", encoding="utf-8") as log:
            log.write(json.dumps({"path": self.path, "body": body}) + "\n")
        if self.path.endswith("/responses"):
            stream = "".join(f"event: {event}\ndata: {data}\n\n" for event, data in responses(body))
            return self._send(stream, "text/event-stream")
        if body.get("stream"):
            return self._send("".join(f"data: {data}\n\n" for data in chunks(body)), "text/event-stream")
        return self._send(json.dumps(completion(body)), "application/json")

    def _send(self, text: str, kind: str) -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Silence: standard output is the port alone."""


def main() -> None:
    Handler.log_file = sys.argv[1]
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
