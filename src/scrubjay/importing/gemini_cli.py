"""Gemini CLI's memories: the section of the global `GEMINI.md`, and each project's private folder."""

from __future__ import annotations

import glob
import os

from scrubjay.agents.gemini_cli import READER, root_of
from scrubjay.importing.base import Ask, Found
from scrubjay.importing.text import items, load
from scrubjay.importing.topic_file import Folder, read_folder

SECTION = "## Gemini Added Memories"
"""Where `save_memory` of earlier releases wrote; the rest of the file is the person's own instructions."""


class GeminiCli:
    """See `Importer`."""

    name = "gemini-cli"
    title = "Gemini CLI"

    def read(self, ask: Ask) -> Found:
        """See `Importer`."""
        found = Found()
        for root in READER.roots(ask.home, ask.environ):
            found.folders.add(root)
            self._global(os.path.join(root, "GEMINI.md"), found)
            for path in sorted(glob.glob(os.path.join(glob.escape(root), "tmp", "*", "memory"))):
                if not glob.glob(os.path.join(glob.escape(path), "*.md")):
                    continue
                directory = root_of(os.path.dirname(path))
                if directory:
                    read_folder(Folder(path=path, directory=directory, skip=("skills",)), found)
                else:
                    found.left_out["unknown-directory"] += 1
        return found

    def _global(self, path: str, found: Found) -> None:
        text = load(os.path.realpath(path), found)  # the person's own file, which many keep elsewhere and link
        if text is None or SECTION not in (lines := [line.rstrip() for line in text.lines]):
            return
        start = lines.index(SECTION) + 1
        end = next((at for at in range(start, len(lines)) if lines[at].startswith(("# ", "## "))), len(lines))
        for item in items(text.lines[start:end], first=start + 1):
            found.notes.append(text.note(item.line, item.text))


IMPORTER = GeminiCli()
