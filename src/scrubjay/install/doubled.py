"""Our hook registered more than once for an event of one client: in one settings file, in several that the client merges, or in
its settings and by the plugin."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scrubjay.errors import ScrubjayError
from scrubjay.home import Home
from scrubjay.install import base, claude_code, codex, gemini_cli, jsontext, mcp_formats, qwen_code, tomltext
from scrubjay.install.jsoninstaller import JsonInstaller
from scrubjay.install.mcp_clients import CLIENTS
from scrubjay.install.plugin import EVENTS

PLUGIN = "the plugin"
REMOVE = {
    "claude-code": "claude plugin uninstall scrubjay",
    "codex": "codex plugin remove scrubjay@scrubjay",
    "qwen-code": "qwen extensions uninstall scrubjay",
}
"""How a person takes the plugin out of each client that has plugins of this kind (docs/plugin.md)."""

_MERGED: Mapping[str, tuple[JsonInstaller, str, tuple[str, ...]]] = {
    "claude-code": (claude_code.INSTALLER, ".claude", ("settings.json", "settings.local.json")),
    "codex": (codex.INSTALLER, ".codex", ("hooks.json", "config.toml")),
    "gemini-cli": (gemini_cli.INSTALLER, ".gemini", ("settings.json",)),
    "qwen-code": (qwen_code.INSTALLER, ".qwen", ("settings.json",)),
}
"""Installer, folder of a project's own settings, names of the files with hooks: a client runs the hooks of all of them, the
person's and the project's (documentation of each, on settings; Codex and Qwen Code also by runs of the real clients)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Doubled:
    """Events that fire us more than once, all from the same places."""

    agent: str
    events: tuple[str, ...]
    places: tuple[tuple[str, int], ...]
    """Settings file, or `PLUGIN`, and how often it names us for each of these events."""

    @property
    def by_plugin(self) -> bool:
        """The plugin is one of the places."""
        return any(place == PLUGIN for place, _ in self.places)


def doubled(home: Home, home_folder: str, environ: Mapping[str, str], folder: str) -> list[Doubled]:
    """As seen by a session in `folder`, for every client that merges several files. Files that cannot be read or parsed count
    as holding nothing of ours."""
    found = []
    for agent, (installer, project, names) in _MERGED.items():
        config = installer.config_home(environ, home_folder)
        places = [config, *(os.path.join(one, project) for one in _folders(folder, home_folder))]
        groups: dict[tuple[tuple[str, int], ...], list[str]] = {}
        counted, usual = _counted(home, agent, config, _files(places, names)), list(installer.hooks.timeouts)
        for event, times in sorted(counted.items(), key=lambda one: usual.index(one[0]) if one[0] in usual else 99):
            if sum(times.values()) > 1:
                groups.setdefault(tuple(times.items()), []).append(event)
        found += [Doubled(agent=agent, events=tuple(events), places=key) for key, events in groups.items()]
    return found


def _counted(home: Home, agent: str, config: str, files: list[str]) -> dict[str, dict[str, int]]:
    """Event → place → how often it names us."""
    found: dict[str, dict[str, int]] = {}
    values = {path: _value(path) for path in files}
    for path, value in values.items():
        for event, times in _ours(home, value).items():
            found.setdefault(event, {})[path] = times
    mark = CLIENTS[agent].brought
    if mark is not None:
        beside = os.path.join(config, mark.file)
        holders = [*values.values(), {} if beside in values else _value(beside)]
        if any(mcp_formats.at(value, mark.keys) == mark.value for value in holders):
            for event in EVENTS:
                found.setdefault(event, {})[PLUGIN] = 1
    return found


def _folders(folder: str, home_folder: str) -> list[str]:
    """`folder` and those above it, up to the root of its repository; only itself where there is none. Never the home folder,
    whose settings are the person's."""
    found, at = [], folder
    while os.path.realpath(at) != os.path.realpath(home_folder):
        found.append(at)
        if os.path.exists(os.path.join(at, ".git")):
            return found
        above = os.path.dirname(at)
        if above == at:
            break
        at = above
    return found[:1]


def _files(places: list[str], names: tuple[str, ...]) -> list[str]:
    """Each file once, the person's own first."""
    found: dict[str, str] = {}
    for path in (os.path.join(place, name) for place in places for name in names):
        if os.path.isfile(path):
            found.setdefault(os.path.realpath(path), path)
    return list(found.values())


def _value(path: str) -> Mapping[str, object]:
    try:
        data = base.read_bytes(path) or b""
        if path.endswith(".toml"):
            return tomltext.load(data, path)
        text = data.decode("utf-8-sig")
        value = jsontext.load(jsontext.blanked(text), path=path) if text.strip() else {}
    except (ScrubjayError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _ours(home: Home, settings: Mapping[str, object]) -> Counter[str]:
    """How often each event calls our shim."""
    hooks = settings.get("hooks")
    if not isinstance(hooks, dict):
        return Counter()
    return Counter(event for event, groups in hooks.items() for command in _commands(groups) if home.shim in command)


def _commands(groups: object) -> Iterator[str]:
    """Command lines of an event, with their arguments or (as people write them) without."""
    for group in groups if isinstance(groups, list) else []:
        handlers = group.get("hooks") if isinstance(group, dict) else None
        for one in handlers if isinstance(handlers, list) else []:
            if isinstance(one, dict) and isinstance(one.get("command"), str):
                yield one["command"]
