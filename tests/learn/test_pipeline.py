"""Learning as a whole: real session files in, real stores out."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay import clock
from scrubjay.errors import BadInput
from scrubjay.home import current
from scrubjay.learn.pipeline import learn, learn_live
from scrubjay.learn.review import waiting
from scrubjay.learn.rulebook import word_of
from scrubjay.store.forget import forget
from tests.learn.world import World, repository
from tests.redact.parts import secrets

RULE = "always run make fmt before you commit, the CI rejects unformatted code"
PUSH = "never push to main directly, open a pull request: the branch is protected and the release bot works on it"
OTHER = "never edit web/src/client.ts by hand, it is generated"


@pytest.fixture
def world(home: str) -> World:
    return World(home)


def test_a_rule_said_once_is_remembered_with_its_proof(world: World) -> None:
    """One file in the project's store, active, the person's trust, its evidence pointing at the very record."""
    talk = world.talk("s1")
    key = talk.say(RULE)

    report = world.learn()

    (stored,) = world.memories()
    assert "make fmt" in stored.memory.body
    assert (stored.store.scope, stored.memory.by, stored.memory.trust) == ("project", "learned", "user")
    assert stored.memory.created.startswith("2026-09-01T09:0")
    (evidence,) = world.library().evidence(stored.memory.evidence)
    assert (evidence.message, evidence.session, evidence.file, evidence.origin) == (
        key,
        talk.session,
        str(talk.path),
        "user",
    )
    assert evidence.quote in RULE
    assert [one.id for one in report.created] == [stored.memory.id]
    assert report.as_json()["sessions"] == 1


def test_learning_again_changes_no_byte_also_without_the_ledger(world: World) -> None:
    """Twice changes nothing; a lost ledger costs a second reading and leads to the same bytes."""
    talk = world.talk("s1")
    for text in (RULE, OTHER, "what does SIGTERM do?", "we moved to pnpm, do not use npm any more"):
        talk.say(text)
    world.learn()
    before = world.files()

    again = world.learn()
    shutil.rmtree(world.home.state)
    relearnt = world.learn()

    assert (again.created, again.pending, again.messages) == ((), (), 0)
    assert (relearnt.created, relearnt.pending) == ((), ())
    assert world.files() == before


def test_only_what_is_new_is_learnt_while_a_session_grows(world: World) -> None:
    """Each look at a growing session gives what was added; all at once would have given the same memories."""
    talk = world.talk("s1")
    texts = (RULE, "thanks", OTHER, "use tabs in web/, this holds only there, always")
    seen = []
    for text in texts:
        talk.say(text)
        seen.append(world.learn().messages)
    grown = {stored.memory.id: stored.memory for stored in world.memories("active", "pending")}

    shutil.rmtree(world.home.root)
    world.learn()

    assert seen == [1, 1, 1, 1]
    assert {stored.memory.id: stored.memory.body for stored in world.memories("active", "pending")} == {
        key: memory.body for key, memory in grown.items()
    }


def test_a_half_written_last_line_is_learnt_when_it_is_whole(world: World) -> None:
    """A session that is being written at this moment loses nothing."""
    talk = world.talk("s1")
    talk.say(RULE)
    whole = talk.path.read_bytes()
    lines = whole.splitlines(keepends=True)
    talk.path.write_bytes(lines[0][:40])
    assert world.learn().messages == 0

    talk.path.write_bytes(whole)

    assert len(world.learn().created) == 1


def test_the_same_said_again_elsewhere_adds_evidence_and_no_second_file(world: World) -> None:
    """Near-duplicates are one memory whose evidence grows."""
    world.talk("s1").say(RULE)
    world.talk("s2", on="2026-09-03").say("Always run `make fmt` before you commit. The CI rejects unformatted code!")

    report = world.learn()

    (stored,) = world.memories("active", "pending")
    assert len(stored.memory.evidence) == 1 + report.evidence_added > 1


def test_a_forked_session_is_one_statement(world: World) -> None:
    """A fork copies the shared beginning under the same ids: it is read once."""
    talk = world.talk("s1")
    talk.say(RULE)
    fork = world.talk("s2")
    fork.path.write_bytes(talk.path.read_bytes().replace(talk.session.encode(), fork.session.encode()))

    report = world.learn()

    (stored,) = world.memories()
    assert len(stored.memory.evidence) == 1
    assert report.messages == 1


def test_what_was_said_on_a_branch_that_was_rewound_sleeps_until_it_is_said_again(world: World) -> None:
    """All evidence abandoned: dormant, with the reason. Said again on the live branch: active, the same memory."""
    talk = world.talk("s1")
    talk.say("let's look at the hooks")
    point = talk.last
    talk.say(RULE)
    world.learn()
    (stored,) = world.memories()

    talk.say("something else", after=point)
    report = world.learn()
    (asleep,) = world.memories("dormant")
    talk.say(RULE)
    world.learn()
    (awake,) = world.memories()

    assert [one.id for one in report.dormant] == [stored.memory.id] == [asleep.memory.id] == [awake.memory.id]
    assert word_of(asleep.memory.reason) == "branch"
    assert (awake.memory.reason, len(awake.memory.evidence)) == ("", 2)


def test_nobody_is_asked_about_what_was_said_on_a_branch_that_was_left(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waited for review sleeps when its branch is left, in the queue and in the counts alike, and waits again once
    it is said on a live branch."""
    monkeypatch.setenv("SCRUBJAY_MODE", "review")
    talk = world.talk("s1")
    talk.say("let's look at the hooks")
    point = talk.last
    talk.say(RULE)
    world.learn()
    assert len(world.memories("pending")) == len(waiting(world.home)) == 1

    talk.say("something else", after=point)
    world.learn()
    (asleep,) = world.memories("dormant")
    assert word_of(asleep.memory.reason) == "left"
    assert (world.memories("pending"), waiting(world.home)) == ([], [])

    talk.say(RULE)
    world.learn()
    assert [one.memory.id for one in world.memories("pending")] == [asleep.memory.id]


