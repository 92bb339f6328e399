"""One module an agent. A module (or package) here that defines `READER` is a reader; nothing registers it by hand."""

from __future__ import annotations

import glob
import importlib
import os
import pkgutil
from collections.abc import Mapping

from scrubjay.agents.base import Cursor, Reader, Reading, Source

__all__ = ["Cursor", "Reader", "Reading", "Source", "own_memories", "readers"]


def readers() -> dict[str, Reader]:
    """Every reader by its name, in alphabetical order."""
    found: dict[str, Reader] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        reader: Reader | None = getattr(importlib.import_module(f"{__name__}.{module}"), "READER", None)
        if reader is not None:
            found[reader.name] = reader
    return dict(sorted(found.items()))


def own_memories(home: str, environ: Mapping[str, str]) -> list[str]:
    """Folders in which the agents keep memories of their own: copies there are out of scrubjay's reach."""
    return [
        folder
        for reader in readers().values()
        for root in reader.roots(home, environ)
        for pattern in reader.own_memory
        for folder in sorted(glob.glob(os.path.join(glob.escape(root), pattern)))
        if os.path.isdir(folder)
    ]
