"""What looks like a secret and is none: placeholders, code, identifiers, hashes, plain words.

A memory without its git SHA, pod name or setting is useless, so each rule asks here before it covers a value.
"""

from __future__ import annotations

import re
from itertools import pairwise

_PLACEHOLDER = re.compile(
    r"""
      [$%<{\[(*•█#@~]                         # $DB_PASSWORD, ${X}, {{ x }}, <your-token>, %s, ****, [redacted: …]
    | (?:\.{3}|…|-+$|_+$)
    """,
    re.VERBOSE,
)
"""At the beginning of a value."""
_FILLED_IN = re.compile(r"[xX*•.█]{6,}|\$\{|\{\{|\#\{|%\(")
"""sk-xxxxxxxx, or a template inside the value."""
_STANDING_IN = (
    "example", "placeholder", "redacted", "changeme", "change-me", "change_me", "replaceme", "replace-me", "replace_me",
    "insert-", "insert_", "your", "todo", "fixme",
)  # fmt: skip
_LETTER, _DIGIT = re.compile("[A-Za-z]"), re.compile("[0-9]")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_CODE = re.compile(
    r"""
      [A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*(?:[(\[].*)?  # name, self.password, os.environ["X"], f(x)
    | [A-Z][A-Z0-9_]*                                              # DB_PASSWORD
    """,
    re.VERBOSE,
)
_PATH = re.compile(r"(?:[.~]{0,2}/|[A-Za-z]:\\|[\w.-]+/)[\w./\\{}$*@:-]*")
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,20}://\S*", re.IGNORECASE)
_WORD_PARTS = re.compile(r"(?:[A-Za-z]+|[0-9]{1,4}|v[0-9]+)(?:[-_.](?:[A-Za-z]+|[0-9]{1,4}|v[0-9]+))*")
_NUMBER_UNIT = re.compile(r"[0-9][0-9.,_]*(?:ms|s|m|h|d|min|k|kb|mb|gb|px|%|x|st|nd|rd|th)?", re.IGNORECASE)

_WORDS = frozenset((
    "required", "optional", "string", "str", "text", "int", "bool", "boolean", "true", "false", "none", "null",
    "nil", "undefined", "yes", "no", "empty", "missing", "invalid", "incorrect", "wrong", "expired", "hidden",
    "unknown", "default", "random", "unset", "set", "disabled", "enabled", "prompt", "input", "secret", "password",
    "token", "reset", "login", "logout", "changed", "stored", "encrypted", "hashed", "protected", "rotated",
    "revoked", "needed", "correct", "valid", "available", "authentication", "authorization", "manager",
    "management", "vault", "keychain", "keyring", "environment", "variable", "variables", "file", "number",
    "object", "array", "any", "optional[str]", "env", "stdin", "bearer", "basic", "oauth", "jwt", "ssh", "gpg",
))  # fmt: skip
_TECHNICAL = re.compile(
    r"(?i)(?:hmac|aes|rsa|ec|ed|x|sha|md|base|oauth|argon|pbkdf|bcrypt|scrypt|utf|http|ipv|s|k|ec|route|log|pg|py|python)"
    r"[-_]?(?:sha[-_]?)?[0-9]{1,5}(?:[-_]?(?:id|bit|cbc|gcm|ctr))?s?"
)


def is_placeholder(value: str) -> bool:
    """The value stands for a secret (`<your-token>`, `$DB_PASSWORD`, `AKIA…EXAMPLE`), or is already covered."""
    if _PLACEHOLDER.match(value) or _FILLED_IN.search(value):
        return True
    low = value.lower()
    return any(word in low for word in _STANDING_IN) or len(set(value)) <= 2


def is_stock_password(value: str) -> bool:
    """What every example uses in a URL: `user:password@`."""
    return value.lower() in ("password", "passwd", "pass", "pw", "pwd", "secret", "token") or value.isdigit()


def is_uuid(value: str) -> bool:
    return _UUID.fullmatch(value) is not None


def is_code(value: str) -> bool:
    """An expression, a name, a type: `self.password`, `os.environ["X"]`, `get_token()`, `DB_PASSWORD`."""
    match = _CODE.fullmatch(value)
    if match is None:
        return False
    name = re.split(r"[(\[]", value, maxsplit=1)[0]
    if name != value or "." in value or "::" in value or "->" in value:
        return not _random_run(name)
    return not any(c.isdigit() for c in value) or _TECHNICAL.fullmatch(value) is not None


def is_path_or_url(value: str) -> bool:
    """A place: `secret/data/app`, `/run/secrets/db`, `https://…` (what a URL itself hides has rules of its own)."""
    if _URL.match(value):
        return True
    return _PATH.fullmatch(value) is not None and not any(_random_run(part) for part in value.split("/"))


def is_plain(value: str) -> bool:
    """A word, a number with its unit, a date, a hyphenated name, the name of an algorithm."""
    low = value.lower()
    return bool(
        low in _WORDS or _NUMBER_UNIT.fullmatch(value) or _WORD_PARTS.fullmatch(value) or _TECHNICAL.fullmatch(value)
    )


def has_letters_and_digits(value: str) -> bool:
    if value.isascii():  # one character after the other takes long where there are many candidates
        return bool(_LETTER.search(value) and _DIGIT.search(value))
    return any(c.isalpha() for c in value) and any(c.isdigit() for c in value)


def is_random(value: str, *, shortest: int) -> bool:
    """Letters (both cases or hex-like) and digits mixed as no person writes them, `shortest` characters at least."""
    return len(value) >= shortest and has_letters_and_digits(value) and _random_run(value)


def _random_run(value: str) -> bool:
    """Does some part between separators change its character class as often as random text does?

    In random base-62 text 62 % of the neighbours differ in class, in camelCase names 20 to 30 %, in hex about 47 %.
    """
    for part in re.split(r"[^A-Za-z0-9]+", value):
        if len(part) < 8 or not has_letters_and_digits(part):
            continue
        classes = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in part]
        changes = sum(a != b for a, b in pairwise(classes))
        if changes / (len(part) - 1) >= 0.3:
            return True
    return False
