"""Remember what a person says on the command line (or an agent through a tool): the same gates as for learning."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.home import Home
from scrubjay.operations import MemoryType, Scope


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """What shall be remembered. Empty fields are worked out from the text."""

    text: str
    cwd: str
    scope: Scope | None = None
    """None: `project` inside a project; outside every project, `user`."""
    type: MemoryType | None = None
    name: str = ""
    description: str = ""
    paths: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    by: str = "user"
    """`user` (typed by the person) or `agent` (an agent's tool call: waits for review when it would be a rule)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Remembered:
    """What became of a wish."""

    outcome: str
    """`created`, `pending`, `known` (evidence added) or `superseded` (it replaced others)."""
    id: str
    file: str
    replaced: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What the person should know: a secret was left out, why it waits."""
    undo: str = ""


def remember(home: Home, wish: Wish) -> Remembered:
    """Write it down, or raise `Refused` with the rule (docs/refusals.md), `BadInput` for an empty text."""
    raise NotImplementedError
