"""Our hooks in Claude Code's `settings.json` (hook layout: Claude Code's documentation, hooks page, 2.1.240)."""

from __future__ import annotations

from collections.abc import Mapping

from scrubjay.home import Home
from scrubjay.install.base import FileChange, Removed

name = "claude-code"
title = "Claude Code"


def found(user_home: str, environ: Mapping[str, str]) -> list[str]:
    """Config homes that exist: `CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    raise NotImplementedError


def plan(home: Home, user_home: str, environ: Mapping[str, str]) -> list[FileChange]:
    """What installing would change; [] when everything is there. `BadInput` naming file and line for unreadable settings."""
    raise NotImplementedError


def install(home: Home, user_home: str, environ: Mapping[str, str]) -> list[FileChange]:
    """Write the shim and our hook entries; what was changed (to show), [] the second time."""
    raise NotImplementedError


def uninstall(home: Home, *, dry_run: bool = False) -> list[Removed]:
    """Take our entries out of every settings file that we ever wrote to."""
    raise NotImplementedError
