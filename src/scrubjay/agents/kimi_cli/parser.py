"""One wire file of kimi-cli, line by line (protocols 1.1 to 1.10): what the program told its screen, with times, without ids.

A session is a line: `/fork` and `/undo` go on in a new session, for which lines are copied with their times. So time and text
make the message key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from scrubjay.agents.base import Json, state_text
from scrubjay.agents.graph import NONE
from scrubjay.agents.jsonl import Record, decoded, moment, objects, string, table
from scrubjay.agents.kimi_cli import prompts
from scrubjay.agents.reading import About, Book, Draft, FileParser
from scrubjay.session import Origin, Role, timed_key

_SILENT = frozenset(
    (
        *("TurnEnd", "StepInterrupted", "StepRetry", "CompactionEnd", "HookTriggered", "HookResolved", "StatusUpdate"),
        *("MCPLoadingBegin", "MCPLoadingEnd", "Notification", "PlanDisplay", "ApprovalRequest", "QuestionRequest"),
        *("QuestionResponse", "ToolCallRequest", "HookRequest", "HookResponse", "MCPStatusSnapshot", "BtwEnd"),
    )
)
"""Messages without anything to learn; a type that is neither here nor read below is counted as unknown."""
_SILENT_LINE = re.compile(
    rb'\{"timestamp": ?[\d.]{1,30}, ?"message": ?\{"type": ?"'
    rb'(?:(?:StatusUpdate|TurnEnd|HookTriggered|HookResolved)"|(StepBegin)", ?"payload": ?\{"n": ?\d{1,9}\}\}\}\s*\Z)'
)
"""The most frequent of them, and the beginning of a step, known by their first bytes."""
_SHELL_TOOLS = frozenset(("Shell", "Bash", "CMD", "Powershell"))
_OWN_TOOLS = frozenset(
    (
        *(
            "Shell",
            "Bash",
            "CMD",
            "Powershell",
            "ReadFile",
            "ReadMediaFile",
            "WriteFile",
            "StrReplaceFile",
            "PatchFile",
            "Glob",
        ),
        *(
            "Grep",
            "Task",
            "Agent",
            "CreateSubagent",
            "SetTodoList",
            "Think",
            "SendDMail",
            "AskUserQuestion",
            "TaskList",
        ),
        *("TaskOutput", "TaskStop", "EnterPlanMode", "ExitPlanMode", "FileOps"),
    )
)
"""Tools of the client that bring nothing from outside; an MCP server's tools have bare names, too."""
_FILE_ARGUMENTS = ("path", "file_path")
_MAX_OPEN_TOOLS = 256


def stamp(seconds: object) -> str:
    """Seconds since 1970 as `2026-09-03T10:12:44Z`; "" when they are none."""
    if type(seconds) not in (int, float) or not 0 < seconds < 1 << 34:  # type: ignore[operator]
        return ""
    return moment(seconds)  # type: ignore[arg-type]


def prompt_key(seconds: object, text: str) -> str:
    """Message key of a prompt that was typed at this time; Kimi Code's copies of such sessions use it, too."""
    return timed_key(repr(seconds), "user", text)


