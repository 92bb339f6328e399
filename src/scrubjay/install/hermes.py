"""scrubjay as Hermes's memory provider: a plugin folder in its home, and `memory.provider` in its `config.yaml`.

Rules of Hermes 0.19.0: one provider from outside at a time; every profile is a home of its own.
"""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Iterator, Mapping

from scrubjay import clock
from scrubjay.home import Home, user_home
from scrubjay.install import base, jsontext, ownfiles, state, yamltext
from scrubjay.install.base import FileChange, Obstacle, Removed
from scrubjay.install.state import Installed

KEYS = ("memory", "provider")
NAME = "scrubjay"
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
"""Those that every session fires; a switch of sessions and a tool fire theirs, too."""
FILES = ("__init__.py", "plugin.yaml", "tools.json", "scrubjay.json")


class Hermes:
    """See `Installer`."""

    name = "hermes"
    title = "Hermes"

    def found(self, home_folder: str, environ: Mapping[str, str]) -> list[str]:
        """`HERMES_HOME`, else `~/.hermes`, and the profiles below it."""
        home = os.path.abspath(environ.get("HERMES_HOME", "").strip() or os.path.join(home_folder, ".hermes"))
        return [one for one in (home, *sorted(glob.glob(f"{glob.escape(home)}/profiles/*"))) if os.path.isdir(one)]

    def plan(
        self, home: Home, home_folder: str, environ: Mapping[str, str], *, trust: bool = False
    ) -> list[FileChange]:
        """See `Installer`. Where another provider is chosen it stays so; `obstacles` tells."""
        del trust  # nothing is asked here
        changes: list[FileChange | None] = []
        for folder in self.found(home_folder, environ):
            config = self._config_change(home, os.path.join(folder, "config.yaml"))
            for name in FILES:
                path = os.path.join(folder, "plugins", NAME, name)
                changes.append(ownfiles.change(home, self.name, path, self._file(home, name), EVENTS))
            changes.append(config)
        return [one for one in changes if one is not None]

    def uninstall(self, home: Home, *, dry_run: bool = False) -> list[Removed]:
        """See `Installer`. First the setting: a provider that is named and not there is a warning to the person."""
        rows = {one.path: one for one in state.installed(home) if one.agent == self.name}
        for folder in self.found(user_home(), os.environ):
            for path in (os.path.join(folder, "config.yaml"), *self._paths(folder)):
                rows.setdefault(path, Installed(agent=self.name, path=path, at="", events=(), command=home.shim))
        removed: list[Removed | None] = []
        for entry in (one for one in rows.values() if one.path.endswith("config.yaml")):
            now = base.read_bytes(entry.path)
            left = None if now is None else _without(now, entry)
            removed.append(base.take_back(home, entry, left, dry_run=dry_run))
        own = [one for one in rows.values() if not one.path.endswith("config.yaml")]
        removed += [ownfiles.remove(home, entry, dry_run=dry_run) for entry in own]
        if not dry_run:
            for folder in sorted({os.path.dirname(one.path) for one in own}):
                made = [path for one in own if os.path.dirname(one.path) == folder for path in one.created]
                ownfiles.sweep(folder, made)
        return [one for one in removed if one is not None]

    def obstacles(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle]:
        """See `Installer`."""
        found = []
        for folder in self.found(home_folder, environ):
            path = os.path.join(folder, "config.yaml")
            chosen = _chosen(yamltext.load(base.read_bytes(path) or b"", path))
            if chosen != NAME:
                one = f"only one memory provider runs, and that is {chosen}" if chosen else "no memory provider is set"
                found.append(Obstacle(what=f"{one} ({path})", remedy=f"set memory.provider to {NAME} in {path}"))
            if (hook := _hook(folder)) not in ("", home.shim):
                found.append(
                    Obstacle(
                        what=f"the plugin in {folder} calls another scrubjay home: {hook}", remedy="jay init hermes"
                    )
                )
        return found

    def commands(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[tuple[str, list[str]]]:
        """See `Installer`."""
        del home
        hooks = {hook for folder in self.found(home_folder, environ) if (hook := _hook(folder))}
        return [(event, [hook, self.name, event]) for hook in sorted(hooks) for event in EVENTS]

    def ask(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle] | None:
        """See `Installer`. Hermes only tells by starting."""
        del home, home_folder, environ
        return None

    def _paths(self, folder: str) -> Iterator[str]:
        return (os.path.join(folder, "plugins", NAME, name) for name in FILES)

    def _file(self, home: Home, name: str) -> bytes:
        if name != "scrubjay.json":
            return ownfiles.source(self.name, name)
        return json.dumps({"hook": home.shim, "home": home.root}, indent=1).encode() + b"\n"

    def _config_change(self, home: Home, path: str) -> FileChange | None:
        now = base.read_bytes(path)
        value = yamltext.load(now or b"", path)
        if _chosen(value):
            return None
        text = (now or b"").decode("utf-8")
        splices = yamltext.put(text, KEYS, NAME, path)
        data = jsontext.apply(text, splices).encode("utf-8")
        entry = Installed(
            agent=self.name,
            path=path,
            at=clock.text(clock.now()),
            events=EVENTS,
            command=home.shim,
            before=state.digest(now) if now is not None else "",
            after=state.digest(data),
            inverse=tuple(jsontext.inverse(text, splices)),
            created=() if KEYS[0] in value else (KEYS[0],),
            lines=state.line_hashes(data),
        )
        return FileChange(agent=self.name, path=path, before=now, after=data, entry=entry)


def _chosen(config: Mapping[str, object]) -> str:
    """The provider that is chosen, "" for none."""
    memory = config.get(KEYS[0])
    found = memory.get(KEYS[1]) if isinstance(memory, dict) else None
    return found.strip() if isinstance(found, str) else ""


def _without(now: bytes, entry: Installed) -> bytes | None:
    """The settings minus our entry; None: none of ours there."""
    if _chosen(yamltext.load(now, entry.path)) != NAME:
        return None
    text = now.decode("utf-8")
    splices = yamltext.drop(text, KEYS, entry.path, table_too=KEYS[0] in entry.created)
    return jsontext.apply(text, splices).encode("utf-8")


def _hook(folder: str) -> str:
    """What the plugin in this home calls, "" when it is not there."""
    data = base.read_bytes(os.path.join(folder, "plugins", NAME, "scrubjay.json"))
    try:
        value = json.loads(data or b"{}")
    except ValueError:
        return ""
    return str(value.get("hook", "")) if isinstance(value, dict) else ""


INSTALLER = Hermes()
