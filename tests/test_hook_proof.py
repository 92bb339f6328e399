"""What the hook may not do, proven: imports, processes, files, delays, and failures that reach the person's prompt."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scrubjay.hooks import packing
from scrubjay.hooks.background import lock_path
from scrubjay.ledger import Ledger
from tests import hook_process
from tests.hook_process import SILENCE, SOURCE
from tests.hook_world import OTHER, SESSION, World, busy
from tests.test_worker import until

WATCHED = """
import os, sys
sys.path.insert(0, sys.argv.pop(1))
seen = []
def watch(event, args):
    if event in ("os.posix_spawn", "os.fork", "os.forkpty", "os.exec", "os.system", "subprocess.Popen", "socket.connect"):
        seen.append([event, ""])
    elif event == "open" and (args[1] not in (None, "r", "rb") or (args[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)):
        seen.append([event, str(args[0])])
    elif event in ("os.mkdir", "os.rename", "os.remove", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.utime"):
        seen.append([event, str(args[0])])
    elif event == "sqlite3.connect":
        seen.append([event, str(args[0])])
sys.addaudithook(watch)
leave = os._exit
def report(code):
    report = {"seen": list(seen), "modules": sorted(sys.modules)}
    import json  # not before: the hook itself does without
    sys.stderr.write(json.dumps(report))
    sys.stderr.flush()
    leave(code)
os._exit = report
from scrubjay.hook import main
main()
"""

HELD = """
import os, sys
sys.path.insert(0, sys.argv.pop(1))
gate, decided = int(sys.argv.pop()), int(sys.argv.pop())
from scrubjay.hook import main
from scrubjay.inject import recall, resident
def held(act):
    def wait(*args, **more):
        result = act(*args, **more)
        os.write(decided, b"x")
        os.read(gate, 1)
        return result
    return wait
recall.recall, resident.resident = held(recall.recall), held(resident.resident)
main()
"""
"""A hook that waits, once it has decided what to say, until it is let go on."""

RULE = "Always run the linter before you commit."
FACT = "The staging deploy needs the vpn job to run first."
QUESTION = "why does the staging deploy fail without the vpn job?"

ALLOWED_OURS = {
    "scrubjay",
    "scrubjay.clock",
    "scrubjay.errors",
    "scrubjay.home",
    "scrubjay.hook",
    "scrubjay.hooks",
    "scrubjay.hooks.claude_code",
    "scrubjay.hooks.flow",
    "scrubjay.hooks.wire",
    "scrubjay.inject",
    "scrubjay.ledger",
    "scrubjay.quickjson",
    "scrubjay.quickload",
    "scrubjay.quicksql",
    "scrubjay.scope",
    "scrubjay.search",
    "scrubjay.settings",
}
ALLOWED_ROOMS = ("scrubjay.inject.", "scrubjay.ledger.", "scrubjay.scope.", "scrubjay.search.")
FORBIDDEN = {
    "_datetime", "asyncio", "argparse", "collections", "dataclasses", "datetime", "enum", "functools", "hashlib",
    "importlib.metadata", "inspect", "json", "logging", "pathlib", "random", "re", "shutil", "signal", "socket", "subprocess",
    "tempfile", "threading", "tomllib", "typing", "urllib", "uuid", "yaml",
}  # fmt: skip
"""Each costs milliseconds on every prompt and does nothing that a hook needs."""


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with busy(tmp_path) as one:
        yield one


def watched(world: World, event: str, payload: dict[str, object]) -> tuple[str, dict[str, Any]]:
    command = [sys.executable, "-I", "-S", "-c", WATCHED, str(SOURCE), "claude-code", event]
    ended = hook_process.run(event, payload, hook_process.environment(world.top, **world.env), command)
    assert ended.code == 0
    return ended.stdout, json.loads(ended.stderr)


def test_the_prompts_hook_starts_nothing_and_writes_nothing_but_the_ledger(world: World) -> None:
    """Seen by an audit hook, on a prompt that does bring something back."""
    world.start()
    world.remember(FACT)
    payload = hook_process.payload(
        "UserPromptSubmit", world.top, session_id=SESSION, prompt=QUESTION, cwd=str(world.top / "acme-api")
    )
    stdout, report = watched(world, "UserPromptSubmit", payload)
    assert FACT in stdout
    opened = {name for event, name in report["seen"] if event != "sqlite3.connect"}
    assert opened == set()
    databases = {os.path.basename(str(name).split("?")[0]) for _event, name in report["seen"]}
    assert databases == {"ledger.sqlite", "search.sqlite"}


def test_the_prompts_hook_loads_only_the_hot_modules(world: World) -> None:
    """Ours by name, and of the standard library none of the slow ones."""
    world.start()
    world.remember(FACT)
    payload = hook_process.payload(
        "UserPromptSubmit", world.top, session_id=SESSION, prompt=QUESTION, cwd=str(world.top / "acme-api")
    )
    _stdout, report = watched(world, "UserPromptSubmit", payload)
    ours = {str(name) for name in report["modules"] if str(name).startswith("scrubjay")}
    assert {name for name in ours - ALLOWED_OURS if not name.startswith(ALLOWED_ROOMS)} == set()
    assert "scrubjay.search.build" not in ours
    packed = {f"scrubjay.{name}" for name in packing.MODULES}
    assert ours - packed == {"scrubjay", "scrubjay.hook", "scrubjay.home", "scrubjay.quickload"}
    assert set(report["modules"]) & FORBIDDEN == set()
    foreign = {str(name).split(".")[0] for name in report["modules"]} - set(sys.stdlib_module_names)
    assert foreign - {"scrubjay", "__main__"} == set()


def test_a_sessions_start_loads_no_regular_expressions(world: World) -> None:
    """Nor what they load, which is a third of the whole hook."""
    world.remember(RULE, kind="feedback")
    payload = hook_process.payload("SessionStart-startup", world.top, cwd=str(world.top / "acme-api"))
    stdout, report = watched(world, "SessionStart", payload)
    assert RULE in stdout
    assert {"collections", "enum", "functools", "re"} & set(report["modules"]) == set()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"{",
        b"\xff\xfe\x00",
        b'{"session_id": 1, "cwd": []}',
        b"[" * 100_000,
        b"x" * 17_000_000,
    ],
    ids=["empty", "null", "list", "object", "cut", "bytes", "types", "deep", "huge"],
)
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "Stop", "Unknown"])
def test_garbage_is_answered_with_silence(world: World, event: str, data: bytes) -> None:
    """Whatever comes in: exit code 0 and no output."""
    assert world.raw(event, data) == SILENCE


def test_a_failure_leaves_one_line_and_no_words_of_the_prompt(world: World) -> None:
    """For doctor: which hook, which error, where."""
    assert world.raw("UserPromptSubmit", b'{"prompt": "my secret plan') == SILENCE
    with world.ledger() as ledger:
        row = ledger.events("claude-code")[0]
    assert (row["event"], row["outcome"]) == ("UserPromptSubmit", "failed")
    assert str(row["detail"]).startswith(("ValueError quickjson.py:", "JSONDecodeError quickjson.py:"))
    assert "secret" not in str(row)


def test_a_clock_that_cannot_be_read_is_told_and_the_prompt_is_answered(world: World) -> None:
    """`SCRUBJAY_NOW` is for tests and recordings; one that is no time is not worth a memory."""
    world.start()
    fact = world.remember(FACT)
    world.env["SCRUBJAY_NOW"] = "garbage"
    assert FACT in world.ask(QUESTION).context
    with world.ledger() as ledger:
        told = [(row["outcome"], row["detail"]) for row in ledger.events("claude-code")[:2]]
        at = ledger.injected("claude-code", SESSION)[fact][1]
    assert ("failed", "SCRUBJAY_NOW is no ISO time; the machine's clock was taken") in told
    assert at.startswith("20")


def test_a_lost_ledger_silences_no_prompt_and_is_made_anew(world: World) -> None:
    """The worker is woken; until it has been there a prompt may say again what the session has."""
    world.start()
    world.remember(FACT)
    assert FACT in world.ask(QUESTION).context
    for name in os.listdir(world.home.state):
        if name.startswith("ledger"):
            os.unlink(os.path.join(world.home.state, name))
    assert FACT in world.ask(QUESTION).context
    payload = hook_process.payload(
        "UserPromptSubmit", world.top, session_id=SESSION, prompt=QUESTION, cwd=str(world.top / "acme-api")
    )
    os.unlink(lock_path(world.home))  # the lock that `busy` holds is on the old file: no worker seems to run
    _stdout, report = watched(world, "UserPromptSubmit", payload)
    assert ["os.posix_spawn", ""] in report["seen"]
    until(lambda: Ledger.open_hot(world.home.ledger) is not None)
    world.ask(QUESTION)
    with world.ledger() as ledger:
        assert ledger.resident("claude-code", SESSION) is not None


def test_a_hook_that_is_registered_twice_gives_once(world: World) -> None:
    """Two entries for one event: both processes run at the same moment and only one of them speaks."""
    world.remember(RULE, kind="feedback")
    # no start was seen: the block comes with the prompt
    assert sorted(RULE.encode() in output for output in at_once(world)) == [False, True]
    fact = world.remember(FACT)
    assert sorted(FACT.encode() in output for output in at_once(world)) == [False, True]
    with world.ledger() as ledger:
        assert ledger.usage([fact])[fact][0] == 1


def test_broken_settings_leave_the_prompt_alone(world: World) -> None:
    """The config file is a person's: a typo in it is told by doctor, not by every prompt."""
    Path(world.home.config).write_text("mode = [", encoding="utf-8")
    assert world.start() == SILENCE
    assert world.ask(QUESTION) == SILENCE


@pytest.mark.parametrize("name", ["ledger", "search"])
@pytest.mark.parametrize("damage", ["missing", "corrupt", "empty", "folder"])
def test_a_damaged_database_is_no_failure_of_the_prompt(world: World, name: str, damage: str) -> None:
    """Missing, overwritten, empty, or a folder in its place."""
    world.start()
    world.remember(FACT)
    path = Path(getattr(world.home, name))
    for leftover in path.parent.glob(path.name + "-*"):
        leftover.unlink()
    path.unlink()
    if damage == "folder":
        path.mkdir()
    elif damage != "missing":
        path.write_bytes(b"" if damage == "empty" else b"no database " * 1000)
    for ended in (world.ask(QUESTION), world.start("clear", session=OTHER), world.fire("Stop")):
        assert (ended.code, ended.stderr) == (0, "")


def test_a_locked_ledger_costs_a_moment_and_no_more(world: World) -> None:
    """Another process writes for long: the row is skipped after 50 ms, and so is what could not be noted."""
    world.start()
    world.remember(FACT)
    with closing(sqlite3.connect(world.home.ledger, isolation_level=None)) as held:
        held.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        assert world.ask(QUESTION) == SILENCE
        assert time.monotonic() - began < 2
        held.execute("ROLLBACK")
    held.close()
    assert FACT in world.ask(QUESTION).context


def test_a_read_only_home_still_gives_the_block(world: World) -> None:
    """Nothing can be noted, so prompts stay silent instead of repeating themselves; the start needs no note."""
    world.remember(RULE, kind="feedback")
    world.remember(FACT)
    read_only = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    inside = ["unshare", "-rm", "sh", "-c", read_only, world.home.root]
    if subprocess.run([*inside, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no user namespaces here")

    def fire(event: str, name: str, **changes: str) -> hook_process.Ended:
        data = hook_process.payload(name, world.top, session_id=SESSION, cwd=str(world.top / "acme-api"), **changes)
        argv = [*inside, world.home.shim, "claude-code", event]
        return hook_process.run(event, data, hook_process.environment(world.top), argv)

    assert RULE in fire("SessionStart", "SessionStart-startup").context
    assert fire("UserPromptSubmit", "UserPromptSubmit", prompt=QUESTION) == SILENCE
    assert fire("Stop", "Stop") == SILENCE


def test_the_deadline_ends_a_slow_hook_in_silence(world: World) -> None:
    """Standard input that never ends stands for everything that hangs: the process ends with 0 and a line for doctor."""
    env = hook_process.environment(world.top, SCRUBJAY_HOOK_DEADLINE_MS="100")
    process = subprocess.Popen(
        [world.home.shim, "claude-code", "UserPromptSubmit"],
        env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    began = time.monotonic()
    assert process.wait(timeout=10) == 0
    assert time.monotonic() - began < 5
    assert process.stdout is not None
    assert process.stderr is not None
    assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()
    with world.ledger() as ledger:
        assert ledger.events("claude-code")[0]["outcome"] == "late"


def test_the_deadline_is_seen_inside_a_long_query(world: World) -> None:
    """SQLite holds the processor for as long as a query runs: it must call back."""
    program = (
        "import sys; sys.path.insert(0, sys.argv.pop(1))\n"
        "import scrubjay.hook as hook, scrubjay.hooks.flow as flow, sqlite3\n"
        "hook._arm(['claude-code', 'UserPromptSubmit'])\n"
        "connection = sqlite3.connect(':memory:')\n"
        "flow.watch(connection)\n"
        "endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n'\n"
        "connection.execute(endless).fetchall()\n"
    )
    command = [sys.executable, "-I", "-S", "-c", program, str(SOURCE)]
    env = hook_process.environment(world.top, SCRUBJAY_HOOK_DEADLINE_MS="100")
    done = subprocess.run(command, env=env, capture_output=True, timeout=10)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def at_once(world: World) -> list[bytes]:
    """What two hooks of one prompt print when each has decided what to say before either has noted it."""
    payload = hook_process.payload(
        "UserPromptSubmit", world.top, session_id=SESSION, prompt=QUESTION, cwd=str(world.top / "acme-api")
    )
    env = hook_process.environment(world.top, SCRUBJAY_HOOK_DEADLINE_MS="10000")
    command = [sys.executable, "-I", "-S", "-c", HELD, str(SOURCE), "claude-code", "UserPromptSubmit"]
    decided, gate = os.pipe(), os.pipe()
    ends = [str(decided[1]), str(gate[0])]
    processes = [
        subprocess.Popen(
            [*command, *ends], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=(decided[1], gate[0])
        )
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(json.dumps(payload).encode())
        process.stdin.close()
        process.stdin = None
    for _ in processes:
        os.read(decided[0], 1)
    os.write(gate[1], b"go on, and look for memories too")
    outputs = [process.communicate(timeout=10)[0] for process in processes]
    for end in (*decided, *gate):
        os.close(end)
    return outputs


def test_two_sessions_at_once_get_the_same_and_both_are_noted(world: World) -> None:
    """Hooks of several clients run at the same moment: neither waits for nor loses the other."""
    world.start()
    world.start(session=OTHER)
    fact = world.remember(FACT)
    processes = []
    for session in (SESSION, OTHER):
        payload = hook_process.payload(
            "UserPromptSubmit", world.top, session_id=session, prompt=QUESTION, cwd=str(world.top / "acme-api")
        )
        process = subprocess.Popen(
            [world.home.shim, "claude-code", "UserPromptSubmit"],
            env=hook_process.environment(world.top), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        processes.append((process, json.dumps(payload).encode()))
    outputs = [process.communicate(data, timeout=10)[0] for process, data in processes]
    assert all(fact.encode() in output for output in outputs)
    assert outputs[0] == outputs[1]
    with world.ledger() as ledger:
        for session in (SESSION, OTHER):
            assert fact in ledger.injected("claude-code", session)
