"""A file of instructions that the person names (CLAUDE.md, AGENTS.md, …): each bullet and paragraph is a note."""

from __future__ import annotations

import os

from scrubjay.errors import BadInput
from scrubjay.importing.base import Found
from scrubjay.importing.text import items, load, under_section
from scrubjay.scope import Place

KNOWN = ("claude", "agents", "qwen", "gemini")
"""Such files of these names, `<name>.md` or `<name>.local.md`, are told apart."""
MIN_WORDS = 3
"""A bullet of fewer words says nothing alone."""


def source_of(path: str) -> str:
    """What stands behind `imported:`: `claude-md`, `agents-md`, `qwen-md`, `gemini-md`, else `file`. No agent's name: its own
    memory is another source."""
    name, _, ending = os.path.basename(path).lower().partition(".")
    return f"{name}-md" if name in KNOWN and ending.endswith("md") else "file"


def read(path: str, place: Place) -> Found:
    """The file's notes; `place` is that of its folder. Raises `BadInput` when there is no such file, or when it is a link that
    leads out of the repository."""
    found = Found()
    real = os.path.realpath(path)
    if place.git and not real.startswith(os.path.realpath(place.worktree) + os.sep):
        raise BadInput("a link that leads out of the repository", at=path, hint="name the file that it leads to")
    text = load(real, found, optional=False)
    if text is None:
        raise BadInput(found.troubles[0].what, at=path)
    in_project = bool(place.git and place.root)
    start = _after_front_matter(text.lines)
    for item in items(text.lines[start:], first=start + 1):
        if item.text.startswith("@") and " " not in item.text:
            found.left_out["imported-file"] += 1
            continue
        if len(item.text.split()) < MIN_WORDS and item.text.isascii():
            found.left_out["too-short"] += 1
            continue
        found.notes.append(
            text.note(
                item.line,
                item.text,
                directory=os.path.dirname(path) if in_project else "",
                paths=(place.rel + "/",) if in_project and place.rel else (),
                at="" if in_project else text.at,
                from_repository=in_project,
                **under_section(item),
            )
        )
    return found


def _after_front_matter(lines: list[str]) -> int:
    if lines[0].rstrip() != "---":
        return 0
    return next((number for number, line in enumerate(lines[1:], 2) if line.rstrip() == "---"), 0)
