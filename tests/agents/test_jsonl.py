"""JSON Lines with every damage that was seen in the wild."""

from __future__ import annotations

import io
import json
import math
import tracemalloc
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.agents import jsonl


def scan(data: bytes) -> list[tuple[int, int, bytes, bool]]:
    return list(jsonl.lines(io.BytesIO(data), 0))


def test_lines_know_their_place_and_the_last_one_waits_for_its_lf() -> None:
    """A half-written last line is not consumed: it is read once it is complete."""
    assert scan(b'{"a":1}\n\n{"b":2}\r\n{"c"') == [
        (0, 8, b'{"a":1}', False),
        (8, 9, b"", False),
        (9, 18, b'{"b":2}\r', False),
    ]


@pytest.mark.parametrize(
    ("line", "found", "broken"),
    [
        (b'{"a":1}{"b":2}', [{"a": 1}, {"b": 2}], False),
        (b'\xef\xbb\xbf{"a":1}\r', [{"a": 1}], False),
        (b'\0\0\0\0{"a":1}', [{"a": 1}], False),
        (b"\0" * 50, [], False),
        (b"", [], False),
        (b"42", [], True),
        (b"null", [], True),
        (b'{"type":"user","mess{"type":"system","uuid":"u"}', [{"type": "system", "uuid": "u"}], True),
        (b'{"type":"user","mess', [], True),
        (b'{"a":"\xff\xfe"}', [{"a": "\ufffd\ufffd"}], False),
        (b'{"a":"tab\there"}', [{"a": "tab\there"}], False),
        (b'{"a":"\\ud83d"}', [{"a": "\ud83d"}], False),
        (b"[" * 100_000, [], True),
        (b'{"a":' * 100_000, [], True),
        (b'{"a":' + b"9" * 10_000 + b"}", [], True),
    ],
)
def test_records_of_a_line(line: bytes, found: list[jsonl.Record], broken: bool) -> None:
    """Glued records are both read, a whole one after a broken one too; what is broken is said, never raised."""
    assert jsonl.records(line) == (found, broken)


@given(st.binary(max_size=300))
def test_any_line_is_read_without_an_error(line: bytes) -> None:
    """Arbitrary bytes give records or are broken."""
    found, broken = jsonl.records(line)
    assert all(isinstance(record, dict) for record in found)
    assert isinstance(broken, bool)


VALUES = st.recursive(
    st.none()
    | st.integers()
    | st.text(max_size=300)
    | st.sampled_from(['\\"' * 90, "\\" * 99, "\ud83d\ude00" * 60, "é" * 150]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200)
@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=5), st.integers(1, 40), st.booleans())
def test_a_cut_line_is_the_same_record_with_shorter_strings(record: jsonl.Record, size: int, ascii_only: bool) -> None:
    """However the bytes arrive, the short line is JSON of the same shape; its strings are beginnings of the old ones."""
    line = json.dumps(record, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    cutter = jsonl.Cutter(keep=64)
    for start in range(0, len(line), size):
        cutter.feed(line[start : start + size])
    ((short,), broken) = jsonl.records(cutter.result())
    assert not broken
    _compare(short, jsonl.records(line)[0][0])


def _compare(short: object, whole: object) -> None:
    if isinstance(whole, str):
        assert isinstance(short, str)
        # Half an emoji may be left at the end: readers clean it away.
        assert jsonl.clean(whole).startswith(jsonl.clean(short).rstrip("\ufffd"))
        assert short == whole or len(json.dumps(whole)) > 64
    elif isinstance(whole, list):
        assert isinstance(short, list)
        assert len(short) == len(whole)
        for left, right in zip(short, whole, strict=True):
            _compare(left, right)
    elif isinstance(whole, dict):
        assert isinstance(short, dict)
        assert list(short) == list(whole)
        for key, value in whole.items():
            _compare(short[key], value)
    else:
        assert short == whole


class Generated(io.RawIOBase):
    """A file of `size` bytes that is never in memory: one short line, one of `size` bytes, one short line."""

    def __init__(self, size: int) -> None:
        self.pieces = iter(
            [b'{"n":1}\n{"text":"said","image":"', *[b"x" * jsonl.CHUNK] * (size // jsonl.CHUNK), b'"}\n{"n":2}\n']
        )

    def read(self, size: int = -1, /) -> bytes:
        return next(self.pieces, b"")


def test_a_line_of_any_length_is_cut_as_it_streams_in() -> None:
    """200 MB on one line, a few MB in memory; what was said beside the image is kept, the lines around it too."""
    tracemalloc.start()
    found = [(jsonl.records(line)[0][0], cut) for _, _, line, cut in jsonl.lines(Generated(200 << 20), 0)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [(record.get("n"), record.get("text"), cut) for record, cut in found] == [
        (1, None, False),
        (None, "said", True),
        (2, None, False),
    ]
    assert peak < 40 << 20


def test_a_line_that_no_shorter_strings_help_is_empty() -> None:
    """A line of millions of small values is given up, counted and stepped over."""
    data = b'{"a":[' + b"1," * (5 << 20) + b'1]}\n{"n":2}\n'
    assert [(line, cut) for _, _, line, cut in scan(data)] == [(b"", True), (b'{"n":2}', False)]
    assert scan(data)[-1][0] == data.rindex(b'{"n"')


@pytest.mark.parametrize(
    ("stamp", "second"),
    [
        ("2026-09-03T10:12:44.367Z", "2026-09-03T10:12:44Z"),
        ("2026-09-03T10:12:44Z", "2026-09-03T10:12:44Z"),
        ("2026-09-03T12:12:44+02:00", "2026-09-03T10:12:44Z"),
        ("2026-13-03T10:12:44Z", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_times(stamp: str, second: str) -> None:
    """Agents' time stamps, to the second, in UTC; what is none is empty."""
    assert jsonl.second(stamp) == second


def test_cleaned_text_can_be_stored() -> None:
    """Lone surrogates (cut emoji) and NULs go, whole emoji stay."""
    assert jsonl.clean("a\0b \ud83d \U0001f600") == "ab \ufffd \U0001f600"


@given(st.floats(0, 253_402_300_799))
def test_a_moment_is_what_datetime_says(seconds: float) -> None:
    """To the second, fractions cut off."""
    said = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=math.floor(seconds))
    assert jsonl.moment(seconds) == f"{said:%Y-%m-%dT%H:%M:%SZ}"
