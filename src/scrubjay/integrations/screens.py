"""What the memory tool's commands answer, in the words that models were trained on."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.errors import BadInput
from scrubjay.integrations import paths
from scrubjay.integrations.paths import Path

LEVELS = 2
AROUND = 4
"""Lines shown before and after an edit."""


def directory(path: Path, sizes: Mapping[Path, int]) -> str:
    """A folder two levels deep, each entry with its size; `sizes`: bytes of every file below it."""
    totals: dict[Path, int] = {path: sum(sizes.values())}
    for one, size in sizes.items():
        for depth in range(len(path) + 1, min(len(one), len(path) + LEVELS) + 1):
            totals[one[:depth]] = totals.get(one[:depth], 0) + size
    rows = [f"{_size(size)}\t{paths.shown(one)}" for one, size in sorted(totals.items())]
    where = paths.shown(path)
    return (
        f"Here're the files and directories up to 2 levels deep in {where}, excluding hidden items and node_modules:\n"
        + "\n".join(rows)
    )


def numbered(where: str, text: str, view_range: object = None) -> str:
    """A file's lines with their numbers; `view_range`: first and last line, from 1; -1 is the end."""
    lines = text.split("\n")
    first, last = 1, len(lines)
    if view_range is not None:
        if not (
            isinstance(view_range, list | tuple) and len(view_range) == 2 and all(type(n) is int for n in view_range)
        ):
            raise BadInput("`view_range` takes two line numbers")
        first, last = view_range[0], len(lines) if view_range[1] == -1 else view_range[1]
        if not 1 <= first <= last <= len(lines):
            raise BadInput(f"Invalid `view_range`: {list(view_range)}. The file has lines 1 to {len(lines)}")
    return f"Here's the content of {where} with line numbers:\n" + _lines(lines, first, last)


def snippet(text: str, line: int) -> str:
    """The lines around an edit."""
    lines = text.split("\n")
    return _lines(lines, max(1, line - AROUND), min(len(lines), line + AROUND))


def places_of(text: str, part: str) -> list[int]:
    """Numbers of the lines in which `part` begins, one for each time."""
    found, at = [], text.find(part)
    while at >= 0:
        found.append(text.count("\n", 0, at) + 1)
        at = text.find(part, at + 1)
    return found


def _lines(lines: list[str], first: int, last: int) -> str:
    return "\n".join(f"{number:6d}\t{lines[number - 1]}" for number in range(first, last + 1))


def _size(size: int) -> str:
    return f"{size}B" if size < 1024 else f"{size / 1024:.1f}K"
