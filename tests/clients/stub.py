"""A Messages API on the loopback, for the real client in an empty network namespace.

Run as a program inside the namespace: brings the loopback up, prints its port, appends every request to the file named by
the first argument (one JSON line each) and reads its replies from the file named by the second, anew for each request: a
JSON object of "substring of the last user text" → text to answer, or → `{"name": …, "input": …}`, a tool to call.
"""

from __future__ import annotations

import fcntl
import json
import socket
import struct
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 0x1  # linux/sockios.h, linux/if.h
USAGE = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
Reply = str | dict[str, Any]
_lock = threading.Lock()


def raise_loopback() -> None:
    """`ip link set lo up`, without needing `ip`."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        request = struct.pack("16sH14s", b"lo", 0, b"")
        flags = struct.unpack("16sH14s", fcntl.ioctl(sock, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(sock, SIOCSIFFLAGS, struct.pack("16sH14s", b"lo", flags | IFF_UP, b""))


def texts(content: Any) -> list[str]:
    """The texts of a message's content, whichever of its two shapes it has."""
    if isinstance(content, str):
        return [content]
    return [str(block.get("text", "")) for block in content if block.get("type") == "text"]


def reply(body: dict[str, Any], scripted: dict[str, Reply]) -> Reply:
    """What the model says: a summary when asked for one, what is scripted for the last user text, else `ok`."""
    last = [message for message in body["messages"] if message["role"] == "user"][-1]
    said = "\n".join(texts(last["content"]))
    if "<summary>" in said:
        return "<analysis>short</analysis>\n<summary>The person asked for small things and got them.</summary>"
    return next((answer for part, answer in scripted.items() if part in said), "ok")


def events(answer: Reply, model: str) -> list[dict[str, Any]]:
    """The stream of an answer of one block."""
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": []}
    block: dict[str, Any] = {"type": "text", "text": ""}
    delta: dict[str, Any] = {"type": "text_delta", "text": answer}
    if isinstance(answer, dict):
        block = {"type": "tool_use", "id": f"toolu_{abs(hash(str(answer)))}", "name": answer["name"], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(answer["input"])}
    stop = "tool_use" if isinstance(answer, dict) else "end_turn"
    return [
        {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": USAGE}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": USAGE},
        {"type": "message_stop"},
    ]


class Handler(BaseHTTPRequestHandler):
    """Answers as far as the client asks in a headless run."""

    log_file = ""
    reply_file = ""

    def do_HEAD(self) -> None:
        self._send(b"{}")

    def do_GET(self) -> None:
        self._send(b"{}")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if "count_tokens" in self.path:
            return self._send(b'{"input_tokens": 10}')
        record = {"session": self.headers.get("X-Claude-Code-Session-Id", ""), "path": self.path, "body": body}
        with _lock, open(self.log_file, "a", encoding="utf-8") as log:
            log.write(json.dumps(record) + "\n")
        with open(self.reply_file, encoding="utf-8") as file:
            answer = reply(body, json.load(file))
        model = body.get("model", "")
        if body.get("stream"):
            stream = "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events(answer, model))
            return self._send(stream.encode(), "text/event-stream")
        start = events("", model)[0]["message"]
        whole = {**start, "content": [{"type": "text", "text": str(answer)}], "stop_reason": "end_turn"}
        return self._send(json.dumps(whole).encode())

    def _send(self, data: bytes, kind: str = "application/json") -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.send_header("connection", "close")
        self.end_headers()
        if self.command != "HEAD":
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
