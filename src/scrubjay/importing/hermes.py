"""Hermes' memories: `MEMORY.md` and `USER.md` of its home and of each profile, entries between lines with `§`."""

from __future__ import annotations

import os

from scrubjay.agents.hermes import READER
from scrubjay.importing.base import Ask, Found
from scrubjay.importing.text import load
from scrubjay.operations import MemoryType

BETWEEN = "§"
"""On a line of its own between two entries (hermes-agent 0.19.0)."""


class Hermes:
    """See `Importer`."""

    name = "hermes"
    title = "Hermes"

    def read(self, ask: Ask) -> Found:
        """See `Importer`."""
        found = Found()
        for root in READER.roots(ask.home, ask.environ):
            folder = os.path.join(root, "memories")
            if os.path.isdir(folder):
                found.folders.add(folder)
                _entries(os.path.join(folder, "MEMORY.md"), None, found)
                _entries(os.path.join(folder, "USER.md"), "user", found)
        return found


def _entries(path: str, kind: MemoryType | None, found: Found) -> None:
    text = load(path, found)
    if text is None:
        return
    held: list[str] = []
    start = 1
    for number, line in enumerate([*text.lines, BETWEEN], 1):
        if line != BETWEEN:
            held.append(line)
            continue
        if entry := "\n".join(held).strip():
            blank = next(at for at, one in enumerate(held) if one.strip())
            found.notes.append(text.note(start + blank, entry, type=kind))
        held, start = [], number + 1


IMPORTER = Hermes()
