"""The command line as a process: pipes, terminals, locales, faults."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from scrubjay.home import Home
from scrubjay.hooks.background import lock_path
from tests.cli.terminal import Terminal
from tests.cli.world import JAY, World

HOSTILE = "[bold]x[/] \\ :bomb: \x1b]0;title\x07\x1b[31mred \u202e[link=http://e]y[/link] 部署之前"


@pytest.fixture
def hostile(mine: World) -> World:
    """A memory whose every text tries to reach the terminal."""
    (key,) = {row["project"] for row in mine.jay("list", "--json").json["memories"]} - {""}
    file = Path(mine.store, "memory", "projects", key, "project_hostile.md")
    file.write_text(
        f"---\nname: {json.dumps(HOSTILE)}\ndescription: {json.dumps('when ' + HOSTILE)}\ntype: project\n"
        f"metadata:\n  aliases: [{json.dumps(HOSTILE)}]\n---\n\nzebra quagga {HOSTILE}\n\n{'long ' * 300}{'x' * 400}\n"
    )
    return mine


def test_what_a_memory_says_never_reaches_the_terminal_as_commands(hostile: World) -> None:
    """No escape, no bidi override, no markup is acted on, in any command that prints memories; the words stay readable."""
    memory = hostile.id_of("zebra quagga")
    for arguments in (
        ["list"],
        ["show", memory],
        ["why", memory],
        ["recall", "zebra quagga", "--explain"],
        ["log", memory],
    ):
        done = hostile.jay(*arguments)
        assert done.code == 0, done
        assert not set(done.out) & {"\x1b", "\x07", "\u202e"}, arguments
        assert arguments[0] == "log" or "[bold]x[/] \\ :bomb: " in done.out, arguments
    narrow = hostile.process("show", memory, env={"COLUMNS": "40"})
    assert "[bold]x[/] \\ " in narrow.out
    assert not set(narrow.out) & {"\x1b", "\x07", "\u202e"}
    assert json.loads(hostile.jay("show", memory, "--json").out)["name"].endswith(
        "red \u202e[link=http://e]y[/link] 部署之前"
    )


def test_colours_only_on_a_terminal_and_never_with_no_color(world: World) -> None:
    """A pipe gets plain text; a terminal colours, unless NO_COLOR is set."""
    assert "\x1b" not in world.process("list").out
    with Terminal(world, "list") as terminal:
        assert terminal.end() == 0
    assert "\x1b[" in terminal.raw
    with Terminal(world, "status", env={"NO_COLOR": "1"}) as terminal:
        assert terminal.end() == 0
    assert "\x1b[3" not in terminal.raw


def test_progress_only_on_a_terminal(fresh: World) -> None:
    """Nothing on standard error in a pipe; a bar that is gone at the end on a terminal; never with --json."""
    for agent in (".codex", ".qwen"):
        shutil.rmtree(os.path.join(fresh.home, agent))
    assert fresh.process("scan").err == ""
    with Terminal(fresh, "scan") as terminal:
        assert terminal.end() == 0
    assert "reading sessions" in terminal.raw
    with Terminal(fresh, "scan", "--json") as terminal:
        assert terminal.end() == 0
    assert "reading sessions" not in terminal.raw


def test_a_reader_that_goes_away(world: World) -> None:
    """`jay list | head -1`: no complaint, exit code 141 as every filter."""
    done = subprocess.run(
        ["sh", "-c", '"$@" | { read line; echo "$line"; exec 0<&-; }; ', "sh", *JAY, "list", "--everywhere", "--json"],
        cwd=world.repo, env=world.environ(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("{\n", "")
    closed_read, closed_write = os.pipe()
    os.close(closed_read)
    direct = subprocess.run([*JAY, "list"], cwd=world.repo, env=world.environ(), stdout=closed_write,
                            stderr=subprocess.PIPE, text=True, check=False)  # fmt: skip
    os.close(closed_write)
    assert (direct.returncode, direct.stderr) == (141, "")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed(mine: World, closed: str) -> None:
    """No fault, and no file of ours takes the place of the stream: what would be printed is in none of them."""
    more = ("status", "--version") if " " in closed else ()
    for command in ("list", "remember 'the zebra crossing is closed on Mondays'", *more):
        done = subprocess.run(
            ["sh", "-c", f'"$@" {command} {closed}', "sh", *JAY], cwd=mine.repo, env=mine.environ(),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, ""), command
    assert not os.path.exists(os.path.join(mine.store, "state", "errors.log"))
    assert mine.jay("doctor", "--json").code == mine.jay("list").code == 0


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_an_output_that_is_no_utf8(hostile: World, encoding: str) -> None:
    """What the encoding cannot show becomes `?` in text and an escape in JSON; nothing fails."""
    env = {"PYTHONIOENCODING": encoding, "LC_ALL": "C"}
    memory = hostile.id_of("zebra quagga")
    text = subprocess.run(
        [*JAY, "show", memory], cwd=hostile.repo, env=hostile.environ(env), capture_output=True, check=False
    )
    assert (text.returncode, text.stderr) == (0, b"")
    assert b"zebra quagga" in text.stdout
    data = subprocess.run(
        [*JAY, "show", memory, "--json"], cwd=hostile.repo, env=hostile.environ(env), capture_output=True, check=False
    )
    assert json.loads(data.stdout.decode(encoding))["name"].endswith("red \u202e[link=http://e]y[/link] 部署之前")
    if encoding == "ascii":
        assert hostile.process("--help", env=env).code == 0


def test_an_unforeseen_fault_is_a_sentence_and_a_log(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """No traceback for the person; the log holds frames and the kind of error, never its message."""
    from scrubjay.cli import cmd_status

    def broken(*_: object) -> None:
        raise ZeroDivisionError(" ".join(["what", "somebody", "said"]))

    monkeypatch.setattr(cmd_status, "status", broken)
    done = world.jay("status", "--json")
    log = Path(done.json["hint"].removeprefix("the traceback is in ").partition(";")[0])
    assert (done.code, done.json["error"]) == (
        2, "a fault in scrubjay itself (ZeroDivisionError); nothing half-done is left behind",
    )  # fmt: skip
    assert "ZeroDivisionError" in log.read_text()
    assert "what somebody said" not in log.read_text()
    log.unlink()


def test_each_command_starts_fast(world: World) -> None:
    """One command loads only itself: neither the scanner's rules nor the other commands nor a progress bar, nor what Typer
    would validate text with."""
    code = (
        "import sys; from scrubjay.cli.main import run; run(['list']);"
        "heavy = ('scrubjay.cli.cmd_', 'detect_secrets', 'pydantic', 'rich.progress');"
        "print(sorted(name for name in sys.modules if name.startswith(heavy)), file=sys.stderr)"
    )
    done = subprocess.run(
        [*JAY[:2], code], cwd=world.repo, env=world.environ(), capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "['scrubjay.cli.cmd_list']"


@contextmanager
def worker_busy(world: World) -> Iterator[None]:
    """A worker seems to run, so that no hook starts one that would outlive the test."""
    path = lock_path(Home(world.store))
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def test_what_a_hook_gave_is_shown_by_last_and_status(mine: World) -> None:
    """A session start and two prompts through the installed shim: names, sizes, and why nothing came on the second."""
    assert mine.jay("init", "--yes", "--days", "0").code == 0
    session = "11111111-2222-4333-8444-555555555555"
    prompts = ["how long does v1 stay up?", "translate 'see you tomorrow' into Finnish"]
    payloads = [{"hook_event_name": "SessionStart", "source": "startup"}]
    payloads += [
        {"hook_event_name": "UserPromptSubmit", "prompt": prompt, "prompt_id": prompt[:3]} for prompt in prompts
    ]
    with worker_busy(mine):
        for payload in payloads:
            data = json.dumps(
                {**payload, "session_id": session, "cwd": mine.repo, "transcript_path": f"{mine.home}/none.jsonl"}
            )
            done = subprocess.run(
                [os.path.join(mine.store, "bin", "hook"), "claude-code", payload["hook_event_name"]],
                input=data.encode(), env=mine.environ({"SCRUBJAY_HOOK_DEADLINE_MS": "10000"}), capture_output=True, check=False,
            )  # fmt: skip
            assert (done.returncode, done.stderr) == (0, b"")
    text = mine.jay("last").out
    assert text.startswith("claude-code session 11111111\n")
    assert "at its start " in text
    assert mine.id_of("v1 stays up until") in text
    assert "on a prompt nothing: no memory answered" in text
    given = mine.jay("last", "--json").json["given"]
    assert [row["channel"] for row in given] == ["recall", "recall", "resident"]
    assert {"SessionStart", "UserPromptSubmit"} <= set(mine.jay("status", "--json").json["hooks"]["claude-code"])


def test_sessions_that_may_not_be_read_are_named(mine: World) -> None:
    """A file and a folder without permission: learning goes on with the rest, doctor names them and the way out."""
    (file,) = sorted(Path(mine.home, ".claude").rglob("*.jsonl"))[:1]
    folder = Path(mine.home, ".codex", "sessions", "2020")
    folder.mkdir()
    powers = "-dac_override,-dac_read_search"
    drop = ["setpriv", f"--bounding-set={powers}", f"--inh-caps={powers}"] if os.geteuid() == 0 else []
    if drop and shutil.which("setpriv") is None:
        pytest.skip("root may read everything, and there is no setpriv")
    file.chmod(0)
    folder.chmod(0)
    try:
        for command, code in (("learn", 0), ("scan", 0), ("doctor", 0)):
            done = subprocess.run([*drop, *JAY, command, "--json"], cwd=mine.repo, env=mine.environ(), capture_output=True,
                                  text=True, check=False)  # fmt: skip
            assert (done.returncode, done.stderr) == (code, ""), done.stdout
    finally:
        file.chmod(0o600)
        folder.chmod(0o700)
    told = {
        one["detail"].rpartition(": ")[2]
        for one in json.loads(done.stdout)["checks"]
        if "no permission" in one["detail"]
    }
    assert told == {str(file), str(folder)}
