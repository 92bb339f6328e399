"""OpenClaw's events, as our plugin inside it hands them on (docs/openclaw.md): payload in, JSON out. Hot.

Measured on the real client, 2026.9.6: what a plugin adds to a prompt is in that one turn's requests and is kept nowhere. So
every prompt gets the session's block again, the very bytes, and whatever an earlier prompt brought is gone and may come again.
"""

from __future__ import annotations

import os

from scrubjay import hook
from scrubjay.hooks import flow, instructions, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "openclaw"
STORE = ("agent", "openclaw-agent.sqlite")
AFTER_MS = 2_000
"""At the end of a turn nobody waits, and the client itself is at its busiest: a job that is not left is a turn learnt late."""
SHARED = (":group:", ":channel:")
"""In session keys: others read along, so what is private stays out."""
INNER = (":subagent:", ":cron:", ":hook:", ":acp:")
OWN_FILES = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md")
"""What the client puts into the prompt from the working directory."""


def answer(event: str, data: bytes, environ: Mapping[str, str], *, started: float) -> bytes:
    """The bytes for standard output. `ValueError` when `data` is not JSON."""
    return wire.answer(AGENT, event, data, environ, handlers=_HANDLERS, started=started)


def _for_the_person(values: Mapping[str, object]) -> bool:
    key = wire.text(values, "session_key")
    return (
        wire.text(values, "trigger") in ("", "user")
        and wire.text(values, "provenance") in ("", "external_user")
        and not key.startswith(("cron:", "hook:"))
        and not any(part in key for part in (*SHARED, *INNER))
    )


def _prompt(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    text, source = wire.text(values, "prompt"), wire.text(values, "source")
    if not _for_the_person(values):
        return {}
    first = call.ledger is None or call.ledger.resident(call.agent, call.session) is None
    block = flow.start(call, _own_index, fresh=source == "clear", compacted=source == "compact", replayed=False)
    if first:
        flow.queue(call, "sweep", {"cwd": call.place.cwd})  # the end of the turn starts the worker
    call.write(lambda ledger: ledger.clear_injected(call.agent, call.session))
    given = call.detail
    recalled = flow.prompt(call, text, wire.text(values, "prompt_id"), _own_index) if text.strip() else ""
    if block and not recalled:
        call.detail = given
    added = {"additionalContext": recalled, "systemContext": block}
    found = {name: value for name, value in added.items() if value}
    return {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", **found}} if found else {}


def _session_changed(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    hook.set_deadline(AFTER_MS)
    home, agent = wire.text(values, "config_home"), os.path.basename(wire.text(values, "agent_id"))
    return wire.session_changed(call, os.path.join(home, "agents", agent, *STORE) if home and agent else "")


def _own_index(call: flow.Call) -> str:
    return "\n".join(instructions.read(os.path.join(call.place.cwd, name)) for name in OWN_FILES)


_HANDLERS = {
    "UserPromptSubmit": _prompt,
    "Stop": _session_changed,
    "SessionEnd": _session_changed,
}
