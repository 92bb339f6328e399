# ruff: noqa: E501, SIM905 - word lists read better in few lines
"""What a language's table file holds, and which table reads a clause."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

NoteKind = Literal[
    "rule", "correction", "preference", "convention", "decision", "command", "gotcha", "deadline", "owner", "reference",
    "dead-end", "confirmation",
]  # fmt: skip
_NOTHING = re.compile(r"(?!)")
_BREAK = re.compile(r"[，,。；;：:！!？?]")
Strength = Literal[1, 2, 3]
"""How telling a pattern is. 3: a standing wish; 2: a plain statement; 1: a hint. The most telling one names the kind."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """A linguistic pattern that makes a clause worth keeping. Patterns see lower-case text with straight quotes."""

    cue: str
    """Shown by `jay why`, such as `command/works`."""
    kind: NoteKind
    strength: Strength
    pattern: re.Pattern[str]
    imperative: bool = False
    """Counts even where the clause is an order to the assistant."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """A cue that alone makes no note: it speaks for or against one beside others."""

    name: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Dates:
    """Words for points in time. Keys are lower case."""

    weekdays: Mapping[str, int]
    """Monday is 0."""
    months: Mapping[str, int]
    numbers: Mapping[str, int]
    patterns: tuple[tuple[str, re.Pattern[str]], ...]
    """`(how to read it, pattern)`; the readings are those of `dates.py`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Language:
    """One language's tables. A pattern's name says what a clause is when it is found in it (`search`)."""

    code: str
    opener: re.Pattern[str]
    """`match` at the start, again and again: words that only keep the talk going ("ok", "btw", "one more:")."""
    shift: re.Pattern[str]
    """`match` at the raw start: another subject begins."""
    split: re.Pattern[str]
    """Places within a sentence where another clause may begin (the match itself is left out)."""
    noise: re.Pattern[str]
    """`fullmatch`: says nothing (thanks, greetings, laughs)."""
    question: re.Pattern[str]
    hypothetical: re.Pattern[str]
    unsure: re.Pattern[str]
    temporary: re.Pattern[str]
    hearsay: re.Pattern[str]
    """Somebody else's published words: never kept."""
    reported: re.Pattern[str]
    """A colleague's words: wait for review."""
    report: re.Pattern[str]
    """A state of affairs that is being worked on (a failure, a measurement)."""
    event: re.Pattern[str]
    """What happened once, and when."""
    makes: re.Pattern[str]
    """`match`: has one thing made; "always" within what is to be made is no rule."""
    lasting: re.Pattern[str]
    """The standing words that make a rule even of such an order."""
    polite: re.Pattern[str]
    """`match`: a standing wish in the form of a question ("could you always ...")."""
    todo: re.Pattern[str]
    """What is to be done in this piece of work."""
    spec: re.Pattern[str]
    """`match`: what a thing on the screen (or the function in hand) should do: this piece of work, more often than not."""
    dictates: re.Pattern[str]
    """`match`: an order with the words to be used in it."""
    injection: re.Pattern[str]
    revoke: re.Pattern[str]
    """Takes back what was said before it; group `what` names it when it does."""
    declined: re.Pattern[str]
    imperative: re.Pattern[str]
    """`match`: an order to the assistant."""
    applies: re.Pattern[str]
    """`match`: an order that says what to do about the fact before it ("tag her in the PR")."""
    prohibition: re.Pattern[str]
    """`match`: an order not to do something."""
    standing: re.Pattern[str]
    reason: re.Pattern[str]
    generic: re.Pattern[str]
    """Speaks of every case rather than of this one."""
    negative: re.Pattern[str]
    anaphor: re.Pattern[str]
    """`match`: leans on the clause before it."""
    dangling: re.Pattern[str]
    """`match`: begins with a pronoun whose referent stands elsewhere."""
    agree: re.Pattern[str]
    """`match`: says yes to what the assistant did."""
    agree_standing: re.Pattern[str]
    process: re.Pattern[str]
    """In the assistant's words: how it went about the work (not what came out)."""
    user_scope: re.Pattern[str]
    team_scope: re.Pattern[str]
    trait: re.Pattern[str]
    """About the person, in every project."""
    change: re.Pattern[str]
    replaces: tuple[re.Pattern[str], ...]
    """Says of something that it is no longer so."""
    why: re.Pattern[str]
    """Between a statement and its reason, at the end of a clause."""
    place: re.Pattern[str]
    """Groups `path…`: the clause holds below that folder only."""
    this_folder: re.Pattern[str]
    """The folder that the session runs in."""
    file_words: re.Pattern[str]
    """Group `type`: a key of `file_types`."""
    symptom: re.Pattern[str]
    """Words by which trouble is described: people ask with them later."""
    confirmed: str
    """Body of a confirmation: the assistant's words, then the person's."""
    parties: re.Pattern[str]
    """Groups of people that "they" may stand for."""
    stop_words: frozenset[str]
    subject_end: re.Pattern[str]
    """The first verb of a statement: what stands before it is its subject."""
    openings: Mapping[NoteKind, str]
    """When to open a note, with `{}` for its key words."""
    file_types: Mapping[str, str]
    """"go files" → `*.go`: words before "files" or "code"."""
    dates: Dates
    rules: tuple[Rule, ...]
    titles: Mapping[NoteKind, str] = field(default_factory=dict)
    """Name of a note by kind, with `{}` for its subject, where it is more than that."""
    preface: re.Pattern[str] = _NOTHING
    """`match` again and again at the start of a clause: what its name does without."""
    head_end: re.Pattern[str] = _BREAK
    """`search`: where the head of a clause, which names a note, ends."""
    trailing: frozenset[str] = frozenset()
    """Words that no name ends with."""
    verbs: frozenset[str] = frozenset()
    """Words that are no topic, beside the stop words."""
    written: re.Pattern[str] = _NOTHING
    """In a convention about what one writes, rather than about how things are."""
    occasions: tuple[tuple[re.Pattern[str], str], ...] = ()
    """When to open a preference: the first pattern that is found in it."""
    evidence: tuple[Evidence, ...] = ()
    """Small cues that stand beside the rules."""
    endorse: re.Pattern[str] = _NOTHING
    """`match`: says of what was just said that it stands ("that's final", "the whole team sticks to that")."""
    aside: re.Pattern[str] = _NOTHING
    """In an order: the comma after which a statement stands without it."""
    limits: re.Pattern[str] = _NOTHING
    """`match`: says that the orders of the message are for one thing in hand ("fig 3 only")."""
    shorthand: Mapping[str, str] = field(default_factory=dict)
    """Chat spellings and what they stand for."""
    restates: re.Pattern[str] = _NOTHING
    """Says itself that it was said before: no new fact until a person says so."""
    do_it: re.Pattern[str] = _NOTHING
    """`match`: an order to make what was just described."""
    hollow: re.Pattern[str] = _NOTHING
    """`match`: points at something and names nothing."""
    kept_order: re.Pattern[str] = _NOTHING
    """`search`: in an order, what happens beyond its limit: a fact that outlives the order."""
    clash: re.Pattern[str] = _NOTHING
    """Says that two things which should agree do not."""
    local: re.Pattern[str] = _NOTHING
    """Ties a statement to this place."""
    bare_plural: re.Pattern[str] = _NOTHING
    """`match`: speaks of a kind of thing as such, as a book would."""
    bookish: re.Pattern[str] = _NOTHING
    """`match`: begins with the name of a technology that is not this project's own."""
    announce: re.Pattern[str] = _NOTHING
    """Says of what comes next that it is to be kept ("two agreements for our whole group:")."""


