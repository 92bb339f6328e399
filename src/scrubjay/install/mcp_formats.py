"""One entry in a table of servers, put in and taken out as text: JSON with comments, TOML, YAML, by the file's name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from scrubjay.errors import BadInput
from scrubjay.install import jsonmerge, jsontext, tomltext, yamltext
from scrubjay.install.jsontext import Splice

Keys = tuple[str, ...]


@lru_cache(maxsize=32)
def load(data: bytes, path: str) -> dict[str, Any]:
    """The file's value, {} for an empty one; not to be changed. `BadInput` names the file and the line."""
    if path.endswith(".toml"):
        return tomltext.load(data, path)
    if path.endswith((".yaml", ".yml")):
        return yamltext.load(data, path)
    try:
        plain = jsonmerge.body(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadInput("not UTF-8", at=path, hint="nothing was changed") from None
    value = jsontext.load(plain, path=path) if plain.strip() else {}
    if not isinstance(value, dict):
        raise BadInput("the settings are no JSON object", at=path, hint="nothing was changed")
    return value


def at(value: object, keys: Keys) -> object:
    """What stands there; None where nothing does."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def put(text: str, keys: Keys, entry: object, path: str) -> tuple[list[Splice], list[str]]:
    """What adds `entry` as `keys`, where nothing stands, and the dotted names of the tables that come with it.

    `BadInput` when the file's layout has no place for it.
    """
    before = load(text.encode(), path)
    if not isinstance(at(before, keys[:-1]) or {}, dict):
        raise BadInput(f"`{'.'.join(keys[:-1])}` is no table of servers", at=path, hint="nothing was changed")
    if path.endswith(".toml"):
        splices, made = [tomltext.appended(text, _table(keys, entry))], [".".join(keys)]
    elif path.endswith((".yaml", ".yml")):
        splices, made = yamltext.put(text, _two(keys), entry, path), [] if keys[0] in before else [keys[0]]
    else:
        splices, made = jsonmerge.put(text, _nested(keys, entry), path)
    _same(text, splices, keys, (before, entry), path)
    return splices, made


def drop(text: str, keys: Keys, created: set[str], path: str) -> list[Splice]:
    """What takes out whatever stands as `keys`, with the tables named in `created` that are empty then; [] for nothing.

    `BadInput` when it cannot be told apart from what stands around it.
    """
    before = load(text.encode(), path)
    if at(before, keys) is None:
        return []
    if path.endswith(".toml"):
        splices = tomltext.without(text, [one for one in tomltext.tables(text) if one.keys[: len(keys)] == keys])
    elif path.endswith((".yaml", ".yml")):
        splices = yamltext.drop(text, _two(keys), path, table_too=keys[0] in created)
    else:
        splices = jsonmerge.drop(text, _nested(keys, None), {*created, ".".join(keys)})
    _same(text, splices, keys, (before, None), path)
    return splices


def _two(keys: Keys) -> tuple[str, str]:
    first, second = keys  # as deep as any client's YAML goes
    return first, second


def _nested(keys: Keys, entry: object) -> dict[str, Any]:
    for key in reversed(keys):
        entry = {key: entry}
    assert isinstance(entry, dict)
    return entry


def _table(keys: Keys, entry: object) -> str:
    """JSON's texts, lists of texts and booleans are TOML's, but for DEL."""
    assert isinstance(entry, Mapping)
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
    return "\n".join([f"[{'.'.join(keys)}]", *lines, ""]).replace("\x7f", "\\u007f")


def _same(text: str, splices: list[Splice], keys: Keys, wanted: tuple[dict[str, Any], object], path: str) -> None:
    """`BadInput` unless the file says the same afterwards but for our entry, which is as wanted."""
    before, entry = wanted
    try:
        after = load(jsontext.apply(text, splices).encode(), path)
        fits = at(after, keys) == entry and _without(after, keys) == _without(before, keys)
    except BadInput:
        fits = False
    if not fits:
        what = f"the file has no place for `{'.'.join(keys)}`, or it cannot be told apart there"
        raise BadInput(what, at=path, hint="nothing was changed; docs/mcp.md has the entry to edit by hand")


def _without(value: dict[str, Any], keys: Keys) -> dict[str, Any]:
    """A copy without our entry, and without tables on the way to it that are empty then."""
    key, below = keys[0], keys[1:]
    rest = {name: one for name, one in value.items() if name != key}
    inner = value.get(key)
    if not below or inner is None:
        return rest
    if not isinstance(inner, dict):
        return value
    left = _without(inner, below)
    return {**rest, key: left} if left else rest
