"""Secrets as people mention them: a PIN, a passphrase of words, a TOTP seed, cookies, a value before its cue word.

Each is found by a cheap search for its cue; patterns are bounded and run on the stretch beside it only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.redact import lookalikes

_IS = r"\s{0,2}(?:is|was|lautet|ist|=|:|：|是)\s{0,3}"
_OF = r"(?:\s(?:of|for|to|on)\s(?:the\s|our\s|my\s)?[\w.-]{1,30}){0,2}"

_PIN = re.compile(
    rf"\b(?:pin(?:[- ]?code)?|(?:alarm|door|gate|entry|unlock|security|recovery|backup)[- ]code){_OF}{_IS}"
    r"(?P<value>[0-9]{4,8})(?![0-9]|[.,][0-9])",
    re.IGNORECASE,
)
_PHRASE = re.compile(rf"passphrase{_OF}{_IS}[\"'`“„](?P<value>[^\"'`”“\r\n]{{6,200}})[\"'`”“]", re.IGNORECASE)
_SEED = re.compile(
    r"(?i:totp|otp|2fa|mfa|authenticator)[^\n]{0,60}?[\s:=\"'`](?P<value>[A-Z2-7]{16,64})(?![A-Za-z0-9=_-])"
)

_AFTER_CUE: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("pin", "pin", _PIN),
    *(("pin", f"{what}{gap}code", _PIN) for gap in " -"
      for what in ("alarm", "door", "gate", "entry", "unlock", "security", "recovery", "backup")),
    ("password", "passphrase", _PHRASE),
    *(("totp-seed", cue, _SEED) for cue in ("totp", "otp", "2fa", "mfa", "authenticator")),
)  # fmt: skip

_BEFORE = re.compile(
    r"(?:^|[\s\"'`(/=])(?P<value>[^\s\"'`,;()/]{6,80})[\"'`]?(?:,\s{1,2}|\s{1,2}(?:is|was|as)\s{1,2}|\s{1,2}\()"
    r"(?:the\s|our\s|my\s|its\s|a\s)?(?:[\w-]{1,20}\s){0,2}$"
)
_ENDS = re.compile(r"s?\s*(?:[.,;:!?)\n]|$|(?:for|of|to|on|in|there|here|and)\b)")
_BACK = 130  # a value of 80 characters, its comma, an article and two words
_DIGEST = re.compile(r"[0-9a-f]{7,64}|[0-9a-f-]{36}")

_COOKIE = re.compile(r"(?<![A-Za-z0-9])[\w.-]{1,60}=(?P<value>[A-Za-z0-9%+/_.~-]{16,2000}={0,2})")
_COOKIE_REACH = 4_000  # what browsers allow for one cookie
_DOTTED = re.compile(r"(?<![\w.-])[MNO][\w-]{22,28}\.[\w-]{6}\.(?P<last>[\w-]{27,40})(?![\w.-])", re.ASCII)


def spoken(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """`(kind, start, end)`. `low` is `text` in lower case, at the same length."""
    for kind, cue, pattern in _AFTER_CUE:
        for at in _places(low, cue):
            match = pattern.match(text, at)
            if match and _counts(kind, match["value"]):
                yield kind, match.start("value"), match.end("value")
    for cue in ("password", "passwort", "passphrase"):
        for at in _places(low, cue):
            yield from _before(text, at, at + len(cue))
    yield from _cookies(text, low)
    for match in _DOTTED.finditer(text):
        if lookalikes.is_random(match["last"], shortest=27):
            yield "discord-token", match.start(), match.end()


def _places(low: str, cue: str) -> Iterator[int]:
    at = low.find(cue)
    while at >= 0:
        if at == 0 or not low[at - 1].isalnum():
            yield at
        at = low.find(cue, at + len(cue))


def _counts(kind: str, value: str) -> bool:
    if lookalikes.is_placeholder(value):
        return False
    if kind == "totp-seed":  # without a digit it is a word in capitals
        return any(c.isdigit() for c in value)
    return kind == "pin" or not lookalikes.is_plain(value)


def _before(text: str, at: int, end: int) -> Iterator[tuple[str, int, int]]:
    """`…, the password of staging`; `… is our password`: only what mixes letters with digits or signs."""
    if not _ENDS.match(text, end):
        return
    start = max(0, at - _BACK)
    match = _BEFORE.search(text[start:at])
    if match is None:
        return
    value = match["value"]
    mixed = lookalikes.has_letters_and_digits(value) or any(c in "!$#%&*+?@^~" for c in value)
    plain = lookalikes.is_plain(value) or lookalikes.is_code(value) or lookalikes.is_path_or_url(value)
    if mixed and not plain and not lookalikes.is_placeholder(value) and not _DIGEST.fullmatch(value):
        yield "password", start + match.start("value"), start + match.end("value")


def _cookies(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    done = 0
    for at in _places(low, "cookie"):
        line = text.find("\n", at, at + _COOKIE_REACH)
        stop = line if line >= 0 else min(len(text), at + _COOKIE_REACH)
        for match in _COOKIE.finditer(text, max(at, done), stop):
            if lookalikes.is_random(match["value"], shortest=16):
                yield "cookie", match.start("value"), match.end("value")
        done = max(done, stop)
