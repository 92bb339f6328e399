"""One module an agent. A module (or package) here that defines `READER` is a reader; nothing registers it by hand."""

from __future__ import annotations

import importlib
import pkgutil

from scrubjay.agents.base import Cursor, Reader, Reading, Source

__all__ = ["Cursor", "Reader", "Reading", "Source", "readers"]


def readers() -> dict[str, Reader]:
    """Every reader by its name, in alphabetical order."""
    found: dict[str, Reader] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        reader: Reader | None = getattr(importlib.import_module(f"{__name__}.{module}"), "READER", None)
        if reader is not None:
            found[reader.name] = reader
    return dict(sorted(found.items()))
