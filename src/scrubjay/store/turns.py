"""Redacted user turns, kept for later learners because agents delete their transcripts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scrubjay.home import Home
from scrubjay.session import Origin


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptTurn:
    """One line of `turns/<yyyy-mm>.jsonl`. `text` is redacted by the caller."""

    key: str
    agent: str
    session: str
    origin: Origin
    at: str
    project: str
    cwd: str
    text: str
    before: str = ""
    """The end of what the assistant said before, redacted."""


def kept(home: Home) -> Iterator[KeptTurn]:
    """Every kept turn, oldest month first, each message key once."""
    raise NotImplementedError


def size(home: Home) -> int:
    """Bytes of all kept turns."""
    raise NotImplementedError
