"""Secrets that only the words beside them give away: `password: …`, `token = "…"`, URLs, headers, `.netrc`, 密码：…

A keyword is found by a cheap search; what follows it is then read by one bounded pattern and judged by how it is put
(`=`, quotes, `is`, a blank) and whether it looks like a placeholder, code, a path or a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.redact import lookalikes

_KEYWORDS: dict[str, tuple[str, ...]] = {
    "password": (
        "password", "passwd", "passphrase", "passcode", "pwd", "_pass", "-pass", "dbpass", "passwort", "kennwort",
        "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "contraseña", "mot de passe",
    ),
    "secret": ("secret", "密钥", "密鑰", "秘钥", "秘密鍵", "credential", "signing key", "signing_key", "encryption_key",
               "encryption key", "private_key", "privatekey", "sharedaccesskey", "accountkey"),
    "token": ("token", "令牌", "トークン", "authorization", "x-auth"),
    "api-key": ("api_key", "api-key", "apikey", "api key", "access_key", "access-key", "access key", "accesskey", "_key",
                "auth_key", "authkey", "license key"),
}  # fmt: skip

_FOLLOWS = re.compile(
    r"""
    (?P<name>(?:[_-]?(?:key|token|value|hash|base|secret|access[_-]?key)){0,2}s?
      (?:\ (?:for|of|to|on|für|von|zum|zur|pour|para)\ (?:the\ )?[\w.-]{1,30}(?:\ (?:db|user|host))?)?)
    ["'`\])]{0,3}
    (?P<sep>\s{0,4}(?::=|=>|==?|:|：|＝)\s{0,4}|\s{1,2}(?:is|was|lautet|ist)\s{1,2}(?:still\s|now\s)?|\s?(?:是|为|為|は)\s?|\s{1,2})
    (?P<scheme>(?i:bearer|basic|token|digest)\s{1,2})?
    (?:
        (?P<quote>["'`“「『])(?P<quoted>[^"'`”」』\r\n]{1,400})["'`”」』]
      | (?P<bare>[^\s"'`“”「」,;；，。、<>()\]}|&\\][^\s"'`“”「」,;；，。、()<>\]}|&\\]{0,250}
          (?:[,;](?=[^\s])[^\s"'`,;()<>]{1,60})?)
      | (?P<marked>[<{\[$(*])
    )
    """,
    re.VERBOSE,
)
_ENV_NAME = re.compile(r"[A-Z][A-Z0-9_]*$")
_TRAIL = ".,:;!?…。！？"

_USERINFO = re.compile(
    r"[a-zA-Z][a-zA-Z0-9+.-]{1,30}://(?P<user>[^\s/:@?#\"'`<>]{0,100}):(?P<value>[^\s/\"'`<>]{1,200}?|[^\s\"'`<>]{1,200}?)@(?=[\w\[.%$-])"
)
_SCHEME_START = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,30}$")
_URL_TOKEN = re.compile(r"://(?P<value>[A-Za-z0-9_-]{20,200})@(?=[\w.-])")
_BEARER = re.compile(r"(?i:bearer)[ \t]{1,3}[\"']?(?P<value>[A-Za-z0-9._~+/=-]{16,4000})")
_BASIC = re.compile(r"(?i:basic)[ \t]{1,3}(?P<value>[A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])")
_CURL_USER = re.compile(r"(?:-u|--user|--proxy-user)[ =]?[\"']?[^\s:\"'/]{1,80}:(?P<value>[^\s\"']{3,120})")
_FLAG = re.compile(r"(?:mysql|mysqldump|mariadb|sshpass)[^\n|;&]{0,80}?\s-p ?[\"']?(?P<value>[^\s\"'-][^\s\"']{4,80})")
_NETRC = re.compile(r"login[ \t\n]{1,4}\S{1,80}[ \t\n]{1,4}password[ \t\n]{1,4}(?P<value>\S{3,120})")
_SIGNATURE = re.compile(
    r"[?&](?:sig|signature|x-amz-signature|token|access_token|api_key|apikey|key)=(?P<value>[A-Za-z0-9%+/_.~-]{16,400})"
)
_AWS_SECRET = re.compile(r"(?i:aws|secret)[^\n]{0,40}?[=:\"'\s](?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])")

_PLACES: tuple[tuple[str, str, re.Pattern[str], int], ...] = (
    ("url-password", "://", _USERINFO, 31),
    ("url-token", "://", _URL_TOKEN, 0),
    ("bearer-token", "bearer", _BEARER, 0),
    ("basic-auth", "basic", _BASIC, 0),
    ("basic-auth", "-u", _CURL_USER, 0),
    ("basic-auth", "--user", _CURL_USER, 0),
    ("basic-auth", "--proxy-user", _CURL_USER, 0),
    ("password", "mysql", _FLAG, 0),
    ("password", "mariadb", _FLAG, 0),
    ("password", "sshpass", _FLAG, 0),
    ("netrc-password", "login", _NETRC, 0),
    ("url-token", "?", _SIGNATURE, 0),
    ("url-token", "&", _SIGNATURE, 0),
    ("aws-secret-key", "aws", _AWS_SECRET, 0),
    ("aws-secret-key", "secret", _AWS_SECRET, 0),
)


def in_context(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """`(kind, start, end)` of the values that their surroundings call secret. `low` is `text` in lower case."""
    yield from _placed(text, low)
    for kind, words in _KEYWORDS.items():
        for word in words:
            at = low.find(word)
            while at >= 0:
                found = _after(text, at, at + len(word), kind)
                if found:
                    yield kind, *found
                at = low.find(word, at + len(word))


def _after(text: str, start: int, end: int, kind: str) -> tuple[int, int] | None:
    match = _FOLLOWS.match(text, end)
    if match is None or match["marked"]:
        return None
    group = "quoted" if match["quoted"] is not None else "bare"
    value = match[group]
    if group == "bare":
        value = value.rstrip(_TRAIL)
    if not value or lookalikes.is_placeholder(value):
        return None
    name_start = start
    while (
        name_start > 0 and start - name_start < 60 and (text[name_start - 1].isalnum() or text[name_start - 1] in "_-")
    ):
        name_start -= 1
    put = _Put(
        kind=kind,
        sep=match["sep"].strip(),
        tight=not any(c.isspace() for c in match["sep"]),
        quoted=group == "quoted",
        constant=bool(_ENV_NAME.fullmatch(text[name_start:end] + match["name"].rstrip())),
        ends_line=not text[match.end() : match.end() + 3].split("\n")[0].strip(),
    )
    if not put.is_secret(value):
        return None
    return match.start(group), match.start(group) + len(value)


class _Put:
    """How a value is put after its keyword, and so how much it must look like a secret itself."""

    def __init__(self, *, kind: str, sep: str, tight: bool, quoted: bool, constant: bool, ends_line: bool) -> None:
        self.kind, self.sep, self.tight = kind, sep, tight
        self.quoted, self.constant, self.ends_line = quoted, constant, ends_line

    def is_secret(self, value: str) -> bool:
        if lookalikes.is_path_or_url(value) or (
            not self.quoted and lookalikes.is_code(value) and not self._is_env(value)
        ):
            return False
        assigned = bool(self.sep) and self.sep not in ("is", "was", "ist", "lautet", "是", "为", "為", "は")
        if self.kind != "password":
            shortest = 8 if assigned and (self.quoted or self.tight) else 12
            if not self.sep:
                shortest = 20
            return lookalikes.is_random(value, shortest=shortest) or (
                assigned and self.quoted and len(value) >= 16 and lookalikes.has_letters_and_digits(value) and " " not in value
                and not lookalikes.is_plain(value)
            )  # fmt: skip
        return self._is_password(value, assigned)

    def _is_env(self, value: str) -> bool:
        """`DB_PASSWORD=swordfish`: a constant's value without blanks is data, not code."""
        return self.constant and self.tight and value.islower() and "." not in value and len(value) >= 5

    def _is_password(self, value: str, assigned: bool) -> bool:
        if " " in value.strip() and not (self.quoted and assigned):
            return False
        if self.quoted and assigned:
            return len(value) >= 4 and value.lower() not in ("password", "secret") and not _is_prose(value)
        if assigned and self._is_env(value):
            return not lookalikes.is_plain(value) or self.ends_line
        if lookalikes.is_plain(value):
            return assigned and self.kind == "password" and value.isdigit() and len(value) >= 4 and self.tight
        mixed = lookalikes.has_letters_and_digits(value) or any(not (c.isalnum() or c in "-_./'’") for c in value)
        return mixed and len(value) >= (4 if assigned else 6)


def _is_prose(value: str) -> bool:
    return value.count(" ") >= 2 and all(part.isalpha() for part in value.split(" "))


def _placed(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    for kind, anchor, pattern, back in _PLACES:
        at = low.find(anchor)
        while at >= 0:
            start = at
            if back:
                scheme = _SCHEME_START.search(text, max(0, at - back), at)
                start = scheme.start() if scheme else at
            match = pattern.match(text, start)
            if match and _is_placed(kind, match["value"]):
                yield kind, match.start("value"), match.end("value")
            at = low.find(anchor, at + len(anchor))


def _is_placed(kind: str, value: str) -> bool:
    if lookalikes.is_placeholder(value):
        return False
    if kind == "url-password":
        return not lookalikes.is_stock_password(value)
    if kind in ("url-token", "bearer-token"):
        return lookalikes.is_random(value, shortest=16)
    if kind == "basic-auth" and lookalikes.is_plain(value):
        return False
    if kind == "aws-secret-key":
        return lookalikes.is_random(value, shortest=40) and any(c.isupper() for c in value)
    if kind == "password":
        return not lookalikes.is_plain(value)
    return True
