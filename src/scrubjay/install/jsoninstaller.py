"""An agent whose hooks stand in one JSON file of its config home."""

from __future__ import annotations

import os
from collections.abc import Mapping

from scrubjay.errors import BadInput
from scrubjay.home import Home, user_home
from scrubjay.install import base, state
from scrubjay.install.base import FileChange, Obstacle, Removed
from scrubjay.install.jsonhooks import HookFile, call_of
from scrubjay.install.state import Installed


class JsonInstaller:
    """See `Installer`. A subclass says where the config home is."""

    title: str
    hooks: HookFile
    file_name = "settings.json"

    @property
    def name(self) -> str:
        return self.hooks.agent

    def config_home(self, environ: Mapping[str, str], home_folder: str) -> str:
        """The folder with the agent's settings, whether it is there or not."""
        raise NotImplementedError

    def path(self, environ: Mapping[str, str], home_folder: str) -> str:
        """The file with the hooks."""
        return os.path.join(self.config_home(environ, home_folder), self.file_name)

    def found(self, home_folder: str, environ: Mapping[str, str]) -> list[str]:
        """See `Installer`."""
        folder = self.config_home(environ, home_folder)
        return [folder] if os.path.isdir(folder) else []

    def plan(
        self, home: Home, home_folder: str, environ: Mapping[str, str], *, trust: bool = False
    ) -> list[FileChange]:
        """See `Installer`."""
        del trust  # nothing to be asked here
        if not self.found(home_folder, environ):
            return []
        change = self.hooks.plan(home, self.path(environ, home_folder))
        return [change] if change is not None else []

    def uninstall(self, home: Home, *, dry_run: bool = False) -> list[Removed]:
        """See `Installer`."""
        removed = []
        for entry in self.entries(home):
            now = base.read_bytes(entry.path)
            try:
                left = None if now is None else self.without(now, entry, home)
            except BadInput:
                if not entry.at:  # not a file of ours, as far as anybody knows
                    continue
                raise
            done = base.take_back(home, entry, left, dry_run=dry_run)
            if done is not None:
                removed.append(done)
        return removed

    def without(self, now: bytes, entry: Installed, home: Home) -> bytes | None:
        """A file that we wrote to minus our entries; None: none of ours there."""
        return self.hooks.without(now, entry, home)

    def entries(self, home: Home) -> list[Installed]:
        """What the record says, and today's file when the record doesn't name it."""
        entries = [one for one in state.installed(home) if one.agent == self.name]
        path = self.path(os.environ, user_home())
        if all(os.path.realpath(one.path) != os.path.realpath(path) for one in entries):
            entries.append(Installed(agent=self.name, path=path, at="", events=(), command=home.shim))
        return entries

    def obstacles(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle]:
        """See `Installer`."""
        path = self.path(environ, home_folder)
        settings = self.hooks.read(path)[1]
        found = [f"`disableAllHooks` is true in {path}"] if settings.get("disableAllHooks") is True else []
        others = self.hooks.other_homes(settings, home)
        found += [f"the hooks of another scrubjay home run too: {one} in {path}" for one in others]
        return [Obstacle(what=one, remedy=f"edit {path}") for one in found]

    def commands(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[tuple[str, list[str]]]:
        """See `Installer`."""
        settings = self.hooks.read(self.path(environ, home_folder))[1]
        return [
            (event, ["/bin/sh", "-c", str(handler["command"])] if self.hooks.by_shell else call_of(handler))
            for event, _, _, handler in self.hooks.ours(settings, {home.shim})
        ]

    def ask(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle] | None:
        """See `Installer`."""
        del home, home_folder, environ
        return None
