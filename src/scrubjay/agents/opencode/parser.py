"""The messages of one OpenCode session (database of 1.2 to 1.18, JSON files before): a chain without branches.

Ids are made anew in a fork, times are kept: a message's key is made of its role, its time in milliseconds and, for a
prompt, its words. What a revert takes back stays in place, marked, until the next prompt deletes it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from scrubjay.agents.base import Json, state_text
from scrubjay.agents.graph import NONE
from scrubjay.agents.jsonl import Record, array, clean, moment, objects, string, table
from scrubjay.agents.opencode import prompts
from scrubjay.agents.opencode.stores import Document, Known, Row
from scrubjay.agents.reading import About, Book
from scrubjay.session import Origin

MAX_PROMPTS = 200
"""So many of a session's last prompts are looked for again: deleted by a revert, they are off the live branch."""
_SILENT_PARTS = frozenset(("reasoning", "step-start", "step-finish", "snapshot", "agent", "subtask", "retry", "file"))
_OWN_TOOLS = frozenset(
    (
        *(
            "apply_patch",
            "bash",
            "batch",
            "codesearch",
            "edit",
            "glob",
            "grep",
            "invalid",
            "list",
            "ls",
            "lsp",
            "multiedit",
        ),
        *("patch", "plan_enter", "plan_exit", "question", "read", "skill", "task", "todoread", "todowrite", "write"),
        "StructuredOutput",
    )
)
"""Every other tool brings in what strangers wrote: the web, or a server of MCP (`<server>_<tool>`)."""
_FILE_ARGUMENTS = ("filePath", "path", "file_path")
_MAX_OUTPUT = 4_000
_YEAR_10000 = 253_402_300_800_000
"""Milliseconds since 1970."""


