"""Does a clause say more of the same fact as those before it?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scrubjay.learn.rules.judge import Verdict
from scrubjay.learn.rules.language import Rule
from scrubjay.learn.rules.words import content

MAX_GROUP_CHARS = 420
"""A note is one fact: what goes on for longer starts another."""


@dataclass(kw_only=True, slots=True)
class Group:
    """Clauses that say one thing, in order. `lead` is plain talk before them that a pronoun may need."""

    verdicts: list[Verdict]
    lead: Verdict | None = None

    @property
    def strength(self) -> int:
        """That of its strongest clause; a complaint waits as long as nothing says what is wanted instead."""
        best = max((verdict.strength for verdict in self.verdicts), default=0)
        return 1 if best > 1 and all(complains(one) or one.strength == 0 for one in self.verdicts) else best

    @property
    def main(self) -> Verdict:
        """The clause that says it: the surest, or one before it that is nearly as sure."""
        best = max((verdict.strength, verdict.score) for verdict in self.verdicts)
        return next(one for one in self.verdicts if one.strength == best[0] and one.score >= best[1] - _NEARLY)

    @property
    def head(self) -> Verdict:
        """The clause that names the note: what `main` is about where that was said just before it."""
        first = next((one for one in self.verdicts if one.strength), self.main)
        return first if (first.strength, self.main.strength) == (1, 2) else self.main

    @property
    def chars(self) -> int:
        """Length of the clauses together."""
        return sum(len(verdict.clause.text) for verdict in self.verdicts)


_NEARLY = 0.5
_COMPLAINTS = ("correction/complaint", "correction/again")


def complains(verdict: Verdict) -> bool:
    """Says what the assistant keeps doing wrong, not what is wanted."""
    return verdict.best is not None and verdict.best.cue in _COMPLAINTS and not verdict.imperative


def same_sentence(a: Verdict, b: Verdict) -> bool:
    """Of one message."""
    return a.clause.sentence == b.clause.sentence


def leans(verdict: Verdict) -> bool:
    """It begins with a word that stands for something said before."""
    return bool(verdict.clause.language.anaphor.match(verdict.clause.low))


def ends(verdict: Verdict) -> bool:
    """Says that something is no longer so ("LED is closed"), and belongs to what takes its place."""
    return any(pattern.search(verdict.clause.low) for pattern in verdict.clause.language.replaces)


def belongs(current: Group, verdict: Verdict, before: Verdict | None) -> bool:
    """`verdict`, which comes after `before` in its message, goes into the note `current`."""
    last = current.verdicts[-1]
    if _doubtful(verdict) or _doubtful(last):
        return False
    if verdict.clause.language.code != last.clause.language.code or verdict.clause.paragraph != last.clause.paragraph:
        return False
    if current.chars + len(verdict.clause.text) > MAX_GROUP_CHARS:
        return False
    if verdict.clause.shifted and not (_shares(current, verdict) or _of_the_person(current, verdict)):
        return False
    if same_sentence(last, verdict):
        return True
    return before is last and _continues(current, verdict, last)


def _doubtful(verdict: Verdict) -> bool:
    """Not plainly a fact, and by its own words a question, a guess, an order, or somebody else's."""
    return verdict.strength < 2 and not _DOUBTFUL.isdisjoint(verdict.names)


_DOUBTFUL = frozenset(["asked"]) | {
    f"gate:{name}"
    for name in ("question", "hypothetical", "temporary", "hearsay", "declined", "clash", "makes", "dictates")
}


