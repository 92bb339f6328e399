# ruff: noqa: E501 - word lists and patterns read better in few lines
"""Are two statements about the same thing, and does the newer one say that the older is no longer so?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise

from scrubjay.learn.rules.bilingual import english_of
from scrubjay.learn.rules.language import Language, languages
from scrubjay.learn.rules.text import evened, plain
from scrubjay.learn.rules.topic_words import CUES as _CUES
from scrubjay.learn.rules.topic_words import WEAK as _WEAK
from scrubjay.learn.rules.values import MONTHS, SUBJECT_KINDS, Value, values
from scrubjay.learn.rules.words import content
from scrubjay.operations import Proposal

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


# --- a statement taken apart --------------------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True, slots=True)
class _Part:
    """A clause with the values it gives, and the words of what it gives them of."""

    low: str
    han: bool
    values: tuple[Value, ...]
    words: frozenset[str]
    subject: frozenset[str]
    """What stands before the verb; all words where nothing does ("use pnpm")."""
    headed: bool
    """A subject stands before the verb."""
    english: tuple[tuple[str, ...], ...] = ()
    """Of a Chinese clause: the English words for each of its known words."""
    places: frozenset[str] = frozenset()
    """Environments and platforms ("staging", "iOS"): a value holds in them only."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Said:
    parts: tuple[_Part, ...]
    words: frozenset[str]
    low: str
    gone: tuple[str, ...]
    """Words of what it says is over."""


_CLAUSE = re.compile(
    r"[。；;！!，,\n]|(?<=[a-z\d)`])[.:](?=\s|$)|：|\s[-–—]\s|——|\b(?:and|but|so|because|cos|cuz|bc|since|while|as|则|因为|所以)\b\s"
)
_NO_SUBJECT = re.compile(r"\b(?:we|you|i|us|please|let's|it|they|this|that|there)\b|我们|咱们|你|我|它|他们|请|这")
_PLACES = re.compile(
    r"\b(?:staging|production|prod|local(?:ly)?|dev|lab|field|ci|sandbox|preview|qa|uat|eu|us|asia|apac|emea|ios|android|web|mobile|desktop|tablet|linux|macos|mac|windows|arm|x86|frontend|backend|client|server-side"
    r"|chrome|firefox|safari|demo|internal|external|europe|america|north|south|east|west|first|second|primary|secondary|readers?|writers?|upstream|downstream|inbound|outbound|incoming|outgoing|public|private|paid|free|old|legacy)\b"
    r"|测试环境|生产|线上|预发|正式|本地|开发环境|内网|外网|安卓|苹果|网页|移动|桌面|前端|后端|海外|国内|华东|华北|华南|国际|主库|从库|上行|下行|早班|晚班|新人|老用户"
)
_SAME_PLACE = {"prod": "production", "dev": "local", "开发环境": "local", "locally": "local", "线上": "production", "生产": "production", "正式": "production", "测试环境": "staging", "预发": "staging", "本地": "local", "安卓": "android", "苹果": "ios", "前端": "frontend", "后端": "backend", "网页": "web", "mac": "macos"}  # fmt: skip


@lru_cache(maxsize=8192)
def _take_apart(body: str) -> _Said:
    text = evened(_WHY.sub("", body))
    low = text.lower() if len(text.lower()) == len(text) else plain(text)
    parts: list[_Part] = []
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(low) if low.count("`", 0, match.start()) % 2 == 0), len(low)]
    before: _Part | None = None
    for start, end in pairwise(cuts):
        part = _part(text[start:end], low[start:end])
        if before is not None and not part.words - _WEAK and part.values:
            part = _Part(
                low=part.low, han=part.han or before.han, values=part.values, words=part.words | before.words, subject=before.subject, headed=before.headed,
                english=before.english + part.english, places=part.places | before.places,
            )  # fmt: skip
        if part.words:
            parts.append(part)
            before = part
    return _Said(parts=tuple(parts), words=frozenset().union(*(one.words for one in parts)), low=low, gone=_gone(low))


