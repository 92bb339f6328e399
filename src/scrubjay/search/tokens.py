"""Text into search terms: the same cutting for what is indexed and for what is asked.

Identifiers give their parts and each component joined (`calc_proration` → calc, prorat, calcproration); runs of Chinese,
Japanese and Korean give characters and pairs; accents, case and width are folded; English endings are stemmed. Terms hold
letters and digits only, so that they need no quoting rules in FTS5 and its `ascii` tokeniser keeps each whole. Hot.
"""

from __future__ import annotations

import re

from scrubjay.search.stem import stem
from scrubjay.search.words import CJK_STOP, EXTENSIONS, LIGHT, STOP, WEAK

_CJK = "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
_WORD = rf"[^\W{_CJK}]+"
_CHUNKS = re.compile(rf"([{_CJK}]+)|({_WORD}(?:[/.:@-]{_WORD})*)")
_COMPONENTS = re.compile(r"[/:@]")
_PARTS = re.compile(r"[._-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_POSSESSIVE = re.compile(r"['’]s\b|['’]")
_MARKS = re.compile("[\u0300-\u036f]")
_CJK_CUT = re.compile("|".join(CJK_STOP))
_HIRAGANA = re.compile("[\u3040-\u309f]+")

MAX_TERM_CHARS = 64
"""Longer letter runs are no words (encoded data); they are not indexed."""
MIN_PREFIX_CHARS = 4
"""A word of a prompt with at least so many letters also matches longer words that start with it."""
DIGIT_JOIN = "·"
"""Joins the numbers of a version, a date or an address: 2.7.4 is one term, and not 274."""

_stems: dict[str, str] = {}


class Word:
    """One term of a prompt."""

    __slots__ = ("kind", "part", "prefix", "run", "term")

    def __init__(self, term: str, kind: str, *, prefix: bool = False, run: int = 0, part: bool = False) -> None:
        self.term = term
        self.kind = kind
        """`strong`, `weak` (common among developers), `light` (helps to order, never to find), `number`, `whole` (an
        identifier joined; its parts stand beside it), `gram` (two CJK characters) or `kana` (two hiragana: grammar more
        often than not)."""
        self.prefix = prefix
        self.part = part
        """One of several parts of an identifier."""
        self.run = run
        """Place of a gram in the text, in characters; two grams overlap when their places are neighbours."""


def fold(text: str) -> str:
    """Compatibility forms, accents and apostrophes folded; letter case is kept."""
    if not text.isascii():
        import unicodedata

        text = unicodedata.normalize("NFKC", text)
        text = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", text)))
    return _POSSESSIVE.sub("", text)


def index_terms(text: str) -> list[str]:
    """Every term of `text`, in order, repeated as often as it stands there. Never raises."""
    terms: list[str] = []
    for cjk, chunk in _CHUNKS.findall(fold(text)):
        if cjk:
            terms.extend(cjk)
            terms.extend(cjk[at : at + 2] for at in range(len(cjk) - 1))
        else:
            for component in _COMPONENTS.split(chunk):
                parts, whole = _identifier(component)
                terms.extend(_stem(part) for part in parts)
                if whole:
                    terms.append(whole)
    return terms


def query_words(text: str) -> list[Word]:
    """The distinct terms of a prompt that say something about its subject, in order. Never raises."""
    found: dict[str, Word] = {}
    for match in _CHUNKS.finditer(fold(text)):
        words = _grams(match) if match.group(1) else _chunk_words(match.group(2))
        for word in words:
            found.setdefault(word.term, word)
    return list(found.values())


def _identifier(component: str) -> tuple[list[str], str]:
    """The parts of one component, and its joined form ("" when there is one part only)."""
    raw = [part for part in _PARTS.split(component) if part]
    lowered = [part.casefold() for part in raw]
    if all(part.isdecimal() for part in lowered):
        number = DIGIT_JOIN.join(lowered)
        return ([number] if len(number) <= MAX_TERM_CHARS else []), ""
    parts = [part for part in lowered if 1 < len(part) <= MAX_TERM_CHARS]
    whole = "".join(lowered) if len(lowered) > 1 else ""
    return parts, whole if len(whole) <= MAX_TERM_CHARS else ""


def _stem(word: str) -> str:
    known = _stems.get(word)
    if known is None:
        if len(_stems) > 50_000:
            _stems.clear()
        known = _stems[word] = stem(word)
    return known


def _chunk_words(chunk: str) -> list[Word]:
    words: list[Word] = []
    for component in _COMPONENTS.split(chunk):
        parts, whole = _identifier(component)
        for at, part in enumerate(parts):
            if part in STOP or (len(part) < 2 and not part.isdecimal()):
                continue
            word = _word(part, ending=at > 0 and at == len(parts) - 1 and part in EXTENSIONS)
            word.part = len(parts) > 1
            words.append(word)
        if whole:
            words.append(Word(whole, "whole"))
    return words


def _word(part: str, *, ending: bool) -> Word:
    term = _stem(part)
    if part.replace(DIGIT_JOIN, "").isdecimal():
        return Word(term, "number")
    if part in LIGHT:
        return Word(term, "light")
    weak = ending or part in WEAK or term in WEAK
    return Word(term, "weak" if weak else "strong", prefix=len(part) >= MIN_PREFIX_CHARS and len(term) > 2)


def _grams(match: re.Match[str]) -> list[Word]:
    words: list[Word] = []
    run, start = match.group(1), match.start()
    for piece in _pieces(run):
        text = run[piece[0] : piece[1]]
        if len(text) == 1 and len(run) == 1:
            words.append(Word(text, "kana" if _HIRAGANA.fullmatch(text) else "gram", run=start))
        for at in range(len(text) - 1):
            gram = text[at : at + 2]
            kind = "kana" if _HIRAGANA.fullmatch(gram) else "gram"
            words.append(Word(gram, kind, run=start + piece[0] + at))
    return words


def _pieces(run: str) -> list[tuple[int, int]]:
    """Start and end of what is left of a CJK run between stop words."""
    pieces: list[tuple[int, int]] = []
    last = 0
    for cut in _CJK_CUT.finditer(run):
        if cut.start() > last:
            pieces.append((last, cut.start()))
        last = cut.end()
    if last < len(run):
        pieces.append((last, len(run)))
    return pieces