class WireParser(FileParser):
    """See the module."""

    def __init__(self, book: Book, state: Mapping[str, Json]) -> None:
        super().__init__(book)
        self._about = About(
            id=state_text(state, "id"),
            cwd=state_text(state, "cwd"),
            title=state_text(state, "title"),
            sub_agent=state.get("sub") is True,
        )
        self._step: Draft | None = None
        self._arguments: list[str] = []
        self._tool = ""
        self._opened = ""
        external = state.get("external")
        self._external: dict[str, None] = dict.fromkeys(map(str, external)) if isinstance(external, list) else {}

    def state(self) -> dict[str, Json]:
        about = self._about
        return {
            "id": about.id,
            "cwd": about.cwd,
            "external": list(self._external),
        }

    def about(self) -> About:
        return self._about

    def boundary(self) -> None:
        self._finish_call()
        self._step = None

    def line(self, line: bytes) -> None:
        silent = _SILENT_LINE.match(line)
        if silent and b'}{"' not in line:
            self.count(known=True)
            self._opened = ""
            if silent[1]:
                self.boundary()
            return
        for record in self.records(line):
            message = table(record, "message")
            self._take(string(message, "type") or string(record, "type"), table(message, "payload"), record)

    def _take(self, kind: str, payload: Record, record: Record) -> None:
        if kind != "ToolCallPart" and (self._tool or self._arguments):
            self._finish_call()
        opened, self._opened = self._opened, ""
        seconds = record.get("timestamp")
        known = self._worked(kind, payload, seconds) or self._spoken(kind, payload, seconds, opened)
        known = known or kind in _SILENT or kind == "metadata"
        self.count(known=known)
        if not known:
            self.book.skip(f"unknown_records:{kind[:40]}")

    def _spoken(self, kind: str, payload: Record, seconds: object, opened: str) -> bool:
        """Take in what a person said; False when the record is of another kind."""
        match kind:
            case "TurnBegin" | "SteerInput":
                self._turn(payload.get("user_input"), seconds, opened)
            case "BtwBegin":
                self._prompt(payload.get("question"), seconds)
            case "ApprovalResponse" | "ApprovalRequestResolved":
                if string(payload, "feedback"):
                    self._prompt(payload["feedback"], seconds)
            case _:
                return False
        return True

    def _worked(self, kind: str, payload: Record, seconds: object) -> bool:
        """Take in what the model said and did; False when the record is of another kind."""
        match kind:
            case "ToolResult":
                self._result(payload, seconds)
            case "ToolCall":
                self._call(payload, seconds)
            case "ContentPart" | "TextPart":
                if payload.get("type") in ("text", None):
                    self._said(string(payload, "text"), seconds)
            case "StepBegin":
                self._step = None
            case "CompactionBegin":
                self.boundary()
                self.book.compaction()
            case "ToolCallPart":
                self._arguments.append(string(payload, "arguments_part"))
            case "SubagentEvent":
                self._inner(table(payload, "event"), seconds)
            case _:
                return False
        return True

    def _add(self, role: Role, origin: Origin, key: str, seconds: object) -> Draft | None:
        """A message after the last one; None when the same stands there already."""
        index = self.book.node(key, None, attach=True)
        if index == NONE:
            return None
        self.book.leaf = index
        return self.book.message(index, role, origin, at=stamp(seconds), cwd=self._about.cwd)

    def _turn(self, content: object, seconds: object, opened: str) -> None:
        text = "\n".join(prompts.texts_of(content))
        if text and text == opened:  # a loop over one prompt: the client begins with the prompt itself
            self.book.skip("repeated_records")
            return
        self._opened = text
        self._prompt(content, seconds)

    def _prompt(self, content: object, seconds: object) -> None:
        book = self.book
        text = prompts.words_of(content)
        key = prompt_key(seconds, "\n".join(prompts.texts_of(content)))
        origin: Origin = "user" if text and not self._about.sub_agent else "harness"
        if origin == "user":
            if book.graph.near(key) != NONE:
                book.skip("repeated_records")
                return
            book.turn_begins(self.state())
        self.boundary()
        draft = self._add("user", origin, key, seconds)
        if draft is not None:
            book.add_text(draft, text)

    def _said(self, text: str, seconds: object) -> None:
        draft = self._assistant(seconds, text)
        if draft is not None:
            self.book.add_text(draft, text)

    def _assistant(self, seconds: object, text: str) -> Draft | None:
        """The message of this step, begun now if it is not there yet."""
        if self._step is None:
            origin: Origin = "assistant"
            self._step = self._add("assistant", origin, timed_key(repr(seconds), "assistant", text), seconds)
        return self._step

    def _call(self, payload: Record, seconds: object) -> None:
        function = table(payload, "function")
        self._tool, call_id = string(function, "name"), string(payload, "id")
        self._arguments = [string(function, "arguments")]
        if self._tool not in _OWN_TOOLS:
            self._external[call_id] = None
            if len(self._external) > _MAX_OPEN_TOOLS:
                del self._external[next(iter(self._external))]
        self._assistant(seconds, f"call {call_id}")

    def _finish_call(self) -> None:
        """The arguments of a call may come in parts: what it touched is known when something else follows."""
        if self._tool and self._step is not None:
            files, commands = touched(self._tool, "".join(self._arguments))
            self.book.add_files(self._step, files, commands)
        self._tool, self._arguments = "", []

    def _result(self, payload: Record, seconds: object) -> None:
        call_id = string(payload, "tool_call_id")
        value = table(payload, "return_value") or table(payload, "result")
        texts = prompts.texts_of(value.get("output"))
        origin: Origin = "external" if self._external.pop(call_id, 0) is None else "tool"
        draft = self._add("tool", origin, timed_key(repr(seconds), "tool", call_id), seconds)
        if draft is not None:
            self.book.add_text(draft, "\n".join([*texts, string(value, "message")]).strip()[:4_000])

    def _inner(self, event: Record, seconds: object) -> None:
        """Of a sub-agent inside the main file only what it touched is of use."""
        if string(event, "type") == "ToolCall":
            function = table(table(event, "payload"), "function")
            files, commands = touched(string(function, "name"), string(function, "arguments"))
            draft = self._assistant(seconds, "inner")
            if draft is not None and (files or commands):
                self.book.add_files(draft, files, commands)


def touched(tool: str, arguments: str | Record) -> tuple[list[str], list[str]]:
    """Files and commands of a tool call; arguments as JSON text or decoded."""
    if isinstance(arguments, str):
        value = decoded(arguments) if arguments else None
        arguments = value if isinstance(value, dict) else {}
    files = [path for key in _FILE_ARGUMENTS if (path := string(arguments, key))]
    files += [path for edit in objects(arguments, "edits") if (path := string(edit, "path"))]
    command = string(arguments, "command")
    return files, [command] if command and tool in _SHELL_TOOLS else []
