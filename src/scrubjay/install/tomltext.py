"""Tables of a TOML file and where they stand in its text, so that some can be taken out and the rest keeps its bytes.

A parser that writes would do it too, but what it writes back is its own idea of the file; here others' words, comments and
order never pass through one. Whoever edits compares the values before and after (`tomllib`).
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any

from scrubjay.errors import BadInput
from scrubjay.install.jsontext import Splice

_TOKEN = re.compile(
    r"""#[^\n]*|\"{3}(?:[^"\\]|\\.|"(?!""))*"{3,5}|'{3}(?:[^']|'(?!''))*'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\n|[\[\]{}]""",
    re.DOTALL,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """One `[table]` or `[[element]]`: `text[start:end]` from its header to its last line with a value."""

    keys: tuple[str, ...]
    element: bool
    """Of an array of tables."""
    start: int
    end: int


def load(data: bytes, path: str) -> dict[str, Any]:
    """The value. `BadInput` names the file and the place; nothing of it is quoted."""
    hint = "the agent cannot read it either; mend it, then do it again. Nothing was changed"
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise BadInput("not UTF-8", at=path, hint=hint) from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at (line \d+, column \d+|end of document)\)", str(error))
        raise BadInput("not valid TOML", at=f"{path}, {place[1]}" if place else path, hint=hint) from None
    except RecursionError:
        raise BadInput("not valid TOML: nested too deeply", at=path, hint=hint) from None


def tables(text: str) -> list[Table]:
    """The tables of a valid file, in order."""
    heads = _headers(text)
    found = []
    for number, start in enumerate(heads):
        end = heads[number + 1] if number + 1 < len(heads) else len(text)
        line_end = text.find("\n", start)
        header = text[start : line_end if line_end >= 0 else len(text)]
        value: Any = tomllib.loads(header.strip())
        keys = []
        while isinstance(value, dict) and value:
            ((key, value),) = value.items()
            keys.append(key)
        found.append(
            Table(keys=tuple(keys), element=isinstance(value, list), start=start, end=_last_line(text, start, end))
        )
    return found


def appended(text: str, block: str) -> Splice:
    """Put `block` (whole lines) at the end, an empty line before it."""
    newline = "\r\n" if "\r\n" in text else "\n"
    before = "" if not text else newline if text.endswith("\n") else newline * 2
    return Splice(start=len(text), end=len(text), new=before + block.replace("\n", newline))


def without(text: str, gone: list[Table]) -> list[Splice]:
    """Take tables out, each with the empty line before it."""
    splices = []
    for one in gone:
        start = one.start
        for newline in ("\r\n", "\n"):
            if text[:start].endswith(newline * 2) or text[:start] == newline:
                start -= len(newline)
                break
        splices.append(Splice(start=start, end=one.end, new=""))
    return splices


def _headers(text: str) -> list[int]:
    """Where header lines begin."""
    found, depth, line = [], 0, 0
    for token in _TOKEN.finditer(text):
        what = token[0]
        if what == "\n":
            line = token.end()
        elif what in "[{":
            if depth == 0 and what == "[" and not text[line : token.start()].strip():
                found.append(line)
            depth += 1
        elif what in "]}":
            depth -= 1
    return found


def _last_line(text: str, start: int, end: int) -> int:
    """Where the last line ends that is neither blank nor a comment: those before a header belong to what follows."""
    last = start
    at = start
    for line in text[start:end].splitlines(keepends=True):
        at += len(line)
        if line.strip() and not line.lstrip().startswith("#"):
            last = at
    return last
