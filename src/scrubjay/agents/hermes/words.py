"""What a `user` row of Hermes says, and undoing what the client did to the text."""

from __future__ import annotations

import json
import re

from scrubjay.agents.harness import starts_with_any, strip_injected
from scrubjay.agents.jsonl import clean

PARTS_PREFIX = "\0json:"
"""Before a content that is a list of parts, as JSON."""
SUMMARIES = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:", "[PRIOR CONTEXT")
"""A compaction's summary, alone or joined to the first message that was kept (which stands in the table once more)."""
_HARNESS_BEGINNINGS = (
    *SUMMARIES,
    "[System:",
    "[SYSTEM:",
    "[IMPORTANT: Background process ",
    "[IMPORTANT: MCP servers have been reloaded",
    "[IMPORTANT: You are running as a scheduled cron job",
    "[IMPORTANT: The following skill",
    "[IMPORTANT: The user launched this CLI session",
    "[Background process ",
    "[Continuing toward ",
    "[ASYNC DELEGATION",
)
_RECALLED = re.compile(r"<memory-context>.*?(?:</memory-context>|\Z)", re.DOTALL)
_RECALL_NOTE = re.compile(r"\[System note:\s*The following is recalled memory context[^\]]{0,400}\]\s*")
_NOTE_BEFORE = re.compile(
    r"\A\s*\[(?:System note: (?:The (?:previous|user)|Your previous|A new message|This is the user's)"
    r"|Note: model was just switched )[^\]]{0,2000}\]\s*"
)
_NOTE_AFTER = re.compile(r"\n\n\[System note: [^\]]{0,2000}\]\s*\Z")
_QUOTE = re.compile(r"\A\[Replying to(?: your previous message)?: \"(.{0,2000}?)\"\]\n\n", re.DOTALL)
_ATTACHMENT = re.compile(
    r"\[(?:Image attached(?: at)?|User (?:attached|sent) (?:an? )?(?:image|file|PDF|audio|video)|Image attachment)"
    r"[^\]\n]{0,1000}\]"
)
_SKILL = "[IMPORTANT: The user has invoked the "
_ALONGSIDE = "The user has provided the following instruction alongside the skill invocation: "
_RUNTIME_NOTE = "\n\n[Runtime note:"
_BUNDLE, _BUNDLE_SAYS, _BUNDLE_SKILL = " skill bundle,", "\nUser instruction: ", "\n\n[Loaded as part of the "
_ATTACHED, _WARNINGS = "\n\n--- Attached Context ---\n\n", "\n\n--- Context Warnings ---\n"


def content_text(content: str) -> str:
    """The text of a content: of its text parts when it is a list of parts."""
    if not content.startswith(PARTS_PREFIX):
        return clean(content)
    try:
        parts = json.loads(content[len(PARTS_PREFIX) :])
    except (ValueError, RecursionError):
        return ""
    texts = [part.get("text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return clean("\n".join(text for text in texts if isinstance(text, str)))


def is_summary(text: str) -> bool:
    return starts_with_any(text, SUMMARIES)


def words_of(text: str) -> tuple[str, list[str]]:
    """What the person wrote, and what was pulled in by `@file` or quoted; ("", []) when it is all the harness's."""
    text = strip_injected(text, _RECALLED)
    text = _RECALL_NOTE.sub("", text)
    text = _NOTE_AFTER.sub("", _NOTE_BEFORE.sub("", text))
    if text.lstrip().startswith(_SKILL):
        text = _instruction(text)
    if starts_with_any(text, _HARNESS_BEGINNINGS):
        return "", []
    apart: list[str] = []
    if _ATTACHED in text:
        text, _, pulled = text.partition(_ATTACHED)
        apart.append(pulled.strip())
    text = text.partition(_WARNINGS)[0]
    quoted = _QUOTE.match(text)
    if quoted:
        apart.append(quoted[1])
        text = text[quoted.end() :]
    return _ATTACHMENT.sub("", text).strip(), [part for part in apart if part]


def _instruction(text: str) -> str:
    """What was typed after a skill's command: the rest is the skill."""
    if _BUNDLE in text.partition("\n")[0]:
        _, found, rest = text.partition(_BUNDLE_SAYS)
        return rest.partition(_BUNDLE_SKILL)[0] if found else ""
    _, found, rest = text.rpartition(_ALONGSIDE)
    return rest.partition(_RUNTIME_NOTE)[0] if found else ""