def _part(text: str, low: str) -> _Part:
    language = _language(low)
    found = values(text)
    verb = language.subject_end.search(low)
    if language.code == "zh":
        verb = min(filter(None, (verb, _HAN_VERB.search(low))), key=lambda one: one.start(), default=None)
    until = verb.start() if verb and not _NO_SUBJECT.search(low[: verb.start()]) else 0
    blank, mine = low, []
    for value in found:
        if value.kind in SUBJECT_KINDS and value.end <= until and language.code == "en":
            continue  # "Postgres listens on 5432" is about Postgres
        blank = blank[: value.start] + " " * (value.end - value.start) + blank[value.end :]
        if value.kind != "scope":
            mine.append(value)
    places = {_SAME_PLACE.get(one, one) for one in _PLACES.findall(blank)}
    head = low[: verb.start() if verb else _HEAD_CHARS]
    numbered = list(_NUMBERED.finditer(head))
    places |= {f"{one.group('what')} {one.group('n')}" for one in numbered}
    mine = [value for value in mine if not any(one.start("n") == value.start for one in numbered)]
    scopes = {value.value for value in found if value.kind == "scope"}
    words = _telling(blank)
    subject = _telling(blank[:until])
    return _Part(
        low=low, han=language.code == "zh", values=tuple(mine), words=frozenset(words | scopes),
        subject=frozenset(subject if subject - _WEAK else words) | scopes, headed=bool(subject - _WEAK),
        english=tuple(english_of(blank)) if language.code == "zh" else (), places=frozenset(places),
    )  # fmt: skip


_HEAD_CHARS = 30
_NUMBERED = re.compile(
    r"\b(?P<what>(?!port\b|version\b|than\b|the\b|of\b|at\b|to\b|on\b|in\b)[a-z]{3,})\s#?(?P<n>\d{1,3})(?![\w.:%-])(?!\s(?:days?|weeks?|months?|hours?|minutes?|seconds?|ms)\b)"
)
"""Things that are told apart by their number: "service 0", "rig 2"."""


def _telling(low: str) -> set[str]:
    return {word for word in _topic(low) - _CUES if not (_HAN.match(word) and _CHANGING.search(word))}


_CHANGING = re.compile(r"[改换归由了]|[走切挪升降缩延停调搬迁用写放在跑叫为是到成]$")
_HAN_VERB = re.compile(
    r"保存|存放|缩短|延长|推迟|提前|升到|升级|降到|切到|切换|挪到|停了|停用|停写|调到|调整|改|换|搬|迁|作废|取消|截止|到期|对接|指向|每[天周月日小\d]|固定|顺延|延到|延期|移到|移交|交给|转给"
)


