"""Bringing over what agents already keep. A module here that defines `IMPORTER` is an importer; nothing registers it by hand.

An importer only reads one agent's files; which of it becomes a memory is decided by `intake`, by the gates of learning.
"""

from __future__ import annotations

import importlib
import pkgutil

from scrubjay.importing.base import Importer


def importers() -> dict[str, Importer]:
    """Every importer by its agent's name, in alphabetical order."""
    found: dict[str, Importer] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        importer: Importer | None = getattr(importlib.import_module(f"{__name__}.{module}"), "IMPORTER", None)
        if importer is not None:
            found[importer.name] = importer
    return dict(sorted(found.items()))
