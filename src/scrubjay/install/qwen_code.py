"""Our hooks in Qwen Code's `settings.json` (hook layout: its documentation, hooks page, 0.24.4)."""

from __future__ import annotations

import os
from collections.abc import Mapping

from scrubjay.install import jsoninstaller
from scrubjay.install.jsonhooks import HookFile

HOOKS = HookFile(
    agent="qwen-code",
    # seconds; a number from 1000 on would be read as milliseconds
    timeouts={"SessionStart": 10, "UserPromptSubmit": 5, "Stop": 10, "PreCompact": 10, "SessionEnd": 5},
    by_shell=True,
    comments=True,
)


class QwenCode(jsoninstaller.JsonInstaller):
    """See `Installer`."""

    title = "Qwen Code"
    hooks = HOOKS

    def config_home(self, environ: Mapping[str, str], home_folder: str) -> str:
        """`QWEN_HOME`, else `~/.qwen`. `QWEN_RUNTIME_DIR` moves what the client writes, not its settings."""
        chosen = environ.get("QWEN_HOME") or os.path.join(home_folder, ".qwen")
        if chosen == "~" or chosen.startswith("~/"):
            chosen = home_folder + chosen[1:]
        return os.path.abspath(chosen)


INSTALLER = QwenCode()
