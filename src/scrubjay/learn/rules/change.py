"""Does a newer statement make an older one untrue? What can be seen in the two of them, and what that is worth.

Half of the answer is how near they are, measured on words that are rare here and anywhere; the other half is what the newer
one says of itself (its cues) and where the two differ (another date, another owner, another number). What each is worth
stands in `weights/change.json`: `bench/changes.py` finds it on labelled stories.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from scrubjay.learn.rules.bilingual import chinese_of, english_of
from scrubjay.learn.rules.change_words import change_words
from scrubjay.learn.rules.cues import look
from scrubjay.learn.rules.text import evened, plain, read
from scrubjay.learn.rules.values import values
from scrubjay.learn.rules.words import ALIASES
from scrubjay.search.tokens import index_terms
from scrubjay.search.words import STOP

MOST = 10
"""So many of the nearest memories are looked at: a statement rarely makes more than two untrue."""
_HAN = re.compile(r"[\u4e00-\u9fff]")
_HEADING = re.compile(r"\*\*(?:Why|How to apply):?\*\*")
_NUMBERED = re.compile(r"([a-z]{3,}|[\u4e00-\u9fff]{2}) ?(\d{1,4})(?! ?[\d.:/%点日月号年天-]|[a-z])")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.:]\d+)*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A statement as far as comparing needs it."""

    words: frozenset[str]
    """Terms of the search index, without stop words and single characters."""
    common: frozenset[str]
    """Those that a statement in the other language may have as well: Latin ones, and the English of Chinese ones."""
    han: bool
    subjects: frozenset[str]
    """Words before the verb of a clause: what it is about."""
    cues: frozenset[str]
    """What the gates say of its clauses."""
    turns: frozenset[str]
    """How it speaks of a change."""
    values: Mapping[str, frozenset[str]]
    """By kind."""
    numbers: frozenset[str]
    numbered: Mapping[str, str]
    """Things with a number before the verb of a clause: "service 0", "sprint 12"."""

    def beside(self, other: Said) -> frozenset[str]:
        """The words to compare with those of `other`."""
        return self.words if self.han == other.han else self.common


@lru_cache(maxsize=4096)
def said(body: str) -> Said:
    """`body` taken apart."""
    text = _HEADING.sub("", body)
    low = plain(text)
    clauses = read(text).clauses
    seen = [look(clause) for clause in clauses]
    found: dict[str, set[str]] = {}
    for clause in clauses:
        for value in values(evened(clause.text)):
            found.setdefault("when" if value.kind in _WHEN else value.kind, set()).add(value.value)
    heads = [
        clause.low[: verb.start()] for clause in clauses if (verb := clause.language.subject_end.search(clause.low))
    ]
    words = _words(text)
    subjects = frozenset().union(*map(_words, heads))
    return Said(
        words=words, common=_common(words, text), han=bool(_HAN.search(text)),
        subjects=subjects | _common(subjects, " ".join(heads)),
        cues=frozenset(name for one in seen for name in one.names if name.startswith("gate:")),
        turns=frozenset(change_words(low)), values={kind: frozenset(some) for kind, some in found.items()},
        numbers=frozenset(_NUMBER.findall(low)), numbered=dict(_NUMBERED.findall(" ; ".join(heads))),
    )  # fmt: skip


_WHEN = frozenset({"date", "weekday", "time", "cadence"})


def _words(text: str) -> frozenset[str]:
    terms = {term for term in index_terms(text) if len(term) > 1 or term.isdigit()} - _stop_terms()
    return frozenset(terms.union(*(_aliases().get(term, ()) for term in terms)))


@cache
def _aliases() -> Mapping[str, frozenset[str]]:
    """The other terms for a thing that has a short name and a long one ("pg", "postgres"), both ways."""
    known: dict[str, set[str]] = {}
    for names in ALIASES:
        terms = {term for name in names for term in index_terms(name)}
        for term in terms:
            known.setdefault(term, set()).update(terms - {term})
    return {term: frozenset(others) for term, others in known.items()}


def _common(words: Iterable[str], text: str) -> frozenset[str]:
    latin = {word for word in words if not _HAN.match(word)}
    return frozenset(latin.union(*english_of(plain(text)))) if _HAN.search(text) else frozenset(latin)


@cache
def _stop_terms() -> frozenset[str]:
    return frozenset(index_terms(" ".join(STOP)))


