"""The queue of memories that wait for a person's yes: best first, alike ones together."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.home import Home
from scrubjay.operations import MemoryType, Scope

PAGE = 10
"""How many are shown at once: what a person answers in a minute."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """One pending memory."""

    id: str
    name: str
    type: MemoryType
    scope: Scope
    project: str
    body: str
    reason: str
    quote: str
    agent: str
    said_at: str
    times: int
    """Pieces of evidence."""
    group: str
    """Rows with the same group can be answered together (same project and same reason)."""
    replaces: str = ""
    """Id of the active memory that accepting this one would supersede."""
    replaces_name: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """`accept`, `reject` (forgotten: not learnt again) or `edit` (accepted with other words) for one memory."""

    id: str
    verb: str
    body: str = ""
    name: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reviewed:
    """What the answers changed."""

    accepted: tuple[str, ...]
    rejected: tuple[str, ...]
    superseded: tuple[str, ...]
    left: int
    undo: str = ""


def waiting(home: Home, *, cwd: str = "", limit: int = PAGE) -> list[Waiting]:
    """The queue, best first; with `cwd` only what that directory sees. `limit` 0: all."""
    raise NotImplementedError


def answer(home: Home, answers: list[Answer]) -> Reviewed:
    """Carry the answers out in one transaction. `NothingFound` for an unknown id, `BadInput` for one that is not pending."""
    raise NotImplementedError


def archive_unanswered(home: Home) -> list[str]:
    """Archive what nobody answered for `review.archive_days`; the ids. Undoable, and still found by `jay list --all`."""
    raise NotImplementedError
