"""Putting our entries into an agent's settings, and taking them out again without a trace.

One module an agent. A module here that defines `INSTALLER` is an installer; nothing registers it by hand.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Collection
from dataclasses import replace
from functools import cache

from scrubjay.home import Home
from scrubjay.install import base, shim, state
from scrubjay.install.base import FileChange, Installer, Obstacle, Removed

__all__ = ["FileChange", "Installer", "Obstacle", "Removed", "installers", "uninstall"]


def installers() -> dict[str, Installer]:
    """Every installer by its name, in alphabetical order."""
    found: dict[str, Installer] = {}
    for module in _modules():
        one: Installer | None = getattr(importlib.import_module(module), "INSTALLER", None)
        if one is not None:
            found[one.name] = one
    return dict(sorted(found.items()))


@cache
def _modules() -> tuple[str, ...]:
    """What lies in this package, looked up once: one command asks for the installers dozens of times."""
    return tuple(sorted(f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__)))


def uninstall(home: Home, agents: Collection[str] = (), *, dry_run: bool = False) -> list[Removed]:
    """Take our entries out of the settings of these agents (none named: of all); the shim falls silent after the last.

    A file that holds both hooks and our server is uncovered in the reverse order of how it was written.
    """
    from scrubjay.install import mcp_entries  # which asks the installers where their agents are

    with base.as_if():
        removed = mcp_entries.take_out(home, agents, on_top=True, dry_run=dry_run)
        for name, one in installers().items():
            if not agents or name in agents:
                removed += one.uninstall(home, dry_run=dry_run)
        removed += mcp_entries.take_out(home, agents, on_top=False, dry_run=dry_run)
    if not dry_run and not state.installed(home):
        shim.retire(home)
    return _by_file(removed)


def _by_file(removed: list[Removed]) -> list[Removed]:
    """One row a file: as before only when all of it is, and what others changed as the first look at it told."""
    files: dict[str, Removed] = {}
    for one in removed:
        seen = files.get(one.path, one)
        files[one.path] = replace(one, restored=seen.restored and one.restored, changed_since=seen.changed_since)
    return list(files.values())
