# ruff: noqa: E501, SIM905 - word lists read better in few lines
"""What one clause is: turned down by a gate, carried by rules, or plain talk that may lend itself to its neighbours."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scrubjay.learn.rules.language import NoteKind, Rule
from scrubjay.learn.rules.text import Clause

HIDDEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
"""Characters that nobody types: what holds them was made to be overlooked."""

_CODE = re.compile(r"`[^`\n]*`")
_IN_QUOTES = re.compile(r"(?<=[\"“「『«])[^\"”」』»\n]{1,300}(?=[\"”」』»])")
_IN_SINGLE = re.compile(r"(?<=[\s(:]')[^'\n]{3,200}(?='(?:[\s.,;)!?]|$))")
_WORDS = re.compile(r"[\w`./@#:-]+")

_KIND_ORDER: tuple[NoteKind, ...] = (
    "dead-end", "deadline", "reference", "command", "owner", "correction", "preference", "decision", "convention", "gotcha", "rule",
)  # fmt: skip
_FIRM_CUES = frozenset(
    [
        "gotcha/when",
        "gotcha/so",
        "gotcha/limit",
        "gotcha/generated",
        "gotcha/needs",
        "command/works",
        "command/with",
        "owner/signs",
        "owner/owns",
        "reference/url",
    ]
)
"""A word of failure is part of what these say, not a report of one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """`gate` non-empty: turned down. Else `hits` carry it (strength 1 to 3), or it is plain (strength 0)."""

    clause: Clause
    gate: str = ""
    hits: tuple[Rule, ...] = ()
    strength: int = 0
    imperative: bool = False
    revoked: str = ""
    """For the gate `revoke`: the words of what is taken back, "" for what was said last."""
    why_pending: str = ""

    @property
    def best(self) -> Rule | None:
        """The rule that names the kind: the strongest, then the most telling one."""
        return min(self.hits, key=lambda rule: (-rule.strength, _KIND_ORDER.index(rule.kind)), default=None)


def judge(clause: Clause) -> Verdict:
    """The verdict on `clause` by itself."""
    low, language = clause.low, clause.language
    if HIDDEN.search(clause.text) or language.injection.search(_blank(low)):
        return Verdict(clause=clause, gate="injection")
    shape = _blank(low)
    bare = _CODE.sub(lambda match: "`" + "x" * (len(match.group()) - 2) + "`", shape)
    if revoked := language.revoke.search(bare):
        return Verdict(clause=clause, gate="revoke", revoked=revoked.groupdict().get("what") or "")
    if language.noise.fullmatch(bare):
        return Verdict(clause=clause, gate="noise")
    polite = bool(language.polite.search(bare))
    if (clause.asked or language.question.search(bare)) and not polite:
        return Verdict(clause=clause, gate="question")
    for gate in ("hearsay", "hypothetical", "temporary"):
        pattern: re.Pattern[str] = getattr(language, gate)
        if pattern.search(low if gate == "hearsay" else bare):
            return Verdict(clause=clause, gate=_GATE_NAMES.get(gate, gate))
    return _weigh(clause, shape, bare, polite=polite)


_GATE_NAMES = {"hearsay": "quoted"}


def _blank(low: str) -> str:
    """Without what stands in quotation marks: those words belong to what is quoted."""
    for pattern in (_IN_QUOTES, _IN_SINGLE):
        low = pattern.sub(lambda match: "x" * len(match.group()), low)
    return low


def _weigh(clause: Clause, shape: str, bare: str, *, polite: bool) -> Verdict:
    language = clause.language
    imperative = bool(language.imperative.match(bare)) and not language.prohibition.match(bare)
    if language.dictates.match(bare) or (
        language.makes.match(bare) and (imperative or language.todo.match(bare)) and not language.lasting.search(bare)
    ):
        return Verdict(clause=clause, gate="one-off", imperative=True)
    hits = tuple(rule for rule in language.rules if (rule.imperative or not imperative) and rule.pattern.search(shape))
    standing = bool(language.standing.search(bare))
    alone = standing and not hits
    if alone and len(_WORDS.findall(bare)) + len(bare) // 12 >= 4:
        hits = (Rule(cue="rule/standing", kind="rule", strength=2, pattern=language.standing),)
    if _orders_under_a_label(clause, bare, hits) and not standing:
        return Verdict(clause=clause, gate="one-off", imperative=True)
    if not hits:
        if imperative:
            return Verdict(clause=clause, gate="one-off", imperative=True)
        if language.declined.search(bare):
            return Verdict(clause=clause, gate="declined")
        return _statement(clause, bare)
    strength: int = max(rule.strength for rule in hits)
    if alone and not (_directs(clause, bare) or language.lasting.search(bare)):
        standing, strength = False, 1  # "you always find the best solutions": a standing word, and no rule
    strength, why = _adjust(clause, bare, hits, strength, standing=standing)
    if polite and strength > 1:
        strength, why = 1, "asked as a question"
    if strength <= 0:
        return Verdict(clause=clause, gate="one-off" if imperative else "report", imperative=imperative)
    return Verdict(
        clause=clause, hits=hits, strength=strength, imperative=imperative, why_pending=why if strength == 1 else ""
    )


