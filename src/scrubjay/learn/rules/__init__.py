"""The rules: what a deterministic reader of a person's own words would remember. English and Chinese.

`propose` is pure: no clock, no file, no model. It only proposes; `learn/gate.py` decides. One table file per language
(`english.py`, `chinese.py`): another language is one more file, found by `language.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.learn.turns import Turn
from scrubjay.operations import Proposal, Rejection

__all__ = ["VERSION", "Found", "PlaceHint", "propose"]

VERSION = 1
"""Raised when the rules would find more: messages marked by an older version may be read again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceHint:
    """Where the session was: only for telling paths of the project from other words."""

    cwd: str = ""
    rel: str = ""
    """The session's directory below the project's root, "" for the root."""
    project: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """In the order of the turns and of the clauses in them."""

    proposals: tuple[Proposal, ...] = ()
    rejections: tuple[Rejection, ...] = ()


def propose(turns: Sequence[Turn], *, place: PlaceHint) -> Found:
    """What the prompts among `turns` would have remembered, and what a gate turned down with its reason.

    All turns of the session should be given, in order: a later "forget that" takes back an earlier clause, and "yes,
    always like that" quotes the assistant's words before it. `Proposal.body` is the whole body of the file, with its
    `**Why:**` paragraph where a reason was given (`Proposal.why` repeats it for callers).
    """
    return Found()
