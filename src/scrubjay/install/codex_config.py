"""What of ours stands in Codex's `config.toml`: the person's trust in each hook, and the hooks themselves for people who
keep theirs there (Codex warns at each start when a home has hooks in `hooks.json` and in `config.toml`).

Checked against the real client, 0.171.0.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from scrubjay import clock
from scrubjay.errors import BadInput
from scrubjay.home import Home
from scrubjay.install import jsontext, state, tomltext
from scrubjay.install.base import FileChange
from scrubjay.install.jsonhooks import Handler, HookFile
from scrubjay.install.state import Installed
from scrubjay.install.tomltext import Table

STATE = "state"
"""`hooks.state` holds what the person decided about hooks, every other key below `hooks` is an event."""
DEFAULT_TIMEOUT = 600


def has_hooks(config: Mapping[str, Any]) -> bool:
    """Does the file hold hooks, anybody's?"""
    hooks = config.get("hooks")
    return isinstance(hooks, dict) and any(value for key, value in hooks.items() if key != STATE)


def key_of(source: str, event: str, group: int, number: int) -> str:
    """How Codex names one handler. `source`: path of the file it stands in."""
    return f"{source}:{snake(event)}:{group}:{number}"


def snake(event: str) -> str:
    """`SessionStart` → `session_start`."""
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in event).lstrip("_")


