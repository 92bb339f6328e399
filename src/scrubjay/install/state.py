"""What is installed where, and since when (`state/<machine>/installed.json`)."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.home import Home


@dataclass(frozen=True, kw_only=True, slots=True)
class Installed:
    """One settings file that holds our entries."""

    agent: str
    path: str
    at: str
    """When it was installed, `2026-09-03T10:12:44Z`: a session that began later must have left a hook row."""
    events: tuple[str, ...]


def installed(home: Home) -> list[Installed]:
    """What `init` wrote and `uninstall` did not take back yet; [] when nothing or unreadable."""
    raise NotImplementedError