def _continues(current: Group, verdict: Verdict, last: Verdict) -> bool:
    """The next sentence says more of the same fact."""
    mine, theirs = verdict.best, current.main.best
    if mine is not None and theirs is not None and mine.kind == theirs.kind == "deadline":
        return bool(verdict.clause.language.dangling.match(verdict.clause.low))  # two dates move one by one
    if mine is not None and theirs is not None and mine.cue in _AREAS and theirs.cue in _AREAS:
        return leans(verdict) or _shares(current, verdict)  # two areas: when one changes hands, the other does not
    if mine is not None and theirs is not None and mine.kind == theirs.kind and mine.kind in _LISTED:
        return True
    if mine is not None and mine.kind == "dead-end" and theirs is not None and theirs.kind in _LEARNT_FROM:
        return len(verdict.clause.text) <= _REASON_CHARS  # what went wrong is why
    if _of_the_person(current, verdict):
        return mine is None or mine.kind not in ("deadline", "reference", "owner")
    if theirs is not None and theirs.kind == "dead-end" and (mine is None or mine.kind == "decision"):
        return True  # what went wrong, or what is done instead
    if "cue:exclusive" in verdict.names and len(verdict.clause.text) <= TOPIC_CHARS and _who(theirs, mine):
        return True  # "Flashing is done by X. We only build the image."
    if ends(verdict) and (mine is None or mine.kind == "decision"):
        return True
    if mine is not None and mine.kind in ("deadline", "reference") and theirs is not None and theirs.kind != mine.kind:
        return leans(verdict) and not verdict.clause.shifted and _shares(current, verdict)
    if leans(verdict) or _shares(current, verdict):
        return True
    if (
        mine is not None
        and mine.kind == "gotcha"
        and verdict.strength == 1
        and len(verdict.clause.text) <= _REASON_CHARS
    ):
        return _orders(last)  # "always run `x`. The CI rejects the rest": the second says why
    if _frames(current, verdict):
        return True
    # "don't do this. that is what we do instead" is one correction
    negative = last.clause.language.negative
    if mine is not None and negative.search(last.clause.low) and not negative.search(verdict.clause.low):
        return mine.kind not in ("deadline", "reference")
    return not verdict.strength and len(verdict.clause.text) <= _SHORT


def _frames(current: Group, verdict: Verdict) -> bool:
    """ "Mosquitto is not up for debate. The modems speak MQTT 3.1.1 and nothing else": of two sentences in a row one is a
    fact, and the other, no fact by itself, says what it is about or what follows."""
    fact, other = (verdict, current.main) if verdict.strength > current.strength else (current.main, verdict)
    return (
        (fact.strength, other.strength) == (2, 1)
        and other.score < _FRAME
        and not verdict.clause.shifted
        and len(other.clause.text) <= _FRAME_CHARS
        and (other.best is None or other.best.kind in ("gotcha", "rule", "convention"))
    )


_FRAME = 0.0
"""A clause more likely to be a fact than this is one by itself."""
_FRAME_CHARS = 140


def _of_the_person(current: Group, verdict: Verdict) -> bool:
    """ "I'm colour-blind, btw: red and green are one to me"."""
    best = current.main.best
    return best is not None and best.kind == "preference" and bool(_ABOUT_ME.search(verdict.clause.low))


_ABOUT_ME = re.compile(r"\b(?:to|for|with)\s+me\b|(?:给|对|跟)我")
_LEARNT_FROM = ("convention", "rule", "correction")
_AREAS = ("owner/owns", "owner/equals")


def _who(theirs: Rule | None, mine: Rule | None) -> bool:
    return (
        theirs is not None
        and theirs.kind in ("owner", "rule", "correction")
        and (mine is None or mine.kind in ("convention", "rule"))
    )


_REASON_CHARS = 90
TOPIC_CHARS = 40
_LISTED = ("owner", "preference", "dead-end", "correction", "command")
"""Kinds of which two sentences in a row are one note."""
_SHORT = 28
"""A few words without a cue only colour what was just said."""


def _orders(verdict: Verdict) -> bool:
    language = verdict.clause.language
    return verdict.imperative or bool(language.prohibition.match(verdict.clause.low))


def _shares(current: Group, verdict: Verdict) -> bool:
    said: set[str] = set()
    for one in current.verdicts:
        said |= content(one.clause.low, one.clause.language)
    return bool(said & content(verdict.clause.low, verdict.clause.language))
