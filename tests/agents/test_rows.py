"""What tells the rows that were read from changed ones, and rows that are too large to be loaded."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.agents import hermes
from scrubjay.agents.rows import Counted
from tests.agents.stores import HermesStore

ROWS = st.dictionaries(st.integers(0, 30), st.integers(0, 1), max_size=20)


@given(ROWS, st.lists(st.tuples(st.integers(0, 31), st.booleans()), max_size=8))
def test_what_was_told_while_reading_is_what_a_count_gives(rows: dict[int, int], asked: list[tuple[int, bool]]) -> None:
    """Whether the rows before an ordinal were read just now or are counted by the database, from whatever place."""

    def count(start: int, before: int) -> tuple[object, ...]:
        there = [row for row in rows if start <= row < before]
        return (len(there), min(there), sum(rows[row] for row in there)) if there else (0, None, None)

    counted = Counted(count)
    for before, reading in asked:
        if reading:
            counted(before)
            for row in sorted(row for row in rows if row >= before):
                counted.add(row, rows[row])
                assert counted(row) == Counted(count)(row)
                assert counted(row + 1) == Counted(count)(row + 1)
        assert counted(before) == "/".join(str(value) for value in count(0, before))


@pytest.mark.parametrize("text", ["é" * 500, '\0json:[{"type": "text", "text": "' + "é" * 500 + '"}]'])
def test_a_huge_row_of_hermes_gives_its_beginning(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without SQLite loading all of it; a list of parts as far as the larger limit."""
    monkeypatch.setattr(hermes, "_MAX_CONTENT", 101)
    store = HermesStore(tmp_path)
    store.session("s1")
    store.turn("s1", text)
    store.turn("s1", "short")
    store.read()
    (first, _), (second, _) = store.prompts("s1")
    assert first.startswith("é" * 50)
    assert first.strip("é").strip("\N{REPLACEMENT CHARACTER}") == ""
    assert second == "short"
    assert len(first) == 500 or text.startswith("é")


@pytest.mark.parametrize("at", [math.inf, -math.inf, 1e300])
def test_a_time_that_no_clock_shows(at: float, tmp_path: Path) -> None:
    """Is none, and the session is found and read all the same."""
    store = HermesStore(tmp_path)
    store.session("s1")
    store.say("s1", "user", "always use tabs", timestamp=at)
    store.read()
    assert store.prompts("s1") == [("always use tabs", True)]
