"""Forgetting: undoable by default, for good with `purge`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scrubjay.home import Home
from scrubjay.store.library import Library


@dataclass(frozen=True, kw_only=True, slots=True)
class Forgotten:
    """What went, and what is out of reach."""

    ids: tuple[str, ...]
    undo: str
    """"" after a purge, or without git."""
    purged: bool
    out_of_reach: tuple[str, ...] = ()
    """Files outside scrubjay that hold copies: transcripts named by the evidence, the agent's own memory."""
    left: tuple[str, ...] = ()
    """After a purge: files below the scrubjay home that still hold the text (another memory that says the same)."""
    notes: tuple[str, ...] = ()


def forget(
    home: Home,
    library: Library,
    ids: Sequence[str],
    *,
    purge: bool = False,
    reason: str = "",
    clear_index: Callable[[Sequence[str]], None] | None = None,
) -> Forgotten:
    """Remove memories and leave a tombstone for each. An empty `ids` is `Refused`.

    `purge` also takes ids that were forgotten before. `clear_index` removes rows of the search database; without it the
    file is deleted (it is rebuilt from the stores).
    """
    raise NotImplementedError