# --- what is over -------------------------------------------------------------------------------------------------------
_OVER = (
    re.compile(r"\b(?:no\s+longer|not\s+any\s?more)\s+(?:in|on|at|with|use|using|via|by|the)?\s*(?P<old>[\w./:@#`-]+(?:\s+[\w./:@#`-]+){0,3})"),
    re.compile(r"\b(?:instead\s+of|rather\s+than|replac(?:es|ing|ed)|in\s+place\s+of|supersed(?:es|ing)|used\s+to\s+be|(?:moved?|switch(?:ed|ing)?|migrat(?:ed|ing)|chang(?:ed|ing)|went|renamed|bumped|raised|lowered|away)\s+(?:away\s+)?from|(?<=,\s)not|formerly|previously)\s+(?!just\b|only\b|yet\b)(?P<old>[\w./:@#`-]+(?:\s+(?!to\b|with\b|by\b)[\w./:@#`-]+){0,3})"),
    re.compile(r"(?:^|[,.;:]\s*(?:and\s+|so\s+)?)(?:the\s+|our\s+|that\s+)?(?P<old>[\w./:@#`-]+(?:\s+[\w./:@#`-]+){0,5}?)\s+(?:is|are|was|were|has\s+been|have\s+been|is\s+being|are\s+being|got|gets|will\s+be|goes?|went)\s+(?:now\s+|all\s+|officially\s+)?(?:gone|dead|closed|off(?:\s+the\s+table|line)?|shut\s+down|turned\s+off|switched\s+off|retired|deprecated|decommissioned|obsolete|outdated|out\s+of\s+date|history|void|cancell?ed|dropped|scrapped|abandoned|removed|deleted|over|replaced|renamed|superseded|away|no\s+more|archived|dissolved|called\s+off|abolished|lifted)\b(?!\s+(?:of|when|if|until|for|in|after|before)\b)"),
    re.compile(r"\b(?:no\s+more|out\s+of)\s+(?:the\s+)?(?P<old>[\w./:@#`-]+(?:\s+(?!and\b|into\b|to\b)[\w./:@#`-]+)?)"),
    re.compile(r"\b(?:don'?t|do\s+not|we\s+don'?t)\s+(?:use|need|do|have|support)\s+(?P<old>[\w./:@#`-]+(?:\s+[\w./:@#`-]+){0,2})\s+any\s?more\b"),
    re.compile(r"\b(?:we(?:'ve|\s+have)?\s+)?(?:dropped|abandoned|scrapped|retired|ditched|killed|cancell?ed|got\s+rid\s+of|stopped\s+(?:using|doing)|called\s+off)\s+(?:the\s+|our\s+)?(?P<old>[\w./:@#`-]+(?:\s+(?!for\b|in\b|and\b|after\b)[\w./:@#`-]+){0,4})"),
    re.compile(r"(?:^|[,.;]\s*)(?P<old>[a-z][\w.-]+(?:\s[a-z][\w-]+)?)\s+(?:left|leaves|has\s+left|quit|retired|graduated|resigned|moved\s+on|changed\s+teams)\b"),
    re.compile(r"(?:不再(?:用|使用|走|放在|跑在|支持|归|由)?|不是|不用|别再用|别用|弃用|放弃|取代了?|替代了?|代替了?|替换掉?|取消了?|停用了?|下线了?|废弃了?|撤掉了?|砍掉了?)\s?(?P<old>[^，,。；;了是\s]{2,24}(?:\s[a-z0-9][\w.-]*)?)"),
    re.compile(r"从\s?(?P<old>[^，,。；;起开\s]{1,24}(?:\s[a-z0-9][\w.-]*)?)\s?(?:改|换|迁|搬|升|降|移|调|切|挪|提|推迟|延)"),
    re.compile(r"(?:^|[，,。；;]\s?)(?P<old>[^，,。；;]{2,24}?)\s?(?:已经?|都|就|全部|被)?(?:作废|废弃|废了|取消|下线|停用|关了|关停|关闭|关掉|停了|停写|停服|停掉|离职|毕业|不用了|没了|过时|不算数|停掉|砍了|砍掉|撤了|撤掉|解散|停办|不开了|不做了|不搞了|调走|转岗|走了)"),
    re.compile(r"(?:原来的|之前的|以前的|旧的|老的|原先的)\s?(?P<old>[^，,。；;]{2,20})"),
)  # fmt: skip
_CHANGED = re.compile(
    r"\b(?:no\s+longer|any\s?more|now|instead|moved?|moves|switch(?:ed|es|ing)?|migrated|replac(?:ed|es)|renamed|changed|as\s+of|from\s+now\s+on|used\s+to|formerly|off\s+the\s+table|postponed|delayed|pushed|slipped|brought\s+forward|extended|closed|deprecated|retired|shut\s+down|took\s+over|takes\s+over|left|new|update|correction|bumped|raised|lowered|back\s+to|dropped|cancell?ed|went\s+(?:up|down|to|from|back|over)|reassigned|rescheduled|relocated|superseded|effective|starting|after\s+all|upgraded|downgraded|shortened|lengthened|cut|doubled|halved|reduced|increased|transferred|handed\s+over|became|becomes|turned\s+into|swapped|stopped|gone|dead|from\s+(?:today|tomorrow|monday|tuesday|wednesday|thursday|friday|next|this)|(?:more|extra|another\s+\w+)\s+(?:days?|weeks?|months?)|extension|converted|no\s+more|by\s+now|this\s+(?:year|season|quarter))\b"
    r"|现在|现已|如今|改|换|不再|缩短|缩到|切换|切去|升为|升级|降|提高|扩到|加到|减到|翻倍|变成|变为|停了|停写|停掉|移交|移去|转由|统一成|从今|往后|下周起|本周起|这周起|月起|号起|搬|迁|移到|替|取代|推迟|延期|延后|延到|延长|提前|顺延|作废|废|取消|停用|下线|关停|关掉|今天起|即日起|接手|离职|新的?(?:端口|地址|域名|负责人|日期|前缀|名字)|原来|之前的|旧的|升到|升级|降到|提到|调到|调整|回到|恢复|为准|挪|切到|转给|交给|以后"
)


def _gone(low: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match.group("old").strip(" ,.`") for pattern in _OVER for match in pattern.finditer(low)))  # fmt: skip


