"""One person's machine, used as a person and a client use it: the command line, the hook's shim, real sessions, real git."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import hook_process
from tests.cli import world as cli
from tests.hook_process import Ended
from tests.learn.world import Talk
from tests.learn.world import World as Sessions
from tests.scope_world import git

JAY = cli.JAY
FACT = "deploys need the vpn job first, else there is no route to the bastion"
ASK = "which vpn job do deploys need before the bastion?"
"""A prompt that brings `FACT` back."""
RULE = "from now on never push to main without a green build"

__all__ = ["ASK", "FACT", "JAY", "RULE", "Machine", "git", "memory_file", "run"]


class _Sessions(Sessions):
    """Session files only: no repository of its own."""

    def __init__(self, home: Path) -> None:
        self.root = home
        self.repo = home


@dataclass(frozen=True)
class Machine:
    """`home` is HOME; work lies below `home/w`."""

    home: Path

    @property
    def store(self) -> Path:
        return self.home / ".scrubjay"

    def folder(self, name: str) -> Path:
        """A folder that is no repository."""
        path = self.home / "w" / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def repository(self, name: str, *, remote: str = "") -> Path:
        """A git repository with one commit of its own."""
        path = self.folder(name)
        git(path, "init", "-q", "--template=")  # none of the samples that git brings
        (path / "README.md").write_text(f"{path}\n", encoding="utf-8")
        git(path, "add", "-A")
        git(path, "commit", "-q", "-m", f"start {path}")
        if remote:
            git(path, "remote", "add", "origin", remote)
        return path

    def jay(self, *arguments: str, cwd: Path | None = None, **env: str) -> cli.Done:
        """One command line in this process."""
        return self._cli().jay(*arguments, cwd=str(cwd or self.home), env=env)

    def process(self, *arguments: str, cwd: Path | None = None, **env: str) -> cli.Done:
        """One command line as a process of its own."""
        return self._cli().process(*arguments, cwd=str(cwd or self.home), env=env)

    def remember(self, text: str, *options: str, cwd: Path | None = None) -> str:
        """`jay remember`; the id."""
        done = self.jay("remember", text, *options, "--json", cwd=cwd)
        assert done.code == 0, done
        return str(done.json["id"])

    def listed(self, cwd: Path | None = None, *options: str) -> list[str]:
        """Bodies of the memories that a directory sees."""
        done = self.jay("list", "--json", *options, cwd=cwd)
        assert done.code in (0, 1), done
        return sorted(row["body"] for row in done.json["memories"]) if done.out.strip() else []

    def recalled(self, text: str, cwd: Path | None = None) -> str:
        """The block that a prompt would get."""
        return str(self.jay("recall", text, "--json", cwd=cwd).json["block"])

    def learn(self, *options: str) -> Any:
        """`jay learn --json`."""
        done = self.jay("learn", *options, "--json")
        assert done.code == 0, done
        return done.json

    def talk(self, name: str, cwd: Path, *, on: str = "2026-09-26", headless: bool = False) -> Talk:
        """A Claude Code session; `say` adds a prompt and its answer."""
        return _Sessions(self.home).talk(name, cwd=cwd, on=on, headless=headless)

    def hook(self, event: str, cwd: Path, *, name: str = "", **changes: Any) -> Ended:
        """One hook process through the shim, with a payload that the real client sent. `name`: which recording."""
        session = changes.setdefault("session_id", "11111111-2222-4333-8444-555555555555")
        changes.setdefault("transcript_path", str(self.home / ".claude" / "projects" / "-w" / f"{session}.jsonl"))
        data = hook_process.payload(name or event, self.home, cwd=str(cwd), **changes)
        env = hook_process.environment(self.home, SCRUBJAY_NOW=cli.NOW)
        return hook_process.run(event, data, env, [str(self.store / "bin" / "hook"), "claude-code", event])

    def start(self, cwd: Path, source: str = "startup", **changes: Any) -> str:
        """What a session that starts in `cwd` is given."""
        return self.hook("SessionStart", cwd, name=f"SessionStart-{source}", **changes).context

    def ask(self, text: str, cwd: Path, **changes: Any) -> str:
        """What one prompt brings back."""
        return self.hook("UserPromptSubmit", cwd, prompt=text, **changes).context

    def environ(self) -> dict[str, str]:
        """What a program of the person gets, but PATH and locale."""
        return {"HOME": str(self.home), "SCRUBJAY_HOME": str(self.store), "SCRUBJAY_NOW": cli.NOW}

    def files(self, below: Path) -> dict[str, bytes]:
        """Every file below a folder."""
        return {str(path): path.read_bytes() for path in sorted(below.rglob("*")) if path.is_file()}

    def _cli(self) -> cli.World:
        return cli.World(home=str(self.home), repo=str(self.home))


def memory_file(name: str, body: str, *, kind: str = "project", description: str = "when asked") -> str:
    """A memory as a person would write it by hand."""
    return f"---\nname: {json.dumps(name)}\ndescription: {json.dumps(description)}\ntype: {kind}\n---\n\n{body}\n"


def run(command: list[str], cwd: Path, *, text: str = "", **env: str) -> subprocess.CompletedProcess[bytes]:
    """Any program with `text` (as UTF-8) on standard input, and nothing of this process's environment but PATH."""
    env = {"PATH": os.environ["PATH"], **env}
    return subprocess.run(command, cwd=cwd, env=env, input=text.encode(), capture_output=True, check=False)
