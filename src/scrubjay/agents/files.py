"""Finding session files: regular files below a folder, no symbolic link followed, nothing opened."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from scrubjay.agents.base import Source


def existing(candidates: Iterable[str]) -> list[str]:
    """The candidates that are folders, each once, in order."""
    found: dict[str, str] = {}
    for path in candidates:
        if path and os.path.isdir(path):
            found.setdefault(os.path.realpath(path), os.path.abspath(path))
    return list(found.values())


def below(folder: str, endings: tuple[str, ...]) -> Iterator[str]:
    """Regular files below `folder` whose names end so."""
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(parent, name)
            if name.endswith(endings) and os.path.isfile(path) and not os.path.islink(path):
                yield path


def oldest_first(found: Iterable[Source | None]) -> list[Source]:
    """By time of the last change; files that vanished meanwhile are left out."""
    return sorted((source for source in found if source is not None), key=lambda source: (source.mtime_ns, source.path))
