"""What each clause of a message is: turned down by a gate, a fact (active or waiting), or plain talk between facts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.learn.rules.cues import Seen, blank, look, told
from scrubjay.learn.rules.language import NoteKind, Rule
from scrubjay.learn.rules.text import Clause
from scrubjay.learn.rules.weigh import table

HIDDEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
"""Characters that nobody types: what holds them was made to be overlooked."""

_KIND_ORDER: tuple[NoteKind, ...] = (
    "dead-end", "deadline", "reference", "command", "owner", "correction", "preference", "decision", "convention",
    "gotcha", "rule",
)  # fmt: skip
_DIRECTING = frozenset(["correction", "preference", "rule"])
"""Kinds that tell the assistant what to do."""
_GATES = (
    ("asked", "question"),
    ("gate:question", "question"),
    ("gate:hearsay", "quoted"),
    ("gate:hypothetical", "hypothetical"),
    ("gate:temporary", "temporary"),
    ("gate:clash", "report"),
    ("gate:declined", "declined"),
    ("gate:makes", "one-off"),
    ("gate:dictates", "one-off"),
    ("gate:imperative", "one-off"),
    ("gate:event", "report"),
    ("gate:report", "report"),
)
"""What a clause that is no fact is called: the first that is seen in it."""
_DOUBTS = (
    ("gate:unsure", "unsure, or somebody else's words"),
    ("gate:reported", "unsure, or somebody else's words"),
    ("gate:polite", "asked as a question"),
    ("gate:restates", "said before, by its own words"),
    ("gate:bookish", "perhaps common knowledge"),
    ("gate:spec", "perhaps only what is being built now"),
    ("gate:todo", "perhaps only what is being built now"),
    ("gate:imperative", "more like the work in hand than a standing fact"),
    ("gate:temporary", "perhaps only for now"),
    ("gate:event", "perhaps a report of what happened once"),
    ("gate:report", "perhaps a report of what happened once"),
)
"""Why it waits for review: the first that is seen in it."""
_CAPPED = frozenset(f"gate:{name}" for name in ("hypothetical", "hearsay", "reported", "unsure", "polite", "restates"))
"""Whatever speaks for it, a person looks at it first: a guess, somebody else's word, half a question, or said before."""
_PLAIN = Rule(cue="gotcha/statement", kind="gotcha", strength=1, pattern=re.compile(""))
_PERSON = Rule(cue="preference/statement", kind="preference", strength=1, pattern=re.compile(""))
_ORDER = Rule(cue="rule/standing", kind="rule", strength=1, pattern=re.compile(""))


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """`gate` non-empty: turned down. Else 2: a fact, 1: perhaps one, so it waits for review, 0: plain talk."""

    clause: Clause
    gate: str = ""
    hits: tuple[Rule, ...] = ()
    strength: int = 0
    score: float = 0.0
    """What all its cues come to."""
    imperative: bool = False
    revoked: str = ""
    """For the gate `revoke`: the words of what is taken back, "" for what was said last."""
    why_pending: str = ""
    names: frozenset[str] = frozenset()
    """The cues of the clause itself."""

    @property
    def best(self) -> Rule | None:
        """The rule that names the kind."""
        return _telling(self.hits)


def _telling(rules: Sequence[Rule]) -> Rule | None:
    """The strongest, then the one that says most about the kind."""
    return min(rules, key=lambda rule: (-rule.strength, _KIND_ORDER.index(rule.kind)), default=None)


def directs(rules: Sequence[Rule]) -> bool:
    """What these rules are found in tells the assistant what to do, or about the person."""
    best = _telling(rules)
    return best is not None and best.kind in _DIRECTING


def judge(clauses: Sequence[Clause]) -> list[Verdict]:
    """The verdict on each clause of one message, in order."""
    seen = [look(clause) for clause in clauses]
    return [stopped(one) or _weighed(seen, index) for index, one in enumerate(seen)]


def stopped(one: Seen) -> Verdict | None:
    """What no weight may outweigh: such clauses are not weighed, and no weights are found on them."""
    clause, language = one.clause, one.clause.language
    if HIDDEN.search(clause.text) or language.injection.search(blank(clause.low)):
        return Verdict(clause=clause, gate="injection", names=one.names)
    if revoked := language.revoke.search(one.bare):
        what = revoked.groupdict().get("what") or ""
        return Verdict(clause=clause, gate="revoke", revoked=what, names=one.names)
    if language.noise.fullmatch(one.bare):
        return Verdict(clause=clause, gate="noise", names=one.names)
    if clause.asked and "gate:polite" not in one.names:
        return Verdict(clause=clause, gate="question", hits=one.hits, imperative=one.imperative, names=one.names)
    return None


def _weighed(seen: Sequence[Seen], index: int) -> Verdict:
    one = seen[index]
    weights = table(one.clause.language.code)
    score = weights.score(told(seen, index))
    rules = rules_of(one)
    strength = 1 if score >= weights.pending or "gate:polite" in one.names else 0
    enough = score >= (weights.firm if directs(rules) else weights.active) or _laid_down(one, score)
    if enough and _CAPPED.isdisjoint(one.names):
        strength = 2
    gate = "" if strength else _first(_GATES, one)
    why = (_first(_DOUBTS, one) or "not plainly said to last") if strength == 1 else ""
    return Verdict(
        clause=one.clause, gate=gate, hits=rules if strength else one.hits, strength=strength, score=score,
        imperative=one.imperative, why_pending=why, names=one.names,
    )  # fmt: skip


def _laid_down(one: Seen, score: float) -> bool:
    """ "Always write commits in English", "use uv, never pip": a person who says so in so many words means it to last, however
    little else there is to see in a short clause. Of statements ("the worker always picks the oldest job") it takes more."""
    least = _ORDERED if not one.names.isdisjoint(_TOLD) else _STATED
    enough = one.names >= _STANDING or ("gate:standing" in one.names and score >= least)
    return enough and one.names.isdisjoint(_IN_HAND)


_ORDERED, _STATED = -1.0, -0.5
"""Of the clauses with such a word, 19 of 20 at or above these are facts on plain voices not seen."""
_TOLD = frozenset(["gate:imperative", "gate:prohibition"])
_STANDING = frozenset(["gate:standing", "gate:lasting"])
_IN_HAND = frozenset(["asked", "cue:deictic", "cue:then-do", "cue:asks"]) | {
    f"gate:{name}"
    for name in (
        "question", "temporary", "makes", "dictates", "spec", "hypothetical", "hearsay", "reported", "unsure", "hollow",
        "declined", "clash", "restates", "todo", "event", "dangling",
    )
}  # fmt: skip
_ORDERS = frozenset(["gate:imperative", "gate:prohibition", "gate:standing"])


def rules_of(one: Seen) -> tuple[Rule, ...]:
    """What may name the kind of a clause: the rules found in it (in an order those for orders), else what it is anyway."""
    found = tuple(rule for rule in one.hits if rule.imperative or not one.imperative)
    if found:
        return found
    if "cue:person" in one.names:
        return (_PERSON,)
    return (_PLAIN,) if one.names.isdisjoint(_ORDERS) else (_ORDER,)


def _first(named: Sequence[tuple[str, str]], one: Seen) -> str:
    return next((text for name, text in named if name in one.names), "")
