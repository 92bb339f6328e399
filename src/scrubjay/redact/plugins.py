"""The maintained rule set: detect-secrets' patterns, found by anchors of ours and run on the text around them.

Only the patterns of its plugins are used: its settings are process-wide state, its verification calls the network and its
results hold a hash of the secret. The package (and the HTTP client that it imports) is loaded only when an anchor occurs.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from functools import cache

from scrubjay.redact.lookalikes import has_letters_and_digits, is_placeholder, is_stock_password

USED: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "ArtifactoryDetector": ("artifactory", "artifactory-key", ("akc", "ap")),
    "AWSKeyDetector": ("aws", "aws-access-key", ("akia", "asia", "abia", "acca", "a3t", "aws")),
    "AzureStorageKeyDetector": ("azure_storage_key", "azure-key", ("accountkey=",)),
    "BasicAuthDetector": ("basic_auth", "url-password", ("://",)),
    "CloudantDetector": ("cloudant", "cloudant-key", ("cloudant",)),
    "GitHubTokenDetector": ("github_token", "github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_")),
    "GitLabTokenDetector": ("gitlab_token", "gitlab-token", ("glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "gr1348941",
                            "glcbt-", "glimt-", "glptt-", "glagent-", "gloas-")),
    "IbmCloudIamDetector": ("ibm_cloud_iam", "ibm-key", ("ibm", "cloud_iam", "cloud-iam")),
    "IbmCosHmacDetector": ("ibm_cos_hmac", "ibm-key", ("secret",)),
    "MailchimpDetector": ("mailchimp", "mailchimp-key", ("-us",)),
    "NpmDetector": ("npm", "npm-token", ("_authtoken",)),
    "OpenAIDetector": ("openai", "api-key", ("t3blbkfj",)),
    "PypiTokenDetector": ("pypi_token", "pypi-token", ("pypi-",)),
    "SendGridDetector": ("sendgrid", "sendgrid-key", ("sg.",)),
    "SlackDetector": ("slack", "slack-token", ("xox", "hooks.slack.com")),
    "SoftlayerDetector": ("softlayer", "softlayer-key", ("softlayer",)),
    "SquareOAuthDetector": ("square_oauth", "square-key", ("sq0csp-",)),
    "StripeDetector": ("stripe", "stripe-key", ("k_live_",)),
    "TelegramBotTokenDetector": ("telegram_token", "telegram-token", (":aa",)),
    "TwilioKeyDetector": ("twilio", "twilio-key", ("ac", "sk")),
    "DiscordBotTokenDetector": ("discord", "discord-token", ("discord",)),
}  # fmt: skip
"""Plugin class → module, our kind, anchors in lower case: text that stands in (or just before) everything it can find."""

NOT_USED: dict[str, str] = {
    "IPPublicDetector": "an address is not a secret",
    "KeywordDetector": "our context rules judge the value too",
    "Base64HighEntropyString": "our own net: entropy alone takes every hash and identifier",
    "HexHighEntropyString": "git SHAs, digests and ids are kept",
    "JwtTokenDetector": "our own pattern covers all three parts",
    "PrivateKeyDetector": "our own covers the key, not just its first line",
}

_BACK, _REACH = 80, 420  # the longest pattern that is used spans 400 characters, the widest reaches 60 back
_WINDOW = 4 * _REACH
_STRICT = frozenset({"twilio-key", "artifactory-key", "ibm-key", "mailchimp-key"})
"""Kinds whose patterns also fit ordinary words."""


def plugin_findings(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """`(kind, start, end)` of what detect-secrets' patterns find around their anchors."""
    for name, (_module, kind, anchors) in USED.items():
        for anchor in anchors:
            at = low.find(anchor)
            while at >= 0:
                done = at + len(anchor)
                if _worth_loading(kind, text, at, len(anchor)):
                    # What starts in the window but for its last stretch is found: anchors there need no second look.
                    yield from _around(name, kind, text, at)
                    done = max(done, at + _WINDOW - _REACH)
                at = low.find(anchor, done)


def _worth_loading(kind: str, text: str, at: int, length: int) -> bool:
    """Two-letter anchors are everywhere: the key must go on right there, in the case that the pattern wants."""
    if kind == "twilio-key":
        follows = text[at + length : at + length + 32]
        return (
            text[at : at + length].isupper()
            and len(follows) == 32
            and follows.isalnum()
            and has_letters_and_digits(follows)
        )
    if kind == "artifactory-key":
        follows = text[at + length : at + length + 9]
        return text[at : at + length].isupper() and follows.isalnum() and has_letters_and_digits(follows)
    return True


def _around(name: str, kind: str, text: str, at: int) -> Iterator[tuple[str, int, int]]:
    for pattern in _patterns(name):
        for match in pattern.finditer(text, max(0, at - _BACK), min(len(text), at + _WINDOW)):
            group = next((i for i in range(1, pattern.groups + 1) if match[i] and len(match[i]) > 5), 0)
            value = match[group]
            if is_placeholder(value) or (kind in _STRICT and not _is_mixed(value)):
                continue
            if kind == "url-password" and is_stock_password(value):
                continue
            yield kind, match.start(group), match.end(group)


def _is_mixed(value: str) -> bool:
    return sum(c.isdigit() for c in value) >= 3 and any(c.isalpha() for c in value)


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    module = importlib.import_module(f"detect_secrets.plugins.{USED[name][0]}")
    return tuple(getattr(module, name)().denylist)
