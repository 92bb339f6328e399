"""Review: what waits, in which order, and what an answer does."""

from __future__ import annotations

import shutil

import pytest

from scrubjay.errors import BadInput, NothingFound, Refused
from scrubjay.learn.review import PAGE, Answer, answer, archive_unanswered, waiting
from scrubjay.learn.rulebook import word_of
from tests.learn.world import World, repository
from tests.redact.parts import BASE62, some, word

RULE = "always run make fmt before you commit, the CI rejects unformatted code"


@pytest.fixture
def world(home: str, monkeypatch: pytest.MonkeyPatch) -> World:
    """Twelve rules of a program's prompts wait, two of them said twice."""
    monkeypatch.setenv("SCRUBJAY_NOW", "2026-10-01T12:00:00Z")
    world = World(home)
    for number in range(12):
        world.talk(f"s{number}", on=f"2026-09-{number + 1:02}", headless=True).say(rule(number))
    for number in (3, 5):
        world.talk(f"t{number}", on="2026-09-20", headless=True).say(rule(number) + "!")
    world.learn()
    return world


def rule(number: int) -> str:
    things = (
        "code",
        "manual",
        "service",
        "server",
        "client",
        "database",
        "release",
        "image",
        "chart",
        "schema",
        "theme",
        "queue",
    )
    return f"always run make step-{things[number]} before you deploy the {things[number]}"


def test_best_first_ten_at_a_time(world: World) -> None:
    """Said twice before said once, then the newest; all of them when asked for."""
    page = waiting(world.home)

    assert len(page) == PAGE
    assert [row.times for row in page[:3]] == [2, 2, 1]
    assert "queue" in page[2].body
    assert len(waiting(world.home, limit=0)) == 12
    assert {row.group for row in page} == {page[0].group}
    assert page[0].quote in (rule(3), rule(5))


def test_here_means_what_this_directory_sees(world: World) -> None:
    """Another project's queue is not this one's."""
    other = repository(world.root / "other")

    assert waiting(world.home, cwd=str(other)) == []
    assert len(waiting(world.home, cwd=str(world.repo), limit=0)) == 12


def test_yes_no_and_other_words(world: World) -> None:
    """Accepted: active, at least confirmed. Rejected: forgotten, for good. Edited: active in the person's words."""
    first, second, third = (row.id for row in waiting(world.home)[:3])
    answers = [
        Answer(id=first, verb="accept"),
        Answer(id=second, verb="reject"),
        Answer(id=third, verb="edit", body="run make step-queue before deploys"),
    ]

    result = answer(world.home, answers)

    assert (result.accepted, result.rejected, result.left) == ((first, third), (second,), 9)
    active = {stored.memory.id: stored.memory for stored in world.memories()}
    assert set(active) == {first, third}
    assert (active[third].body, active[third].reason) == ("run make step-queue before deploys", "")
    shutil.rmtree(world.home.state)
    world.learn()
    assert not world.library().has(second)


def test_a_wrong_answer_changes_nothing(world: World) -> None:
    """Unknown id, unknown verb, a memory that does not wait, a secret typed into the editor."""
    one = waiting(world.home)[0].id
    answer(world.home, [Answer(id=one, verb="accept")])
    two = waiting(world.home)[0].id
    before = world.files()

    for bad, error in (
        ([Answer(id=two, verb="accept"), Answer(id="m-0000000000", verb="accept")], NothingFound),
        ([Answer(id=two, verb="perhaps")], BadInput),
        ([Answer(id=one, verb="accept")], BadInput),
        ([Answer(id=two, verb="edit", body=word("gh", "p_", some(BASE62, 36)))], Refused),
    ):
        with pytest.raises(error):
            answer(world.home, bad)

    assert world.files() == before


def test_what_nobody_answers_for_thirty_days_is_archived_and_not_asked_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The days run from when it was written down, not from when it was said."""
    assert archive_unanswered(world.home) == []
    monkeypatch.setenv("SCRUBJAY_NOW", "2026-11-05T12:00:00Z")

    archived = archive_unanswered(world.home)

    assert len(archived) == 12
    assert waiting(world.home) == []
    assert {word_of(stored.memory.reason) for stored in world.memories("archived")} == {"unanswered"}
    assert archive_unanswered(world.home) == []
    shutil.rmtree(world.home.state)
    world.learn()
    assert waiting(world.home) == []
