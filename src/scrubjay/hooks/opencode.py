"""Events of our plugin in OpenCode (docs/opencode.md): payload in, JSON out. Hot: standard library only.

Measured on the real client, 1.18.33: what the plugin adds to the system prompt is kept by nobody, so a session's block is given
anew by each process, as it was stored; what a prompt brings is a part of the person's message, is replayed, and copied by a
fork, which names no parent.
"""

from __future__ import annotations

import os

from scrubjay.home import user_home
from scrubjay.hooks import flow, instructions, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "opencode"
PROJECT_NAMES = ("AGENTS.md", "CLAUDE.md", "CONTEXT.md")
MAX_GONE = 500
"""Messages that a revert took back, told with one prompt."""


def answer(event: str, data: bytes, environ: Mapping[str, str], *, started: float) -> bytes:
    """The bytes for standard output. `ValueError` when `data` is not JSON."""
    return wire.answer(AGENT, event, data, environ, handlers=_HANDLERS, started=started)


def _session_start(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    """`source`: `startup` for a session that this process has not met yet, `fork`, or `compact`."""
    source = wire.text(values, "source")
    if source == "fork":
        flow.inherit(call, wire.text(values, "parent") or flow.nearest(call, 0))
    block = flow.start(call, _own_index, fresh=False, compacted=source == "compact", replayed=False)
    return wire.started(call, block, source)


def _prompt(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    text, gone = wire.text(values, "prompt"), values.get("gone")
    if not text.strip():
        return {}
    if isinstance(gone, list) and gone:
        taken_back = [one for one in gone[:MAX_GONE] if isinstance(one, str)]
        call.write(lambda ledger: ledger.free_injected(call.agent, call.session, taken_back))
    return wire.output("UserPromptSubmit", flow.prompt(call, text, wire.text(values, "prompt_id"), _own_index))


def _stop(call: flow.Call, _values: Mapping[str, object]) -> dict[str, object]:
    """The client does not say where its database is: the worker finds the session by its id."""
    flow.queue(call, "session", {"agent": AGENT, "session": call.session})
    flow.start_worker(call)
    return {}


def _own_index(call: flow.Call) -> str:
    """The instruction files that the client reads: of the project the first kind that is there, and the person's."""
    home, environ = user_home(), call.environ
    config = os.path.join(environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "opencode")
    project: list[str] = []
    for name in PROJECT_NAMES:
        found = [
            instructions.read(os.path.join(one, name))
            for one in instructions.folders(call.place.worktree, call.place.cwd)
        ]
        if any(text.strip() for text in found):
            project = found
            break
    personal = instructions.first(config, ("AGENTS.md",)) or instructions.first(
        os.path.join(home, ".claude"), ("CLAUDE.md",)
    )
    return "\n".join((personal, *project))


_HANDLERS = {"SessionStart": _session_start, "UserPromptSubmit": _prompt, "Stop": _stop}
