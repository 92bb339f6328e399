"""Where scrubjay keeps its things: `SCRUBJAY_HOME`, else `~/.scrubjay`. Names only; nothing is created here.

Hot: standard library only, no pathlib (its import costs more than the query of a hook).
"""

from __future__ import annotations

import os

_MACHINE_ID_FILES = ("/etc/machine-id", "/var/lib/dbus/machine-id")


def user_home() -> str:
    """The person's home folder, where agents keep their sessions (`HOME`)."""
    return os.path.expanduser("~")


def machine_id() -> str:
    """A short name for this machine: SQLite files and journals never cross machines, so each has a folder of its own."""
    for path in _MACHINE_ID_FILES:
        try:
            with open(path, encoding="utf-8") as file:
                value = file.read().strip()
        except (OSError, UnicodeDecodeError):
            continue
        if value.isalnum():
            return value[:12]
    name = os.uname().nodename
    return "".join(c if c.isalnum() else "-" for c in name)[:40] or "machine"


class Home:
    """The paths below one scrubjay home (absolute `str`). Folders are 0700, files 0600."""

    __slots__ = ("root",)

    def __init__(self, root: str) -> None:
        self.root = os.path.abspath(root)

    @property
    def config(self) -> str:
        return os.path.join(self.root, "config.toml")

    @property
    def shim(self) -> str:
        return os.path.join(self.root, "bin", "hook")

    @property
    def memory(self) -> str:
        return os.path.join(self.root, "memory")

    @property
    def user_store(self) -> str:
        return os.path.join(self.memory, "user")

    @property
    def projects(self) -> str:
        return os.path.join(self.memory, "projects")

    @property
    def archive(self) -> str:
        return os.path.join(self.memory, "archive")

    @property
    def tombstones(self) -> str:
        return os.path.join(self.memory, "tombstones")

    @property
    def evidence(self) -> str:
        return os.path.join(self.root, "evidence")

    @property
    def turns(self) -> str:
        return os.path.join(self.root, "turns")

    @property
    def state(self) -> str:
        return os.path.join(self.root, "state", machine_id())

    @property
    def ledger(self) -> str:
        return os.path.join(self.state, "ledger.sqlite")

    @property
    def search(self) -> str:
        return os.path.join(self.state, "search.sqlite")

    @property
    def pack(self) -> str:
        """The hooks' compiled modules (`quickload`)."""
        return os.path.join(self.state, "hooks.pack")

    @property
    def journal(self) -> str:
        return os.path.join(self.state, "journal")

    @property
    def log(self) -> str:
        return os.path.join(self.state, "log")


def current() -> Home:
    """The home that this process uses."""
    return Home(os.environ.get("SCRUBJAY_HOME") or os.path.join(user_home(), ".scrubjay"))
