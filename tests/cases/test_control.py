"""Forget, opt-out, consent and history (bug-log kind `control`)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from scrubjay import worker
from scrubjay.home import Home
from scrubjay.install.state import Installed, record
from scrubjay.ledger import Ledger
from tests import hook_process
from tests.cases.machine import Machine
from tests.learn.world import Talk

RULE = "always run make fmt before you commit"
OTHER = "from now on never push to main without a green build"
FACT = "deploys need the vpn job first, else there is no route to the bastion"
ASK = "which vpn job do deploys need before the bastion?"
SESSION = "11111111-2222-4333-8444-555555555555"


def begin(machine: Machine, source: str, talk: Talk, **env: str) -> str:
    """A session of `talk` that starts with an environment of its own; the block."""
    data = hook_process.payload(
        f"SessionStart-{source}",
        machine.home,
        cwd=str(talk.cwd),
        session_id=talk.session,
        transcript_path=str(talk.path),
    )
    shim = [str(machine.store / "bin" / "hook"), "claude-code", "SessionStart"]
    return hook_process.run("SessionStart", data, hook_process.environment(machine.home, **env), shim).context


def sweep(machine: Machine, monkeypatch: pytest.MonkeyPatch, *, now: str, installed: str) -> None:
    """The worker's pass after a session's start, as if `jay init` had run at `installed`."""
    monkeypatch.setenv("HOME", str(machine.home))
    monkeypatch.setenv("SCRUBJAY_HOME", str(machine.store))
    monkeypatch.setenv("SCRUBJAY_NOW", now)
    home = Home(str(machine.store))
    os.makedirs(home.state, mode=0o700, exist_ok=True)
    record(
        home, Installed(agent="claude-code", path=str(machine.home / "settings.json"), at=installed, events=("Stop",))
    )
    with Ledger.open(home.ledger) as ledger:
        ledger.enqueue("sweep", "", at=now)
    assert worker.run(home)
    with Ledger.open(home.ledger) as ledger:
        assert ledger.get("worker.error") == ""


def test_forget_takes_nothing_that_was_not_named(machine: Machine) -> None:
    """No id, an empty one, a wildcard, an unknown one: an error code and a message, and everything is still there."""
    repo = machine.repository("acme")
    machine.remember(FACT, cwd=repo)
    machine.remember("the print queue drains at noon", cwd=repo)
    for wanted in ((), ("",), ("m-",), ("m",), ("*",), ("m-nosuchone",), ("--purge", "--yes")):
        done = machine.jay("forget", *wanted, cwd=repo)
        assert done.code in (1, 2), wanted
        assert done.err, wanted
    assert machine.listed(repo) == [FACT, "the print queue drains at noon"]


@pytest.mark.parametrize("how", ["forget", "purge", "hand", "undo"])
def test_what_is_gone_is_gone_from_open_sessions_too(hooked: Machine, how: str) -> None:
    """Forgotten, purged, deleted by hand or undone: the next prompt of a session that was open, and the next session's
    block, have neither the fact nor the rule."""
    repo = hooked.repository("acme")
    another = {"session_id": "99999999-2222-4333-8444-555555555555"}
    hooked.start(repo)
    hooked.start(repo, **another)
    ids = [hooked.remember(FACT, cwd=repo), hooked.remember(OTHER, "--user", "--type", "feedback", cwd=repo)]
    told = hooked.ask(ASK, repo, **another)
    assert FACT in told
    assert OTHER in told
    if how == "hand":
        for row in hooked.jay("list", "--json", cwd=repo).json["memories"]:
            os.unlink(row["file"])
    elif how == "undo":
        made = [
            row["sha"] for row in hooked.jay("log", "--json").json["changes"] if row["subject"].startswith("remember")
        ]
        assert [hooked.jay("undo", sha).code for sha in made] == [0, 0]
    else:
        assert hooked.jay("forget", *ids, *(["--purge", "--yes"] if how == "purge" else []), cwd=repo).code == 0
    assert hooked.ask(ASK, repo) == ""
    assert hooked.start(repo, session_id="88888888-2222-4333-8444-555555555555") == ""


@pytest.mark.parametrize("how", ["forget", "purge", "hand"])
def test_what_was_forgotten_stays_away_without_the_ledger_too(machine: Machine, how: str) -> None:
    """The same transcript, read again with nothing known of it, brings nothing back; said again, it waits; remembered
    by hand, it is there."""
    repo = machine.repository("acme")
    machine.talk("s1", repo, on="2026-09-20").say(RULE)
    machine.learn()
    (row,) = machine.jay("list", "--json", cwd=repo).json["memories"]
    if how == "hand":
        os.unlink(row["file"])
    else:
        machine.jay("forget", row["id"], *(["--purge", "--yes"] if how == "purge" else []), cwd=repo)
    assert machine.learn()["created"] == []
    for path in machine.store.glob("state/*/*"):
        if path.is_file():
            path.unlink()
    assert machine.learn()["created"] == []
    assert machine.listed(repo, "--all") == []
    machine.talk("s2", repo, on="2026-09-28T10:00:00Z").say(RULE)
    later = machine.jay("learn", "--json", SCRUBJAY_NOW="2026-09-28T12:00:00Z").json
    assert (len(later["created"]), len(later["pending"])) == (0, 1)
    machine.remember(RULE, cwd=repo)
    assert machine.listed(repo, "--status", "active") == [RULE]


@pytest.mark.parametrize(
    "arguments",
    [["list"], ["recall", ASK], ["context"], ["status"], ["learn"], ["log"], ["last"], ["review"], ["doctor"], []],
    ids=lambda arguments: arguments[0] if arguments else "jay",
)
def test_off_makes_no_folder(machine: Machine, arguments: list[str]) -> None:
    """`mode = off` on a fresh machine with sessions on it: whatever is asked, nothing appears on the disk."""
    repo = machine.repository("acme")
    machine.talk("s1", repo).say(RULE)
    machine.jay(*arguments, cwd=repo, SCRUBJAY_MODE="off")
    assert machine.jay("remember", FACT, cwd=repo, SCRUBJAY_MODE="off").code == 2
    assert not machine.store.exists()


def test_off_brings_nothing_back(hooked: Machine) -> None:
    """Zero bytes into a session, and `jay recall` says what a prompt would get: nothing."""
    repo = hooked.repository("acme")
    hooked.remember(FACT, cwd=repo)
    hooked.jay("config", "mode", "off")
    assert (hooked.start(repo), hooked.ask(ASK, repo)) == ("", "")
    assert hooked.recalled(ASK, repo) == ""
    hooked.jay("config", "mode", "auto")
    hooked.start(repo)
    assert FACT in hooked.ask(ASK, repo)


def test_read_only_writes_nothing_by_itself(hooked: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recall and an explicit wish work; nothing is learnt, and what waits is not archived behind the person's back."""
    repo = hooked.repository("acme")
    hooked.remember(FACT, cwd=repo)
    hooked.talk("s1", repo, headless=True).say(OTHER)
    assert len(hooked.learn()["pending"]) == 1
    hooked.jay("config", "mode", "read-only")
    hooked.talk("s2", repo, on="2026-11-20").say(RULE)
    before = hooked.files(hooked.store / "memory" / "projects")
    home = Home(str(hooked.store))
    os.unlink(os.path.join(home.state, "worker.lock"))
    sweep(hooked, monkeypatch, now="2026-12-30T10:00:00Z", installed="2026-09-01T00:00:00Z")
    assert hooked.files(hooked.store / "memory" / "projects") == before
    hooked.start(repo)
    assert FACT in hooked.ask(ASK, repo)
    hooked.remember("the print queue drains at noon", cwd=repo)


