"""The loop over the lines of one file: where to begin, when to hand on a part, where the next read begins."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from scrubjay.agents import jsonl
from scrubjay.agents.base import Cursor, Json, Reading, Source
from scrubjay.agents.files import ByteFile, PlainFile
from scrubjay.agents.reading import MARK_EVERY, About, Book, FileParser, NeedWhole, ParserFactory
from scrubjay.errors import UnknownFormat
from scrubjay.session import Session

HEAD_BYTES = 4096
END_BYTES = 256
PART_CHARS = 4 << 20
"""Characters of text after which a part is handed on."""
PART_MESSAGES = 10_000
_SILENT_RECORDS = 20
"""So many new records without a known one among them: the format changed under a running session."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """When a part is handed on."""

    chars: int = PART_CHARS
    messages: int = PART_MESSAGES


IN_PARTS = Limits()
IN_ONE = Limits(chars=1 << 62, messages=1 << 62)


def read_file(
    source: Source,
    cursor: Cursor | None,
    make: ParserFactory,
    limits: Limits | None = None,
    open_file: Callable[[str], ByteFile] = PlainFile,
) -> Iterator[Reading]:
    """The parts of `source` that are new since `cursor` (`limits` None: `IN_PARTS`). See `Reader.read_all`."""
    limits = limits or IN_PARTS
    with open_file(source.path) as file:
        inode = file.inode()
        if cursor is not None and unchanged(file, inode, cursor):
            if not file.reaches(cursor.offset + 1):
                yield nothing_new(source, cursor)
                return
            try:
                yield from _Run(source, file, inode, cursor, make, limits).parts()
            except NeedWhole:
                pass
            else:
                return
            old_end = cursor.offset
        else:
            old_end = 0
        run = _Run(source, file, inode, None, make, limits)
        run.old_end = old_end
        for reading in run.parts():
            yield replace(reading, reread=cursor is not None)


def nothing_new(source: Source, cursor: Cursor) -> Reading:
    """Most files of a person's past stay as they are: not even their tail is read again."""
    known = {name: value for name in ("id", "cwd") if isinstance(value := cursor.state.get(name), str)}
    session = Session(
        agent=source.agent,
        id=source.session or known.get("id", ""),
        path=source.path,
        cwd=known.get("cwd", ""),
        messages=(),
        live=frozenset(),
        fresh=frozenset(),
        sub_agent=source.sub_agent,
    )
    return Reading(session=session, cursor=cursor)


def unchanged(file: ByteFile, inode: int, cursor: Cursor) -> bool:
    """Whether the part of the file that `cursor` covers is still what it was."""
    if inode != cursor.inode or not file.reaches(cursor.offset):
        return False
    return hashes(file, cursor.offset) == (cursor.head, cursor.end)


def hashes(file: ByteFile, offset: int) -> tuple[str, str]:
    """Hashes of the first bytes and of the last ones before `offset`."""
    file.seek(0)
    head = _read(file, min(HEAD_BYTES, offset))
    start = max(offset - END_BYTES, 0)
    file.seek(start)
    return _hash(head), _hash(_read(file, offset - start))


def _read(file: ByteFile, size: int) -> bytes:
    data = b""
    while len(data) < size and (more := file.read(size - len(data))):
        data += more
    return data


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=12).hexdigest()


class Understanding(Protocol):
    """What every parser can tell at the end of a part."""

    def about(self) -> About: ...
    def branches(self) -> dict[str, bool]: ...


class Pass:
    """One pass over a session: what files and databases have in common."""

    source: Source
    limits: Limits
    book: Book
    parser: Understanding

    def full(self) -> bool:
        """So much is read that it is handed on at the next boundary."""
        return self.book.chars >= self.limits.chars or len(self.book.drafts) >= self.limits.messages

    def strange(self) -> int:
        """How many records nobody understood, and lines that are none."""
        skipped = self.book.skipped
        return skipped["broken_lines"] + sum(n for kind, n in skipped.items() if kind.startswith("unknown_records"))

    def part(self, *, last: bool) -> Reading:
        """What was read since the last part."""
        book, parser = self.book, self.parser
        session = book.session(self.source.agent, self.source.path, parser.about(), sub_agent=self.source.sub_agent)
        branches = {**parser.branches(), **book.corrections()} if last else {}
        return Reading(session=session, cursor=self.cursor(), last=last, branches=branches)

    def cursor(self) -> Cursor:
        """Where the next read begins."""
        raise NotImplementedError


class _Run(Pass):
    """One pass over the file, from the cursor's tail or from the top."""

    parser: FileParser

    def __init__(
        self, source: Source, file: ByteFile, inode: int, cursor: Cursor | None, make: ParserFactory, limits: Limits
    ) -> None:
        self.source, self.file, self.inode, self.limits = source, file, inode, limits
        self.start = cursor.tail if cursor else 0
        self.start_line = cursor.tail_line if cursor else 1
        self.start_state: dict[str, Json] = dict(cursor.state) if cursor else {}
        self.old_end = cursor.offset if cursor else 0
        # A tail at the very top sees everything: nothing can hang on what lies before it.
        self.book = Book(self.start_state, whole=self.start == 0)
        self.parser = make(self.book, self.start_state)
        self.end, self.next_line = self.start, self.start_line

    def parts(self) -> Iterator[Reading]:
        book, parser = self.book, self.parser
        self.file.seek(self.start)
        block = self.start // MARK_EVERY
        for offset, end, line, cut in jsonl.lines(self.file, self.start):
            if offset // MARK_EVERY != block and parser.held_from() is None:
                block = offset // MARK_EVERY
                parser.boundary()
                book.place.offset, book.place.line = offset, self.next_line
                book.mark(parser.state())
            if book.cut_at_boundary and parser.held_from() is None and self.full():
                yield self.part(last=False)
                book.forget()
            book.cut_at_boundary = False
            place = book.place
            place.offset, place.end, place.line, place.fresh = offset, end, self.next_line, offset >= self.old_end
            if cut:
                book.skip("long_lines_cut")
            parser.line(line)
            self.end, self.next_line = end, self.next_line + 1
        held = parser.held_from()
        if held is not None:
            self.end = held
        self._check_understood()
        yield self.part(last=True)

    def cursor(self) -> Cursor:
        position = self.file.tell()
        head, end = hashes(self.file, self.end)
        self.file.seek(position)
        candidate = self.book.tail(self.end)
        if candidate is None:
            tail, line, state = self.start, self.start_line, self.start_state
        else:
            tail, line = candidate.offset, candidate.line
            state = {**candidate.state, **self.book.anchors(candidate)}
        return Cursor(
            offset=max(self.end, self.start),
            tail=tail,
            tail_line=line,
            inode=self.inode,
            head=head,
            end=end,
            state=state,
        )

    def _check_understood(self) -> None:
        book = self.book
        nothing = not book.drafts and not book.handed_on
        silent = book.understood == 0 and book.fresh_records >= _SILENT_RECORDS
        if self.strange() and ((self.book.whole and nothing) or silent):
            kinds = [kind.partition(":")[2] for kind in book.skipped if kind.startswith("unknown_records:")]
            first = f"first unknown record type {kinds[0]!r}" if kinds else "no line is a record"
            raise UnknownFormat(
                f"nothing in this file is understood: {first}",
                at=self.source.path,
                hint="`jay doctor` lists the formats that are read; the file is tried again at the next run",
            )
