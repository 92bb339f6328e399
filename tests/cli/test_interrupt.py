"""Ctrl-C: at a question, while keys are awaited, in the middle of reading, while the program is still being loaded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from scrubjay.cli.question import wait_for_input
from tests.cli.terminal import Terminal
from tests.cli.world import World

SAID = "interrupted; nothing half-done is left behind"


def test_at_a_question_of_init(fresh: World) -> None:
    """Exit code 130 and one line; nothing was written, and the next command works. The key is pressed as soon as the
    question shows, which is often before the program waits for the answer."""
    for _ in range(2):
        with Terminal(fresh, "init", "--no-hooks") as terminal:
            terminal.wait_for("Enter goes on: ")
            terminal.press("\x03")
            assert terminal.end() == 130
        assert SAID in terminal.screen
        assert "Traceback" not in terminal.screen
    assert not os.path.exists(fresh.store)
    assert fresh.jay("init", "--yes", "--days", "0").code == 0


def test_no_signal_is_slept_through() -> None:
    """A signal that comes at any moment around the beginning of the wait ends it. The moments are swept in steps of a
    microsecond; a plain read sleeps through one of them within the first few hundred."""
    code = (
        "import signal\n"
        "from scrubjay.cli.question import wait_for_input\n"
        "class Woken(Exception): pass\n"
        "def wake(*_): raise Woken\n"
        "signal.signal(signal.SIGALRM, wake)\n"
        "for number in range(4000):\n"
        "    try:\n"
        "        signal.setitimer(signal.ITIMER_REAL, (1 + number % 100) * 1e-6)\n"
        "        wait_for_input(0)\n"
        "    except Woken:\n"
        "        pass\n"
    )
    silent, into = os.pipe()
    try:
        subprocess.run([sys.executable, "-c", code], stdin=silent, check=True, timeout=60)
    finally:
        os.close(silent)
        os.close(into)


def test_the_wait_leaves_the_signals_of_others_alone() -> None:
    """What was set to be woken before is woken again afterwards."""
    out, into = os.pipe()
    os.set_blocking(into, False)
    before = signal.set_wakeup_fd(into)
    try:
        read, write = os.pipe()
        os.write(write, b"x")
        wait_for_input(read)
        assert signal.set_wakeup_fd(into) == into
    finally:
        signal.set_wakeup_fd(before)
        for one in (out, into, read, write):
            os.close(one)


@pytest.mark.parametrize("command", ["learn", "scan"])
def test_while_sessions_are_read(fresh: World, command: str) -> None:
    """130, one line, no bar left behind; the next run learns what an undisturbed one learns."""
    with Terminal(fresh, command) as terminal:
        terminal.wait_for("learning" if command == "learn" else "reading sessions")
        terminal.press("\x03")
        assert terminal.end() == 130
    assert SAID in terminal.screen
    assert "Traceback" not in terminal.screen
    done = fresh.jay("learn", "--json")
    assert (done.code, len(done.json["created"]) + len(done.json["pending"]) > 0) == (0, True)
    assert fresh.jay("learn", "--json").json["messages"] == 0


def test_while_review_waits_for_a_key(fresh: World) -> None:
    """130, and none of the answers given so far counts."""
    assert fresh.jay("learn").code == 0
    before = fresh.jay("review", "--json").json["left"]
    with Terminal(fresh, "review") as terminal:
        terminal.wait_for("q stop")
        terminal.press("y")
        terminal.wait_for("q stop")
        terminal.press("\x03")
        assert terminal.end() == 130
    assert SAID in terminal.screen
    assert fresh.jay("review", "--json").json["left"] == before


def test_while_the_program_is_loaded(fresh: World) -> None:
    """No traceback: the code that is loaded first knows what Ctrl-C means."""
    code = (
        "import builtins, os, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a job in the background inherits that it is ignored
        "real = builtins.__import__\n"
        "def slow(name, *rest):\n"
        "    if name == 'typer':\n        os.kill(os.getpid(), signal.SIGINT)\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = slow\n"
        "from scrubjay.cli.entry import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=fresh.environ(), capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.strip().startswith("jay: interrupted")
    assert "Traceback" not in done.stderr
