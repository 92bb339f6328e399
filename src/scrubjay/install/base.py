"""A change to somebody else's file: planned, shown, applied, taken back.

Nobody's file is written over when it changed since it was read. What is kept for taking a change back is the inverse
edit, never a copy of the file, which may hold keys.
"""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.home import Home


@dataclass(frozen=True, kw_only=True, slots=True)
class FileChange:
    """One file before and after. `before` None: it is not there; `after` None: it will be removed."""

    agent: str
    path: str
    """As the agent knows it; when it is a symbolic link, its target is edited and the link stays."""
    before: bytes | None
    after: bytes | None

    @property
    def diff(self) -> str:
        """Unified diff for people; values of lines that look like keys are context only and masked. "" when nothing changes."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True, slots=True)
class Removed:
    """What taking our entries out of one file did."""

    path: str
    restored: bool
    """True: the bytes are those from before the installation (or the file is gone again, as before)."""
    changed_since: str
    """Diff of what others changed since the installation, "" when nothing."""


def apply(home: Home, changes: list[FileChange]) -> list[str]:
    """Write the changes and record how to take them back; the paths written. `Conflict` when a file changed meanwhile."""
    raise NotImplementedError
