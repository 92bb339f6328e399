# ruff: noqa: E501, SIM905 - word lists read better in few lines
"""What one clause is: turned down by a gate, carried by rules, or plain talk that may lend itself to its neighbours."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scrubjay.learn.rules.language import Language, NoteKind, Rule
from scrubjay.learn.rules.text import Clause
from scrubjay.learn.rules.weigh import Weight, beyond, hold, in_hand, lift, sober, standing_order, weigh

HIDDEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]")
"""Characters that nobody types: what holds them was made to be overlooked."""

_CODE = re.compile(r"`[^`\n]*`|\b[\w.]+\(\)")
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
    weight: Weight = Weight()  # noqa: RUF009 - frozen

    @property
    def best(self) -> Rule | None:
        """The rule that names the kind: the strongest, then the most telling one."""
        return min(self.hits, key=lambda rule: (-rule.strength, _KIND_ORDER.index(rule.kind)), default=None)


def judge(clause: Clause) -> Verdict:
    """The verdict on `clause` by itself."""
    low, language = clause.low, clause.language
    if HIDDEN.search(clause.text) or language.injection.search(_blank(low)):
        return Verdict(clause=clause, gate="injection")
    shape = _spelt(_blank(low), language)
    bare = _CODE.sub(lambda match: "`" + "x" * (len(match.group()) - 2) + "`", shape)
    if revoked := language.revoke.search(bare):
        return Verdict(clause=clause, gate="revoke", revoked=revoked.groupdict().get("what") or "")
    if language.noise.fullmatch(bare):
        return Verdict(clause=clause, gate="noise")
    if _hollow(clause, bare):
        return Verdict(clause=clause)
    polite = bool(language.polite.search(bare))
    if language.clash.search(bare):
        return Verdict(clause=clause, gate="report")
    if (clause.asked or language.question.search(bare)) and not polite:
        return Verdict(clause=clause, gate="question")
    for gate in ("hearsay", "hypothetical", "temporary"):
        pattern: re.Pattern[str] = getattr(language, gate)
        found = pattern.search(low if gate == "hearsay" else bare)
        if found and not (gate == "temporary" and (_dated(clause, found.group()) or _outlives(clause, found))):
            return Verdict(clause=clause, gate=_GATE_NAMES.get(gate, gate))
    return _weigh(clause, shape, bare, polite=polite)


def _hollow(clause: Clause, bare: str) -> bool:
    language = clause.language
    return (
        bool(language.hollow.fullmatch(bare))
        and not _CONCRETE.search(clause.text[1:])
        and not language.endorse.match(bare)
        and not language.user_scope.search(bare)
    )


_ALONE = ("habit", "contrast")
"""What "always" and "never" are themselves."""


def _dated(clause: Clause, words: str) -> bool:
    """ "From Oct 5 no schema changes till it's over": the end that is named belongs to a date."""
    return (
        words.startswith(("until", "till"))
        and not _SOON.search(words)
        and not clause.language.imperative.match(clause.low)
        and any(
            (rule.kind == "deadline" or rule.cue in _LONG_LASTING) and rule.pattern.search(clause.low)
            for rule in clause.language.rules
        )
    )


def _outlives(clause: Clause, found: re.Match[str]) -> bool:
    """ "For the demo: `x --rate 20`, above that it loses frames": the occasion passes, the limit stays."""
    language, low = clause.language, clause.low
    if not _OCCASION.match(found.group()) or not (language.kept_order.search(low) or _firm(clause, low)):
        return False
    rest = low[: found.start()] + low[found.end() :]
    return not any(other.start() != found.start() for other in language.temporary.finditer(low)) and bool(rest.strip())


_OCCASION = re.compile(
    r"for\s+(?:the\s+(?:demo|presentation|screenshot|experiment|meeting)|testing|debugging|once|this\s+(?:test|run|demo))\b|为了(?:演示|demo|调试|测试)|演示"
)


def _firm(clause: Clause, low: str) -> bool:
    return any(
        rule.strength > 1 and rule.cue in _OUTLIVING and rule.pattern.search(low) for rule in clause.language.rules
    )


_OUTLIVING = ("gotcha/when", "gotcha/limit", "gotcha/needs")


_SOON = re.compile(
    r"\b(?:noon|lunch|tonight|tomorrow|later|midnight|eod|eow|day|week|session|meeting|weekend|i'?m|i)\b"
)
_LONG_LASTING = ("decision/stays", "decision/pinned", "convention/we-are-on")


_GATE_NAMES = {"hearsay": "quoted"}


def _spelt(shape: str, language: Language) -> str:
    """Chat spellings ("u", "thru") in full, for the patterns only: places in the text no longer fit."""
    if not language.shorthand:
        return shape
    return _TOKEN.sub(lambda match: language.shorthand.get(match.group(), match.group()), shape)


_TOKEN = re.compile(r"(?<![\w./@#$-])[a-z0-9']+(?![\w/@-])/?")


def _blank(low: str) -> str:
    """Without what stands in quotation marks: those words belong to what is quoted."""
    for pattern in (_IN_QUOTES, _IN_SINGLE):
        low = pattern.sub(lambda match: "x" * len(match.group()), low)
    return low


def _weigh(clause: Clause, shape: str, bare: str, *, polite: bool) -> Verdict:
    language = clause.language
    imperative = bool(language.imperative.match(bare)) and not language.prohibition.match(bare)
    hits = tuple(rule for rule in language.rules if (rule.imperative or not imperative) and rule.pattern.search(shape))
    if _ordered_at_the_end(bare, language):
        return _one_off(clause, shape)
    if language.dictates.match(bare) or (
        language.makes.match(bare) and (imperative or language.todo.match(bare)) and not language.lasting.search(bare)
    ):
        return _one_off(clause, shape)
    standing = bool(language.standing.search(bare))
    alone = standing and not hits
    if alone and len(_WORDS.findall(bare)) + len(bare) // 12 >= 4:
        hits = (Rule(cue="rule/standing", kind="rule", strength=2, pattern=language.standing),)
    if _orders_under_a_label(clause, bare, hits) and not standing:
        return Verdict(clause=clause, gate="one-off", imperative=True)
    weight = weigh(clause, shape)
    if not hits:
        if imperative and not standing_order(weight):
            return _one_off(clause, shape)
        if language.declined.search(bare):
            return Verdict(clause=clause, gate="declined")
        return _statement(clause, bare, weight, imperative=imperative)
    strength: int = max(rule.strength for rule in hits)
    if alone and not (_directs(clause, bare) or language.lasting.search(bare)):
        standing, strength = False, 1  # "you always find the best solutions": a standing word, and no rule
        weight = Weight(good=tuple(one for one in weight.good if one[0] not in _ALONE), bad=weight.bad)
    strength, why = _adjust(clause, bare, hits, strength, standing=standing, weight=weight)
    if polite and strength > 1:
        strength, why = 1, "asked as a question"
    if strength <= 0:
        return Verdict(clause=clause, gate="one-off" if imperative else "report", imperative=imperative, weight=weight)
    return Verdict(
        clause=clause, hits=hits, strength=strength, imperative=imperative, weight=weight,
        why_pending=why if strength == 1 else "",
    )  # fmt: skip


def _ordered_at_the_end(bare: str, language: Language) -> bool:
    """ "A booking can be moved once, add that": what stands before it is to be made."""
    *before, last = re.split(r"[,，]\s*", bare)
    return bool(before) and bool(language.do_it.fullmatch(last.strip())) and not language.lasting.search(bare)


def _one_off(clause: Clause, shape: str) -> Verdict:
    """An order for the work in hand; where it says what happens beyond its limit, that may be a fact."""
    weight = weigh(clause, shape)
    if not clause.language.kept_order.search(shape) or clause.language.spec.match(shape):
        return Verdict(clause=clause, gate="one-off", imperative=True, weight=weight)
    return Verdict(
        clause=clause, hits=(_LIMIT,), strength=1, imperative=True, weight=weight,
        why_pending="an order, with a reason that may last",
    )  # fmt: skip


_BOOKISH = ("convention/plural", "rule/never", "convention/functions")
_LIMIT = Rule(cue="gotcha/limit-of-order", kind="gotcha", strength=1, pattern=re.compile(""))
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


def _statement(clause: Clause, bare: str, weight: Weight, *, imperative: bool) -> Verdict:
    """A statement that no rule knows, about something that can be named. What speaks for it decides."""
    language = clause.language
    passing = [language.event, language.todo, language.unsure, language.declined]
    if _LASTING.isdisjoint(weight.names):
        passing.append(language.report)
    if (
        len(bare) < _MIN_STATEMENT.get(language.code, 16)
        or any(pattern.search(bare) for pattern in passing)
        or (_PERSON.match(bare) and "person" not in weight.names and "cannot" not in weight.names)
        or not (language.subject_end.search(bare) or "exclusive" in weight.names or weight.total >= _TELLING)
    ):
        return Verdict(clause=clause, weight=weight, imperative=imperative)
    strength = _plain_strength(language, bare, weight, imperative=imperative)
    if language.restates.search(bare):
        strength = min(strength, 1)
    vague = (language.dangling.match(bare) and weight.total < _LEANING) or not (
        _CONCRETE.search(clause.text[1:]) or len(weight.names) > 1
    )
    if strength == 0 or (strength == 1 and vague):
        return Verdict(clause=clause, weight=weight)
    kind: NoteKind = "preference" if "person" in weight.names else "gotcha"
    cue = f"{kind}/{'+'.join(weight.names[:_SHOWN_CUES]) or 'statement'}"
    rule = Rule(cue=cue, kind=kind, strength=1, pattern=language.subject_end)
    return Verdict(
        clause=clause, hits=(rule,), strength=strength, weight=weight, imperative=imperative,
        why_pending="" if strength > 1 else "a plain statement: is it worth keeping?",
    )  # fmt: skip


_SHOWN_CUES = 3
_LEANING = 1.25
"""A clause about "it" says less."""
_TELLING = 0.75
"""With this weight for it, a clause needs no verb that we know."""
_LASTING = frozenset(["cause", "or-else", "ours", "known", "exclusive"])
"""Beside these, words of trouble are part of what lasts."""


def _plain_strength(language: Language, bare: str, weight: Weight, *, imperative: bool) -> int:
    if language.evidence:
        return 2 if imperative else lift(0, weight)
    return 2 if language.reason.search(bare) else 1


_PERSON = re.compile(r"(?:i|i'm|im|i've|you|you're|he|she|we're|my|your|我|你|他|她)(?:\b|(?<=[\u4e00-\u9fff]))")


def _adjust(
    clause: Clause, bare: str, hits: tuple[Rule, ...], strength: int, *, standing: bool, weight: Weight
) -> tuple[int, str]:
    language = clause.language
    why = "inferred: said without a standing word"
    if standing:
        strength = 1 if in_hand(weight) or (_orders(clause, bare) and "deictic" in weight.against) else 3
    elif strength == 1 and language.reason.search(bare):
        strength = 2
    before = strength
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
    if strength == 2 and language.spec.match(bare) and not _is_command(hits) and not language.reason.search(bare):
        strength, why = 1, "perhaps only what is being built now"
    elif language.evidence and strength == before == 1 and not standing:
        strength = lift(
            1, Weight(bad=weight.bad) if _built(clause, bare) else sober(weight) if _orders(clause, bare) else weight
        )
    elif strength == 2 and hold(hits, weight):
        strength, why = 1, "more like the work in hand than a standing fact"
    if strength > 1 and (doubt := _doubt(clause, bare, hits, standing=standing, weight=weight)):
        return 1, doubt
    return strength, why


def _doubt(clause: Clause, bare: str, hits: tuple[Rule, ...], *, standing: bool, weight: Weight) -> str:
    """Why a clause that would be active should wait for a person; "" when nothing speaks for that."""
    language = clause.language
    if language.unsure.search(bare) or language.reported.search(bare):
        return "unsure, or somebody else's words"
    if language.restates.search(bare):
        return "said before, by its own words"
    local = language.local.search(clause.low)
    kinds = all(rule.kind == "gotcha" or rule.cue in _BOOKISH for rule in hits)
    bare_kind = not standing and kinds and "passive" not in weight.names and language.bare_plural.match(bare)
    if not local and (language.bookish.match(bare) or bare_kind):
        return "perhaps common knowledge"
    named = _is_command(hits) or beyond(weight) or language.reason.search(bare)
    if standing and not named and language.spec.match(bare):
        return "perhaps only what is being built now"
    return ""


def _built(clause: Clause, bare: str) -> bool:
    """What a thing that is being made should do."""
    return bool(clause.language.spec.match(bare)) and not clause.language.reason.search(bare)


def _is_command(hits: tuple[Rule, ...]) -> bool:
    return any(rule.kind == "command" for rule in hits)


def _orders(clause: Clause, bare: str) -> bool:
    return bool(clause.language.imperative.match(bare) or clause.language.prohibition.match(bare))


def _reasoned(clause: Clause, bare: str, hits: tuple[Rule, ...]) -> bool:
    """Gives a reason, and says more than why something fails."""
    weak = all(rule.cue == "decision/reason" for rule in hits)
    return not weak and bool(clause.language.reason.search(bare))


def _directs(clause: Clause, bare: str) -> bool:
    """Tells the assistant what to do, perhaps after a condition ("whenever I ask, ...")."""
    language = clause.language
    parts = [part for part in re.split(r"[,，:：]\s*", bare) if not _ON_THIS.match(part)]
    return any(language.imperative.match(part) or language.prohibition.match(part) for part in parts)


_ON_THIS = re.compile(r"\w+\s+(?:it|that|this|them|those|these)\b[\s.!]*$")
