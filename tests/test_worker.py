"""The background worker: one at a time, nothing left lying, nothing lost when it is killed."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay import worker
from scrubjay.hooks import background
from scrubjay.install import base, claude_code
from scrubjay.ledger import Ledger
from tests import hook_process
from tests.agents import recorded
from tests.hook_world import World

RULES = (
    "From now on always use tabs in Makefiles.",
    "Never push to main without a green build.",
    "Always run the linter before you commit.",
    "From now on write commit messages in English.",
)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    one = World(tmp_path)
    for name, value in hook_process.environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    one.repository()
    return one


def until(condition: Callable[[], bool], *, seconds: float = 60) -> None:
    """Wait for a condition, not for a time; the limit only ends a test that fails."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "what was waited for never came"
        time.sleep(0.01)


def session(world: World, *texts: str) -> Path:
    """A session file as Claude Code writes it, with prompts that a person typed."""
    number = str(uuid.uuid4())
    path = world.top / ".claude" / "projects" / "-acme-api" / f"{number}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    parent: str | None = None
    with path.open("w", encoding="utf-8") as file:
        for minute, text in enumerate(texts):
            envelope = {"sessionId": number, "cwd": str(world.top / "acme-api"), "version": "2.1.332", "isSidechain": False,
                        "userType": "external", "entrypoint": "cli", "gitBranch": "main"}  # fmt: skip
            for role, content in (("user", text), ("assistant", [{"type": "text", "text": "Done."}])):
                record = {"type": role, "uuid": str(uuid.uuid4()), "parentUuid": parent, **envelope,
                          "timestamp": f"2026-11-29T10:{minute:02}:00.000Z",
                          "message": {"role": role, "content": content, "id": f"msg_{minute}", "model": "m"}}  # fmt: skip
                file.write(json.dumps(record) + "\n")
                parent = str(record["uuid"])
    return path


def enqueue(world: World, path: Path) -> None:
    with world.ledger() as ledger:
        payload = json.dumps({"agent": "claude-code", "path": str(path)}, sort_keys=True)
        ledger.enqueue("session", payload, at="2026-11-29T11:00:00Z")