# --- how rare a word is -------------------------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """Weights are log-odds. From `explicit` on the older one is replaced, from `doubtful` on a person is asked."""

    bias: float
    explicit: float
    doubtful: float
    weights: Mapping[str, float]
    common: Mapping[str, float]
    """Of words that many developers use: by how many of a hundred."""

    def score(self, names: Iterable[str]) -> float:
        """The sum for a pair of which these are seen."""
        return self.bias + sum(self.weights.get(name, 0.0) for name in names)


@cache
def table() -> Table:
    """The table beside this file."""
    text = resources.files("scrubjay.learn.rules").joinpath("weights", "change.json").read_text(encoding="utf-8")
    data = json.loads(text)
    common = {word: int(share) / 100 for share, words in data.pop("common").items() for word in words.split()}
    return Table(**data, common=common)


_IMAGINED = 30
"""Memories that a small store is taken to have besides, so that a word which it has once is not yet frequent."""
_UNHEARD = 0.03
_PAIR = 0.7
"""What a pair of Chinese characters weighs: a word of three has two of them."""


class Rarity:
    """What a word tells about the subject: 0.0 (nothing) to 1.0 (nobody else says it)."""

    def __init__(self, size: int, holding: Callable[[str], int], common: Mapping[str, float] | None = None) -> None:
        """`size`: memories of the store; `holding`: how many of them hold a word."""
        self._size, self._holding = size + _IMAGINED, holding
        self._common = table().common if common is None else common
        self._known: dict[str, float] = {}

    def __call__(self, word: str) -> float:
        known = self._known.get(word)
        if known is None:
            anywhere = math.log((1 + _UNHEARD) / (self._common.get(word, 0.0) + _UNHEARD)) / math.log(
                (1 + _UNHEARD) / _UNHEARD
            )
            here = math.log(self._size / (min(self._holding(word), self._size - 1) + 1)) / math.log(self._size)
            known = self._known[word] = anywhere * here * (_PAIR if _HAN.match(word) else 1.0)
        return known

    def sum(self, words: Iterable[str]) -> float:
        """Of some words together."""
        return math.fsum(map(self, words))


def asked_for(new: Said) -> frozenset[str]:
    """Words that a memory which `new` makes untrue would hold at least one of, in either language."""
    chinese = (word for one in new.common for word in chinese_of(one))
    return new.words | new.common | frozenset(term for word in chinese for term in index_terms(word) if len(term) > 1)


# --- what is seen in a pair -----------------------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True, slots=True)
class Near:
    """How much an older statement has in common with a newer one: shares of rarity."""

    cosine: float
    of_new: float
    of_old: float


_SPARE = 0.5
"""Added below the line, so that two statements of one word each are not the nearest there are."""


def near(new: Said, old: Said, rarity: Rarity) -> Near:
    """Both measured with the same `rarity`."""
    mine, theirs = new.beside(old), old.beside(new)
    shared = mine & theirs
    both, in_new, in_old = rarity.sum(shared), rarity.sum(mine) + _SPARE, rarity.sum(theirs) + _SPARE
    return Near(cosine=both / math.sqrt(in_new * in_old), of_new=both / in_new, of_old=both / in_old)


@dataclass(frozen=True, kw_only=True, slots=True)
class Older:
    """A memory that may be untrue by now."""

    body: str
    together: bool = False
    """Said in the same sitting as the newer statement."""


def seen(new: Said, olds: Sequence[Older], rarity: Rarity, *, waits: bool) -> list[frozenset[str]]:
    """The names of what is seen in each pair; of those far from the nearest nothing at all."""
    parts = [said(one.body) for one in olds]
    close = [near(new, part, rarity) for part in parts]
    order = sorted(range(len(olds)), key=lambda at: -close[at].cosine)
    found: list[frozenset[str]] = [frozenset()] * len(olds)
    alone = {f"new:{cue}" for cue in new.cues} | {f"change:{way}" for way in new.turns}
    alone |= {f"changes:{min(5, len(new.turns))}", "waits" if waits else "plainly"}
    for rank, at in enumerate(order[:MOST]):
        if close[at].cosine > 0.0:
            other = close[order[1 if rank == 0 else 0]].cosine if len(order) > 1 else None
            names = {
                *alone,
                *_nearness(close[at], rank, other),
                *_differences(new, parts[at]),
                *_subjects(new, parts[at]),
            }
            names |= {"together"} if olds[at].together else set()
            found[at] = frozenset(names | _joint(names))
    return found


