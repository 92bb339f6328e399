"""MEMORY.md of a store: made from the files beside it, always within what agents load of such a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from scrubjay import clock
from scrubjay.memory import Memory, parse
from scrubjay.store.layout import INDEX, is_memory_name
from scrubjay.store.parsed import Reading

MAX_LINES = 140
MAX_UNITS = 17_500
"""UTF-16 units. Claude Code loads 200 lines or 25 kB of its index and cuts the rest without a word; we stay well inside."""
MAX_LINE_UNITS = 150

_HEAD = """# Memory index

<!-- Made by scrubjay from the files beside it: a change here is overwritten, a change of a file is taken in. -->
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """What the index needs of one file."""

    pinned: bool
    at: str
    type: str
    name: str
    description: str


def render(folder: str, there: Mapping[str, Reading], coming: Mapping[str, bytes | None]) -> bytes:
    """The index of a folder as it will be: `there`, what it holds now, by name; `coming`, files that are being written
    (None: removed), by path."""
    rows: list[tuple[str, Line]] = []
    for name, reading in there.items():
        if os.path.join(folder, name) not in coming and reading.parsed.memory.status == "active":
            rows.append((name, _line(reading.parsed.memory, reading.version[1])))
    for path, data in coming.items():
        name = os.path.basename(path)
        if data is not None and os.path.dirname(path) == folder and is_memory_name(name):
            memory = parse(data, name=name).memory
            if memory.status == "active":
                rows.append((name, _line(memory)))
    rows.sort(key=lambda row: row[0])
    rows.sort(key=lambda row: (row[1].pinned, row[1].at), reverse=True)
    return _text(rows).encode("utf-8", "replace")


def _text(rows: list[tuple[str, Line]]) -> str:
    used, lines = units(_HEAD) + MAX_LINE_UNITS * 2, list[str]()
    room = MAX_LINES - _HEAD.count("\n") - 3
    for name, line in rows[:room]:
        entry = _entry(name, line)
        used += units(entry) + 1
        if used > MAX_UNITS:
            break
        lines.append(entry)
    text = _HEAD + ("\n" + "\n".join(lines) + "\n" if lines else "")
    left = rows[len(lines) :]
    if left:
        kinds: dict[str, int] = {}
        for _, line in left:
            kinds[line.type] = kinds.get(line.type, 0) + 1
        named = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        text += f"\n{len(left)} older memories are not shown here ({named}): `jay list` shows all.\n"
    return text


def _entry(file: str, line: Line) -> str:
    """`- [name](file.md) — description`, cut to the line's limit from the end."""
    target = f"<{file}>" if any(c in file for c in " ()<>") else file
    title, description = _plain(line.name), _plain(line.description)
    frame = units(f"- []({target}) — ")
    if frame > MAX_LINE_UNITS - 20:
        return cut(f"- {title} — {description}", MAX_LINE_UNITS)  # a name made by hand, too long for a link
    name = cut(title.replace("[", "(").replace("]", ")"), MAX_LINE_UNITS - frame)
    room = MAX_LINE_UNITS - frame - units(name)
    return f"- [{name}]({target})" + (f" — {cut(description, room)}" if description and room > 1 else "")


def _plain(text: str) -> str:
    """The text with no HTML, no link and no half of a code span of its own, which would change the line around it."""
    text = text.replace("<", "\\<").replace("](", "] (")
    return text.replace("`", "'") if text.count("`") % 2 else text


def _line(memory: Memory, mtime_ns: int = 0) -> Line:
    at = memory.updated or memory.created or ("" if memory.observed == "undated" else memory.observed)
    if not at and mtime_ns:
        at = clock.text(datetime.fromtimestamp(mtime_ns / 1e9, UTC))
    return Line(
        pinned=memory.pinned,
        at=at,
        type=memory.type,
        name=memory.name,
        description=memory.description,
    )


def units(text: str) -> int:
    """UTF-16 code units, which is what clients written in JavaScript count."""
    return len(text) + sum(c > "\uffff" for c in text)


def cut(text: str, most: int) -> str:
    """At most so many UTF-16 units; what is cut ends in an ellipsis."""
    if units(text) <= most:
        return text
    kept, used = "", 1
    for c in text:
        used += units(c)
        if used > most:
            break
        kept += c
    return kept.rstrip() + "…"


def path_of(folder: str) -> str:
    return os.path.join(folder, INDEX)
