"""kimi-cli, the Python program before Kimi Code: a folder a session, whose `wire.jsonl` says what was said and when.

Releases before the wire file kept a `context.jsonl`, first ones a `<id>.jsonl`: those are read where there is no wire file.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping

from scrubjay.agents import engine, files
from scrubjay.agents.base import Cursor, Json, Reading, Source, source_at
from scrubjay.agents.kimi_cli.context import ContextParser
from scrubjay.agents.kimi_cli.parser import WireParser
from scrubjay.agents.reading import Book, FileParser, ParserFactory


class KimiCli:
    """See `Reader`."""

    name = "kimi-cli"
    title = "kimi-cli"
    own_memory = ()

    def roots(self, home: str, environ: Mapping[str, str]) -> list[str]:
        """`KIMI_SHARE_DIR`, `~/.kimi`."""
        return files.existing([files.expanded(environ.get("KIMI_SHARE_DIR", ""), home), os.path.join(home, ".kimi")])

    def find(self, home: str, environ: Mapping[str, str]) -> list[Source]:
        """See `Reader`."""
        found = []
        for root in self.roots(home, environ):
            for path in files.below(os.path.join(root, "sessions"), (".jsonl",)):
                folders, name = path[len(root) :].split(os.sep)[2:-1], os.path.basename(path)
                sub_agent = "subagents" in folders
                if name == "wire.jsonl" or _only_context(path, len(folders)):
                    found.append(source_at(self.name, path, sub_agent=sub_agent))
        return files.oldest_first(found)

    def read_all(self, source: Source, cursor: Cursor | None) -> Iterator[Reading]:
        """See `Reader`."""
        return engine.read_file(source, cursor, _factory(source))

    def read(self, source: Source, cursor: Cursor | None) -> Reading:
        """See `Reader`."""
        return next(engine.read_file(source, cursor, _factory(source), engine.IN_ONE))


def _only_context(path: str, depth: int) -> bool:
    """A session of a release without a wire file: `<id>.jsonl`, or `context.jsonl` alone in its folder."""
    folder, name = os.path.split(path)
    if name == "context.jsonl":
        return not os.path.isfile(os.path.join(folder, "wire.jsonl"))
    return depth == 1 and not os.path.isdir(path.removesuffix(".jsonl"))


def _factory(source: Source) -> ParserFactory:
    folder, name = os.path.split(source.path)
    in_folder = name in ("wire.jsonl", "context.jsonl")
    session = os.path.basename(folder) if in_folder else name.removesuffix(".jsonl")

    def make(book: Book, state: Mapping[str, Json]) -> FileParser:
        known = {"id": session, "cwd": _work_folder(folder), "title": _title(folder) if in_folder else ""}
        # A known folder stays known: the client's list of folders may lose it.
        about: dict[str, Json] = {**state, **{key: value for key, value in known.items() if value}}
        about["sub"] = source.sub_agent
        if name == "wire.jsonl":
            return WireParser(book, about)
        return ContextParser(book, about, source.mtime_ns)

    return make


def _work_folder(folder: str) -> str:
    """The directory of a session: its folder is named by a hash of it, and `kimi.json` lists the directories."""
    parts = folder.split(os.sep)
    if "sessions" not in parts:
        return ""
    at = len(parts) - 1 - parts[::-1].index("sessions")
    if at + 1 >= len(parts):
        return ""
    digest = parts[at + 1].rpartition("_")[2]
    listed = files.small_json(os.path.join(os.sep.join(parts[:at]), "kimi.json")).get("work_dirs")
    for entry in listed if isinstance(listed, list) else ():
        path = entry.get("path") if isinstance(entry, dict) else None
        if (
            isinstance(path, str)
            and hashlib.md5(path.encode("utf-8", "replace"), usedforsecurity=False).hexdigest() == digest
        ):
            return path
    return ""


def _title(folder: str) -> str:
    title = files.small_json(os.path.join(folder, "state.json")).get("custom_title")
    return title[:200] if isinstance(title, str) else ""


READER = KimiCli()
