"""Finding session files (regular files below a folder, no symbolic link followed) and opening one for reading only."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Protocol

from scrubjay.agents.base import Source

_MAX_JSON = 4 << 20


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


class ByteFile(Protocol):
    """An open session file."""

    def __enter__(self) -> ByteFile: ...
    def __exit__(self, *_: object) -> None: ...
    def read(self, size: int, /) -> bytes: ...
    def seek(self, offset: int, /) -> None: ...
    def tell(self) -> int: ...
    def inode(self) -> int: ...
    def reaches(self, offset: int, /) -> bool: ...


class PlainFile:
    """A file opened for reading only: its bytes and times stay as they are."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115 - closed by `__exit__`

    def __enter__(self) -> PlainFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(self, size: int, /) -> bytes:
        return self._file.read(size)

    def seek(self, offset: int, /) -> None:
        self._file.seek(offset)

    def tell(self) -> int:
        return self._file.tell()

    def inode(self) -> int:
        return os.fstat(self._file.fileno()).st_ino

    def reaches(self, offset: int, /) -> bool:
        """Whether the file is at least so long."""
        return os.fstat(self._file.fileno()).st_size >= offset


def expanded(path: str, home: str) -> str:
    """A folder as a variable or a setting names it: `~/` is `home`; "" for one that is not absolute then."""
    path = home + path[1:] if path == "~" or path.startswith("~/") else path
    return path if os.path.isabs(path) else ""


def small_json(path: str) -> dict[str, object]:
    """The object in a small JSON file of a client; {} when it is missing, over 4 MB, broken or no object."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            value = json.loads(file.read(_MAX_JSON))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
