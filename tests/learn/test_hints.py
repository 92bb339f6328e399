"""An agent's `remember` is a hint: the person's own words of that time become the memory, else it waits; never twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.learn import hints
from scrubjay.learn.remember import Remembered, Wish, remember
from scrubjay.ledger import Ledger
from scrubjay.ledger.hints import open_hints
from tests.learn.world import Talk, World, repository

NOW = "2026-09-01T12:00:00Z"
SAID = "The queue drains through worker seven. Please fix the parser."
WISH = "The queue is drained by worker seven"


@pytest.fixture
def world(home: str, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("SCRUBJAY_NOW", NOW)
    return World(home)


def ask(world: World, text: str = WISH, *, cwd: Path | None = None, **fields: object) -> Remembered:
    return hints.ask(world.home, Wish(text=text, cwd=str(cwd or world.repo), **fields))  # type: ignore[arg-type]


def join(world: World) -> list[str]:
    with Ledger.open(world.home.ledger) as ledger:
        return hints.join(world.home, ledger)


def talk(world: World, said: str = SAID, *, at: str = "2026-09-01T11:54:00Z", name: str = "a", **how: object) -> Talk:
    one = world.talk(name, on=at, **how)  # type: ignore[arg-type]
    one.say(said)
    return one


def test_the_persons_words_of_that_time_become_the_memory(world: World) -> None:
    """Active, with their trust, in their words, with the proof where they stand; what the agent wrote leads there."""
    talk(world)
    asked = ask(world)
    assert (asked.outcome, world.bodies()) == ("pending", [])

    (joined,) = join(world)

    (stored,) = world.memories()
    assert (stored.memory.id, stored.memory.body) == (joined, "The queue drains through worker seven.")
    assert (stored.memory.trust, stored.memory.by) == ("user", "learned")
    (evidence,) = world.library().evidence(stored.memory.evidence)[-1:]
    assert (evidence.agent, evidence.origin) == ("claude-code", "user")
    assert evidence.quote == "The queue drains through worker seven."
    assert world.library().get(asked.id, follow=True).memory.id == joined
    assert world.memories("pending") == []


@pytest.mark.parametrize("order", ["hint first", "learnt first", "learnt between"])
@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("From now on always run the linter before you commit.", "The user wants the linter run before every commit"),
        ("The staging deploy needs the vpn job to run first.", "staging deploy needs the vpn job first"),
        (SAID, WISH),
    ],
)
def test_never_learnt_twice(world: World, order: str, said: str, wish: str) -> None:
    """Whichever comes first, learning or the hint: one memory, active, in the person's words; again changes nothing."""
    talk(world, said)
    if order == "learnt first":
        world.learn()
    ask(world, wish)
    if order == "learnt between":
        world.learn()
    join(world)
    world.learn()
    before = world.files()
    join(world)
    world.learn()

    (body,) = world.bodies()
    assert body.split(".")[0].lower() in said.lower()
    assert world.memories()[0].memory.trust == "user"
    assert world.bodies("pending") == []
    assert world.files() == before


@pytest.mark.parametrize(
    ("said", "at"),
    [
        ("Please fix the parser.", "2026-09-01T11:58:00Z"),  # another subject
        (SAID, "2026-09-01T11:47:00Z"),  # too early
        (SAID, "2026-09-01T12:12:00Z"),  # too late
        ("Is the queue drained by worker seven?", "2026-09-01T11:58:00Z"),
        ("We might let worker seven drain the queue.", "2026-09-01T11:58:00Z"),
        ("For this session only, let worker seven drain the queue.", "2026-09-01T11:58:00Z"),
        ("> The queue is drained by worker seven\n\nsays the old readme, look into it", "2026-09-01T11:58:00Z"),
    ],
)
def test_without_words_of_the_person_it_waits(world: World, said: str, at: str) -> None:
    """Another subject, another time, a question, a thought, a passing state, a quotation."""
    talk(world, said, at=at)
    ask(world)
    assert join(world) == []
    assert WISH in world.bodies("pending")
    assert world.bodies() == []


