"""Whole files of ours in somebody else's folder: a plugin. They come and go; folders that were made for them go with them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress

from scrubjay import clock
from scrubjay.home import Home
from scrubjay.install import base, state
from scrubjay.install.base import FileChange, Removed
from scrubjay.install.state import Installed

PLUGINS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugins")


def source(agent: str, name: str) -> bytes:
    """A file of ours as it is put into the agent."""
    with open(os.path.join(PLUGINS, agent, name), "rb") as file:
        return file.read()


def change(home: Home, agent: str, path: str, data: bytes, events: Sequence[str]) -> FileChange | None:
    """What puts `data` there; None when it is there. A file that is there already is taken for an older one of ours."""
    before = base.read_bytes(path)
    if before == data:
        return None
    known = next((one.created for one in state.installed(home) if one.path == path), ())
    entry = Installed(
        agent=agent,
        path=path,
        at=clock.text(clock.now()),
        events=tuple(events),
        command=home.shim,
        after=state.digest(data),
        created=known or _missing(os.path.dirname(path)),
        lines=state.line_hashes(data),
    )
    return FileChange(agent=agent, path=path, before=before, after=data, entry=entry)


def remove(home: Home, entry: Installed, *, dry_run: bool) -> Removed | None:
    """Take a file away, also one that was changed since: it is ours. None: it was not there."""
    now = base.read_bytes(entry.path)
    if now is None:
        if not dry_run:
            state.drop(home, entry.path)
        return None
    changed = base.changed_since(entry, now) if entry.lines and state.digest(now) != entry.after else ""
    if not dry_run:
        base.replace_bytes(entry.path, now, None)
        state.drop(home, entry.path)
    return Removed(path=entry.path, restored=not changed, changed_since=changed)


def sweep(folder: str, created: Sequence[str]) -> None:
    """Remove our own `folder` when nothing is left in it but what an interpreter made of our files, and then those folders
    that were made for it, as far as they are empty."""
    cache = os.path.join(folder, "__pycache__")
    with suppress(OSError):
        if os.listdir(folder) == ["__pycache__"]:
            for name in os.listdir(cache):
                os.unlink(os.path.join(cache, name))
            os.rmdir(cache)
    for path in sorted({folder, *created}, key=len, reverse=True):
        with suppress(OSError):
            os.rmdir(path)


def _missing(folder: str) -> tuple[str, ...]:
    """Folders on the way to this one that are not there, the innermost first."""
    found = []
    while folder and not os.path.lexists(folder):
        found.append(folder)
        folder = os.path.dirname(folder)
    return tuple(found)
