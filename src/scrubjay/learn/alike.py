"""Do two texts say the same? Decided on their content words, their values and their sense, without a model.

Deterministic on purpose: learning again must come to the same answer. Texts that differ in a value (a number, a URL, an
identifier) or in their sense (one forbids what the other asks for) never count as the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from scrubjay.learn.rules.topic import same_topic
from scrubjay.search.tokens import index_terms

_VALUE = re.compile(
    r"https?://[^\s)>\]`\"'，。]+|`[^`\n]+`|[\w.-]*/[\w./-]+|[\w-]*[A-Za-z]_[\w]+|--[\w-]+|\d[\w.:-]*|[A-Za-z][\w-]*\.\w{1,5}\b"
)
_DATED = re.compile(r"\(?(?:said )?(?:on )?\d{4}-\d\d-\d\d\)?")
_NEGATIVE = re.compile(
    r"(?i)\b(?:not|never|no|don'?t|doesn'?t|mustn'?t|without|avoid|stop|nicht|kein\w*|nie)\b|n['’]t\b|不|别|勿|禁止|没"
)
_ASIDE = re.compile(r"\n\s*\*\*(?:Why|How to apply):?\*\*.*", re.DOTALL)

CONTAINED = 0.85
"""Of the shorter text's content words, how many the other must have."""
ALIKE = 0.6
"""Content words shared, of both together, for texts whose words mostly coincide."""
SAME_TOPIC = 0.75
PARAPHRASE = 0.4
"""As `ALIKE`, when the rules call it the same topic."""
MIN_TERMS = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """A text as far as comparing needs it."""

    text: str
    terms: frozenset[str]
    values: frozenset[str]
    negative: bool


def statement(body: str) -> Statement:
    """Of a memory's body: the clause itself, without its Why and How and without the date that it was said on."""
    text = _ASIDE.sub("", body).strip()
    plain = _DATED.sub(" ", text) if not _only_date(text) else text
    return Statement(
        text=text,
        terms=frozenset(index_terms(plain)),
        values=frozenset(value.strip("`.:,").lower() for value in _VALUE.findall(plain)) - {""},
        negative=bool(_NEGATIVE.search(text.replace("’", "'"))),
    )


def same(a: Statement, b: Statement) -> bool:
    """The two say the same: equal, or nearly the same words with compatible values and the same sense."""
    if a.text == b.text:
        return True
    if a.negative != b.negative or not _compatible(a.values, b.values):
        return False
    shared = len(a.terms & b.terms)
    smaller, both = min(len(a.terms), len(b.terms)), len(a.terms | b.terms)
    if smaller < MIN_TERMS:
        return a.terms == b.terms and bool(a.terms)
    if shared >= CONTAINED * smaller and shared >= ALIKE * both:
        return True
    return shared >= PARAPHRASE * both and same_topic(a.text, b.text) >= SAME_TOPIC


def says(whole: Statement, part: Statement) -> bool:
    """`whole` (a paragraph of an instruction file) holds what `part` says."""
    if whole.negative != part.negative or not part.values <= whole.values or len(part.terms) < MIN_TERMS:
        return False
    return len(part.terms & whole.terms) >= CONTAINED * len(part.terms)


def clash(a: Statement, b: Statement) -> bool:
    """The same subject with other values or the other sense: what one says, the other doesn't."""
    if same_topic(a.text, b.text) < SAME_TOPIC:
        return False
    return a.negative != b.negative or not _compatible(a.values, b.values)


def _compatible(a: frozenset[str], b: frozenset[str]) -> bool:
    return a <= b or b <= a


def _only_date(text: str) -> bool:
    return not _DATED.sub("", text).strip(" .")
