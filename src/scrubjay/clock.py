"""The one clock. `SCRUBJAY_NOW` (ISO 8601) sets it, for tests and for measuring on recorded stories.

Times are stored as UTC text to the second, `2026-09-03T10:12:44Z`, so that text order is time order. Hot: standard
library only.
"""

from __future__ import annotations

import os
import time

from scrubjay.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime, tzinfo

_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def now() -> datetime:
    """The current time, UTC. Raises `BadInput` when `SCRUBJAY_NOW` is no ISO time."""
    fixed = os.environ.get("SCRUBJAY_NOW")
    if not fixed:
        datetime, utc = _classes()
        return datetime.now(utc)
    parsed = parse(fixed)
    if parsed is None:
        raise BadInput(f"not an ISO time: {fixed!r}", at="environment variable SCRUBJAY_NOW")
    return parsed


def stamp() -> str:
    """`text(now())`. Where the clock is the machine's it loads no `datetime`."""
    return text(now()) if os.environ.get("SCRUBJAY_NOW") else machine_stamp()


def machine_stamp() -> str:
    """The time of the machine, whatever `SCRUBJAY_NOW` says."""
    return time.strftime(_FORMAT, time.gmtime())


def text(moment: datetime) -> str:
    """`2026-09-03T10:12:44Z`."""
    return moment.astimezone(_classes()[1]).strftime(_FORMAT)


def parse(stamp: str) -> datetime | None:
    """An ISO 8601 time (naive = UTC), or None. Accepts what agents write: `Z`, offsets, milliseconds, a plain date."""
    datetime, utc = _classes()
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return None
    return moment.replace(tzinfo=utc) if moment.tzinfo is None else moment.astimezone(utc)


def _classes() -> tuple[type[datetime], tzinfo]:
    """`datetime` and its UTC, loaded by whoever needs them: most hooks do not."""
    try:  # the same classes; `datetime` builds a second set of them in Python first, which costs a hook milliseconds
        from _datetime import datetime, timezone  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        from datetime import datetime, timezone
    return datetime, timezone.utc  # noqa: UP017 - `UTC` is only in the slow one
