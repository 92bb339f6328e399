"""Are two statements about the same thing, and does the newer one say that the older is no longer so?"""

from __future__ import annotations

from scrubjay.operations import Proposal


def same_topic(a: str, b: str) -> float:
    """0.0 (nothing in common) to 1.0: how much of the shorter statement's subject matter the other one shares.

    Content words, identifiers and names count; values (numbers, dates, URLs) do not, for they are what changes.
    """
    raise NotImplementedError


def contradicts(old_body: str, new: Proposal) -> bool:
    """True when `new` was said with an explicit cue of change and replaces what `old_body` says of the same subject."""
    raise NotImplementedError
