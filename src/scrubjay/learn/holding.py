"""Rules for a whole run, once every candidate has met the shelf: the limit of a live session, and an old backlog."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta

from scrubjay import clock
from scrubjay.learn.reconcile import wait
from scrubjay.learn.shelf import Entry, Shelf

BACKLOG_DAYS = 30
"""From a backlog, what was said once and longer ago than this waits."""


def hold_back_limit(shelf: Shelf, made: list[Entry], most: int) -> None:
    """At most `most` new active memories a session, counted over all runs; the later ones wait."""
    ours = {entry.id for entry in made}
    given: Counter[tuple[str, str]] = Counter()
    for entry in shelf:
        if entry.id not in ours and entry.memory.by == "learned" and entry.memory.status == "active":
            given[_session(shelf, entry)] += 1
    for entry in made:
        if entry.memory.status == "active" and entry.stored is None:
            given[_session(shelf, entry)] += 1
            if given[_session(shelf, entry)] > most:
                wait(shelf, entry, "limit")


def hold_back_backlog(shelf: Shelf, made: list[Entry], worktrees: Mapping[str, str]) -> None:
    """Old and said once, or about a path that is gone: a person looks at it first. `worktrees`: entry id → work tree."""
    oldest = clock.text(clock.now() - timedelta(days=BACKLOG_DAYS))
    for entry in made:
        if entry.memory.status != "active" or entry.stored is not None:
            continue
        evidence = shelf.evidence(entry)
        sessions = {(one.agent, one.session) for one in evidence}
        gone = _gone(entry, worktrees.get(entry.id, ""))
        if gone:
            wait(shelf, entry, "gone", f"it names {gone}, which is gone")
        elif len(sessions) < 2 and max((one.at for one in evidence), default="") < oldest:
            wait(shelf, entry, "backlog")


def _session(shelf: Shelf, entry: Entry) -> tuple[str, str]:
    evidence = shelf.evidence(entry)
    return (evidence[0].agent, evidence[0].session) if evidence else ("", "")


def _gone(entry: Entry, worktree: str) -> str:
    """The first path that the memory hangs on and that the work tree (when it is there) does not hold."""
    if not worktree or not os.path.isdir(worktree):
        return ""
    named = [value for anchor in entry.memory.anchors for kind, value in anchor if kind == "file"]
    for path in (*named, *entry.memory.paths):
        plain = path.rstrip("/")
        if any(sign in plain for sign in "*?[{") or not plain or os.path.isabs(plain):
            continue
        if not os.path.lexists(os.path.join(worktree, plain)):
            return path
    return ""