def test_one_session_opts_out_and_the_others_do_not(hooked: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """`SCRUBJAY_MODE=off claude`: nothing of that session is learnt, though a later session's worker and `jay learn` read
    every transcript; what it says after it goes on with memory is."""
    repo = hooked.repository("acme")
    private = hooked.talk("private", repo, on="2026-09-28T09:00:00Z")
    assert begin(hooked, "startup", private, SCRUBJAY_MODE="off", SCRUBJAY_NOW="2026-09-28T08:59:00Z") == ""
    private.say(RULE)
    hooked.talk("open", repo, on="2026-09-28T09:00:00Z").say(OTHER)
    os.unlink(os.path.join(Home(str(hooked.store)).state, "worker.lock"))
    sweep(hooked, monkeypatch, now="2026-09-28T10:00:00Z", installed="2026-09-01T00:00:00Z")
    hooked.learn()
    assert [body.lower()[: len(OTHER)] for body in hooked.listed(repo, "--all", "--everywhere")] == [OTHER]
    begin(hooked, "resume", private, SCRUBJAY_NOW="2026-09-28T11:00:00Z")
    private.at = private.at.replace(hour=11, minute=5)
    private.say("always write commit messages in English")
    assert len(hooked.learn()["created"]) == 1


@pytest.mark.parametrize("way", [("pause", "2h"), ("pause", "2h", "--here"), ("config", "mode", "off")])
def test_what_is_said_in_a_pause_is_never_learnt_and_the_rest_is(machine: Machine, way: tuple[str, ...]) -> None:
    """Nobody reads the transcript before the pause is over, and still nothing of it is learnt; what was said before it and
    after it is, in the same session."""
    repo = machine.repository("acme")
    machine.remember(FACT, cwd=repo)
    talk = machine.talk("s1", repo, on="2026-09-28T08:00:00Z")
    talk.say(OTHER)
    assert machine.jay(*way, cwd=repo).code == 0  # 09:00
    talk.at = talk.at.replace(hour=10)
    talk.say(RULE)
    back = ("config", "mode", "auto") if way[0] == "config" else ("pause", "--off", *way[2:])
    assert machine.jay(*back, cwd=repo, SCRUBJAY_NOW="2026-09-28T10:30:00Z").code == 0
    talk.at = talk.at.replace(hour=12)
    talk.say("always write commit messages in English")
    done = machine.jay("learn", "--json", SCRUBJAY_NOW="2026-09-28T13:00:00Z").json
    assert sorted(row["quote"] for row in done["created"]) == ["always write commit messages in English", OTHER]


def test_a_session_from_before_the_installation_is_asked_about(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes on after `jay init`: the worker learns what is said from then on, the backlog is for the person to allow."""
    repo = machine.repository("acme")
    talk = machine.talk("s1", repo, on="2026-09-01")
    talk.say(RULE)
    talk.at = talk.at.replace(day=20)
    talk.say(OTHER)
    sweep(machine, monkeypatch, now="2026-09-20T12:00:00Z", installed="2026-09-15T00:00:00Z")
    assert [body.lower()[: len(OTHER)] for body in machine.listed(repo, "--everywhere")] == [OTHER]
    assert len(machine.learn()["created"]) == 1


def test_recall_off_and_the_rest_on(hooked: Machine) -> None:
    """No recall on a prompt, and the session is still queued to be learnt from; the block alone can be switched off too."""
    repo = hooked.repository("acme")
    hooked.remember(FACT, cwd=repo)
    hooked.remember(OTHER, "--user", "--type", "feedback", cwd=repo)
    hooked.jay("config", "recall.enabled", "false")
    assert OTHER in hooked.start(repo)
    assert hooked.ask(ASK, repo) == ""
    hooked.hook("Stop", repo)
    with Ledger.open(Home(str(hooked.store)).ledger) as ledger:
        jobs = {
            json.loads(str(payload) or "{}").get("path", "")
            for _, payload in ledger.rows("SELECT kind, payload FROM queue")
        }
    assert any(path.endswith(f"{SESSION}.jsonl") for path in jobs)
    hooked.jay("config", "recall.enabled", "--unset")
    hooked.jay("config", "resident.enabled", "false")
    other = "77777777-2222-4333-8444-555555555555"
    assert hooked.start(repo, session_id=other) == ""
    assert FACT in hooked.ask(ASK, repo, session_id=other)


def test_every_change_is_told_and_can_be_taken_back(machine: Machine) -> None:
    """What a session changed (made, replaced, forgotten at the person's word) stands in the log, each with its undo."""
    repo = machine.repository("acme")
    memory = machine.remember(FACT, cwd=repo)
    versions = ["one", "two", "three"]
    for body in versions:
        assert machine.jay("edit", memory, "--body", f"deploys need job {body}", cwd=repo).code == 0
    log = machine.jay("log", memory, "--json", cwd=repo).json["changes"]
    assert [row["subject"].split()[0].rstrip(":") for row in log] == ["edit", "edit", "edit", "remember"]
    assert all(row["at"] and row["sha"] for row in log)
    for row in log[:-1]:
        assert machine.jay("undo", row["sha"], cwd=repo).code == 0
    assert machine.listed(repo) == [FACT]
    assert len(machine.jay("log", memory, "--json", cwd=repo).json["changes"]) == 7


def test_the_proof_names_every_source_also_after_one_replaced_the_other(machine: Machine) -> None:
    """Said in two sessions, then changed in a third: `why` lists each message, of the old one too."""
    repo = machine.repository("acme")
    for number, text in enumerate(("from now on we use npm for the console, always `npm ci` there",) * 2, 1):
        machine.talk(f"s{number}", repo, on=f"2026-09-0{number}").say(text)
    machine.talk("s3", repo, on="2026-09-05").say(
        "we moved to pnpm for the console, from now on never use npm any more"
    )
    machine.learn()
    rows = {row["status"]: row for row in machine.jay("list", "--all", "--json", cwd=repo).json["memories"]}
    old = machine.jay("why", rows["superseded"]["id"], "--json", cwd=repo).json
    assert [one["at"][:10] for one in old["evidence"]] == ["2026-09-01", "2026-09-02"]
    new = machine.jay("why", rows["active"]["id"], "--json", cwd=repo).json
    assert [one["at"][:10] for one in new["evidence"]] == ["2026-09-05"]
    assert rows["superseded"]["id"] in json.dumps(new["replaces"])


def test_memories_move_as_files(machine: Machine, tmp_path: Path) -> None:
    """The folder is the export: copied into a new home it is the same memories, copied again nothing changes, and what was
    edited there meanwhile is not written over by us."""
    repo = machine.repository("acme")
    memory = machine.remember("I read diffs on a phone", "--user", cwd=repo)
    other = Machine(tmp_path / "other")
    target = other.store / "memory" / "user"
    target.mkdir(parents=True)
    for _ in range(2):
        for path in (machine.store / "memory" / "user").glob("*.md"):
            (target / path.name).write_bytes(path.read_bytes())
        assert other.listed() == ["I read diffs on a phone"]
        assert other.jay("show", memory, "--json").code == 0
    (edited,) = target.glob("user_*.md")
    edited.write_text(edited.read_text().replace("phone", "tablet"))
    assert other.listed() == ["I read diffs on a tablet"]
    assert "tablet" in edited.read_text()


def test_mode_off_shows_no_block(machine: Machine) -> None:
    """With `mode = off`, `jay context` prints what a session gets: nothing."""
    repo = machine.repository("quiet")
    machine.remember("we always squash before merging", cwd=repo)
    assert machine.jay("context", cwd=repo).out
    assert machine.jay("context", cwd=repo, SCRUBJAY_MODE="off").out == ""
