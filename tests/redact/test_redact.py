"""Secrets are found, whatever their kind and wherever they stand; what only looks like one is kept."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay import redact
from scrubjay.redact import plugins
from tests.redact.parts import BASE62, jwt, pem, secrets, some, word

SECRETS = secrets()

LOOKALIKES = [
    "the last good build was 4be1c0f3a9d27e6b85f1c2d3e4a5b6c7d8e9f012",
    "revert 9b1c2d3 and 4be1c0f",
    "tenant 7c9e6679-7425-40de-944b-e07fc1f90ae7 serves the demos",
    "profile on pod ledger-worker-7d9f8b6c5d-x2lqp",
    "image sha256:3fa9c1d2e4b5a6978812345678901234567890abcdefabcdefabcdefabcdef12",
    'integrity "sha512-oH7kyrkVQs2gxXBkRlYDcDSpp6Wg0bPVWDnrKcGDdVzyVgVrA7xqSRKZ5QzQqYQ0mWqFMcXsZ3mCXjk4gQ4P1A=="',
    "example.com/mod v1.2.3 h1:Ab3dEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh=",
    "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8 is the host key's fingerprint",
    "md5 d41d8cd98f00b204e9800998ecf8427e",
    "password: $DB_PASSWORD",
    "password: ${DB_PASSWORD}",
    'password: "{{ vault.db_password }}"',
    "password: <your-password>",
    "token: <your-token>",
    "password = os.environ['DB_PASSWORD']",
    "password = self.password",
    "password=settings.db.password,",
    "token = get_token(request)",
    "const token = req.headers.authorization;",
    "password: str",
    "def login(user: str, password: str) -> None:",
    "password: required",
    "password is required",
    "the password is stored in the vault",
    "the token is expired, log in again",
    "password must have 12 characters",
    "passwords are hashed with argon2id",
    "password hashing: bcrypt",
    "tokens are signed with HS256",
    "token: 4096",
    "max_tokens=4096",
    "token limit: 200000",
    "secret: billing-db-credentials",
    "secret_name: payments/prod/db",
    "secret: secret/data/billing",
    "the key is `ledger_lines.tenant_id`",
    "primary_key: id",
    "sort key: created_at",
    "api_key: YOUR_API_KEY",
    "api_key=process.env.OPENAI_API_KEY",
    "API_KEY=changeme",
    "export OPENAI_API_KEY=...",
    word("AK", "IA", "IOSFODNN7EXAMPLE") + " is the example key of the docs",
    word("wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY") + " too",
    word("gh", "p_") + "x" * 36,
    word("s", "k-") + "xxxxxxxxxxxxxxxxxxxxxxxx",
    "class sk-button-primary-large-variant-outlined",
    "postgresql://app:$PGPASSWORD@db:5432/app",
    "postgresql://app:<password>@db/app",
    "postgresql://app:password@localhost/app",
    "https://example.net/a:b@c",
    "mail ann.b@example.net or team+ops@example.org",
    "git@github.com:acme/api.git",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIH0v3Qm2QmQmQmQmQmQmQmQmQmQmQmQmQmQmQmQm ann@host",
    "-----BEGIN PUBLIC KEY----- is not private",
    "-----BEGIN CERTIFICATE-----",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "use a bearer token for it",
    "basic authentication is off",
    "X-Acme-Signature stays",
    "idempotency keys live 7 days",
    "the port is 5544 and the batch size 200",
    "AbstractSingletonProxyFactoryBeanDefinitionBuilder2Test",
    "test_learning_again_after_deleting_the_ledger_changes_nothing_3",
    "src/components/AccountSettings/TwoFactorAuthenticationForm2.tsx",
    "https://wiki.example.net/pay/partner-v3?rev=20260901",
    "key: value",
    "python3 scripts/check.py --fast",
    "2026-09-03T10:12:44Z and 1757930400000",
    "密码存在保险库里",
    "密码：$DB_PASSWORD",
    "密码长度至少 12 位",
    "the pwd is /home/dev/acme-api",
    "pwd=$(git rev-parse --show-toplevel)",
    "compass: 12 degrees",
    "AccountKey=<key>",
    "the ap1 and AC2 machines",
    "pin 3.11.4 in the lock file, the pin is 20 mm long",
    "pin: 2026.11",
    "MFA needs AUTHENTICATIONREQUIRED to be set",
    "SHA256 is the password hash",
    "use argon2id as the password hasher",
    "9b1c2d3, the password screen",
    "commit 4be1c0fa is the password fix",
    "cookies are set with path=/billing/v2/account-settings",
    "the passphrase is asked for",
]


@pytest.mark.parametrize("name", sorted(SECRETS))
def test_a_secret_of_this_kind_is_covered_wherever_it_stands(name: str) -> None:
    """Neither the secret nor a half of it is left, the words around it are, and doing it again changes nothing."""
    before, secret, after = SECRETS[name]

    for text in (before + secret + after, f"~~~\n{before}{secret}{after}\n~~~"):
        clean = redact.redact(text)

        half = len(secret) // 2
        assert secret not in clean
        assert secret[:half] not in clean
        assert secret[half:].strip("-") not in clean
        assert clean.startswith(text[: text.index(before.strip() or secret)])
        assert redact.redact(clean) == clean
        assert redact.is_clean(clean)
        assert not redact.is_clean(text)


@pytest.mark.parametrize("text", LOOKALIKES)
def test_what_only_looks_like_a_secret_is_kept(text: str) -> None:
    """A memory without its SHA, pod name, setting or placeholder would be worth nothing."""
    assert redact.findings(text) == []


def test_there_are_enough_lookalikes() -> None:
    """Sixty look-alikes at least stand against the rules."""
    assert len(set(LOOKALIKES)) >= 60


def test_what_one_message_gives_away_is_covered_in_the_others() -> None:
    """An agent repeats a password without the word; lengths stay, and texts without a secret stay as they are."""
    value = word("hun", "ter2", "Zq")
    texts = [
        f"the staging password is {value}",
        f"fine. {value}",
        "<private>Foo Ltd</private> asks",
        "so Foo Ltd it is",
    ]

    masked = redact.mask_all(texts)

    assert not any(value in text or "Foo Ltd" in text for text in masked)
    assert [len(text) for text in masked] == [len(text) for text in texts]
    assert masked[1].startswith("fine. ")
    assert masked[3].endswith(" it is")
    assert redact.mask_all(["use tabs", "ok"]) == ["use tabs", "ok"]


def test_private_passages_go_and_the_rest_stays() -> None:
    """Marked passages are in no output; text before and after is; without an end mark everything after goes."""
    name = "Foo Ltd"
    text = f"fix login <private>client is {name}</private> and the tests. <PRIVATE>\n{name}"

    assert redact.redact(text) == "fix login  and the tests. "
    assert name not in redact.mask(text)
    assert redact.redact("the `<private>` tag hides text") == "the `<private>` tag hides text"


def test_masked_text_keeps_every_offset() -> None:
    """Evidence is addressed by its offset in the raw text, so masking must not move anything."""
    text = f"İ always use tabs. token = '{some(BASE62, 24)}'\n{pem()}\n<private>x\ny</private> never use mocks"

    masked = redact.mask(text)

    assert len(masked) == len(text)
    assert masked.index("never use mocks") == text.index("never use mocks")
    assert masked.count("\n") == text.count("\n")
    assert redact.MASK in masked
    assert redact.is_clean(masked)


def test_findings_say_kind_and_place_and_never_a_value() -> None:
    """A finding can be printed: it holds nothing of the secret, not even a hash."""
    secret = word("gh", "p_", some(BASE62, 36))

    found = redact.findings(f"use {secret}, {jwt()}")

    assert [(row.kind, row.start) for row in found] == [("github-token", 4), ("jwt", 46)]
    assert secret not in repr(found)


def test_every_plugin_of_the_installed_rule_set_is_used_or_named_with_a_reason() -> None:
    """A newer detect-secrets that knows another vendor fails here, so that its plugin is taken in."""
    package = importlib.import_module("detect_secrets.plugins")
    base = importlib.import_module("detect_secrets.plugins.base").BasePlugin
    names = set()
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"detect_secrets.plugins.{info.name}")
        names |= {
            name
            for name, value in vars(module).items()
            if isinstance(value, type) and issubclass(value, base) and value.__module__ == module.__name__
            and not getattr(value, "__abstractmethods__", None)
        }  # fmt: skip
    names -= {"HighEntropyStringsPlugin", "RegexBasedDetector", "BasePlugin"}

    assert names == set(plugins.USED) | set(plugins.NOT_USED)


def test_clean_text_loads_no_rule_set() -> None:
    """The HTTP client that detect-secrets imports costs more than scanning; text without anchors must not pay for it."""
    code = (
        "import sys; from scrubjay import redact; "
        "assert redact.is_clean('local tests run with make check, plain pytest hangs'); "
        "assert 'detect_secrets' not in sys.modules and 'requests' not in sys.modules"
    )

    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "piece",
    ["eyJ", "://a:", "password ", "AKIA", "-----BEGIN RSA PRIVATE KEY-----\n", "token=", "sk-", "a" * 30, "aws ", "/", "-u a:",
     "-----END RSA PRIVATE KEY-----\n", "<private>", "secret key ", "xoxb-1-", "mysql ", "login a "],
)  # fmt: skip
def test_time_grows_with_the_length_only(piece: str) -> None:
    """Text made to trap a pattern (the same beginning again and again): eight times as long costs far less than its square."""
    short, long = piece * (10_000 // len(piece)), piece * (80_000 // len(piece))

    def cost(text: str) -> float:
        start = time.process_time()
        redact.findings(text)
        return time.process_time() - start

    cost(short)
    assert cost(long) < 8 * max(min(cost(short) for _ in range(3)), 0.004) * 4


@settings(max_examples=150, deadline=None)
@given(st.text(), st.sampled_from(sorted(SECRETS)), st.text())
def test_no_surroundings_hide_a_secret_with_a_shape_of_its_own(before: str, name: str, after: str) -> None:
    """Whatever stands around it: masking keeps the length, redaction is stable, a vendor's token never survives."""
    left, secret, right = SECRETS[name]
    text = f"{before} {left}{secret}{right} {after}"

    assert len(redact.mask(text)) == len(text)
    clean = redact.redact(text)
    assert redact.redact(clean) == clean
    if name in ("github token", "jwt", "aws access key", "anthropic key"):
        assert secret not in clean


@settings(max_examples=150, deadline=None)
@given(st.text())
def test_any_text_is_scanned_without_an_error_and_places_are_in_order(text: str) -> None:
    """Findings lie inside the text, in order, without overlap."""
    found = redact.findings(text)

    ends = [0, *(place for row in found for place in (row.start, row.end)), len(text)]
    assert ends == sorted(ends)
