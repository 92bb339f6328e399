"""What agents asked for and no words of the person were found for yet. Cold.

Kept as facts, one a memory: lost with the ledger, what was to be remembered still waits for review.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from scrubjay.ledger import Ledger

_PREFIX = "hint:"


@dataclass(frozen=True, kw_only=True, slots=True)
class Hint:
    """One tool call that a person's message of the same time may stand behind."""

    verb: str
    """`remember` or `forget`."""
    memory: str
    """Id of the memory that waits, or that is to go."""
    cwd: str
    at: str
    """Time of the call."""
    seen: tuple[str, ...] = ()
    """Keys of session files that can say nothing more about it."""


def note(ledger: Ledger, hint: Hint) -> None:
    """Keep it, in place of an earlier one for the same memory."""
    ledger.put(_PREFIX + hint.memory, json.dumps(asdict(hint)))


def open_hints(ledger: Ledger) -> list[Hint]:
    """Oldest first."""
    found = []
    for _name, value in ledger.rows(
        "SELECT name, value FROM facts WHERE name > ? AND name < ?", _PREFIX, _PREFIX + "~"
    ):
        try:
            row = json.loads(str(value))
            found.append(Hint(**{**row, "seen": tuple(row["seen"])}))
        except (ValueError, TypeError, KeyError):
            continue
    return sorted(found, key=lambda hint: (hint.at, hint.memory))


def settle(ledger: Ledger, memory: str) -> None:
    """Nothing more is looked for."""
    ledger.write_all([("DELETE FROM facts WHERE name = ?", [(_PREFIX + memory,)])])
