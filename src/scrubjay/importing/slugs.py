"""Folder names that stand for a directory: which one, that cannot be told from the name alone (`/a/b.c` and `/a/b-c` share it).

So it is looked for: among the directories that are known, those that the agent's own session files record, and last those on
the disk. Two that fit are none.
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator

Slug = Callable[[str], str]
"""Directory → name."""

MAX_LOOKS = 3_000
"""Folders that are listed for one name."""
_HEAD_BYTES = 65_536
_SESSIONS = 5
_CWD = re.compile(rb'"cwd":\s*"((?:[^"\\]|\\.){1,4096})"')


def qwen_slug(path: str) -> str:
    """Qwen Code's: as Claude Code's, never shortened."""
    units = path.encode("utf-16-le", "surrogatepass")
    codes = (units[at] | units[at + 1] << 8 for at in range(0, len(units), 2))
    return "".join(chr(code) if code < 128 and chr(code).isalnum() else "-" for code in codes)


def directory_of(folder: str, slug: Slug, known: Iterable[str]) -> str:
    """The directory whose project folder this is; "" when none fits, or several do."""
    name = os.path.basename(folder)
    for candidates in (known, _recorded(folder), _on_disk(name, slug)):
        fitting = {path for path in candidates if slug(path) == name}
        if fitting:
            return fitting.pop() if len(fitting) == 1 else ""
    return ""


def _recorded(folder: str) -> Iterator[str]:
    """Working directories of the newest session files in the folder, and what is above them."""
    names = [
        path
        for pattern in ("*.jsonl", "chats/*.jsonl")
        for path in glob.glob(os.path.join(glob.escape(folder), pattern))
    ]
    for path in sorted(names, key=_changed, reverse=True)[:_SESSIONS]:
        try:
            with open(path, "rb") as file:
                match = _CWD.search(file.read(_HEAD_BYTES))
        except OSError:
            continue
        if match is None or b"\\" in match[1]:
            continue
        cwd = os.fsdecode(match[1])
        while os.path.isabs(cwd):
            yield cwd
            if os.path.dirname(cwd) == cwd:
                break
            cwd = os.path.dirname(cwd)


def _on_disk(name: str, slug: Slug) -> Iterator[str]:
    """Directories that exist and have this name."""
    waiting, looks = ["/"], 0
    while waiting and looks < MAX_LOOKS:
        top = waiting.pop()
        looks += 1
        try:
            with os.scandir(top) as entries:
                below = [one.path for one in entries if one.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        for path in below:
            its = slug(path)
            if its == name:
                yield path
            elif name.startswith(its + "-"):
                waiting.append(path)


def _changed(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
