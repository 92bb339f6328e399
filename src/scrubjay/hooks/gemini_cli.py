"""Gemini CLI's events (docs/gemini-cli.md): payload in, the client's JSON out. Hot: standard library only.

Measured on the real client, 0.61.0: what `BeforeAgent` brings is a part of the person's message, stays in the chat and is
replayed by a resume. What `SessionStart` brings is put before the prompt in a headless run, and a resume then drops the whole
prompt; in the terminal no file keeps it, and `/clear` forgets it. So a session's block comes with its first prompt.
"""

from __future__ import annotations

import os

from scrubjay.hooks import flow, together, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "gemini-cli"
HOOK_CONTEXT, HOOK_CONTEXT_END = "<hook_context>", "</hook_context>"
"""What other hooks brought at the session's start stands before a headless run's first prompt."""
REFERENCED = "--- Content from referenced files ---"
"""Here the contents of files begin that an `@path` in the prompt pulled in."""
SUMMARY = b"<state_snapshot>"
"""The client writes the messages anew, beginning with this, when it compressed the chat. No event says that it did:
`PreCompress` fires with every turn."""
MAX_SCAN_BYTES = 4 << 20


def answer(event: str, data: bytes, environ: Mapping[str, str], *, started: float) -> bytes:
    """The bytes for standard output. `ValueError` when `data` is not JSON."""
    return wire.answer(AGENT, event, data, environ, handlers=_HANDLERS, started=started)


def typed(prompt: str) -> str:
    """What the person wrote of a prompt."""
    text = prompt.lstrip()
    while text.startswith(HOOK_CONTEXT):
        _, end, rest = text.partition(HOOK_CONTEXT_END)
        text = rest.lstrip() if end else ""
    return text.partition(REFERENCED)[0].strip()


def _session_start(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    if not wire.first(call, wire.text(values, "source")):
        return {}
    if call.ledger is not None and call.ledger.get(_seen(call)):
        # a resume writes the whole history again, old summaries too
        call.write(lambda ledger: ledger.put(_seen(call), ""))
    return wire.started(call, "", wire.text(values, "source"))


def _prompt(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    text = typed(wire.text(values, "prompt"))
    if not text:
        return {}
    _look_for_summary(call, wire.text(values, "transcript_path"))
    blocks = together.prompt(call, text, lambda one: _own_index(one, values))
    if not blocks:
        return {}
    from scrubjay.hooks.qwen_code import escaped_by_client  # the one began as the other, and both escape alike

    return wire.output("BeforeAgent", "\n".join(map(escaped_by_client, blocks)))


def _session_changed(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    path = wire.text(values, "transcript_path")
    if call.event == "AfterAgent":
        _look_for_summary(call, path)
    return wire.session_changed(call, path)


def _look_for_summary(call: flow.Call, path: str) -> None:
    """Was the chat compressed since the last look? Reads only what was written since then."""
    ledger = call.ledger
    if ledger is None or not path:
        return
    try:
        size = os.stat(path).st_size
    except OSError:
        return
    before = ledger.get(_seen(call))
    if before.isdigit() and size > int(before) and _written(path, max(int(before), size - MAX_SCAN_BYTES), size):
        together.compacted(call)
    if before != str(size):
        call.write(lambda _: ledger.put(_seen(call), str(size)))


def _written(path: str, start: int, end: int) -> bool:
    with open(path, "rb", buffering=0) as file:
        file.seek(start)
        return SUMMARY in (file.read(end - start) or b"")


def _seen(call: flow.Call) -> str:
    """Name of the fact that says how far the session's file was looked through."""
    return f"seen:{call.agent}:{call.session}"


def _own_index(call: flow.Call, values: Mapping[str, object]) -> str:
    from scrubjay.hooks import gemini_memory

    return gemini_memory.index(call.place.worktree, call.place.cwd, call.environ, wire.text(values, "transcript_path"))


_HANDLERS = {
    "SessionStart": _session_start,
    "BeforeAgent": _prompt,
    "AfterAgent": _session_changed,
    "SessionEnd": _session_changed,
}
