"""Clauses of one message brought together into notes, and taken apart again by "forget that"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from scrubjay.learn.rules.judge import Verdict, judge
from scrubjay.learn.rules.language import Rule
from scrubjay.learn.rules.text import Reading
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
        return 1 if best > 1 and all(_complains(one) or one.strength == 0 for one in self.verdicts) else best

    @property
    def main(self) -> Verdict:
        """The clause that says it."""
        return max(self.verdicts, key=lambda verdict: (verdict.strength, verdict.score))

    @property
    def chars(self) -> int:
        """Length of the clauses together."""
        return sum(len(verdict.clause.text) for verdict in self.verdicts)


@dataclass(kw_only=True, slots=True)
class Grouping:
    """What a message gave. `reaches_back`: words of an earlier message that it takes back ("" = its last)."""

    groups: list[Group] = field(default_factory=list)
    rejected: list[Verdict] = field(default_factory=list)
    reaches_back: list[str] = field(default_factory=list)
    revoking: list[Verdict] = field(default_factory=list)
    """The clause of each of `reaches_back`."""


def group(reading: Reading, *, skip: int = 0) -> Grouping:
    """The notes of one message; clauses that begin before `skip` are spoken for."""
    made = Grouping()
    current: Group | None = None
    plain: Verdict | None = None
    before: Verdict | None = None
    verdicts = judge([clause for clause in reading.clauses if clause.start >= skip])
    if any(verdict.gate == "injection" for verdict in verdicts):
        # Nobody types such a sentence by hand among sentences of their own: the message was pasted.
        made.rejected = [Verdict(clause=verdict.clause, gate="injection") for verdict in verdicts]
        return made
    if any(verdict.clause.language.limits.match(verdict.clause.low) for verdict in verdicts):
        verdicts = [_limited(verdict) for verdict in verdicts]
    for verdict, following in zip(verdicts, [*verdicts[1:], None][: len(verdicts)], strict=True):
        if gate := _by_what_follows(verdict, following):
            made.rejected.append(Verdict(clause=verdict.clause, gate=gate, imperative=gate == "one-off"))
            current, plain, before = None, None, verdict
            continue
        if _said_twice(verdict, following):
            made.rejected.append(Verdict(clause=verdict.clause, gate="revoked"))
            continue
        if before is not None and (endorsed := _endorsed(made, current, before, verdict)):
            current, plain, before = endorsed, None, verdict
            continue
        if verdict.gate == "revoke":
            _revoke(made, verdict, before)
            current = made.groups[-1] if made.groups and verdict.revoked else None
            plain, before = None, current.verdicts[-1] if current else verdict
            continue
        if verdict.gate:
            current, plain = _passed_over(made, current, verdict, before), None
        elif current is not None and _belongs(current, verdict, before):
            current.verdicts.append(verdict)
        elif verdict.strength:
            current = Group(verdicts=[verdict])
            if plain is not None:
                _begin_with(current, plain, verdict)
            made.groups.append(current)
        else:
            current, plain = None, verdict
        before = before if verdict.gate == "noise" else verdict
    made.groups = [one for one in made.groups if one.verdicts and one.strength]
    return made


def _limited(verdict: Verdict) -> Verdict:
    """An order or a wish in a message that says "fig 3 only"."""
    rule = verdict.best
    if rule is None or rule.kind in ("owner", "reference", "deadline", "dead-end", "preference"):
        return verdict
    return Verdict(clause=verdict.clause, gate="temporary", imperative=verdict.imperative)


def _endorsed(made: Grouping, current: Group | None, before: Verdict, verdict: Verdict) -> Group | None:
    """ "Plan first, then code. I like it that way in general.": the second sentence makes a rule of the first."""
    if verdict.gate in ("revoke", "question") or not verdict.clause.language.endorse.match(verdict.clause.low):
        return None
    if before.clause.paragraph != verdict.clause.paragraph or before.gate not in ("", "one-off", "report", "temporary"):
        return None
    mine = _ENDORSED[bool(_I.match(verdict.clause.low))]
    firm = Verdict(clause=verdict.clause, hits=(), strength=0)
    if current is not None and before is current.verdicts[-1]:
        at = current.verdicts.index(current.main)
        old = current.verdicts[at]
        current.verdicts[at] = replace(old, strength=max(old.strength, 2), why_pending="")
        current.verdicts.append(firm)
        return current
    made.rejected = [one for one in made.rejected if one is not before]
    head = replace(before, gate="", hits=before.hits or (mine,), strength=2, why_pending="", imperative=True)
    made.groups.append(Group(verdicts=[head, firm]))
    return made.groups[-1]


_I = re.compile(r"(?:\w+\s+){0,6}i\b")
_ENDORSED = (
    Rule(cue="rule/endorsed", kind="rule", strength=2, pattern=_I),
    Rule(cue="preference/endorsed", kind="preference", strength=2, pattern=_I),
)


def _begin_with(current: Group, plain: Verdict, verdict: Verdict) -> None:
    """Take in the talk before `verdict` where it is part of the note, or what its pronoun stands for."""
    replaced = _ends(plain) and plain.clause.paragraph == verdict.clause.paragraph
    if replaced or _same_sentence(plain, verdict) or _explains(plain, verdict):
        current.verdicts.insert(0, plain)
    elif _leads(plain, verdict):
        current.lead = plain


def _by_what_follows(verdict: Verdict, following: Verdict | None) -> str:
    """The gate that the next clause is for this one: "This always returns 0, why?", "Coupons give a 410. Please add"."""
    if not verdict.strength or following is None:
        return ""
    if following.gate == "question" and _same_sentence(verdict, following) and len(following.clause.text) <= _TAG_CHARS:
        return "question"  # what is asked about was not laid down
    one, other, language = verdict.clause, following.clause, verdict.clause.language
    next_to = other.paragraph == one.paragraph and other.sentence - one.sentence <= 1
    ordered = next_to and language.do_it.fullmatch(other.low) and not language.lasting.search(one.low)
    return "one-off" if ordered else ""  # what was described is this piece of work


_TAG_CHARS = 12


def _said_twice(verdict: Verdict, following: Verdict | None) -> bool:
    """ "No wait, scratch the mark": the first half takes nothing back by itself."""
    return (
        verdict.gate == "revoke"
        and not verdict.revoked
        and following is not None
        and following.gate == "revoke"
        and _same_sentence(verdict, following)
    )


def _ends(verdict: Verdict) -> bool:
    """Says that something is no longer so ("LED is closed"), and belongs to what takes its place."""
    return any(pattern.search(verdict.clause.low) for pattern in verdict.clause.language.replaces)


def _passed_over(made: Grouping, current: Group | None, verdict: Verdict, before: Verdict | None) -> Group | None:
    """A clause that a gate stopped. An order that belongs to the fact before it stays with it."""
    if verdict.gate == "noise":
        return current
    if (
        verdict.gate == "one-off"
        and current is not None
        and before is current.verdicts[-1]
        and _serves(current, verdict)
    ):
        current.verdicts.append(Verdict(clause=verdict.clause, imperative=True))
        return current
    made.rejected.append(verdict)
    return None


def _serves(current: Group, order: Verdict) -> bool:
    """ "You keep doing this. Do that": what is wanted instead; or it applies the fact ("tag her in the PR")."""
    before = current.verdicts[-1]
    if order.clause.shifted:
        return False
    if _complains(before) and order.clause.paragraph == before.clause.paragraph:
        return True
    return (
        order.clause.language.applies.match(order.clause.low) is not None
        and (_same_sentence(before, order) or _leans(order))
        and current.chars + len(order.clause.text) <= MAX_GROUP_CHARS
    )


_COMPLAINTS = ("correction/complaint", "correction/again")


def _complains(verdict: Verdict) -> bool:
    return verdict.best is not None and verdict.best.cue in _COMPLAINTS and not verdict.imperative


def _same_sentence(a: Verdict, b: Verdict) -> bool:
    return a.clause.sentence == b.clause.sentence


def _leans(verdict: Verdict) -> bool:
    return bool(verdict.clause.language.anaphor.match(verdict.clause.low))


def _belongs(current: Group, verdict: Verdict, before: Verdict | None) -> bool:
    last = current.verdicts[-1]
    if _doubtful(verdict) or _doubtful(last):
        return False
    if verdict.clause.language.code != last.clause.language.code or verdict.clause.paragraph != last.clause.paragraph:
        return False
    if current.chars + len(verdict.clause.text) > MAX_GROUP_CHARS:
        return False
    if verdict.clause.shifted and not (_shares(current, verdict) or _of_the_person(current, verdict)):
        return False
    if _same_sentence(last, verdict):
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
        return _leans(verdict) or _shares(current, verdict)  # two areas: when one changes hands, the other does not
    if mine is not None and theirs is not None and mine.kind == theirs.kind and mine.kind in _LISTED:
        return True
    if mine is not None and mine.kind == "dead-end" and theirs is not None and theirs.kind in _LEARNT_FROM:
        return len(verdict.clause.text) <= _REASON_CHARS  # what went wrong is why
    if _of_the_person(current, verdict):
        return mine is None or mine.kind not in ("deadline", "reference", "owner")
    if theirs is not None and theirs.kind == "dead-end" and (mine is None or mine.kind == "decision"):
        return True  # what went wrong, or what is done instead
    if "cue:exclusive" in verdict.names and len(verdict.clause.text) <= _TOPIC_CHARS and _who(theirs, mine):
        return True  # "Flashing is done by X. We only build the image."
    if _ends(verdict) and (mine is None or mine.kind == "decision"):
        return True
    if mine is not None and mine.kind in ("deadline", "reference") and theirs is not None and theirs.kind != mine.kind:
        return _leans(verdict) and not verdict.clause.shifted and _shares(current, verdict)
    if _leans(verdict) or _shares(current, verdict):
        return True
    if (
        mine is not None
        and mine.kind == "gotcha"
        and verdict.strength == 1
        and len(verdict.clause.text) <= _REASON_CHARS
    ):
        return _orders(last)  # "always run `x`. The CI rejects the rest": the second says why
    # "don't do this. that is what we do instead" is one correction
    negative = last.clause.language.negative
    if mine is not None and negative.search(last.clause.low) and not negative.search(verdict.clause.low):
        return mine.kind not in ("deadline", "reference")
    return not verdict.strength and len(verdict.clause.text) <= _SHORT


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


def _explains(plain: Verdict, verdict: Verdict) -> bool:
    """ "The new version broke our exports. We stay on the old one": what happened is why it was decided."""
    return (
        verdict.best is not None
        and verdict.best.kind == "decision"
        and not _HAPPENED.isdisjoint(plain.names)
        and plain.clause.paragraph == verdict.clause.paragraph
        and verdict.clause.sentence - plain.clause.sentence == 1
        and not verdict.clause.shifted
        and len(plain.clause.text) <= _EXPLAINING_CHARS
    )


_EXPLAINING_CHARS = 120
_HAPPENED = frozenset(f"cue:{name}" for name in ("now", "lately", "perfect", "past", "trouble"))


def _leads(plain: Verdict, verdict: Verdict) -> bool:
    """The talk just before is what the clause leans on: a pronoun's referent, or a few words that set the topic."""
    if plain.clause.paragraph != verdict.clause.paragraph or verdict.clause.shifted:
        return False
    if verdict.clause.sentence - plain.clause.sentence > 1:
        return False
    if verdict.clause.language.dangling.match(verdict.clause.low):
        return True
    return len(plain.clause.text) <= _TOPIC_CHARS and (_leans(verdict) or len(plain.clause.text.split()) <= 3)