_LABELLED = re.compile(r"^[^:：`]{3,40}[:：]\s*(?=\S)(.*)", re.DOTALL)
_LABEL_CUES = frozenset("convention/label command/with command/works command/use reference/url owner/ask".split())


def _orders_under_a_label(clause: Clause, bare: str, hits: tuple[Rule, ...]) -> bool:
    """ "The demo on Thursday: make the map start there": an order, whatever the words before the colon are."""
    labelled = _LABELLED.match(bare)
    return (
        labelled is not None
        and bool(clause.language.imperative.match(labelled.group(1)))
        and not any(rule.cue in _LABEL_CUES for rule in hits)
    )


_CONCRETE = re.compile(r"\d|[_/`@#]|\b[A-Z][A-Za-z]+|[a-z][A-Z]")
_MIN_STATEMENT = {"en": 24, "zh": 10}


def _statement(clause: Clause, bare: str) -> Verdict:
    """A plain statement about something that can be named. It may be worth keeping, and a person should say so."""
    language = clause.language
    passing = (language.event, language.report, language.todo, language.unsure, language.declined)
    if (
        len(bare) >= _MIN_STATEMENT.get(language.code, 16)
        and language.subject_end.search(bare)
        and not any(pattern.search(bare) for pattern in passing)
        and not language.dangling.match(bare)
        and not _PERSON.match(bare)
        and _CONCRETE.search(clause.text[1:])
    ):
        rule = Rule(cue="gotcha/statement", kind="gotcha", strength=1, pattern=language.subject_end)
        firm = bool(language.reason.search(bare))
        return Verdict(
            clause=clause, hits=(rule,), strength=2 if firm else 1, why_pending="" if firm else "a plain statement: is it worth keeping?"
        )  # fmt: skip
    return Verdict(clause=clause)


_PERSON = re.compile(r"(?:i|i'm|im|i've|you|you're|he|she|we're|my|your|我|你|他|她)(?:\b|(?<=[\u4e00-\u9fff]))")


def _adjust(clause: Clause, bare: str, hits: tuple[Rule, ...], strength: int, *, standing: bool) -> tuple[int, str]:
    language = clause.language
    why = "inferred: said without a standing word"
    if standing:
        strength = 3
    elif strength == 1 and language.reason.search(bare):
        strength = 2
    firm = any(rule.cue in _FIRM_CUES or rule.kind in ("dead-end", "deadline") for rule in hits)
    personal = any(rule.kind in ("preference", "correction") for rule in hits)
    if (
        language.event.search(bare)
        and not personal
        and not any(rule.kind == "dead-end" or rule.cue == "decision/decided" for rule in hits)
    ):
        strength -= 1 if standing and _directs(clause, bare) else 2
    elif not firm and not personal and language.report.search(bare) and not _reasoned(clause, bare, hits):
        strength -= 1
    if language.todo.search(bare) and not standing and not personal:
        strength -= 2
    if strength == 2 and language.spec.match(bare) and not language.reason.search(bare):
        strength, why = 1, "perhaps only what is being built now"
    if strength > 1 and (language.unsure.search(bare) or language.reported.search(bare)):
        strength, why = 1, "unsure, or somebody else's words"
    return strength, why


def _reasoned(clause: Clause, bare: str, hits: tuple[Rule, ...]) -> bool:
    """Gives a reason, and says more than why something fails."""
    weak = all(rule.cue in ("decision/reason", "gotcha/statement") for rule in hits)
    return not weak and bool(clause.language.reason.search(bare))


def _directs(clause: Clause, bare: str) -> bool:
    """Tells the assistant what to do, perhaps after a condition ("whenever I ask, ...")."""
    language = clause.language
    parts = re.split(r"[,，:：]\s*", bare)
    return any(language.imperative.match(part) or language.prohibition.match(part) for part in parts)
