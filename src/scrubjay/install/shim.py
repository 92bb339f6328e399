"""`$SCRUBJAY_HOME/bin/hook`: the one command that stands in agents' settings, whatever becomes of the package."""

from __future__ import annotations

from scrubjay.home import Home


def ensure(home: Home) -> bool:
    """Write or repair the shim for this interpreter and package; True when it had to. Never raises for an unwritable home."""
    raise NotImplementedError
