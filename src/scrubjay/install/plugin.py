"""The one plugin directory that Claude Code, Codex and Qwen Code install with their own commands (hooks, MCP server, a skill).

Each client copies it and owns the copy; scrubjay only has the shim ready that the plugin's hooks call.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from scrubjay import clock
from scrubjay.home import Home
from scrubjay.install import shim, state
from scrubjay.install.base import Obstacle, Removed, Unplanned
from scrubjay.install.state import Installed

EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
COMMANDS = {
    "claude-code": (
        ["claude", "plugin", "marketplace", "add", "{folder}"],
        ["claude", "plugin", "install", "scrubjay@scrubjay"],
    ),
    "codex": (
        ["codex", "plugin", "marketplace", "add", "{folder}"],
        ["codex", "plugin", "add", "scrubjay@scrubjay"],
    ),
    "qwen-code": (["qwen", "extensions", "install", "{folder}:scrubjay", "--consent"],),
}
"""What a person runs in each client (real clients: 2.1.332, 0.171.0, 0.24.4). Codex asks for trust in the hooks afterwards."""


def folder() -> str:
    """The plugin directory of this installation; it is a marketplace of one plugin as well."""
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "plugin")


def prepare(home: Home) -> str:
    """Have the shim ready for the plugin's hooks; the plugin directory."""
    shim.write(home)
    if all(one.agent != INSTALLER.name for one in state.installed(home)):
        at = clock.text(clock.now())
        state.record(home, Installed(agent=INSTALLER.name, path=folder(), at=at, events=EVENTS, command=home.shim))
    return folder()


class Plugin(Unplanned):
    """See `Installer`. Clients install it, so there is nothing to plan."""

    name = "plugin"
    title = "the plugin"

    def uninstall(self, home: Home, *, dry_run: bool = False) -> list[Removed]:
        """Only forget about it: with the shim silent the clients' copies do nothing."""
        for one in state.installed(home):
            if one.agent == self.name and not dry_run:
                state.drop(home, one.path)
        return []

    def obstacles(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle]:
        """See `Installer`."""
        del home, home_folder, environ
        return []

    def commands(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[tuple[str, list[str]]]:
        """See `Installer`."""
        del home_folder, environ
        program = 'SCRUBJAY_HOME="$1" exec sh "$2" "$3"'
        script = os.path.join(folder(), "bin", "hook")
        return [(event, ["/bin/sh", "-c", program, "sh", home.root, script, event]) for event in EVENTS]

    def ask(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle] | None:
        """See `Installer`."""
        del home, home_folder, environ
        return None


INSTALLER = Plugin()
