"""Hermes's events, as our MemoryProvider inside it hands them on (docs/hermes.md): payload in, JSON out. Hot: standard library.

Measured on the real client, 0.19.0: what the provider says for the system prompt is kept with the session and comes back with a
resume, so Hermes asks for it at a start and after a compaction, a branch or an undo; what a prompt brings is kept beside the
person's message (`api_content`) and is sent again with it.
"""

from __future__ import annotations

import os

from scrubjay import hook
from scrubjay.hooks import flow, instructions, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "hermes"
STORE = "state.db"
AFTER_MS = 2_000
"""At the end of a turn nobody waits, and the client itself is at its busiest: a job that is not left is a turn learnt late."""
ALONE = frozenset(("", "dm", "direct", "private"))
"""Values of `chat_type` where only the person themselves talks to the agent: what is private stays out of groups."""
MACHINE = frozenset(("cron", "webhook", "batch"))
"""Values of `platform` whose prompts no person wrote."""


def answer(event: str, data: bytes, environ: Mapping[str, str], *, started: float) -> bytes:
    """The bytes for standard output. `ValueError` when `data` is not JSON."""
    values = wire.payload(data)
    if values is None or event not in _HANDLERS:
        return b""
    call = wire.call(AGENT, event, values, environ)
    if call is None:
        return b""
    if event == "Tool" and _for_the_person(values) and not call.blocked():
        from scrubjay.hooks import tool

        return tool.run(call, values, started)
    return wire.respond(call, values, _HANDLERS[event], started)


def _for_the_person(values: Mapping[str, object]) -> bool:
    return (
        wire.text(values, "chat_type") in ALONE
        and wire.text(values, "platform") not in MACHINE
        and wire.text(values, "agent_context") in ("", "primary")
    )


def _session_start(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    source = wire.text(values, "source")
    if not _for_the_person(values):
        return {}
    # Hermes asks only when it builds the prompt anew: what was given before has to be given again
    block = flow.start(call, _own_index(values), fresh=False, compacted=source == "compact", replayed=False)
    return wire.started(call, block, source)


def _session_switch(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    flow.inherit(call, wire.text(values, "parent"))
    return {}


def _prompt(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    text = wire.text(values, "prompt")
    if not text.strip() or not _for_the_person(values):
        return {}
    block = flow.prompt(call, text, wire.text(values, "prompt_id"), _own_index(values))
    return wire.output("UserPromptSubmit", block)


def _session_changed(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    hook.set_deadline(AFTER_MS)
    home = wire.text(values, "config_home")
    return wire.session_changed(call, os.path.join(home, STORE) if home else "")


def _nothing(_call: flow.Call, _values: Mapping[str, object]) -> dict[str, object]:
    return {}


def _own_index(values: Mapping[str, object]) -> flow.OwnIndex:
    """What Hermes's own memory and instruction files put into the prompt."""

    def texts(call: flow.Call) -> str:
        memories = os.path.join(wire.text(values, "config_home"), "memories")
        found = [instructions.read(os.path.join(memories, name)) for name in ("MEMORY.md", "USER.md")]
        folders = list(instructions.folders(call.place.worktree, call.place.cwd))
        above = (instructions.first(folder, (".hermes.md", "HERMES.md")) for folder in reversed(folders))
        project = next((text for text in above if text), "")
        names = ("AGENTS.md", "agents.md", "CLAUDE.md", "claude.md", ".cursorrules")
        return "\n".join([*found, project or instructions.first(call.place.cwd, names)])

    return texts


_HANDLERS = {
    "SessionStart": _session_start,
    "SessionSwitch": _session_switch,
    "UserPromptSubmit": _prompt,
    "Stop": _session_changed,
    "SessionEnd": _session_changed,
    "Tool": _nothing,
}
