"""A memory file that no transaction of ours wrote counts as the person's, unless a transcript shows an agent writing it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from scrubjay import clock
from scrubjay.learn.rulebook import reason
from scrubjay.learn.shelf import Entry, Shelf
from scrubjay.scope import TEAM_FOLDER

BEFORE_S, AFTER_S = 5, 120
"""The file's time lies this close to the tool call that named it: a read leaves the time alone, a write sets it."""


def could_be_memory(path: str, memory_folder: str) -> bool:
    """The path of a tool call lies in a store."""
    return path.endswith(".md") and (path.startswith(memory_folder + os.sep) or f"/{TEAM_FOLDER}/" in path)


def doubt(shelf: Shelf, touched: Mapping[str, Sequence[str]]) -> list[Entry]:
    """Hand-made, active memories whose file an agent's tool wrote wait for the person's yes. `touched`: real path → times
    of the tool calls that named it."""
    doubted: list[Entry] = []
    for entry in shelf:
        stored = entry.stored
        if stored is None or not stored.hand_made or entry.memory.status != "active" or stored.broken:
            continue
        written_at = stored.mtime_ns / 1e9
        for at in touched.get(os.path.realpath(stored.path), ()):
            moment = clock.parse(at)
            if moment is not None and -BEFORE_S <= written_at - moment.timestamp() <= AFTER_S:
                shelf.change(
                    entry,
                    status="pending",
                    reason=reason("agent", "an agent's tool wrote the file"),
                    by="agent",
                    trust="agent",
                )
                doubted.append(entry)
                break
    return doubted
