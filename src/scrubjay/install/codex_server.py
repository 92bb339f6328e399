"""Asking Codex itself which hooks it sees: `codex app-server`, JSON-RPC over standard input and output (0.171.0)."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

SECONDS = 10
"""It answers within one; a machine that takes longer is not asked."""

_INITIALISE = {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "scrubjay", "version": "1"}}}
_INITIALISED = {"method": "initialized"}


def hooks(folder: str, environ: Mapping[str, str]) -> list[dict[str, Any]] | None:
    """Every hook that a session in `folder` would have, as `hooks/list` names them; None when there is no `codex` to ask, or
    it does not know the question."""
    program = shutil.which("codex", path=environ.get("PATH"))
    if program is None:
        return None
    question = {"id": 2, "method": "hooks/list", "params": {"cwds": [folder]}}
    try:
        with subprocess.Popen(
            [program, "app-server"], cwd=folder, env={**environ, "SCRUBJAY_INSIDE": "1"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        ) as server:  # fmt: skip
            late = threading.Timer(SECONDS, server.kill)
            late.start()
            try:
                return _answer(server, [_INITIALISE, _INITIALISED, question])
            finally:
                late.cancel()
                server.kill()
    except OSError:
        return None


def _answer(server: subprocess.Popen[bytes], messages: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
    assert server.stdin is not None
    assert server.stdout is not None
    with suppress(BrokenPipeError):
        for message in messages:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        server.stdin.flush()
    for line in server.stdout:
        with suppress(ValueError, LookupError, TypeError):
            said = json.loads(line)
            if said.get("id") == 2:
                return [one for row in said["result"]["data"] for one in row["hooks"]] if "result" in said else None
    return None
