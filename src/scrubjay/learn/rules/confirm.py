""" "Yes, exactly like that, keep doing that": the assistant's own words become the note, the person's make it count."""

from __future__ import annotations

import re

from scrubjay.learn.rules.compose import anchors
from scrubjay.learn.rules.judge import HIDDEN
from scrubjay.learn.rules.language import Language
from scrubjay.learn.rules.naming import describe, name_for
from scrubjay.learn.rules.text import Clause, plain, sentences
from scrubjay.learn.turns import Turn
from scrubjay.operations import Proposal, Quote
from scrubjay.redact import MASK, mask

_BARE_CHARS = 24
"""A longer yes says something of its own, which the other rules read when the assistant had said nothing."""
_HEAD_CHARS = 240
_MAX_QUOTED_CHARS = 220
_MIN_WORDS = 4


def confirmation(turn: Turn, clauses: tuple[Clause, ...]) -> tuple[Proposal | None, int]:
    """The note that the start of a message makes of the assistant's last words, and where that start ends (0: no such start).

    A bare "yes" is no standing wish and gives nothing.
    """
    if not clauses:
        return None, 0
    first = clauses[0]
    language = first.language
    head = turn.user.text[: first.start + _HEAD_CHARS]
    low = plain(head)
    if not language.agree.match(low.lstrip(" ,.!")):
        return None, 0
    for clause in clauses[:3]:
        if clause.asked or clause.sentence - first.sentence > 1:
            break
        # the opener ("yes, ") belongs to the clause here
        whole = plain(head[: clause.end] if clause is first else head[clause.start : clause.end])
        if language.agree_standing.search(whole):
            words = " ".join(turn.user.text[_start(head) : clause.end].split())
            note = _note(turn, language, _start(head), clause.end, words)
            return note, clause.end if note or len(words) <= _BARE_CHARS else 0
    return None, 0


def _start(head: str) -> int:
    return len(head) - len(head.lstrip())


def _note(turn: Turn, language: Language, start: int, end: int, yes: str) -> Proposal | None:
    said = _telling(turn.assistant_before, language)
    if not said:
        return None
    quoted = " ".join(text for _, text in said)
    name = name_for(quoted, language)
    return Proposal(
        name=name,
        description=describe("confirmation", quoted, name, language),
        type="feedback",
        body=language.confirmed.format(quoted, yes),
        scope="user" if language.user_scope.search(plain(yes)) else "project",
        quotes=(
            Quote(message=turn.user.key, start=start, text=turn.user.text[start:end]),
            *(Quote(message=turn.assistant_before_key, start=at, text=turn.assistant_before[at : at + length])
              for at, length in ((at, len(text)) for at, text in said) if turn.assistant_before_key),
        ),
        trust="confirmed",
        cue="confirmation/keep",
        anchors=anchors(quoted),
        observed=turn.user.at[:10],
    )  # fmt: skip


_NEXT = re.compile(
    r"(?:i'?d\b|i\s+(?:would|could|can|will)\b|i'?ll\b|shall\b|should\b|next\b|接下来|要不要|我可以|下一步)"
)
"""What it offers, not what it did."""


def _telling(text: str, language: Language) -> list[tuple[int, str]]:
    """The one or two sentences of the assistant that say how it went about the work, with their places."""
    masked = mask(text[-4_000:])
    offset = len(text) - len(masked)
    candidates: list[tuple[int, int, str]] = []
    for start, end in sentences(masked):
        piece = masked[start:end]
        low = plain(piece)
        if MASK in piece or HIDDEN.search(piece) or "```" in piece or len(piece) > _MAX_QUOTED_CHARS:
            continue
        if len(low.split()) < _MIN_WORDS and len(low) < 12:
            continue
        telling = len(set(language.process.findall(low)))
        if low.endswith(("?", "？")) or _NEXT.match(low):
            telling -= 1
        if telling > 0:
            candidates.append((telling, offset + start, piece))
    if not candidates:
        return []
    best = sorted(candidates, key=lambda one: (-one[0], one[1]))[:2]
    if len(best) == 2 and (best[1][0] * 2 < best[0][0] or len(best[0][2]) + len(best[1][2]) > _MAX_QUOTED_CHARS):
        best = best[:1]
    return [(at, re.sub(r"\s+$", "", piece)) for _, at, piece in sorted(best, key=lambda one: one[1])]
