"""The demo's temporary home: a real git repository and the recorded sessions where their agents would have left them."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files

from scrubjay import clock
from scrubjay.demo.fill import fill
from scrubjay.errors import BadInput

RECORDED_HOME = "/home/dev"
"""Home folder in the recorded transcripts."""
NOW = "2026-09-28T09:00:00Z"
"""The demo's clock: two weeks after the newest recorded session, so that its output is the same on every day."""
FOREIGN = ("SCRUBJAY_", "CLAUDE_", "CODEX_", "QWEN_", "GIT_", "XDG_")
"""Beginnings of the person's environment variables that must not reach the demo (their agents' homes, their settings)."""


@contextmanager
def staged() -> Iterator[str]:
    """The path of the project in a temporary home that `HOME` names meanwhile. Everything is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="scrubjay-demo-") as folder:
        home = os.path.realpath(folder)
        before = dict(os.environ)
        try:
            for name in [name for name in os.environ if name.startswith(FOREIGN)]:
                del os.environ[name]
            # the recordings were driven by a script: only here a program's prompts count as a person's words
            os.environ.update(HOME=home, SCRUBJAY_NOW=NOW, SCRUBJAY_LEARN_HEADLESS="active")
            project = os.path.join(home, "acme-api")
            fill_home(home, project)
            yield project
        finally:
            os.environ.clear()
            os.environ.update(before)


def fill_home(home: str, project: str) -> None:
    """A git repository at `project` and the recorded sessions below `home`, where their agents keep them."""
    _repository(project)
    _sessions(home, project)


def _repository(project: str) -> None:
    story = json.loads(files("scrubjay.demo").joinpath("repository.json").read_text(encoding="utf-8"))
    for name, content in story["files"].items():
        _write(os.path.join(project, *name.split("/")), content)
    name, _, address = story["author"].rstrip(">").partition(" <")
    date = story["commit"]["date"]
    who = {
        "GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": address, "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": address, "GIT_COMMITTER_DATE": date,
        "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
    }  # fmt: skip
    for arguments in (
        ["init", "-q", "-b", story["branch"]],
        ["remote", "add", "origin", story["remote"]],
        ["add", "-A"],
        ["commit", "-q", "-m", story["commit"]["message"]],
    ):
        try:
            subprocess.run(
                ["git", "-C", project, *arguments], env={**os.environ, **who}, check=True, capture_output=True
            )
        except FileNotFoundError as error:
            raise BadInput("the demo needs git, and there is none", hint="install git") from error


def _sessions(home: str, project: str) -> None:
    for agent in files("scrubjay.demo").joinpath("sessions").iterdir():
        for session in agent.iterdir():
            where = {
                "claude-code": [".claude", "projects", slug(project)],
                "codex": [".codex", "sessions", *session.name.removeprefix("rollout-")[:10].split("-")],
                "qwen-code": [".qwen", "projects", slug(project), "chats"],
            }[agent.name]
            text = fill(session.read_text(encoding="utf-8").replace(RECORDED_HOME, home))
            path = os.path.join(home, *where, session.name)
            _write(path, text)
            times = [json.loads(line).get("timestamp", "") for line in text.splitlines()]
            last = clock.parse(max(times))
            if last:
                os.utime(path, (last.timestamp(), last.timestamp()))


def slug(path: str) -> str:
    """The folder name that Claude Code and Qwen Code make of a working directory."""
    return "".join(c if c.isalnum() else "-" for c in path)


def _write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
