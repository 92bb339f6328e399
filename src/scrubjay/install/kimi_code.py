"""Our hooks in Kimi Code's `config.toml` (hook layout: its documentation, hooks page, 2.1.0).

`[[hooks]]` elements of exactly `event`, `matcher`, `command` and `timeout`: one key more and the client loads no hook at all.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scrubjay import clock
from scrubjay.errors import BadInput
from scrubjay.home import Home, user_home
from scrubjay.install import base, jsontext, state, tomltext
from scrubjay.install.base import FileChange, Obstacle, Removed
from scrubjay.install.jsonhooks import call_of
from scrubjay.install.state import Installed

TIMEOUTS = {"SessionStart": 10, "UserPromptSubmit": 5, "Stop": 10, "PostCompact": 10, "SessionEnd": 5}
"""Seconds."""


class KimiCode:
    """See `Installer`."""

    name = "kimi-code"
    title = "Kimi Code"

    def config_home(self, environ: Mapping[str, str], home_folder: str) -> str:
        """`KIMI_CODE_HOME`, else `~/.kimi-code`."""
        return os.path.abspath(environ.get("KIMI_CODE_HOME") or os.path.join(home_folder, ".kimi-code"))

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
        path = self._path(environ, home_folder)
        now = base.read_bytes(path)
        hooks = _hooks(tomltext.load(now or b"", path), path)
        wanted = [self._entry(home, event) for event in TIMEOUTS]
        return [] if _ours(hooks, {home.shim}) == wanted else [self._change(home, path, now, wanted)]

    def uninstall(self, home: Home, *, dry_run: bool = False) -> list[Removed]:
        """See `Installer`."""
        entries = [one for one in state.installed(home) if one.agent == self.name]
        path = self._path(os.environ, user_home())
        if all(os.path.realpath(one.path) != os.path.realpath(path) for one in entries):
            entries.append(Installed(agent=self.name, path=path, at="", events=(), command=home.shim))
        removed = []
        for entry in entries:
            now = base.read_bytes(entry.path)
            try:
                left = None if now is None else _without(now, entry, home)
            except BadInput:
                if not entry.at:  # not a file of ours, as far as anybody knows
                    continue
                raise
            removed.append(base.take_back(home, entry, left, dry_run=dry_run))
        return [one for one in removed if one is not None]

    def obstacles(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle]:
        """See `Installer`."""
        path = self._path(environ, home_folder)
        calls = [call_of(one) for one in self._read(path)]
        others = {call[0] for call in calls if call[1:2] == [self.name] and call[0].endswith("/bin/hook")} - {home.shim}
        what = "the hooks of another scrubjay home run too: {} in {}"
        return [Obstacle(what=what.format(one, path), remedy=f"edit {path}") for one in sorted(others)]

    def commands(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[tuple[str, list[str]]]:
        """See `Installer`."""
        ours = _ours(self._read(self._path(environ, home_folder)), {home.shim})
        return [(str(one.get("event")), ["/bin/sh", "-c", str(one["command"])]) for one in ours]

    def ask(self, home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Obstacle] | None:
        """See `Installer`."""
        del home, home_folder, environ
        return None

    def _path(self, environ: Mapping[str, str], home_folder: str) -> str:
        return os.path.join(self.config_home(environ, home_folder), "config.toml")

    def _read(self, path: str) -> list[dict[str, Any]]:
        return _hooks(tomltext.load(base.read_bytes(path) or b"", path), path)

    def _entry(self, home: Home, event: str) -> dict[str, Any]:
        command = f"{shlex.quote(home.shim)} {self.name} {event}"
        return {"event": event, "command": command, "timeout": TIMEOUTS[event]}

    def _change(self, home: Home, path: str, now: bytes | None, wanted: list[dict[str, Any]]) -> FileChange:
        """Our entries at the end of the file; older ones of ours go first."""
        entry = next((one for one in state.installed(home) if one.path == path), None)
        entry = entry or Installed(agent=self.name, path=path, at="", events=(), command=home.shim)
        before = now
        if now is not None and entry.at and state.digest(now) == entry.after:
            before = jsontext.apply(now.decode(), entry.inverse).encode() if entry.before else None
        elif now is not None:
            left = _without(now, entry, home)
            before = now if left is None else left
            if entry.at and not entry.before and not before.strip():
                before = None  # the file was made for us
        text = (before or b"").decode("utf-8")
        splices = [tomltext.appended(text, "\n".join(map(_block, wanted)))]
        data = jsontext.apply(text, splices).encode("utf-8")
        _same((before or b"", data), {entry.command, home.shim}, path)
        new = replace(
            entry,
            at=clock.text(clock.now()),
            events=tuple(TIMEOUTS),
            command=home.shim,
            before=state.digest(before) if before is not None else "",
            after=state.digest(data),
            inverse=tuple(jsontext.inverse(text, splices)),
            lines=state.line_hashes(data),
        )
        return FileChange(agent=self.name, path=path, before=now, after=data, entry=new)


def _block(entry: Mapping[str, Any]) -> str:
    """One element; JSON's texts are TOML's, but for DEL."""
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
    return "\n".join(["[[hooks]]", *lines, ""]).replace("\x7f", "\\u007f")


def _hooks(config: Mapping[str, Any], path: str) -> list[dict[str, Any]]:
    found = config.get("hooks", [])
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise BadInput("`hooks` is no array of tables", at=path, hint="nothing was changed")
    return found


def _is_ours(hook: Mapping[str, Any], shims: set[str]) -> bool:
    call = call_of(hook)
    return call[1:2] == [KimiCode.name] and call[0] in shims


def _ours(hooks: list[dict[str, Any]], shims: set[str]) -> list[dict[str, Any]]:
    return [one for one in hooks if _is_ours(one, shims)]


def _without(now: bytes, entry: Installed, home: Home) -> bytes | None:
    """The file minus our hooks; None: none of ours there."""
    shims = {entry.command, home.shim}
    if not _ours(_hooks(tomltext.load(now, entry.path), entry.path), shims):
        return None
    text = now.decode("utf-8")
    gone = [
        table
        for table in tomltext.tables(text)
        if table.element and table.keys == ("hooks",)
        if _ours(tomltext.load(text[table.start : table.end].encode(), entry.path)["hooks"], shims)
    ]
    after = jsontext.apply(text, tomltext.without(text, gone)).encode("utf-8")
    _same((now, after), shims, entry.path)
    if _ours(_hooks(tomltext.load(after, entry.path), entry.path), shims):
        hint = f"take the entries with {home.shim} out of it yourself"
        raise BadInput("our entries were rewritten in a layout that cannot be told apart", at=entry.path, hint=hint)
    return after


def _same(files: tuple[bytes, bytes], shims: set[str], path: str) -> None:
    """`BadInput` unless both files say the same but for what is ours, and what the second holds of ours can be told apart."""
    hint = f"nothing was changed; edit {path} yourself"
    try:
        before, after = (_stripped(tomltext.load(data, path), shims, path) for data in files)
    except BadInput:
        raise BadInput(
            "the file has no place for `[[hooks]]` (`hooks` stands on one line)", at=path, hint=hint
        ) from None
    if before != after:
        raise BadInput("our entries cannot be told apart from others in it", at=path, hint=hint)


def _stripped(config: dict[str, Any], shims: set[str], path: str) -> dict[str, Any]:
    left = [one for one in _hooks(config, path) if not _is_ours(one, shims)]
    return {**{key: value for key, value in config.items() if key != "hooks"}, **({"hooks": left} if left else {})}


INSTALLER = KimiCode()
