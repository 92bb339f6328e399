"""What a prompt finds, and what it never finds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.quicksql import sqlite3
from scrubjay.search import query
from tests.search.others import other_entries
from tests.search.world import World, memory


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.mark.parametrize(
    ("body", "prompt"),
    [
        ("今天玩成语接龙游戏", "成语接龙"),
        ("今日は成語しりとりをした", "しりとり"),
        ("오늘 끝말잇기 게임을 했다", "끝말잇기"),
    ],
)
def test_chinese_japanese_and_korean_are_found(world: World, body: str, prompt: str) -> None:
    """A tokeniser that needs spaces finds none of them."""
    world.put(memory(1, body, name="note"), *(memory(n, f"另外的记录 {n}", name="other") for n in range(2, 9)))
    assert world.found(prompt) == ["m-0000000001"]


def test_a_word_of_two_characters_inside_a_sentence_is_found(world: World) -> None:
    """Three-character windows miss it."""
    world.put(memory(1, "所有文档中文优先,注释也是", name="文档中文优先"))
    assert world.found("中文") == ["m-0000000001"]


@pytest.mark.parametrize(
    "prompt",
    [
        "pre-edit",
        "don't",
        "a/b",
        "memory:safe",
        "foo AND bar",
        "(python",
        '"',
        "",
        "NEAR(a b)",
        "x*",
        "^y",
        "-z",
        "{a} : b",
        "é" * 9,
    ],
)
def test_a_prompt_is_never_search_syntax(world: World, prompt: str) -> None:
    """No error for any string."""
    world.put(memory(1, "memory safe python pre-edit"))
    world.found(prompt)


def test_a_very_long_prompt_is_searched_in_bounded_time(world: World) -> None:
    """10,000 characters of different words: so many are looked up and no more."""
    world.put(memory(1, "pgbouncer breaks prepared statements of asyncpg"))
    text = " ".join(f"word{n}" for n in range(1200)) + " pgbouncer asyncpg prepared"
    found = query.search(world.open(), text, [world.store])
    assert len(found.words) == query.MAX_WORDS


@pytest.mark.parametrize("prompt", ["flibbertigibbet zorkmid quux", "hi", "ok thanks", "what should I do?"])
def test_unrelated_prompts_find_nothing(world: World, prompt: str) -> None:
    """There is no top five of what doesn't match."""
    world.put_all(other_entries(40, world.store))
    assert world.found(prompt) == []


def test_a_file_ending_is_no_match(world: World) -> None:
    """gmail-filters.js and config.js have nothing in common but their kind."""
    world.put(memory(1, "gmail-filters.js sorts the newsletter", name="gmail-filters.js"))
    assert world.found("why does config.js not load?") == []


def test_a_word_that_many_visible_memories_hold_does_not_count(world: World) -> None:
    """In over five per cent of them, five at least: then it tells nothing about which one is meant."""
    world.put(*(memory(n, f"billing number{n} is kept in drawer{n}", name=f"drawer{n}") for n in range(100)))
    world.put(memory(200, "billing uses pgbouncer", name="billing connections"))
    assert world.found("billing kept") == []
    assert world.found("billing connections of pgbouncer") == ["m-0000000200"]


def test_only_stores_that_the_place_sees_are_searched(world: World) -> None:
    """The project is a filter of the index, not a rank."""
    world.put(memory(1, "auth.ts refresh token bug fixed by rotating", name="auth.ts refresh token"))
    world.put(memory(2, "auth.ts login form", name="auth.ts login"), store=str(world.base / "elsewhere"))
    assert world.found("refresh token bug in auth.ts") == ["m-0000000001"]
    assert world.found("refresh token bug in auth.ts", stores=[str(world.base / "elsewhere")]) == ["m-0000000002"]


@pytest.mark.parametrize("status", ["pending", "dormant", "superseded", "archived"])
def test_what_is_not_active_is_never_found_and_explained(world: World, status: str) -> None:
    """`explain` says which filter stopped it."""
    world.put(memory(1, "staging uses pgbouncer in transaction mode", status=status))
    connection = world.open()
    assert query.search(connection, "pgbouncer transaction mode", [world.store]).rows == []
    explained = query.search(connection, "pgbouncer transaction mode", [world.store], explain=True)
    assert [(row.id, row.reason) for row in explained.rejected] == [("m-0000000001", "status")]


def test_a_row_with_a_secret_or_of_another_place_is_explained(world: World) -> None:
    """Filters are named, their values are not."""
    world.put(memory(1, "pgbouncer transaction mode"), clean=False)
    world.put(memory(2, "pgbouncer transaction mode"), store=str(world.base / "other"))
    found = query.search(world.open(), "pgbouncer transaction mode", [world.store], explain=True)
    assert found.rows == []
    assert sorted((row.id, row.reason) for row in found.rejected) == [
        ("m-0000000001", "unclean"),
        ("m-0000000002", "scope"),
    ]


def test_one_word_finds_by_name_or_alias_but_not_by_body(world: World) -> None:
    """The floor: two distinct words, or one where the memory says what it is about."""
    world.put(
        memory(1, "functions take now as a parameter", name="No freezegun"),
        memory(2, "somebody once mentioned kubernetes here", name="Deploys"),
        memory(3, "rolling updates only", name="Rollouts", aliases=("k8s",)),
    )
    assert world.found("is freezegun fine?") == ["m-0000000001"]
    assert world.found("is kubernetes fine?") == []
    assert world.found("how does k8s do it?") == ["m-0000000003"]


def test_a_longer_word_matches_from_four_letters_on(world: World) -> None:
    """`prorat` stands at the start of prorationEngine; `cat` does not find category."""
    world.put(
        memory(1, "prorationEngine rounds half up", name="prorationEngine"), memory(2, "category tree", name="category")
    )
    assert world.found("proration rounds") == ["m-0000000001"]
    assert world.found("cat") == []


def test_without_the_floor_everything_that_shares_a_word_is_ranked(world: World) -> None:
    """For a person's own search: name before body."""
    world.put(
        memory(1, "a note on pgbouncer", name="Pools"), memory(2, "statements", name="pgbouncer"), memory(3, "nothing")
    )
    assert world.found("pgbouncer", floor=False) == ["m-0000000002", "m-0000000001"]


def test_no_index_a_broken_one_and_another_version_give_none(world: World) -> None:
    """The hook goes on without recall; building is not its job."""
    path = Path(world.home.search)
    assert query.open(str(path)) is None
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database" * 400)
    assert query.open(str(path)) is None
    path.unlink()
    world.put(memory(1, "x"))
    world.open().close()
    with sqlite3.connect(str(path)) as connection:
        connection.execute("UPDATE meta SET value = '0'")
    connection.close()
    assert query.open(str(path)) is None


def test_a_search_leaves_the_index_untouched(world: World) -> None:
    """A query without a hit rebuilds nothing."""
    world.put(memory(1, "pgbouncer"))
    connection = world.open()
    before = Path(world.home.search).stat()
    assert query.search(connection, "nothing like it", [world.store]).rows == []
    assert Path(world.home.search).stat() == before
    assert [path.name for path in Path(world.home.state).iterdir()] == ["search.sqlite"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200))
def test_any_prompt_is_answered(crowd: sqlite3.Connection, text: str) -> None:
    """Whatever is typed: rows or none, never an error."""
    query.search(crowd, text, ["/store"], explain=True)


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    world = World(tmp_path_factory.mktemp("crowd"))
    world.put_all(other_entries(40, "/store"))
    with closing(world.open()) as connection:
        yield connection