# --- the question -------------------------------------------------------------------------------------------------------
def contradicts(old_body: str, new: Proposal) -> bool:
    """True when `new` was said with an explicit cue of change and replaces what `old_body` says of the same subject.

    Either what it says is over stands in the old one, beside something else in common; or both give a different value
    (port, date, URL, duration, owner, tool) of the same subject; or it moves a date by just the time between the two.
    Works across English and Chinese.
    """
    said = _take_apart(new.body)
    if not (new.change_cue or new.replaces or said.gone or _CHANGED.search(said.low)):
        return False
    gone = tuple(dict.fromkeys((*((plain(new.replaces),) if new.replaces else ()), *said.gone)))
    changing = new.change_cue or bool(_CHANGED.search(said.low))
    gives = changing and any(two.values or _TURNED.search(two.low) for two in said.parts)
    if not (gone or gives or _SHIFT.search(said.low)):
        return False  # whatever the old one says: a store of thousands need not be taken apart for it
    old = _take_apart(old_body)
    if old.low == said.low:
        return False
    if any(_is_over(phrase, old, said) for phrase in gone) or _moved_by(old, said):
        return True
    over = {value.value for phrase in gone for value in values(phrase)}
    return changing and any(
        (_another_value(one, two, over, dates_only=new.cue == "deadline/date") and _one_subject(one, two, old, said))
        or _turned(one, two)
        for one in old.parts
        for two in said.parts
    )


_WHEN = frozenset({"date", "weekday", "time", "span", "cadence"})
_SHARED_KINDS = frozenset(
    {"port", "date", "weekday", "time", "span", "cadence", "size", "rate", "percent", "length", "money", "volt"}
)
"""Kinds whose values many things have: what is over is known by its subject."""
_VAGUE = frozenset({"number", "count", "version"})


def _another_value(one: _Part, two: _Part, over: set[str], *, dates_only: bool) -> bool:
    mine, theirs = _by_kind(one.values), _by_kind(two.values)
    for kind in mine.keys() & theirs.keys():
        if dates_only and kind not in _WHEN and kind != "url":
            continue
        if not mine[kind] & theirs[kind] or (mine[kind] & theirs[kind] & over and theirs[kind] - mine[kind]):
            return True
    return bool({"command", "tests", "runner", "packages"} & mine.keys() and mine.keys() & {"command"} and
                theirs.keys() & {"command", "runner", "tests"} and not {v.value for v in one.values} & {v.value for v in two.values})  # fmt: skip


_TURNED = re.compile(r"改(?:成|为|用|叫|走|由|到)|换(?:成|用|到)|\b(?:changed|switched|renamed|turned)\s+(?:in)?to\b")


def _turned(one: _Part, two: _Part) -> bool:
    """The new clause says of exactly the same subject that it was changed to something."""
    subject = one.subject - _WEAK
    same = one.subject == two.subject and one.headed and two.headed and len(one.subject) >= _MIN_SHARED
    return same and bool(subject) and bool(_TURNED.search(two.low)) and two.words - one.words != two.words and not two.places - one.places  # fmt: skip


def _by_kind(found: Iterable[Value]) -> dict[str, set[str]]:
    kinds: dict[str, set[str]] = {}
    for value in found:
        kinds.setdefault(value.kind, set()).add(value.value)
    return kinds


def _one_subject(one: _Part, two: _Part, old: _Said, new: _Said) -> bool:
    """The two clauses speak of one thing: they share a telling word, and not both name something of their own."""
    if two.places - one.places and (one.places or two.places - _places(old)):
        return False
    if one.han != two.han:
        return _one_subject_across(one, two)
    named = {v.value for v in one.values if v.kind in SUBJECT_KINDS or _LINE.fullmatch(v.value)}
    named &= {v.value for v in two.values}
    shared = (one.words & two.words) | named
    mine = {word for word in one.subject - _WEAK if not _covered(word, new)}
    theirs = {word for word in two.subject - _WEAK if not _covered(word, old)}
    if (mine or _loose(one, new)) and (theirs or _loose(two, old)) and (mine or theirs):
        return False
    if shared - _WEAK:
        return len(shared) >= _MIN_SHARED or not mine or not theirs
    return len(shared) >= 1 and not mine and not theirs and bool(shared)


_MIN_SHARED = 2
_LINE = re.compile(r"v\d{1,2}")
"""A generation of an interface ("/v3"): what a statement is about more often than what it gives."""


def _loose(part: _Part, other: _Said) -> bool:
    """Its subject has a word that the other statement lacks, be it a common one ("the release channel")."""
    return part.headed and any(not _covered(word, other) for word in part.subject)


def _places(said: _Said) -> frozenset[str]:
    return frozenset().union(*(part.places for part in said.parts))


def _covered(word: str, other: _Said) -> bool:
    if word in other.words or word in other.low:
        return True
    # Pairs of characters across a word's border are no words: both stand in the other text, apart.
    return len(word) == 2 and bool(_HAN.match(word)) and all(letter in other.low for letter in word)