class _Tables(dict[str, Language]):
    """Each is loaded when it is first asked for: to make the patterns of a language takes a while."""

    def __missing__(self, code: str) -> Language:
        if code == "zh":
            from scrubjay.learn.rules.chinese import TABLE
        elif code == "en":
            from scrubjay.learn.rules.english import TABLE
        else:
            raise KeyError(code)
        self[code] = TABLE
        return TABLE


@cache
def languages() -> Mapping[str, Language]:
    """The tables of one language each, by code: `languages()["en"]`."""
    return _Tables()


_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_OTHER = re.compile(
    r"[\uac00-\ud7a3\u1100-\u11ff\u0400-\u04ff\u0590-\u05ff\u0600-\u06ff\u0900-\u0dff\u0e00-\u0e7f\u0370-\u03ff]"
)
_CODE = re.compile(r"`[^`\n]*`|https?://\S+")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")

_ENGLISH = frozenset(
    """
    the a an and or of to in on at is are was it its that this we you they i not don't dont for with from by if
    when be as have has do does no never always use run so because but our my your only all any every please ok
    must should here there what which who why how before after then than into out up
    """.split()
)
_FOREIGN = frozenset(
    ["der", "die", "das", "dem", "den", "des", "ein", "eine", "einen", "einem", "einer", "und", "oder", "nicht", "kein", "keine", "keinen", "ist", "sind", "war", "wir", "ihr", "sie", "ich", "du", "es", "mit", "auf", "für", "von", "zum", "zur", "beim", "bitte", "immer", "nie", "niemals", "nur", "auch", "noch", "wenn", "dass", "weil", "aber", "jetzt", "hier", "wie", "mal", "schon", "doch", "muss", "müssen", "soll", "sollen", "wird", "werden", "haben", "hat", "bei", "nach", "vor", "über", "unter", "aus", "im", "am", "ins", "alle", "jede", "jeder", "jeden", "keiner", "ab", "bis", "ohne", "le", "la", "les", "un", "une", "des", "du", "et", "ou", "ne", "pas", "est", "sont", "nous", "vous", "ils", "elle", "avec", "pour", "dans", "sur", "qui", "que", "quoi", "toujours", "jamais", "merci", "el", "los", "las", "una", "y", "no", "es", "son", "nosotros", "usted", "con", "para", "en", "por", "que", "siempre", "nunca", "gracias", "pero", "hay", "il", "lo", "gli", "uno", "di", "e", "non", "è", "sono", "noi", "voi", "con", "per", "che", "sempre", "mai", "grazie", "o", "os", "as", "um", "uma", "não", "são", "nós", "com", "em", "sempre", "obrigado", "het", "een", "en", "niet", "wij", "altijd", "nooit", "graag", "voor", "van", "maar", "og", "ikke", "alltid", "och", "inte", "alltid", "för"]
) - _ENGLISH - frozenset({"no", "me", "en", "es", "as", "per", "e", "y", "o", "di", "con", "una", "am", "die", "war", "un",
                          "hat", "mal", "os", "des", "mai", "son", "nun", "den", "bis", "aus", "ins", "la", "le", "du", "et"})  # fmt: skip
_MIN_FOREIGN = 2


def read_as(clause: str, *, message_is_foreign: bool) -> Language | None:
    """The table for `clause`, or None when no table knows its language (then nothing is learnt from it)."""
    bare = _CODE.sub(" ", clause)
    if _KANA.search(bare) or _OTHER.search(bare):
        return None
    if _HAN.search(bare):
        # A clause of Japanese may have no kana of its own: then the message tells.
        return None if message_is_foreign else languages()["zh"]
    words = [word.lower() for word in _WORD.findall(bare)]
    english = sum(word in _ENGLISH for word in words)
    foreign = sum(word in _FOREIGN for word in words)
    if foreign > english or (message_is_foreign and english < _MIN_FOREIGN):
        return None
    return languages()["en"]


def is_foreign(text: str) -> bool:
    """The message as a whole is in a language that no table knows."""
    bare = _CODE.sub(" ", text)
    if _KANA.search(bare) or _OTHER.search(bare):
        return True
    words = [word.lower() for word in _WORD.findall(bare)]
    foreign = sum(word in _FOREIGN for word in words)
    return foreign >= _MIN_FOREIGN and foreign > sum(word in _ENGLISH for word in words)
