"""`stub_openai.py` with a model that calls one tool: for a prompt that holds a certain text, once.

Run as a program: the file of requests, then the JSON of `{"when": text, "responses": item, "chat": function}`: what the
Responses API and the Chat Completions API call.
"""

from __future__ import annotations

import json
import os
import sys
from http.server import ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.clients import stub_openai as stub
else:  # run as a program, from any folder
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import stub_openai as stub

CALL = json.loads(sys.argv[2])


class Handler(stub.Handler):
    """Answers `ok` but for the one call."""

    def do_POST(self) -> None:  # noqa: N802 - the base class names it so
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        with stub._lock, open(self.log_file, "a", encoding="utf-8") as log:
            log.write(json.dumps({"path": self.path, "body": body}) + "\n")
        asked = CALL["when"] in _last(body)
        if self.path.endswith("/responses"):
            item = {"id": "f1", "call_id": "call_1", "type": "function_call", **CALL["responses"]}
            rows = [(name, json.loads(data)) for name, data in stub.responses(body)]
            if asked:
                rows[1] = (rows[1][0], {**rows[1][1], "item": item})
            stream = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in rows)
            return self._send(stream, "text/event-stream")
        if body.get("stream"):
            lines = list(stub.chunks(body))
            if asked:
                first, last = json.loads(lines[0]), json.loads(lines[1])
                call = {"index": 0, "id": "call_1", "type": "function", "function": CALL["chat"]}
                first["choices"][0]["delta"] = {"role": "assistant", "content": None, "tool_calls": [call]}
                last["choices"][0]["finish_reason"] = "tool_calls"
                lines[:2] = [json.dumps(first), json.dumps(last)]
            return self._send("".join(f"data: {line}\n\n" for line in lines), "text/event-stream")
        return self._send(json.dumps(stub.completion(body)), "application/json")


def _last(body: dict[str, Any]) -> str:
    """The newest item of the conversation, unless it is the result of a tool."""
    items = body.get("input") or body.get("messages") or [{}]
    newest = items[-1]
    return "" if newest.get("role") == "tool" or "output" in newest else json.dumps(newest, ensure_ascii=False)


if __name__ == "__main__":
    Handler.log_file = sys.argv[1]
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
