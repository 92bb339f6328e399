"""What the calls of a `Store` give back: frozen, and none of it refers to an open file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from scrubjay.inject.recall import Recall, Rejected
from scrubjay.inject.resident import Resident
from scrubjay.ledger import Resident as Given
from scrubjay.operations import Evidence, MemoryType, Scope, Status, Trust
from scrubjay.search.query import Row
from scrubjay.search.spoken import spoken
from scrubjay.store.library import Stored
from scrubjay.why import Proof as Found


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """One memory as its file stands now."""

    id: str
    """`m-` and ten characters; permanent."""
    name: str
    """At most 80 characters, one line."""
    description: str
    """When to open it: at most 150 characters, one line."""
    text: str
    """Markdown, at most 4,000 characters."""
    type: MemoryType
    """`user`, `feedback`, `project` or `reference`."""
    status: Status
    """`active`, `pending` (waits for a person's yes, never injected), `dormant`, `superseded` or `archived`."""
    reason: str
    """Why it is not active: `<word>: <text>`, the words of docs/refusals.md; "" when it is."""
    scope: Scope
    """`user` (every project), `project` or `team`."""
    project: str
    """Key of its project; "" for the user's own."""
    trust: Trust
    """Whose word it is, never above what its store allows: `user` > `confirmed` > `team` > `agent` > …"""
    by: str
    """`user`, `agent`, `learned` or `imported:<agent>`."""
    observed: str
    """Day when it was said, `2026-09-03`, or `undated`."""
    created: str
    """UTC, `2026-09-03T10:12:44Z`; "" unknown. `updated` likewise."""
    updated: str
    paths: tuple[str, ...]
    """Globs below the repository's top where it applies; empty: everywhere."""
    aliases: tuple[str, ...]
    pinned: bool
    file: str
    """Absolute path."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A memory that recall brought back."""

    id: str
    name: str
    description: str
    text: str
    """All of it; the block may hold only the passage that answers."""
    type: MemoryType
    scope: Scope
    trust: Trust
    score: float
    """Higher is better; comparable within one call only. 0 for a rule, which is not searched for."""
    matched: tuple[str, ...]
    """Words of the prompt that it was found by."""
    file: str


@dataclass(frozen=True, kw_only=True, slots=True)
class PassedOver:
    """A memory that was close and did not come, and the one filter that stopped it (docs/how-recall-decides.md)."""

    id: str
    name: str
    filter: str
    detail: str
    score: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Recalled:
    """What one prompt brings back. False when that is nothing; `str()` is the block."""

    block: str
    """To be put at the end of the context, as it stands; "" often."""
    memories: tuple[Hit, ...]
    """At most `recall.max_memories`, best first."""
    rules: tuple[Hit, ...]
    """Standing rules that came up since the session began; only when a session was named."""
    left_out: tuple[PassedOver, ...]
    """Good enough, but there was no room."""
    rejected: tuple[PassedOver, ...]
    """The best of those that were turned down, at most ten; only with `explain`."""
    reason: str
    """Why nothing was looked up at all: `machine-made…`, `long-paste`, `disabled`, `paused`, `no-words`, …; else ""."""

    def __bool__(self) -> bool:
        return bool(self.block)

    def __str__(self) -> str:
        return self.block


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """What a session starts with: the standing rules, then one line a memory. False when empty; `str()` is the block."""

    block: str
    """At most `resident.max_chars` characters; the same memories give the same bytes."""
    ids: tuple[str, ...]
    """Memories that the block shows."""
    rules: tuple[str, ...]
    """Ids of every standing rule in force here, shown or not."""
    left_out: Mapping[str, int]
    """Reason → count. Empty for a block that a session was given before."""

    def __bool__(self) -> bool:
        return bool(self.block)

    def __str__(self) -> str:
        return self.block


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One entry of the history."""

    at: str
    """UTC, `2026-09-03T10:12:44Z`."""
    subject: str
    sha: str
    """For `Store.undo`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Proof:
    """Whose words a memory rests on, and what became of it."""

    memory: Memory
    evidence: tuple[Evidence, ...]
    """Oldest first: who said it, when, in which session, the words (redacted, at most 1 KB)."""
    gone: frozenset[str]
    """Those of the evidence's `file`s that are no more; a session handed over as messages never was one."""
    replaces: tuple[str, ...]
    """Ids of what it superseded."""
    replaced_by: str
    changes: tuple[Change, ...]
    """The newest ten changes to its file, newest first."""


NOTHING = Context(block="", ids=(), rules=(), left_out={})


def memory(stored: Stored) -> Memory:
    """The view of one file."""
    one = stored.memory
    return Memory(
        id=one.id,
        name=one.name,
        description=one.description,
        text=one.body,
        type=one.type,
        status=one.status,
        reason=one.reason,
        scope=stored.store.scope,
        project=stored.store.project,
        trust=stored.effective_trust,
        by=one.by,
        observed=one.observed,
        created=one.created,
        updated=one.updated,
        paths=one.paths,
        aliases=one.aliases,
        pinned=one.pinned,
        file=stored.path,
    )


def recalled(found: Recall, prompt: str) -> Recalled:
    """The answer of recall."""
    return Recalled(
        block=found.block,
        memories=tuple(_hit(row, prompt) for row in found.memories),
        rules=tuple(_hit(row, prompt) for row in found.rules),
        left_out=tuple(map(_passed_over, found.left_out)),
        rejected=tuple(map(_passed_over, found.rejected)),
        reason=found.reason,
    )


def nothing(reason: str) -> Recalled:
    """No look-up was made."""
    return Recalled(block="", memories=(), rules=(), left_out=(), rejected=(), reason=reason)


def context(block: Resident) -> Context:
    """A block that was built now."""
    left_out = {reason: count for reason, count in block.left_out.items() if count}
    return Context(block=block.text, ids=tuple(block.ids), rules=tuple(block.rule_ids), left_out=left_out)


def given(block: Given) -> Context:
    """A block that a session has already."""
    return Context(block=block.text, ids=tuple(block.memory_ids), rules=tuple(block.rule_ids), left_out={})


def proof(found: Found) -> Proof:
    """The proof of one memory."""
    return Proof(
        memory=memory(found.stored),
        evidence=found.evidence,
        gone=frozenset(one for one in found.gone if os.path.isabs(one)),
        replaces=tuple(key for key, _name in found.replaces),
        replaced_by=found.replaced_by,
        changes=tuple(Change(at=one.at, subject=one.subject, sha=one.sha) for one in found.changes),
    )


def _hit(row: Row, prompt: str) -> Hit:
    return Hit(
        id=row.id,
        name=row.name,
        description=row.description,
        text=row.body,
        type=row.type,  # type: ignore[arg-type]  # the index holds what the file was checked for
        scope=row.scope,  # type: ignore[arg-type]
        trust=row.trust,  # type: ignore[arg-type]
        score=row.score,
        matched=tuple(spoken(prompt, row.matched)),
        file=row.path,
    )


def _passed_over(one: Rejected) -> PassedOver:
    return PassedOver(id=one.id, name=one.name, filter=one.filter, detail=one.detail, score=one.score)
