"""A person's own secret patterns (`redact.patterns`): regular expressions, checked before the first use.

They run on the person's machine over every text, so one that can take very long is refused like one that does not compile.
"""

from __future__ import annotations

import importlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from scrubjay import home, settings
from scrubjay.errors import BadInput

KEY = "redact.patterns"
KIND = "own-pattern"
MAX_PATTERNS = 50
MAX_PATTERN_CHARS = 500
MAX_OPEN_REPEATS = 4
"""Of repeats without a narrow limit (`+`, `*`, `{3,}`, `{20,40}`): each can multiply the time by the length of a line."""
NARROW = 4
MAX_CHOICES = 8
"""Of choices (`|`) and repeats with a narrow limit (`?`, `{2,4}`): each can multiply the time by a few."""
WINDOW = 2_000
"""A pattern sees so many characters of a line at once, and the next ones from `OVERLAP` before the end of the last."""
OVERLAP = 200
MAX_PROBE_S = 0.05
"""Processor time that a window of the worst text we know may take; the usual pattern needs a thousandth of it."""

_PARSER: Any = importlib.import_module(
    "re._parser"
)  # what `re.compile` uses; there is no public way to see the structure
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_LEFT_OUT = re.compile(r"\[redacted: [a-z-]+\]")
_LINE = re.compile(r"[^\r\n]+")


def own_findings(text: str) -> Iterator[tuple[str, int, int]]:
    """What the person's patterns match. Raises `BadInput` when one of them is not fit for use."""
    patterns = _current()
    if not patterns:
        return
    gone = [match.span() for match in _LEFT_OUT.finditer(text)]
    for line in _LINE.finditer(text):
        for start in range(line.start(), line.end(), WINDOW - OVERLAP):
            for pattern in patterns:
                for match in pattern.finditer(text, start, min(start + WINDOW, line.end())):
                    if not any(match.start() < end and begin < match.end() for begin, end in gone):
                        yield KIND, *match.span()


def check(patterns: Sequence[str], at: str) -> tuple[re.Pattern[str], ...]:
    """The patterns, compiled. Raises `BadInput` that names the pattern by its number, `at` (the file) and the setting."""
    if len(patterns) > MAX_PATTERNS:
        raise BadInput(f"{KEY} holds more than {MAX_PATTERNS} patterns", at=at)
    return tuple(_checked(number, pattern, at) for number, pattern in enumerate(patterns, start=1))


def _current() -> tuple[re.Pattern[str], ...]:
    config = home.current().config
    given = os.environ.get(settings.BY_KEY[KEY].variable)
    try:
        state = os.stat(config)
        version = (state.st_mtime_ns, state.st_size, state.st_ino)
    except OSError:
        version = (0, 0, 0)
        if given is None:
            return ()
    return _loaded(config, version, given)


@lru_cache(maxsize=4)
def _loaded(config: str, _version: tuple[int, int, int], given: str | None) -> tuple[re.Pattern[str], ...]:
    values = settings.load(config)
    where = config if given is None else f"environment variable {settings.BY_KEY[KEY].variable}"
    return check(values.words(KEY), where)


def _checked(number: int, pattern: str, at: str) -> re.Pattern[str]:
    def refused(why: str) -> BadInput:
        # the pattern itself is not shown: it may be written so closely around a secret that it is one
        return BadInput(f"{KEY}, pattern {number}: {why}", at=at, hint="put it right, or take it out of the list")

    if len(pattern) > MAX_PATTERN_CHARS:
        raise refused(f"longer than {MAX_PATTERN_CHARS} characters")
    try:
        tree, compiled = _PARSER.parse(pattern), re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise refused(f"not a regular expression ({error})") from error
    if compiled.match(""):
        raise refused("it matches the empty text")
    if why := _dangerous(tree):
        raise refused(f"it could take very long: {why}")
    if _slow(compiled, pattern):
        raise refused("it could take very long: it tries too many ways on a long line")
    return compiled


def _dangerous(tree: Iterable[Any]) -> str:
    """Why a pattern can take more than a power of the text's length, "" when it cannot."""
    open_repeats = choices = 0
    waiting = [(node, False) for node in tree]
    while waiting:
        (operator, argument), repeated = waiting.pop()
        name = str(operator)
        if name.startswith("GROUPREF"):
            return "it refers back to a group"
        if name == "BRANCH" and repeated:
            return "a choice (|) inside a repeat"
        choices += name == "BRANCH"
        if name in _REPEATS:
            low, high, inner = argument
            if repeated and low != high:
                return "a repeat inside a repeat"
            open_repeats += int(high) - int(low) > NARROW
            choices += 0 < int(high) - int(low) <= NARROW
            waiting += [(node, repeated or int(high) > 1) for node in inner]
        else:
            waiting += [(node, repeated) for node in _inside(argument)]
    if open_repeats > MAX_OPEN_REPEATS:
        return f"more than {MAX_OPEN_REPEATS} repeats without a limit"
    return f"more than {MAX_CHOICES} choices" if choices > MAX_CHOICES else ""


def _inside(argument: Any) -> Iterator[Any]:
    """The nodes below a node, whatever it is: parts of its argument that are pieces of pattern."""
    if isinstance(argument, _PARSER.SubPattern):
        yield from argument
    elif isinstance(argument, tuple | list):
        for part in argument:
            yield from _inside(part)


def _slow(pattern: re.Pattern[str], source: str) -> bool:
    """Does a line of one character, or of the pattern's own letters, take too long? Lengths double, so that nothing hangs."""
    letters = re.sub(r"\\.|[^\w-]", "", source)[:20]
    probes = {"a", "A", "0", "_", "-", " ", ".", "a0", "a-", "a_0A", letters or "x", letters[:1] or "x"}
    for probe in sorted(probes):
        length = 16
        while length <= WINDOW:
            text = (probe * length)[:length] + "\x00"
            began = time.process_time()
            for _ in pattern.finditer(text):
                pass
            if time.process_time() - began > MAX_PROBE_S:
                return True
            length *= 2
    return False
