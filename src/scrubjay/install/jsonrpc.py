"""One question to a program that speaks JSON-RPC over standard input and output, a message a line."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

QUESTION = 2
"""Id of the message whose answer is wanted."""


def ask(
    command: list[str], messages: Sequence[Mapping[str, Any]], *, cwd: str, env: Mapping[str, str], seconds: float
) -> Mapping[str, Any] | None:
    """Start it, send the messages, and give the answer to that with the id `QUESTION`; then the program is ended.

    None when it does not start, or has not answered after so many seconds.
    """
    try:
        with subprocess.Popen(
            command, cwd=cwd, env=dict(env), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as server:
            late = threading.Timer(seconds, server.kill)
            late.start()
            try:
                return _answer(server, messages)
            finally:
                late.cancel()
                server.kill()
    except OSError:
        return None


def _answer(server: subprocess.Popen[bytes], messages: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    assert server.stdin is not None
    assert server.stdout is not None
    with suppress(BrokenPipeError):
        for message in messages:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        server.stdin.flush()
    for line in server.stdout:
        with suppress(ValueError):
            said = json.loads(line)
            if isinstance(said, dict) and said.get("id") == QUESTION:
                return said
    return None
