"""One JavaScript file of ours in an agent's folder for plugins: it starts our hook, and does nothing when that fails."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from scrubjay.errors import BadInput
from scrubjay.home import Home, user_home
from scrubjay.install import base, ownfiles, state
from scrubjay.install.base import FileChange, Obstacle, Removed
from scrubjay.install.state import Installed

FILE = "scrubjay.js"


class JsPlugin:
    """See `Installer`. A subclass says where the agent looks for plugins."""

    name: str
    title: str
    events: tuple[str, ...]

    def config_home(self, environ: Mapping[str, str], home_folder: str) -> str:
        """The agent's own folder, whether it is there or not."""
        raise NotImplementedError

    def folder(self, environ: Mapping[str, str], home_folder: str) -> str:
        """The folder below it with plugins."""
        raise NotImplementedError

    def found(self, home_folder: str, environ: Mapping[str, str]) -> list[str]:
        """See `Installer`."""
        config = self.config_home(environ, home_folder)
        return [config] if os.path.isdir(config) else []

    def path(self, environ: Mapping[str, str], home_folder: str) -> str:
        """Our file."""
        return os.path.join(self.folder(environ, home_folder), FILE)

    def text(self, home: Home) -> bytes:
        """What stands in it: what all such files have in common, then the agent's own part."""
        with open(os.path.join(ownfiles.PLUGINS, "ask.js"), encoding="utf-8") as file:
            common = file.read()
        common = common.replace("@hook@", json.dumps(home.shim)).replace("@agent@", json.dumps(self.name))
        return (self._head() + common + "\n").encode() + ownfiles.source(self.name, FILE)

    def plan(
        self, home: Home, home_folder: str, environ: Mapping[str, str], *, trust: bool = False
    ) -> list[FileChange]:
        """See `Installer`. `BadInput` when somebody else's file has our name."""
        del trust  # nothing is asked here
        if not self.found(home_folder, environ):
            return []
        path = self.path(environ, home_folder)
        now = base.read_bytes(path)
        if now is not None and not self._is_ours(now):
            raise BadInput("a file of this name is there, and is not ours", at=path, hint="nothing was changed")
        change = ownfiles.change(home, self.name, path, self.text(home), self.events)
        return [change] if change is not None else []

    def uninstall(self, home: Home, *, dry_run: bool = False) -> list[Removed]:
        """See `Installer`."""
        entries = {one.path: one for one in state.installed(home) if one.agent == self.name}
        path = self.path(os.environ, user_home())
        entries.setdefault(path, Installed(agent=self.name, path=path, at="", events=(), command=home.shim))
        removed = []
        for entry in entries.values():
            now = base.read_bytes(entry.path)
            if now is not None and not self._is_ours(now):
                continue
            done = ownfiles.remove(home, entry, dry_run=dry_run)
            if done is not None:
                removed.append(done)
            for folder in () if dry_run else entry.created:
                ownfiles.sweep(folder, entry.created)
        return removed

    def obstacles(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle]:
        """See `Installer`."""
        path = self.path(environ, home_folder)
        called = self._hook(path)
        if not called or called == home.shim:
            return []
        return [Obstacle(what=f"{path} calls another scrubjay home: {called}", remedy=f"jay init {self.name} --days 0")]

    def commands(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[tuple[str, list[str]]]:
        """See `Installer`."""
        del home
        hook = self._hook(self.path(environ, home_folder))
        return [(event, [hook, self.name, event]) for event in self.events] if hook else []

    def ask(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle] | None:
        """See `Installer`. Such an agent tells only by starting."""
        del home, home_folder, environ
        return None

    def _head(self) -> str:
        return (
            f"// scrubjay in {self.title}: `jay init` wrote this file, `jay uninstall` removes it.\n"
            "// All that it does is to start our hook with JSON on its standard input; when that fails it does nothing.\n"
        )

    def _is_ours(self, data: bytes) -> bool:
        return data.startswith(f"// scrubjay in {self.title}:".encode())

    def _hook(self, path: str) -> str:
        """The hook that the file calls, "" when there is no file of ours."""
        data = base.read_bytes(path)
        if data is None or not self._is_ours(data):
            return ""
        for line in data.decode("utf-8", "replace").splitlines():
            if line.startswith("const HOOK = "):
                try:
                    return str(json.loads(line.removeprefix("const HOOK = ")))
                except ValueError:
                    return ""
        return ""