def test_a_branch_abandoned_before_the_first_learning_was_never_active(world: World) -> None:
    """Read as a whole, the abandoned branch makes a sleeping memory, and learning again leaves it so."""
    talk = world.talk("s1")
    talk.say("let's look at the hooks")
    point = talk.last
    talk.say(RULE)
    talk.say("something else", after=point)

    world.learn()
    before = world.files()
    shutil.rmtree(world.home.state)
    world.learn()

    assert world.bodies() == []
    assert len(world.memories("dormant")) == 1
    assert world.files() == before


def test_a_rewound_replacement_gives_back_what_it_replaced(world: World) -> None:
    """The person walks away from the branch on which they changed their mind: the old rule holds again."""
    world.talk("s1").say("the console installs with `npm ci`, a plain `npm install` changes the lockfile")
    talk = world.talk("s2", on="2026-09-05")
    talk.say("let's look at the console")
    point = talk.last
    talk.say("the console moved from npm to pnpm because the cache is shared, nobody uses npm any more")
    world.learn()
    assert not [body for body in world.bodies() if "npm ci" in body], "these words put nothing away any more"

    talk.say("forget about it, look at the css", after=point)
    world.learn()

    assert [body for body in world.bodies() if "npm ci" in body]
    assert world.memories("superseded") == []


def test_forgotten_means_not_learnt_again_and_a_later_statement_waits(world: World) -> None:
    """A tombstone stands against the same record read again; said anew afterwards, the person is asked."""
    world.talk("s1").say(RULE)
    world.learn()
    library = world.library()
    forget(world.home, library, [stored.memory.id for stored in library.memories()])

    shutil.rmtree(world.home.state)
    report = world.learn()
    assert report.refused_by_rule.get("forgotten") == 1
    assert world.memories("active", "pending") == []

    world.talk("s2", on="2027-03-01").say(RULE)
    world.learn()
    assert world.bodies() == []
    assert [word_of(stored.memory.reason) for stored in world.memories("pending")] == ["forgotten"]


