"""MEMORY.md of a store: made from the files beside it, always within what agents load of such a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from scrubjay import clock
from scrubjay.memory import Memory, parse
from scrubjay.store import files
from scrubjay.store.layout import INDEX, memory_names

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

    active: bool
    pinned: bool
    at: str
    type: str
    name: str
    description: str


_seen: dict[str, tuple[tuple[int, int, int], Line]] = {}


def render(folder: str, coming: Mapping[str, bytes | None]) -> bytes:
    """The index of a folder as it will be: `coming` holds files that are being written (None: removed), by path."""
    listed = {os.path.join(folder, name) for name in memory_names(folder)}
    listed |= {path for path in coming if os.path.dirname(path) == folder}
    rows: list[tuple[str, Line]] = []
    for path in listed:
        data = coming.get(path, b"")
        if data is None:
            continue
        line = _line(parse(data, name=os.path.basename(path)).memory, "") if path in coming else _from_disk(path)
        if line is not None and line.active:
            rows.append((os.path.basename(path), line))
    rows.sort(key=lambda row: row[0])
    rows.sort(key=lambda row: (row[1].pinned, row[1].at), reverse=True)
    return _text(rows).encode("utf-8", "replace")


def _text(rows: list[tuple[str, Line]]) -> str:
    lines = [_entry(name, line) for name, line in rows]
    used, shown = units(_HEAD) + MAX_LINE_UNITS * 2, 0
    room = MAX_LINES - _HEAD.count("\n") - 3
    for text in lines:
        used += units(text) + 1
        if used > MAX_UNITS or shown >= room:
            break
        shown += 1
    text = _HEAD + ("\n" + "\n".join(lines[:shown]) + "\n" if shown else "")
    left = rows[shown:]
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
    frame = units(f"- []({target}) — ")
    if frame > MAX_LINE_UNITS - 20:
        return cut(f"- {line.name} — {line.description}", MAX_LINE_UNITS)  # a name made by hand, too long for a link
    name = cut(line.name.replace("[", "(").replace("]", ")"), MAX_LINE_UNITS - frame)
    room = MAX_LINE_UNITS - frame - units(name)
    return f"- [{name}]({target})" + (f" — {cut(line.description, room)}" if line.description and room > 1 else "")


def _from_disk(path: str) -> Line | None:
    """Read once for each version of a file (a process that commits often reads a large store once)."""
    try:
        found = os.lstat(path)
        version = (found.st_mtime_ns, found.st_size, found.st_ino)
        known = _seen.get(path)
        if known is not None and known[0] == version:
            return known[1]
        data = files.read(path)
    except OSError:
        return None
    if data is None:
        return None
    modified = clock.text(datetime.fromtimestamp(found.st_mtime, UTC))
    line = _line(parse(data, name=os.path.basename(path)).memory, modified)
    _seen[path] = (version, line)
    return line


def _line(memory: Memory, modified: str) -> Line:
    observed = "" if memory.observed == "undated" else memory.observed
    return Line(
        active=memory.status == "active",
        pinned=memory.pinned,
        at=memory.updated or memory.created or observed or modified,
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
