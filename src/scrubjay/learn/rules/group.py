"""Clauses of one message brought together into notes, and taken apart again by "forget that"."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from scrubjay.learn.rules.belonging import (
    MAX_GROUP_CHARS,
    TOPIC_CHARS,
    Group,
    belongs,
    complains,
    ends,
    leans,
    same_sentence,
)
from scrubjay.learn.rules.judge import Verdict, judge
from scrubjay.learn.rules.language import Rule
from scrubjay.learn.rules.text import Reading
from scrubjay.learn.rules.words import content


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
        elif current is not None and belongs(current, verdict, before):
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
    replaced = ends(plain) and plain.clause.paragraph == verdict.clause.paragraph
    if replaced or same_sentence(plain, verdict) or _explains(plain, verdict):
        current.verdicts.insert(0, plain)
    elif _leads(plain, verdict):
        current.lead = plain


def _by_what_follows(verdict: Verdict, following: Verdict | None) -> str:
    """The gate that the next clause is for this one: "This always returns 0, why?", "Coupons give a 410. Please add"."""
    if not verdict.strength or following is None:
        return ""
    if following.gate == "question" and same_sentence(verdict, following) and len(following.clause.text) <= _TAG_CHARS:
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
        and same_sentence(verdict, following)
    )


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
    if complains(before) and order.clause.paragraph == before.clause.paragraph:
        return True
    return (
        order.clause.language.applies.match(order.clause.low) is not None
        and (same_sentence(before, order) or leans(order))
        and current.chars + len(order.clause.text) <= MAX_GROUP_CHARS
    )


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
    return len(plain.clause.text) <= TOPIC_CHARS and (leans(verdict) or len(plain.clause.text.split()) <= 3)


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
