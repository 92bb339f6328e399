"""Our hooks in Claude Code's `settings.json` (hook layout and time limits: its documentation, hooks page, 2.1.240)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace

from scrubjay import clock
from scrubjay.errors import BadInput
from scrubjay.home import Home, user_home
from scrubjay.install import base, jsontext, shim, state
from scrubjay.install.base import FileChange, Removed
from scrubjay.install.jsontext import Node, Splice, Style
from scrubjay.install.state import Installed

name = "claude-code"
title = "Claude Code"

TIMEOUT_SECONDS: dict[str, int] = {
    "SessionStart": 10,
    "UserPromptSubmit": 5,  # the person waits for it; our own deadline is far below
    "Stop": 10,
    "SubagentStop": 10,
    "PreCompact": 10,
    "SessionEnd": 5,  # without one of ours in the settings all SessionEnd hooks together get 1.5 s
}
"""The events that we listen to."""

EMPTY = "{}"


def config_home(environ: Mapping[str, str], home_folder: str) -> str:
    """`CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    return os.path.abspath(environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home_folder, ".claude"))


def found(home_folder: str, environ: Mapping[str, str]) -> list[str]:
    """Config homes that exist."""
    folder = config_home(environ, home_folder)
    return [folder] if os.path.isdir(folder) else []


def plan(home: Home, home_folder: str, environ: Mapping[str, str]) -> list[FileChange]:
    """What installing would change; [] when everything is there or there is no Claude Code.

    `BadInput` naming file and line for settings that are no JSON object; nothing is changed then.
    """
    changes = []
    for folder in found(home_folder, environ):
        path = os.path.join(folder, "settings.json")
        now = base.read_bytes(path)
        if not _whole(home, now, path):
            changes.append(_change(home, path, now))
    return changes


def install(home: Home, home_folder: str, environ: Mapping[str, str]) -> list[FileChange]:
    """Write the shim and our hook entries; what was changed (to show), [] the second time."""
    changes = plan(home, home_folder, environ)
    if changes or found(home_folder, environ):
        shim.write(home)
    base.apply(home, changes)
    return changes


def uninstall(home: Home, *, dry_run: bool = False) -> list[Removed]:
    """Take our entries out of every settings file that we ever wrote to, and out of today's when the record is lost."""
    entries = [one for one in state.installed(home) if one.agent == name]
    path = os.path.join(config_home(os.environ, user_home()), "settings.json")
    if all(os.path.realpath(one.path) != os.path.realpath(path) for one in entries):
        entries.append(Installed(agent=name, path=path, at="", events=(), command=home.shim))
    removed = []
    for entry in entries:
        now = base.read_bytes(entry.path)
        try:
            left = None if now is None else _without(now, entry, home)
        except BadInput:
            if not entry.at:  # not a file of ours, as far as anybody knows
                continue
            raise
        done = base.take_back(home, entry, left, dry_run=dry_run)
        if done is not None:
            removed.append(done)
    if not dry_run and not state.installed(home):
        shim.retire(home)
    return removed


def obstacles(home: Home, home_folder: str, environ: Mapping[str, str]) -> list[str]:
    """What keeps installed hooks from doing their work once, for `jay doctor`."""
    path = os.path.join(config_home(environ, home_folder), "settings.json")
    data = base.read_bytes(path)
    settings = jsontext.load(_text(data, path).removeprefix("\ufeff"), path=path) if data and data.strip() else {}
    if not isinstance(settings, dict):
        return []
    found_ones = [f"`disableAllHooks` is true in {path}"] if settings.get("disableAllHooks") is True else []
    others = sorted(
        command for command in _commands(settings.get("hooks")) - {home.shim} if command.endswith("/bin/hook")
    )
    found_ones += [f"the hooks of another scrubjay home run too: {command} in {path}" for command in others]
    return found_ones


def _commands(hooks: object) -> set[str]:
    """Commands of handlers that look like ours, whichever home they belong to."""
    groups = (
        [group for rows in hooks.values() if isinstance(rows, list) for group in rows]
        if isinstance(hooks, dict)
        else []
    )
    handlers = [one for group in groups if isinstance(group, dict) for one in group.get("hooks") or []]
    return {
        one["command"]
        for one in handlers
        if isinstance(one, dict) and isinstance(one.get("command"), str) and _is_ours(one, {one["command"]})
    }


def _group(home: Home, event: str) -> dict[str, object]:
    handler = {"type": "command", "command": home.shim, "args": [name, event], "timeout": TIMEOUT_SECONDS[event]}
    return {"hooks": [handler]}


def _text(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadInput("not UTF-8", at=f"{path}, line {line}", hint="nothing was changed") from None


def _whole(home: Home, now: bytes | None, path: str) -> bool:
    """Each event has exactly our entry, once."""
    if now is None or not now.strip():
        return False
    text = _text(now, path).removeprefix("\ufeff")
    settings = jsontext.load(text, path=path)
    _check(settings, text, path)
    assert isinstance(settings, dict)
    hooks = settings.get("hooks", {})
    for event in hooks.keys() | TIMEOUT_SECONDS.keys():
        ours = [
            {key: value for key, value in group.items() if key != "hooks"} | {"hooks": [handler]}
            for group in hooks.get(event, [])
            if isinstance(group, dict) and isinstance(group.get("hooks"), list)
            for handler in group["hooks"]
            if _is_ours(handler, {home.shim})
        ]
        if ours != ([_group(home, event)] if event in TIMEOUT_SECONDS else []):
            return False
    return True


def _check(settings: object, text: str, path: str) -> None:
    """`BadInput` for a shape that the agent would not take."""
    hint = "nothing was changed"
    if not isinstance(settings, dict):
        raise BadInput("the settings are no JSON object", at=f"{path}, line 1", hint=hint)
    hooks = settings.get("hooks", {})
    node = jsontext.scan(text).get("hooks")
    line = text.count("\n", 0, node.start) + 1 if node else 1
    if not isinstance(hooks, dict):
        raise BadInput("`hooks` is no JSON object", at=f"{path}, line {line}", hint=hint)
    for event in TIMEOUT_SECONDS:
        if not isinstance(hooks.get(event, []), list):
            raise BadInput(f"`hooks.{event}` is no JSON array", at=f"{path}, line {line}", hint=hint)


def _is_ours(handler: object, commands: set[str]) -> bool:
    if not isinstance(handler, dict) or handler.get("command") not in commands:
        return False
    arguments = handler.get("args")
    return isinstance(arguments, list) and arguments[:1] == [name]


def _change(home: Home, path: str, now: bytes | None) -> FileChange:
    """Our entries on top of what others have there; older entries of ours go first."""
    entry = next((one for one in state.installed(home) if one.path == path), None)
    entry = entry or Installed(agent=name, path=path, at="", events=(), command=home.shim)
    before = now
    created: tuple[str, ...] = ()
    if now is not None and now.strip():
        if entry.at and state.digest(now) == entry.after:
            before = jsontext.apply(_text(now, path), entry.inverse).encode() if entry.before else None
        else:
            before = _without(now, entry, home) or now
            created = entry.created
    text = (before or b"").decode("utf-8")
    splices, made = _additions(home, text)
    after = jsontext.apply(text, splices)
    data = after.encode("utf-8")
    new = replace(
        entry,
        at=clock.text(clock.now()),
        events=tuple(TIMEOUT_SECONDS),
        command=home.shim,
        before=state.digest(before) if before is not None else "",
        after=state.digest(data),
        inverse=tuple(jsontext.inverse(text, splices)),
        created=tuple(dict.fromkeys((*created, *made))),
        lines=state.line_hashes(data),
    )
    return FileChange(agent=name, path=path, before=now, after=data, entry=new)


def _additions(home: Home, text: str) -> tuple[list[Splice], list[str]]:
    """Where our entries go in `text`, and which containers they bring with them."""
    everything = {event: [_group(home, event)] for event in TIMEOUT_SECONDS}
    body = text.removeprefix("\ufeff")
    if not body.strip():
        whole = json.dumps({"hooks": everything}, ensure_ascii=False, indent=2) + "\n"
        return [Splice(start=len(text) - len(body), end=len(text), new=whole)], ["hooks"]
    shift = len(text) - len(body)
    root = jsontext.scan(body)
    style = Style.of(body, root)
    hooks = root.get("hooks")
    if hooks is None:
        member = f'"hooks":{"" if style.compact else " "}' + style.dump(everything, 1)
        splices, made = [jsontext.append(body, root, member, style=style, depth=0)], ["hooks"]
    else:
        splices, made = _into(home, body, hooks, style)
    return [replace(one, start=one.start + shift, end=one.end + shift) for one in splices], made


def _into(home: Home, text: str, hooks: Node, style: Style) -> tuple[list[Splice], list[str]]:
    splices, members, made = [], [], []
    for event in TIMEOUT_SECONDS:
        array = hooks.get(event)
        if array is None:
            members.append(f'"{event}":{"" if style.compact else " "}' + style.dump([_group(home, event)], 2))
            made.append(f"hooks.{event}")
        else:
            member = style.dump(_group(home, event), 3)
            splices.append(jsontext.append(text, array, member, style=style, depth=2))
    if members:
        between = "," if style.compact else "," + style.newline + style.unit * 2
        splices.append(jsontext.append(text, hooks, between.join(members), style=style, depth=1))
    return splices, made


def _without(now: bytes, entry: Installed, home: Home) -> bytes | None:
    """The file minus our entries, minus containers that we brought and that are empty now; None: none of ours there."""
    text = _text(now, entry.path)
    body = text.removeprefix("\ufeff")
    if not body.strip():
        return None
    settings = jsontext.load(body, path=entry.path)
    root = jsontext.scan(body)
    hooks = root.get("hooks") if isinstance(settings, dict) else None
    if hooks is None or hooks.kind != "object":
        return None
    splices, emptied, touched = [], [], False
    for position, (event, array) in enumerate(zip(hooks.keys, hooks.items, strict=True)):
        gone, inner = _ours_in(body, array, {entry.command, home.shim})
        touched = touched or bool(gone or inner)
        brought = not entry.at or f"hooks.{event}" in entry.created or "hooks" in entry.created
        if gone and len(gone) == len(array.items) and brought:
            emptied.append(position)
        else:
            splices += inner + jsontext.without(array, gone)
    if not touched:
        return None
    if len(emptied) == len(hooks.items) and (not entry.at or "hooks" in entry.created):
        splices = jsontext.without(root, [len(root.keys) - 1 - root.keys[::-1].index("hooks")])
    else:
        splices += jsontext.without(hooks, emptied)
    return (text[: len(text) - len(body)] + jsontext.apply(body, splices)).encode("utf-8")


def _ours_in(text: str, array: Node, commands: set[str]) -> tuple[list[int], list[Splice]]:
    """Positions of groups that hold nothing but ours, and the edits to groups that hold others' handlers too."""
    gone: list[int] = []
    inner: list[Splice] = []
    for position, group in enumerate(array.items):
        handlers = group.get("hooks") if group.kind == "object" else None
        if handlers is None or handlers.kind != "array":
            continue
        ours = [
            number
            for number, handler in enumerate(handlers.items)
            if _is_ours(json.loads(text[handler.start : handler.end]), commands)
        ]
        if ours and len(ours) == len(handlers.items):
            gone.append(position)
        elif ours:
            inner += jsontext.without(handlers, ours)
    return gone, inner