def _one_subject_across(one: _Part, two: _Part) -> bool:
    """One of the two clauses is Chinese: its known words are compared in English, and its names as they stand."""
    han, latin = (one, two) if one.han else (two, one)
    named = {word for word in han.words if not _HAN.match(word)}
    hit = [group for group in han.english if latin.words & set(group)]
    known = {word for group in han.english for word in group} | named
    shared = ({word for group in hit for word in group} & latin.words) | (named & latin.words)
    left = latin.subject - _WEAK - known
    others = [group for group in han.english if group not in hit and not set(group) <= _WEAK]
    if not shared - _WEAK or (left and others):
        return False
    return len(shared) >= _MIN_SHARED or not left


_SHIFT = re.compile(
    r"(?:postponed|delayed|pushed(?:\s+back|\s+out)?|slipped|moved|extended|later)\s+(?:by\s+)?(?P<n>an?|one|two|three|four|\d+)\s(?P<unit>day|week)s?|\b(?P<n2>an?|one|two|three|four|\d+)\s(?P<unit2>day|week)s?\s+later"
    r"|(?:推迟|延后|延期|顺延|延长|往后推|晚)了?\s?(?P<n3>[一二两三四五\d]+)\s?个?(?P<unit3>天|周|星期|礼拜)|(?:提前|早)了?\s?(?P<n4>[一二两三四五\d]+)\s?个?(?P<unit4>天|周|星期|礼拜)"
)
_SMALL = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
}
_ISO = re.compile(r"\b(\d{4}-\d\d-\d\d)\b")


def _moved_by(old: _Said, new: _Said) -> bool:
    """It moves a date by a time, and the old one gives the day before the move."""
    found = _SHIFT.search(new.low)
    if not found:
        return False
    groups = {name.rstrip("234"): value for name, value in found.groupdict().items() if value}
    count = int(groups["n"]) if groups["n"].isdigit() else _SMALL.get(groups["n"], 0)
    days = count * (1 if groups["unit"] in ("day", "天") else 7) * (-1 if found.group("n4") else 1)
    was: set[str] = set()
    for text in _ISO.findall(new.low):
        try:
            was.add((date.fromisoformat(text) - timedelta(days=days)).isoformat())
        except (ValueError, OverflowError):
            continue
    if not days or not was & set(_ISO.findall(old.low)):
        return False
    return any(one.han != two.han or _one_subject(one, two, old, new) for one in old.parts for two in new.parts)


def _is_over(phrase: str, old: _Said, new: _Said) -> bool:
    """`phrase` is said to be over: it names a value of the old statement, or its subject."""
    words = _telling(phrase) - _WEAK
    rest = {word for word in words if not _covered(word, old)}
    elsewhere = (new.words - _telling(phrase)) & old.words - _WEAK
    by_kind = _by_kind(value for part in old.parts for value in part.values)
    named = [v for v in values(phrase) if v.value in by_kind.get(v.kind, ()) and v.kind not in _VAGUE]
    inside = [
        word for word in words for kind in ("url", "ticket", "path", "owner", "command", "name")
        if any(word in re.split(r"[\W_]+", value) or value.startswith(word) for value in by_kind.get(kind, ()))
    ]  # fmt: skip
    if named and not inside and all(value.kind in _SHARED_KINDS for value in named):
        return any(_one_subject(one, two, old, new) for one in old.parts for two in new.parts)
    if named or inside:
        return not (rest - set(inside)) or bool(elsewhere and not _strangers(new, old))
    if _month_of(phrase, old):
        return bool(elsewhere)
    if not words or rest:
        return False
    return bool(elsewhere) or any(
        len(words & part.subject) >= min(2, len(part.subject - _WEAK) or 1) for part in old.parts
    )


def _strangers(new: _Said, old: _Said) -> bool:
    """Every clause of each names something that the other does not."""
    mine = [part for part in old.parts if not {w for w in part.subject - _WEAK if not _covered(w, new)}]
    theirs = [part for part in new.parts if not {w for w in part.subject - _WEAK if not _covered(w, old)}]
    return not mine and not theirs


def _month_of(phrase: str, old: _Said) -> bool:
    months = {
        f"-{number:02d}-" for number, month in enumerate(MONTHS, 1)
        if any(len(word) >= 3 and month.startswith(word) for word in re.findall(r"[a-z]+", phrase))
    } | {f"-{int(number):02d}-" for number in re.findall(r"(\d{1,2})\s?月", phrase)}  # fmt: skip
    days = [value.value for part in old.parts for value in part.values if value.kind == "date"]
    return any(day.startswith(month) for month in months for day in days)
