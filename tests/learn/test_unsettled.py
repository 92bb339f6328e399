"""A statement that waits for review can still say that an older one is no plain truth any more: the older one sleeps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrubjay.learn.candidate import Verdict
from scrubjay.learn.forgetting import forget
from scrubjay.learn.holding import hold_back_limit
from scrubjay.learn.reconcile import Met, reconcile
from scrubjay.learn.review import Answer, answer, archive_unanswered, waiting
from scrubjay.learn.rulebook import word_of
from scrubjay.learn.shelf import Entry, Shelf
from scrubjay.memory import Memory
from scrubjay.operations import Trust
from scrubjay.scope import StoreRef
from scrubjay.store.change import commit
from scrubjay.store.library import Library
from tests.learn.candidates import candidate, message
from tests.learn.world import World

OLD = "夜间构建的日志在 https://ci.example.org/night"
NEW = "The nightly build logs are on https://logs.example.org/night now"


class Desk:
    """One project's shelf."""

    def __init__(self, home: str) -> None:
        self.world = World(home)
        self.store = StoreRef("project", f"{self.world.home.projects}/demo-x", "demo-x")
        self.shelf = Shelf(Library.open(self.world.home))

    def put(self, text: str, *, day: int = 1, word: str = "", trust: Trust = "user", origin: Any = "user") -> Met:
        said = message(text, key=f"k{day}{len(text)}", at=f"2026-09-{day:02}T09:00:00Z", origin=origin)
        made = replace(candidate(text, said=said), session=f"s{day}")
        verdict = Verdict(status="pending" if word else "active", word=word, trust=trust)
        return reconcile(made, verdict, self.shelf, store=self.store, stores=[self.store], live=True)

    def save(self) -> None:
        commit(self.world.home, self.shelf.changes(), subject="test", evidence=self.shelf.new_evidence())
        self.shelf = Shelf(Library.open(self.world.home))

    def memory(self, text: str) -> Memory:
        return next(entry.memory for entry in self.shelf if entry.memory.body == text)


@pytest.fixture
def desk(home: str) -> Desk:
    return Desk(home)


def entry_of(met: Met) -> Entry:
    assert met.entry is not None
    return met.entry


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (OLD, NEW),
        ("每周三下午开数据例会", "周三的数据例会取消了"),
        ("tickets are LED-<number>", "LED is closed"),
        ("网关监听 8088 端口", "网关端口改成 9088 了"),
    ],
)
def test_what_a_waiting_statement_says_is_over_sleeps_with_the_reason(desk: Desk, old: str, new: str) -> None:
    """Not injected, still found; the new one names what it would replace."""
    before = entry_of(desk.put(old))
    after = entry_of(desk.put(new, day=9, word="inferred"))

    assert (before.memory.status, word_of(before.memory.reason)) == ("dormant", "changed")
    assert "2026-09-09" in before.memory.reason
    assert "jay review" in before.memory.reason
    assert (after.memory.status, after.memory.supersedes) == ("pending", (before.id,))


@pytest.mark.parametrize(
    ("new", "fields"),
    [
        ("maybe the nightly build logs are on https://logs.example.org/night now", {}),
        ("are the nightly build logs on https://logs.example.org/night now?", {}),
        (NEW, {"trust": "tool", "word": "untrusted", "origin": "tool"}),
        (NEW, {"word": "headless"}),
        ("The status page is on https://status.example.org now", {}),
    ],
)
def test_doubts_and_the_words_of_others_put_nothing_to_sleep(desk: Desk, new: str, fields: dict[str, Any]) -> None:
    """A web page must not be able to switch off what the person said."""
    before = entry_of(desk.put("The nightly build logs are on https://ci.example.org/night"))
    desk.put(new, day=9, **{"word": "inferred", **fields})

    assert before.memory.status == "active"


@pytest.mark.parametrize(("day", "status"), [(9, "active"), (12, "dormant")])
def test_a_hint_does_not_doubt_what_was_changed_in_the_same_sitting(desk: Desk, day: int, status: str) -> None:
    """Who has just said what replaces what hardly takes it back in passing; days later they may."""
    desk.put("网关监听 8088 端口")
    changed = entry_of(desk.put("网关端口改成 9088 了", day=9))
    assert changed.memory.supersedes
    hint = entry_of(desk.put("现在网关端口改成 7088 了", day=day, word="inferred"))

    assert (changed.memory.status, hint.memory.status) == (status, "pending")


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("the port of service 0 is 5000", "the port of service 1 is 5001 now", "active"),
        ("服务 0 的端口是 5000", "服务 1 的端口现在改成 5001 了", "active"),
        ("node 18 is what we build with", "node 20 is what we build with now", "superseded"),
    ],
)
def test_two_of_a_kind_are_told_apart_by_their_numbers(desk: Desk, old: str, new: str, status: str) -> None:
    """The newer one does not put the older away; where nothing but the number differs, it is what changed."""
    before = entry_of(desk.put(old))
    desk.put(new, day=9)

    assert before.memory.status == status


