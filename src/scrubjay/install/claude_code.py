"""Our hooks in Claude Code's `settings.json` (hook layout and time limits: its documentation, hooks page, 2.1.240)."""

from __future__ import annotations

import os
from collections.abc import Mapping

from scrubjay.install import jsoninstaller
from scrubjay.install.jsonhooks import HookFile

HOOKS = HookFile(
    agent="claude-code",
    timeouts={
        "SessionStart": 10,
        "UserPromptSubmit": 5,  # the person waits for it; our own deadline is far below
        "Stop": 10,
        "SubagentStop": 10,
        "PreCompact": 10,
        "SessionEnd": 5,  # without one of ours in the settings all SessionEnd hooks together get 1.5 s
    },
    by_shell=False,
)


def config_home(environ: Mapping[str, str], home_folder: str) -> str:
    """`CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    return os.path.abspath(environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home_folder, ".claude"))


class ClaudeCode(jsoninstaller.JsonInstaller):
    """See `Installer`."""

    title = "Claude Code"
    hooks = HOOKS

    def config_home(self, environ: Mapping[str, str], home_folder: str) -> str:
        return config_home(environ, home_folder)


INSTALLER = ClaudeCode()
