"""New, said once more, or a replacement? Whatever was decided before the store is asked again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scrubjay.learn.alike import same, says, statement
from scrubjay.learn.candidate import Candidate, Verdict
from scrubjay.learn.reconcile import MASS_LEAST, Met, reconcile
from scrubjay.learn.rulebook import word_of
from scrubjay.learn.shelf import Shelf
from scrubjay.operations import evidence_id
from scrubjay.scope import StoreRef
from scrubjay.store.change import commit
from scrubjay.store.library import Library
from tests.learn.candidates import candidate, message
from tests.learn.world import World

SAME = [
    ("always run make fmt before you commit", "Always run `make fmt` before you commit!"),
    ("Do not run xcodebuild.", "do not run  xcodebuild"),
    ("local tests run with `make check`, plain pytest hangs", "Local tests run with `make check`; plain pytest hangs."),
    ("we use pnpm in web/", "We use pnpm in web/."),
    ("the freeze starts on 2026-09-10", "The freeze starts on 2026-09-10."),
    ("提交前先运行 make fmt", "提交前先运行 make fmt。"),
]
NOT_SAME = [
    ("the dev postgres listens on port 5544", "the dev postgres listens on port 5533"),
    ("always use freezegun in the tests", "never use freezegun in the tests"),
    ("idempotency keys are kept 72 h", "idempotency keys are kept 7 days"),
    ("commit subjects start with LED-<number>", "commit subjects start with BILL-<number>"),
    ("ledger lag is on https://grafana.example.com/d/lag", "ledger lag is on https://dash.example.com/lag"),
    ("run scripts/seed_db.py first", "run scripts/dev_seed.py first"),
    ("use tabs in web/", "use tabs in services/billing"),
    ("the freeze starts on 2026-09-10", "the freeze starts on 2026-10-10"),
    ("Orla signs off dunning texts", "Teuvo signs off migrations"),
    ("测试用 5544 端口", "测试用 5533 端口"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_texts_that_differ_in_case_spacing_and_signs_are_one(one: str, other: str) -> None:
    """Trivial twins never pile up."""
    assert same(statement(one), statement(other))
    assert same(statement(other), statement(one))


@pytest.mark.parametrize(("one", "other"), NOT_SAME)
def test_another_value_or_the_opposite_is_never_the_same(one: str, other: str) -> None:
    """A fact must not be swallowed by one that differs in the point that matters."""
    assert not same(statement(one), statement(other))
    assert not same(statement(other), statement(one))


def test_a_paragraph_says_what_it_contains() -> None:
    """Containment of content words, with the values and the sense."""
    paragraph = statement("Tests: run `make check` locally. It takes a minute, CI runs the slow ones too.")

    assert says(paragraph, statement("locally run `make check` for the tests"))
    assert not says(paragraph, statement("locally run `make check --all` for the tests"))
    assert not says(paragraph, statement("never run `make check` locally"))


MANY = [
    ("the dev postgres listens on port 5544", "the dev postgres listens on port 5533 now"),
    ("Lena owns the invoice templates", "the invoice templates belong to Tomas now, Lena moved to platform"),
    ("code freeze is on 2026-11-06", "code freeze got pushed to 2026-11-13, QA needs the week"),
    ("commit messages are in German", "commit messages are in English from now on"),
    ("the upload limit is 20 MB", "the upload limit was raised to 50 MB"),
    ("we track bugs in Jira", "bugs are tracked in Linear now"),
    ("calibration meeting every Wednesday at 14:00", "the calibration meeting is cancelled"),
    ("simulation output goes to /scratch/reef", "the output of the simulation goes to /bulk/reef as of today"),
]


class Desk:
    """A shelf and one project's store, with candidates put to it one after another."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.store = StoreRef("project", f"{world.home.projects}/demo-x", "demo-x")
        self.shelf = Shelf(Library.open(world.home))

    def put(
        self, text: str, *, day: int = 1, session: str = "", status: str = "active", word: str = "", live: bool = True,
        **fields: Any,
    ) -> Met:  # fmt: skip
        at = f"2026-09-{day:02}T09:00:00Z"
        made = candidate(text, said=message(text, key=f"k{day}{session}{len(text)}", at=at), **fields)
        made = replace(made, session=session or f"s{day}")
        return self.meet(made, Verdict(status=status, word=word), live=live)

    def meet(self, made: Candidate, verdict: Verdict, *, live: bool = True) -> Met:
        return reconcile(made, verdict, self.shelf, store=self.store, stores=[self.store], live=live)

    def save(self) -> None:
        """Write it down and look anew."""
        commit(self.world.home, self.shelf.changes(), subject="test", evidence=self.shelf.new_evidence())
        self.shelf = Shelf(Library.open(self.world.home))

    def by_status(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for entry in self.shelf:
            found.setdefault(entry.memory.status, []).append(entry.memory.body)
        return {status: sorted(bodies) for status, bodies in sorted(found.items())}


@pytest.fixture
def desk(home: str) -> Desk:
    return Desk(World(home))


PORT = "the dev postgres listens on port 5544"


def test_the_id_of_a_memory_follows_from_its_first_evidence(desk: Desk) -> None:
    """Learning the same record again is the same memory and changes nothing."""
    first = desk.put(PORT)
    again = desk.put(PORT)

    assert first.outcome == "created"
    assert again.outcome == "noop"
    assert first.entry is again.entry
    assert first.entry is not None
    assert first.entry.memory.evidence == (evidence_id(f"k1{len(PORT)}", 0),)


def test_said_again_adds_evidence_and_moves_the_date(desk: Desk) -> None:
    """One memory, two proofs, created at the first, updated at the last."""
    desk.put(PORT)
    desk.save()
    met = desk.put("The dev postgres listens on port 5544.", day=9)

    assert met.outcome == "evidence"
    assert met.entry is not None
    memory = met.entry.memory
    assert (len(memory.evidence), memory.created[:10], memory.updated[:10]) == (2, "2026-09-01", "2026-09-09")


RESTATED = [
    (
        "raw ids in logs are a GDPR finding we already had once; log lines carry tenant_ref, the hashed one",
        "log lines of the job get tenant_ref, not the raw tenant id, same GDPR story as in the mails.",
    ),
    (
        "The K-factor comes out of the column kf in materials.csv, a constant is only right for DC01 and by chance.",
        "the K-factor stands in materials.csv in kf, you have a fallback in it, out with it.",
    ),
]
APART = [
    ("log lines carry tenant_ref, the hashed one", "log lines must not carry tenant_ref, the hashed one"),
    ("the `api` pods are restarted on Mondays", "the `worker` pods are restarted on Mondays"),
    ("the K-factor stands in materials.csv in kf", "the density stands in materials.csv in rho"),
]


@pytest.mark.parametrize(("first", "again"), RESTATED)
def test_said_again_in_other_words_is_one_memory(desk: Desk, first: str, again: str) -> None:
    """Amid other memories the two are so near, down to an identifier, that nothing else can be meant."""
    for day, (text, _) in enumerate(MANY, start=1):
        desk.put(text, day=day)
    desk.put(first, day=15)
    desk.save()

    assert desk.put(again, day=20).outcome == "evidence"


@pytest.mark.parametrize(("first", "other"), APART)
def test_what_looks_alike_is_no_restatement(desk: Desk, first: str, other: str) -> None:
    """The opposite, another thing, another column: a memory of its own."""
    for day, (text, _) in enumerate(MANY, start=1):
        desk.put(text, day=day)
    desk.put(first, day=15)

    assert desk.put(other, day=20).outcome != "evidence"


def test_what_waited_because_it_was_inferred_is_active_when_said_again_independently(desk: Desk) -> None:
    """Twice counts only from another session, another time: one sitting recorded by two agents is one statement."""
    desk.put(PORT, status="pending", word="inferred")
    same_day = desk.put(PORT + "!", session="other", status="pending", word="inferred")
    assert same_day.entry is not None
    assert same_day.entry.memory.status == "pending"

    later = desk.put(PORT + "!!", day=3, status="pending", word="inferred")

    assert later.confirmed
    assert desk.by_status() == {"active": [PORT]}


def test_what_a_program_said_is_active_when_the_person_says_it(desk: Desk) -> None:
    """A person's plain words settle every doubt about the source; hints alone do not."""
    desk.put(PORT, status="pending", word="headless")
    assert not desk.put(PORT + "!", day=3, status="pending", word="headless").confirmed
    assert desk.put(PORT + "!!", day=4).confirmed


def test_an_explicit_change_supersedes_and_both_know_of_each_other(desk: Desk) -> None:
    """The old one goes to the archive, linked; exactly one is active."""
    old = desk.put(PORT)
    desk.save()
    new = desk.put("the dev postgres now listens on port 5533", day=20)
    desk.save()

    assert old.entry is not None
    assert new.entry is not None
    before, after = desk.shelf.get(old.entry.id), desk.shelf.get(new.entry.id)
    assert before is not None
    assert after is not None
    assert (before.memory.status, before.memory.superseded_by) == ("superseded", after.id)
    assert (after.memory.status, after.memory.supersedes) == ("active", (before.id,))
    assert word_of(before.memory.reason) == "superseded"


def test_without_a_word_of_change_the_old_one_waits(desk: Desk) -> None:
    """Implied: the new one holds, and a person is asked whether the old one still does."""
    old = desk.put(PORT)
    new = desk.put("the dev postgres listens on port 5533", day=20)

    assert desk.by_status() == {"active": ["the dev postgres listens on port 5533"], "pending": [PORT]}
    assert old.entry is not None
    assert new.entry is not None
    assert word_of(old.entry.memory.reason) == "changed"
    assert new.entry.memory.supersedes == (old.entry.id,)


def test_a_doubted_memory_that_is_said_again_holds(desk: Desk) -> None:
    """The person's own word settles it."""
    old = desk.put(PORT)
    desk.put("the dev postgres listens on port 5533", day=20)
    desk.put(PORT + "!", day=25)

    assert old.entry is not None
    assert (old.entry.memory.status, old.entry.memory.reason) == ("active", "")


def test_what_was_so_is_so_again_as_a_new_memory(desk: Desk) -> None:
    """Back to the old port: what was replaced stays closed, a new one is active."""
    desk.put(PORT)
    desk.put("the dev postgres now listens on port 5533", day=10)
    desk.put("the dev postgres is back on port 5544", day=20)

    assert desk.by_status()["active"] == ["the dev postgres is back on port 5544"]
    assert desk.by_status()["superseded"][0] == PORT


def test_an_older_statement_learnt_late_does_not_undo_the_newer(desk: Desk) -> None:
    """Sessions of another agent may be learnt later than what they precede."""
    desk.put("the dev postgres listens on port 5533", day=20)
    met = desk.put("the dev postgres listens on port 5544", day=1)

    assert met.entry is not None
    assert met.entry.memory.status == "pending"
    assert desk.by_status()["active"] == ["the dev postgres listens on port 5533"]


def test_pinned_and_hand_written_memories_are_never_replaced_without_asking(desk: Desk) -> None:
    """What a person wrote or pinned gives way to a person only."""
    old = desk.put(PORT)
    assert old.entry is not None
    desk.shelf.change(old.entry, pinned=True)

    met = desk.put("the dev postgres now listens on port 5533", day=20)

    assert met.outcome == "pending"
    assert PORT in desk.by_status()["active"]


def test_one_run_may_not_replace_a_whole_memory(desk: Desk) -> None:
    """More than a fifth (and more than five) of what was active at once: the rest waits."""
    for number, (old, _new) in enumerate(MANY):
        desk.put(old, session=f"old{number}")
    desk.save()
    for number, (_old, new) in enumerate(MANY):
        desk.put(new, day=20, session=f"new{number}")

    words = [word_of(entry.memory.reason) for entry in desk.shelf]
    assert 0 < words.count("superseded") + words.count("changed") <= MASS_LEAST
    assert "mass-change" in words


def test_what_the_assistant_repeats_is_no_proof(desk: Desk) -> None:
    """A memory that was shown and then repeated by the assistant gains nothing."""
    met = desk.put(PORT)
    assert met.entry is not None
    said = message(PORT, key="a1", origin="assistant", role="assistant", at="2026-09-09T09:00:00Z")
    echo = desk.meet(candidate(PORT, said=said), Verdict(status="active", trust="confirmed"))

    assert echo.outcome == "noop"
    assert len(met.entry.memory.evidence) == 1
