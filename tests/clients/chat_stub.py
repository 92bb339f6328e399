"""The APIs of Google (`generateContent`) and OpenAI (`chat/completions`) on the loopback, as far as real clients ask for them.

Run as a module inside the empty network namespace, with the arguments and the scripted replies of `stub.py`.
"""

from __future__ import annotations

import itertools
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

from tests.clients.stub import Reply, raise_loopback

_lock = Lock()


def said(body: dict[str, Any]) -> str:
    """The texts of what the person said last and of what the client put around it: messages of role `user` at the end."""
    messages = body.get("contents", body.get("messages", []))
    last = itertools.takewhile(lambda one: one.get("role") == "user", reversed(messages))
    return "\n".join(text for message in last for text in texts(message))


def texts(message: dict[str, Any]) -> list[str]:
    """The texts of one message in either layout."""
    content = message.get("parts", message.get("content")) or []
    parts = [{"text": content}] if isinstance(content, str) else content
    return [str(part["text"]) for part in parts if isinstance(part, dict) and "text" in part]


def reply(body: dict[str, Any], scripted: dict[str, Reply]) -> Reply:
    """What is scripted for the last user text, else `ok`."""
    text = said(body)
    return next((answer for part, answer in scripted.items() if part in text), "ok")


def google(answer: Reply) -> dict[str, Any]:
    """A whole answer in Google's layout."""
    part = (
        {"text": answer}
        if isinstance(answer, str)
        else {"functionCall": {"name": answer["name"], "args": answer["input"]}}
    )
    return {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
    }


def openai(answer: Reply, model: str, *, stream: bool) -> dict[str, Any]:
    """A whole answer in OpenAI's layout, as one chunk of a stream or as an object."""
    message: dict[str, Any] = {"role": "assistant", "content": answer}
    if isinstance(answer, dict):
        function = {"name": answer["name"], "arguments": json.dumps(answer["input"])}
        call = {"index": 0, "id": f"call_{abs(hash(str(answer)))}", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "finish_reason": "tool_calls" if isinstance(answer, dict) else "stop"}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk" if stream else "chat.completion",
        "created": 1_700_000_000,
        "model": model,
        "choices": [{**choice, "delta" if stream else "message": message}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


class Handler(BaseHTTPRequestHandler):
    """One request: written down, then answered."""

    log_file = ""
    reply_file = ""

    def do_GET(self) -> None:
        self._send(b'{"object": "list", "data": [], "models": []}')

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if "countTokens" in self.path:
            return self._send(b'{"totalTokens": 10}')
        if not ("enerateContent" in self.path or "chat/completions" in self.path):
            return self._send(b"{}")
        with _lock, open(self.log_file, "a", encoding="utf-8") as log:
            log.write(json.dumps({"session": "", "path": self.path, "body": body}) + "\n")
        with open(self.reply_file, encoding="utf-8") as file:
            answer = reply(body, json.load(file))
        stream = "stream" in self.path or body.get("stream") is True
        whole = (
            google(answer) if "enerateContent" in self.path else openai(answer, str(body.get("model")), stream=stream)
        )
        if not stream:
            return self._send(json.dumps(whole).encode())
        end = "data: [DONE]\n\n" if "chat/completions" in self.path else ""
        return self._send(f"data: {json.dumps(whole)}\n\n{end}".encode(), "text/event-stream")

    def _send(self, data: bytes, kind: str = "application/json") -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Silence: standard output is the port alone."""


def main() -> None:
    Handler.log_file, Handler.reply_file = sys.argv[1:3]
    raise_loopback()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