_STEPS = {
    "cosine": (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6), "of_new": (0.1, 0.2, 0.3, 0.4, 0.5, 0.7),
    "of_old": (0.1, 0.2, 0.3, 0.4, 0.5, 0.7),
}  # fmt: skip
_AHEAD = (0.6, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0)


def _step(value: float, steps: Sequence[float]) -> int:
    return sum(value >= one for one in steps)


def _nearness(close: Near, rank: int, other: float | None) -> set[str]:
    """`other`: the cosine of the nearest other one, None when there is none."""
    names = {f"{name}:{_step(getattr(close, name), steps)}" for name, steps in _STEPS.items()}
    names.add(f"rank:{min(rank, 5)}")
    names.add("ahead:alone" if other is None else f"ahead:{_step(close.cosine / (other + 0.05), _AHEAD)}")
    return names


def _subjects(new: Said, old: Said) -> set[str]:
    """Do the two name the same thing before their verbs?"""
    if not new.subjects or not old.subjects:
        return set()
    if new.subjects & old.subjects:
        return {"one-subject"}
    named = bool(new.subjects & (old.words | old.common)) + bool(old.subjects & (new.words | new.common))
    return {f"subjects-named:{named}"}


def _differences(new: Said, old: Said) -> set[str]:
    names = {f"langs:{'zh' if old.han else 'en'}-{'zh' if new.han else 'en'}"}
    differ = agree = 0
    for kind in new.values.keys() & old.values.keys():
        mine, theirs = new.values[kind], old.values[kind]
        if mine & theirs:
            agree += 1
            names.add(f"{'adds' if mine - theirs else 'same'}:{kind}")
        else:
            differ += 1
            names.add(f"other:{kind}")
    names |= {f"others:{min(differ, 3)}", f"sames:{min(agree, 3)}"}
    names.add(f"numbers:{min(2, len(new.numbers & old.numbers))}")
    if old.numbers and new.numbers - old.numbers:
        names.add("other-number")
    return names


_CLOSE = frozenset(f"cosine:{step}" for step in range(3, 10))


def _joint(names: set[str]) -> set[str]:
    """What two things say together: a change is spoken of, and this is the nearest memory."""
    if "rank:0" not in names or not names & _CLOSE:
        return set()
    return {f"near&{one}" for one in names if one.startswith("change:")} or {"near&plain"}


def scores(new: Said, olds: Sequence[Older], rarity: Rarity, *, waits: bool = False) -> list[float]:
    """For each older one how surely `new` makes it untrue, to be held against `Table.explicit` and `Table.doubtful`.

    `waits`: the newer one is not plainly said. What does not speak of a change never reaches `explicit`, and of several
    older ones only the surest does.
    """
    weights = table()
    found = [
        weights.score(names) if names and not _another(new, said(one.body)) else -math.inf
        for one, names in zip(olds, seen(new, olds, rarity, waits=waits), strict=True)
    ]
    surest = max(found, default=0.0)
    return [one if new.turns and one == surest else min(one, weights.explicit - _SHORT) for one in found]


_RESTATED = 0.5
"""Of two statements as near as this (`Near.cosine`) in the labelled stories none were about different things."""
_CHANGES = frozenset({"left", "takes-over", "over", "number", "now", "moved", "switched", "old", "when"})


def speaks_of_change(new: Said) -> bool:
    """Such a statement restates nothing."""
    return not new.turns.isdisjoint(_CHANGES)


def restates(new: Said, old: Said, rarity: Rarity) -> bool:
    """The two are so near that they are about the same thing, and `new` does not speak of a change."""
    return not speaks_of_change(new) and near(new, old, rarity).cosine >= _RESTATED and not _another(new, old)


def _another(new: Said, old: Said) -> bool:
    """Two of a kind: "the port of service 0 is 5000", "the port of service 1 is 5001". Where nothing but the number differs
    ("node 18 is ...", "node 20 is ..."), it may well be what changed."""
    if not any(old.numbered.get(name, number) != number for name, number in new.numbered.items()):
        return False
    mine, its = new.numbers.difference(new.numbered.values()), old.numbers.difference(old.numbered.values())
    return bool(mine and its and mine != its)


_SHORT = 0.01
