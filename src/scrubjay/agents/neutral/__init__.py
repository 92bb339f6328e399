"""`scrubjay.session/1`: sessions of any agent, written by whoever builds it, given to `jay ingest`.

Unlike an agent's own files these are written for us: what is wrong in one is an error with its line, and nothing is learnt
from a file that has one. There is nothing to find on a disk, so this is no `READER` of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from scrubjay.agents import jsonl
from scrubjay.agents.base import Cursor, Json, Reading, Source
from scrubjay.agents.engine import IN_ONE, IN_PARTS, Limits
from scrubjay.agents.jsonl import ByteStream
from scrubjay.agents.neutral import record as records
from scrubjay.agents.neutral.parser import NeutralParser
from scrubjay.agents.reading import Book
from scrubjay.agents.rows import Table, read_rows
from scrubjay.errors import BadInput

__all__ = ["Neutral", "neutral_source"]

STANDARD_INPUT = "-"


def neutral_source(path: str) -> Source:
    """The file (or `-`) as a Source; its agent is what its first line says."""
    return Source(agent="ingest", path=path, size=0, mtime_ns=0, inode=0)


class Neutral:
    """Reads one stream, once, from where it stands (see `Reader`). Raises `BadInput` at the first line that is wrong."""

    name = "ingest"
    title = "scrubjay.session/1"
    own_memory: tuple[str, ...] = ()

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream

    def roots(self, home: str, environ: Mapping[str, str]) -> list[str]:  # noqa: ARG002
        """None: see the module."""
        return []

    def find(self, home: str, environ: Mapping[str, str]) -> list[Source]:  # noqa: ARG002
        """None: see the module."""
        return []

    def read_all(self, source: Source, cursor: Cursor | None) -> Iterator[Reading]:  # noqa: ARG002
        """The whole stream; what was learnt before is known by its keys, not by a cursor."""
        return self._read(source, IN_PARTS)

    def read(self, source: Source, cursor: Cursor | None) -> Reading:  # noqa: ARG002
        """As `read_all`, in one part."""
        return next(self._read(source, IN_ONE))

    def _read(self, source: Source, limits: Limits) -> Iterator[Reading]:
        found = _lines(self._stream, "standard input" if source.path == STANDARD_INPUT else source.path)
        first = next(found, None)
        if first is None:
            raise BadInput("nothing in it: the first line must be the session", at=source.path, hint=records.HINT)
        number, header, at = first
        if header["type"] != "session":
            raise BadInput("the first line must be the session", at=at, hint=records.HINT)
        one = Source(
            agent=str(header["agent"]), path=source.path, session=str(header["session"]), size=0, mtime_ns=0, inode=0
        )

        def rows(_start: int) -> Iterator[tuple[int, tuple[jsonl.Record, str]]]:
            for ordinal, record, place in chain([(number, header, at)], found):
                yield ordinal, (record, place)

        def make(book: Book, _state: Mapping[str, Json]) -> NeutralParser:
            return NeutralParser(book)

        yield from read_rows(one, None, Table(end=0, rows=rows, settled=lambda _before: ""), make, limits)


class _Ended:
    """A stream whose last line ends, too."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream, self._last, self._done = stream, b"\n", False

    def read(self, size: int, /) -> bytes:
        data = self._stream.read(size)
        if data:
            self._last = data[-1:]
            return data
        end = b"" if self._done or self._last == b"\n" else b"\n"
        self._done = True
        return end


def _lines(stream: ByteStream, name: str) -> Iterator[tuple[int, jsonl.Record, str]]:
    """Number, record and place of each line that is not empty."""
    for number, (_, _, line, cut) in enumerate(jsonl.lines(_Ended(stream), 0), 1):
        at = f"{name}:{number}"
        if cut and not line:
            raise BadInput("a line of more than 8 MB that cannot be shortened", at=at, hint=records.HINT)
        if line.strip():
            yield number, records.read(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, at), at
