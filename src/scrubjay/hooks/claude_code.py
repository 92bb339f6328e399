"""Claude Code's events (docs/claude-code.md): payload in, the client's JSON out. Hot: standard library only."""

from __future__ import annotations

from scrubjay import quickjson
from scrubjay.hooks import flow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "claude-code"


def answer(event: str, data: bytes, environ: Mapping[str, str], *, started: float) -> bytes:
    """The bytes for standard output. `ValueError` when `data` is not JSON."""
    payload = quickjson.loads(data)
    if event not in _HANDLERS or not isinstance(payload, dict):
        return b""
    session, cwd = payload.get("session_id"), payload.get("cwd")
    if not (isinstance(session, str) and session and isinstance(cwd, str) and cwd):
        return b""
    if "agent_id" in payload and not (event == "SubagentStop" and payload.get("agent_type")):
        return b""  # a sub-agent's own event, or the summariser of a compaction
    call = flow.Call(AGENT, event, session, cwd, environ)
    output = {} if call.blocked() else _HANDLERS[event](call, payload)
    if call.outcome != "off":
        call.note(started)
    return quickjson.dumps(output).encode() if output else b""


def _session_start(call: flow.Call, payload: Mapping[str, object]) -> dict[str, object]:
    source = payload.get("source")
    idle = payload.get("seconds_since_last_response")
    text = ""
    if not (source == "fork" and flow.inherit(call, idle if isinstance(idle, int) else 0)):
        own_index = flow.own_index_of_claude_code(call)
        text = flow.start(call, own_index, fresh=source in ("startup", "clear"), compacted=source == "compact")
    line = flow.notice(call) if source in ("startup", "resume", "clear") else ""
    flow.queue(call, "sweep", {"cwd": call.place.cwd})
    flow.start_worker(call)
    return _output("SessionStart", text, line)


def _prompt(call: flow.Call, payload: Mapping[str, object]) -> dict[str, object]:
    text, prompt_id = payload.get("prompt"), payload.get("prompt_id")
    if not isinstance(text, str) or not text.strip():
        return {}
    block = flow.prompt(
        call, text, prompt_id if isinstance(prompt_id, str) else "", lambda: flow.own_index_of_claude_code(call)
    )
    return _output("UserPromptSubmit", block)


def _session_changed(call: flow.Call, payload: Mapping[str, object]) -> dict[str, object]:
    path = payload.get("agent_transcript_path" if call.event == "SubagentStop" else "transcript_path")
    if isinstance(path, str) and path:
        flow.queue(call, "session", {"agent": AGENT, "path": path})
    if call.event != "SubagentStop":
        flow.start_worker(call)
    return {}


def _output(event: str, text: str, line: str = "") -> dict[str, object]:
    output: dict[str, object] = {}
    if text:
        output["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": text}
    if line:
        output["systemMessage"] = line
    return output


_HANDLERS = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "Stop": _session_changed,
    "SubagentStop": _session_changed,
    "PreCompact": _session_changed,
    "SessionEnd": _session_changed,
}
