"""Text into search terms: the same cutting for what is indexed and for what is asked.

Identifiers give their parts and each component joined (`calc_proration` → calc, prorat, calcproration); runs of Chinese,
Japanese and Korean give characters and pairs; accents, case and width are folded; English endings are stemmed. Terms hold
letters and digits only, so that they need no quoting rules in FTS5 and its `ascii` tokeniser keeps each whole. Hot.
"""

from __future__ import annotations

from scrubjay.search.stem import stem
from scrubjay.search.words import CJK_STOP, EXTENSIONS, LIGHT, STOP, WEAK

_JOINERS = "/.:@_-"
_ASCII = {code: chr(code) if chr(code).isalnum() or chr(code) in _JOINERS else " " for code in range(128)}
_ASCII[ord("'")] = ""  # customer's → customers, which has the stem of customer; don't → dont
_CJK_RANGES = ((0x3005, 0x3007), (0x3040, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
               (0xAC00, 0xD7AF), (0x20000, 0x3FFFF))  # fmt: skip
_STOP_FROM: dict[str, list[str]] = {}
for _stop in CJK_STOP:
    _STOP_FROM.setdefault(_stop[0], []).append(_stop)

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
        identifier joined; its parts stand beside it), `gram` (two CJK characters) or `kana` (the same with
        hiragana: grammar more often than not)."""
        self.prefix = prefix
        self.part = part
        """One of several parts of an identifier."""
        self.run = run
        """Place of a gram in the text, in characters; two grams overlap when their places are neighbours."""


def chunks(text: str) -> list[str]:
    """Identifiers, words and runs of CJK characters, folded but for letter case. No regular expressions: to load them
    takes a hook longer than a prompt takes to read."""
    if not text.isascii():
        import unicodedata

        text = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text.replace("’", "'")))
        text = unicodedata.normalize("NFC", "".join(c for c in text if not "\u0300" <= c <= "\u036f"))
        text = "".join(c if c < "\x80" else _spaced(c) for c in text).replace(_EDGE + _EDGE, "").replace(_EDGE, " ")
    return text.translate(_ASCII).split()


_EDGE = "\ue000"  # private use: stands around each CJK character until runs are joined again


def _spaced(char: str) -> str:
    if is_cjk(char):
        return f"{_EDGE}{char}{_EDGE}"
    return char if char.isalnum() and char != _EDGE else " "


def is_cjk(char: str) -> bool:
    """A character of Chinese, Japanese or Korean writing, which puts no spaces between words."""
    code = ord(char)
    return code >= 0x3005 and any(low <= code <= high for low, high in _CJK_RANGES)


def index_terms(text: str) -> list[str]:
    """Every term of `text`, in order, repeated as often as it stands there. Never raises."""
    terms: list[str] = []
    for chunk in chunks(text):
        if is_cjk(chunk[0]):
            terms.extend(chunk)
            terms.extend(chunk[at : at + 2] for at in range(len(chunk) - 1))
        else:
            for component in components(chunk):
                parts, whole = identifier(component)
                terms.extend(_stem(part) for part in parts)
                if whole:
                    terms.append(whole)
    return terms


def query_words(text: str) -> list[Word]:
    """The distinct terms of a prompt that say something about its subject, in order. Never raises."""
    found: dict[str, Word] = {}
    place = 0
    for chunk in chunks(text):
        for word in _grams(chunk, place) if is_cjk(chunk[0]) else _chunk_words(chunk):
            found.setdefault(word.term, word)
        place += len(chunk) + 1
    return list(found.values())


def components(chunk: str) -> list[str]:
    """The parts of a path, an address or a qualified name."""
    return chunk.replace(":", "/").replace("@", "/").split("/")


def identifier(component: str) -> tuple[list[str], str]:
    """The parts of one component, not stemmed, and its joined form ("" when there is one part only)."""
    raw = [part for piece in component.replace("_", ".").replace("-", ".").split(".") for part in _camel(piece) if part]
    lowered = [part.casefold() for part in raw]
    if all(part.isdecimal() for part in lowered):
        number = DIGIT_JOIN.join(lowered)
        return ([number] if 0 < len(number) <= MAX_TERM_CHARS else []), ""
    parts = [part for part in lowered if 1 < len(part) <= MAX_TERM_CHARS]
    whole = "".join(lowered) if len(lowered) > 1 else ""
    return parts, whole if len(whole) <= MAX_TERM_CHARS else ""


def _camel(piece: str) -> list[str]:
    """`getUserIDs` → get, User, IDs; `HTTPServer` → HTTP, Server. A capital and one letter (IDs, URLs) start no word."""
    if piece[1:].islower() or piece.isupper() or piece.isdecimal():
        return [piece]
    parts = []
    start = 0
    for at in range(1, len(piece)):
        before, here, after = piece[at - 1], piece[at], piece[at + 1 : at + 3]
        if here.isupper() and (not before.isupper() or (len(after) == 2 and after.islower())):
            parts.append(piece[start:at])
            start = at
    return [*parts, piece[start:]]


def _stem(word: str) -> str:
    known = _stems.get(word)
    if known is None:
        if len(_stems) > 50_000:
            _stems.clear()
        known = _stems[word] = stem(word)
    return known


def _chunk_words(chunk: str) -> list[Word]:
    words: list[Word] = []
    for component in components(chunk):
        parts, whole = identifier(component)
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


def _grams(run: str, place: int) -> list[Word]:
    words: list[Word] = []
    if len(run) == 1 and run not in _STOP_FROM.get(run, ()):
        words.append(Word(run, _gram_kind(run), run=place))
    for start, end in _pieces(run):
        for at in range(start, end - 1):
            gram = run[at : at + 2]
            words.append(Word(gram, _gram_kind(gram), run=place + at))
    return words


def _gram_kind(gram: str) -> str:
    """`kana` when hiragana stands in it: an ending or a particle more often than a word."""
    return "kana" if any("\u3040" <= char <= "\u309f" for char in gram) else "gram"


def _pieces(run: str) -> list[tuple[int, int]]:
    """Start and end of what is left of a CJK run between stop words."""
    pieces: list[tuple[int, int]] = []
    start = at = 0
    while at < len(run):
        stop = next((word for word in _STOP_FROM.get(run[at], ()) if run.startswith(word, at)), "")
        if stop:
            pieces.append((start, at))
            start = at = at + len(stop)
        else:
            at += 1
    return [piece for piece in [*pieces, (start, len(run))] if piece[1] > piece[0]]
