"""The command line where the surroundings are odd: no working directory, a relative home, no rights, secrets typed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.world import JAY, World
from tests.redact.parts import BASE62, some, word


@pytest.mark.parametrize("command", ["status", "list", "context", "last", "remember the build needs java 21"])
def test_a_working_directory_that_is_gone_is_said(world: World, tmp_path: Path, command: str) -> None:
    """A sentence with the way out and exit code 2, not a fault."""
    gone = tmp_path / "gone"
    gone.mkdir()
    # -P: as the installed `jay`, whose first import path is not the working directory
    script = f'cd "{gone}" && rmdir "{gone}" && exec "$@"'
    done = subprocess.run(
        ["/bin/sh", "-c", script, "sh", JAY[0], "-P", *JAY[1:], *command.split(" ", 1)],
        env=world.environ(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "the working directory is gone" in done.stderr
    assert "fault" not in done.stderr


def test_a_relative_home_is_refused_before_anything_is_written(world: World) -> None:
    """It would be another memory in every directory; `--help` still answers."""
    done = world.process("remember", "the build needs java 21", env={"SCRUBJAY_HOME": "here/scrubjay"})
    assert done.code == 2
    assert "SCRUBJAY_HOME is no absolute path" in done.err
    assert not os.path.exists(os.path.join(world.repo, "here"))
    assert world.process("remember", "--help", env={"SCRUBJAY_HOME": "here/scrubjay"}).code == 0


def test_an_error_shows_no_secret_of_the_command_line(world: World) -> None:
    """Outputs end up in logs: what was typed by mistake is covered in text and JSON."""
    secret = word("gh", "p_", some(BASE62, 36))
    for arguments in (["why", secret], ["learn", secret], ["config", "mode", secret], ["why", secret, "--json"]):
        done = world.jay(*arguments)
        assert done.code in (1, 2)
        assert secret not in done.out + done.err, arguments


def test_learning_from_a_file_that_is_not_there_is_bad_input(world: World) -> None:
    """A mistyped path must not read as "nothing new"."""
    done = world.jay("learn", "--session", "/nonexistent/session.jsonl")
    assert done.code == 2
    assert "no such session file" in done.err
