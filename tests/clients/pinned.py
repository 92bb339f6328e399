"""The real clients, pinned: each folder beside this file with a lock file is installed below `.clients/` when a test asks."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = ROOT / ".clients"
PINNED = Path(__file__).parent
TIMEOUT_S = 1800


@contextmanager
def _alone(name: str) -> Iterator[Path]:
    """The folder of these clients, for one process at a time: what two ask for at once is installed once."""
    folder = CLIENTS / name
    folder.mkdir(parents=True, exist_ok=True)
    with open(CLIENTS / f"{name}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def need(*programs: str) -> None:
    """Skip the test where one of them is missing."""
    if missing := [name for name in programs if shutil.which(name) is None]:
        pytest.skip(f"needs {', '.join(missing)}: the clients run in an empty network namespace of Linux")


def node_modules(name: str) -> Path:
    """Of the clients of one folder ("hooked"), from npm by its lock file when they aren't there as it says."""
    need("unshare", "nsenter", "npm")
    lock = PINNED / name / "package-lock.json"
    with _alone(name) as folder:
        done = folder / "installed-by.json"
        if not (done.is_file() and done.read_bytes() == lock.read_bytes()):
            for file in ("package.json", "package-lock.json"):
                shutil.copy(lock.with_name(file), folder)
            # Not `npm ci`: it refuses a lock file without the builds for other machines, some of which were never published.
            # Not their own scripts: one refuses the machine's Node.js, which is not the one that runs it.
            command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
            subprocess.run(command, cwd=folder, check=True, timeout=TIMEOUT_S)
            shutil.copy(lock, done)
    return folder / "node_modules"


def hermes() -> Path:
    """The virtual environment of Hermes, which comes from pip."""
    need("unshare", "nsenter")
    pinned = PINNED / "hermes" / "requirements.txt"
    with _alone("hermes") as folder:
        done = folder / "installed-by.txt"
        if not (done.is_file() and done.read_bytes() == pinned.read_bytes()):
            subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder / "venv")], check=True)
            python = str(folder / "venv" / "bin" / "python")
            command = [python, "-m", "pip", "install", "-q", "--no-deps", "-r", str(pinned)]
            subprocess.run(command, check=True, timeout=TIMEOUT_S)
            shutil.copy(pinned, done)
    return folder / "venv"


def claude_code() -> Path:
    """The program of Claude Code."""
    scope = node_modules("claude") / "@anthropic-ai"
    return next(path for path in sorted(scope.glob("claude-code-*/claude")) if "musl" not in path.parent.name)
