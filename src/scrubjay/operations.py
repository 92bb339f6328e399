"""The one schema for changing memories. Rules, models, agents and people propose; `learn/gate.py` decides; `store/` writes.

Evidence ids follow from the message and the place of the clause in it, so that a copy of the message in a fork, or a
better reader, gives the same evidence; a learnt memory's id follows from its first evidence.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

from scrubjay.session import Origin

Kind = Literal["create", "update", "merge", "supersede", "archive", "noop"]
MemoryType = Literal["user", "feedback", "project", "reference"]
Scope = Literal["user", "project", "team"]
Trust = Literal["user", "confirmed", "team", "agent", "assistant", "tool", "external"]
Status = Literal["active", "pending", "dormant", "superseded", "archived"]

TRUST_ORDER: tuple[Trust, ...] = ("user", "confirmed", "team", "agent", "assistant", "tool", "external")
"""Highest first (design, section 2)."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u


def lower_trust(a: Trust, b: Trust) -> Trust:
    """The weaker of the two."""
    return max(a, b, key=TRUST_ORDER.index)


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """A redacted quote with its pointer: one line of `evidence/<yyyy-mm>.jsonl`."""

    id: str
    agent: str
    session: str
    message: str
    """Message key."""
    role: str
    origin: Origin
    at: str
    project: str
    """Project key, or "" outside every project."""
    quote: str
    """Redacted, at most `MAX_QUOTE_BYTES` of UTF-8."""
    file: str
    """The source file, absolute, as it was read."""
    offset: int
    """Byte offset of the record in `file`."""


MAX_QUOTE_BYTES = 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Quote:
    """A clause of a message: `text` stands in the message's raw text from character `start` on."""

    message: str
    start: int
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """What a rule (or a model) would have remembered. Nothing is written before the gate said yes."""

    name: str
    """A noun phrase, at most 80 characters."""
    description: str
    """When to open this, at most 150 characters."""
    type: MemoryType
    body: str
    scope: Scope
    quotes: tuple[Quote, ...]
    """The first is the one that says it (its place gives the memory's id); the others support it (a confirmation)."""
    trust: Trust
    cue: str
    """The rule that fired, such as `command/works` (shown by `jay why` and `scan`)."""
    pending: str = ""
    """Why it must wait for review; "" may be active."""
    why: str = ""
    how: str = ""
    paths: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    anchors: tuple[tuple[str, str], ...] = ()
    """`(kind, value)`; kinds: file symbol command package commit url."""
    observed: str = ""
    """Date, `2026-09-03`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rejection:
    """A clause that a gate of the rules turned down: shown by `scan` and `learn`, counted in the ledger, kept nowhere."""

    gate: str
    """`question hypothetical temporary one-off quoted pasted secret injection revoked known …`: a row of docs/refusals.md."""
    message: str
    start: int
    text: str


def evidence_id(message: str, start: int) -> str:
    """`e-` and 16 hex digits, from the message key and the start of the clause in the raw message (design, section 4)."""
    return "e-" + hashlib.sha256(f"{message}\x1f{start}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def learnt_id(first_evidence: str) -> str:
    """`m-` and 10 characters: learning the same evidence again makes the same memory."""
    return _short_id(hashlib.sha256(first_evidence.encode()).digest())


def new_id(entropy: bytes) -> str:
    """`m-` and 10 characters from at least 16 random bytes, for memories that a person or an agent writes."""
    return _short_id(hashlib.sha256(entropy).digest())


def _short_id(digest: bytes) -> str:
    number = int.from_bytes(digest[:8], "big")
    return "m-" + "".join(_ALPHABET[number >> shift & 31] for shift in range(0, 50, 5))