class OpenCodeParser:
    """See the module, and `rows.RowParser`."""

    def __init__(self, book: Book, state: Mapping[str, Json], known: Known) -> None:
        self.book, self._known = book, known
        self._about = About(
            id=known.id,
            cwd=known.directory,
            title=known.title,
            sub_agent=bool(known.parent),
        )
        self._spoken, self._machine = state.get("spoken") is True, state.get("machine") is True
        self._asked = state_text(state, "asked")
        self.prompts: dict[str, str] = {}
        """Message id → key of the newest prompts of this read."""

    def state(self) -> dict[str, Json]:
        return {
            "cwd": self._known.directory,
            "spoken": self._spoken,
            "machine": self._machine,
            "asked": self._asked,
        }

    def about(self) -> About:
        self._about.headless = self._machine and not self._spoken
        return self._about

    def boundary(self) -> None:
        """Every message comes whole."""

    def branches(self) -> dict[str, bool]:
        return {}

    def row(self, row: Row) -> None:
        record = self._record(row.document)
        if record is None:
            return
        match record.get("role"):
            case "user":
                self._user(row, record)
            case "assistant":
                self._assistant(row, record)
            case _:
                self.book.skip(f"unknown_records:{string(record, 'role')[:40]}")
                return
        if self.book.place.fresh:
            self.book.understood += 1

    def _record(self, document: Document) -> Record | None:
        if document.cut:
            self.book.skip("long_lines_cut")
        if document.record is None:
            self.book.skip("broken_lines")
        return document.record

    def _parts(self, row: Row) -> Iterator[Record]:
        return (record for document in row.parts() if (record := self._record(document)) is not None)

    # Prompts.

    def _user(self, row: Row, record: Record) -> None:
        book = self.book
        typed: list[str] = []
        injected: list[str] = []
        compaction = False
        for part in self._parts(row):
            kind = string(part, "type")
            if kind == "text":
                text = string(part, "text")
                ours = part.get("synthetic") is True or part.get("ignored") is True or prompts.is_harness(text)
                (injected if ours else typed).append(text)
            elif kind == "compaction":
                compaction = True
            elif kind not in _SILENT_PARTS:
                self._strange(part)
        stored = "\n\n".join(typed)
        key = _key("user", _created(record) or row.id, stored)
        self._asked = key
        if compaction:
            book.compaction()
        if not (typed or injected):
            return
        said = prompts.unquoted(stored.strip())
        text, piped = said or (stored, "")
        origin: Origin = "harness"
        if typed and (text.strip() or piped) and not self._about.sub_agent and not compaction:
            origin = "machine" if said or self._known.run else "user"
            book.turn_begins(self.state())
            self.prompts[row.id] = key
            if len(self.prompts) > 2 * MAX_PROMPTS:
                self.prompts = dict(list(self.prompts.items())[-MAX_PROMPTS:])
            self._spoken, self._machine = self._spoken or origin == "user", self._machine or origin == "machine"
        index = self._node(row, key)
        if index == NONE:
            return
        draft = book.message(index, "user", origin, at=_second(record), cwd=self._known.directory)
        if piped:
            book.add_pasted(draft, piped)
        for one in (text, *injected) if origin == "harness" else (text,):
            book.add_text(draft, one)

    # Answers, and the tools that they call.

    def _assistant(self, row: Row, record: Record) -> None:
        book = self.book
        key = _key("assistant", _created(record) or row.id, self._asked)
        texts: list[str] = []
        files: list[str] = []
        commands: list[str] = []
        outputs: list[tuple[str, Origin, str]] = []
        for part in self._parts(row):
            match string(part, "type"):
                case "text":
                    if part.get("synthetic") is not True and part.get("ignored") is not True:
                        texts.append(string(part, "text"))
                case "tool":
                    outputs.append(self._tool(part, files, commands))
                case "patch":
                    files += [clean(path) for path in array(part, "files") if isinstance(path, str)]
                case kind if kind not in _SILENT_PARTS:
                    self._strange(part)
        if not (texts or outputs):
            return
        index = self._node(row, key)
        if index == NONE:
            return
        at, cwd = _second(record), string(table(record, "path"), "cwd") or self._known.directory
        if record.get("summary") is True or "compaction" in (record.get("mode"), record.get("agent")):
            draft = book.message(index, "system", "harness", at=at, cwd=cwd)
        else:
            draft = book.message(index, "assistant", "assistant", at=at, cwd=cwd)
            book.add_files(draft, list(dict.fromkeys(files)), commands)
        for text in texts:
            book.add_text(draft, text)
        for call, origin, output in outputs:
            index = self._node(row, _key("tool", key, call))
            if index != NONE:
                book.add_text(book.message(index, "tool", origin, at=at, cwd=cwd), output)

    def _tool(self, part: Record, files: list[str], commands: list[str]) -> tuple[str, Origin, str]:
        state, name = table(part, "state"), string(part, "tool")
        given = table(state, "input")
        if name == "bash" and (command := string(given, "command")):
            commands.append(command)
        if name in _OWN_TOOLS:
            inner = [table(one, "parameters") for one in objects(given, "tool_calls")]  # of `batch`
            files += [path for one in (given, *inner) for at in _FILE_ARGUMENTS if (path := string(one, at))]
        output = string(state, "output") or string(state, "error")
        return string(part, "callID"), "tool" if name in _OWN_TOOLS else "external", output[:_MAX_OUTPUT]

    def _strange(self, part: Record) -> None:
        self.book.skip(f"unknown_records:part {string(part, 'type')[:40]}")

    def _node(self, row: Row, key: str) -> int:
        """The next record of the chain; NONE for one that is there already."""
        index = self.book.node(key, None, attach=True)
        if index != NONE and not self._taken_back(row.id):
            self.book.leaf = index
        return index

    def _taken_back(self, message: str) -> bool:
        first = self._known.reverted
        if not first or message < first:
            return False
        return message > first or not self._known.reverted_part


def _key(*parts: str) -> str:
    digest = hashlib.sha256("\x1f".join(("opencode", *parts)).encode("utf-8", "surrogatepass"))
    return "h-" + digest.hexdigest()[:24]


def _created(record: Record) -> str:
    """Milliseconds since 1970 as text; "" when there is none."""
    value = table(record, "time").get("created")
    return str(int(value)) if isinstance(value, int | float) and abs(value) < 1e15 else ""


def _second(record: Record) -> str:
    value = table(record, "time").get("created")
    return moment(value / 1000) if isinstance(value, int | float) and 0 < value < _YEAR_10000 else ""
