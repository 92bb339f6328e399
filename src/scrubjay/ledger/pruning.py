"""What the ledger need not keep: old events, and what sessions were given that nobody has gone on with for long. Cold.

Marks, cursors and usage counts stay: what was learnt is not to be learnt again.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from scrubjay import clock
from scrubjay.ledger import Ledger

EVENT_DAYS = 30
SESSION_DAYS = 90
"""A session that goes on after so long gets its resident block anew, and what it was given may come again."""

_FORGOTTEN = """
SELECT agent, session FROM (
    SELECT agent, session, at FROM residents UNION ALL SELECT agent, session, at FROM injected
    UNION ALL SELECT agent, session, at FROM compactions UNION ALL SELECT agent, session, at FROM events)
GROUP BY agent, session HAVING max(at) < ?
"""


def prune(ledger: Ledger, now: datetime) -> None:
    """The newest event of each kind stays, however old: it says that the hook was there."""
    sessions = ledger.rows(_FORGOTTEN, clock.text(now - timedelta(days=SESSION_DAYS)))
    ledger.write_all([
        ("DELETE FROM residents WHERE agent = ? AND session = ?", sessions),
        ("DELETE FROM injected WHERE agent = ? AND session = ?", sessions),
        ("DELETE FROM compactions WHERE agent = ? AND session = ?", sessions),
        ("DELETE FROM facts WHERE name = 'fork:' || ? || ':' || ?", sessions),
        ("DELETE FROM facts WHERE name = 'late:' || ? || ':' || ?", sessions),
        ("DELETE FROM facts WHERE name = 'due:' || ? || ':' || ?", sessions),
        ("DELETE FROM facts WHERE name = 'seen:' || ? || ':' || ?", sessions),
        ("DELETE FROM facts WHERE name = 'rewound:' || ? || ':' || ?", sessions),
        ("DELETE FROM facts WHERE name = 'start:' || ? || ':' || ?", sessions),
        ("DELETE FROM events WHERE at < ? AND id NOT IN (SELECT max(id) FROM events GROUP BY agent, event)",
         [(clock.text(now - timedelta(days=EVENT_DAYS)),)]),
    ])  # fmt: skip
