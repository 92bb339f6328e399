"""Events of our extension in pi (docs/pi.md): payload in, JSON out. Hot: standard library only.

Measured on the real client, 1.6.0: what the extension gives with a prompt is an entry of the session file behind the prompt,
replayed by a resume and copied by a fork. So a session's block comes with its first prompt, and the extension tells with each
prompt which of our entries still stand in the context: a compaction, or a walk to another branch of the tree, takes them out.
"""

from __future__ import annotations

import os

from scrubjay.home import user_home
from scrubjay.hooks import flow, instructions, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "pi"
NAMES = ("AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD")


def answer(event: str, data: bytes, environ: Mapping[str, str], *, started: float) -> bytes:
    """The bytes for standard output. `ValueError` when `data` is not JSON."""
    return wire.answer(AGENT, event, data, environ, handlers=_HANDLERS, started=started)


def _session_start(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    return wire.started(call, "", wire.text(values, "source"))


def _prompt(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    """`held`: ids of the prompts whose answers of ours are in the context; `block`: one of them holds the session's block;
    `parent`: file that this session was forked from; `compacted`: time of the last compaction on this branch."""
    text = wire.text(values, "prompt")
    if not text.strip():
        return {}
    block = _block(call, values, text)
    if block is None:
        return {}
    brought = flow.prompt(call, text, wire.text(values, "prompt_id"), _own_index)
    if block:
        call.outcome = "injected"
    return wire.output("UserPromptSubmit", "\n".join(part for part in (block, brought) if part))


def _block(call: flow.Call, values: Mapping[str, object], text: str) -> str | None:
    """The session's block where it is due, "" where it is not; None where nothing may be given."""
    from scrubjay.inject.prompts import machine_made

    ledger = call.ledger
    if ledger is None:
        return ""
    if ledger.resident(call.agent, call.session) is None:
        parent = os.path.basename(wire.text(values, "parent")).rpartition("_")[2]
        flow.inherit(call, parent.removesuffix(".jsonl"))
    _free(call, values)
    given = ledger.resident(call.agent, call.session)
    if given is not None and (values.get("block") is True or not given.text):
        return ""
    if machine_made(text):
        return None
    block, stored = flow.resident_block(call, _own_index(call), late=given is None)
    return block if stored else None


def _free(call: flow.Call, values: Mapping[str, object]) -> None:
    """What is no longer in the context may come again."""
    ledger, held = call.ledger, values.get("held")
    if ledger is None:
        return
    gone = ledger.injected_prompts(call.agent, call.session)
    if isinstance(held, list):
        gone -= {one for one in held if isinstance(one, str)}
    compacted = wire.text(values, "compacted")
    if compacted > ledger.last_compaction(call.agent, call.session):
        call.write(lambda _: ledger.note_compaction(call.agent, call.session, at=compacted))
        gone.add("")  # what a fork had from its parent
    if gone:
        call.write(lambda _: ledger.free_injected(call.agent, call.session, gone))


def _session_changed(call: flow.Call, values: Mapping[str, object]) -> dict[str, object]:
    return wire.session_changed(call, wire.text(values, "session_file"))


def _own_index(call: flow.Call) -> str:
    """The instruction files that the client reads: one of each folder above the working directory, and the person's."""
    config = call.environ.get("PI_CODING_AGENT_DIR") or os.path.join(user_home(), ".pi", "agent")
    folders = instructions.folders(call.place.worktree, call.place.cwd)
    return "\n".join(instructions.first(one, NAMES) for one in (os.path.expanduser(config), *folders))


_HANDLERS = {
    "SessionStart": _session_start,
    "UserPromptSubmit": _prompt,
    "Stop": _session_changed,
    "SessionEnd": _session_changed,
}
