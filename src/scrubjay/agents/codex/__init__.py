"""Codex: one rollout file a thread below `sessions/`, moved to `archived_sessions/` when archived, perhaps compressed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace

from scrubjay.agents import engine, files, jsonl
from scrubjay.agents.base import Cursor, Json, Reading, Source, source_at
from scrubjay.agents.codex import compressed, lineage
from scrubjay.agents.codex.parser import CodexParser
from scrubjay.agents.graph import PROMPT
from scrubjay.agents.reading import Book, ParserFactory


class Codex:
    """See `Reader`."""

    name = "codex"
    title = "Codex"
    own_memory = ("memories", "memories_v2")

    def roots(self, home: str, environ: Mapping[str, str]) -> list[str]:
        """`CODEX_HOME`, `~/.codex`."""
        return files.existing([environ.get("CODEX_HOME", ""), os.path.join(home, ".codex")])

    def find(self, home: str, environ: Mapping[str, str]) -> list[Source]:
        """See `Reader`. A thread that is there twice (compressed and plain, archived and not) is read once, plain first."""
        found: dict[str, Source | None] = {}
        for root in self.roots(home, environ):
            for ending in (".jsonl", ".jsonl.zst"):
                for folder in ("sessions", "archived_sessions"):
                    for path in files.below(os.path.join(root, folder), (ending,)):
                        name = os.path.basename(path).removesuffix(".zst")
                        if name.startswith("rollout-") and name not in found:
                            reason = compressed.unreadable(path)
                            found[name] = source_at(self.name, path, unreadable=reason)
        threads: dict[str, list[str]] = {}
        for path in (source.path for source in found.values() if source is not None):
            threads.setdefault(lineage.thread_of(path)[0], []).append(path)
        return files.oldest_first(
            source and replace(source, related=_others(threads[lineage.thread_of(source.path)[0]], source.path))
            for source in found.values()
        )

    def read_all(self, source: Source, cursor: Cursor | None) -> Iterator[Reading]:
        """See `Reader`."""
        return engine.read_file(source, cursor, _factory(source), open_file=compressed.open_rollout)

    def read(self, source: Source, cursor: Cursor | None) -> Reading:
        """See `Reader`."""
        return next(engine.read_file(source, cursor, _factory(source), engine.IN_ONE, compressed.open_rollout))


def _others(paths: list[str], path: str) -> tuple[str, ...]:
    return tuple(sorted((other for other in paths if other != path), key=os.path.basename))


def _factory(source: Source) -> ParserFactory:
    def make(book: Book, state: Mapping[str, Json]) -> CodexParser:
        return CodexParser(book, state, lineage.inherited(source, _keys, at_top=book.whole))

    return make


def _keys(path: str) -> list[tuple[int, str, bool]]:
    """`(ordinal, key, is a prompt)` of the messages of another file of the lineage."""
    source = source_at("codex", path)
    if source is None:
        return []
    found: list[tuple[int, str, bool]] = []
    with compressed.open_rollout(path) as file:
        book = Book({}, whole=True)
        parser = CodexParser(book, {}, lineage.Inherited())
        for _, _, line, _ in jsonl.lines(file, 0):
            parser.line(line)
            indices = [draft.index for draft in book.drafts]
            found += [(parser.ordinal, book.graph.uid(at), bool(book.graph.flags(at) & PROMPT)) for at in indices]
            book.drafts.clear()
    return found


READER = Codex()
