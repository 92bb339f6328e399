"""Kimi Code's events (docs/kimi-code.md): payload in, plain text out. Hot: standard library only.

Measured on the real client, 2.1.0: what `UserPromptSubmit` prints becomes a message before the prompt, stays in the session and
is replayed by a resume and copied by a fork; what `SessionStart` prints goes nowhere. No payload names the session's file.
A sub-agent's prompt fires nothing but `Stop`, under its session's id.
"""

from __future__ import annotations

import os

from scrubjay.home import user_home
from scrubjay.hooks import flow, instructions, together, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "kimi-code"


def answer(event: str, data: bytes, environ: Mapping[str, str], *, started: float) -> bytes:
    """The bytes for standard output. `ValueError` when `data` is not JSON."""
    values = wire.payload(data)
    if values is None or event not in _HANDLERS:
        return b""
    call = wire.call(AGENT, event, values, environ)
    if call is None:
        return b""
    text = "" if call.blocked() else _HANDLERS[event](call, values)
    if call.outcome != "off":
        call.note(started)
    return text.encode()


def config_home(environ: Mapping[str, str]) -> str:
    """`KIMI_CODE_HOME`, else `~/.kimi-code`."""
    return environ.get("KIMI_CODE_HOME") or os.path.join(user_home(), ".kimi-code")


def _session_start(call: flow.Call, _values: Mapping[str, object]) -> str:
    """Nothing of it reaches the model or the person: only the work behind it is done."""
    flow.queue(call, "sweep", {"cwd": call.place.cwd})
    flow.start_worker(call)
    return ""


def _prompt(call: flow.Call, values: Mapping[str, object]) -> str:
    text = _text(values.get("prompt"))
    return "\n".join(together.prompt(call, text, _own_index, lambda: _parent(call))) if text.strip() else ""


def _text(prompt: object) -> str:
    """A prompt is a list of parts."""
    if isinstance(prompt, str):
        return prompt
    parts = prompt if isinstance(prompt, list) else ()
    return "\n".join(wire.text(part, "text") for part in parts if isinstance(part, dict) and part.get("type") == "text")


def _session_changed(call: flow.Call, _values: Mapping[str, object]) -> str:
    folder = _folder(call)
    wire.session_changed(call, os.path.join(folder, "agents", "main", "wire.jsonl") if folder else "")
    return ""


def _compacted(call: flow.Call, _values: Mapping[str, object]) -> str:
    together.compacted(call)
    return ""


def _folder(call: flow.Call) -> str:
    """The session's folder, which lies below one that is named after the directory it began in; "" when there is none."""
    top = os.path.join(config_home(call.environ), "sessions")
    if "/" in call.session:
        return ""
    try:
        names = os.listdir(top)
    except OSError:
        return ""
    paths = (os.path.join(top, name, call.session) for name in names)
    return next((path for path in paths if os.path.isdir(path)), "")


def _parent(call: flow.Call) -> str:
    """The session that this one was forked from. A fork fires no event of its own."""
    folder = _folder(call)
    return wire.named(wire.head(os.path.join(folder, "state.json")), "forkedFrom") if folder else ""


def _own_index(call: flow.Call) -> str:
    """The AGENTS.md files that the client puts into its system prompt."""
    texts = [
        instructions.read(os.path.join(config_home(call.environ), "AGENTS.md")),
        instructions.read(os.path.join(user_home(), ".agents", "AGENTS.md")),
    ]
    for folder in instructions.folders(call.place.worktree, call.place.cwd):
        texts.append(instructions.read(os.path.join(folder, ".kimi-code", "AGENTS.md")))
        texts.append(instructions.first(folder, ("AGENTS.md", "agents.md")))
    return "\n".join(text for text in texts if text)


_HANDLERS = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "Stop": _session_changed,
    "SessionEnd": _session_changed,
    "PostCompact": _compacted,
}
