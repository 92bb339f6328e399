"""What a text part of OpenCode's user messages says, and undoing what `opencode run` did to it."""

from __future__ import annotations

import re

from scrubjay.agents.harness import starts_with_any

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)* (?:[^"\\]|\\.)*)"(?:\n(.*))?\Z', re.DOTALL)
_HARNESS_BEGINNINGS = (
    "<system-reminder>",
    "The following tool was executed by the user",
    # The texts of the client's own commands `/init` and `/review`, stored as if typed.
    "Create or update `AGENTS.md` for this repository.",
    "Please analyze this codebase and create an AGENTS.md file",
    "You are a code reviewer. Your job is to review code changes",
)


def is_harness(text: str) -> bool:
    """Whether the client wrote it, although it does not say so."""
    return starts_with_any(text, _HARNESS_BEGINNINGS)


def unquoted(text: str) -> tuple[str, str] | None:
    """What `opencode run "…"` was given, and what was piped into it; None when `text` does not come from there.

    `run` puts an argument with a blank into double quotes, with a backslash before each quote in it and before nothing
    else, and appends its standard input after a line feed.
    """
    match = _QUOTED.match(text)
    if match is None:
        return None
    return match[1].replace('\\"', '"'), (match[2] or "").strip()
