"""What a person sees of a note in a list: a name in their own words, and when to open it."""

from __future__ import annotations

import re

from scrubjay.learn.rules import words
from scrubjay.learn.rules.belonging import Group
from scrubjay.learn.rules.language import Language, NoteKind
from scrubjay.learn.rules.phrase import phrase
from scrubjay.learn.rules.text import plain

MAX_NAME_CHARS = 45
MAX_DESCRIPTION_CHARS = 70
"""Both shorter than the file's limits: a note costs its reader as little as possible."""
_MIN_HEAD = 4
_MAX_SUBJECT_WORDS = 6

_DETERMINER = re.compile(
    r"^(?:(?:the|a|an|all|every|each|any|our|my|your|its|this|that|these|those|whole|for|in|on|at|and|so|because|no|also|only|please|whenever|when|if|what|remember|note|fyi|所有的?|每个|每次|每|我们的?|咱们的?|这个|那个|这边|以后|今后|凡是|任何|关于|记住|注意|一律|如果|因为)(?:\b(?![-'])|(?<=[\u4e00-\u9fff]))[\s,:：，]*)+",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^([^:：`\"]{3,40})[:：]\s")
_NOT_A_PHRASE = re.compile(
    r"[.,;，。；?!]\s|\bi\b|\bwe\b|\byou\b|\bit\b|\bthey\b|\bdo\b|\bto\b|我|你|它", re.IGNORECASE
)
_LEANS = re.compile(r"\b(?:it|them|this|that|these|those|him|her|he|she|they|one)\b", re.IGNORECASE)
_HOW = re.compile(
    r"(?:been|decided|agreed|settled|done|tried|noted|heard|learn(?:t|ed)|confirmed|from|as|after|since|by)\s",
    re.IGNORECASE,
)
"""Words before a colon that say how somebody came to know, not what it is about."""
_FILLER = re.compile(r"\b(?:things?|wish|note|question|remark)\b", re.IGNORECASE)
_SCANT = re.compile(
    r"(?:(?:in|on|at|for|with|from|by|to)\s.{0,12}|(?:that's|it's|somebody|someone|they|it)\b.{0,16})$", re.IGNORECASE
)
_EDGE = " \t`\"'()[]{}<>,;:!?.-–—…*_~/\\@#，。；：、！？（）「」“”‘’"
_BY_CLAUSE = frozenset(["preference", "owner", "dead-end", "rule", "correction"])
"""Kinds whose subject tells little: the person, whoever owns it, who is told not to."""


def name_of(group: Group, body: str, kind: NoteKind) -> str:
    """At most 45 characters taken in one piece from what was said; never empty."""
    clause = group.head.clause
    language = clause.language
    candidates = _candidates(clause.text, kind, language, group)
    for candidate in [one for one in candidates if not _SCANT.match(one)] or candidates:
        name = language.titles.get(kind, "{}").format(_tidy(candidate, language))
        if len(name) >= (2 if language.code == "zh" else _MIN_HEAD):
            return name
    return name_for(body, language)


def name_for(text: str, language: Language) -> str:
    """The head of any sentence, an assistant's too."""
    if language.code == "zh":
        return phrase(text) or _tidy((words.keywords(text, language, 1) or ["note"])[0], language)
    return _tidy(head(text, language), language) or _tidy((words.keywords(text, language, 1) or ["note"])[0], language)


def _candidates(text: str, kind: NoteKind, language: Language, group: Group) -> list[str]:
    found: list[str] = []
    label = _LABEL.match(text)
    if label and _HOW.match(label.group(1)):
        text, label = text[label.end() :], None
    if label and (
        len(label.group(1).split()) > 5
        or language.standing.search(plain(label.group(1)))
        or _NOT_A_PHRASE.search(label.group(1) + " ")
        or _FILLER.search(label.group(1))
    ):
        label = None
    if label:
        found.append(_DETERMINER.sub("", label.group(1)))
    if language.code == "zh":
        subject = _subject(text, language, imperative=group.head.imperative)
        return [one for one in (phrase(subject), phrase(text)) if one]
    dangles = language.dangling.match(plain(text))
    if group.lead is not None and dangles:
        found.append(head(group.lead.clause.text, language))
    if kind not in _BY_CLAUSE:
        subject = _subject(text, language, imperative=group.head.imperative)
        whole = head(text, language)
        if kind != "command" and len(subject.split()) <= _SCANT_WORDS and _says_more(whole, subject):
            found.append(whole)
        found.append(subject)
    lead = _LABEL.match(text)
    own = head(text[lead.end() :] if lead and _FILLER.search(lead.group(1)) else text, language)
    found.insert(0 if not _LEANS.search(own) and kind in _BY_CLAUSE and not label else len(found), own)
    found += [head(one.clause.text, language) for one in group.verdicts if one is not group.head]
    return [one for one in found if one]


def _says_more(whole: str, subject: str) -> bool:
    """The clause's head goes on after a short subject ("feature flags"), stands by itself and needs no cutting."""
    return (
        0 < len(subject) < len(whole.strip(_EDGE)) <= MAX_NAME_CHARS
        and whole.lower().startswith(subject.lower())
        and not _LEANS.search(whole)
    )


_SCANT_WORDS = 2
"""A subject of so few words leaves open what is said of it."""


def _subject(text: str, language: Language, *, imperative: bool) -> str:
    """What stands before the first verb, when that is a noun phrase of its own."""
    low = plain(text)
    verb = next((one for one in language.subject_end.finditer(text.lower()) if one.group() != "'s"), None)
    if imperative or verb is None or language.prohibition.match(low) or language.dangling.match(low):
        return ""
    subject = _DETERMINER.sub("", text[: verb.start()]).strip(_EDGE)
    if not 2 <= len(subject) <= MAX_NAME_CHARS or _NOT_A_PHRASE.search(subject + " "):
        return ""
    # One plain word ("tests") says too little: then the head of the clause is the name.
    named = " " in subject or not subject.isalpha() or language.code == "zh"
    fits = named and len(subject.split()) <= _MAX_SUBJECT_WORDS
    return subject if fits and words.keywords(subject, language, 1) else ""


def head(text: str, language: Language) -> str:
    """The first words of a clause up to its first break, without what only opens it ("from now on", "I prefer")."""
    low = text.lower()
    start = 0
    if len(low) == len(text):
        while (match := language.preface.match(low, start)) and match.end() > start:
            start = match.end()
    rest = text[start:].lstrip(_EDGE)
    stop = language.head_end.search(rest.lower(), 3) if len(rest.lower()) == len(rest) else None
    return rest[: stop.start()] if stop else rest


def _tidy(text: str, language: Language) -> str:
    text = " ".join(text.replace("`", "").split()).strip(_EDGE)
    if len(text) > MAX_NAME_CHARS:
        cut = text[: MAX_NAME_CHARS + 1]
        text = cut.rsplit(" ", 1)[0] if " " in cut else text[:MAX_NAME_CHARS]
    parts = text.split(" ")
    while len(parts) > 1 and parts[-1].strip(_EDGE).lower() in language.trailing:
        parts.pop()
    text = " ".join(parts).strip(_EDGE)
    first = text.split(" ", 1)[0] if text else ""
    if re.fullmatch(r"[a-z][a-z'-]*", first) and language.code != "zh":
        text = text[0].upper() + text[1:]
    return text


# --- when to open it ------------------------------------------------------------------------------------------------------
_TOKEN = re.compile(r"https?://\S+|[^\W_](?:[\w./:@#+-]*\w)?(?:'[a-z]+)?|[,;:.!?()，。；：]")
_MAX_CHUNK_WORDS = 3


def describe(kind: NoteKind, body: str, name: str, language: Language) -> str:
    """Kind and topic in at most 70 characters: "before proposing numba on the cluster"."""
    opening = language.openings[kind]
    if kind == "preference":
        for pattern, words_for_it in language.occasions:
            if pattern.search(plain(body)):
                return words_for_it
    if language.code == "zh":
        return _chinese(opening, body, name, language)
    if kind == "convention" and not language.written.search(plain(body)):
        opening = language.openings["gotcha"]
    chosen: list[str] = []
    for chunk in _chunks(body, language):
        fits = len(opening) + len(" and ".join([*chosen, chunk])) <= MAX_DESCRIPTION_CHARS
        if fits and not any(chunk in one or one in chunk for one in chosen):
            chosen.append(chunk)
        if len(chosen) == _TOPICS:
            break
    topic = " and ".join(chosen) or (name if " " not in name else name[:1].lower() + name[1:])
    return _cut(opening.format(topic), MAX_DESCRIPTION_CHARS)


def _chinese(opening: str, body: str, name: str, language: Language) -> str:
    left = [word for word in words.keywords(body, language, 9) if word not in name][:3]
    room, chosen = 30 - len(opening), list[str]()
    for word in left:
        if len(word) <= room:
            chosen.append(word)
            room -= len(word) + 1
    return _cut(opening.format("、".join(chosen) or _cut(name, 30)), MAX_DESCRIPTION_CHARS)


def _chunks(body: str, language: Language) -> list[str]:
    """Noun phrases as well as can be told without a dictionary: runs of content words that are no verbs, as they come."""
    found: list[str] = []
    run: list[str] = []
    before = ""
    for match in _TOKEN.finditer(body[:_TOPIC_SPAN].replace("`", " ")):
        low = match.group().lower()
        wordless = not low[0].isalnum() or low.startswith(("http", "**")) or low[0].isdigit()
        if (
            wordless
            or before in _VERB_NEXT
            or low in language.stop_words | language.trailing | language.verbs
            or low.endswith(("'s", "n't", "'ll", "'re"))
            or re.fullmatch(r"\w{3,}ed", low)
        ):
            found, run = [*found, " ".join(run)], []
        else:
            run.append(match.group())
        if len(run) == _MAX_CHUNK_WORDS:
            found, run = [*found, " ".join(run)], []
        before = low
    return [one for one in dict.fromkeys([*found, " ".join(run)]) if len(one) > 2]


_TOPICS = 2
_TOPIC_SPAN = 160
"""Characters of the body in which its topic is looked for."""
_VERB_NEXT = frozenset(
    [
        "never",
        "always",
        "don't",
        "dont",
        "to",
        "please",
        "not",
        "must",
        "should",
        "can",
        "can't",
        "cannot",
        "will",
        "won't",
        "we",
        "i",
        "you",
        "they",
        "it",
        "who",
        "that",
        "which",
    ]
)


def _cut(text: str, limit: int) -> str:
    text = " ".join(text.replace("`", "").split())
    if len(text) <= limit:
        return text
    piece = text[:limit].rsplit(" ", 1)[0] if " " in text[:limit] else text[:limit]
    return piece.rstrip(" ,;:-，；：")
