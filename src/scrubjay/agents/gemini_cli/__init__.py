"""Gemini CLI: chat files below `tmp/<project>/chats/`; those of sub-agents in a folder named after their session."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping

from scrubjay.agents import engine, files
from scrubjay.agents.base import Cursor, Json, Reading, Source, source_at
from scrubjay.agents.engine import Limits
from scrubjay.agents.gemini_cli.legacy import LegacyFile, LegacyParser
from scrubjay.agents.gemini_cli.parser import GeminiParser
from scrubjay.agents.reading import Book, FileParser

_MAX_SMALL_FILE = 1 << 20
_SESSION = re.compile(rb'"sessionId":\s*"([^"\\]{1,100})"')


class GeminiCli:
    """See `Reader`."""

    name = "gemini-cli"
    title = "Gemini CLI"
    own_memory = ("tmp/*/memory",)

    def roots(self, home: str, environ: Mapping[str, str]) -> list[str]:
        """`.gemini` in `GEMINI_CLI_HOME`, which stands for the home folder, else in the home folder."""
        return files.existing([os.path.join(environ.get("GEMINI_CLI_HOME") or home, ".gemini")])

    def find(self, home: str, environ: Mapping[str, str]) -> list[Source]:
        """See `Reader`. A chat of an earlier release that was resumed goes on in a `.jsonl` beside its `.json`."""
        found = []
        for root in self.roots(home, environ):
            top = os.path.join(root, "tmp")
            there = list(files.below(top, (".jsonl", ".json")))
            names = frozenset(there)
            for path in there:
                _, chats, *rest = (*path[len(top) + 1 :].split(os.sep), "", "")[:4]
                nested = bool(rest and rest[1])
                if chats != "chats" or not (nested or os.path.basename(path).startswith("session-")):
                    continue
                if not path.endswith(".json") or path + "l" not in names:
                    found.append(source_at(self.name, path, sub_agent=nested))
        return files.oldest_first(found)

    def read_all(self, source: Source, cursor: Cursor | None) -> Iterator[Reading]:
        """See `Reader`."""
        return _read(source, cursor, None)

    def read(self, source: Source, cursor: Cursor | None) -> Reading:
        """See `Reader`."""
        return next(_read(source, cursor, engine.IN_ONE))


def _read(source: Source, cursor: Cursor | None, limits: Limits | None) -> Iterator[Reading]:
    legacy = source.path.endswith(".json")
    project = _project_folder(source.path)

    def make(book: Book, state: Mapping[str, Json]) -> FileParser:
        known = dict(state)
        known["cwd"] = known.get("cwd") or root_of(project)
        known["sub"] = source.sub_agent or known.get("sub") is True
        kind = LegacyParser if legacy else GeminiParser
        return kind(book, known, _typed(os.path.join(project, "logs.json")))

    return engine.read_file(source, cursor, make, limits, LegacyFile if legacy else files.PlainFile)


def _project_folder(path: str) -> str:
    """`…/tmp/<project>` of a chat file."""
    folder = os.path.dirname(path)
    while os.path.basename(folder) != "chats" and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return os.path.dirname(folder)


def root_of(project: str) -> str:
    """The directory that a project's folder stands for: `.project_root` in it, else the folder's name, which is a short
    name listed in `projects.json` or, in earlier releases, the SHA-256 of the path. "" when it is not to be had."""
    root = _small_file(os.path.join(project, ".project_root")).strip()
    if root.startswith("/") and "\n" not in root:
        return root
    try:
        listed = json.loads(_small_file(os.path.join(os.path.dirname(os.path.dirname(project)), "projects.json")))
        paths = {str(path): slug for path, slug in listed["projects"].items() if isinstance(slug, str)}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ""
    name = os.path.basename(project)
    for path, slug in paths.items():
        if name in (slug, hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()):
            return path
    return ""


def _small_file(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_MAX_SMALL_FILE).decode("utf-8", "replace")
    except OSError:
        return ""


def _typed(path: str) -> frozenset[str]:
    """Ids of the sessions in a project's `logs.json`, where the terminal, and nothing else, keeps what is typed into it."""
    try:
        info = os.stat(path)
    except OSError:
        return frozenset()
    return _listed(path, info.st_mtime_ns, info.st_size)


@functools.lru_cache(maxsize=64)
def _listed(path: str, _mtime_ns: int, _size: int) -> frozenset[str]:
    found: set[bytes] = set()
    try:
        with open(path, "rb") as file:
            rest = b""
            while chunk := file.read(1 << 20):
                data = rest + chunk
                found.update(match[1] for match in _SESSION.finditer(data))
                rest = data[-200:]
    except OSError:
        pass
    return frozenset(one.decode("utf-8", "replace") for one in found)


READER = GeminiCli()
