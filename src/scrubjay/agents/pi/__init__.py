"""pi: one JSON Lines file a session below `sessions/`, a tree by `parentId`; before version 2 a plain list."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from scrubjay.agents import engine, files
from scrubjay.agents.base import Cursor, Reading, Source, source_at
from scrubjay.agents.pi.parser import PiParser


class Pi:
    """See `Reader`."""

    name = "pi"
    title = "pi"
    own_memory = ()

    def roots(self, home: str, environ: Mapping[str, str]) -> list[str]:
        """`PI_CODING_AGENT_DIR`, `~/.pi/agent`."""
        return files.existing(
            [files.expanded(environ.get("PI_CODING_AGENT_DIR", ""), home), os.path.join(home, ".pi", "agent")]
        )

    def find(self, home: str, environ: Mapping[str, str]) -> list[Source]:
        """See `Reader`. Sessions may be kept elsewhere: `PI_CODING_AGENT_SESSION_DIR`, the setting `sessionDir`."""
        roots = self.roots(home, environ)
        folders = [files.expanded(environ.get("PI_CODING_AGENT_SESSION_DIR", ""), home)]
        for root in roots:
            folders += [os.path.join(root, "sessions"), files.expanded(_session_setting(root), home)]
        paths = (path for folder in files.existing(folders) for path in files.below(folder, (".jsonl",)))
        return files.oldest_first(source_at(self.name, path) for path in dict.fromkeys(paths))

    def read_all(self, source: Source, cursor: Cursor | None) -> Iterator[Reading]:
        """See `Reader`."""
        return engine.read_file(source, cursor, PiParser)

    def read(self, source: Source, cursor: Cursor | None) -> Reading:
        """See `Reader`."""
        return next(engine.read_file(source, cursor, PiParser, engine.IN_ONE))


def _session_setting(root: str) -> str:
    """`sessionDir` of the user's settings file; "" when unset or unreadable."""
    value = files.small_json(os.path.join(root, "settings.json")).get("sessionDir")
    return value if isinstance(value, str) else ""


READER = Pi()
