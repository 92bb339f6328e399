"""Putting our entries into an agent's settings, and taking them out again without a trace.

One module an agent. A module here that defines `INSTALLER` is an installer; nothing registers it by hand.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection

from scrubjay.home import Home
from scrubjay.install import shim, state
from scrubjay.install.base import FileChange, Installer, Obstacle, Removed

__all__ = ["FileChange", "Installer", "Obstacle", "Removed", "installers", "uninstall"]


def installers() -> dict[str, Installer]:
    """Every installer by its name, in alphabetical order."""
    found: dict[str, Installer] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        one: Installer | None = getattr(importlib.import_module(f"{__name__}.{module}"), "INSTALLER", None)
        if one is not None:
            found[one.name] = one
    return dict(sorted(found.items()))


def uninstall(home: Home, agents: Collection[str] = (), *, dry_run: bool = False) -> list[Removed]:
    """Take our entries out of the settings of these agents (none named: of all); the shim falls silent after the last."""
    removed = [
        done
        for name, one in installers().items()
        if not agents or name in agents
        for done in one.uninstall(home, dry_run=dry_run)
    ]
    if not dry_run and not state.installed(home):
        shim.retire(home)
    return removed
