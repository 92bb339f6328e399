"""Learning: agents' session files in, memories out. `learn` is the whole way; the other modules here are its steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from scrubjay.home import Home
from scrubjay.learn.report import LearnReport

Progress = Callable[[str, int, int], None]
"""Called before each session file with its path, its number (from 0) and how many there are."""


def learn(
    home: Home,
    *,
    agents: Sequence[str] | None = None,
    since: datetime | None = None,
    sources: Sequence[str] | None = None,
    backlog: bool = False,
    progress: Progress | None = None,
    dry_run: bool = False,
) -> LearnReport:
    """Learn what is new in the sessions of `agents` (None: all that the settings allow).

    `sources` narrows to session files by path, `since` to messages from then on. `backlog`: what is older than 30 days
    and said once, or names a path that is gone, waits for review. `dry_run` reads everything from the top and writes
    nothing. Doing it again changes nothing. Raises `StoreUnavailable` when the store cannot be written.
    """
    raise NotImplementedError


def learn_live(home: Home, *, sources: Sequence[str] | None = None, progress: Progress | None = None) -> LearnReport:
    """As `learn`, for sessions that go on right now (the hook's worker): at most `learn.max_new_active` new active
    memories a session, the rest waits for review."""
    raise NotImplementedError
