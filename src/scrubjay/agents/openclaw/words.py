"""What a `user` message of OpenClaw says, apart from what the client put before or behind it."""

from __future__ import annotations

import re

from scrubjay.agents.harness import starts_with_any, strip_injected
from scrubjay.agents.jsonl import Record, clean, objects, string, table
from scrubjay.redact import MASK

_MARK = "⟦openclaw:ctx⟧"
"""At the end of the header line of every block that the client puts before a message (since 2026.8)."""
_FENCED = r"[ \t]*\n```json\n.*?\n```[ \t]*(?:\n|\Z)"
_MARKED = re.compile(rf"^[^\n]{{1,200}} {_MARK}(?:{_FENCED}|[ \t]*(?:\n[^\n]*\S[^\n]*)*\n*)", re.DOTALL | re.MULTILINE)
_UNTRUSTED = re.compile(
    rf"^[A-Z][^\n(]{{1,80}} \(untrusted[^\n)]{{0,60}}\):(?:{_FENCED}|[ \t]*\n)", re.DOTALL | re.MULTILINE
)
"""The same before there was a mark: `Sender (untrusted metadata):`."""
_TRAILING = re.compile(rf"\s*^Context: {_MARK}.*\Z", re.DOTALL | re.MULTILINE)
_CONTEXT = re.compile(
    r"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>.*?(?:<<<END_OPENCLAW_INTERNAL_CONTEXT>>>|\Z)"
    r"|<<<BEGIN_UNTRUSTED_CHILD_RESULT>>>.*?(?:<<<END_UNTRUSTED_CHILD_RESULT>>>|\Z)",
    re.DOTALL,
)
_ACTIVE_MEMORY = re.compile(
    r"(?:^Context:[ \t]*\n)?<active_memory_plugin>.*?(?:</active_memory_plugin>|\Z)", re.DOTALL | re.MULTILINE
)
_STAMP = re.compile(r"\A\s*\[[A-Za-z]{3} \d{4}-\d{2}-\d{2} \d{2}:\d{2}[^\]\n]{0,40}\] ?")
_MEDIA = re.compile(r"^\[media (?:attached|omitted|reference removed)[^\]\n]{0,1000}\][ \t]*\n?", re.MULTILINE)
_MESSAGE_ID = re.compile(r"\n?^\[message_id: [^\]\n]{1,200}\][ \t]*$", re.MULTILINE)
_REPLY_TAG = re.compile(r"\[\[\s*reply_to(?:_current|:\s*[^\]\n]{1,100})\s*\]\]\s*")
_HARNESS_BEGINNINGS = (
    "[OpenClaw ",
    "[Inter-session message]",
    "[Subagent Task]",
    "[Subagent Context]",
    "[Startup context loaded by runtime]",
    "[Internal task completion event]",
    "[System]",
    "System: [",
    "[cron:",
    "OpenClaw runtime context (internal):",
    "Follow the heartbeat monitor scratch context",
    "Read HEARTBEAT.md",
    "Pre-compaction memory flush",
    "A new session was started via /new or /reset",
)
_HIDDEN = re.compile(
    r"(?<=[:=])\*{3}(?=@|\s|[\"'`,;)]|\Z)|\b[\w-]{4,8}…[\w-]{4}\b|…redacted…"
    r"|\[OpenClaw persisted detail redacted: [^\]\n]{1,60}\]"
)
"""What the client wrote in place of a secret: nothing is learnt from a clause with one, as if it still stood there."""
_INTERNAL = frozenset(("inter_session", "internal_system"))


def text_of(message: Record) -> str:
    """The texts of a message's `content`: a string, or a list of blocks."""
    content = message.get("content")
    if isinstance(content, str):
        return clean(content)
    return "\n".join(string(block, "text") for block in objects(message, "content") if block.get("type") == "text")


def words_of(message: Record) -> str:
    """What the person wrote; "" when it is all the client's."""
    text = text_of(message)
    if string(table(message, "provenance"), "kind") in _INTERNAL:
        return ""
    if "⟦" in text:
        text = _MARKED.sub("", _TRAILING.sub("", text))
    if "(untrusted" in text:
        text = _UNTRUSTED.sub("", text)
    text = strip_injected(text, _ACTIVE_MEMORY, _CONTEXT)
    text = _STAMP.sub("", text)
    if starts_with_any(text, _HARNESS_BEGINNINGS):
        return ""
    text = _MESSAGE_ID.sub("", _MEDIA.sub("", text)).strip()
    return _HIDDEN.sub(lambda match: MASK * len(match[0]), text)


def answer_of(message: Record) -> str:
    """An assistant's words, without the tag that says what they reply to."""
    return _REPLY_TAG.sub("", text_of(message))
