"""Our members in a JSON file with comments and commas at ends: put in beside others', and taken out again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from scrubjay.errors import BadInput
from scrubjay.install import jsontext
from scrubjay.install.jsontext import Node, Splice, Style

Tree = Mapping[str, Any]
"""Objects and lists of what is ours: a list's elements are ours one by one, an object below a list's key never appears."""

_COMMA_AT_END = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])')


def body(text: str) -> str:
    """`text` as plain JSON, every character at its place: comments, commas at ends and a byte order mark are blank."""
    text = f" {text[1:]}" if text.startswith("\ufeff") else text
    return _COMMA_AT_END.sub(lambda match: match[1] or " ", jsontext.blanked(text))


def put(text: str, ours: Tree, path: str) -> tuple[list[Splice], list[str]]:
    """What adds to `text` whatever of `ours` it lacks, and the dotted names of the containers that come with it."""
    plain = body(text)
    if not plain.strip():
        whole = json.dumps(ours, ensure_ascii=False, indent=2) + "\n"
        return [Splice(start=len(text), end=len(text), new=whole)], list(_containers(ours))
    root = jsontext.scan(plain)
    made: list[str] = []
    return _put(plain, root, ours, Style.of(plain, root), (path, made, "")), made


def drop(text: str, ours: Tree, created: set[str]) -> list[Splice]:
    """What takes `ours` out of `text`, with the containers named in `created` that are empty then."""
    plain = body(text)
    return _drop(plain, jsontext.scan(plain), ours, created, "")[0] if plain.strip() else []


def holds(value: object, ours: Tree) -> bool:
    """Is all of `ours` there?"""
    if not isinstance(value, dict):
        return False
    for key, wanted in ours.items():
        there = value.get(key)
        if isinstance(wanted, dict):
            if not holds(there, wanted):
                return False
        elif isinstance(wanted, list):
            if not isinstance(there, list) or any(one not in there for one in wanted):
                return False
        elif there != wanted:
            return False
    return True


def _containers(ours: Tree, above: str = "") -> list[str]:
    found = []
    for key, value in ours.items():
        found.append(f"{above}{key}")
        if isinstance(value, dict):
            found += _containers(value, f"{above}{key}.")
    return found


def _put(text: str, node: Node, ours: Tree, style: Style, where: tuple[str, list[str], str]) -> list[Splice]:
    path, made, above = where
    depth = above.count(".")
    if node.kind != "object":
        raise BadInput(f"`{above.rstrip('.') or 'the file'}` is no JSON object", at=path, hint="nothing was changed")
    splices, members = [], []
    colon = '":' if style.compact else '": '
    for key, value in ours.items():
        child = node.get(key)
        if child is None:
            members.append(f'"{key}{colon}{style.dump(value, depth + 1)}')
            made += [f"{above}{key}", *(_containers(value, f"{above}{key}.") if isinstance(value, dict) else ())]
        elif isinstance(value, dict):
            splices += _put(text, child, value, style, (path, made, f"{above}{key}."))
        elif isinstance(value, list):
            if child.kind != "array":
                raise BadInput(f"`{above}{key}` is no JSON array", at=path, hint="nothing was changed")
            there = [json.loads(text[one.start : one.end]) for one in child.items]
            lacking = [style.dump(one, depth + 2) for one in value if one not in there]
            if lacking:
                between = "," if style.compact else ", "
                splices.append(jsontext.append(text, child, between.join(lacking), style=style, depth=depth + 1))
        elif json.loads(text[child.start : child.end]) != value:
            splices.append(Splice(start=child.start, end=child.end, new=json.dumps(value)))
    if members:
        between = "," if style.compact else "," + style.newline + style.unit * (depth + 1)
        splices.append(jsontext.append(text, node, between.join(members), style=style, depth=depth))
    return splices


def _drop(text: str, node: Node, ours: Tree, created: set[str], above: str) -> tuple[list[Splice], bool]:
    """The edits, and whether nothing is left in `node`."""
    gone: list[int] = []
    splices: list[Splice] = []
    for position, key in enumerate(node.keys):
        value, child = ours.get(key), node.items[position]
        name = f"{above}{key}"
        if isinstance(value, dict) and child.kind == "object" and value:
            inner, empty = _drop(text, child, value, created, f"{name}.")
        elif isinstance(value, list) and child.kind == "array":
            mine = [n for n, one in enumerate(child.items) if json.loads(text[one.start : one.end]) in value]
            inner, empty = jsontext.without(child, mine), bool(mine) and len(mine) == len(child.items)
        elif key in ours and name in created:
            inner, empty = [], True
        else:
            continue
        if empty and name in created:
            gone.append(position)
        else:
            splices += inner
    return [*splices, *jsontext.without(node, gone)], bool(gone) and len(gone) == len(node.items)
