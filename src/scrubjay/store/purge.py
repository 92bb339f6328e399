"""Taking memories out of everything, the history included."""

from __future__ import annotations

from scrubjay.home import Home
from scrubjay.ledger import Ledger


def resume(home: Home, ledger: Ledger) -> list[str]:
    """Finish a purge that was interrupted. Under the lock; returns notes."""
    del home, ledger
    return []
