"""Are two statements about the same thing? And is a statement a doubt?"""

from __future__ import annotations

import re

from scrubjay.learn.rules.language import Language, languages
from scrubjay.learn.rules.text import plain
from scrubjay.learn.rules.words import content

_HAN = re.compile(r"[\u4e00-\u9fff]")
_WHY = re.compile(r"\n\s*\*\*(?:Why|How to apply):?\*\*.*", re.DOTALL)


def _language(text: str) -> Language:
    return languages()["zh" if _HAN.search(text) else "en"]


def _topic(low: str) -> set[str]:
    found = content(low, _language(low))
    if _HAN.search(low):  # an English word in a Chinese sentence is a content word as well
        found |= content(" ".join(re.findall(r"[a-z][\w.-]*", low)), languages()["en"])
    return found


def same_topic(a: str, b: str) -> float:
    """0.0 (nothing in common) to 1.0: how much of the shorter statement's subject matter the other one shares.

    Content words, identifiers and names count; values (numbers, dates, URLs) do not, for they are what changes.
    """
    if _numbered_apart(plain(a), plain(b)):
        return 0.0
    one, two = _topic(plain(a)), _topic(plain(b))
    if not one or not two:
        return 0.0
    return len(one & two) / min(len(one), len(two))


_HEAD_CHARS = 30
_NUMBERED = re.compile(
    r"\b(?P<what>(?!port\b|version\b|than\b|the\b|of\b|at\b|to\b|on\b|in\b)[a-z]{3,})\s#?(?P<n>\d{1,3})(?![\w.:%-])(?!\s(?:days?|weeks?|months?|hours?|minutes?|seconds?|ms)\b)"
)
"""Things that are told apart by their number: "service 0", "rig 2"."""


def _numbered_apart(a: str, b: str) -> bool:
    """They begin with things of one kind that a number tells apart: "service 0" and "service 1"."""
    one, two = _numbers(a), _numbers(b)
    return any(one[kind] != two[kind] for kind in one.keys() & two.keys())


def _numbers(low: str) -> dict[str, str]:
    verb = _language(low).subject_end.search(low)
    return {
        one.group("what"): one.group("n") for one in _NUMBERED.finditer(low[: verb.start() if verb else _HEAD_CHARS])
    }


def wavers(body: str) -> bool:
    """Said with a doubt, as a question, or as somebody else's word: no ground to give up what was plainly said."""
    low = plain(_WHY.sub("", body))
    language = _language(low)
    return any(
        one.search(low) for one in (language.unsure, language.reported, language.question, language.hypothetical)
    )
