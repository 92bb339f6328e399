"""What one prompt brings back, and what it must never bring back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay import settings as configuration
from scrubjay.inject.fence import MAX_BLOCK_BYTES
from scrubjay.inject.recall import Recall, Request, Seen, recall
from tests.inject.snapshots import same_as_snapshot
from tests.search.others import other_entries
from tests.search.world import World, memory

POOL = "pgbouncer breaks prepared statements of asyncpg"
PROMPT = "can we use asyncpg with pgbouncer?"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def ask(world: World, text: str, seen: Seen | None = None, **request: Any) -> Recall:
    place = request.pop("place", None) or world.place()
    given: dict[str, Any] = {"agent": "claude-code", "session": "s-1", "explain": True} | request
    asked = Request(text, place, **given)
    return recall(asked, world.open(), configuration.load(""), seen or Seen())


def stopped(result: Recall) -> Mapping[str, str]:
    return {one.id: one.filter for one in result.rejected}


def test_the_block_names_id_type_trust_and_anchor_status_and_says_what_it_is(world: World) -> None:
    """Facts as background, the user's own rules as theirs, each with its id."""
    world.put(memory(1, "No asyncpg: pgbouncer's transaction mode breaks its prepared statements.\n\n**Why:** ops runs "
                        "pgbouncer <only> in transaction mode.", name="Database driver"))  # fmt: skip
    world.put(memory(2, "pgbouncer settings: ask me before you change any, asyncpg or not.", type="feedback"))
    world.put(
        memory(
            3,
            "A blog says asyncpg works with pgbouncer now.",
            type="reference",
            name="asyncpg with pgbouncer",
            paths=("docs/",),
        ),
        trust="external",
    )
    found = ask(world, "does asyncpg work behind pgbouncer in transaction mode, or must I ask before a change?")
    assert {row.id for row in found.memories} == {"m-0000000001", "m-0000000002", "m-0000000003"}
    same_as_snapshot("recall", found.block)


def test_nothing_that_answers_gives_no_block_at_all(world: World) -> None:
    """Not even a fence."""
    world.put(memory(1, POOL))
    assert ask(world, "write a haiku about the sea").block == ""
    assert ask(world, "hi").reason == ""
    assert ask(world, "what is it?").reason == "no-words"


@pytest.mark.parametrize(
    ("text", "reason"),
    [("<task-notification>asyncpg pgbouncer", "machine-made: task-notification"),
     ("/asyncpg pgbouncer", "machine-made: command"), (f"{PROMPT} " * 800, "long-paste")],
)  # fmt: skip
def test_machine_made_prompts_and_long_pastes_are_not_looked_up(world: World, text: str, reason: str) -> None:
    """The reason is said to who asks."""
    world.put(memory(1, POOL))
    found = ask(world, text)
    assert (found.block, found.reason) == ("", reason)


