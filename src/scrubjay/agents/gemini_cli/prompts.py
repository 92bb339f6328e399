"""What a `user` record of Gemini CLI says, and what the client put into it."""

from __future__ import annotations

import re

from scrubjay.agents.harness import starts_with_any, strip_injected
from scrubjay.agents.jsonl import Record, clean, string, table

_HOOK_CONTEXT = re.compile(r"<hook_context>.*?(?:</hook_context>|\Z)", re.DOTALL)
"""A hook's text, ours too: an extra part of the prompt (BeforeAgent), or before it in the same part (SessionStart)."""
_HARNESS_BEGINNINGS = (
    "<session_context>",
    "This is the Gemini CLI. We are setting up the context",
    "<state_snapshot>",
    "<system-reminder>",
    "<user_project_memory>",
    "<loaded_context>",
    "I ran the following shell command:",
    "Here is the user's editor context",
    "Here is a summary of changes in the user's editor context",
    "System: ",
    "Binary content provided (",
    "You are an AI agent that brings the power of Gemini directly into the terminal. Your task is to analyze",
)
"""Contexts, summaries of a compression, `!` commands, the editor's state, nudges, the text of `/init`."""
_FILES_BEGIN, _FILES_END = "--- Content from referenced files ---", "--- End of content ---"
_FOLDER = re.compile(
    r"(?:\*\*Workspace Directories:\*\*\n\s*- |I'm currently working in the director(?:y: |ies:\n\s*- )"
    r"|I'm currently working in the following directories:\n\s*- )([^\n]{1,4096})"
)


def parts_of(record: Record, name: str = "content") -> list[Record]:
    """The parts of a message: its content is a text, a part, or a list of both."""
    content = record.get(name)
    found: list[Record] = []
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            found.append({"text": part})
        elif isinstance(part, dict):
            found.append(part)
    return found


def text_of(record: Record) -> str:
    """An answer's text, without thoughts."""
    return "".join(string(part, "text") for part in parts_of(record) if part.get("thought") is not True)


def calls_of(record: Record) -> list[Record]:
    """Tool calls that stand among an answer's parts, where the client has not written them apart."""
    return [call for part in parts_of(record) if (call := table(part, "functionCall"))]


def words_of(record: Record) -> tuple[str, list[str]]:
    """What the person wrote, and the contents of files that an `@path` pulled in; "" when it is all the client's."""
    texts: list[str] = []
    pulled: list[str] = []
    inside = False
    for part in parts_of(record):
        text = string(part, "text")
        if not text:
            continue
        if text.strip() in (_FILES_BEGIN, _FILES_END):
            inside = text.strip() == _FILES_BEGIN
        elif inside:
            pulled.append(text)
        elif not starts_with_any(text, _HARNESS_BEGINNINGS):
            texts.append(text)
    shown = "\n".join(string(part, "text") for part in parts_of(record, "displayContent"))
    text = strip_injected(shown if shown.strip() and texts else "\n".join(texts), _HOOK_CONTEXT)
    if _FILES_BEGIN in text:
        text, _, rest = text.partition(_FILES_BEGIN)
        pulled.append(rest.partition(_FILES_END)[0])
    text = text.strip()
    if starts_with_any(text, _HARNESS_BEGINNINGS):  # behind a hook's text
        text = ""
    return text, [part.strip() for part in pulled if part.strip()]


def is_context(record: Record) -> bool:
    """The first message of every session: date, system, folders. Its id is the same in all of them."""
    first = next((string(part, "text") for part in parts_of(record)), "")
    return starts_with_any(first, _HARNESS_BEGINNINGS[:2])


def is_summary(record: Record) -> bool:
    """What a compression puts in place of the messages before it."""
    return any(string(part, "text").lstrip().startswith("<state_snapshot>") for part in parts_of(record))


def folder_of(record: Record) -> str:
    """The first working directory that a session's context names; "" when it names none."""
    match = _FOLDER.search("".join(string(part, "text") for part in parts_of(record)))
    path = clean(match[1]).strip() if match else ""
    return path if path.startswith("/") else ""
