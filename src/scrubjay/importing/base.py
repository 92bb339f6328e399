"""What importers have in common: the notes that they find, and what they could not read. Nothing of any agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from scrubjay.operations import MemoryType


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """One thing that an agent keeps, in its own words."""

    path: str
    """The file, absolute."""
    line: int
    """Where it begins, 1-based."""
    offset: int
    """The same in bytes."""
    text: str
    name: str = ""
    """"" is made from the text."""
    description: str = ""
    type: MemoryType | None = None
    """None: the file does not say, and the rules of learning are asked."""
    x_type: str = ""
    """The type as the file has it, when it is none of ours."""
    directory: str = ""
    """Whose project it belongs to; "" for one that is kept for every project."""
    remote: str = ""
    """URL of the project's repository, where the file names that instead."""
    at: str = ""
    """When it was written, `clock.text`; "" unknown."""
    observed: str = ""
    """Day when it was true, where the file says so."""
    aliases: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    from_repository: bool = False
    """The file lies in a work tree, where others write too."""
    whole_file: bool = False
    """The file holds this note and no other: with other words it is the same note."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trouble:
    """A file, or a part of one, that was passed over because it is broken or not what its agent takes."""

    path: str
    line: int
    what: str


@dataclass(slots=True)
class Found:
    """What one importer read."""

    notes: list[Note] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """What is no memory or not for us, by reason: `daily-notes`, `ours`, `unknown-directory`, …"""
    files: set[str] = field(default_factory=set)
    """Files that were read in full: what they held before and do not hold now is gone."""
    folders: set[str] = field(default_factory=set)
    """Folders that were looked through: a file that was in one and is not there now is gone."""

    def add(self, other: Found) -> None:
        """What another look found."""
        self.notes += other.notes
        self.troubles += other.troubles
        self.left_out.update(other.left_out)
        self.files |= other.files
        self.folders |= other.folders


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """Where to look."""

    home: str
    """The person's home folder."""
    environ: Mapping[str, str]
    directories: tuple[str, ...] = ()
    """Canonical roots of the projects that are known on this machine, the current one first."""


class Importer(Protocol):
    """Finds and reads what one agent keeps. Changes nothing, follows no symbolic link to a file, never raises for a file."""

    @property
    def name(self) -> str:
        """As the readers call the agent: `claude-code`, `codex`, …"""

    @property
    def title(self) -> str:
        """`Claude Code`."""

    def read(self, ask: Ask) -> Found:
        """Every note that is there."""