def test_another_projects_words_do_not_count(world: World) -> None:
    """The same words, said next door."""
    other = repository(world.root / "other")
    talk(world, cwd=other)
    ask(world)
    assert join(world) == []


def test_the_words_may_come_after_the_call(world: World) -> None:
    """A client that writes its session down late, a person who says it a moment later: the next pass finds them."""
    ask(world)
    assert join(world) == []
    talk(world, at="2026-09-01T12:05:00Z")
    assert len(join(world)) == 1
    assert len(world.bodies()) == 1


def test_a_hint_is_open_for_a_day(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it is the person's to answer, and nothing is looked for any more."""
    ask(world)
    join(world)
    monkeypatch.setenv("SCRUBJAY_NOW", "2026-09-02T12:01:00Z")
    talk(world)
    assert join(world) == []
    with Ledger.open(world.home.ledger) as ledger:
        assert open_hints(ledger) == []
    assert WISH in world.bodies("pending")


def test_a_programs_prompt_waits_as_it_does_in_learning(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """`learn.headless`: pending by default, active when the person says so."""
    talk(world, headless=True)
    ask(world)
    join(world)
    assert (world.bodies(), len(world.bodies("pending"))) == ([], 1)
    monkeypatch.setenv("SCRUBJAY_LEARN_HEADLESS", "active")
    ask(world, "worker seven drains the queue, it does", name="again")
    join(world)
    assert len(world.bodies()) <= 1


def test_what_is_for_every_project_must_be_said_so(world: World) -> None:
    """An agent's `scope=user` does not carry a remark into all projects."""
    talk(world)
    ask(world, scope="user", type="feedback")
    join(world)
    assert [stored.store.scope for stored in world.memories()] in ([], ["project"])
    assert [stored.store.scope for stored in world.memories("pending")] in ([], ["user"])


def test_only_what_they_say_of_themselves_is_for_every_project(world: World) -> None:
    """An agent that asks for the person's store gets it for words in the first person."""
    talk(world, "I read diffs on a phone. Please fix the parser.")
    ask(world, "The user reads diffs on a phone", scope="user", type="user")
    ask(world, "The user has a queue drained by worker seven", scope="user", type="user")
    talk(world, name="b")
    join(world)
    active = {stored.memory.body: stored.store.scope for stored in world.memories()}
    assert active["I read diffs on a phone."] == "user"
    assert active.get("The queue drains through worker seven.", "project") == "project"


def test_a_yes_to_the_agents_words_counts_as_agreement(world: World) -> None:
    """The agent says it, the person agrees: active, as confirmed, with both quotes."""
    one = world.talk("a", on="2026-09-01T11:54:00Z")
    one.say(
        "look at the queue",
        reply="From now on I will drain the queue through worker seven before each release. Shall I?",
    )
    one.say("yes, always do it like that")
    ask(world, "Drain the queue through worker seven before each release", type="feedback")
    join(world)
    world.learn()
    found = world.memories("active", "pending")
    assert len(found) == 1
    assert found[0].memory.status == "active"
    assert found[0].memory.trust in ("confirmed", "user")


def test_an_agent_forgets_only_what_the_person_wants_gone(world: World) -> None:
    """Without a word of theirs nothing happens; with it the memory goes, undoably, and is not learnt again."""
    rule = remember(world.home, Wish(text="always run the linter before you commit", cwd=str(world.repo)))
    hints.leave(world.home, "forget", rule.id, str(world.repo))
    assert join(world) == []
    assert len(world.bodies()) == 1

    talk(world, "no, forget that about the linter", at="2026-09-01T11:57:00Z")
    assert join(world) == [rule.id]
    assert world.memories("active", "pending") == []
    assert world.library().tombstones.blocks(text="always run the linter before you commit", said_at="")


def test_a_lost_ledger_loses_no_wish(world: World) -> None:
    """What an agent asked for is a file, not a row."""
    ask(world)
    Path(world.home.ledger).unlink()
    assert join(world) == []
    assert WISH in world.bodies("pending")
