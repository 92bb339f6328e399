"""Codex's memories: the handbook `MEMORY.md` and the profile in `memory_summary.md`, and notes made on request.

Both pipelines (`memories/`, `memories_v2/`) are read. Raw memories, rollout summaries and skills are left: the handbook is
made from them.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from scrubjay.agents.codex import READER
from scrubjay.importing.base import Ask, Found
from scrubjay.importing.text import Text, items, load, markdown_below, parts
from scrubjay.operations import MemoryType

_CWD = re.compile(r"^applies_to:.*?\bcwd=(?P<cwd>[^;\n]+)", re.MULTILINE)
_TASKS = re.compile(r"(?:\s*\[(?:Task \d+|ad-hoc note)\])+", re.IGNORECASE)
"""`[Task 1][Task 3]`: numbers that mean something in the file only."""
_GROUP = re.compile(r"# Task Group:\s*(.*)")
_KINDS: dict[str, MemoryType | None] = {
    "user profile": "user",
    "user preferences": "feedback",
    "general tips": None,
    "reusable knowledge": None,
    "failures and how to do differently": None,
}
"""Sections that hold memories. The others are an index of the rest, and of session files."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Section:
    kind: MemoryType | None
    directory: str
    topic: str
    start: int
    lines: tuple[str, ...]


class Codex:
    """See `Importer`."""

    name = "codex"
    title = "Codex"

    def read(self, ask: Ask) -> Found:
        """See `Importer`."""
        found = Found()
        for root in READER.roots(ask.home, ask.environ):
            for folder in (os.path.join(root, "memories"), os.path.join(root, "memories_v2")):
                if not os.path.isdir(folder):
                    continue
                found.folders.add(folder)
                for name in ("MEMORY.md", "memory_summary.md"):
                    text = load(os.path.join(folder, name), found)
                    if text is not None:
                        _handbook(text, found)
                for text in markdown_below(os.path.join(folder, "extensions", "ad_hoc", "notes"), found):
                    _note(text, found)
        return found


def _handbook(text: Text, found: Found) -> None:
    for section in _sections(text):
        for item in items(list(section.lines), first=section.start):
            body = _TASKS.sub("", item.text).strip()
            if body:
                found.notes.append(
                    text.note(
                        item.line,
                        body,
                        type=section.kind,
                        directory=section.directory,
                        aliases=(section.topic,) if section.topic else (),
                    )
                )


def _sections(text: Text) -> list[_Section]:
    """The sections that hold memories, each with the directory and the subject of its task group."""
    lines = text.lines
    heads = [number for number, line in enumerate(lines) if line.startswith(("# ", "## "))]
    found: list[_Section] = []
    directory = topic = ""
    for number, end in zip(heads, [*heads[1:], len(lines)], strict=True):
        title = lines[number].lstrip("# ").strip().lower()
        if lines[number].startswith("# "):
            group = _GROUP.match(lines[number])
            match = _CWD.search("\n".join(lines[number:end]))
            topic = group[1].strip()[:80] if group else ""
            directory = _directory(match["cwd"]) if match else ""
        elif title in _KINDS:
            body = tuple(lines[number + 1 : end])
            found.append(_Section(kind=_KINDS[title], directory=directory, topic=topic, start=number + 2, lines=body))
    return found


def _directory(given: str) -> str:
    path = given.strip().strip("`'\"")
    return path if path.startswith("/") and "," not in path else ""


def _note(text: Text, found: Found) -> None:
    """A note that the person asked for, whole."""
    if not text.text.strip():
        return
    pieces = parts(text.text.strip("\n"))
    for before, piece in pieces:
        found.notes.append(text.note(1 + before, piece.strip(), whole_file=len(pieces) == 1))


IMPORTER = Codex()
