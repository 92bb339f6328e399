"""What a person said only on a branch that they walked away from sleeps; said again, or live again, it is awake."""

from __future__ import annotations

from collections.abc import Callable, Collection

from scrubjay.learn.reconcile import settle, supersede
from scrubjay.learn.rulebook import reason, word_of
from scrubjay.learn.shelf import Entry, Shelf

Abandoned = Callable[[Collection[str]], set[str]]
"""Of some message keys, those that lie off the live branch in every session that has them."""


def follow(
    shelf: Shelf, abandoned: Abandoned, sessions: Collection[tuple[str, str]]
) -> tuple[list[Entry], list[Entry]]:
    """Put to sleep and wake what rests on these sessions: (asleep now, awake now)."""
    asleep: list[Entry] = []
    awake: list[Entry] = []
    for entry in list(shelf):
        memory = entry.memory
        sleeping = memory.status == "dormant" and word_of(memory.reason) in ("branch", "left")
        if memory.by != "learned" or not (memory.status in ("active", "pending") or sleeping):
            continue
        evidence = shelf.evidence(entry)
        if not any((one.agent, one.session) in sessions for one in evidence):
            continue
        # The person's own words carry it: what the assistant said before the fork point is not enough.
        spoken = {one.message for one in evidence if one.role == "user"} or {one.message for one in evidence}
        gone = spoken <= abandoned(spoken)
        if gone and not sleeping:
            awake += settle(shelf, entry)
            _sleep(shelf, entry)
            asleep.append(entry)
        elif not gone and sleeping:
            _wake(shelf, entry)
            awake.append(entry)
    return asleep, awake


def _sleep(shelf: Shelf, entry: Entry) -> None:
    """What it had replaced holds again. What waited is not asked about while nobody stands by it."""
    shelf.change(entry, status="dormant", reason=reason("left" if entry.memory.status == "pending" else "branch"))
    for old in _replaced(shelf, entry):
        if old.memory.status == "superseded" and old.memory.superseded_by == entry.id:
            shelf.change(old, status="active", superseded_by="", reason="")


def _wake(shelf: Shelf, entry: Entry) -> None:
    if word_of(entry.memory.reason) == "left":
        shelf.change(entry, status="pending", reason=reason("inferred"))
        return
    shelf.change(entry, status="active", reason="")
    supersede(shelf, entry, [old for old in _replaced(shelf, entry) if old.memory.status == "active"])


def _replaced(shelf: Shelf, entry: Entry) -> list[Entry]:
    return [old for one in entry.memory.supersedes if (old := shelf.get(one)) is not None]
