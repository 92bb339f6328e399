"""The resident block: what every session starts with. The same memories give the same bytes: no clock, no age (hot)."""

from __future__ import annotations

import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scrubjay.scope import Place
    from scrubjay.settings import Settings


class Resident:
    """`text` is "" when there is nothing to say."""

    __slots__ = ("ids", "left_out", "rule_ids", "text")

    def __init__(self, text: str, ids: list[str], rule_ids: list[str], left_out: dict[str, int]) -> None:
        self.text = text
        self.ids = ids
        """Memories that the block shows, as rule or as index line."""
        self.rule_ids = rule_ids
        """Every standing rule in force here now, shown or not: a rule that is not among them later is new."""
        self.left_out = left_out
        """Count by reason: `length`, `own-memory`, `changed-on-disk`."""


def resident(
    connection: sqlite3.Connection | None, place: Place, settings: Settings, *, agent: str = "", own_index: str = ""
) -> Resident:
    """The block for a session that starts in `place`. `own_index`: text of the agent's own index (Claude Code's MEMORY.md);
    what a line of it already says is not repeated."""
    raise NotImplementedError
