"""The loop over the rows of one session in a database: what `engine` is for the lines of a file.

A row's ordinal (its id, its number in the session) takes the place of the byte offset. Rows are only appended, save that a
client marks rows as taken back, or replaces them; `Table.settled` tells the rows that were read from changed ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from scrubjay.agents.base import Cursor, Json, Reading, Source
from scrubjay.agents.engine import IN_PARTS, Limits, Pass, Understanding, nothing_new
from scrubjay.agents.reading import Book, Candidate, NeedWhole
from scrubjay.errors import UnknownFormat

MARK_ROWS = 2_000
"""Rows between two places inside a turn where a later read may begin."""
MAX_TAIL_ROWS = 3 * MARK_ROWS
"""The next read begins two turns back, one turn back, or at a mark, whichever is within so many rows."""


class RowParser(Understanding, Protocol):
    """One agent's understanding of one session's rows (see `reading.FileParser`)."""

    def row(self, row: Any) -> None: ...
    def boundary(self) -> None: ...
    def state(self) -> dict[str, Json]: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """One session's rows as they stand now."""

    end: int
    """One more than the last row's ordinal."""
    rows: Callable[[int], Iterator[tuple[int, Any]]]
    """The rows from an ordinal on, in order, each with its ordinal."""
    settled: Callable[[int], str]
    """What is the same as long as the rows before an ordinal are as they were; holds no text of a message."""


class Counted:
    """A `Table.settled` of three numbers: how many rows stand before an ordinal, their first ordinal, and a sum over them.

    `count` tells the numbers of the rows from one ordinal on and before another. Whoever reads the rows tells them by `add`,
    so that nothing is counted twice.
    """

    def __init__(self, count: Callable[[int, int], tuple[object, ...] | None]) -> None:
        self._count = count
        self._states: list[tuple[int, tuple[int, int | None, int | None]]] = [(0, (0, None, None))]
        """Ordinal → the numbers before it; the last two, since a part ends before the row that was asked for last."""

    def add(self, ordinal: int, value: int) -> None:
        """The next row, which follows the one that was told or counted last."""
        rows, first, total = self._states[-1][1]
        new = (rows + 1, ordinal if first is None else first, (total or 0) + value)
        self._states = [self._states[-1], (ordinal + 1, new)]

    def __call__(self, before: int) -> str:
        for end, told in self._states:
            if end == before:
                return "/".join(map(str, told))
        end, (rows, first, total) = self._states[-1]
        if before < end:
            end, rows, first, total = 0, 0, None, None
        more = [value if isinstance(value, int) else None for value in self._count(end, before) or ()]
        count, least, value, *_ = (*more, None, None, None)
        new = (rows + (count or 0), least if first is None else first, total if value is None else (total or 0) + value)
        self._states = [(before, new)]
        return "/".join(map(str, new))


def read_rows(
    source: Source,
    cursor: Cursor | None,
    table: Table,
    make: Callable[[Book, Mapping[str, Json]], RowParser],
    limits: Limits | None = None,
) -> Iterator[Reading]:
    """The parts of a session that are new since `cursor` (`limits` None: `IN_PARTS`). See `Reader.read_all`."""
    limits = limits or IN_PARTS
    if cursor is not None and cursor.inode == source.inode and cursor.head == table.settled(cursor.offset):
        if table.end <= cursor.offset:
            yield nothing_new(source, cursor)
            return
        try:
            yield from _Run(source, table, cursor, make, limits).parts()
        except NeedWhole:
            pass
        else:
            return
    run = _Run(source, table, None, make, limits)
    run.old_end = cursor.offset if cursor is not None and cursor.inode == source.inode else 0
    for reading in run.parts():
        yield replace(reading, reread=cursor is not None)


class _Run(Pass):
    """One pass over the rows, from the cursor's tail or from the first."""

    parser: RowParser

    def __init__(
        self,
        source: Source,
        table: Table,
        cursor: Cursor | None,
        make: Callable[[Book, Mapping[str, Json]], RowParser],
        limits: Limits,
    ) -> None:
        self.source, self.table, self.limits = source, table, limits
        self.start = cursor.tail if cursor else 0
        self.start_state: dict[str, Json] = dict(cursor.state) if cursor else {}
        self.old_end = cursor.offset if cursor else 0
        self.book = Book(self.start_state, whole=self.start == 0)
        self.parser = make(self.book, self.start_state)
        self.end = self.start
        self.count = 0
        self._counts: dict[int, int] = {}
        """Ordinal of each place where the next read may begin → rows of this read before it."""

    def parts(self) -> Iterator[Reading]:
        book, parser = self.book, self.parser
        for ordinal, row in self.table.rows(self.start):
            place = book.place
            place.offset = place.line = ordinal
            place.end, place.fresh = ordinal + 1, ordinal >= self.old_end
            if self.count % MARK_ROWS == MARK_ROWS - 1:
                parser.boundary()
                book.mark(parser.state())
                self._counts[ordinal] = self.count
            if book.cut_at_boundary and self.full():
                yield self.part(last=False)
                book.forget()
            book.cut_at_boundary = False
            parser.row(row)
            if book.turns and book.turns[-1].offset == ordinal:
                self._counts[ordinal] = self.count
            self.end = ordinal + 1
            self.count += 1
        self._check_understood()
        yield self.part(last=True)

    def cursor(self) -> Cursor:
        end = max(self.end, self.start)
        candidate = self._tail()
        if candidate is None:
            tail, state = self.start, self.start_state
        else:
            tail, state = candidate.offset, {**candidate.state, **self.book.anchors(candidate)}
        return Cursor(
            offset=end,
            tail=min(tail, end),
            tail_line=0,
            inode=self.source.inode,
            head=self.table.settled(end),
            end="",
            state=state,
        )

    def _tail(self) -> Candidate | None:
        """The best place for the next read to begin; None: where this one did."""
        book = self.book
        self._counts = {one.offset: self._counts.get(one.offset, 0) for one in (*book.turns, *book.marks)}
        since = {offset: self.count - count for offset, count in self._counts.items()}
        good = [turn for turn in book.turns[-2:] if since[turn.offset] <= MAX_TAIL_ROWS]
        if good:
            return good[0]
        far = [mark for mark in book.marks if since[mark.offset] >= MARK_ROWS]
        return far[-1] if far else book.marks[0] if book.marks else None

    def _check_understood(self) -> None:
        book = self.book
        if self.strange() and book.whole and not book.drafts and not book.handed_on and not book.understood:
            raise UnknownFormat(
                f"nothing in session {self.source.session} is understood",
                at=self.source.path,
                hint="`jay doctor` lists the formats that are read; the session is tried again at the next run",
            )
