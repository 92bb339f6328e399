# ruff: noqa: A005 - always imported as `tests.secrets`
"""Secrets for tests, built from parts at run time, so that no file of the repository holds anything that looks like one.

A fixture holds placeholders such as `{{secret:aws-access-key:1}}`; `fill` puts the (made-up) values in. The values are
format-true and were never valid anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re

_PLACEHOLDER = re.compile(r"\{\{secret:([a-z0-9-]+:\d+)\}\}")


def _fake(times: int) -> str:
    return ("FAKE" + "fake" + "0123456789") * times


def _jwt() -> str:
    head = {"alg": "HS256", "typ": "JWT"}
    claims = {"sub": "fake-merchant-0001", "iss": "sandbox.example.net", "scope": "pay:read", "exp": 1790000000}
    parts = [json.dumps(part, separators=(",", ":")).encode() for part in (head, claims)]
    encoded = [base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, ("FAKE" + "fake") * 5 + "FAKE"])


def _key_line(number: int, length: int) -> str:
    """A line of a private key's body: as many Base64 digits, always the same."""
    digest = b"".join(hashlib.sha256(f"fake key, line {number}, {part}".encode()).digest() for part in range(2))
    return base64.b64encode(digest).decode()[:length]


_PASSWORD = "-".join(("fAke", "Pw", "9x", "NotReal"))
_GITHUB = "gh" + "p_" + _fake(2)

VALUES: dict[str, str] = {
    "db-url:1": "postgresql" + "://ledger_app" + ":" + _PASSWORD,
    "db-password:1": _PASSWORD,
    "clone-url:1": "https" + "://x-access-token" + ":" + _GITHUB,
    "github-token:1": _GITHUB,
    "aws-access-key:1": "AKIA" + "Q3" + "FAKE" * 2 + "7TESTX",
    "aws-secret-key:1": "fake" + "FAKE" + "fake" + "0123456789" + "fake" + "FAKE" + "/ake01+345",
    "jwt:1": _jwt(),
    "jwt-claims:1": _jwt().split(".")[1],
    "api-key:1": "sk-" + "proj-" + _fake(3) + "_fake",
    "private-key-begin:1": "-----BEGIN " + "RSA PRIVATE" + " KEY-----",
    "private-key-end:1": "-----END " + "RSA PRIVATE" + " KEY-----",
    **{f"private-key-line:{number}": _key_line(number, 64 if number < 7 else 17) for number in range(1, 8)},
}


def fill(text: str) -> str:
    """`text` with every placeholder replaced by its value. `KeyError` names an unknown one."""
    return _PLACEHOLDER.sub(lambda match: VALUES[match[1]], text)


def blank(text: str) -> str:
    """The reverse of `fill`: longest values first, so that a URL is replaced as a whole."""
    for name, value in sorted(VALUES.items(), key=lambda item: -len(item[1])):
        text = text.replace(value, f"{{{{secret:{name}}}}}")
    return text
