"""One value in a YAML file, set and taken out as text: everything else keeps its bytes, comments and order.

A parser that writes would do it too, but what it writes back is its own idea of the file. Whoever edits compares the values
before and after.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Sequence
from typing import Any

import yaml

from scrubjay.errors import BadInput
from scrubjay.install import jsontext
from scrubjay.install.jsontext import Splice

_HINT = "the agent cannot read it either; mend it, then do it again. Nothing was changed"


def load(data: bytes, path: str) -> dict[str, Any]:
    """The value; {} for an empty file. `BadInput` names the file and the line; nothing of it is quoted."""
    try:
        value = yaml.safe_load(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadInput("not UTF-8", at=path, hint=_HINT) from None
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise BadInput("not valid YAML", at=path + line, hint=_HINT) from None
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        raise BadInput("not valid YAML", at=path, hint=_HINT) from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadInput("not a table of settings", at=path, hint=_HINT)
    return value


def put(text: str, keys: tuple[str, str], value: object, path: str) -> list[Splice]:
    """Set `keys[0].keys[1]` to a plain word, or to something else on one line. `BadInput` when the file's layout has no place
    for it."""
    before = load(text.encode(), path)
    wanted = copy.deepcopy(before)
    wanted[keys[0]] = {**(wanted.get(keys[0]) or {}), keys[1]: value}
    splices = _put(text, keys, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    _same(text, splices, wanted, keys, path)
    return splices


def drop(text: str, keys: tuple[str, str], path: str, *, table_too: bool) -> list[Splice]:
    """Take `keys[0].keys[1]` out; with `table_too` also `keys[0]` when nothing else is in it, else it stays empty."""
    wanted = copy.deepcopy(load(text.encode(), path))
    table = _node(_root(text), keys[0])
    if table is None or not isinstance(table[1], yaml.MappingNode):
        return []
    key, value = table[0], table[1]
    assert isinstance(value, yaml.MappingNode)
    found = _node(value, keys[1])
    if found is None:
        return []
    del wanted[keys[0]][keys[1]]
    start, end = found[0].start_mark.index, found[1].end_mark.index
    alone = len(value.value) == 1
    if alone and table_too:
        del wanted[keys[0]]
        splices = [_lines(text, key.start_mark.index, end)]
    elif alone:
        splices = [Splice(start=start, end=end, new="" if value.flow_style else "{}")]
    elif value.flow_style:
        after = re.match(r"\s*,\s*", text[end:])
        first = start if after else text.rindex(",", 0, start)
        splices = [Splice(start=first, end=end + (after.end() if after else 0), new="")]
    else:
        splices = [_lines(text, start, end)]
    _same(text, splices, wanted, keys, path)
    return splices


def _put(text: str, keys: tuple[str, str], value: str) -> list[Splice]:
    newline = "\r\n" if "\r\n" in text else "\n"
    line = f"{keys[1]}: {value}"
    found = _node(_root(text), keys[0])
    if found is None:
        gap = "" if not text or text.endswith("\n") else newline
        return [Splice(start=len(text), end=len(text), new=f"{gap}{keys[0]}:{newline}  {line}{newline}")]
    table = found[1]
    start, end = table.start_mark.index, table.end_mark.index
    if not isinstance(table, yaml.MappingNode):  # nothing there yet: `memory:` or `memory: null`
        if start == end:
            start = end = text.index(":", found[0].end_mark.index) + 1
        return [Splice(start=start, end=end, new=f"{newline}  {line}")]
    old = _node(table, keys[1])
    if old is not None:
        start, end = old[1].start_mark.index, old[1].end_mark.index
        if start == end:
            start = end = text.index(":", old[0].end_mark.index) + 1
            value = f" {value}"
        return [Splice(start=start, end=end, new=value)]
    if table.flow_style:
        return [Splice(start=start + 1, end=start + 1, new=line + (", " if table.value else ""))]
    return [Splice(start=start, end=start, new=f"{line}{newline}{' ' * table.start_mark.column}")]


def _root(text: str) -> yaml.Node | None:
    node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    return node


def _node(mapping: yaml.Node | None, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    """Key and value; of a repeated key the last, as every reader takes it."""
    rows = mapping.value if isinstance(mapping, yaml.MappingNode) else []
    return next(((name, value) for name, value in reversed(rows) if name.value == key), None)


def _lines(text: str, start: int, end: int) -> Splice:
    """The whole lines from `start` to `end`."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    return Splice(start=first, end=last + 1 if last >= 0 else len(text), new="")


def _same(text: str, splices: Sequence[Splice], wanted: dict[str, Any], keys: tuple[str, str], path: str) -> None:
    after = jsontext.apply(text, splices)
    try:
        fits = load(after.encode(), path) == wanted
    except BadInput:
        fits = False
    if not fits:
        raise BadInput(
            "our entry cannot be told apart from others in it",
            at=path,
            hint=f"set or take out `{'.'.join(keys)}` yourself; nothing was changed",
        )
