"""What one prompt brings back: at most a few memories, often none (hot)."""

from __future__ import annotations

from scrubjay.quicksql import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from scrubjay.scope import Place
    from scrubjay.search.query import Row
    from scrubjay.settings import Settings


class Request:
    """One prompt. `files`: paths touched in the session so far (absolute or relative to `place.root`), may be empty."""

    __slots__ = ("agent", "explain", "files", "place", "session", "text")

    def __init__(
        self,
        text: str,
        place: Place,
        *,
        agent: str = "",
        session: str = "",
        files: Sequence[str] = (),
        explain: bool = False,
    ) -> None:
        self.text, self.place, self.agent, self.session = text, place, agent, session
        self.files, self.explain = files, explain


class Seen:
    """What this session already holds. The default is a fresh context, as for `jay recall` outside a session."""

    __slots__ = ("chars", "injected", "known_rules", "last_compaction", "usage")

    def __init__(
        self,
        *,
        injected: Mapping[str, str] | None = None,
        known_rules: Collection[str] | None = None,
        last_compaction: str = "",
        chars: int = 0,
        usage: Mapping[str, int] | None = None,
    ) -> None:
        self.injected = injected or {}
        """Memory id → the channel that brought it since the last compaction: `resident` or `recall`."""
        self.known_rules = known_rules
        """Ids of the standing rules in force when the session's block was built; None: deliver no new rules."""
        self.last_compaction = last_compaction
        """Time, or ""; what was said in this session after it is not repeated."""
        self.chars = chars
        """Characters that recall has brought into this session since the last compaction."""
        self.usage = usage or {}
        """Memory id → how often it was used (a small ranking signal)."""


class Rejected:
    """A memory that was close, and the one filter that stopped it."""

    __slots__ = ("detail", "filter", "id", "name", "score")

    def __init__(self, id: str, name: str, filter: str, detail: str, score: float) -> None:  # noqa: A002
        self.id, self.name, self.filter, self.detail, self.score = id, name, filter, detail, score


class Recall:
    """`block` is "" when nothing is injected."""

    __slots__ = ("block", "left_out", "memories", "reason", "rejected", "rules")

    def __init__(self) -> None:
        self.block = ""
        self.memories: list[Row] = []
        """In the block, best first."""
        self.rules: list[Row] = []
        """Standing rules that are new since the session began, in the block before `memories`."""
        self.left_out: list[Rejected] = []
        """Good enough, but no room: named in the block too when there is one."""
        self.rejected: list[Rejected] = []
        """Filled when `explain` was asked for."""
        self.reason = ""
        """Why nothing at all was looked up: `machine-made`, `long-paste`, `disabled`, `no-index`, `no-words`; else ""."""


def recall(request: Request, connection: sqlite3.Connection | None, settings: Settings, seen: Seen) -> Recall:
    """Never raises for any text. `connection` from `scrubjay.search.query.open`."""
    raise NotImplementedError


def machine_made(text: str) -> str:
    """Which kind of machine-made prompt this is (`command`, `task-notification`, `tool-output`, …); "": a person typed it."""
    raise NotImplementedError
