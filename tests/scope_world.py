"""A temporary home folder, real git, and a resolver that checks the hook's look against itself at every step."""

from __future__ import annotations

import os
import shutil
import subprocess
import uuid
from pathlib import Path

import pytest

from scrubjay import projects, scope
from scrubjay.home import Home
from scrubjay.scope import Place

GIT_IDENTITY = ("-c", "user.name=Dev", "-c", "user.email=dev@example.com", "-c", "init.defaultBranch=main")


def git(folder: Path, *arguments: str) -> str:
    """Run git in `folder` without anybody's configuration."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", *GIT_IDENTITY, "-c", "protocol.file.allow=always", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class World:
    """Everything below one temporary folder: `home/` (HOME), `home/.scrubjay`, `w/` for work."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.work = base / "w"
        self.work.mkdir()
        self.user_home = base / "home"
        self.user_home.mkdir()
        self.home = Home(str(self.user_home / ".scrubjay"))

    def init(self, name: str, *, remote: str = "", commits: int = 1) -> Path:
        folder = self.work / name
        folder.mkdir(parents=True, exist_ok=True)
        git(folder, "init", "-q")
        for number in range(commits):
            self.commit(folder, f"{name} {number}")
        if remote:
            git(folder, "remote", "add", "origin", remote)
        return folder

    def commit(self, folder: Path, message: str = "more") -> None:
        # Equal commits of one second have equal ids, which in life no two repositories have.
        git(folder, "commit", "-q", "--allow-empty", "-m", f"{message} {uuid.uuid4()}")

    def clone(self, source: Path | str, name: str, *options: str) -> Path:
        git(self.work, "clone", "-q", *options, str(source), name)
        return self.work / name

    def resolve(self, cwd: Path | str, *, remote: str = "") -> Place:
        """Resolve, and prove that the hook's look agrees and that doing it again changes nothing."""
        found = projects.resolve(self.home, str(cwd), remote=remote)
        before = self.files()
        again = projects.resolve(self.home, str(cwd), remote=remote)
        assert (again.project, self.files()) == (found.project, before), "resolving twice is not resolving once"
        assert projects.resolve(self.home, str(cwd), remote=remote, create=False).project == found.project
        if not remote:
            seen = scope.look(self.home, str(cwd))
            assert described(seen) == described(found)
        return found

    def key(self, cwd: Path | str, *, remote: str = "") -> str:
        return self.resolve(cwd, remote=remote).project

    def files(self) -> dict[str, bytes]:
        root = Path(self.home.root)
        return {str(path): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}

    def remember(self, key: str, name: str = "note") -> None:
        """A memory file in a project's store, as far as counting goes."""
        (Path(self.home.projects) / key / f"project_{name}.md").write_text("---\nname: x\n---\n")


def described(place: Place) -> tuple[object, ...]:
    return (place.cwd, place.root, place.worktree, place.rel, place.project, place.git, place.parents, place.stores())


def make_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    made = World(Path(os.path.realpath(tmp_path)))
    monkeypatch.setenv("HOME", str(made.user_home))
    monkeypatch.delenv("SCRUBJAY_HOME", raising=False)
    for name in list(os.environ):
        if name.startswith(("GIT_", "SCRUBJAY_")):
            monkeypatch.delenv(name)
    return made


def move(source: Path, target: Path) -> Path:
    shutil.move(source, target)
    return target
