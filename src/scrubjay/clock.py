"""The one clock. `SCRUBJAY_NOW` (ISO 8601) sets it, for tests and for measuring on recorded stories.

Times are stored as UTC text to the second, `2026-09-03T10:12:44Z`, so that text order is time order. Hot: standard
library only.
"""

from __future__ import annotations

import os

from scrubjay.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import UTC, datetime
else:
    try:  # the same classes; `datetime` builds a second set of them in Python first, which costs a hook milliseconds
        from _datetime import datetime, timezone

        UTC = timezone.utc
    except ImportError:
        from datetime import UTC, datetime


def now() -> datetime:
    """The current time, UTC. Raises `BadInput` when `SCRUBJAY_NOW` is no ISO time."""
    fixed = os.environ.get("SCRUBJAY_NOW")
    if not fixed:
        return datetime.now(UTC)
    parsed = parse(fixed)
    if parsed is None:
        raise BadInput(f"not an ISO time: {fixed!r}", at="environment variable SCRUBJAY_NOW")
    return parsed


def text(moment: datetime) -> str:
    """`2026-09-03T10:12:44Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse(stamp: str) -> datetime | None:
    """An ISO 8601 time (naive = UTC), or None. Accepts what agents write: `Z`, offsets, milliseconds, a plain date."""
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
