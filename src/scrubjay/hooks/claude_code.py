"""Claude Code's events (docs/claude-code.md): payload in, the client's JSON out. Hot: standard library only."""

from __future__ import annotations

from scrubjay.hooks import flow, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "claude-code"


def answer(event: str, data: bytes, environ: Mapping[str, str], *, started: float) -> bytes:
    """The bytes for standard output. `ValueError` when `data` is not JSON."""

    def inner(values: Mapping[str, object]) -> bool:
        """A sub-agent's own event, or the summariser of a compaction."""
        return "agent_id" in values and not (event == "SubagentStop" and values.get("agent_type"))

    return wire.answer(AGENT, event, data, environ, handlers=_HANDLERS, started=started, inner=inner)


def _session_start(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    source = wire.text(values, "source")
    if not wire.first(call, source):
        return {}
    idle = values.get("seconds_since_last_response")
    block = ""
    if not (source == "fork" and flow.inherit(call, flow.nearest(call, idle if isinstance(idle, int) else 0))):
        block = wire.start(call, _own_index, source)
    return wire.started(call, block, source)


def _prompt(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    text = wire.text(values, "prompt")
    if not text.strip():
        return {}
    return wire.output("UserPromptSubmit", flow.prompt(call, text, wire.text(values, "prompt_id"), _own_index))


def _session_changed(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    if call.event == "SubagentStop":
        return wire.session_changed(call, wire.text(values, "agent_transcript_path"), wake=False)
    return wire.session_changed(call, wire.text(values, "transcript_path"))


def _own_index(call: flow.Call) -> str:
    """Text of the client's own index, read only where a block is built."""
    from scrubjay.home import user_home
    from scrubjay.hooks import claude_memory

    return claude_memory.index(call.place.root or call.place.cwd, call.environ, user_home())


_HANDLERS = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "Stop": _session_changed,
    "SubagentStop": _session_changed,
    "PreCompact": _session_changed,
    "SessionEnd": _session_changed,
}
