"""JSON Lines as agents really write them: streamed, with every damage seen in the wild counted and stepped over.

Complete lines only: what follows the last LF may be half written and is left for the next read. A line may hold two
records (a writer died before its LF), NULs (a crash of the machine), control characters, bytes that are no UTF-8, lone
surrogates, or one string of 200 MB.
"""

from __future__ import annotations

import functools
import json
import math
import re
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from scrubjay import clock

Record = dict[str, object]

MAX_LINE = 8 << 20
"""Bytes. A longer line is cut while it streams in: `Cutter` shortens its long strings and keeps it valid JSON."""
KEEP_OF_STRING = 64 << 10
"""Bytes that a cut line keeps of each string."""
CHUNK = 1 << 20

_DECODER = json.JSONDecoder(strict=False)
_SCAN: Callable[[str, int], tuple[object, int]] = _DECODER.scan_once  # type: ignore[attr-defined]
_RECORD_START = re.compile(r'\{"(?:parentUuid|type|uuid|timestamp|logicalParentUuid|id|record_type)"\s*:')
_NOTHING = " \t\r\n\0\ufeff"
_SALVAGE_TRIES = 16
_UTC = re.compile(
    r"[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z", re.ASCII
)


class ByteStream(Protocol):
    """What reading needs of an open file."""

    def read(self, size: int, /) -> bytes: ...


class Cutter:
    """Shortens the long strings of one JSON line that arrives in pieces; memory stays below `MAX_LINE`."""

    def __init__(self, keep: int = KEEP_OF_STRING) -> None:
        self._keep_of_string = keep
        self._out = bytearray()
        self._in_string = False
        self._odd_backslashes = False
        self._kept = 0
        self.overflow = False

    def feed(self, piece: bytes) -> None:
        position = 0
        while position < len(piece):
            if self._in_string:
                position = self._string(piece, position)
            else:
                quote = piece.find(b'"', position)
                end = len(piece) if quote < 0 else quote + 1
                self._keep(piece[position:end])
                position = end
                if quote >= 0:
                    self._in_string, self._kept, self._odd_backslashes = True, 0, False

    def result(self) -> bytes:
        return bytes(self._out)

    def _string(self, piece: bytes, position: int) -> int:
        """Consume string content from `position`; the position after the closing quote, or the end of the piece."""
        start = position
        while True:
            quote = piece.find(b'"', position)
            end = len(piece) if quote < 0 else quote
            odd = self._ends_with_odd_backslashes(piece, start, end)
            if quote < 0:
                self._keep_text(piece[start:end])
                self._odd_backslashes = odd
                return end
            if not odd:
                self._keep_text(piece[start:end])
                self._close()
                return quote + 1
            position = quote + 1

    def _ends_with_odd_backslashes(self, piece: bytes, start: int, end: int) -> bool:
        run = end
        while run > start and piece[run - 1] == 0x5C:
            run -= 1
        odd = (end - run) % 2 == 1
        return odd != self._odd_backslashes if run == start else odd

    def _keep_text(self, text: bytes) -> None:
        room = self._keep_of_string - self._kept
        if room > 0:
            self._keep(text[:room])
        self._kept += len(text)

    def _close(self) -> None:
        if self._kept > self._keep_of_string:
            # An escape or a surrogate pair (12 bytes) may have been cut in two: end before the last backslash.
            last = self._out.rfind(b"\\", len(self._out) - 12)
            if last >= 0:
                while last > 0 and self._out[last - 1] == 0x5C:
                    last -= 1
                del self._out[last:]
        self._in_string = False
        self._keep(b'"')

    def _keep(self, text: bytes) -> None:
        if len(self._out) + len(text) > MAX_LINE:
            self.overflow = True
        if not self.overflow:
            self._out += text


def lines(file: ByteStream, start: int) -> Iterator[tuple[int, int, bytes, bool]]:
    """`(offset, end, line, cut)` for each complete line from byte `start` on, where `file` stands; the LF is not included.

    `end` is the offset after the LF. `cut` lines were longer than `MAX_LINE`; one that could not be shortened is empty.
    """
    offset, rest = start, b""
    while chunk := file.read(CHUNK):
        parts = (rest + chunk).split(b"\n") if rest else chunk.split(b"\n")
        rest = parts.pop()
        for part in parts:
            end = offset + len(part) + 1
            yield offset, end, part, False
            offset = end
        if len(rest) > MAX_LINE:
            done = _cut(file, rest)
            if done is None:
                return
            length, line, rest = done
            yield offset, offset + length + 1, line, True
            offset += length + 1
            # What came after the LF may hold whole lines again.
            parts = rest.split(b"\n")
            rest = parts.pop()
            for part in parts:
                yield offset, offset + len(part) + 1, part, False
                offset += len(part) + 1


