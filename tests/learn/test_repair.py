"""Repair: what a person says about a memory that they were just shown."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from scrubjay.learn.remember import Wish, remember
from scrubjay.learn.rulebook import word_of
from scrubjay.ledger import Ledger
from tests.learn.world import Talk, World

RULE = "always run make fmt before you commit, the CI rejects unformatted code"
OTHER = "from now on keep the keepalive at 30 s, the staging proxy cuts idle connections after 55 s"


@pytest.fixture
def world(home: str) -> World:
    world = World(home)
    talk = world.talk("s1")
    talk.say(RULE)
    talk.say(OTHER)
    world.learn()
    return world


def show(world: World, talk: Talk, *parts: str) -> None:
    """What the hook notes when it brings memories into a session."""
    ids = [stored.memory.id for part in parts for stored in world.memories("active") if part in stored.memory.body]
    assert len(ids) == len(parts)
    with Ledger.open(world.home.ledger) as ledger:
        at = talk.at.strftime("%Y-%m-%dT%H:%M:%SZ")
        ledger.add_injected("claude-code", talk.session, [(one, "recall", 100, "p1") for one in ids], at=at)


def test_that_is_wrong_archives_what_was_shown(world: World) -> None:
    """The memory goes to the archive with the person's reason, and learning again doesn't bring it back."""
    talk = world.talk("s2", on="2026-09-05")
    show(world, talk, "make fmt")
    talk.say("no, that's wrong")

    report = world.learn()
    world.learn()

    (gone,) = world.memories("archived")
    assert "make fmt" in gone.memory.body
    assert word_of(gone.memory.reason) == "wrong"
    assert [one.id for one in report.archived] == [gone.memory.id]


def test_forget_that_forgets_it(world: World) -> None:
    """The file goes, a tombstone stays."""
    talk = world.talk("s2", on="2026-09-05")
    show(world, talk, "make fmt")
    talk.say("forget that")

    world.learn()

    assert not [
        stored for stored in world.memories("active", "pending", "archived") if "make fmt" in stored.memory.body
    ]
    assert len(world.library().tombstones.all()) == 1


def test_with_several_shown_the_words_decide_and_without_words_nothing_happens(world: World) -> None:
    """Nothing is touched on a guess."""
    unclear = world.talk("s2", on="2026-09-05")
    show(world, unclear, "make fmt", "keepalive")
    unclear.say("no, that's wrong")
    world.learn()
    assert world.memories("archived") == []

    clear = world.talk("s3", on="2026-09-06")
    show(world, clear, "make fmt", "keepalive")
    clear.say("that's wrong: the staging proxy does not touch idle connections, whatever the keepalive")
    world.learn()

    assert [("keepalive" in stored.memory.body) for stored in world.memories("archived")] == [True]


def test_the_same_words_about_anything_else_touch_nothing(world: World) -> None:
    """No memory was shown in that session, or a program speaks: the words are about something else."""
    talk = world.talk("s2", on="2026-09-05")
    talk.say("no, that's wrong")
    robot = world.talk("s3", on="2026-09-05", headless=True)
    show(world, robot, "make fmt")
    robot.say("no, that's wrong")

    before = world.bodies()
    world.learn()

    assert world.bodies() == before


def test_what_is_said_about_a_team_memory_touches_neither_it_nor_another(world: World) -> None:
    """A team's memory was shown last: its repository changes it, and the person's own one, shown before, is not meant.
    Learning goes on, also when another memory is forgotten in a session that sees a team store."""
    team = remember(world.home, Wish(text="the release branch is cut on Mondays", cwd=str(world.repo), scope="team"))
    talk = world.talk("s2", on="2026-09-05")
    show(world, talk, "make fmt")
    talk.at += timedelta(minutes=1)
    with Ledger.open(world.home.ledger) as ledger:
        at = talk.at.strftime("%Y-%m-%dT%H:%M:%SZ")
        ledger.add_injected("claude-code", talk.session, [(team.id, "recall", 100, "p2")], at=at)
    talk.say("no, that's wrong")
    talk.say("forget that: the release branch is cut on Mondays")
    before, file = world.bodies(), Path(team.file).read_bytes()
    world.learn()
    assert (world.bodies(), Path(team.file).read_bytes(), world.library().tombstones.all()) == (before, file, [])

    own = world.talk("s3", on="2026-09-06")
    show(world, own, "make fmt")
    own.say("forget that")
    world.learn()
    assert not [body for body in world.bodies() if "make fmt" in body]
    assert Path(team.file).read_bytes() == file
