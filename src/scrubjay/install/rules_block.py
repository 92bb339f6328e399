"""The block of memories for a rules file: standing rules whole, the rest a line each, never longer than its room."""

from __future__ import annotations

import os
import re
from typing import Literal

from scrubjay import scope, settings
from scrubjay.home import Home
from scrubjay.inject import wording
from scrubjay.inject.fence import RESIDENT_TAG, fenced
from scrubjay.inject.resident import index_line, rule_line, unchanged
from scrubjay.quicksql import sqlite3
from scrubjay.search import listing, query

Whose = Literal["user", "project"]
BEGIN, END = "<!-- scrubjay:begin", "<!-- scrubjay:end -->"
"""What lies from the one line to the other is ours. No memory can hold either: their angle brackets are escaped."""
HEAD = f"{BEGIN} | kept up to date by scrubjay, edits in here are lost | out again: jay uninstall rules-files -->"
MAX_INDEX_LINES = 60
_IMPORT = re.compile(r"(?<!\S)(?=@\S)")
"""Where Claude Code, Gemini CLI, Qwen Code and Goose take `@path` as a file to put in its place: at the beginning of a word."""


def block(home: Home, whose: Whose, folder: str, room: int) -> str:
    """The whole block, with its markers and a newline at its end, in at most `room` bytes; "" when not even they fit.

    `user`: the person's own store and no other. `project`: what the repository of `folder` has, private and team, and nothing
    of the person's own. Memories that are kept for certain agents are left out: any may read the file.
    """
    rules, others = _lines(home, stores(home, whose, folder))
    lines = [*rules, *others]
    if len(_whole([], [], 0).encode()) > room:
        return ""
    low, high = 0, len(lines)
    while low < high:  # the longest beginning that fits
        middle = (low + high + 1) // 2
        if len(_cut(rules, others, middle).encode()) <= room:
            low = middle
        else:
            high = middle - 1
    if low == 0 and lines and len(_cut(rules, others, 0).encode()) > room:
        return _whole([], [], 0)
    return _cut(rules, others, low)


def stores(home: Home, whose: Whose, folder: str) -> list[str]:
    """Folders of the stores whose memories the file may hold."""
    place = scope.look(home, folder, isolate=settings.load(home.config).flag("projects.isolate_worktrees"))
    return [one.path for one in place.stores() if (one.scope == "user") == (whose == "user")]


def whose(home: Home, folder: str, user_home: str) -> Whose:
    """Is a file in this folder one repository's, or does every project read it?"""
    place = scope.look(home, folder)
    own = os.path.realpath(place.worktree or "/") == os.path.realpath(user_home)
    return "project" if place.git and place.root and not own else "user"


def _lines(home: Home, wanted: list[str]) -> tuple[list[str], list[str]]:
    connection = query.open(home.search)
    if connection is None or not wanted or settings.load(home.config).text("mode") == "off":
        return [], []
    try:
        rules = listing.ranked(connection, wanted, rules=True)
        others = listing.ranked(connection, wanted, rules=False)
    except sqlite3.Error:
        return [], []
    finally:
        connection.close()
    return (
        [_inert(rule_line(row)) for row in rules if not row.agents and unchanged(row)],
        [_inert(index_line(row)) for row in others if not row.agents and unchanged(row)],
    )


def _inert(line: str) -> str:
    """The line with nothing in it that a client imports: Markdown's own way to write an `@` that is just one, which a shell
    takes for the same, too."""
    return _IMPORT.sub(r"\\", line)


def _cut(rules: list[str], others: list[str], kept: int) -> str:
    index = others[: max(0, min(kept - len(rules), MAX_INDEX_LINES))]
    shown = rules[:kept]
    return _whole(shown, index, len(rules) + len(others) - len(shown) - len(index))


def _whole(rules: list[str], index: list[str], left: int) -> str:
    parts = ["\n".join([wording.RULES, *rules])] if rules else []
    parts += ["\n".join([wording.INDEX, *index])] if index else []
    parts += [f"{wording.LEFT_OUT}: {left} memories: {wording.MORE}"] if left else []
    inside = [fenced(RESIDENT_TAG, "\n\n".join(parts))] if parts else []
    return "\n".join([HEAD, *inside, END, ""])
