"""What every reader of an agent's session files has in common: the types, and nothing of any agent.

A reader is one module (or package) of `agents/` that defines `READER`. It opens session files read-only, never changes
them or their times, and hands on only frozen dataclasses.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from scrubjay.session import Session

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

CURSOR_VERSION = 1
"""Raised when a cursor of an earlier release must not be used any more; such a cursor reads as None: read again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """One session file, or one session of a file that holds many, as it stood when it was found."""

    agent: str
    path: str
    session: str = ""
    """Id of the session within the file, when the file is a database of many; "" when the file is the session."""
    size: int
    """Bytes: of the file."""
    mtime_ns: int
    inode: int
    sub_agent: bool = False
    """The file belongs to a sub-agent: its prompts were written by another agent, not by a person."""
    unreadable: str = ""
    """Why `read_all` can give nothing here, e.g. "compressed"; "" when it can."""
    related: tuple[str, ...] | None = None
    """Other files of the same conversation (a revert starts a second one); None: not looked for."""

    @property
    def key(self) -> str:
        """What the cursor is kept under: the path, with the session when the file holds many."""
        return f"{self.path}#{self.session}" if self.session else self.path


@dataclass(frozen=True, kw_only=True, slots=True)
class Cursor:
    """How far a file was read. Holds no text of any message; `to_json` is what the ledger keeps."""

    offset: int
    """Byte offset of the first byte that was not read yet: always the start of a line."""
    tail: int
    """Where the next read begins, `<= offset`: the last turns are read again as context."""
    tail_line: int
    """Number of the line at `tail`, 1-based."""
    inode: int
    head: str
    """Hash of the first bytes of the file."""
    end: str
    """Hash of the last bytes before `offset`. Either hash differs: the file was rewritten and is read from the top."""
    state: Mapping[str, Json] = field(default_factory=dict)
    """The parser's state at `tail`: ids, working directory, counters."""

    def to_json(self) -> str:
        """One line of JSON."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return json.dumps({"version": CURSOR_VERSION, **values, "state": dict(self.state)}, ensure_ascii=True)

    @classmethod
    def from_json(cls, text: str) -> Cursor | None:
        """The cursor, or None when it is damaged or of another version: the file is then read from the top."""
        try:
            values = json.loads(text)
            if values.pop("version") != CURSOR_VERSION or not 0 <= values["tail"] <= values["offset"]:
                return None
            return cls(**values)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None


def state_text(state: Mapping[str, Json], name: str) -> str:
    """A text of a parser's state, "" when it is not there or of another kind."""
    value = state.get(name)
    return value if isinstance(value, str) else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """One part of a file that was read. A small file gives one; a huge one several, each with its last turns' context."""

    session: Session
    cursor: Cursor
    """Where to go on after this part. Store it only when the part's messages are safely dealt with."""
    reread: bool = False
    """The whole file was read although a cursor was given (rewritten, or a branch from far back)."""
    last: bool = True
    branches: Mapping[str, bool] = field(default_factory=dict)
    """Corrections, only with the last part: keys of prompts in earlier parts of this read whose live flag was not yet
    right there, with the right one."""


class Reader(Protocol):
    """Finds and reads the sessions of one agent."""

    @property
    def name(self) -> str:
        """`claude-code`, `codex`, `qwen-code`."""

    @property
    def title(self) -> str:
        """`Claude Code`."""

    @property
    def own_memory(self) -> tuple[str, ...]:
        """Where the agent keeps memories of its own: glob patterns of folders below a root."""

    def roots(self, home: str, environ: Mapping[str, str]) -> list[str]:
        """Configuration folders of the agent that exist, those named by the environment first."""

    def find(self, home: str, environ: Mapping[str, str]) -> list[Source]:
        """Every session file, archived ones and sub-agents' too, oldest first. Never raises for what cannot be read."""

    def read_all(self, source: Source, cursor: Cursor | None) -> Iterator[Reading]:
        """What is new since `cursor`, in file order; None: everything. Nothing new gives one Reading without messages.

        Raises `UnknownFormat` when the file is not empty and nothing in it is understood, `OSError` when it cannot be
        opened.
        """

    def read(self, source: Source, cursor: Cursor | None) -> Reading:
        """As `read_all`, in one part: for files known to be small, and for tests."""


def source_at(agent: str, path: str, *, sub_agent: bool = False, unreadable: str = "") -> Source | None:
    """The file at `path` as a Source, or None when it is no readable regular file any more."""
    try:
        info = os.stat(path)
    except OSError:
        return None
    return Source(
        agent=agent,
        path=path,
        size=info.st_size,
        mtime_ns=info.st_mtime_ns,
        inode=info.st_ino,
        sub_agent=sub_agent,
        unreadable=unreadable,
    )
