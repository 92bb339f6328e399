"""What a user-role message of Kimi Code is, by its `origin`: typed, typed after a slash command, or put there by the client."""

from __future__ import annotations

import re

from scrubjay.agents.jsonl import Record, array, objects, string
from scrubjay.agents.kimi_cli.prompts import texts_of, words_of

_COMMAND = re.compile(r"\s*<bash-input>\s*(.*?)\s*</bash-input>", re.DOTALL)
_CLIENT_REMARKS = frozenset(("No approval handler registered.", "Approval handler failed."))


def words(origin: Record, content: object) -> str:
    """The person's words; "" when the message holds none."""
    match origin.get("kind"):
        case None | "user":
            # Skills that were named inside the prompt stand before it, a part each.
            bundled = len(array(origin, "skillActivations"))
            return words_of(content[bundled:] if bundled and isinstance(content, list) else content)
        case "skill_activation" if origin.get("trigger") == "user-slash":
            more = content[1:] if isinstance(content, list) else None
            return "\n".join(part for part in (string(origin, "skillArgs").strip(), words_of(more)) if part)
        case "plugin_command" if origin.get("trigger") == "user-slash":
            return words_of(string(origin, "commandArgs"))
    return ""


def is_anchor(origin: Record) -> bool:
    """Whether `context.undo` counts the message as a turn."""
    if origin.get("inTurn") is True:
        return False
    kind = origin.get("kind")
    return kind in (None, "user") or (
        kind in ("skill_activation", "plugin_command") and origin.get("trigger") == "user-slash"
    )


def command_of(origin: Record, content: object) -> str:
    """The shell command that the person ran with `!`."""
    if origin.get("kind") != "shell_command" or origin.get("phase") != "input":
        return ""
    match = _COMMAND.match("\n".join(texts_of(content)))
    return match[1] if match else ""


def remark(result: Record) -> str:
    """What the person wrote when they refused a tool call."""
    feedback = string(result, "feedback").strip()
    return "" if feedback in _CLIENT_REMARKS else words_of(feedback)


def output_of(result: Record) -> str:
    """Text of a tool's result."""
    output = result.get("output")
    if isinstance(output, str):
        return string(result, "output")
    return "\n".join(string(part, "text") for part in objects(result, "output"))
