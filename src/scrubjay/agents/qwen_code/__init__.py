"""Qwen Code: one JSON Lines file a chat below `projects/<folder>/chats/`; sub-agents in files of their own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from scrubjay.agents import engine, files
from scrubjay.agents.base import Cursor, Json, Reading, Source, source_at
from scrubjay.agents.qwen_code.parser import QwenParser
from scrubjay.agents.reading import Book, ParserFactory


class QwenCode:
    """See `Reader`."""

    name = "qwen-code"
    title = "Qwen Code"
    own_memory = ("memories", "projects/*/memory")

    def roots(self, home: str, environ: Mapping[str, str]) -> list[str]:
        """`QWEN_RUNTIME_DIR`, the setting `runtimeOutputDir`, `QWEN_HOME`, `~/.qwen`."""
        config = environ.get("QWEN_HOME") or os.path.join(home, ".qwen")
        return files.existing([environ.get("QWEN_RUNTIME_DIR", ""), _runtime_setting(config, home), config])

    def find(self, home: str, environ: Mapping[str, str]) -> list[Source]:
        """See `Reader`."""
        found = []
        for root in self.roots(home, environ):
            for path in files.below(os.path.join(root, "projects"), (".jsonl",)):
                folders = path[len(root) :].split(os.sep)
                if "chats" in folders or "subagents" in folders:
                    found.append(source_at(self.name, path, sub_agent="subagents" in folders))
        return files.oldest_first(found)

    def read_all(self, source: Source, cursor: Cursor | None) -> Iterator[Reading]:
        """See `Reader`."""
        return engine.read_file(source, cursor, _factory(source))

    def read(self, source: Source, cursor: Cursor | None) -> Reading:
        """See `Reader`."""
        return next(engine.read_file(source, cursor, _factory(source), engine.IN_ONE))


def _runtime_setting(config: str, home: str) -> str:
    """`runtimeOutputDir` of the user's settings file, made absolute; "" when unset or unreadable."""
    try:
        with open(os.path.join(config, "settings.json"), encoding="utf-8") as file:
            settings = json.load(file)
    except (OSError, ValueError, RecursionError):
        return ""
    if not isinstance(settings, dict):
        return ""
    advanced = settings.get("advanced")
    value = settings.get("runtimeOutputDir") or (
        advanced.get("runtimeOutputDir") if isinstance(advanced, dict) else None
    )
    if not isinstance(value, str) or not value:
        return ""
    return os.path.join(home, value[2:]) if value.startswith("~/") else value if os.path.isabs(value) else ""


def _factory(source: Source) -> ParserFactory:
    def make(book: Book, state: Mapping[str, Json]) -> QwenParser:
        return QwenParser(book, {**state, "sub": True} if source.sub_agent else state)

    return make


READER = QwenCode()
