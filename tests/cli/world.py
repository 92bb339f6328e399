"""A person's machine for the command line: a project, recorded sessions of three agents, memories learnt from them."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

from scrubjay.cli.main import run
from scrubjay.demo import stage

NOW = "2026-09-28T09:00:00Z"
SEEDED = {"SCRUBJAY_LEARN_HEADLESS": "active"}
"""The recordings were driven by a script: with this their prompts count as a person's."""
JAY = [sys.executable, "-c", "from scrubjay.cli.entry import main; main()"]
"""The real entry point, as the installed script calls it."""


@dataclass(frozen=True, kw_only=True)
class Done:
    """One command line that ran."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be one JSON object."""
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value


@dataclass(frozen=True, kw_only=True)
class World:
    """Where a test's commands run."""

    home: str
    repo: str

    @property
    def store(self) -> str:
        return os.path.join(self.home, ".scrubjay")

    def environ(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        return {
            "HOME": self.home, "SCRUBJAY_HOME": self.store, "SCRUBJAY_NOW": NOW, "COLUMNS": "80", "LC_ALL": "C.UTF-8",
            "PATH": os.environ["PATH"], **(more or {}),
        }  # fmt: skip

    def jay(self, *arguments: str, cwd: str = "", env: Mapping[str, str] | None = None) -> Done:
        """One command line in this process, 80 columns; neither input nor output is a terminal."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        before, during = dict(os.environ), self.environ(env)
        try:
            os.environ.clear()
            os.environ.update(during)
            with chdir(cwd or self.repo), redirect_stdout(out), redirect_stderr(err):
                code = run(list(arguments))
        finally:
            os.environ.clear()
            os.environ.update(before)
        return Done(code=code, out=_text(out), err=_text(err))

    def process(self, *arguments: str, cwd: str = "", env: Mapping[str, str] | None = None) -> Done:
        """One command line as a process of its own."""
        done = subprocess.run(
            [*JAY, *arguments], cwd=cwd or self.repo, env=self.environ(env), capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return Done(code=done.returncode, out=done.stdout, err=done.stderr)

    def id_of(self, words: str) -> str:
        """Id of the memory whose name or body holds `words`."""
        rows = self.jay("list", "--everywhere", "--all", "--json").json["memories"]
        (found,) = (row["id"] for row in rows if words.lower() in (row["name"] + row["body"]).lower())
        return str(found)


def bare(folder: str) -> World:
    """A project and sessions; scrubjay has never run."""
    world = World(home=os.path.join(folder, "home"), repo=os.path.join(folder, "home", "acme-api"))
    os.makedirs(world.home)
    stage.fill_home(world.home, world.repo)
    return world


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
