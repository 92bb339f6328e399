"""Codex's events (docs/codex.md): payload in, the client's JSON out. Hot: standard library only.

Measured on the real client, 0.171.0: what a hook brings is a developer message that stays in the thread and is replayed by a
resume and a fork; a compaction drops it and fires SessionStart again, `compact`, before the prompt's own event.
"""

from __future__ import annotations

import os

from scrubjay.home import user_home
from scrubjay.hooks import flow, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "codex"
MEMORY_FOLDERS = ("memories", "memories_v2")
"""In these Codex's own consolidation agent works, and fires the person's hooks."""


def answer(event: str, data: bytes, environ: Mapping[str, str], *, started: float) -> bytes:
    """The bytes for standard output. `ValueError` when `data` is not JSON."""

    def inner(values: Mapping[str, object]) -> bool:
        return "agent_id" in values or _consolidating(values, environ)

    return wire.answer(AGENT, event, data, environ, handlers=_HANDLERS, started=started, inner=inner)


def config_home(environ: Mapping[str, str]) -> str:
    """`CODEX_HOME`, else `~/.codex`."""
    return environ.get("CODEX_HOME") or os.path.join(user_home(), ".codex")


def _consolidating(values: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    folder, name = os.path.split(wire.text(values, "cwd").rstrip("/"))
    return name in MEMORY_FOLDERS and os.path.realpath(folder) == os.path.realpath(config_home(environ))


def _session_start(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    source = wire.text(values, "source")
    if not wire.first(call, source):
        return {}
    block = ""
    if not (source in ("fork", "resume") and flow.inherit(call, _parent(values))):
        block = wire.start(call, _own_index, source)
    return wire.started(call, block, source)


def _parent(values: Mapping[str, object]) -> str:
    """The thread that this one was forked from: it stands near the beginning of its file's first line."""
    return wire.named(wire.head(wire.text(values, "transcript_path")), "forked_from_id")


def _prompt(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    text = wire.text(values, "prompt")
    if not text.strip():
        return {}
    return wire.output("UserPromptSubmit", flow.prompt(call, text, wire.text(values, "turn_id"), _own_index))


def _session_changed(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    return wire.session_changed(call, wire.text(values, "transcript_path"))


def _own_index(call: flow.Call) -> str:
    from scrubjay.hooks import codex_memory

    return codex_memory.index(config_home(call.environ), call.place.worktree, call.place.cwd)


_HANDLERS = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "Stop": _session_changed,
    "SessionEnd": _session_changed,
}