def _cut(file: ByteStream, first: bytes) -> tuple[int, bytes, bytes] | None:
    """Length in bytes of the overlong line that begins with `first`, its shortened form, what follows it; None: no LF yet."""
    cutter, length = Cutter(), len(first)
    cutter.feed(first)
    while chunk := file.read(CHUNK):
        newline = chunk.find(b"\n")
        if newline >= 0:
            cutter.feed(chunk[:newline])
            return length + newline, b"" if cutter.overflow else cutter.result(), chunk[newline + 1 :]
        cutter.feed(chunk)
        length += len(chunk)
    return None


def records(line: bytes) -> tuple[list[Record], bool]:
    """The JSON objects on a line, in order, and whether a part of it was broken. Never raises."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = line.decode("utf-8", "replace")
    try:
        only, end = _SCAN(text, 0)
        if end == len(text) and type(only) is dict:  # nearly all
            return [only], False
    except (StopIteration, ValueError, RecursionError):
        pass
    found: list[Record] = []
    position, broken = _skip(text, 0), False
    while position < len(text):
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            rest = _salvage(text, position + 1)
            return found + rest, True
        if isinstance(value, dict):
            found.append(value)
        else:
            broken = True
        position = _skip(text, position)
    return found, broken


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position] in _NOTHING:
        position += 1
    return position


def _salvage(text: str, position: int) -> list[Record]:
    """Whole records after a broken one on the same line: a writer died inside a line and the next one went on in it."""
    tries = 0
    for match in _RECORD_START.finditer(text, position):
        tries += 1
        if tries > _SALVAGE_TRIES:
            break
        found: list[Record] = []
        at = match.start()
        try:
            while at < len(text):
                value, at = _DECODER.raw_decode(text, at)
                if not isinstance(value, dict):
                    break
                found.append(value)
                at = _skip(text, at)
            else:
                return found
        except (ValueError, RecursionError):
            continue
    return []


def decoded(text: str) -> object:
    """The JSON value that a string of a record holds; None when it holds none."""
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def clean(text: str) -> str:
    """`text` without lone surrogates and NULs, so that it can be encoded and stored."""
    if "\0" in text:
        text = text.replace("\0", "")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def string(record: Record, name: str) -> str:
    """`record[name]` when it is a string, cleaned; else ""."""
    value = record.get(name)
    if type(value) is not str:
        return ""
    return value if value.isascii() and "\0" not in value else clean(value)


def table(record: Record, name: str) -> Record:
    """`record[name]` when it is an object; else an empty one."""
    value = record.get(name)
    return value if type(value) is dict else {}


def array(record: Record, name: str) -> list[object]:
    """`record[name]` when it is a list; else an empty one."""
    value = record.get(name)
    return value if type(value) is list else []


def objects(record: Record, name: str) -> list[Record]:
    """The objects of the list `record[name]`; nulls and other things in it are passed over."""
    return [value for value in array(record, name) if type(value) is dict]


def moment(seconds: float) -> str:
    """`2026-09-03T10:12:44Z` of seconds since 1970, before the year 10000."""
    minute, rest = divmod(math.floor(seconds), 60)
    return f"{_minute(minute)}{rest:02}Z"


@functools.lru_cache(maxsize=64)
def _minute(minutes: int) -> str:
    """`2026-09-03T10:12:`; records come in the order of their times, so nearly all ask for the same."""
    at = time.gmtime(minutes * 60)
    return f"{at.tm_year:04}-{at.tm_mon:02}-{at.tm_mday:02}T{at.tm_hour:02}:{at.tm_min:02}:"


def second(stamp: str) -> str:
    """An agent's time stamp as `2026-09-03T10:12:44Z`; "" when it is none."""
    if _UTC.fullmatch(stamp):
        return stamp[:19] + "Z"
    moment = clock.parse(stamp) if stamp else None
    return clock.text(moment) if moment and moment.year >= 1000 else ""
