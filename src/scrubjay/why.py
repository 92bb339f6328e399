"""The proof of one memory: whose words, when, in which session, and what became of them."""

from __future__ import annotations

import os
from dataclasses import dataclass

from scrubjay.operations import Evidence
from scrubjay.store import history
from scrubjay.store.library import Library, Stored


@dataclass(frozen=True, kw_only=True, slots=True)
class Proof:
    """Everything that stands behind one memory."""

    stored: Stored
    evidence: tuple[Evidence, ...]
    """Oldest first."""
    gone: frozenset[str]
    """Session files of `evidence` that their agent has deleted since."""
    replaces: tuple[tuple[str, str], ...]
    """(id, name) of what it superseded; the name is "" once forgotten. What only waits for an answer is not among them."""
    replaced_by: str
    changes: tuple[history.Entry, ...]
    """The newest ten changes to its file."""


def why(library: Library, memory: str) -> Proof:
    """The proof of `memory` (id or unique beginning). Raises as `Library.get` does."""
    stored = library.get(memory)
    evidence = tuple(library.evidence(stored.memory.evidence))
    olds = [old for old in stored.memory.supersedes if _gave_way(library, old)]
    return Proof(
        stored=stored,
        evidence=evidence,
        gone=frozenset(one.file for one in evidence if not os.path.exists(one.file)),
        replaces=tuple((old, library.get(old).memory.name if library.has(old) else "") for old in olds),
        replaced_by=stored.memory.superseded_by or stored.memory.merged_into,
        changes=tuple(history.log(library.home, limit=10, id=stored.memory.id)),
    )


def _gave_way(library: Library, old: str) -> bool:
    """Replaced, and not merely asked about; or forgotten since."""
    return not library.has(old) or library.get(old).memory.status not in ("active", "pending", "dormant")
