"""How far the cues in one clause go: a standing fact, perhaps one, or none.

A rule's strength is the base (2: a plain statement, 1: inferred, 0: no rule). Where a language has small cues as well
(`Evidence`), they lift a clause over a threshold or hold it back, and their names say why.
"""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.learn.rules.language import Rule
from scrubjay.learn.rules.text import Clause

ACTIVE = 2.0
"""From here on a statement needs no review: two cues of weight, or one with help."""
PENDING = 0.25
"""From here on it waits for review. Low: on text that no rule was written for, a higher one hides facts from the person and
spares them few questions (`bench/story_rules.py`, `bench/turn_rules.py --part hold`)."""
_ORDER_ACTIVE = 3.0
"""An order to the assistant is about the work in hand, until much speaks for more."""
_INFERRED = 0.25
"""What a weak rule adds: it is made of the same words as the cues beside it."""
_ANNOUNCED = 1.5
_AGAINST = -1.0
_HELD = 0.5
"""Where cues against outweigh those for it, even a plain rule waits."""
_MIN_CUES = 2
"""One cue alone never makes an active note of a statement."""
_SURE_KINDS = frozenset(["dead-end", "preference", "correction", "deadline", "reference", "owner", "command"])
"""Their own words say that they last: the past, the future or trouble in them is part of the fact."""
_SURE_CUES = frozenset(
    ["decision/decided", "decision/settled", "decision/moved", "decision/stays", "gotcha/place", "gotcha/keeps"]
)
_WIDE = frozenset(["ours", "known", "announced"])


@dataclass(frozen=True, kw_only=True, slots=True)
class Weight:
    """What speaks for a standing fact (cues and weights, heaviest first), and what speaks against it."""

    good: tuple[tuple[str, float], ...] = ()
    bad: tuple[tuple[str, float], ...] = ()

    @property
    def minus(self) -> float:
        """What speaks against it (<= 0)."""
        return sum(weight for _, weight in self.bad)

    @property
    def against(self) -> frozenset[str]:
        """Names of the cues against it."""
        return frozenset(name for name, _ in self.bad)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the cues for it."""
        return tuple(name for name, _ in self.good)

    @property
    def plus(self) -> float:
        """What speaks for it."""
        return sum(weight for _, weight in self.good)

    @property
    def total(self) -> float:
        """Both together."""
        return self.plus + self.minus


def weigh(clause: Clause, shape: str) -> Weight:
    """The small cues of `clause`; `shape` is its plain text without quoted words."""
    found = [one for one in clause.language.evidence if one.pattern.search(shape)]
    good = [(one.name, one.weight) for one in found if one.weight > 0]
    if clause.announced:
        good.append(("announced", _ANNOUNCED))
    bad = tuple((one.name, one.weight) for one in found if one.weight < 0)
    return Weight(good=tuple(sorted(good, key=lambda one: -one[1])), bad=bad)


def sober(weight: Weight) -> Weight:
    """For an order: only what says that more than the work in hand is meant ("only the widths" does not)."""
    return Weight(good=tuple(one for one in weight.good if one[0] in _OF_ORDERS), bad=weight.bad)


_OF_ORDERS = frozenset(["cause", "or-else", "ours", "known", "announced", "we", "habit", "person", "norm"])


def lift(strength: int, weight: Weight) -> int:
    """The strength (0 to 2) of a clause whose rules alone give 0 or 1."""
    total = weight.total + (_INFERRED if strength else 0.0)
    if total >= ACTIVE and len(weight.names) >= _MIN_CUES:
        return 2
    return 1 if (strength and total >= 0.0) or total >= PENDING else 0


def standing_order(weight: Weight) -> bool:
    """An order that speaks of more than the work in hand ("squash merge only on this repo, ...")."""
    return weight.total >= _ORDER_ACTIVE and not _WIDE.isdisjoint(weight.names)


def hold(hits: tuple[Rule, ...], weight: Weight) -> bool:
    """So much speaks against a plain rule that a person should look at it."""
    if in_hand(weight):
        return True
    if any((rule.kind in _SURE_KINDS and rule.cue not in _UNSURE_CUES) or rule.cue in _SURE_CUES for rule in hits):
        return False
    return weight.minus <= _AGAINST and weight.total <= _HELD


def in_hand(weight: Weight) -> bool:
    """It goes on with an order about this piece of work, and nothing says that it holds beyond it."""
    return not _IN_HAND.isdisjoint(weight.against) and _BEYOND.isdisjoint(weight.names)


def beyond(weight: Weight) -> bool:
    """Something says that it holds beyond this piece of work."""
    return not _BEYOND.isdisjoint(weight.names)


_UNSURE_CUES = frozenset(["command/plain-not"])
_IN_HAND = frozenset(["then-do"])
_BEYOND = frozenset(["ours", "known", "announced", "or-else", "we", "cause", "person"])
