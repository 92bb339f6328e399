"""Our hooks in Gemini CLI's `settings.json` (hook layout: its documentation, hooks pages, 0.61.0)."""

from __future__ import annotations

import os
from collections.abc import Mapping

from scrubjay.home import Home
from scrubjay.install import jsoninstaller
from scrubjay.install.base import Obstacle
from scrubjay.install.jsonhooks import Handler, HookFile


class Hooks(HookFile):
    """As everywhere, but for what happens when the shim itself is gone."""

    def handler(self, home: Home, event: str) -> Handler:
        """With an exit code of 0 always and without the shell's own words: the client takes every other code from 2 on, so the
        shell's 127 for a program that is not there too, for a veto against the prompt."""
        handler = super().handler(home, event)
        return {**handler, "command": f"{handler['command']} 2>/dev/null || :"}


HOOKS = Hooks(
    agent="gemini-cli",
    # milliseconds
    timeouts={"SessionStart": 10_000, "BeforeAgent": 5_000, "AfterAgent": 10_000, "SessionEnd": 5_000},
    by_shell=True,
    comments=True,
)


class GeminiCli(jsoninstaller.JsonInstaller):
    """See `Installer`."""

    title = "Gemini CLI"
    hooks = HOOKS

    def config_home(self, environ: Mapping[str, str], home_folder: str) -> str:
        """`.gemini` in `GEMINI_CLI_HOME`, which stands for the home folder, else in the home folder."""
        return os.path.abspath(os.path.join(environ.get("GEMINI_CLI_HOME") or home_folder, ".gemini"))

    def obstacles(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle]:
        """See `Installer`. The client has a switch for all hooks and a list of commands that it leaves out."""
        found = super().obstacles(home, home_folder, environ)
        path = self.path(environ, home_folder)
        settings = self.hooks.read(path)[1]
        switches = settings.get("hooksConfig")
        if not isinstance(switches, dict):
            return found
        if switches.get("enabled") is False:
            found.append(
                Obstacle(what=f"`hooksConfig.enabled` is false in {path}", remedy="/hooks enable-all in Gemini")
            )
        disabled = switches.get("disabled")
        names = disabled if isinstance(disabled, list) else []
        off = [event for event, _, _, handler in self.hooks.ours(settings, {home.shim}) if handler["command"] in names]
        if off:
            found.append(Obstacle(what=f"switched off in Gemini: {', '.join(off)}", remedy="/hooks in Gemini"))
        return found


INSTALLER = GeminiCli()
