"""What can be seen in a clause: the names of its cues. What each is worth stands in the weights of its language.

Three kinds: the tables' patterns (`rule:owner/signs`, `gate:question`, `cue:habit`), the form (`length:3`, `has:path`), and
the small words that every trade uses (`word:never`, `word:so that`). A clause sees its neighbours' cues as well
(`before:gate:question`): half of what a sentence means is where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scrubjay.learn.rules.language import Language, Rule
from scrubjay.learn.rules.text import Clause

_CODE = re.compile(r"`[^`\n]*`|\b[\w.]+\(\)")
_IN_QUOTES = re.compile(r"(?<=[\"“「『«])[^\"”」』»\n]{1,300}(?=[\"”」』»])")
_IN_SINGLE = re.compile(r"(?<=[\s(:]')[^'\n]{3,200}(?='(?:[\s.,;)!?]|$))")
_TOKEN = re.compile(r"(?<![\w./@#$-])[a-z0-9']+(?![\w/@-])/?")

_SEARCHED = (
    "question", "hypothetical", "unsure", "temporary", "hearsay", "reported", "report", "event", "lasting", "todo",
    "declined", "standing", "reason", "generic", "negative", "agree_standing", "user_scope", "team_scope", "trait",
    "change", "why", "file_words", "symptom", "parties", "restates", "kept_order", "clash", "local", "subject_end", "place",
)  # fmt: skip
_MATCHED = (
    "makes", "polite", "spec", "dictates", "imperative", "applies", "prohibition", "anaphor", "dangling", "agree",
    "endorse", "limits", "bare_plural", "bookish", "shift", "announce",
)  # fmt: skip
_WHOLE = ("hollow", "do_it")
_FORM = (
    ("path", re.compile(r"[\w.-]+/[\w./-]+")),
    ("code", re.compile(r"`")),
    ("url", re.compile(r"https?:")),
    ("digit", re.compile(r"\d")),
    ("identifier", re.compile(r"[A-Za-z]+_[A-Za-z]|[a-z][A-Z]")),
    ("capitals", re.compile(r"\w-\d|[A-Z]{2,}")),
    ("name", re.compile(r"(?<=\s)[A-Z][a-z]+")),
    ("colon", re.compile(r"[:：]")),
    ("brackets", re.compile(r"[(（]")),
)
_LENGTH_STEP = {"en": 20, "zh": 8}
_LONGEST = 8
_MOST_CLAUSES = 6


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """A clause with what was seen in it."""

    clause: Clause
    names: frozenset[str]
    """Of the clause itself; `told` adds those of its neighbours and its words."""
    hits: tuple[Rule, ...]
    """The rules that are found in it."""
    shape: str
    """Its plain text without what stands in quotation marks, chat spellings in full."""
    bare: str
    """`shape` without what stands in back-quotes."""

    @property
    def imperative(self) -> bool:
        """An order to the assistant."""
        return "gate:imperative" in self.names and "gate:prohibition" not in self.names


def blank(low: str) -> str:
    """Without what stands in quotation marks: those words belong to what is quoted."""
    for pattern in (_IN_QUOTES, _IN_SINGLE):
        low = pattern.sub(lambda match: "x" * len(match.group()), low)
    return low


def _shape(clause: Clause) -> str:
    shape, shorthand = blank(clause.low), clause.language.shorthand
    return _TOKEN.sub(lambda match: shorthand.get(match.group(), match.group()), shape) if shorthand else shape


def look(clause: Clause) -> Seen:
    """The cues of `clause` by itself."""
    language = clause.language
    shape = _shape(clause)
    bare = _CODE.sub(lambda match: "`" + "x" * (len(match.group()) - 2) + "`", shape)
    names = {f"gate:{name}" for name in _gates(language, bare, clause.low)}
    hits = tuple(rule for rule in language.rules if rule.pattern.search(shape))
    for rule in hits:
        names |= {f"rule:{rule.cue}", f"kind:{rule.kind}", f"strength:{rule.strength}"}
    names |= {f"cue:{one.name}" for one in language.evidence if one.pattern.search(shape)}
    names |= {f"has:{name}" for name, pattern in _FORM if pattern.search(clause.text)}
    names.add(f"length:{min(_LONGEST, len(clause.text) // _LENGTH_STEP.get(language.code, 20))}")
    names |= {name for name in ("asked", "announced", "shifted") if getattr(clause, name)}
    return Seen(clause=clause, names=frozenset(names), hits=hits, shape=shape, bare=bare)


def _gates(language: Language, bare: str, low: str) -> list[str]:
    found = [name for name in _SEARCHED if getattr(language, name).search(low if name == "hearsay" else bare)]
    found += [name for name in _MATCHED if getattr(language, name).match(bare)]
    found += [name for name in _WHOLE if getattr(language, name).fullmatch(bare)]
    if any(pattern.search(bare) for pattern in language.replaces):
        found.append("replaces")
    return found


def told(seen: Sequence[Seen], index: int) -> frozenset[str]:
    """All that speaks about `seen[index]`: its own cues, its words, and the cues of the clauses beside it."""
    one = seen[index]
    names = set(one.names) | words(one)
    names.add(f"clauses:{min(len(seen), _MOST_CLAUSES)}")
    for step, side in ((-1, "before"), (1, "after")):
        other = seen[index + step] if 0 <= index + step < len(seen) else None
        if other is None:
            names.add(f"{side}:nothing")
            continue
        names.add(f"{side}:{_distance(one.clause, other.clause)}")
        names |= {f"{side}:{name}" for name in other.names if name.startswith(_SHARED)}
    return frozenset(names)


_SHARED = ("gate:", "kind:", "cue:", "asked", "announced")


def _distance(one: Clause, other: Clause) -> str:
    if one.sentence == other.sentence:
        return "same-sentence"
    return "same-paragraph" if one.paragraph == other.paragraph else "apart"


_WORD = re.compile(r"`[^`]*`|https?://\S+|\d[\d.,:/%-]*\w*|[a-z]+(?:'[a-z]+)?|[^\sa-z\d]")
_LATIN = re.compile(r"[a-z_./@#-]+")
_DIGITS = re.compile(r"\d+")
_MOST_HAN = 3


def words(one: Seen) -> frozenset[str]:
    """Words and pairs of words (Chinese: one to three characters), names of things made alike, `^` and `$` for the ends."""
    if one.clause.language.code == "zh":
        text = "^" + re.sub(r"\s+", "", _DIGITS.sub("N", _LATIN.sub("L", one.shape))) + "$"
        grams = {text[at : at + size] for size in range(1, _MOST_HAN + 1) for at in range(len(text) - size + 1)}
        return frozenset(f"word:{gram}" for gram in grams)
    tokens = ["^", *(_kind_of(match.group()) for match in _WORD.finditer(one.shape)), "$"]
    pairs = {f"word:{a} {b}" for a, b in pairwise(tokens)}
    return frozenset({f"word:{token}" for token in tokens[1:-1]} | pairs)


def _kind_of(token: str) -> str:
    if token[0] == "`":
        return "<code>"
    if token.startswith(("http:", "https:")):
        return "<url>"
    return "<number>" if token[0].isdigit() else token
