"""What instruction files and the agent's own memory say already: such a memory would only be said twice.

Read-only. A file that is too large, no regular file, or reached through a link that leads out of its folder is passed
over: a repository must not make us read elsewhere.
"""

from __future__ import annotations

import glob
import os
import re
import stat
from collections.abc import Iterable, Mapping

from scrubjay.agents.harness import without_blocks
from scrubjay.learn.alike import Statement, statement

Instructions = Mapping[str, tuple[Statement, ...]]
"""Name of a file, for people → its paragraphs."""

FILES = (
    "CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "AGENTS.override.md", "QWEN.md", "GEMINI.md",
    ".cursorrules", ".windsurfrules", ".clinerules", ".github/copilot-instructions.md", "CONVENTIONS.md",
)  # fmt: skip
FOLDERS = (".claude/rules", ".cursor/rules", ".github/instructions", ".clinerules")
PERSONAL = (".claude/CLAUDE.md", ".codex/AGENTS.md", ".qwen/QWEN.md", ".gemini/GEMINI.md")
"""Below the person's home folder."""

MAX_BYTES = 262_144
MAX_FILES = 60
_SPLIT = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)|\n(?=#)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def of(worktree: str, rel: str, user_home: str, memory: Iterable[str]) -> Instructions:
    """The paragraphs of every instruction file that a session in `worktree`/`rel` reads, and of `memory` (files or
    folders of the agent's own memory)."""
    found: dict[str, tuple[Statement, ...]] = {}
    for folder in _folders(worktree, rel):
        for name in _names(folder):
            _add(
                found,
                os.path.join(folder, name),
                within=worktree,
                name=os.path.relpath(os.path.join(folder, name), worktree),
            )
    for name in PERSONAL:
        _add(found, os.path.join(user_home, name), within="", name="~/" + name)
    for path in memory:
        names = sorted(glob.glob("*.md", root_dir=path)) if os.path.isdir(path) else [""]
        for name in names:
            file = os.path.join(path, name) if name else path
            _add(found, file, within="", name=file)
    return found


def _folders(worktree: str, rel: str) -> list[str]:
    """The work tree and each folder on the way down to where the session ran."""
    if not worktree or not os.path.isdir(worktree):
        return []
    folders = [worktree]
    for part in rel.split(os.sep) if rel and not rel.startswith("..") else []:
        folders.append(os.path.join(folders[-1], part))
    return folders


def _names(folder: str) -> list[str]:
    names = list(FILES)
    for below in FOLDERS:
        names += [
            os.path.join(below, name)
            for name in sorted(glob.glob("**/*.md*", root_dir=os.path.join(folder, below), recursive=True))
        ]
    return names


def _add(found: dict[str, tuple[Statement, ...]], path: str, *, within: str, name: str) -> None:
    if len(found) >= MAX_FILES or name in found:
        return
    text = without_blocks(_read(path, within))  # what we wrote there is no reason to know it already
    if text.strip():
        paragraphs = [part for part in _SPLIT.split(_COMMENT.sub(" ", text)) if part.strip()]
        found[name] = tuple(statement(part) for part in paragraphs)


def _read(path: str, within: str) -> str:
    """The file's text; "" when it is missing, no regular file, too large, or lies outside of `within` really."""
    try:
        real = os.path.realpath(path)
        if within and os.path.commonpath([real, os.path.realpath(within)]) != os.path.realpath(within):
            return ""
        descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            info = os.fstat(descriptor)
            if not stat.S_ISREG(info.st_mode) or info.st_size > MAX_BYTES:
                return ""
            return file.read(MAX_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
