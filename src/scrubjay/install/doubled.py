"""Our hook registered more than once for an event of Claude Code, in one settings file or in several that it merges."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scrubjay.home import Home
from scrubjay.install import base
from scrubjay.install.claude_code import config_home

NAMES = ("settings.json", "settings.local.json")
"""Claude Code runs the hooks of all of them: the person's, the project's, the project's private ones (its documentation,
settings)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Doubled:
    """One event that fires us more than once."""

    event: str
    files: tuple[tuple[str, int], ...]
    """Settings file and how often it names us for this event."""


def doubled(home: Home, home_folder: str, environ: Mapping[str, str], folder: str) -> list[Doubled]:
    """As seen by a session in `folder`. Files that cannot be read or parsed count as holding nothing of ours."""
    found: dict[str, dict[str, int]] = {}
    for path in _files(config_home(environ, home_folder), folder):
        for event, times in _ours(home, path).items():
            found.setdefault(event, {})[path] = times
    return [
        Doubled(event=event, files=tuple(files.items())) for event, files in found.items() if sum(files.values()) > 1
    ]


def _files(config: str, folder: str) -> list[str]:
    """The person's settings first, then those of `folder` and the folders above it, each file once."""
    places = [config]
    while True:
        places.append(os.path.join(folder, ".claude"))
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    found: dict[str, str] = {}
    for path in (os.path.join(place, name) for place in places for name in NAMES):
        if os.path.isfile(path):
            found.setdefault(os.path.realpath(path), path)
    return list(found.values())


def _ours(home: Home, path: str) -> Counter[str]:
    """How often each event calls our shim."""
    try:
        settings = json.loads((base.read_bytes(path) or b"").decode("utf-8-sig") or "{}")
    except (OSError, ValueError, RecursionError):
        return Counter()
    hooks = settings.get("hooks") if isinstance(settings, dict) else None
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
