"""What one import did, for people and as JSON. Holds no refused text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from scrubjay.operations import MemoryType, Scope


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    """A memory that this import made or changed, and the note behind it."""

    id: str
    name: str
    type: MemoryType
    scope: Scope
    project: str
    """Project key, or ""."""
    status: str
    reason: str
    """Why it waits, or went; "" for an active one."""
    agent: str
    file: str
    line: int


@dataclass(frozen=True, kw_only=True, slots=True)
class NotTaken:
    """A note that a rule refused (`rule`: a row of docs/refusals.md), or a file that is broken (`rule` is "")."""

    agent: str
    file: str
    line: int
    """1-based; 0: the file as a whole."""
    rule: str
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportReport:
    """Everything that an import read, kept, refused and passed over."""

    created: tuple[Imported, ...] = ()
    """New and active."""
    pending: tuple[Imported, ...] = ()
    """New and waiting for review."""
    updated: tuple[Imported, ...] = ()
    """Imported before; the agent's file says it in other words now."""
    evidence: tuple[Imported, ...] = ()
    """Known already, learnt or imported from another agent: the note is one more piece of evidence for it."""
    removed: tuple[Imported, ...] = ()
    """Imported before and gone from the agent's memory: archived."""
    unchanged: int = 0
    refused: tuple[NotTaken, ...] = ()
    problems: tuple[NotTaken, ...] = ()
    left_out: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Agent → reason → count of what is no memory, or belongs to no directory that is known."""
    notes: Mapping[str, int] = field(default_factory=dict)
    """Agent → notes that were found."""
    undo: str = ""
    """Id for `jay undo`; "" when nothing was written."""
    dry_run: bool = False

    def new(self) -> dict[str, int]:
        """Agent → notes that became memories, or would."""
        return dict(sorted(Counter(one.agent for one in (*self.created, *self.pending)).items()))

    def as_json(self) -> dict[str, object]:
        """The report as JSON-able values."""
        return asdict(self)
