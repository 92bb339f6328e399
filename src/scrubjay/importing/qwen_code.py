"""Qwen Code's managed memory: the user's (`memories/`), each project's (`projects/*/memory/`), the team's in the repository."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator

from scrubjay.agents import files
from scrubjay.agents.qwen_code import READER
from scrubjay.importing.base import Ask, Found
from scrubjay.importing.slugs import directory_of, qwen_slug
from scrubjay.importing.topic_file import Folder, read_folder


class QwenCode:
    """See `Importer`."""

    name = "qwen-code"
    title = "Qwen Code"

    def read(self, ask: Ask) -> Found:
        """See `Importer`. A file of an illegal type, which Qwen Code ignores, is told and passed over."""
        found = Found()
        for folder in (*self._private(ask, found), *self._in_repositories(ask)):
            read_folder(folder, found)
        return found

    def _private(self, ask: Ask, found: Found) -> Iterator[Folder]:
        base = files.expanded(ask.environ.get("QWEN_CODE_MEMORY_BASE_DIR", ""), ask.home)
        for root in files.existing([base, *READER.roots(ask.home, ask.environ)]):
            yield Folder(path=os.path.join(root, "memories"), strict=True)
            for path in sorted(glob.glob(os.path.join(glob.escape(root), "projects", "*", "memory"))):
                if not glob.glob(os.path.join(glob.escape(path), "**", "?*.md"), recursive=True):
                    continue
                directory = directory_of(os.path.dirname(path), qwen_slug, ask.directories)
                if directory:
                    yield Folder(path=path, directory=directory, strict=True)
                else:
                    found.left_out["unknown-directory"] += 1

    def _in_repositories(self, ask: Ask) -> Iterator[Folder]:
        for directory in ask.directories:
            for name in ("team-memory", "memory"):
                path = os.path.join(directory, ".qwen", name)
                if os.path.realpath(path).startswith(os.path.realpath(directory) + os.sep):
                    yield Folder(path=path, directory=directory, from_repository=True, strict=True)


IMPORTER = QwenCode()
