"""Whether a memory shares enough with a prompt to be worth saying. Hot.

Two questions. The floor: are there two distinct words in common, or one that stands in the name, an alias or an anchor?
And the weight: do the common words carry enough of what was asked that chance doesn't explain them?
"""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.search.tokens import Word

COMMON_SHARE = 0.05
"""A word in more than this share of the visible memories does not count …"""
COMMON_AT_LEAST = 5
"""… when it stands in at least so many."""

_PRIOR = 100.0
"""How many memories' worth of experience the built-in word frequencies count for: in a store of 40 they decide, in one of
10,000 the store does."""
_USUAL = {"strong": 0.002, "weak": 0.03, "number": 0.03, "gram": 0.01, "kana": 0.06, "whole": 0.001, "light": 0.3}
"""Share of memories that hold a word of this kind, before any was counted."""

TELLING = ("strong", "gram", "whole")
"""Kinds of words that can name a subject by themselves."""

LONGER_MASS = 0.6
"""What a longer word that starts with the asked one weighs, beside the word itself."""
MIN_SHARE = 0.2
"""Share of what was asked (in nats) that two or more common words must carry …"""
MIN_SHARE_JOINED = 0.08
"""… less when a whole identifier (`merge_records`, `invoices.py`) is among them …"""
MUCH = 24.0
"""… unless they carry this much: a long prompt speaks of many things."""
MIN_BEYOND_CHANCE = 1.0
"""Nats that the common words must weigh beyond what some memory of so many would share with so many words by chance:
log(visible memories) + log(ways to choose the matched words among the asked)."""
MOST, MIN_BEYOND_CHANCE_MOST = 0.6, -2.0
"""Common words that are most of what was asked, a telling one among them, need not be that rare: several memories on one
subject share its words."""
MIN_SHARE_NAMED, MIN_BEYOND_CHANCE_NAMED = 0.4, -3.0
"""The same for one telling word that stands in the name, an alias or an anchor: the place is half of the proof."""
MIN_SHARE_WEAK, MIN_BEYOND_CHANCE_WEAK = 0.9, -1.5
"""The same for one everyday word in such a place: only when it is all that was asked, and few memories have it."""
_IDF_PRIOR, _IDF_USUAL = 20.0, 0.01
"""For the order, a milder word of experience: among three memories a word that all of them hold is not yet worthless."""
_EVERYDAY = {"weak": 0.6, "light": 0.6}
"""For the order, what a word of these kinds counts beside a telling one that is as rare: in a small store "fix" or "after"
may stand in one memory only, and still says little. From 0.5 to 0.7, sde-bench finds more rules by their words alone than
with 1, and the other sets of `bench/retrieval.py` lose nothing."""


class Asked:
    """A word of the prompt with what the index says about it."""

    __slots__ = ("common", "found_in", "idf", "mass", "word")

    def __init__(self, word: Word, found_in: int, visible: int) -> None:
        self.word = word
        self.found_in = found_in
        self.common = word.kind == "light" or COMMON_AT_LEAST <= found_in > COMMON_SHARE * visible
        share = (found_in + _PRIOR * _USUAL[word.kind]) / (visible + _PRIOR)
        self.mass = -math.log(min(1.0, share))
        """Surprise of seeing the word in a memory, in nats."""
        rarity = -math.log(min(1.0, (found_in + _IDF_PRIOR * _IDF_USUAL) / (visible + _IDF_PRIOR)))
        self.idf = rarity * _EVERYDAY.get(word.kind, 1.0)
        """Weight in the score: rarer words more."""


def distinct(matched: Sequence[Asked]) -> int:
    """How many words matched: identifiers joined don't count beside their parts, overlapping grams count once."""
    words = 0
    last = -2
    for asked in matched:
        if asked.common or asked.word.kind == "whole":
            continue
        if asked.word.kind in ("gram", "kana"):
            if asked.word.run - last < 2:
                continue
            last = asked.word.run
        words += 1
    return words


class Hit:
    """A word of the prompt that one memory holds."""

    __slots__ = ("asked", "exact", "in_key")

    def __init__(self, asked: Asked, *, exact: bool, in_key: bool) -> None:
        self.asked = asked
        self.exact = exact
        """The word itself, not only a longer one that starts with it."""
        self.in_key = in_key
        """In the name, an alias, an anchor or a path."""


def judge(hits: Sequence[Hit], asked: Sequence[Asked], visible: int, *, in_full: bool = False) -> str:
    """ "" when the memory may be said, else `floor` or `weak`.

    `asked`: the words that it could have held at all. `in_full`: the prompt says its whole name or a whole alias.
    """
    counted = [hit for hit in hits if not hit.asked.common]
    words = distinct([hit.asked for hit in counted])
    named = [hit for hit in counted if hit.in_key and hit.asked.word.kind != "number"]
    if all(hit.asked.word.kind == "number" for hit in counted) or (words < 2 and not named):
        return "floor"
    weight = sum(hit.asked.mass * (1.0 if hit.exact else LONGER_MASS) for hit in hits)
    single = [one for one in asked if one.word.kind not in ("whole", "light")]
    share = weight / (sum(one.mass for one in single) or 1.0)
    beyond_chance = weight - math.log(visible) - math.log(math.comb(max(len(single), words), words))
    telling = any(hit.asked.word.kind in TELLING for hit in named)
    if in_full and (telling or words >= 2):
        enough = beyond_chance >= MIN_BEYOND_CHANCE_NAMED
    elif words >= 2:
        telling = any(hit.asked.word.kind in TELLING for hit in counted)
        least = MIN_BEYOND_CHANCE_MOST if telling and share >= MOST else MIN_BEYOND_CHANCE
        joined = any(hit.asked.word.kind == "whole" and hit.exact for hit in counted)
        least_share = MIN_SHARE_JOINED if joined else MIN_SHARE
        enough = beyond_chance >= least and (share >= least_share or weight >= MUCH)
    elif telling:
        enough = beyond_chance >= MIN_BEYOND_CHANCE_NAMED and share >= MIN_SHARE_NAMED
    else:
        enough = beyond_chance >= MIN_BEYOND_CHANCE_WEAK and share >= MIN_SHARE_WEAK
    return "" if enough else "weak"
