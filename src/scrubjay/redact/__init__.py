"""Secrets and private passages: where they stand in a text, and the text without them.

`findings` names kinds and places, never values. Everything that scrubjay writes (memory, evidence, ledger, log, index)
goes through here first. Linear in the length of the text; importing this module costs nothing, the rule set is compiled
on first use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

MASK = "█"
"""What `mask` puts in place of each character of a secret."""

_TAG = re.compile(r"</?private>", re.IGNORECASE)
_SHORTEST_ECHO = 6  # shorter ones are words and numbers of other things too
_MOST_ECHOES = 500  # different secrets of one session that are looked for in its other messages
_PASSES = 4  # leaving a passage out can bring two halves of a secret together


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One passage that must not be kept: `text[start:end]`."""

    kind: str
    """`aws-access-key`, `password`, `private-key`, … or `private` for a `<private>` passage."""
    start: int
    end: int


def findings(text: str, *, own: bool = True) -> list[Finding]:
    """Every secret and private passage of `text`, in order, without overlaps.

    What the person's own patterns (`redact.patterns`) match is among them; raises `BadInput` when one of those is broken or
    dangerous, so that nothing is written without them. `own=False` goes without: for the text of that error itself.
    """
    from scrubjay.redact.scan import scan

    return [Finding(kind=kind, start=start, end=end) for kind, start, end in scan(text, own=own)]


def redact(text: str, *, own: bool = True) -> str:
    """`text` with each secret replaced by `[redacted: <kind>]` and private passages left out. Twice changes nothing."""
    for _ in range(_PASSES):
        clean = _replace(text, lambda finding: "" if finding.kind == "private" else f"[redacted: {finding.kind}]", own)
        if clean == text:
            break
        text = clean
    return text


def mask(text: str) -> str:
    """`text` at the same length: each character of a secret is `MASK`, of a private passage a space; line ends stay.

    What reads masked text can never repeat a secret, and its character offsets are those of the raw text.
    """
    return _replace(text, lambda finding: _cover(text, finding))


def mask_all(texts: Sequence[str]) -> list[str]:
    """`mask` of each, and what one of them gives away as secret is covered in all of them.

    For the messages of one session: "the password is …" is recognised, the bare value in the answer would not be.
    """
    secret: dict[str, None] = {}
    for text in texts:
        for finding in findings(text):
            value = text[finding.start : finding.end]
            if finding.kind == "private":
                value = _TAG.sub("", value).strip()
            if len(value) >= _SHORTEST_ECHO and len(secret) < _MOST_ECHOES:
                secret[value] = None
    if not secret:
        return list(texts)
    longest_first = re.compile("|".join(map(re.escape, sorted(secret, key=len, reverse=True))))
    return [mask(longest_first.sub(lambda match: _covered(match[0], MASK), text)) for text in texts]


def is_clean(text: str) -> bool:
    """Nothing in `text` needs redacting."""
    return not findings(text)


def _cover(text: str, finding: Finding) -> str:
    cover = " " if finding.kind == "private" else MASK
    return _covered(text[finding.start : finding.end], cover)


def _covered(value: str, cover: str) -> str:
    return "".join(c if c in "\r\n" else cover for c in value)


def _replace(text: str, put: Callable[[Finding], str], own: bool = True) -> str:
    parts: list[str] = []
    done = 0
    for finding in findings(text, own=own):
        parts += [text[done : finding.start], put(finding)]
        done = finding.end
    return "".join([*parts, text[done:]])
