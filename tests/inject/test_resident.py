"""What every session starts with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay import settings as configuration
from scrubjay.inject.fence import MAX_BLOCK_BYTES
from scrubjay.inject.resident import Resident, resident
from tests.inject.snapshots import same_as_snapshot
from tests.search.others import other_memories
from tests.search.world import World, memory


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def block(world: World, below: str = "", **given: Any) -> Resident:
    return resident(world.open(), world.place(below), configuration.load(""), **{"agent": "claude-code"} | given)


def fill(world: World) -> None:
    user = world.home.user_store
    world.put(memory(1, "Short answers please, bullets, no closing summary.", type="user"), store=user, scope="user")
    world.put(
        memory(2, "Never edit <client.ts> by hand.\n\n**Why:** it is generated.", type="feedback", paths=("web/",))
    )
    world.put(memory(3, "Fish syntax, not bash.", type="feedback"), store=user, scope="user")
    world.put(memory(4, "Local Postgres is in podman.", name="Local Postgres", description="when psql is refused"))
    world.put(memory(5, "Be careful.", type="feedback", name="Careful"), trust="assistant")
    world.put(memory(6, "https://wiki.example.net/pay", type="reference", name="Partner spec", pinned=True))
    world.put(memory(7, "Secret", name="Unclean"), clean=False)
    world.put(memory(8, "Pending", name="Pending", status="pending"))


def test_rules_come_first_then_index_lines_by_rank(world: World) -> None:
    """Rules of trust `user` as the user's own, feedback first; everything else as one line of background."""
    fill(world)
    built = block(world)
    same_as_snapshot("resident", built.text)
    assert built.ids == [f"m-000000000{n}" for n in (2, 3, 1, 6, 4, 5)]
    assert built.rule_ids == ["m-0000000002", "m-0000000003", "m-0000000001"]


def test_the_same_memories_give_the_same_bytes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """No clock, no age, no order of insertion: the client's prompt cache holds."""
    fill(world)
    first = block(world).text
    world.entries.reverse()
    monkeypatch.setenv("SCRUBJAY_NOW", "2031-01-01T00:00:00Z")
    assert block(world).text == first


def test_rules_are_delivered_by_scope_path_and_agent(world: World) -> None:
    """A session in services/ gets no rule of web/; a rule of another project, or of another agent, never comes."""
    fill(world)
    world.put(memory(20, "Foreign rule.", type="feedback"), store=str(world.base / "foreign"))
    world.put(memory(21, "Codex rule.", type="feedback", agents=("codex",)))
    assert "m-0000000002" not in block(world, "services").rule_ids
    assert "m-0000000002" in block(world, "web/src").rule_ids
    assert {"m-0000000020", "m-0000000021"}.isdisjoint(block(world).rule_ids)
    assert "m-0000000021" in block(world, agent="codex").rule_ids


def test_what_the_agents_own_index_says_is_not_repeated(world: World) -> None:
    """Both memories side by side is the normal case; the new rule stays known all the same."""
    fill(world)
    own = "# Memory\n- [Shell](shell.md) — fish syntax, never bash\n- [Postgres](pg.md) — local: when psql is refused\n"
    built = block(world, own_index=own)
    assert {"m-0000000003", "m-0000000004"}.isdisjoint(built.ids)
    assert "m-0000000003" in built.rule_ids
    assert built.left_out == {"length": 0, "own-memory": 2, "changed-on-disk": 0}
    assert block(world, own_index="- words: fish\n- syntax\n- bash\n").left_out["own-memory"] == 0


def test_what_has_no_room_is_counted_and_named(world: World) -> None:
    """At most 6,000 characters over all stores; rules go before index lines."""
    world.put(
        *(memory(n, f"Rule {n}: never touch area {n} without asking first.", type="feedback") for n in range(1, 41))
    )
    world.put(*(one for one in other_memories(400) if one.type in ("project", "reference")))
    built = block(world)
    assert 5_500 < len(built.text) <= 6_000
    assert len([one for one in built.ids if one in built.rule_ids]) == 40
    shown = len(built.ids)
    others = len(world.entries) - shown
    assert built.left_out["length"] == others
    assert f"Left out for length: {others} other memories (" in built.text


def test_rules_that_have_no_room_are_counted_as_rules(world: World) -> None:
    """A rule that is not shown is still known, so that it doesn't come back as new."""
    world.put(*(memory(n, f"Rule {n}: " + "never do that again, ever. " * 12, type="feedback") for n in range(1, 41)))
    built = block(world)
    hidden = 40 - len(built.ids)
    assert f"{hidden} of the user's rules" in built.text
    assert len(built.rule_ids) == 40


def test_chinese_counts_in_bytes(world: World) -> None:
    """6,000 characters would be 18,000 bytes, which clients cut."""
    world.put(*(memory(n, "提交前必须运行全部测试并更新文档" * 8, type="feedback") for n in range(1, 60)))
    built = block(world)
    assert 9_000 < len(built.text.encode()) <= MAX_BLOCK_BYTES


def test_a_file_that_changed_since_it_was_indexed_is_left_out(world: World) -> None:
    """It may be forgotten by now; the next worker pass knows."""
    world.put(memory(1, "One.", type="feedback"), memory(2, "Two.", type="feedback"))
    Path(world.entries[0].path).unlink()
    built = block(world)
    assert (built.ids, built.left_out["changed-on-disk"]) == (["m-0000000002"], 1)


def test_nothing_to_say_is_nothing(world: World) -> None:
    """No fence around nothing, and no index is no error."""
    assert block(world).text == ""
    nothing = resident(None, world.place(), configuration.load(""))
    assert (nothing.text, nothing.ids, nothing.rule_ids) == ("", [], [])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.text(max_size=80), st.text(max_size=600), st.booleans()), min_size=1, max_size=12))
def test_whatever_memories_say_the_block_keeps_its_fence_and_its_size(
    world: World, texts: list[tuple[str, str, bool]]
) -> None:
    """Content is data: it neither ends the block nor outgrows it."""
    world.entries.clear()
    for number, (name, body, rule) in enumerate(texts):
        one = memory(number, "x", type="feedback" if rule else "project")
        world.put(one)
        from dataclasses import replace

        world.entries[-1] = replace(world.entries[-1], memory=replace(one, name=name, body=body, description=name))
    text = block(world).text
    inside = text.removeprefix("<scrubjay-memory>\n").removesuffix("\n</scrubjay-memory>")
    assert "<" not in inside
    assert ">" not in inside
    assert len(text) <= 6_000
    assert len(text.encode()) <= MAX_BLOCK_BYTES
