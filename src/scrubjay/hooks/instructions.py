"""Instruction files of the working directory that a client puts into the context itself. Hot: no pathlib, no `re`."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_FILE_BYTES = 100_000
MAX_FOLDERS = 40


def read(path: str, limit: int = MAX_FILE_BYTES) -> str:
    """The text of a file, at most `limit` bytes of it; "" when there is none."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read(limit).decode("utf-8", "replace")
    except OSError:
        return ""


def first(folder: str, names: Sequence[str]) -> str:
    """The text of the first of these files that is there and not blank."""
    return next((text for name in names if (text := read(os.path.join(folder, name))).strip()), "")


def folders(root: str, cwd: str) -> Iterator[str]:
    """From the top of the work tree down to the working directory."""
    inside = os.path.relpath(cwd, root) if root and (cwd == root or cwd.startswith(root + "/")) else "."
    folder = root if inside != "." else cwd
    yield folder
    for part in inside.split("/")[:MAX_FOLDERS] if inside != "." else ():
        folder = os.path.join(folder, part)
        yield folder
