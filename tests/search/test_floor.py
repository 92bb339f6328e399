"""The floor at 40, 1,000 and 10,000 memories: found when asked for, silent when not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from scrubjay.quicksql import sqlite3
from scrubjay.search import query
from tests.search.others import entry_of, other_entries
from tests.search.world import GOLD, World, gold_memories

SIZES = (0, 1_000, 10_000)

GENERAL = (
    "explain what a binary search tree is",
    "write a regex that matches email addresses",
    "convert 5 miles to kilometres",
    "what's the capital of Portugal?",
    "tell me a joke about programmers",
    "summarise the plot of Hamlet",
    "what does the acronym ACID stand for?",
    "how do I reverse a string in Python?",
    "go on please",
    "looks good, ship it",
    "no, the other one",
    "why?",
    "do all 10, approved",
    "write a sonnet about the sea",
    "what is 2^16?",
    "bitte weiter",
    "Guten Morgen, wie geht's?",
    "ok 谢谢",
    "用Python写一个冒泡排序",
    "帮我把这句话翻译成英文",
    "今天天气怎么样",
    "ありがとうございます、続けてください",
    "バブルソートとは何ですか",
)
"""More prompts of the kind that needs no memory, written before they were tried."""


@pytest.fixture(scope="module", params=SIZES)
def crowd(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """The story's facts among so many others, all in one project."""
    world = World(tmp_path_factory.mktemp("crowd"))
    world.put_all(entry_of(memory, "/store") for memory in gold_memories())
    world.put_all(other_entries(request.param, "/store"))
    with closing(world.open()) as connection:
        yield connection


def found(connection: sqlite3.Connection, text: str) -> list[str]:
    return [row.id for row in query.search(connection, text, ["/store"], limit=5).rows]


@pytest.mark.parametrize("text", GOLD["silent"])
def test_prompts_that_need_no_memory_get_none(crowd: sqlite3.Connection, text: str) -> None:
    """The story's own list."""
    assert found(crowd, text) == []


def test_general_questions_get_none(crowd: sqlite3.Connection) -> None:
    """At most one of them in twenty may be wrong."""
    loud = {text: rows for text in GENERAL if (rows := found(crowd, text))}
    assert len(loud) <= 1, loud


def test_explaining_changes_nothing_of_what_is_found(crowd: sqlite3.Connection) -> None:
    """A prompt passes over candidates that the floor is known to stop; one that is explained weighs them all."""
    prompts = [prompt["text"] for fact in GOLD["gold"] for prompt in fact["queries"]]
    for text in [*prompts, *GENERAL, f"{prompts[0]} {prompts[-1]}"]:
        quick, whole = (query.search(crowd, text, ["/store"], explain=explain).rows for explain in (False, True))
        assert [(row.id, row.score, row.matched) for row in quick] == [
            (row.id, row.score, row.matched) for row in whole
        ]


def test_exact_prompts_find_their_memory_and_little_else(crowd: sqlite3.Connection) -> None:
    """At least 95 of 100 among the first five; over all prompts fewer than one memory that nobody asked for."""
    hits = asked = unasked = prompts = 0
    for fact in GOLD["gold"]:
        for prompt in fact["queries"]:
            rows = found(crowd, prompt["text"])
            wanted = {f"m-{one}" for one in (fact["id"], *prompt.get("also_ok", ()))}
            prompts += 1
            unasked += len([row for row in rows if row not in wanted])
            if prompt["kind"] == "exact":
                asked += 1
                hits += f"m-{fact['id']}" in rows
    assert hits >= 0.95 * asked
    assert unasked < 0.25 * prompts