def test_pinned_memories_stay_awake(desk: Desk) -> None:
    """What a person pinned gives way to a person only."""
    before = entry_of(desk.put(OLD))
    desk.shelf.change(before, pinned=True)
    desk.put(NEW, day=9, word="inferred")

    assert before.memory.status == "active"


@pytest.mark.parametrize(("verb", "old", "new"), [("accept", "superseded", "active"), ("reject", "active", "")])
def test_the_persons_answer_settles_both(desk: Desk, verb: Any, old: str, new: str) -> None:
    """Yes: the new one is active and the old one replaced. No: the old one is in force again."""
    desk.put(OLD)
    waiting = entry_of(desk.put(NEW, day=9, word="inferred"))
    desk.save()

    answer(desk.world.home, [Answer(id=waiting.id, verb=verb)])

    desk.shelf = Shelf(Library.open(desk.world.home))
    assert desk.memory(OLD).status == old
    assert [entry.memory.status for entry in desk.shelf if entry.memory.body == NEW] == ([new] if new else [])


def test_said_once_more_the_old_one_is_awake(desk: Desk) -> None:
    """It did not change after all."""
    before = entry_of(desk.put(OLD))
    desk.put(NEW, day=9, word="inferred")
    desk.put(OLD + "。", day=20)

    assert before.memory.status == "active"


def test_over_the_limit_of_a_session_the_replaced_one_sleeps_too(desk: Desk) -> None:
    """The new one waits only because of the count: the old one is no plain truth."""
    before = entry_of(desk.put(OLD))
    desk.save()
    after = entry_of(desk.put(NEW, day=9))
    hold_back_limit(desk.shelf, [after], most=0)

    assert after.memory.status == "pending"
    assert desk.memory(OLD).status == "dormant"
    assert before.id in after.memory.supersedes


@pytest.mark.parametrize("end", ["archive", "forget"])
def test_what_nobody_answered_gives_back_what_it_put_to_sleep(desk: Desk, end: str) -> None:
    """Archived without an answer, or forgotten: the older statement is in force again."""
    old, asking = desk.put(OLD), desk.put(NEW, day=2, word="inferred")
    assert entry_of(old).memory.status == "dormant"
    desk.shelf.change(entry_of(asking), created="2020-01-01T00:00:00Z", updated="2020-01-01T00:00:00Z")
    desk.save()

    if end == "archive":
        assert archive_unanswered(desk.world.home) == [entry_of(asking).id]
    else:
        forget(desk.world.home, Library.open(desk.world.home), [entry_of(asking).id])

    desk.shelf = Shelf(Library.open(desk.world.home))
    assert desk.memory(OLD).status == "active"


PORT, OTHER_PORT = "the dev postgres listens on port 5544", "the dev postgres listens on port 5533"


def test_what_an_active_memory_leaves_in_doubt_is_asked_about(desk: Desk) -> None:
    """It is in the queue by itself; nobody's silence ends it, and a yes makes it hold beside the new one."""
    before = entry_of(desk.put(PORT))
    desk.put(OTHER_PORT, day=20)
    desk.save()
    assert archive_unanswered(desk.world.home) == []
    (row,) = waiting(desk.world.home)
    assert (row.id, word_of(row.reason)) == (before.id, "changed")

    answer(desk.world.home, [Answer(id=row.id, verb="accept")])

    assert sorted(stored.memory.body for stored in desk.world.memories()) == [OTHER_PORT, PORT]


def test_with_the_memory_that_raised_it_the_doubt_goes(desk: Desk) -> None:
    """Forgotten: the old one is in force again."""
    desk.put(PORT)
    newer = entry_of(desk.put(OTHER_PORT, day=20))
    desk.save()

    forget(desk.world.home, Library.open(desk.world.home), [newer.id])

    assert [stored.memory.body for stored in desk.world.memories()] == [PORT]


def test_accepting_what_contradicts_a_pinned_memory_replaces_it(desk: Desk) -> None:
    """The queue shows what would go; the yes makes it so, linked both ways."""
    before = entry_of(desk.put(PORT))
    desk.shelf.change(before, pinned=True)
    after = entry_of(desk.put(OTHER_PORT + " now", day=20))
    desk.save()
    (row,) = waiting(desk.world.home)
    assert (row.id, row.replaces, row.replaces_name) == (after.id, before.id, before.memory.name)

    result = answer(desk.world.home, [Answer(id=row.id, verb="accept")])

    assert result.superseded == (before.id,)
    assert desk.world.library().get(before.id, follow=True).memory.id == row.id
