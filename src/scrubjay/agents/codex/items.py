"""What the items of a Codex rollout say: prompts, tool calls, outputs (0.2x to 0.171)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from scrubjay.agents.harness import starts_with_any, strip_injected
from scrubjay.agents.jsonl import Record, array, clean, objects, string, table
from scrubjay.session import Origin

_HARNESS_BEGINNINGS = (
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md instructions",
    "<skill>",
    "<skills_instructions>",
    "<subagent_notification>",
    "<turn_aborted>",
    "<hook_prompt ",
    "<user_shell_command>",
    "<user_action>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<INSTRUCTIONS>",
    "<memory",
    "Another language model started to solve this problem and produced a summary",
    "You were originally given instructions from a user over one or more turns",
)
_IDE_CONTEXT = ("# Context from my IDE setup:", "# Files mentioned by the user:")
_IDE_REQUEST = re.compile(r"\n#{1,3} My request for Codex:\n", re.IGNORECASE)
_INSIDE = re.compile(r"<(hook_prompt|environment_context|oai-mem-citation)\b[^>]{0,300}>.*?(?:</\1>|\Z)", re.DOTALL)
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.{1,1000})$", re.MULTILINE)
_SHELLS = frozenset(("bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh", "/usr/bin/bash", "/usr/bin/zsh"))
_HARNESS_ITEMS_KEEP = 4_000


@dataclass(slots=True)
class Call:
    """A tool call."""

    files: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    external: bool = False


def prompt_of(item: Record, speaker: Origin) -> tuple[Origin, str]:
    """Origin and text of a message item with role `user`."""
    notes = table(item, "internal_chat_message_metadata_passthrough")
    kinds = array(notes, "content_item_kinds")
    provenance = [string(table(note, "provenance"), "type") for note in objects(notes, "content_item_metadata")]
    typed: list[str] = []
    parts = objects(item, "content")
    for place, part in enumerate(parts):
        text = string(part, "text")
        kind = kinds[place] if place < len(kinds) else None
        source = provenance[place] if place < len(provenance) else ""
        if isinstance(kind, str):
            if kind.startswith("user.") and source in ("", "user"):
                typed.append(text)
        elif not starts_with_any(text, _HARNESS_BEGINNINGS):
            typed.append(text)
    words = strip_injected(_without_ide("\n".join(text for text in typed if text)), _INSIDE).strip()
    if not words or starts_with_any(words, _HARNESS_BEGINNINGS):
        return "harness", "\n".join(string(part, "text") for part in parts)[:_HARNESS_ITEMS_KEEP]
    return speaker, words


def _without_ide(text: str) -> str:
    if text.startswith(_IDE_CONTEXT):
        request = _IDE_REQUEST.search(text)
        if request:
            return text[request.end() :]
    return text


def answer_of(item: Record) -> str:
    """Text of an assistant message, without the citations that the client strips too."""
    return strip_injected(
        "\n".join(text for part in objects(item, "content") if (text := string(part, "text"))), _INSIDE
    ).strip()


def call_of(item: Record) -> Call:
    """Files and commands of a call item, whatever its tool was called over time."""
    name = string(item, "name")
    call = Call(external=string(item, "namespace").startswith("mcp__") or name.startswith("mcp__") or "__" in name)
    match item.get("type"):
        case "local_shell_call":
            _command(table(item, "action").get("command"), call)
        case "custom_tool_call":
            if name != "exec":  # code mode: what ran is told by `item_completed`
                _patch(string(item, "input"), call)
        case _:
            arguments = _arguments(string(item, "arguments"))
            _command(arguments.get("command", arguments.get("cmd")), call)
            for key in ("path", "file_path"):
                if path := string(arguments, key):
                    call.files.append(path)
            if name == "apply_patch":
                _patch(string(arguments, "input"), call)
    return call


def completed_of(item: Record) -> Call:
    """Files and commands of an `item_completed` event."""
    call = Call()
    match item.get("type"):
        case "CommandExecution":
            _command(item.get("command"), call)
            call.files += [path for part in objects(item, "parsed_cmd") if (path := string(part, "path"))]
        case "FileChange":
            call.files += [clean(path) for path in table(item, "changes")]
    return call


def output_of(item: Record) -> str:
    """Text of a call's output: JSON in old releases, plain text or a list of parts in new ones."""
    output = item.get("output")
    if isinstance(output, dict):
        return string(output, "content") or string(output, "output")
    if isinstance(output, list):
        return "\n".join(string(part, "text") for part in output if isinstance(part, dict))
    text = clean(output) if isinstance(output, str) else ""
    if text.startswith('{"output":'):
        return string(_arguments(text), "output") or text
    return text


def _arguments(text: str) -> Record:
    try:
        value = json.loads(text) if len(text) < 1 << 20 else None
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _command(value: object, call: Call) -> None:
    if isinstance(value, list):
        words = [clean(word) for word in value if isinstance(word, str)]
        inner = len(words) >= 3 and words[0] in _SHELLS and words[1].startswith("-")
        value = words[-1] if inner else " ".join(words)
    if isinstance(value, str) and value:
        command = clean(value)
        call.commands.append(command)
        if "apply_patch" in command:
            _patch(command, call)


def _patch(text: str, call: Call) -> None:
    call.files += [match.strip() for match in _PATCHED.findall(text)]
