"""What is installed where, and since when (`state/<machine>/installed.json`).

Kept of a changed file: hashes, and the edit that takes ours back. No copy: it may hold keys.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

from scrubjay.errors import StoreUnavailable
from scrubjay.home import Home
from scrubjay.install.jsontext import Splice

VERSION = 1
LINE_HASH_CHARS = 12
"""Enough to tell lines of one file apart."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Installed:
    """One settings file that holds our entries."""

    agent: str
    path: str
    """As the agent knows it (a symbolic link is not resolved)."""
    at: str
    """When it was installed first, `2026-09-03T10:12:44Z`: a session that began later must have left a hook row."""
    events: tuple[str, ...]
    command: str = ""
    """The shim's path as it stands in the file."""
    before: str = ""
    """SHA-256 of the file before; "" when it was not there."""
    after: str = ""
    """SHA-256 of the file as we wrote it."""
    inverse: tuple[Splice, ...] = ()
    """Takes `after` back to `before` (blank space and brackets only, never another's words)."""
    created: tuple[str, ...] = ()
    """Containers that were not there before us: `hooks`, `hooks.Stop`, …"""
    lines: tuple[str, ...] = ()
    """A short hash of each line as we wrote it: shows which lines are other people's later changes."""
    server: bool = False
    """It is the entry of our MCP server. A file may hold that and hooks: two rows, put in and taken out one by one."""

    @property
    def key(self) -> tuple[str, bool]:
        """What there is one row of."""
        return self.path, self.server


def installed(home: Home) -> list[Installed]:
    """Hooks, plugins and blocks that `init` wrote and `uninstall` did not take back yet; [] when none or unreadable."""
    return [one for one in _rows(home) if not one.server]


def servers(home: Home) -> list[Installed]:
    """The same for entries of our MCP server."""
    return [one for one in _rows(home) if one.server]


def _rows(home: Home) -> list[Installed]:
    try:
        with open(_path(home), encoding="utf-8") as file:
            data = json.load(file)
        return [_row(row) for row in data["files"]] if data["version"] == VERSION else []
    except (OSError, ValueError, KeyError, TypeError):
        return []


def record(home: Home, entry: Installed) -> None:
    """Put `entry` in the place of an older one of its kind for the same file. `StoreUnavailable` when the home cannot be
    written."""
    old = {one.key: one for one in _rows(home)}
    if entry.key in old:
        entry = replace(entry, at=old[entry.key].at)
    _save(home, [*(one for key, one in old.items() if key != entry.key), entry])


def drop(home: Home, path: str, *, server: bool = False) -> None:
    """Forget about what we have in one file."""
    rows = _rows(home)
    left = [one for one in rows if one.key != (path, server)]
    if left != rows:
        _save(home, left)


@contextmanager
def recorded(home: Home, entry: Installed) -> Iterator[None]:
    """Record first, write inside: killed in between, taking back finds nothing of ours, which is true."""
    old = _rows(home)
    record(home, entry)
    try:
        yield
    except BaseException:
        _save(home, old)
        raise


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def line_hashes(data: bytes) -> tuple[str, ...]:
    """One short hash a line."""
    return tuple(hashlib.sha256(b"scrubjay line\0" + line).hexdigest()[:LINE_HASH_CHARS] for line in data.splitlines())


def _path(home: Home) -> str:
    return os.path.join(home.state, "installed.json")


def _save(home: Home, rows: list[Installed]) -> None:
    path = _path(home)
    data = json.dumps({"version": VERSION, "files": [asdict(row) for row in rows]}, ensure_ascii=True, indent=1) + "\n"
    try:
        for folder in (home.root, os.path.dirname(home.state), home.state):
            with suppress(FileExistsError):
                os.mkdir(folder, 0o700)
        with open(os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".new", path)
    except OSError as error:
        raise StoreUnavailable(f"cannot write: {error.strerror}", at=path, hint="nothing was changed") from error


def _row(row: dict[str, Any]) -> Installed:
    known = {name: value for name, value in row.items() if name in Installed.__dataclass_fields__}
    for name in ("events", "created", "lines"):
        known[name] = tuple(known.get(name, ()))
    known["inverse"] = tuple(Splice(**one) for one in known.get("inverse", ()))
    return Installed(**known)
