"""Threads that span files: a revert starts a second file of the same thread, a fork refers to a prefix of another one's.

Neither copies anything: `session_meta.history_base` says how many records (`end_ordinal_exclusive`) of the older file still
count. The older file itself gets no mark.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from scrubjay.agents import files, jsonl
from scrubjay.agents.base import Source
from scrubjay.agents.jsonl import string, table

_NAME = re.compile(
    r"rollout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_([0-9a-f-]{1,40}))?\.jsonl(?:\.zst)?\Z"
)
_FIRST_LINE = 1 << 20
_MAX_DEPTH = 50


@dataclass(frozen=True, slots=True)
class Inherited:
    """What a file owes to others of its thread, and what is left of it."""

    limit: int = -1
    """Ordinals from here on are abandoned; -1: none."""
    before: str | None = None
    """Key of the message that the file's first one follows."""
    branches: dict[str, bool] = field(default_factory=dict)
    """Prompts of other files: still part of this thread, or left behind."""


@dataclass(frozen=True, slots=True)
class Base:
    """A `history_base`."""

    thread: str
    end: int


def thread_of(path: str) -> tuple[str, str]:
    """Thread id and revision id from a file's name; "" where it has none."""
    match = _NAME.search(os.path.basename(path))
    return (match[2], match[3] or "") if match else ("", "")


def root_of(path: str) -> str:
    """The agent's folder that holds `sessions` or `archived_sessions` above `path`; "" when there is none."""
    parts = os.path.abspath(path).split(os.sep)
    for name in ("sessions", "archived_sessions"):
        if name in parts[:-1]:
            at = len(parts) - 2 - parts[:-1][::-1].index(name)
            return os.sep.join(parts[:at]) or os.sep
    return ""


def files_of_thread(root: str, thread: str) -> list[str]:
    """The files of a thread, oldest first (the name begins with the time)."""
    found: dict[str, str] = {}
    for folder in ("sessions", "archived_sessions"):
        for path in files.below(os.path.join(root, folder), (".jsonl",)):
            if thread_of(path)[0] == thread:
                found.setdefault(os.path.basename(path), path)
    return [found[name] for name in sorted(found)]


def base_of(path: str) -> tuple[Base | None, int]:
    """`history_base` of a file and the ordinal of its first record."""
    try:
        with open(path, "rb") as file:
            line = file.readline(_FIRST_LINE)
    except OSError:
        return None, 0
    found, _ = jsonl.records(line)
    if not found:
        return None, 0
    ordinal = found[0].get("ordinal")
    first = ordinal if isinstance(ordinal, int) else 0
    base = table(table(found[0], "payload"), "history_base")
    end = base.get("end_ordinal_exclusive")
    return (Base(string(base, "thread_id"), end) if base and isinstance(end, int) else None), first


def chain(path: str, root: str) -> Iterator[tuple[str, int]]:
    """The older files that `path` builds on, nearest first, each with the number of records that still count."""
    base, limit, seen = base_of(path)[0], 1 << 62, {path}
    for _ in range(_MAX_DEPTH):
        if base is None:
            return
        limit = min(limit, base.end)
        older = [other for other in files_of_thread(root, base.thread) if other not in seen]
        if thread_of(path)[0] == base.thread:
            older = [other for other in older if os.path.basename(other) < os.path.basename(path)]
        # Of several revisions the newest that begins early enough is the one that was built on.
        fitting = [other for other in older if base_of(other)[1] < limit]
        if not fitting:
            return
        path = fitting[-1]
        seen.add(path)
        yield path, limit
        base = base_of(path)[0]


Keys = Callable[[str], list[tuple[int, str, bool]]]
"""`(ordinal, key, is a prompt)` of the messages of a file."""


def inherited(source: Source, keys: Keys, *, at_top: bool) -> Inherited:
    """What a file owes to others. `at_top`: the read begins at its first record, where that matters."""
    path, root = source.path, root_of(source.path)
    thread, revision = thread_of(path)
    if not root or not thread:
        return Inherited()
    alone = not revision and source.related == ()
    limit = -1 if alone else _limit(path, root, thread)
    base = base_of(path)[0]
    if base is None or not at_top:
        return Inherited(limit=limit)
    before: str | None = None
    branches: dict[str, bool] = {}
    counted: dict[str, int] = {}
    for older, end in chain(path, root):
        counted[older] = end
        for ordinal, key, prompt in keys(older):
            if ordinal < end:
                before = key if len(counted) == 1 else before
                if prompt:
                    branches[key] = True
    if base.thread == thread:
        for other in files_of_thread(root, thread):
            if os.path.basename(other) < os.path.basename(path):
                end = counted.get(other, 0)
                branches.update({key: False for ordinal, key, prompt in keys(other) if prompt and ordinal >= end})
    return Inherited(limit=limit, before=before, branches=branches)


def _limit(path: str, root: str, thread: str) -> int:
    """How many records of `path` its thread still counts: all, but for those that a newer revision left behind."""
    newest = files_of_thread(root, thread)[-1:]
    if not newest or os.path.basename(newest[0]) == os.path.basename(path) or not thread_of(newest[0])[1]:
        return -1
    counted = {os.path.basename(older): end for older, end in chain(newest[0], root)}
    return counted.get(os.path.basename(path), 0)
