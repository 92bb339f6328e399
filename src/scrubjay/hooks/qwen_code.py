"""Qwen Code's events (docs/qwen-code.md): payload in, the client's JSON out. Hot: standard library only.

Measured on the real client, 0.24.4: what a session's start brings ends the system prompt, which each process builds anew and
no file keeps; what a prompt brings ends the person's message and stays in the chat. Both have their `<` and `>` escaped.
"""

from __future__ import annotations

from scrubjay.hooks import flow, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "qwen-code"


def answer(event: str, data: bytes, environ: Mapping[str, str], *, started: float) -> bytes:
    """The bytes for standard output. `ValueError` when `data` is not JSON."""

    def inner(values: Mapping[str, object]) -> bool:
        if event == "UserPromptSubmit" and not wire.text(values, "submitted_prompt").strip():
            return True  # the result of a tool going back to the model
        return bool(values.get("agent_id"))

    return wire.answer(AGENT, event, data, environ, handlers=_HANDLERS, started=started, inner=inner)


def escaped_by_client(block: str) -> str:
    """`block` so that it reads as meant once the client has turned `<` and `>` into `&lt;` and `&gt;`: ours are such already,
    and would look like the fence's own. So the fence gets square brackets, and no content may look like those."""
    if not block:
        return ""
    first, _, rest = block.partition("\n")
    content, _, last = rest.rpartition("\n")
    content = content.replace("[scrubjay-", "[ scrubjay-").replace("[/scrubjay-", "[ /scrubjay-")
    return "\n".join((_square(first), content.replace("&lt;", "<").replace("&gt;", ">"), _square(last)))


def _square(tag: str) -> str:
    return tag.replace("<", "[").replace(">", "]")


def _session_start(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    source = wire.text(values, "source")
    if not wire.first(call, source):
        return {}
    if source == "resume":
        flow.inherit(call, _parent(values))  # a fork says `resume` too
    block = wire.start(call, _own_index, source, replayed=False)
    return wire.started(call, escaped_by_client(block), source)


def _parent(values: Mapping[str, object]) -> str:
    """The session that this one was forked from: every record that was copied names it."""
    start = wire.head(wire.text(values, "transcript_path"))
    at = start.find('"forkedFrom"')
    return wire.named(start[at:], "sessionId") if at >= 0 else ""


def _prompt(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    text = wire.text(values, "submitted_prompt")
    block = flow.prompt(call, text, wire.text(values, "prompt_id"), _own_index)
    return wire.output("UserPromptSubmit", escaped_by_client(block))


def _session_changed(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    return wire.session_changed(call, wire.text(values, "transcript_path"))


def _own_index(call: flow.Call) -> str:
    from scrubjay.hooks import qwen_memory

    return qwen_memory.index(call.place.worktree, call.place.cwd, call.environ)


_HANDLERS = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "Stop": _session_changed,
    "PreCompact": _session_changed,
    "SessionEnd": _session_changed,
}
