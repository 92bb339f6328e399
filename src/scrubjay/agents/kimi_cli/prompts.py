"""What a person typed into kimi-cli or Kimi Code, apart from what these clients put beside it."""

from __future__ import annotations

import re

from scrubjay.agents.harness import starts_with_any, strip_injected
from scrubjay.agents.jsonl import clean, string

HARNESS_BEGINNINGS = (
    "<system>",
    "<system-reminder>",
    "<notification",
    "<task-notification",
    "<hook_result",
    "<bash-",
    "<skill-loaded",
    "<cron",
    "[Imported context from ",
)
_INSIDE = re.compile(r"<(system|hook_result|notification|task-notification)\b[^>\n]{0,200}>.*?(?:</\1>|\Z)", re.DOTALL)
_FLOW = re.compile(r"\n\nAvailable branches:\n- .*\n\nReply with a choice using <choice>", re.DOTALL)
"""A step of a scripted flow: the client asks the model to choose."""


def texts_of(content: object) -> list[str]:
    """The texts of a string or of a list of parts; thinking, images and files that were attached are passed over."""
    if isinstance(content, str):
        return [clean(content)]
    if not isinstance(content, list):
        return []
    texts = [
        clean(part) if isinstance(part, str) else string(part, "text")
        for part in content
        if isinstance(part, str) or (isinstance(part, dict) and part.get("type") in ("text", None))
    ]
    return [text for text in texts if text]


def words_of(content: object) -> str:
    """What the person wrote; "" when it is all the client's."""
    kept = [text for text in texts_of(content) if not starts_with_any(text, HARNESS_BEGINNINGS)]
    text = strip_injected("\n".join(kept), _INSIDE).strip()
    return "" if _FLOW.search(text) else text
