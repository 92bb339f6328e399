"""Secrets that their own shape gives away: vendors' prefixes, JSON web tokens, private keys, and a net for random text.

Each row is `kind, anchors, pattern`: a cheap search finds an anchor, then the pattern must match from there on. Every
quantifier is bounded, so the work per anchor is too. Prefixes are from the vendors' documentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from scrubjay.redact.lookalikes import has_letters_and_digits, is_placeholder, is_uuid

_B = r"(?<![A-Za-z0-9])"  # not in the middle of a word
_E = r"(?![A-Za-z0-9])"


def _row(kind: str, prefixes: str, body: str) -> tuple[str, tuple[str, ...], re.Pattern[str]]:
    """Prefixes separated by blanks; the anchor of each is the prefix itself."""
    anchors = tuple(prefixes.split())
    return kind, anchors, re.compile(rf"{_B}(?:{'|'.join(map(re.escape, anchors))}){body}")


_W = r"[A-Za-z0-9_-]"
TOKENS: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = (
    _row("aws-access-key", "AKIA ASIA ABIA ACCA AGPA AIDA AROA", rf"[A-Z0-9]{{16}}{_E}"),
    _row("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9_]{30,255}"),
    _row("github-token", "github_pat_", r"[A-Za-z0-9_]{22,255}"),
    _row("gitlab-token", "glpat- gldt- glft- glsoat- glrt- glcbt- glimt- glptt- glagent- gloas-", rf"{_W}{{20,255}}"),
    _row("slack-token", "xoxb- xoxp- xoxa- xoxo- xoxs- xoxr- xoxe- xoxe. xapp-", r"[A-Za-z0-9.-]{10,255}"),
    _row("google-key", "AIza", rf"{_W}{{35}}"),
    _row("google-key", "GOCSPX- ya29.", rf"{_W}{{20,400}}"),
    _row("api-key", "sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or- sk-lf- pk-lf-", rf"{_W}{{16,255}}"),
    _row("api-key", "sk- sk_ rk_ ak-", rf"{_W}{{20,255}}"),
    _row("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ whsec_", r"[A-Za-z0-9+/=]{16,255}"),
    _row("npm-token", "npm_", r"[A-Za-z0-9]{36}"),
    _row("pypi-token", "pypi-", rf"{_W}{{50,400}}"),
    _row("sendgrid-key", "SG.", rf"{_W}{{16,32}}\.{_W}{{16,64}}"),
    _row("api-key", "hf_ gsk_ xai- pplx- r8_ csk- fw_ nvapi- tvly- fc-", r"[A-Za-z0-9_-]{30,255}"),
    _row("access-token", "dop_v1_ doo_v1_ dor_v1_ shpat_ shpca_ shppa_ shpss_ dapi", r"[a-f0-9]{32,64}"),
    _row("access-token", "lin_api_ figd_ dckr_pat_ hvs. hvb. sntrys_ sntryu_", rf"{_W}{{24,255}}"),
    _row("access-token", "rubygems_ glsa_ sbp_ nfp_ tskey-", rf"{_W}{{24,255}}"),
    _row("access-token", "ATATT3 PMAK- NRAK- CFPAT- pat-na1- ntn_ dp.pt. dp.st. FlyV1 fo1_ pscale_tkn_", rf"{_W}{{20,255}}"),
    _row("access-key", "LTAI AKID", rf"[A-Za-z0-9]{{16,40}}{_E}"),
    _row("age-key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{50,70}"),
    _row("slack-webhook", "hooks.slack.com/services/", r"[A-Za-z0-9_/]{20,255}"),
    _row("webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", r"[0-9]{5,25}/[A-Za-z0-9_-]{20,120}"),
    _row("telegram-token", "bot", r"[0-9]{8,10}:[A-Za-z0-9_-]{35}"),
    _row("jwt", "eyJ", rf"{_W}{{8,4000}}\.{_W}{{8,8000}}={{0,2}}(?:\.[A-Za-z0-9_-]{{0,4000}})?(?:\.{_W}{{0,8000}}){{0,2}}"),
)  # fmt: skip

_WEAK = frozenset({"sk-", "sk_", "rk_", "ak-", "fc-", "fw_", "hf_", "npm_", "xai-", "csk-", "r8_", "AKID", "LTAI"})
"""Prefixes that also start ordinary names (`sk-button-primary`): the rest must hold letters and digits."""

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_MAX_KEY_CHARS = 20_000  # an RSA key of 16,384 bits has about 12,500 characters
_KEY_LINE = re.compile(
    r"(?:[>#|*+\s\"'-]|\\[nr]|//){0,12}(?:[A-Za-z0-9+/=]{8,200}|[A-Za-z-]{2,20}: [^\r\n]{1,100})?(?:\\[nr]|[\"'+,\s])*"
)

_NET = re.compile(r"(?<![\w/+.:=-])[A-Za-z0-9+/_-]{36,512}={0,2}(?![\w/+.-])")
_PUBLIC = re.compile(r"(?:sha(?:1|256|384|512)|h1|md5|base64|rev|sri)[-:,=\s\"']{0,3}$", re.IGNORECASE)
_PUBLIC_START = re.compile(r"sha(?:1|256|384|512)-|AAAA")


def shaped(text: str) -> Iterator[tuple[str, int, int]]:
    """`(kind, start, end)` of every secret with a shape of its own."""
    for kind, anchors, pattern in TOKENS:
        for anchor in anchors:
            at = text.find(anchor)
            while at >= 0:
                match = pattern.match(text, at)
                if match and _is_token(anchor, match[0]):
                    yield kind, at, match.end()
                at = text.find(anchor, match.end() if match else at + 1)


def private_keys(text: str) -> Iterator[tuple[str, int, int]]:
    """PEM blocks of private keys over their lines, also when the begin or the end was cut off or the lines are quoted."""
    covered = 0
    at = text.find("-----BEGIN ")
    while at >= 0:
        match = _BEGIN.match(text, at)
        if match:
            end = _END.search(text, match.end(), match.end() + _MAX_KEY_CHARS)
            covered = end.end() if end else _key_lines(text, match.end())
            yield "private-key", at, covered
        at = text.find("-----BEGIN ", max(at + 1, covered))
    at = text.find("-----END ")
    while at >= 0:
        match = _END.match(text, at)
        if match and at >= covered:
            yield "private-key", _key_lines_before(text, at), match.end()
        at = text.find("-----END ", at + 1)
    at = text.find("PuTTY-User-Key-File-")
    if at >= 0:
        lines = text.find("Private-Lines:", at)
        if lines >= 0:
            yield "private-key", lines, _key_lines(text, text.find("\n", lines) if "\n" in text[lines:] else len(text))


def random_text(text: str) -> Iterator[tuple[str, int, int]]:
    """The net for vendors nobody listed: long text of both cases and digits, mixed as only a generator does."""
    for match in _NET.finditer(text):
        value = match[0]
        if value.count("/") > 2 or is_placeholder(value) or is_uuid(value) or _PUBLIC_START.match(value):
            continue
        if _PUBLIC.search(text, max(0, match.start() - 12), match.start()):
            continue
        if _is_generated(value):
            yield "high-entropy", match.start(), match.end()


def _is_token(anchor: str, value: str) -> bool:
    rest = value[len(anchor) :]
    if is_placeholder(value) or len(set(rest)) < 5:
        return False
    if anchor in _WEAK:
        return has_letters_and_digits(rest) and any(_is_generated(part, 0.2) for part in re.split("[-_]", rest))
    return True


def _is_generated(value: str, least: float = 0.4) -> bool:
    classes = ["d" if c.isdigit() else "u" if c.isupper() else "l" if c.islower() else "s" for c in value]
    if len(value) < 12 or classes.count("d") < 2 or not any(c in "ul" for c in classes):
        return False
    if least >= 0.4 and (classes.count("u") < 3 or classes.count("l") < 3):
        return False
    return sum(a != b for a, b in pairwise(classes)) / (len(value) - 1) >= least


def _key_lines(text: str, start: int) -> int:
    """Where the lines that can belong to a key end, from `start` on."""
    at = start
    while at < len(text) and at - start < _MAX_KEY_CHARS:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end + 1
        if end - at > 4_000:  # the whole key as one line with "\n" written out
            return min(len(text), start + _MAX_KEY_CHARS)
        line = text[at:end]
        if line.strip() and not _is_key_line(line):
            break
        at = end
    return at


def _key_lines_before(text: str, end: int) -> int:
    at = end
    while at > 0 and end - at < _MAX_KEY_CHARS:
        start = text.rfind("\n", 0, at - 1) + 1
        line = text[start:at]
        if not line.strip() or not _is_key_line(line):
            break
        at = start
    return at


def _is_key_line(line: str) -> bool:
    """A line of base 64 or a header, perhaps quoted; several lines with `\\n` written out count too."""
    pieces = [piece for piece in line.replace("\\r", "").split("\\n") if piece.strip(" \t\r\n\"'>|#+,")]
    return bool(pieces) and all(_KEY_LINE.fullmatch(piece) and " the " not in piece for piece in pieces)
