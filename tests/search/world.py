"""An index in a temporary folder, filled straight from entries, and the facts of the scripted story as notes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrubjay.home import Home
from scrubjay.memory import Memory
from scrubjay.scope import Place
from scrubjay.search import build, query
from scrubjay.search.index import Entry
from tests.search.others import entry_of

GOLD: dict[str, Any] = json.loads((Path(__file__).parent / "gold.json").read_text(encoding="utf-8"))


def gold_memories() -> list[Memory]:
    """One note a fact in force: named by the first words of its statement, as a stand-in for what learning keeps."""
    return [
        Memory(
            id=f"m-{fact['id']}",
            name=" ".join(fact["statement"].split()[:6])[:80],
            description="",
            type=fact["type"],
            body=fact["statement"],
            anchors=tuple(tuple(anchor.items()) for anchor in fact["anchors"]),
        )
        for fact in GOLD["gold"]
    ]


def memory(number: int, body: str, **fields: Any) -> Memory:
    """A memory with the least that it needs."""
    given = {"name": " ".join(body.split()[:3]), "description": "", "type": "project"} | fields
    return Memory(id=f"m-{number:010d}", body=body, **given)


@dataclass
class World:
    """A home, a repository `acme-api` with the project key `acme-api-k3`, and the search index of what `put` was given."""

    base: Path
    entries: list[Entry] = field(default_factory=list)
    opened: list[sqlite3.Connection] = field(default_factory=list)

    def __del__(self) -> None:
        for connection in self.opened:
            connection.close()

    @property
    def home(self) -> Home:
        return Home(str(self.base / "home"))

    @property
    def repo(self) -> Path:
        return self.base / "acme-api"

    @property
    def store(self) -> str:
        return str(Path(self.home.projects) / "acme-api-k3")

    def place(self, below: str = "") -> Place:
        cwd = self.repo / below
        cwd.mkdir(parents=True, exist_ok=True)
        repo = str(self.repo)
        return Place(self.home, str(cwd), root=repo, worktree=repo, project="acme-api-k3", git=True)

    def put(self, *memories: Memory, store: str = "", **fields: Any) -> None:
        """Into the project's store unless another is named; each gets a file, so that it counts as unchanged."""
        for one in memories:
            entry = entry_of(one, store or self.store, **fields)
            path = Path(entry.path)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(one.body, encoding="utf-8")
            stat = path.stat()
            self.entries.append(_with(entry, mtime_ns=stat.st_mtime_ns, size=stat.st_size))

    def put_all(self, entries: Iterable[Entry]) -> None:
        """Entries without files of their own: what a search finds, but no block would show."""
        self.entries.extend(entries)

    def open(self) -> sqlite3.Connection:
        """The index of all that was put so far."""
        path = Path(self.home.search)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        build.write(str(path), iter(self.entries))
        connection = query.open(str(path))
        assert connection is not None
        self.opened.append(connection)
        return connection

    def found(self, text: str, *, stores: list[str] | None = None, **options: Any) -> list[str]:
        """Ids that a prompt finds, best first."""
        return [row.id for row in query.search(self.open(), text, stores or [self.store], **options).rows]


def _with(entry: Entry, **fields: Any) -> Entry:
    from dataclasses import replace

    return replace(entry, **fields)
