"""Small edits to JSON as text: everything that is not ours keeps its bytes, order and blank space."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from scrubjay.errors import BadInput

_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^,\]}\s]+')
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\r\n]*|/\*.*?\*/', re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """One value and where it stands: `text[start:end]`."""

    kind: Literal["object", "array", "scalar"]
    start: int
    end: int
    items: tuple[Node, ...] = ()
    """Elements of an array, values of an object."""
    keys: tuple[str, ...] = ()
    starts: tuple[int, ...] = ()
    """Where each member (its key) or element begins."""

    def get(self, key: str) -> Node | None:
        """The value of `key`; of a repeated key the last, as every JSON reader takes it."""
        return next(
            (item for name, item in reversed(list(zip(self.keys, self.items, strict=True))) if name == key), None
        )


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Splice:
    """Replace `text[start:end]` by `new`."""

    start: int
    end: int
    new: str = field(compare=False)


def load(text: str, *, path: str) -> object:
    """The value, as strict as the agent's own parser. `BadInput` names the file and the line; nothing of it is quoted."""

    def no_constant(name: str) -> object:
        raise BadInput(f"not valid JSON: {name}", at=path)

    hint = "the agent cannot read it either; mend it, then do it again. Nothing was changed"
    try:
        return json.loads(text, parse_constant=no_constant)
    except json.JSONDecodeError as error:
        where = f"{path}, line {error.lineno}, column {error.colno}"
        raise BadInput(f"not valid JSON: {error.msg.lower()}", at=where, hint=hint) from None
    except (RecursionError, ValueError):
        raise BadInput("not valid JSON: nested too deeply, or a number too long", at=path, hint=hint) from None


def blanked(text: str) -> str:
    """`text` with each `//` and `/* */` comment outside of strings as blanks: every other character keeps its place."""
    return _COMMENT.sub(lambda match: match[1] or re.sub(r"[^\r\n]", " ", match[0]), text)


def scan(text: str) -> Node:
    """The places of all values in valid JSON (`load` it first)."""
    return _value(text, _skip(text, 0))


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int) -> Node:
    if text[at] not in "{[":
        match = _SCALAR.match(text, at)
        assert match is not None
        return Node(kind="scalar", start=at, end=match.end())
    closing = "}" if text[at] == "{" else "]"
    start, keys, items, starts = at, [], [], []
    at = _skip(text, at + 1)
    while text[at] != closing:
        starts.append(at)
        if closing == "}":
            key = _value(text, at)
            keys.append(str(json.loads(text[key.start : key.end])))
            at = _skip(text, _skip(text, key.end) + 1)
        item = _value(text, at)
        items.append(item)
        at = _skip(text, item.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    kind: Literal["object", "array"] = "object" if closing == "}" else "array"
    return Node(kind=kind, start=start, end=at + 1, items=tuple(items), keys=tuple(keys), starts=tuple(starts))


@dataclass(frozen=True, kw_only=True, slots=True)
class Style:
    """How a file is laid out: its line ending and what one level is indented by."""

    newline: str
    unit: str
    compact: bool
    """Everything on one line."""

    @classmethod
    def of(cls, text: str, root: Node) -> Style:
        newline = "\r\n" if "\r\n" in text else "\n"
        before = text[root.start + 1 : root.starts[0]] if root.starts else ""
        unit = before.rpartition("\n")[2] if "\n" in before else "  "
        return cls(newline=newline, unit=unit, compact=bool(root.starts) and "\n" not in text[root.start : root.end])

    def dump(self, value: object, depth: int) -> str:
        """`value` laid out as if it stood `depth` levels deep."""
        if self.compact:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        lines = json.dumps(value, ensure_ascii=False, indent=self.unit or 0).split("\n")
        return (self.newline + self.unit * depth).join(lines)


def append(text: str, container: Node, member: str, *, style: Style, depth: int) -> Splice:
    """Add `member` (an element, or `"key": value`) as the last of `container`, which stands `depth` levels deep."""
    if container.items:
        last = container.items[-1].end
        space = text[container.end - 1 - _trailing(text, container) : container.end - 1]
        inline = "\n" not in text[container.start : container.starts[-1]] and "\n" not in space
        separator = ("," if style.compact else ", ") if inline else "," + style.newline + style.unit * (depth + 1)
        return Splice(start=last, end=last, new=separator + member)
    if style.compact:
        return Splice(start=container.start + 1, end=container.end - 1, new=member)
    inside = style.newline + style.unit * (depth + 1) + member + style.newline + style.unit * depth
    return Splice(start=container.start + 1, end=container.end - 1, new=inside)


def _trailing(text: str, container: Node) -> int:
    """How many blank characters stand before the closing bracket."""
    inner = text[container.start + 1 : container.end - 1]
    return len(inner) - len(inner.rstrip(" \t\r\n"))


def without(container: Node, gone: Sequence[int], text: str = "") -> list[Splice]:
    """Take the members with these positions out, each with its comma. `text`: where it is given, comments before the first and
    behind the last one stay when all go."""
    splices = []
    left = [position for position in range(len(container.items)) if position not in gone]
    if gone and not left:
        first, last = container.starts[0], container.items[-1].end
        if (text[container.start + 1 : first] + text[last : container.end - 1]).strip():
            return [Splice(start=first, end=last, new="")]
    if not left:
        return [Splice(start=container.start + 1, end=container.end - 1, new="")] if gone else []
    for position in sorted(gone):
        if bisect_right(left, position):  # something that stays stands before it: its comma goes
            start = container.items[position - 1].end
            splices.append(Splice(start=start, end=container.items[position].end, new=""))
        else:
            splices.append(Splice(start=container.starts[position], end=container.starts[position + 1], new=""))
    return splices


def apply(text: str, splices: Sequence[Splice]) -> str:
    """All splices at once; none may overlap another."""
    out, at = [], 0
    for one in sorted(splices):
        assert one.start >= at
        out += [text[at : one.start], one.new]
        at = one.end
    return "".join([*out, text[at:]])


def inverse(text: str, splices: Sequence[Splice]) -> list[Splice]:
    """What takes `apply(text, splices)` back to `text`."""
    back, shift = [], 0
    for one in sorted(splices):
        start = one.start + shift
        back.append(Splice(start=start, end=start + len(one.new), new=text[one.start : one.end]))
        shift += len(one.new) - (one.end - one.start)
    return back
