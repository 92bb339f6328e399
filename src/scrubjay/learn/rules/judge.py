# ruff: noqa: E501 - word lists read better in few lines
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
    return _IN_QUOTES.sub(lambda match: "x" * len(match.group()), low)


def _weigh(clause: Clause, shape: str, bare: str, *, polite: bool) -> Verdict:
    language = clause.language
    imperative = bool(language.imperative.match(bare)) and not language.prohibition.match(bare)
    if language.makes.match(bare) and (imperative or language.todo.match(bare)) and not language.lasting.search(bare):
        return Verdict(clause=clause, gate="one-off", imperative=True)
    hits = tuple(rule for rule in language.rules if (rule.imperative or not imperative) and rule.pattern.search(shape))
    standing = bool(language.standing.search(bare))
    alone = standing and not hits
    if alone and len(_WORDS.findall(bare)) + len(bare) // 12 >= 4:
        hits = (Rule(cue="rule/standing", kind="rule", strength=2, pattern=language.standing),)
    if not hits:
        if imperative:
            return Verdict(clause=clause, gate="one-off", imperative=True)
        if language.declined.search(bare):
            return Verdict(clause=clause, gate="declined")
        return Verdict(clause=clause)
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
    elif not firm and not personal and language.report.search(bare) and not language.reason.search(bare):
        strength -= 1
    if language.todo.search(bare) and not standing and not personal:
        strength -= 2
    if strength > 1 and (language.unsure.search(bare) or language.reported.search(bare)):
        strength, why = 1, "unsure, or somebody else's words"
    return strength, why


def _directs(clause: Clause, bare: str) -> bool:
    """Tells the assistant what to do, perhaps after a condition ("whenever I ask, ...")."""
    language = clause.language
    parts = re.split(r"[,，:：]\s*", bare)
    return any(language.imperative.match(part) or language.prohibition.match(part) for part in parts)
