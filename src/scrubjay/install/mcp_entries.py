"""Our MCP server in clients' own configuration: offered, put in on request only, and taken out again.

Never where a client has our tools already, by the plugin, by a provider of ours or by an entry that somebody made by hand. What
stands in an entry is the path of `bin/jay` in the scrubjay home, which any `jay` command repairs.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from scrubjay import clock
from scrubjay.errors import BadInput, ScrubjayError
from scrubjay.home import Home, user_home
from scrubjay.install import base, jsontext, mcp_clients, mcp_formats, shim, state
from scrubjay.install.base import FileChange, Obstacle, Removed
from scrubjay.install.mcp_clients import CLIENTS, Client
from scrubjay.install.state import Installed

NAME = "mcp"
"""What `jay uninstall` calls all of these entries."""
EXTRA = "pip install 'scrubjay[mcp]'"


@dataclass(frozen=True, kw_only=True, slots=True)
class Offer:
    """One client that is here."""

    name: str
    title: str
    standing: Literal["free", "in", "taken"]
    """`in`: our entry is there, by `jay init`. `taken`: none of ours, and none is put in."""
    why: str = ""
    """Of `taken`, for people."""


def missing() -> bool:
    """Is the package absent that the server needs, or of another generation? Then no entry is written: it could not run."""
    return any(importlib.util.find_spec(name) is None for name in ("mcp", "mcp_types"))


def offers(home: Home, home_folder: str, environ: Mapping[str, str]) -> list[Offer]:
    """Every client that is here, and how it stands there; a file that cannot be read is a reason, not an error."""
    found = []
    for name, client in CLIENTS.items():
        groups = mcp_clients.files(name, home_folder, environ)
        if not groups:
            continue
        try:
            why = _taken(home, name, home_folder, environ)
            there = all(_ours(home, client, _first(home, client, paths)) for paths in groups)
            offer = Offer(
                name=name, title=client.title, standing="taken" if why else "in" if there else "free", why=why
            )
        except ScrubjayError as error:
            offer = Offer(name=name, title=client.title, standing="taken", why=f"{error.what} ({error.at})")
        found.append(offer)
    return found


def plan(home: Home, names: Collection[str], home_folder: str, environ: Mapping[str, str]) -> list[FileChange]:
    """What putting the entry into these clients changes; nothing for one that has the tools another way (`offers` says so).

    `BadInput` for settings that the client could not read either, and where the server could not run. Nothing is written.
    """
    if names and missing():
        raise BadInput("the MCP server needs the package 'mcp'", at="--mcp", hint=f"{EXTRA}. Nothing was changed")
    changes = []
    for name in CLIENTS:
        if name not in names or _taken(home, name, home_folder, environ):
            continue
        for paths in mcp_clients.files(name, home_folder, environ):
            path = _first(home, CLIENTS[name], paths)
            now = base.read_bytes(path)
            if mcp_formats.at(mcp_formats.load(now or b"", path), CLIENTS[name].keys) is None or not _whole(
                home, CLIENTS[name], path
            ):
                changes.append(_change(home, name, path, now))
    return changes


def write(home: Home, planned: list[FileChange]) -> None:
    """Write what was planned, and the program that the entries start."""
    if planned:
        shim.write_program(home)
        base.apply(home, planned)


def take_out(home: Home, agents: Collection[str], *, on_top: bool, dry_run: bool) -> list[Removed]:
    """Take the entries of these clients out (none named: of all). `on_top`: only where ours was the last change to the file, so
    that what we wrote below it is uncovered as it was."""
    rows = [one for one in _rows(home) if not agents or one.agent in agents or NAME in agents]
    removed = []
    for entry in rows:
        now = base.read_bytes(entry.path)
        if on_top and (now is None or state.digest(now) != entry.after):
            continue
        left = None if now is None else _without(home, now, entry)
        removed.append(base.take_back(home, entry, left, dry_run=dry_run))
    if not dry_run and not state.servers(home):
        shim.remove_program(home)
    return [one for one in removed if one is not None]


def obstacles(home: Home) -> list[tuple[str, Obstacle]]:
    """(title of the client, what keeps an entry that `jay init` wrote from doing its work), as far as files tell."""
    found = []
    for entry in state.servers(home):
        client = CLIENTS[entry.agent]
        try:
            value = _at(client, entry.path)
            how = _brought(entry.agent, user_home(), os.environ)
        except ScrubjayError as error:
            found.append((client.title, Obstacle(what=f"{error.what} ({entry.path})", remedy=error.hint)))
            continue
        remedy = f"edit {entry.path}"
        if not _calls(home, value):
            again = f"jay init {entry.agent} --mcp --days 0"
            found.append((client.title, Obstacle(what=f"our MCP server is gone from {entry.path}", remedy=again)))
        elif isinstance(value, Mapping) and (value.get("enabled") is False or value.get("disabled") is True):
            what = f"our MCP server is switched off in {entry.path}"
            found.append((client.title, Obstacle(what=what, remedy=remedy)))
        elif how:
            what = f"our tools are there twice: {entry.path} has our MCP server, and {how}"
            found.append((client.title, Obstacle(what=what, remedy=f"{remedy}: take `{'.'.join(client.keys)}` out")))
    return found


def settle(home: Home, paths: Collection[str]) -> None:
    """After hooks were written into a file that holds our entry: say of the entry what the file is without the hooks, so that
    both can be taken back to the byte. Left as it is where that cannot be told."""
    above = {one.path: one for one in state.installed(home)}
    for entry in (one for one in state.servers(home) if one.path in paths and one.path in above):
        now, hooks = base.read_bytes(entry.path), above[entry.path]
        if now is None or state.digest(now) != hooks.after:
            continue
        below = jsontext.apply(now.decode(), hooks.inverse).encode()
        known = state.digest(below)
        left = _without(home, below, entry) if known == hooks.before and known != entry.after else None
        if left is not None:
            renewed = _placed(home, entry, left if left.strip() or entry.before else None, entry.created)
            if renewed.after == below:
                state.record(home, renewed.entry)


def entry_of(entry: Installed) -> object:
    """What stands in the client's file now; None when it is gone."""
    return _at(CLIENTS[entry.agent], entry.path)


