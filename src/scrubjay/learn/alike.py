"""Do two texts say the same? Decided on their content words, their values and their sense, without a model.

Deterministic on purpose: learning again must come to the same answer. Texts that differ in a value (a number, a URL, an
identifier) or in their sense (one forbids what the other asks for) never count as the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from scrubjay.learn.rules.topic import same_topic
from scrubjay.search.tokens import index_terms
from scrubjay.search.words import STOP

_VALUE = re.compile(
    r"https?://[^\s)>\]`\"'，。]+|`[^`\n]+`|[\w.-]*/[\w./-]+|[\w-]*[A-Za-z]_[\w]+|--[\w-]+|\d[\w.:-]*|[A-Za-z][\w-]*\.\w{1,5}\b"
    r"|\b[A-Z]{2,}\b|(?<=[a-z,] )[A-Z][a-z]+\b"  # abbreviations, and names inside a sentence
)
_NEGATIVE = re.compile(
    r"(?i)\b(?:not|never|no|don'?t|doesn'?t|mustn'?t|without|avoid|stop|nicht|kein\w*|nie)\b|n['’]t\b|不|别|勿|禁止|没"
)
_ASIDE = re.compile(r"\n\s*\*\*(?:Why|How to apply):?\*\*.*", re.DOTALL)

_INSTEAD = re.compile(
    r"(?i),?\s(?:instead\s+of|rather\s+than|in\s+place\s+of)\s+(?:the\s+|an?\s+)?[\w./@-]*\w"
    r"|,\s+not\s+(?!yet\b|only\b|before\b|until\b|unless\b)[^,.;:()\n]{1,40}(?=[,.;:()\n]|$)"
)
"""What is not so is no part of what is said: "pnpm instead of npm" does not say "npm", nor does "pnpm, not npm"."""

CONTAINED = 0.85
"""Of the shorter text's content words, how many the other must have."""
ALIKE = 0.5
"""Content words shared, of both together."""
SAME_TOPIC = 0.75
"""When the rules call two texts the same topic."""
MIN_TERMS = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """A text as far as comparing needs it."""

    text: str
    plain: str
    """`text` in lower case without back-quotes."""
    terms: frozenset[str]
    values: frozenset[str]
    negative: bool


def statement(body: str) -> Statement:
    """Of a memory's body: the clause itself, without its Why and How."""
    text = _ASIDE.sub("", body).strip()
    now = _INSTEAD.sub("", text)
    return Statement(
        text=text,
        plain=text.lower().replace("`", ""),
        terms=frozenset(index_terms(now)) - _stop_terms(),
        values=frozenset(value.strip("`.:,").lower().replace("`", "") for value in _VALUE.findall(now)) - {""},
        negative=bool(_NEGATIVE.search(now.replace("’", "'"))),
    )


def same(a: Statement, b: Statement) -> bool:
    """The two say the same: equal, or nearly the same words with compatible values and the same sense.

    One word that only one of two otherwise equal texts has is detail; a word of its own in each is another subject
    ("the alpha team", "the beta team"), unless both name the same identifiers.
    """
    if a.text == b.text:
        return True
    if a.negative != b.negative or not _compatible(a, b):
        return False
    shared = len(a.terms & b.terms)
    smaller, both = min(len(a.terms), len(b.terms)), len(a.terms | b.terms)
    if smaller < MIN_TERMS:
        return a.terms == b.terms and bool(a.terms)
    if shared < ALIKE * both:
        return False
    if shared == smaller:
        return True
    named = {value for value in a.values if value in b.plain} | {value for value in b.values if value in a.plain}
    anchored = any(not value[0].isdigit() for value in named)
    return anchored and (shared >= CONTAINED * smaller or same_topic(a.text, b.text) >= SAME_TOPIC)


def may_restate(a: Statement, b: Statement) -> bool:
    """Nothing speaks against the two saying the same in other words: one identifier in both, no value and no sense apart."""
    named = {value for value in a.values & b.values if not value[0].isdigit()}
    return a.negative == b.negative and bool(named) and _compatible(a, b)


def covers(whole: Statement, part: Statement) -> bool:
    """Every content word and value of `part` is in `whole`, in the same sense: a memory that says more says this too."""
    return (
        whole.negative == part.negative
        and len(part.terms) > MIN_TERMS
        and part.terms <= whole.terms
        and _holds(whole, part)
    )


def says(whole: Statement, part: Statement) -> bool:
    """`whole` (a paragraph of an instruction file) holds what `part` says."""
    if whole.negative != part.negative or not _holds(whole, part) or len(part.terms) < MIN_TERMS:
        return False
    return len(part.terms & whole.terms) >= CONTAINED * len(part.terms)


def clash(a: Statement, b: Statement) -> bool:
    """The same subject with other values or the other sense: what one says, the other doesn't."""
    if same_topic(a.text, b.text) < SAME_TOPIC:
        return False
    return a.negative != b.negative or not _compatible(a, b)


@cache
def _stop_terms() -> frozenset[str]:
    return frozenset(index_terms(" ".join(STOP)))


def _compatible(a: Statement, b: Statement) -> bool:
    """At most one of the two names something that the other does not."""
    return _holds(a, b) or _holds(b, a)


def _holds(whole: Statement, part: Statement) -> bool:
    return all(value in whole.plain for value in part.values)
