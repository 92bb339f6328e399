"""Chat files of earlier releases: one JSON object, written anew with each message, indented by two blanks.

The indented form is taken apart by its lines, so that no file is too large: no string holds a line feed, and an element of
`messages` begins and ends with a line of four blanks and a brace.
"""

from __future__ import annotations

from scrubjay.agents.files import PlainFile
from scrubjay.agents.gemini_cli.parser import GeminiParser
from scrubjay.agents.jsonl import MAX_LINE, Cutter, Record, objects, records

_BEGIN, _ENDS = b"    {", (b"    }", b"    },")
_FRAME = frozenset((b"{", b"}", b"  ]", b"  ],", b"  }", b"  },"))
_FIELDS = frozenset(
    ("sessionId", "projectHash", "startTime", "lastUpdated", "messages", "summary", "directories", "kind")
)


class LegacyFile(PlainFile):
    """The file with a line feed after its last brace, where there is none."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._file.seek(0, 2)
        self._size, self._at = self._file.tell(), 0
        self._file.seek(0)

    def read(self, size: int, /) -> bytes:
        if self._at < self._size:
            data = self._file.read(min(size, self._size - self._at))
            self._at += len(data)
            return data
        if self._at == self._size and size > 0:
            self._at += 1
            return b"\n"
        return b""

    def seek(self, offset: int, /) -> None:
        self._at = offset
        self._file.seek(min(offset, self._size))

    def tell(self) -> int:
        return self._at

    def reaches(self, offset: int, /) -> bool:
        return offset <= self._size + 1


class LegacyParser(GeminiParser):
    """See the module."""

    _open: bytearray | None = None
    _cutter: Cutter | None = None
    _begun = 0

    def held_from(self) -> int | None:
        return self._begun if self._open is not None else None

    def line(self, line: bytes) -> None:
        line = line.rstrip(b"\r")
        if self._open is not None:
            self._add(line)
            if line in _ENDS:
                self._close()
        elif line == _BEGIN:
            self._open, self._cutter, self._begun = bytearray(), None, self.book.place.offset
            self._add(line)
        elif line.startswith(b'  "'):
            # `"messages": [` and other beginnings of lists and objects say nothing by themselves.
            found, _ = records(b"{" + line.rstrip().rstrip(b",") + b"}")
            for record in found:
                self._fields(record)
        elif line.startswith(b"{") and line != b"{":
            for record in self.records(line):
                self._fields(record)
        elif line.strip() and line not in _FRAME and not line.startswith(b"    "):
            self.book.skip("broken_lines")

    def _fields(self, record: Record) -> None:
        if record.keys() & _FIELDS:
            self.count(known=True)
        else:
            self._strange(next(iter(record), ""))
        self._header(record)
        for message in objects(record, "messages"):
            self.take(message)

    def _add(self, line: bytes) -> None:
        assert self._open is not None
        if self._cutter is None:
            self._open += line + b"\n"
            if len(self._open) > MAX_LINE:
                self._cutter = Cutter()
                self._cutter.feed(bytes(self._open))
                self._open.clear()
                self.book.skip("long_lines_cut")
        else:
            self._cutter.feed(line + b"\n")

    def _close(self) -> None:
        data = bytes(self._open or b"")
        if self._cutter is not None:
            data = b"" if self._cutter.overflow else self._cutter.result()
        self._open, self._cutter = None, None
        found, broken = records(data.rstrip().rstrip(b","))
        if broken:
            self.book.skip("broken_lines")
        place = self.book.place
        offset, place.offset = place.offset, self._begun
        for record in found:
            self.take(record)
        place.offset = offset