def hash_of(event: str, handler: Handler) -> str:
    """What Codex keeps of a handler that the person trusted (a user's file, a group without matcher)."""
    trusted = {"async": False, "timeout": DEFAULT_TIMEOUT, **handler}
    text = json.dumps(
        {"event_name": snake(event), "hooks": [trusted]}, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def decided(config: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """What the person decided about one handler, {} when nothing."""
    hooks = config.get("hooks")
    states = hooks.get(STATE) if isinstance(hooks, dict) else None
    found = states.get(key) if isinstance(states, dict) else None
    return found if isinstance(found, dict) else {}


def hook_block(hooks: HookFile, home: Home) -> str:
    """Our hooks as text for the end of the file."""
    parts = []
    for event in hooks.timeouts:
        lines = [f"{key} = {_value(value)}" for key, value in hooks.handler(home, event).items()]
        parts.append("\n".join([f"[[hooks.{event}]]", "", f"[[hooks.{event}.hooks]]", *lines, ""]))
    return "\n".join(parts)


def trust_block(trusted: Mapping[str, str], off: Collection[str] = ()) -> str:
    """The person's trust as text for the end of the file: key of a handler → hash. `off`: keys that they switched off."""
    return "\n".join(
        f"[hooks.{STATE}.{_value(key)}]\ntrusted_hash = {_value(digest)}\n" + "enabled = false\n" * (key in off)
        for key, digest in trusted.items()
    )


def change(
    home: Home, hooks: HookFile, path: str, now: bytes | None, wanted: tuple[str, Mapping[str, str]]
) -> FileChange:
    """The file with these hooks (text of `hook_block`, or "") and this trust at its end. `BadInput` where it has no place for
    them: `hooks` as an inline table."""
    entry = next((one for one in state.installed(home) if one.path == path), None)
    entry = entry or Installed(agent=hooks.agent, path=path, at="", events=(), command=home.shim)
    before = now
    gone: tuple[str, ...] = ()
    config = tomltext.load(now or b"", path)
    if now is not None and entry.at and state.digest(now) == entry.after:
        before = jsontext.apply(now.decode(), entry.inverse).encode() if entry.before else None
    elif now is not None:
        gone = _moved(hooks, home, config, entry.created)
        left = without(hooks, now, replace(entry, created=(*wanted[1], *gone)), home)
        before = now if left is None else left
        if left is not None and entry.at and not entry.before and not left.strip():
            before = None  # the file was made for us, and nothing of anybody's is in it
    text = (before or b"").decode("utf-8")
    off = tuple(key for key in wanted[1] if decided(config, key).get("enabled") is False)
    block = "\n".join(part for part in (wanted[0], trust_block(wanted[1], off)) if part)
    splices = [tomltext.appended(text, block)]
    data = jsontext.apply(text, splices).encode("utf-8")
    keys = tuple(dict.fromkeys((*wanted[1], *gone)))
    _same(hooks, {entry.command, home.shim}, keys, (before or b"", data), path)
    new = replace(
        entry,
        at=clock.text(clock.now()),
        events=tuple(hooks.timeouts) if wanted[0] else (),
        command=home.shim,
        before=state.digest(before) if before is not None else "",
        after=state.digest(data),
        inverse=tuple(jsontext.inverse(text, splices)),
        created=tuple(wanted[1]),
        lines=state.line_hashes(data),
    )
    return FileChange(agent=hooks.agent, path=path, before=now, after=data, entry=new)


def _moved(hooks: HookFile, home: Home, config: Mapping[str, Any], created: tuple[str, ...]) -> tuple[str, ...]:
    """Of the keys under which we wrote trust, those that still hold the trust in a hook of ours. A key names a place in the
    list: after a move it may be another hook's, with the person's own trust in that one."""
    ours = {hash_of(event, hooks.handler(home, event)) for event in hooks.timeouts}
    return tuple(key for key in created if decided(config, key).get("trusted_hash") in ours)


def without(hooks: HookFile, now: bytes, entry: Installed, home: Home) -> bytes | None:
    """The file minus our hooks and the trust that we wrote; None: none of it there."""
    config = tomltext.load(now, entry.path)
    text = now.decode("utf-8")
    shims = {entry.command, home.shim}
    gone = [*_our_tables(hooks, shims, text), *_trust_tables(entry.created, text)]
    if not gone:
        if _stripped(hooks, shims, entry.created, config) != _stripped(hooks, set(), (), config):
            hint = f"take the entries with {home.shim} out of it yourself"
            raise BadInput("our entries were rewritten in a layout that cannot be told apart", at=entry.path, hint=hint)
        return None
    after = jsontext.apply(text, tomltext.without(text, gone)).encode("utf-8")
    _same(hooks, shims, entry.created, (now, after), entry.path)
    return after


def _our_tables(hooks: HookFile, shims: set[str], text: str) -> Iterator[Table]:
    """`[[hooks.Event]]` with nothing but ours below it, and single `[[hooks.Event.hooks]]` of ours among others'."""
    every = tomltext.tables(text)
    for number, table in enumerate(every):
        if not (table.element and len(table.keys) == 2 and table.keys[0] == "hooks"):
            continue
        event = table.keys[1]
        below = [one for one in every[number + 1 : _next(every, number)] if one.keys == ("hooks", event, "hooks")]
        ours = [
            one for one in below if _calls_us(hooks, shims, event, f"[[hooks.{event}]]\n{text[one.start : one.end]}")
        ]
        if ours and len(ours) == len(below):
            yield replace(table, end=below[-1].end)
        else:
            yield from ours


def _next(every: list[Table], number: int) -> int:
    """Where the tables end that stand directly below this one."""
    keys, at = every[number].keys, number + 1
    while at < len(every) and every[at].keys[: len(keys)] == keys and every[at].keys != keys:
        at += 1
    return at


def _calls_us(hooks: HookFile, shims: set[str], event: str, text: str) -> bool:
    return bool(hooks.ours({"hooks": tomltext.load(text.encode(), "")["hooks"]}, shims)) and event != STATE


def _trust_tables(keys: tuple[str, ...], text: str) -> Iterator[Table]:
    for table in tomltext.tables(text):
        if table.keys[:2] == ("hooks", STATE) and len(table.keys) == 3 and table.keys[2] in keys:
            yield table


def _same(hooks: HookFile, shims: set[str], keys: tuple[str, ...], files: tuple[bytes, bytes], path: str) -> None:
    """`BadInput` unless both files say the same but for what is ours."""
    hint = f"trust the hooks in Codex itself (/hooks); nothing was changed in {path}"
    try:
        before, after = (_stripped(hooks, shims, keys, tomltext.load(data, path)) for data in files)
    except BadInput:
        raise BadInput(
            "the file has no place for our entries (`hooks` stands in it on one line)", at=path, hint=hint
        ) from None
    if before != after:
        raise BadInput("our entries cannot be told apart from others in it", at=path, hint=hint)


def _stripped(hooks: HookFile, shims: set[str], keys: tuple[str, ...], config: Mapping[str, Any]) -> dict[str, Any]:
    """The value of the file without what is ours, and without tables that are empty then."""
    table = config.get("hooks")
    if not isinstance(table, dict):
        return dict(config)
    left: dict[str, Any] = {}
    ours = {(event, group, number) for event, group, number, _ in hooks.ours({"hooks": table}, shims)}
    for event, value in table.items():
        if event == STATE and isinstance(value, dict):
            left[event] = {key: one for key, one in value.items() if key not in keys}
        elif isinstance(value, list) and any(one[0] == event for one in ours):
            left[event] = [
                group for group in (_kept(event, at, group, ours) for at, group in enumerate(value)) if group
            ]
        else:
            left[event] = value
    left = {event: value for event, value in left.items() if value}
    return {**{key: value for key, value in config.items() if key != "hooks"}, **({"hooks": left} if left else {})}


def _kept(event: str, at: int, group: dict[str, Any], ours: set[tuple[str, int, int]]) -> dict[str, Any]:
    handlers = [one for number, one in enumerate(group.get("hooks", [])) if (event, at, number) not in ours]
    return {**group, "hooks": handlers} if handlers else {}


def _value(value: object) -> str:
    """A text or a number in TOML: JSON's texts are TOML's, but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
