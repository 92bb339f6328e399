"""Claude Code: one JSON Lines file a session below `projects/`, a tree by `parentUuid`; sub-agents in files of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from scrubjay.agents import engine, files
from scrubjay.agents.base import Cursor, Json, Reading, Source, source_at
from scrubjay.agents.claude_code.parser import ClaudeParser
from scrubjay.agents.reading import Book, ParserFactory


class ClaudeCode:
    """See `Reader`."""

    name = "claude-code"
    title = "Claude Code"
    own_memory = ("projects/*/memory", "agent-memory/*")

    def roots(self, home: str, environ: Mapping[str, str]) -> list[str]:
        """`CLAUDE_CONFIG_DIR`, `~/.claude`, `~/.config/claude` (some releases of 1.0 wrote there)."""
        return files.existing(
            [
                environ.get("CLAUDE_CONFIG_DIR", ""),
                os.path.join(home, ".claude"),
                os.path.join(home, ".config", "claude"),
            ]
        )

    def find(self, home: str, environ: Mapping[str, str]) -> list[Source]:
        """See `Reader`."""
        found = []
        for root in self.roots(home, environ):
            for path in files.below(os.path.join(root, "projects"), (".jsonl",)):
                name, folders = os.path.basename(path), path.split(os.sep)
                sub_agent = name.startswith("agent-") or "subagents" in folders
                if sub_agent and not name.startswith("agent-"):
                    continue  # a workflow's journal: no conversation
                found.append(source_at(self.name, path, sub_agent=sub_agent))
        return files.oldest_first(found)

    def read_all(self, source: Source, cursor: Cursor | None) -> Iterator[Reading]:
        """See `Reader`."""
        return engine.read_file(source, cursor, _factory(source))

    def read(self, source: Source, cursor: Cursor | None) -> Reading:
        """See `Reader`."""
        return next(engine.read_file(source, cursor, _factory(source), engine.IN_ONE))


def _factory(source: Source) -> ParserFactory:
    def make(book: Book, state: Mapping[str, Json]) -> ClaudeParser:
        return ClaudeParser(book, {**state, "sub": True} if source.sub_agent else state)

    return make


READER = ClaudeCode()
