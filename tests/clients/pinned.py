"""The real clients, pinned: each folder beside this file with a lock file is installed below `.clients/` when a test asks."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = ROOT / ".clients"
PINNED = Path(__file__).parent
TIMEOUT_S = 1800


def node_modules(name: str) -> Path:
    """Of the clients of one folder ("hooked"), from npm by its lock file when they aren't there as it says."""
    folder, pinned = CLIENTS / name, PINNED / name
    lock, done = pinned / "package-lock.json", folder / "installed-by.json"
    if not (done.is_file() and done.read_bytes() == lock.read_bytes()):
        folder.mkdir(parents=True, exist_ok=True)
        for file in ("package.json", "package-lock.json"):
            shutil.copy(pinned / file, folder)
        # Not `npm ci`: it refuses a lock file without the builds for other machines, some of which were never published.
        # Not their own scripts: one refuses the machine's Node.js, which is not the one that runs it.
        command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        subprocess.run(command, cwd=folder, check=True, timeout=TIMEOUT_S)
        shutil.copy(lock, done)
    return folder / "node_modules"


def claude_code() -> Path:
    """The program of Claude Code."""
    scope = node_modules("claude") / "@anthropic-ai"
    return next(path for path in sorted(scope.glob("claude-code-*/claude")) if "musl" not in path.parent.name)