def test_without_an_index_or_with_recall_off_nothing_is_said(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing fails."""
    world.put(memory(1, POOL))
    request = Request(PROMPT, world.place())
    assert recall(request, None, configuration.load(""), Seen()).reason == "no-index"
    monkeypatch.setenv("SCRUBJAY_RECALL_ENABLED", "off")
    assert ask(world, PROMPT).reason == "disabled"


def test_a_damaged_index_brings_nothing_back(world: World) -> None:
    """Whatever page is broken: no exception on the way of a prompt."""
    world.put(memory(1, POOL), *(memory(n, f"{POOL} {n}" * 30) for n in range(2, 60)))
    world.open().close()
    path = Path(world.home.search)
    data = bytearray(path.read_bytes())
    data[8192:] = os.urandom(len(data) - 8192)
    path.write_bytes(data)
    from scrubjay.search import query

    connection = query.open(str(path))
    found = recall(Request(PROMPT, world.place()), connection, configuration.load(""), Seen())
    if connection is not None:
        connection.close()
    assert (found.block, found.reason) in (("", "broken-index"), ("", "no-index"))


def test_what_the_session_already_holds_is_not_repeated(world: World) -> None:
    """From its resident block, or from an earlier prompt."""
    world.put(memory(1, POOL))
    for channel in ("resident", "recall"):
        found = ask(world, PROMPT, Seen(injected={"m-0000000001": channel}))
        assert (found.block, stopped(found)) == ("", {"m-0000000001": "already-given"})


def test_what_was_said_in_this_session_comes_back_only_after_compaction(world: World) -> None:
    """An echo costs context; after a compaction the words are gone."""
    world.put(memory(1, POOL), said=[("claude-code", "s-1", "2026-09-03T10:00:00Z")])
    assert stopped(ask(world, PROMPT)) == {"m-0000000001": "said-here"}
    assert ask(world, PROMPT, session="s-2").block
    assert ask(world, PROMPT, Seen(last_compaction="2026-09-03T11:00:00Z")).block


def test_status_scope_path_agent_secret_and_floor_each_stop_a_memory_and_say_so(world: World) -> None:
    """`explain` names the one filter that stopped each."""
    world.put(memory(1, POOL, status="pending"), memory(2, POOL, paths=("web/",)), memory(3, POOL, agents=("codex",)))
    world.put(memory(4, POOL), store=str(world.base / "foreign"))
    world.put(memory(5, POOL), clean=False)
    world.put(memory(6, "somebody mentioned asyncpg once", name="Chatter"))
    found = ask(world, "can services/db.py use asyncpg with pgbouncer?")
    assert found.block == ""
    assert stopped(found) == {
        "m-0000000001": "status", "m-0000000002": "path", "m-0000000003": "agent", "m-0000000004": "scope",
        "m-0000000005": "unclean", "m-0000000006": "floor",
    }  # fmt: skip


def test_a_file_that_changed_since_it_was_indexed_is_left_out(world: World) -> None:
    """Until the next worker pass takes it in: it may say the opposite now, or be forgotten."""
    world.put(memory(1, POOL), memory(2, f"{POOL} too"))
    Path(world.entries[0].path).write_text("something else", encoding="utf-8")
    Path(world.entries[1].path).unlink()
    found = ask(world, PROMPT)
    assert (found.block, set(stopped(found).values())) == ("", {"changed-on-disk"})


def test_a_new_standing_rule_is_delivered_with_the_next_prompt_whatever_that_says(world: World) -> None:
    """Once: the caller notes what was given. Not in the session in which it was said, not for another path or agent."""
    world.put(memory(1, "Always answer in bullets.", type="feedback"))
    world.put(memory(2, "Never push to main.", type="feedback"), said=[("claude-code", "s-2", "2026-09-03T10:00:00Z")])
    world.put(
        memory(3, "Tabs in web.", type="feedback", paths=("web/",)), memory(4, "x", type="feedback", agents=("codex",))
    )
    world.put(memory(5, "Assistant says: be nice.", type="feedback"), trust="assistant")
    seen = Seen(known_rules=["m-0000000001"])
    found = ask(world, "hi", seen, place=world.place("services"))
    assert [row.id for row in found.rules] == ["m-0000000002"]
    same_as_snapshot("new-rule", found.block)
    assert ask(world, "hi", seen, place=world.place("services"), session="s-2").block == ""
    given = Seen(known_rules=["m-0000000001"], injected={"m-0000000002": "recall"})
    assert ask(world, "hi", given, place=world.place("services")).block == ""
    assert ask(world, "hi", Seen(known_rules=None)).block == ""


def test_at_most_five_memories_and_the_others_are_named(world: World) -> None:
    """What has no room is counted and named in the block."""
    world.put(*(memory(n, f"{POOL}, case {n}") for n in range(1, 9)))
    world.put_all(other_entries(250, world.store))
    found = ask(world, PROMPT)
    assert [len(found.memories), [one.filter for one in found.left_out]] == [5, ["max-memories"] * 3]
    assert "without room here (3): [m-" in found.block


def test_a_block_has_at_most_2000_characters_and_a_long_memory_shows_the_passage_that_answers(world: World) -> None:
    """The key sentence may stand at the end of a long note."""
    filler = "\n".join(f"Line {n} of the minutes, about lunch and the weather." for n in range(70))
    world.put(*(memory(n, f"{filler}\n{POOL}, case {n}.", name=f"Minutes {n}") for n in range(1, 5)))
    found = ask(world, PROMPT)
    assert len(found.block) <= 2_000
    assert found.block.count(POOL) == len(found.memories) >= 2
    one_paragraph = "lunch " * 400 + POOL + " weather" * 200
    world.entries.clear()
    world.put(memory(9, one_paragraph, name="Minutes"))
    found = ask(world, PROMPT)
    assert POOL in found.block
    assert "[cut: " in found.block


def test_a_session_gets_10000_characters_and_no_more(world: World) -> None:
    """Then the filter says so."""
    world.put(memory(1, POOL * 4))
    assert ask(world, PROMPT, Seen(chars=9_000)).block
    found = ask(world, PROMPT, Seen(chars=9_950))
    assert (found.block, [one.filter for one in found.left_out]) == ("", ["no-room"])


def test_a_file_that_is_named_breaks_ties_but_brings_nothing_in(world: World) -> None:
    """Small signals after the text."""
    world.put(memory(1, f"{POOL} one"), memory(2, f"{POOL} two", paths=("s*/**",)))  # a glob without words
    found = ask(world, f"{PROMPT} it is about services/db.py")
    assert [row.id for row in found.memories] == ["m-0000000002", "m-0000000001"]
    assert ask(world, "have a look at services/other.py please").block == ""


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=120), st.text(max_size=2_500), st.text(max_size=60))
def test_whatever_a_memory_says_the_block_keeps_its_fence_and_its_size(
    world: World, name: str, body: str, path: str
) -> None:
    """Content is data: it neither ends the block nor outgrows it."""
    world.entries.clear()
    paths = (path.replace("\n", " "),) if path.strip() else ()
    put = memory(1, "x", name=f"pgbouncer asyncpg {name}", paths=())
    world.put(put)
    hostile = replace(put, body=f"{POOL} {body}", paths=paths)
    world.entries[0] = replace(world.entries[0], memory=hostile)
    block = ask(world, PROMPT).block
    inside = block.removeprefix("<scrubjay-recall>\n").removesuffix("\n</scrubjay-recall>")
    assert "<" not in inside
    assert ">" not in inside
    assert len(block) <= 2_000
    assert len(block.encode()) <= MAX_BLOCK_BYTES