def _rows(home: Home) -> list[Installed]:
    """What the record says, and what stands in today's files when the record was lost."""
    rows = {one.path: one for one in state.servers(home)}
    for name, client in CLIENTS.items():
        for path in (one for paths in mcp_clients.files(name, user_home(), os.environ) for one in paths):
            if path in rows:
                continue
            try:
                lost = _ours(home, client, path)
            except ScrubjayError:  # not a file of ours, as far as anybody knows
                continue
            if lost:
                rows[path] = Installed(agent=name, path=path, at="", events=(), server=True)
    return list(rows.values())


def _taken(home: Home, name: str, home_folder: str, environ: Mapping[str, str]) -> str:
    """Why this client needs no entry of ours, "" when it does."""
    if how := _brought(name, home_folder, environ):
        return how
    for path in (one for paths in mcp_clients.files(name, home_folder, environ) for one in paths):
        if by_hand := _by_hand(home, CLIENTS[name], path):
            return f"`{by_hand}` stands in {path} already"
    return ""


def _brought(name: str, home_folder: str, environ: Mapping[str, str]) -> str:
    """What else brings our tools into this client, "" for nothing."""
    brought = CLIENTS[name].brought
    for folder in mcp_clients.config_homes(name, home_folder, environ) if brought else ():
        assert brought is not None
        path = os.path.join(folder, brought.file)
        if mcp_formats.at(mcp_formats.load(base.read_bytes(path) or b"", path), brought.keys) == brought.value:
            return brought.how
    return ""