_TOPIC_CHARS = 40


def _revoke(made: Grouping, verdict: Verdict, before: Verdict | None) -> None:
    """Take back the clause before, or what the words name; what is not in this message may be in an earlier one."""
    made.rejected.append(Verdict(clause=verdict.clause, gate="revoked"))
    if verdict.revoked:
        if not take_back(made, verdict.revoked, verdict) and not (before is not None and _names(verdict, before)):
            made.reaches_back.append(verdict.revoked)
            made.revoking.append(verdict)
    elif before is None:
        made.reaches_back.append("")
        made.revoking.append(verdict)
    else:
        _drop(made, [v for one in made.groups for v in one.verdicts if v.clause.sentence == before.clause.sentence])


def _names(verdict: Verdict, other: Verdict) -> bool:
    return bool(_named(verdict) & content(other.clause.low, other.clause.language))


def _named(verdict: Verdict) -> set[str]:
    return content(verdict.revoked, verdict.clause.language) or {verdict.revoked.strip()}


def take_back(made: Grouping, what: str, verdict: Verdict) -> bool:
    """Drop from `made` what `verdict` takes back: the clauses that `what` names ("" = the last note). True if any."""
    alive = [one for one in made.groups if one.verdicts]
    if not alive:
        return False
    if not what:
        return _drop(made, list(alive[-1].verdicts))
    named = _named(verdict)
    return _drop(made, [v for one in alive for v in one.verdicts if named & content(v.clause.low, v.clause.language)])


def _drop(made: Grouping, gone: list[Verdict]) -> bool:
    for one in made.groups:
        one.verdicts = [v for v in one.verdicts if v not in gone]
    made.groups = [one for one in made.groups if one.verdicts]
    made.rejected += [Verdict(clause=v.clause, gate="revoked") for v in gone]
    return bool(gone)
