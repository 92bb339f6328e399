"""All rules over one text: overlaps are joined, the rule that knows most about a passage names its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubjay.redact.context import in_context
from scrubjay.redact.own import own_findings
from scrubjay.redact.plugins import plugin_findings
from scrubjay.redact.spoken import spoken
from scrubjay.redact.tokens import private_keys, random_text, shaped

_OPEN = re.compile(r"<private>(?!`)", re.IGNORECASE)
_CLOSE = re.compile(r"</private>", re.IGNORECASE)


def scan(text: str, *, own: bool = True) -> list[tuple[str, int, int]]:
    """`(kind, start, end)` in order, without overlaps. Linear: each rule looks at a bounded stretch after an anchor.

    `own`: the person's patterns too, for which it raises `BadInput` when one is not fit for use.
    """
    if not text:
        return []
    low = text.lower()
    if len(low) != len(text):  # a few letters grow in lower case (İ); offsets must not move
        low = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
    found: list[tuple[str, int, int]] = [
        *_private(text, low),
        *private_keys(text),
        *shaped(text),
        *plugin_findings(text, low),
        *in_context(text, low),
        *spoken(text, low),
        *random_text(text),
        *(own_findings(text) if own else ()),
    ]
    return _joined(found)


def _private(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """What the person marked as not to be remembered; without an end mark, everything after the first."""
    if "<private>" not in low:
        return
    at = 0
    while match := _OPEN.search(text, at):
        close = _CLOSE.search(text, match.end())
        at = close.end() if close else len(text)
        yield "private", match.start(), at


def _joined(found: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """Overlapping passages become one, named by the earlier rule; a private passage swallows what it holds."""
    ranked = sorted(enumerate(found), key=lambda row: row[1][1])
    joined: list[tuple[int, str, int, int]] = []
    for rank, (kind, start, end) in ranked:
        if joined and start < joined[-1][3]:
            last_rank, last_kind, last_start, last_end = joined[-1]
            best = last_kind if last_rank <= rank else kind
            joined[-1] = (min(rank, last_rank), best, last_start, max(end, last_end))
        elif end > start:
            joined.append((rank, kind, start, end))
    return [(kind, start, end) for _rank, kind, start, end in joined]
