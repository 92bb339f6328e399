"""Which memories hold a word in their body, asked of the search index instead of cutting every body into words again.

The index may be behind the files, or not be there: it answers only for memories that it has in the bytes asked about.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from scrubjay.home import Home
from scrubjay.search import query


class Postings:
    """One state of the index, also when it is replaced meanwhile."""

    def __init__(self, home: Home, files: Mapping[str, tuple[str, str]]) -> None:
        """`files`: path → (hash of the bytes, memory id)."""
        self._connection: sqlite3.Connection | None = None
        self._connection = query.open(home.search)
        self._ids: dict[int, str] = {}
        self._found: dict[str, frozenset[str]] = {}
        if self._connection is not None:
            try:
                rows = self._connection.execute("SELECT n, path, sha FROM memories").fetchall()
            except sqlite3.Error:
                rows = []
            for n, path, sha in rows:
                asked = files.get(path)
                if asked is not None and asked[0] == sha:
                    self._ids[n] = asked[1]
        self.known = frozenset(self._ids.values())
        """Ids that it answers for."""

    def __del__(self) -> None:
        """A run asks until its end, which nobody tells: closed with the last reference (Python 3.13 warns otherwise)."""
        if self._connection is not None:
            self._connection.close()

    def holding(self, term: str) -> frozenset[str]:
        """Ids of known memories whose body holds this term of `tokens.index_terms`. Raises `sqlite3.Error`: a damaged
        index, of which nothing more should be asked."""
        if self._connection is None:
            return frozenset()
        if term not in self._found:
            rows = self._connection.execute("SELECT rowid FROM fts WHERE fts MATCH ?", (f'body_terms : "{term}"',))
            self._found[term] = frozenset(self._ids[n] for (n,) in rows if n in self._ids)
        return self._found[term]
