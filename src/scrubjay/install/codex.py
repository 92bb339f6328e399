"""Our hooks in Codex: `hooks.json` of its home, or `config.toml` where the person keeps hooks there (real client, 0.171.0).

Codex runs a hook only after the person trusted it, and skips the others without a word.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from scrubjay.home import Home
from scrubjay.install import base, codex_config, codex_server, jsoninstaller, state, tomltext
from scrubjay.install.base import FileChange, Obstacle
from scrubjay.install.jsonhooks import HookFile
from scrubjay.install.state import Installed

HOOKS = HookFile(
    agent="codex",
    # each hook is one more that the person has to trust, and its place in the list is part of that trust
    timeouts={"SessionStart": 10, "UserPromptSubmit": 5, "Stop": 10, "SessionEnd": 3},  # over 3 the client warns
    by_shell=True,
)
CONFIG = "config.toml"
TRUST = "jay init codex --trust, or /hooks in Codex"


class Codex(jsoninstaller.JsonInstaller):
    """See `Installer`."""

    title = "Codex"
    hooks = HOOKS
    file_name = "hooks.json"

    def config_home(self, environ: Mapping[str, str], home_folder: str) -> str:
        """`CODEX_HOME`, else `~/.codex`. Profiles (`codex -p NAME`) share it, and its hooks."""
        return os.path.abspath(environ.get("CODEX_HOME") or os.path.join(home_folder, ".codex"))

    def plan(
        self, home: Home, home_folder: str, environ: Mapping[str, str], *, trust: bool = False
    ) -> list[FileChange]:
        """See `Installer`. First the hooks, then the trust in them."""
        if not self.found(home_folder, environ):
            return []
        path, config_path = self.path(environ, home_folder), self._config_path(environ, home_folder)
        now, config = self._config(config_path)
        data, settings = self.hooks.read(path)
        if not settings and codex_config.has_hooks(config):
            return self._plan_in_config(home, config_path, now, config, trust=trust)
        change = self.hooks.plan(home, path)
        changes = [change] if change is not None else []
        if trust:
            after = (change.after if change is not None else data) or b""
            settings = self.hooks.value(after, path)
            if self._untrusted(path, settings, home, config):
                wanted = self._wanted(path, settings, home, config_path, config)
                changes.append(codex_config.change(home, self.hooks, config_path, now, ("", wanted)))
        return changes

    def without(self, now: bytes, entry: Installed, home: Home) -> bytes | None:
        """A file that we wrote to minus our entries."""
        if os.path.basename(entry.path) == CONFIG:
            return codex_config.without(self.hooks, now, entry, home)
        return self.hooks.without(now, entry, home)

    def obstacles(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle]:
        """See `Installer`."""
        found = super().obstacles(home, home_folder, environ)
        config_path = self._config_path(environ, home_folder)
        config = self._config(config_path)[1]
        if _table(config, "features").get("hooks") is False:
            found.append(Obstacle(what=f"`features.hooks` is false in {config_path}", remedy=f"edit {config_path}"))
        source, settings = self._where(home_folder, environ)
        ours = self.hooks.ours(settings, {home.shim})
        off = [event for event, group, number, _ in ours if _off(config, source, event, group, number)]
        if off:
            found.append(Obstacle(what=f"switched off in Codex: {', '.join(off)}", remedy="/hooks in Codex"))
        waiting = [event for event, _ in self._untrusted(source, settings, home, config).values() if event not in off]
        if waiting:
            found.append(Obstacle(what=untrusted(waiting), remedy=TRUST))
        return found

    def commands(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[tuple[str, list[str]]]:
        """See `Installer`."""
        settings = self._where(home_folder, environ)[1]
        ours = self.hooks.ours(settings, {home.shim})
        return [(event, ["/bin/sh", "-c", str(handler["command"])]) for event, _, _, handler in ours]

    def ask(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle] | None:
        """See `Installer`: `codex app-server` lists the hooks that it sees, and whether it would run them."""
        hooks = codex_server.hooks(home_folder, environ)
        if hooks is None:
            return None
        ours = {
            event: one for one in hooks for event in self.hooks.timeouts
            if self.hooks.ours({"hooks": {event: [{"hooks": [one]}]}}, {home.shim})
            and codex_config.snake(str(one.get("eventName", ""))) == codex_config.snake(event)
        }  # fmt: skip
        unseen = [event for event in self.hooks.timeouts if event not in ours]
        waiting = [event for event, one in ours.items() if one.get("trustStatus") not in ("trusted", "managed")]
        off = [event for event, one in ours.items() if one.get("enabled") is False]
        found = []
        if unseen:
            found.append(
                Obstacle(what=f"Codex does not see our hooks for {', '.join(unseen)}", remedy="jay init codex --days 0")
            )
        if waiting:
            found.append(Obstacle(what=untrusted(waiting), remedy=TRUST))
        if off:
            found.append(Obstacle(what=f"switched off in Codex: {', '.join(off)}", remedy="/hooks in Codex"))
        return found

    def entries(self, home: Home) -> list[Installed]:
        """The trust goes before the hooks: as long as they stand there it can be told whose it is."""
        return sorted(super().entries(home), key=lambda one: os.path.basename(one.path) != CONFIG)

    def _plan_in_config(
        self, home: Home, path: str, now: bytes | None, config: dict[str, Any], *, trust: bool
    ) -> list[FileChange]:
        """Where the person keeps hooks in `config.toml`, ours stand there too."""
        ours = self.hooks.ours(config, {home.shim})
        there = sorted(((event, handler) for event, _, _, handler in ours), key=lambda one: one[0])
        whole = there == [(event, self.hooks.handler(home, event)) for event in sorted(self.hooks.timeouts)]
        missing = self._untrusted(path, config, home, config) if trust and whole else {}
        if whole and not missing:
            return []
        block = codex_config.hook_block(self.hooks, home)
        change = codex_config.change(home, self.hooks, path, now, (block, {}))
        assert change.after is not None
        if trust:
            after = tomltext.load(change.after, path)
            wanted = self._wanted(path, after, home, path, after)
            change = codex_config.change(home, self.hooks, path, now, (block, wanted))
        return [change]

    def _where(self, home_folder: str, environ: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        """The file with our hooks, and its value."""
        path, config_path = self.path(environ, home_folder), self._config_path(environ, home_folder)
        settings = self.hooks.read(path)[1]
        return (path, settings) if settings else (config_path, self._config(config_path)[1])

    def _untrusted(
        self, source: str, settings: Mapping[str, object], home: Home, config: Mapping[str, Any]
    ) -> dict[str, tuple[str, str]]:
        """Key → (event, hash) of our handlers whose trust is missing or is that of another command line."""
        found = {}
        for event, group, number, handler in self.hooks.ours(settings, {home.shim}):
            key, digest = codex_config.key_of(source, event, group, number), codex_config.hash_of(event, handler)
            if codex_config.decided(config, key).get("trusted_hash") != digest:
                found[key] = (event, digest)
        return found

    def _wanted(
        self, source: str, settings: Mapping[str, object], home: Home, config_path: str, config: Mapping[str, Any]
    ) -> dict[str, str]:
        """Key → hash of the trust that we write: what is missing, and what we wrote before and write anew with it."""
        before = {key for one in state.installed(home) if one.path == config_path for key in one.created}
        missing = self._untrusted(source, settings, home, config)
        found = {}
        for event, group, number, handler in self.hooks.ours(settings, {home.shim}):
            key = codex_config.key_of(source, event, group, number)
            if key in missing or key in before:
                found[key] = codex_config.hash_of(event, handler)
        return found

    def _config_path(self, environ: Mapping[str, str], home_folder: str) -> str:
        return os.path.join(self.config_home(environ, home_folder), CONFIG)

    def _config(self, path: str) -> tuple[bytes | None, dict[str, Any]]:
        now = base.read_bytes(path)
        return now, tomltext.load(now or b"", path)


def untrusted(events: list[str]) -> str:
    """What is said out loud, because Codex says nothing."""
    return f"Codex skips our hooks in silence until you trust them: {', '.join(events)}"


def _off(config: Mapping[str, Any], source: str, event: str, group: int, number: int) -> bool:
    return codex_config.decided(config, codex_config.key_of(source, event, group, number)).get("enabled") is False


def _table(config: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = config.get(key)
    return found if isinstance(found, dict) else {}


INSTALLER = Codex()
