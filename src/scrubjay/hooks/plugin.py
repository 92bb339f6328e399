"""Events of the one plugin directory that Claude Code, Codex and Qwen Code all install: which client sent this one? Hot."""

from __future__ import annotations

import os

from scrubjay.hooks import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def answer(event: str, data: bytes, environ: Mapping[str, str], *, started: float) -> bytes:
    """The bytes for standard output. `ValueError` when `data` is not JSON."""
    values = wire.payload(data)
    if values is None:
        return b""
    client = client_of(values)
    if client == "codex":
        from scrubjay.hooks import codex as module
    elif client == "qwen-code":
        from scrubjay.hooks import qwen_code as module  # type: ignore[no-redef]
    else:
        from scrubjay.hooks import claude_code as module  # type: ignore[no-redef]
    return module.answer(event, data, environ, started=started)


def client_of(values: Mapping[str, object]) -> str:
    """By the payload and not by the environment: a client that another one started inherits the other's variables.

    Only Qwen Code stamps its events; only Codex names no transcript (an ephemeral run) or one called `rollout-…`.
    """
    if "timestamp" in values:
        return "qwen-code"
    path = values.get("transcript_path")
    if "transcript_path" in values and (path is None or os.path.basename(str(path)).startswith("rollout-")):
        return "codex"
    return "claude-code"
