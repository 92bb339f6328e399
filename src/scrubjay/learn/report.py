"""What one run of learning did, for people and as JSON. Holds redacted text only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from scrubjay.operations import MemoryType, Scope


@dataclass(frozen=True, kw_only=True, slots=True)
class Learnt:
    """A memory that this run made, or changed."""

    id: str
    name: str
    type: MemoryType
    scope: Scope
    project: str
    """Project key, or ""."""
    status: str
    reason: str
    """Why it waits, sleeps or was replaced; "" for an active one."""
    quote: str
    """The person's words, redacted."""
    agent: str
    session: str
    at: str
    """When it was said."""
    cue: str
    """The rule that fired."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """A clause that was not kept."""

    rule: str
    """A row of docs/refusals.md."""
    text: str
    """An excerpt, redacted; "" where the rule is about a secret or injected text."""
    agent: str
    session: str
    at: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentCount:
    """What one agent's sessions gave."""

    sessions: int = 0
    messages: int = 0
    created: int = 0
    pending: int = 0
    refused: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class LearnReport:
    """Everything that a run read, kept, refused and passed over."""

    created: tuple[Learnt, ...] = ()
    """New and active."""
    pending: tuple[Learnt, ...] = ()
    """New and waiting for review."""
    superseded: tuple[Learnt, ...] = ()
    archived: tuple[Learnt, ...] = ()
    dormant: tuple[Learnt, ...] = ()
    """Asleep: all that said it lies on branches that the person abandoned."""
    revived: tuple[Learnt, ...] = ()
    """Active again, or active for the first time because it was said once more."""
    refused: tuple[Refusal, ...] = ()
    refused_by_rule: Mapping[str, int] = field(default_factory=dict)
    evidence_added: int = 0
    """Clauses that say once more what a memory holds."""
    sessions: int = 0
    """Session files with something new."""
    messages: int = 0
    """Messages of people (or of programs in their place) read for the first time."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """What was passed over, by reason: sessions (`sub-agent`, `excluded`, `headless`, …) and readers' own counts."""
    problems: tuple[str, ...] = ()
    """Files that could not be read, each with its path and why."""
    by_agent: Mapping[str, AgentCount] = field(default_factory=dict)
    undo: str = ""
    """Id for `jay undo`; "" when nothing was written."""
    dry_run: bool = False

    def as_json(self) -> dict[str, object]:
        """The report as JSON-able values."""
        return asdict(self)
