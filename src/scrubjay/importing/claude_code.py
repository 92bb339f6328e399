"""Claude Code's auto memory (`projects/*/memory/`) and the memory of its sub-agents (`agent-memory/`)."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator

from scrubjay.agents.claude_code import READER
from scrubjay.hooks import claude_memory
from scrubjay.importing.base import Ask, Found
from scrubjay.importing.slugs import directory_of
from scrubjay.importing.topic_file import Folder, read_folder

_NOT_MEMORY = ("team", "logs")
"""Folders in a memory folder: a synchronised copy of an organisation's, and the daily logs of assistant mode."""


class ClaudeCode:
    """See `Importer`."""

    name = "claude-code"
    title = "Claude Code"

    def read(self, ask: Ask) -> Found:
        """See `Importer`."""
        found = Found()
        seen: set[str] = set()
        for folder in (*self._auto(ask, found), *self._named(ask), *self._sub_agents(ask)):
            real = os.path.realpath(folder.path)
            if real not in seen:
                seen.add(real)
                read_folder(folder, found)
        return found

    def _auto(self, ask: Ask, found: Found) -> Iterator[Folder]:
        for root in READER.roots(ask.home, ask.environ):
            for path in sorted(glob.glob(os.path.join(glob.escape(root), "projects", "*", "memory"))):
                if not glob.glob(os.path.join(glob.escape(path), "**", "*.md"), recursive=True):
                    continue
                directory = directory_of(os.path.dirname(path), claude_memory.slug, ask.directories)
                if directory:
                    yield Folder(path=path, directory=directory, skip=_NOT_MEMORY)
                else:
                    found.left_out["unknown-directory"] += 1

    def _named(self, ask: Ask) -> Iterator[Folder]:
        """Folders that a setting or the environment names. One that several projects share belongs to none of them."""
        shared: dict[str, list[str]] = {}
        for directory in ask.directories:
            path = claude_memory.folder(directory, ask.environ, ask.home)
            if path:
                shared.setdefault(path, []).append(directory)
        for path, directories in shared.items():
            yield Folder(path=path, directory=directories[0] if len(directories) == 1 else "", skip=_NOT_MEMORY)

    def _sub_agents(self, ask: Ask) -> Iterator[Folder]:
        for root in READER.roots(ask.home, ask.environ):
            for path in _below(root, "agent-memory"):
                yield Folder(path=path, alias=os.path.basename(path))
        for directory in ask.directories:
            for name in ("agent-memory", "agent-memory-local"):
                for path in _below(os.path.join(directory, ".claude"), name):
                    if os.path.realpath(path).startswith(os.path.realpath(directory) + os.sep):
                        yield Folder(path=path, directory=directory, from_repository=True, alias=os.path.basename(path))


def _below(top: str, name: str) -> list[str]:
    return sorted(filter(os.path.isdir, glob.glob(os.path.join(glob.escape(top), name, "*"))))


IMPORTER = ClaudeCode()
