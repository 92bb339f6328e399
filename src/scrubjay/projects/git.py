"""The two questions that only git answers well. Git missing, refusing (another owner's repository) or slow: no answer."""

from __future__ import annotations

import os
import subprocess

TIMEOUT_SECONDS = 20


def root_commit(worktree: str) -> str:
    """The first commit of the history that HEAD continues (first parents only, so a merged-in project adds none)."""
    lines = _ask(worktree, "rev-list", "--max-parents=0", "--first-parent", "HEAD", "--").split()
    return lines[-1] if lines else ""


def expanded_url(worktree: str, url: str) -> str:
    """A short form such as `gh:acme/api` spelt out by the person's `url.<base>.insteadOf`."""
    return _ask(worktree, "ls-remote", "--get-url", "--", url).strip()


def _ask(worktree: str, *arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1"}
    environment |= {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    try:
        done = subprocess.run(
            ["git", "-C", worktree, *arguments],
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=TIMEOUT_SECONDS,
            env=environment,
        )
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return ""
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else ""