def _by_hand(home: Home, client: Client, path: str) -> str:
    """The name of an entry that starts us and that we did not make, or that has our name; "" for none."""
    table = mcp_formats.at(mcp_formats.load(base.read_bytes(path) or b"", path), client.table)
    for name, entry in table.items() if isinstance(table, Mapping) else ():
        if name == mcp_clients.SERVER and _calls(home, entry):
            continue
        program, *arguments = mcp_clients.words(entry) or [""]
        if name == mcp_clients.SERVER or (os.path.basename(program) == "jay" and "mcp" in arguments):
            return str(name)
    return ""


def _first(home: Home, client: Client, paths: list[str]) -> str:
    """The file that holds our entry, else the one that it goes into."""
    return next((path for path in paths if _ours(home, client, path)), paths[0])


def _at(client: Client, path: str) -> object:
    return mcp_formats.at(mcp_formats.load(base.read_bytes(path) or b"", path), client.keys)


def _ours(home: Home, client: Client, path: str) -> bool:
    return _calls(home, _at(client, path))


def _calls(home: Home, entry: object) -> bool:
    return mcp_clients.words(entry)[:1] == [shim.program(home)]


def _whole(home: Home, client: Client, path: str) -> bool:
    """Is all of our entry there? What the person added to it (trust, a time limit) is theirs."""
    there, wanted = _at(client, path), mcp_clients.filled(client.entry, shim.program(home))
    assert isinstance(wanted, Mapping)
    switch = {"enabled", "disabled"}  # the person's own decision
    return isinstance(there, Mapping) and all(there.get(key) == wanted[key] for key in wanted.keys() - switch)


def _change(home: Home, name: str, path: str, now: bytes | None) -> FileChange:
    """The file with our entry; an older one of ours goes first."""
    entry = next((one for one in state.servers(home) if one.path == path), None)
    entry = entry or Installed(agent=name, path=path, at="", events=(), server=True)
    before = now
    created: tuple[str, ...] = ()
    if now is not None:
        if entry.at and state.digest(now) == entry.after:
            before = jsontext.apply(now.decode(), entry.inverse).encode() if entry.before else None
        else:
            before, created = _without(home, now, entry) or now, entry.created
    return replace(_placed(home, entry, before, created), before=now)


def _placed(home: Home, entry: Installed, before: bytes | None, created: tuple[str, ...]) -> FileChange:
    """Our entry put into the file as it is without. `created`: tables that are known to be ours already."""
    client = CLIENTS[entry.agent]
    text = (before or b"").decode("utf-8")
    wanted = mcp_clients.filled(client.entry, shim.program(home))
    splices, made = mcp_formats.put(text, client.keys, wanted, entry.path)
    data = jsontext.apply(text, splices).encode("utf-8")
    new = replace(
        entry,
        at=clock.text(clock.now()),
        command=shim.program(home),
        before=state.digest(before) if before is not None else "",
        after=state.digest(data),
        inverse=tuple(jsontext.inverse(text, splices)),
        created=tuple(dict.fromkeys((*created, *made))),
        lines=() if client.restless else state.line_hashes(data),
    )
    return FileChange(agent=entry.agent, path=entry.path, before=before, after=data, entry=new)


def _without(home: Home, now: bytes, entry: Installed) -> bytes | None:
    """The file minus our entry; None: none of ours there."""
    client = CLIENTS[entry.agent]
    there = mcp_formats.at(mcp_formats.load(now, entry.path), client.keys)
    if mcp_clients.words(there)[:1] not in ([entry.command], [shim.program(home)]):
        return None
    text = now.decode("utf-8")
    tables = [".".join(client.table[: depth + 1]) for depth in range(len(client.table))]
    created = set(entry.created if entry.at else tables)  # the record was lost: an empty table is nobody's loss
    splices = mcp_formats.drop(text, client.keys, created, entry.path)
    return jsontext.apply(text, splices).encode("utf-8")
