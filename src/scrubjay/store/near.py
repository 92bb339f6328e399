"""Do two texts say nearly the same? Answered on keyed hashes, so that a tombstone never holds the text it stands for.

A text becomes three sets of hashes: its content words (lower case, light stems, common synonyms brought together; Chinese
and Japanese runs as pairs of characters), neighbouring pairs of them, and its marks: what makes one fact differ from
another of the same wording (numbers, names, words of a contrast group such as staging/production). Two texts say the same
when most words of the shorter one are in the longer one and no mark stands against another.
"""

from __future__ import annotations

import hmac
import itertools
import json
import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

HASH_BYTES = 5
"""2^40 values: among a million words some chance pair is likely, a chance match of most words of a text is not."""

MEMORISED = 65_536
"""Words whose stem and hash are kept by the process: the words of many memories are mostly the same ones."""

MIN_WORDS = 3
"""A text with fewer content words is compared as a whole: two words are too little to call others nearly the same."""

MIN_CONTAINED = 0.6
MIN_SHARED = 0.34
PAIR_WEIGHT = 0.3
MIN_SCORE = 0.8
"""Chosen on `tests/store/near_cases.json`; `tests/store/test_near.py` holds the figures."""

_LETTERS = "A-Za-z\u00c0-\u024f\u0370-\u1fff\uac00-\ud7af"
_TOKEN = (
    rf"[{_LETTERS}][{_LETTERS}0-9]*(?:['’][a-z]+)?|[0-9][0-9A-Za-z]*(?:[.:][0-9A-Za-z]+)*|[\u3040-\u30ff\u3400-\u9fff]+"
)
"""Made a pattern on first use: its classes take a while, and most commands compare nothing."""
_BLANK_FREE = re.compile(r"\S+")
_CODE = re.compile(r"\w[/_.]\w|[~.]?/\w")
"""In a run without blanks: a path, an address, an identifier. What stands in such a run tells facts apart."""
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_SENTENCE_START = re.compile(r"(?:[.!?:;\n]\s*|[-*>`\"“(]\s*)$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Print:
    """Hashes of one text, each set sorted."""

    words: frozenset[str]
    pairs: frozenset[str]
    marks: frozenset[str]
    negated: bool

    def text(self) -> str:
        """As it stands in a tombstone: four fields, `|` between."""
        sets = ("".join(sorted(one)) for one in (self.words, self.pairs, self.marks))
        return "|".join([*sets, "n" if self.negated else ""])

    @classmethod
    def parse(cls, text: str) -> Print | None:
        fields = text.split("|")
        if len(fields) != 4:
            return None
        width = HASH_BYTES * 2
        words, pairs, marks = (
            frozenset(field[start : start + width] for start in range(0, len(field), width)) for field in fields[:3]
        )
        return cls(words=words, pairs=pairs, marks=marks, negated=fields[3] == "n")


def print_of(text: str, key: bytes) -> Print:
    """The print of a text under a home's key."""
    words, marks, negated = _content(text)
    pairs = {f"{one} {other}" if one <= other else f"{other} {one}" for one, other in itertools.pairwise(words)}
    return Print(
        words=frozenset([_hash(word, key) for word in words]),
        pairs=frozenset([_keyed(pair, key) for pair in pairs]),
        marks=frozenset([_hash(mark, key) for mark in marks]),
        negated=negated,
    )


def same(a: Print, b: Print) -> bool:
    """Nearly the same statement?"""
    if not a.words or not b.words:
        return False
    shared = len(a.words & b.words)
    small, large = sorted((len(a.words), len(b.words)))
    if small < MIN_WORDS:
        return a.words == b.words and a.negated == b.negated
    if (a.marks - b.marks and b.marks - a.marks) or a.negated != b.negated:
        return False
    contained, jaccard = shared / small, shared / (small + large - shared)
    pairs = min(len(a.pairs), len(b.pairs))
    together = len(a.pairs & b.pairs) / pairs if pairs else 0.0
    return contained >= MIN_CONTAINED and jaccard >= MIN_SHARED and contained + PAIR_WEIGHT * together >= MIN_SCORE


@lru_cache(maxsize=MEMORISED)
def _hash(word: str, key: bytes) -> str:
    return _keyed(word, key)


def _keyed(text: str, key: bytes) -> str:
    """HMAC-SHA256, begun from a copy: `hmac.digest` hashes the key anew each time."""
    begun = _begun(key).copy()
    begun.update(text.encode("utf-8", "replace"))
    return begun.digest()[:HASH_BYTES].hex()


@lru_cache(maxsize=2)
def _begun(key: bytes) -> hmac.HMAC:
    return hmac.new(key, digestmod="sha256")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Words:
    stop: frozenset[str]
    negations: frozenset[str]
    denied: tuple[str, ...]
    """Those that stand inside a run without blanks (Chinese, Japanese)."""
    same: dict[str, str]
    """Stem → the stem that stands for its group."""
    generic: frozenset[str]
    """Stems that nearly every sentence about work holds."""
    contrasts: frozenset[str]
    """Stems whose exchange makes another fact."""


@cache
def _words() -> _Words:
    raw = json.loads(resources.files("scrubjay.store").joinpath("near_words.json").read_text(encoding="utf-8"))
    meaning = {stem(word): stem(group.split()[0]) for group in raw["same"] for word in group.split()}
    return _Words(
        stop=frozenset(" ".join(raw["stop"]).split()),
        negations=frozenset(" ".join(raw["negations"]).split()),
        denied=tuple(one for one in " ".join(raw["negations"]).split() if _HAN.search(one)),
        same=meaning,
        generic=frozenset(meaning.get(stem(word), stem(word)) for word in raw["generic"].split()),
        contrasts=frozenset(
            meaning.get(stem(word), stem(word)) for group in raw["contrasts"] for word in group.split()
        ),
    )


def _content(text: str) -> tuple[list[str], set[str], bool]:
    """Content words in order, marks, and whether something is denied."""
    table = _words()
    text = unicodedata.normalize("NFKC", text).replace("’", "'")
    words: list[str] = []
    marks: set[str] = set()
    code = set[int]()
    if _CODE.search(text):
        code = {at for run in _BLANK_FREE.finditer(text) if _CODE.search(run[0]) for at in range(*run.span())}
    negated = "instead of" in text.lower() or (bool(_HAN.search(text)) and any(cue in text for cue in table.denied))
    for match in _token().finditer(text):
        raw = match[0]
        if _HAN.match(raw):
            words += [raw[at : at + 2] for at in range(len(raw) - 1)] or [raw]
            continue
        word, marked = _meaning(raw)
        if not word:
            negated = negated or marked
            continue
        words.append(word)
        start = match.start()
        if marked or start in code or (raw[0].isupper() and _is_name(raw, text[max(0, start - 4) : start])):
            marks.add(word)
    return words, marks, negated


@cache
def _token() -> re.Pattern[str]:
    return re.compile(_TOKEN)


@lru_cache(maxsize=MEMORISED)
def _meaning(raw: str) -> tuple[str, bool]:
    """The stem that stands for it, and whether it is a mark wherever it stands. Without content "", and whether it denies."""
    table, low = _words(), raw.lower()
    if low in table.negations or low.endswith("n't"):
        return "", True
    if low in table.stop:
        return "", False
    word = stem(low)
    word = table.same.get(word, word)
    if word in table.generic:
        return "", False
    return word, any(c.isdigit() for c in raw) or raw[1:].lower() != raw[1:] or word in table.contrasts


def _is_name(raw: str, before: str) -> bool:
    """A capital inside a sentence: Grafana, Alice. (Where more than the first letter is one it is a name anywhere: SQS.)"""
    return len(raw) > 1 and bool(before.strip()) and not _SENTENCE_START.search(before)


def stem(word: str) -> str:
    """Plural, past and progressive endings off: light, so that it joins forms and not words."""
    word = word.removesuffix("'s").replace("'", "")
    for ending, put in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + put
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    for ending in ("ing", "ed", "ly", "ment", "ation"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word.removesuffix("e") if len(word) > 3 else word
