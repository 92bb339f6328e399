"""Kimi Code: a folder a session below `sessions/`, in it one wire file for each agent of the session."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from scrubjay.agents import engine, files
from scrubjay.agents.base import Cursor, Json, Reading, Source, source_at
from scrubjay.agents.kimi_code import place
from scrubjay.agents.kimi_code.parser import KimiParser
from scrubjay.agents.reading import Book, ParserFactory


class KimiCode:
    """See `Reader`."""

    name = "kimi-code"
    title = "Kimi Code"
    own_memory = ()

    def roots(self, home: str, environ: Mapping[str, str]) -> list[str]:
        """`KIMI_CODE_HOME`, `~/.kimi-code`."""
        return files.existing(
            [files.expanded(environ.get("KIMI_CODE_HOME", ""), home), os.path.join(home, ".kimi-code")]
        )

    def find(self, home: str, environ: Mapping[str, str]) -> list[Source]:
        """See `Reader`."""
        wires = (
            path
            for root in self.roots(home, environ)
            for path in files.below(os.path.join(root, "sessions"), ("wire.jsonl",))
            if os.path.basename(path) == "wire.jsonl"
        )
        return files.oldest_first(
            source_at(self.name, path, sub_agent=place.agent_of(path) != "main") for path in wires
        )

    def read_all(self, source: Source, cursor: Cursor | None) -> Iterator[Reading]:
        """See `Reader`."""
        return engine.read_file(source, cursor, _factory(source))

    def read(self, source: Source, cursor: Cursor | None) -> Reading:
        """See `Reader`."""
        return next(engine.read_file(source, cursor, _factory(source), engine.IN_ONE))


def _factory(source: Source) -> ParserFactory:
    def make(book: Book, state: Mapping[str, Json]) -> KimiParser:
        about = place.about_of(source.path)
        # What the state file said at the first read stays true when the client takes the file away.
        known: dict[str, Json] = {**state, **{key: value for key, value in about.items() if value}}
        known["sub"] = source.sub_agent
        return KimiParser(book, known, place.originals(known))

    return make


READER = KimiCode()
