"""That something was forgotten, so that it is not learnt again: message keys and keyed hashes, never the text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Tombstone:
    """One file of `memory/tombstones/`."""

    memory: str
    """Id of the forgotten memory."""
    at: str
    """When it was forgotten."""
    by: str
    """`forget`, `hand` (the file was deleted) or `purge`."""
    messages: tuple[str, ...]
    """Message keys of its evidence."""
    evidence: tuple[str, ...]
    prints: tuple[str, ...]
    """One keyed print for each of its texts (`store.near`)."""
    key: str = ""
    """Which home's key the prints were made with."""


class Tombstones:
    """Every tombstone of a home."""

    def all(self) -> list[Tombstone]:
        """In order of their files."""
        raise NotImplementedError

    def blocks(self, *, message_key: str = "", text: str = "", said_at: str = "") -> str:
        """Why this must not be learnt (again), or "": its message was forgotten, or it says nearly the same and was said
        before the forget. `said_at` "" counts as before."""
        raise NotImplementedError

    def again(self, *, text: str, said_at: str) -> str:
        """Why it must wait for review, or "": the person said again what was forgotten, after the forget."""
        raise NotImplementedError
