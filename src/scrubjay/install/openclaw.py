"""scrubjay as a plugin of OpenClaw: a folder in its state folder, and the lines in `openclaw.json` that load it.

Rules of OpenClaw 2026.9.6: `plugins.load.paths` names the folder; a plugin that isn't bundled sees conversations only with
`plugins.entries.<id>.hooks.allowConversationAccess`; `plugins.allow`, where it is set, has to name it too.
"""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Mapping
from typing import Any

from scrubjay import clock
from scrubjay.errors import BadInput
from scrubjay.home import Home, user_home
from scrubjay.install import base, jsonmerge, jsontext, ownfiles, state
from scrubjay.install.base import FileChange, Obstacle, Removed
from scrubjay.install.jsplugin import FILE, JsPlugin
from scrubjay.install.state import Installed

NAME = "scrubjay"
ENTRY = {"enabled": True, "hooks": {"allowConversationAccess": True}}
FILES = ("openclaw.plugin.json", "package.json", FILE)
CONFIG = "openclaw.json"


class OpenClaw(JsPlugin):
    """See `Installer`."""

    name = "openclaw"
    title = "OpenClaw"
    events = ("UserPromptSubmit", "Stop", "SessionEnd")

    def config_home(self, environ: Mapping[str, str], home_folder: str) -> str:
        """`OPENCLAW_STATE_DIR`, else `~/.openclaw`."""
        chosen = environ.get("OPENCLAW_STATE_DIR", "").strip() or os.path.join(home_folder, ".openclaw")
        if chosen == "~" or chosen.startswith("~/"):
            chosen = home_folder + chosen[1:]
        return os.path.abspath(chosen)

    def folder(self, environ: Mapping[str, str], home_folder: str) -> str:
        return os.path.join(self.config_home(environ, home_folder), NAME)

    def found(self, home_folder: str, environ: Mapping[str, str]) -> list[str]:
        """See `Installer`. Profiles (`~/.openclaw-NAME`) are homes of their own."""
        profiles = sorted(glob.glob(os.path.join(glob.escape(home_folder), ".openclaw-*")))
        own = self.config_home(environ, home_folder)
        return [one for one in dict.fromkeys((own, *profiles)) if os.path.isdir(one)]

    def plan(
        self, home: Home, home_folder: str, environ: Mapping[str, str], *, trust: bool = False
    ) -> list[FileChange]:
        """See `Installer`."""
        del trust  # nothing is asked here
        changes: list[FileChange | None] = []
        for one in self.found(home_folder, environ):
            config = self._config_change(home, self._config(one, home_folder, environ), one)
            for name in FILES:
                path = os.path.join(one, NAME, name)
                changes.append(ownfiles.change(home, self.name, path, self._file(home, one, name), self.events))
            changes.append(config)
        return [one for one in changes if one is not None]

    def uninstall(self, home: Home, *, dry_run: bool = False) -> list[Removed]:
        """See `Installer`. First the setting: OpenClaw refuses to start with a path to a plugin that is not there."""
        rows = {one.path: one for one in state.installed(home) if one.agent == self.name}
        for one in self.found(user_home(), os.environ):
            for path in (self._config(one, user_home(), os.environ), *(os.path.join(one, NAME, n) for n in FILES)):
                rows.setdefault(path, Installed(agent=self.name, path=path, at="", events=(), command=home.shim))
        own = [one for one in rows.values() if os.path.basename(os.path.dirname(one.path)) == NAME]
        folders = {os.path.dirname(one.path) for one in own}
        removed: list[Removed | None] = []
        for entry in (one for one in rows.values() if one not in own):
            now = base.read_bytes(entry.path)
            left = None if now is None else self._without(now, entry, folders)
            removed.append(base.take_back(home, entry, left, dry_run=dry_run))
        removed += [ownfiles.remove(home, entry, dry_run=dry_run) for entry in own]
        for folder in () if dry_run else sorted(folders):
            ownfiles.sweep(folder, [p for one in own if os.path.dirname(one.path) == folder for p in one.created])
        return [one for one in removed if one is not None]

    def obstacles(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle]:
        """See `Installer`."""
        found = []
        for one in self.found(home_folder, environ):
            path = self._config(one, home_folder, environ)
            plugins = self._load(base.read_bytes(path) or b"", path).get("plugins")
            plugins = plugins if isinstance(plugins, dict) else {}
            if plugins.get("enabled") is False:
                found.append(Obstacle(what=f"`plugins.enabled` is false in {path}", remedy="openclaw config edit"))
            if NAME in (plugins.get("deny") or ()):
                found.append(Obstacle(what=f"`plugins.deny` names {NAME} in {path}", remedy=f"edit {path}"))
            called = self._hook(os.path.join(one, NAME, FILE))
            if called not in ("", home.shim):
                found.append(Obstacle(what=f"{one} calls another scrubjay home: {called}", remedy="jay init openclaw"))
        return found

    def _config(self, folder: str, home_folder: str, environ: Mapping[str, str]) -> str:
        moved = environ.get("OPENCLAW_CONFIG_PATH", "").strip()
        return (
            os.path.abspath(moved)
            if moved and folder == self.config_home(environ, home_folder)
            else os.path.join(folder, CONFIG)
        )

    def _file(self, home: Home, folder: str, name: str) -> bytes:
        if name != FILE:
            return ownfiles.source(self.name, name)
        return self.text(home).replace(b"@state@", json.dumps(folder).encode())

    def _load(self, data: bytes, path: str) -> dict[str, Any]:
        """`BadInput` for what OpenClaw may read and this cannot: it takes JSON5."""
        hint = "nothing was changed; docs/openclaw.md has the lines to add by hand"
        try:
            plain = jsonmerge.body(data.decode("utf-8"))
            value = jsontext.load(plain, path=path) if plain.strip() else {}
        except UnicodeDecodeError:
            raise BadInput("not UTF-8", at=path, hint=hint) from None
        except BadInput as error:
            raise BadInput("not plain JSON with comments", at=error.at, hint=hint) from None
        if not isinstance(value, dict):
            raise BadInput("the settings are no JSON object", at=path, hint=hint)
        return value

    def _ours(self, config: Mapping[str, Any], folders: set[str]) -> dict[str, Any]:
        plugins = config.get("plugins")
        allowed = isinstance(plugins, dict) and isinstance(plugins.get("allow"), list)
        ours: dict[str, Any] = {"load": {"paths": sorted(folders)}, "entries": {NAME: ENTRY}}
        return {"plugins": {**ours, **({"allow": [NAME]} if allowed else {})}}

    def _config_change(self, home: Home, path: str, folder: str) -> FileChange | None:
        now = base.read_bytes(path)
        config = self._load(now or b"", path)
        ours = self._ours(config, {os.path.join(folder, NAME)})
        if jsonmerge.holds(config, ours):
            return None
        text = (now or b"").decode("utf-8")
        splices, made = jsonmerge.put(text, ours, path)
        data = jsontext.apply(text, splices).encode("utf-8")
        if not jsonmerge.holds(self._load(data, path), ours):
            raise BadInput("the file has no place for our entry", at=path, hint="nothing was changed")
        entry = Installed(
            agent=self.name,
            path=path,
            at=clock.text(clock.now()),
            events=self.events,
            command=home.shim,
            before=state.digest(now) if now is not None else "",
            after=state.digest(data),
            inverse=tuple(jsontext.inverse(text, splices)),
            created=tuple(made),
            lines=state.line_hashes(data),
        )
        return FileChange(agent=self.name, path=path, before=now, after=data, entry=entry)

    def _without(self, now: bytes, entry: Installed, folders: set[str]) -> bytes | None:
        """The settings minus our entry; None: none of ours there."""
        config = self._load(now, entry.path)
        text = now.decode("utf-8")
        created = {*entry.created, f"plugins.entries.{NAME}"}
        ours = self._ours(config, folders)
        ours["plugins"]["entries"] = {NAME: None}  # whatever stands in it by now
        splices = jsonmerge.drop(text, ours, created)
        return jsontext.apply(text, splices).encode("utf-8") if splices else None


INSTALLER = OpenClaw()