def learnt(world: World) -> str:
    """Every memory file's text."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(world.home.memory).rglob("*.md")))


def spawn(world: World) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "scrubjay.worker"], env=hook_process.environment(world.top))


def idle(world: World) -> bool:
    with world.ledger() as ledger:
        return ledger.waiting() == 0 and not background.running(world.home)


def test_a_changed_session_is_learnt_and_the_next_prompt_can_have_it(world: World) -> None:
    """Queue in, memories and search index out, and the queue is empty."""
    enqueue(world, session(world, RULES[0]))
    assert worker.run(world.home)
    assert "tabs in Makefiles" in learnt(world)
    assert Path(world.home.search).is_file()
    with world.ledger() as ledger:
        assert ledger.waiting() == 0
        assert ledger.get("worker.ok_at")
        assert ledger.get("news.learnt") == "1"


def test_one_worker_at_a_time(world: World) -> None:
    """The second ends at once and leaves the queue to the first; the lock of a dead one is free."""
    enqueue(world, session(world, RULES[0]))
    descriptor = os.open(background.lock_path(world.home), os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    assert background.running(world.home)
    assert not worker.run(world.home)
    assert spawn(world).wait(60) == 0
    os.close(descriptor)
    assert not background.running(world.home)
    assert worker.run(world.home)


def test_nothing_queued_at_any_moment_is_left_lying(world: World) -> None:
    """Hooks queue first and start a worker only when none runs: also in the moment in which one ends."""
    paths = [session(world, text) for text in RULES]
    for path in paths * 3:
        enqueue(world, path)
        background.start(world.home, hook_process.environment(world.top))
    until(lambda: idle(world))
    for word in ("tabs", "push to main", "linter", "in English"):
        assert word in learnt(world)


def test_a_killed_worker_leaves_its_work_to_the_next(world: World) -> None:
    """SIGKILL while a job is being done: the next run gives what an undisturbed one gives, once."""
    for text in RULES:
        enqueue(world, session(world, text))
    process = spawn(world)

    def busy() -> bool:
        with Ledger.open(world.home.ledger) as ledger:
            return bool(ledger.get("worker.job"))

    until(busy)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert spawn(world).wait(120) == 0
    text = learnt(world)
    for word in ("tabs", "push to main", "linter", "in English"):
        assert word in text
    assert len([path for path in Path(world.home.user_store).glob("*.md") if path.name != "MEMORY.md"]) <= len(RULES)
    assert idle(world)


def test_a_job_that_kills_its_worker_is_given_up(world: World) -> None:
    """It must not keep the others waiting for ever; the person hears of it."""
    enqueue(world, session(world, RULES[0]))
    enqueue(world, session(world, RULES[1]))
    with world.ledger() as ledger:
        job = ledger.take()
        assert job is not None
        ledger.put("worker.job", f"{job[0]} {worker.MAX_ATTEMPTS}")
    assert worker.run(world.home)
    with world.ledger() as ledger:
        assert ledger.waiting() == 0
        assert ledger.get("worker.failing_since")
        assert "gave up" in ledger.get("worker.error")
    assert "push to main" in learnt(world)


def test_a_failing_job_leaves_a_line_and_the_next_good_pass_clears_it(world: World) -> None:
    """Broken bookkeeping of one job is no reason to stop learning from the others."""
    with world.ledger() as ledger:
        ledger.enqueue("session", "not json", at="2026-11-29T11:00:00Z")
    enqueue(world, session(world, RULES[0]))
    assert worker.run(world.home)
    assert "tabs in Makefiles" in learnt(world)
    with world.ledger() as ledger:
        assert ledger.get("worker.error").startswith("session: JSONDecodeError")
        assert ledger.get("worker.failing_since")
    assert "JSONDecodeError" in Path(world.home.log).read_text()
    assert worker.run(world.home)
    with world.ledger() as ledger:
        assert ledger.get("worker.failing_since") == ""


@pytest.mark.parametrize("part", ["codex/acme-api-terminal", "qwen-code/acme-api-terminal"])
def test_a_sweep_learns_other_agents_sessions_and_none_from_before_the_installation(
    world: World, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """Codex and Qwen Code call no hook of ours yet; what they wrote earlier is for `jay init` to ask about."""
    moved = recorded.materialise(part, world.top)
    for name in moved.values():
        os.utime(world.top / name, (0, 0))
    (world.top / ".claude").mkdir(exist_ok=True)
    with monkeypatch.context() as patch:
        patch.setenv("SCRUBJAY_NOW", "2026-08-01T00:00:00Z")  # before the recording
        base.install(world.home, claude_code.INSTALLER.plan(world.home, str(world.top), {}))

    def sweep() -> str:
        with world.ledger() as ledger:
            ledger.enqueue("sweep", json.dumps({"cwd": str(world.top)}), at="2026-11-29T11:00:00Z")
        assert worker.run(world.home)
        return learnt(world)

    assert sweep() == ""
    for name in moved.values():
        os.utime(world.top / name)
    assert sweep() != ""
    with world.ledger() as ledger:
        assert ledger.get("worker.failing_since") == ""


def test_what_a_rewound_prompt_brought_may_come_again(world: World) -> None:
    """The person went back behind the prompt: what it brought is no longer in the context."""
    path = session(world, "First question.", "Second question.", "Third question.")
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record, prompt in zip(records[::2], ("p1", "p2", "p3"), strict=True):
        record["promptId"] = prompt
    records[4]["parentUuid"] = records[1]["uuid"]  # the third prompt was typed after going back behind the second
    path.write_text("".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records), encoding="utf-8")
    with world.ledger() as ledger:
        rows = [("m-1", "recall", 10, "p1"), ("m-2", "recall", 10, "p2"), ("m-3", "recall", 10, "p3")]
        ledger.add_injected("claude-code", path.stem, rows, at="2026-11-29T10:00:00Z")
    enqueue(world, path)
    assert worker.run(world.home)
    with world.ledger() as ledger:
        assert ledger.injected("claude-code", path.stem).keys() == {"m-1", "m-3"}


def test_a_hand_edit_is_taken_in(world: World) -> None:
    """The index has what the person wrote, after the next pass, without any command."""
    fact = world.remember("The staging deploy needs the vpn job to run first.")
    (path,) = (one for one in Path(world.home.projects).rglob("*.md") if fact in one.read_text())
    path.write_text(path.read_text().replace("vpn job", "bastion job"), encoding="utf-8")
    with world.ledger() as ledger:
        ledger.enqueue("refresh", "", at="2026-11-29T11:00:00Z")
    assert worker.run(world.home)
    ended = world.start()
    assert "bastion" in ended.context
    until(lambda: idle(world))


def test_read_only_and_off_learn_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was queued before the person chose."""
    for mode in ("read-only", "off"):
        monkeypatch.setenv("SCRUBJAY_MODE", mode)
        enqueue(world, session(world, RULES[0]))
        assert worker.run(world.home)
        assert "tabs" not in learnt(world)


def test_the_worker_gets_none_of_the_clients_environment() -> None:
    """No key, no GIT_*, nothing of the client's own; only where agents keep their sessions, and our settings."""
    given = {
        "PATH": "/bin", "HOME": "/h", "LC_ALL": "C", "SCRUBJAY_HOME": "/s", "CODEX_HOME": "/c", "CLAUDE_CONFIG_DIR": "/d",
        "ANTHROPIC_API_KEY": "x", "GIT_DIR": "/g", "CLAUDECODE": "1", "CLAUDE_CODE_CHILD_SESSION": "1", "PYTHONPATH": "/p",
        "LD_PRELOAD": "/l",
    }  # fmt: skip
    kept = {"PATH", "HOME", "LC_ALL", "SCRUBJAY_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"}
    assert background.environment(given) == {name: given[name] for name in kept}


def test_the_worker_is_detached(world: World) -> None:
    """In a session of its own: the client's end, or a closed terminal, doesn't take it along."""
    for text in RULES:
        enqueue(world, session(world, text))
    pid = background.start(world.home, hook_process.environment(world.top))
    assert os.getsid(pid) == pid != os.getsid(0)
    assert os.waitpid(pid, 0)[1] == 0
    assert idle(world)
