"""One conversation of one agent, as every reader in `agents/` hands it on.

A session is a DAG of messages. Readers keep all branches; which branch is live is derived (`Session.live`), never stored
with the evidence. A message's text is what was said: pasted content stands apart, text that the agent program injected is
either origin `harness` or stripped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Origin = Literal["user", "machine", "assistant", "tool", "external", "harness"]
Role = Literal["user", "assistant", "tool", "system"]

MAX_MESSAGE_CHARS = 100_000
"""A message's text is cut there by the readers (and counted as `cut_messages`): no clause of a person is longer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One node of the DAG."""

    key: str
    """Message key: the agent's own id, or `chained_key` where the agent copies messages under new ids."""
    parent: str | None
    """Key of the nearest earlier message of the conversation (records of other kinds are stepped over); None: a root."""
    role: Role
    origin: Origin
    at: str
    """`2026-09-03T10:12:44Z`, or "" when the record has no readable time."""
    text: str
    pasted: tuple[str, ...] = ()
    """Pasted content, apart from `text` where the client marks it."""
    cwd: str = ""
    files: tuple[str, ...] = ()
    """Paths that this message's tool calls read or wrote, as recorded."""
    commands: tuple[str, ...] = ()
    """Shell commands that this message's tool calls ran."""
    offset: int = 0
    """Byte offset of the record in its file."""
    line: int = 0
    """1-based; 0 when reading did not start at the top of the file."""
    compacted: bool = False
    """True for the first message after a compaction (a boundary for "said in this session's context")."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """What one read of one file gave: new messages, preceded by a few already read ones as context."""

    agent: str
    id: str
    path: str
    cwd: str
    """The directory that the agent was started in, as recorded; it may be gone."""
    messages: tuple[Message, ...]
    live: frozenset[str]
    """Keys of `messages` that lie on the branch that the client would go on with."""
    fresh: frozenset[str]
    """Keys of `messages` that this read saw for the first time; the others are context."""
    remote: str = ""
    """URL of `origin` as the transcript records it; "" unknown."""
    git_branch: str = ""
    headless: bool = False
    """A program wrote the prompts (`claude -p`, `codex exec`, an SDK)."""
    sub_agent: bool = False
    title: str = ""
    forked_from: str = ""
    """Session id of the parent, where the client records it."""
    skipped: Mapping[str, int] = field(default_factory=dict)
    """What was passed over, by kind: `unknown_records:<type>`, `broken_lines`, `long_lines_cut`, `cut_messages`, …"""
    native_memory: tuple[str, ...] = ()
    """Files of the agent's own memory that this session loaded or wrote (paths)."""


def chained_key(parent: str | None, role: Role, text: str) -> str:
    """Message key where an agent gives copies new ids: the same words after the same history are the same message."""
    digest = hashlib.sha256("\x1f".join((parent or "", role, text)).encode("utf-8", "surrogatepass"))
    return "h-" + digest.hexdigest()[:24]


def timed_key(at: str, role: Role, *parts: str) -> str:
    """Message key where copies keep the time of the original but perhaps not its id. `at`: as recorded, to the millisecond."""
    digest = hashlib.sha256("\x1f".join((at, role, *parts)).encode("utf-8", "surrogatepass"))
    return "h-" + digest.hexdigest()[:24]
