"""Relative dates made absolute from the day on which they were said.

"next Thursday" said on a Monday means two different days to different people: then both are written down.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from scrubjay.learn.rules.language import Dates


@dataclass(frozen=True, kw_only=True, slots=True)
class Resolved:
    """The words `text[start:end]` mean `days`: one date, or two where people differ (the likelier first)."""

    start: int
    end: int
    days: tuple[date, ...]

    @property
    def label(self) -> str:
        """`2026-09-10`, or `2026-09-17 or 2026-09-10`."""
        return " or ".join(day.isoformat() for day in self.days)


def said_on(stamp: str) -> date | None:
    """The day of a message's time (`2026-09-03T10:12:44Z`), None when unknown."""
    try:
        return date.fromisoformat(stamp[:10])
    except ValueError:
        return None


def resolve(text: str, *, said: date, words: Dates) -> list[Resolved]:
    """The relative dates in `text`, in order, without overlaps. Patterns that stand first in the table win."""
    low = text.lower()
    if len(low) != len(text):
        return []
    found: list[Resolved] = []
    taken: list[tuple[int, int]] = []
    for reading, pattern in words.patterns:
        for match in pattern.finditer(low):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            days = _READINGS[reading](match, said, words)
            if days:
                taken.append(match.span())
                found.append(Resolved(start=match.start(), end=match.end(), days=days))
    return sorted(found, key=lambda one: one.start)


def _group(match: re.Match[str], name: str) -> str:
    groups = match.groupdict()
    return next((value for key, value in groups.items() if key.rstrip("0123456789") == name and value), "")


def _number(word: str, words: Dates) -> int:
    word = " ".join(word.split())
    return int(word) if word.isdigit() else words.numbers.get(word, 0)


def _weekday(match: re.Match[str], words: Dates) -> int:
    return words.weekdays.get(_group(match, "day"), -1)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _in_days(count: int) -> Callable[[re.Match[str], date, Dates], tuple[date, ...]]:
    return lambda _match, said, _words: (said + timedelta(days=count),)


def _ahead(match: re.Match[str], said: date, words: Dates) -> tuple[date, ...]:
    count, unit = _number(_group(match, "n"), words), _group(match, "unit")
    if not count or count > 400:
        return ()
    if unit in ("month", "月", "个月"):
        return (_add_months(said, count),)
    return (said + timedelta(days=count * (7 if unit in ("week", "周", "星期", "礼拜") else 1)),)


def _add_months(day: date, count: int) -> date:
    month = day.month - 1 + count
    year, month = day.year + month // 12, month % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def _of_week(weeks: int) -> Callable[[re.Match[str], date, Dates], tuple[date, ...]]:
    def reading(match: re.Match[str], said: date, words: Dates) -> tuple[date, ...]:
        day = _weekday(match, words)
        return (_monday(said) + timedelta(days=7 * weeks + day),) if day >= 0 else ()

    return reading


def _next_weekday(match: re.Match[str], said: date, words: Dates) -> tuple[date, ...]:
    day = _weekday(match, words)
    if day < 0:
        return ()
    of_next_week = _monday(said) + timedelta(days=7 + day)
    coming = said + timedelta(days=(day - said.weekday() - 1) % 7 + 1)
    return (of_next_week,) if coming == of_next_week else (of_next_week, coming)


def _this_weekday(match: re.Match[str], said: date, words: Dates) -> tuple[date, ...]:
    day = _weekday(match, words)
    return (said + timedelta(days=(day - said.weekday()) % 7),) if day >= 0 else ()


def _month_end(months: int) -> Callable[[re.Match[str], date, Dates], tuple[date, ...]]:
    def reading(_match: re.Match[str], said: date, _words: Dates) -> tuple[date, ...]:
        first = _add_months(said.replace(day=1), months)
        return (first.replace(day=calendar.monthrange(first.year, first.month)[1]),)

    return reading


def _day_month(match: re.Match[str], said: date, words: Dates) -> tuple[date, ...]:
    name = _group(match, "month")
    month = words.months.get(name, int(name) if name.isdigit() else 0)
    return _future(said, month, int(_group(match, "d") or 0))


def _future(said: date, month: int, day: int) -> tuple[date, ...]:
    """The next such day: a date without a year is in the coming twelve months, or a few weeks back."""
    for year in (said.year, said.year + 1):
        try:
            when = date(year, month, day)
        except ValueError:
            return ()
        if when >= said - timedelta(days=45):
            return (when,)
    return ()


def _end_of(match: re.Match[str], said: date, words: Dates) -> tuple[date, ...]:
    month = words.months.get(_group(match, "month"), 0)
    for year in (said.year, said.year + 1):
        if month and (last := date(year, month, calendar.monthrange(year, month)[1])) >= said:
            return (last,)
    return ()


def _day(match: re.Match[str], said: date, _words: Dates) -> tuple[date, ...]:
    day = int(_group(match, "d") or 0)
    for months in (0, 1, 2):
        first = _add_months(said.replace(day=1), months)
        if 1 <= day <= calendar.monthrange(first.year, first.month)[1] and first.replace(day=day) >= said:
            return (first.replace(day=day),)
    return ()


def _next_month_day(match: re.Match[str], said: date, _words: Dates) -> tuple[date, ...]:
    day = int(_group(match, "d") or 0)
    first = _add_months(said.replace(day=1), 1)
    return (first.replace(day=day),) if 1 <= day <= calendar.monthrange(first.year, first.month)[1] else ()


def _next_month(_match: re.Match[str], _said: date, _words: Dates) -> tuple[date, ...]:
    return ()  # no single day is meant; the note is dated, so the reader can tell the month


_READINGS: dict[str, Callable[[re.Match[str], date, Dates], tuple[date, ...]]] = {
    "today": _in_days(0),
    "tomorrow": _in_days(1),
    "after-tomorrow": _in_days(2),
    "in-three-days": _in_days(3),
    "ahead": _ahead,
    "next-weekday": _next_weekday,
    "this-weekday": _this_weekday,
    "weekday-in-week": _of_week(1),
    "weekday-of-this-week": _of_week(0),
    "weekday-after-next": _of_week(2),
    "week-end": lambda _match, said, _words: (_monday(said) + timedelta(days=4),),
    "next-week-end": lambda _match, said, _words: (_monday(said) + timedelta(days=11),),
    "month-end": _month_end(0),
    "next-month-end": _month_end(1),
    "year-end": lambda _match, said, _words: (date(said.year, 12, 31),),
    "end-of": _end_of,
    "day-month": _day_month,
    "day": _day,
    "next-month-day": _next_month_day,
    "next-month": _next_month,
    "next-week": _next_month,
}