def test_prompts_that_a_program_wrote_wait_for_a_person(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """`learn.headless`: pending by default, active when asked for, nothing at all with skip."""
    world.talk("s1", headless=True).say(RULE)
    world.learn()
    assert [word_of(stored.memory.reason) for stored in world.memories("pending")] == ["headless"]

    for setting, expected in (("active", 1), ("skip", 0)):
        shutil.rmtree(world.home.root)
        monkeypatch.setenv("SCRUBJAY_LEARN_HEADLESS", setting)
        world.learn()
        assert len(world.memories("active")) == expected
    assert world.memories("active", "pending") == []


def test_a_live_session_gives_five_and_the_rest_waits(world: World) -> None:
    """The limit counts over all looks at the session; `jay learn`, which a person runs, has none."""
    texts = [f"always run make {name} before you {verb}, the CI rejects {what}" for name, verb, what in (
        ("fmt", "commit", "unformatted code"), ("lint", "push", "unlinted code"), ("audit", "deploy", "open holes"),
        ("seed", "start the server", "an empty database"), ("types", "touch the client", "old interfaces"),
        ("backup", "migrate", "migrations without a dump"), ("smoke", "tag", "untested releases"))]  # fmt: skip
    talk = world.talk("s1")
    for text in texts:
        talk.say(text)
        learn_live(world.home)
    waiting = world.memories("pending")
    assert (len(world.memories()), {word_of(one.memory.reason) for one in waiting}) == (5, {"limit"})

    shutil.rmtree(world.home.root)
    world.learn()

    assert len(world.memories()) == len(texts)


def test_from_a_backlog_the_old_and_the_gone_wait(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Older than 30 days and said once, or about a path that is gone: pending with the reason. Said twice or fresh: active."""
    monkeypatch.setenv("SCRUBJAY_NOW", "2026-11-30T12:00:00Z")
    world.talk("old").say(RULE)
    for name, day in (("t1", "2026-08-01"), ("t2", "2026-08-20")):
        world.talk(name, on=day).say(PUSH)
    fresh = world.talk("new", on="2026-11-20")
    fresh.say("the server only starts with `make serve`, a plain `npm start` misses the environment")
    fresh.say("never edit scripts/old_tool.py by hand, it is generated from the schema")

    world.learn(backlog=True)

    reasons = {stored.memory.body: word_of(stored.memory.reason) for stored in world.memories("active", "pending")}
    assert sorted(reasons.values()) == ["", "", "backlog", "gone"]
    assert reasons[next(body for body in reasons if "make fmt" in body)] == "backlog"
    assert reasons[next(body for body in reasons if "old_tool" in body)] == "gone"


def test_a_dry_run_reports_the_same_and_leaves_no_trace(world: World) -> None:
    """`jay scan` looks and writes nothing, not even a folder."""
    world.talk("s1").say(RULE)

    dry = world.learn(dry_run=True)
    assert not os.path.exists(world.home.root)
    wet = world.learn()

    assert [one.id for one in dry.created] == [one.id for one in wet.created]
    assert (dry.dry_run, dry.undo) == (True, "")


def test_no_secret_and_no_private_passage_is_in_any_byte_written(world: World) -> None:
    """Every kind of secret, said in a rule: not in a memory, the evidence, a kept turn, the ledger, the index or git."""
    made = secrets()
    talk = world.talk("s1")
    for before, secret, after in made.values():
        talk.say(f"always use this when you test: {before}{secret}{after}\nnever run it on Fridays")
    talk.say("always call the client by its number <private>it is Foo Ltd</private>, never by name")
    world.learn()

    raw = b"".join(path.read_bytes() for path in Path(world.home.root).rglob("*") if path.is_file())
    git = ["git", "-C", world.home.memory, "cat-file", "--batch-all-objects", "--batch"]
    if os.path.isdir(os.path.join(world.home.memory, ".git")):
        raw += subprocess.run(git, check=True, capture_output=True).stdout
    lines = {name: secret.split("\n")[len(secret.split("\n")) // 2] for name, (_before, secret, _after) in made.items()}
    left = [name for name, line in lines.items() if line.strip("> ").encode() in raw]
    assert left == []
    assert b"Foo Ltd" not in raw
    assert b"never run it on Fridays" in raw


def test_excluded_and_paused_places_give_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """An excluded folder is learnt from when it is no longer excluded; what was said in a pause stays unlearnt."""
    from scrubjay.ledger import Ledger

    other = repository(world.root / "private")
    world.talk("s1", cwd=other).say(RULE)
    monkeypatch.setenv("SCRUBJAY_LEARN_EXCLUDE", str(other))
    assert world.learn().skipped["excluded"] == 1
    assert world.memories("active", "pending") == []
    monkeypatch.delenv("SCRUBJAY_LEARN_EXCLUDE")
    assert len(world.learn().created) == 1

    with Ledger.open(world.home.ledger) as ledger:
        ledger.pause("", "", at="2026-09-10T08:00:00Z")
    world.talk("s2", on="2026-09-10").say(OTHER)
    assert world.learn().skipped["paused"] == 1
    with Ledger.open(world.home.ledger) as ledger:
        ledger.resume("", at="2026-09-11T08:00:00Z")
    assert world.learn().created == ()


@pytest.mark.parametrize(("mode", "active", "pending"), [("off", 0, 0), ("read-only", 0, 0), ("review", 0, 1)])
def test_the_mode_decides_whether_anything_is_written(
    world: World, monkeypatch: pytest.MonkeyPatch, mode: str, active: int, pending: int
) -> None:
    """off and read-only write nothing at all; in review everything waits."""
    monkeypatch.setenv("SCRUBJAY_MODE", mode)
    world.talk("s1").say(RULE)

    world.learn()

    assert os.path.exists(world.home.memory) == bool(pending)
    assert len(world.memories("active")) == active
    assert len(world.memories("pending")) == pending


def test_two_projects_stay_apart_and_a_personal_rule_is_everywhere(world: World) -> None:
    """Each repository has a store of its own; what is said for all projects is in the user's."""
    world.talk("s1").say(RULE)
    other = repository(world.root / "other")
    world.talk("s2", cwd=other).say("we lint with `make lint` before every commit, because the CI rejects the rest")

    world.learn()

    assert len({stored.store.project for stored in world.memories()}) == 2


def test_since_passes_over_what_is_older_and_a_later_run_without_it_learns_it(world: World) -> None:
    """`--since` is no mark: what it left out is still there to be learnt."""
    world.talk("s1", on="2026-06-01").say(RULE)
    talk = world.talk("s2", on="2026-06-02")
    talk.say(PUSH)
    talk.at = talk.at.replace(month=9)
    talk.say(OTHER)
    os.utime(world.talk("s1", on="2026-06-01").path, (1_780_000_000, 1_780_000_000))

    first = world.learn(since=clock.parse("2026-08-01"))
    second = world.learn()

    assert (len(first.created), len(second.created)) == (1, 2)


def test_a_memory_file_that_an_agent_wrote_waits_and_one_that_a_person_wrote_does_not(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tool call that names the file at the time it was written tells the two apart; merely reading it does not."""
    world.talk("s0").say(RULE)
    world.learn()
    folder = Path(world.memories()[0].path).parent
    talk = world.talk("s1", on="2026-09-05")
    for name in ("feedback_agent.md", "feedback_person.md"):
        (folder / name).write_text(f"---\nname: {name}\ndescription: d\ntype: feedback\n---\nalways trust {name}\n")
    talk.say("tidy up", files=(str(folder / "feedback_agent.md"), str(folder / "feedback_person.md")))
    written = talk.at.timestamp()
    os.utime(folder / "feedback_agent.md", (written + 2, written + 2))
    os.utime(folder / "feedback_person.md", (written - 9999, written - 9999))

    world.learn()

    waiting = {stored.memory.name: word_of(stored.memory.reason) for stored in world.memories("pending")}
    assert waiting == {"feedback_agent.md": "agent"}


def test_a_session_from_before_the_installation_gives_only_what_is_said_after_it(world: World) -> None:
    """The worker does not slip a backlog in; `jay learn`, which a person runs, learns it."""
    talk = world.talk("s1", on="2026-06-01")
    talk.say(RULE)
    talk.at = talk.at.replace(month=9)
    talk.say(OTHER)

    live = learn_live(world.home, sources=[str(talk.path)], since=clock.parse("2026-08-01"))
    again = learn_live(world.home, sources=[str(talk.path)])
    asked = world.learn()

    assert (len(live.created), again.messages, len(asked.created)) == (1, 0, 1)


def test_an_unknown_agent_is_bad_input(world: World) -> None:
    """A name that no reader has is an error with the known names, not an empty run."""
    with pytest.raises(BadInput):
        world.learn(agents=["no-such-agent"])


def test_what_nobody_understands_is_a_problem_and_its_mark_stays(world: World) -> None:
    """An unreadable file is named, hinders no other, and is read when it can be."""
    talk = world.talk("s1")
    talk.say(RULE)
    broken = talk.path.with_name("0f0f0f0f-0000-4000-8000-000000000000.jsonl")
    broken.write_text('{"unknown": "thing"}\n' * 3, encoding="utf-8")

    report = world.learn()

    assert len(report.created) == 1
    assert [problem for problem in report.problems if str(broken) in problem]


def _learn_in_a_process(_number: int) -> int:
    return len(learn(current()).created)


def test_two_learners_at_once_make_each_memory_once(world: World) -> None:
    """Both read at the same time; the second to decide finds everything done."""
    for number in range(6):
        talk = world.talk(f"s{number}")
        talk.say(RULE)
        talk.say(f"always run make step{number} before you deploy part {number}")
    context = multiprocessing.get_context("spawn")
    with context.Pool(3) as pool:
        pool.map(_learn_in_a_process, range(3))
    before = world.files()

    assert len([body for body in world.bodies() if "make fmt" in body]) == 1
    shutil.rmtree(world.home.state)
    world.learn()
    assert world.files() == before


@pytest.mark.parametrize("step", ["mark", "set_cursor", "branches", "refresh"])
def test_killed_in_the_middle_the_next_run_ends_in_the_same_bytes(world: World, step: str) -> None:
    """Whatever the killed run had done, learning again leads where an undisturbed run leads."""
    world.talk("s1").say(RULE)
    world.talk("s2").say(OTHER)
    code = (
        "import os, signal\n"
        "from scrubjay.home import current\n"
        "from scrubjay.ledger import Ledger\n"
        "from scrubjay.learn import pipeline\n"
        "def die(*a, **k): os.kill(os.getpid(), signal.SIGKILL)\n"
        f"step = {step!r}\n"
        "setattr(pipeline if step == 'refresh' else Ledger, step, die)\n"
        "pipeline.learn(current())\n"
    )
    died = subprocess.run([sys.executable, "-c", code], check=False)
    assert died.returncode == -signal.SIGKILL

    world.learn()
    after = world.files()
    shutil.rmtree(world.home.root)
    world.learn()

    assert {name.rsplit("/", 1)[-1] for name in after} == {name.rsplit("/", 1)[-1] for name in world.files()}
    assert len(world.memories()) == 2
