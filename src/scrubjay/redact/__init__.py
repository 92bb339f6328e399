"""Secrets and private passages: where they stand in a text, and the text without them.

`findings` names kinds and places, never values. Everything that scrubjay writes (memory, evidence, ledger, log, index)
goes through here first. Linear in the length of the text; importing this module costs nothing, the rule set is compiled
on first use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

MASK = "█"
"""What `mask` puts in place of each character of a secret."""

_PASSES = 4  # leaving a passage out can bring two halves of a secret together


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One passage that must not be kept: `text[start:end]`."""

    kind: str
    """`aws-access-key`, `password`, `private-key`, … or `private` for a `<private>` passage."""
    start: int
    end: int


def findings(text: str) -> list[Finding]:
    """Every secret and private passage of `text`, in order, without overlaps."""
    from scrubjay.redact.scan import scan

    return [Finding(kind=kind, start=start, end=end) for kind, start, end in scan(text)]


def redact(text: str) -> str:
    """`text` with each secret replaced by `[redacted: <kind>]` and private passages left out. Twice changes nothing."""
    for _ in range(_PASSES):
        clean = _replace(text, lambda finding: "" if finding.kind == "private" else f"[redacted: {finding.kind}]")
        if clean == text:
            break
        text = clean
    return text


def mask(text: str) -> str:
    """`text` at the same length: each character of a secret is `MASK`, of a private passage a space; line ends stay.

    What reads masked text can never repeat a secret, and its character offsets are those of the raw text.
    """
    return _replace(text, lambda finding: _cover(text, finding))


def is_clean(text: str) -> bool:
    """Nothing in `text` needs redacting."""
    return not findings(text)


def _cover(text: str, finding: Finding) -> str:
    cover = " " if finding.kind == "private" else MASK
    return "".join(c if c in "\r\n" else cover for c in text[finding.start : finding.end])


def _replace(text: str, put: Callable[[Finding], str]) -> str:
    parts: list[str] = []
    done = 0
    for finding in findings(text):
        parts += [text[done : finding.start], put(finding)]
        done = finding.end
    return "".join([*parts, text[done:]])
