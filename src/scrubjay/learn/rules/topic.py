"""Are two statements about the same thing, and does the newer one say that the older is no longer so?"""

from __future__ import annotations

import re
from collections.abc import Mapping

from scrubjay.learn.rules.language import Language, languages
from scrubjay.learn.rules.text import plain
from scrubjay.learn.rules.words import HASH, URL, content, stem
from scrubjay.operations import Proposal

_HAN = re.compile(r"[\u4e00-\u9fff]")
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_SLOTS: Mapping[str, re.Pattern[str]] = {
    "url": URL,
    "hash": HASH,
    "date": re.compile(r"\b\d{4}-\d\d-\d\d\b|\d{1,2}月\d{1,2}[日号]?"),
    "span": re.compile(
        r"\b\d+(?:\.\d+)?\s?(?:ms|s|secs?|seconds?|min(?:ute)?s?|h|hours?|d|days?|weeks?|months?|years?)\b|[\d一二两三四五六七八九十半]+\s?(?:毫秒|秒|分钟|小时|天|周|个?星期|个?月|年)"
        r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|a)\s(?:minute|hour|day|week|month|year)s?\b"
    ),
    "version": re.compile(r"\bv?\d+\.\d+(?:\.\d+)*\b"),
    "ticket": re.compile(r"\b[a-z]{2,8}-(?=<|\d|x|n\b|#|\*|$|\s)"),
    "number": re.compile(r"(?<![\w.:/-])\d+(?:\.\d+)?%?(?![\w./-]*\d)"),
    "person": re.compile(r"@[\w.-]+"),
}


def _language(text: str) -> Language:
    return languages()["zh" if _HAN.search(text) else "en"]


def _topic(low: str) -> set[str]:
    found = content(low, _language(low))
    if _HAN.search(low):  # an English word in a Chinese sentence is a content word as well
        found |= content(" ".join(re.findall(r"[a-z][\w.-]*", low)), languages()["en"])
    return found


def _slots(low: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    rest = low
    for kind, pattern in _SLOTS.items():
        values = {match.group().rstrip(".,;") for match in pattern.finditer(rest)}
        if values:
            found[kind] = values
            rest = pattern.sub(" ", rest)
    return found


def same_topic(a: str, b: str) -> float:
    """0.0 (nothing in common) to 1.0: how much of the shorter statement's subject matter the other one shares.

    Content words, identifiers and names count; values (numbers, dates, URLs) do not, for they are what changes.
    """
    one, two = _topic(plain(a)), _topic(plain(b))
    if not one or not two:
        return 0.0
    return len(one & two) / min(len(one), len(two))


def contradicts(old_body: str, new: Proposal) -> bool:
    """True when `new` was said with an explicit cue of change and replaces what `old_body` says of the same subject.

    Either the words that it says are no longer so stand in the old one, beside something else in common; or both give
    a different value (port, date, URL, duration, prefix) of the same subject.
    """
    if not new.change_cue and not new.replaces:
        return False
    old, body = plain(old_body), plain(new.body)
    if old == body:
        return False
    old_topic, new_topic = _topic(old), _topic(body)
    shared = old_topic & new_topic
    gone = _topic(new.replaces.lower()) if new.replaces else set()
    old_slots = _slots(old)
    if gone and shared - gone and _names(gone, old_topic, old_slots):
        return True
    differing = [
        kind for kind, values in _slots(body).items() if kind in old_slots and not values & old_slots[kind]
    ]  # fmt: skip
    if not differing or not new.change_cue:
        return False
    enough = (
        bool(shared - _WEAK)
        and len(shared) >= _MIN_SHARED
        and len(shared) >= _MIN_SHARE * min(len(old_topic), len(new_topic))
    )
    return enough and (new.cue != "deadline/date" or "date" in differing)


_MIN_SHARED = 2
_MIN_SHARE = 0.15


_WEAK = frozenset(
    map(
        stem,
        """date port host way name version old number endpoint run use build test listen live start end keep move go change set
        stay time
        day line new every everything lab local project file code 端口 监听 地址 开始 负责 使用 现在""".split(),  # noqa: SIM905
    )
)
"""Words that name a kind of thing, not the thing that is gone."""


def _names(gone: set[str], old_topic: set[str], slots: Mapping[str, set[str]]) -> bool:
    """The words of what is no longer so are about the old statement: one is in it, or a month of one of its dates."""
    telling = gone - _WEAK
    for word in telling:
        if word in old_topic or any(word in url for url in slots.get("url", ())):
            return True
    months = {
        f"-{number:02d}-"
        for number, month in enumerate(_MONTHS, 1)
        if any(month.startswith(w[:3]) and len(w) >= 3 for w in telling)
    }
    return any(month in day for month in months for day in slots.get("date", ()))
