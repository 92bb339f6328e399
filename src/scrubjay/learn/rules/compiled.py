"""The tables' patterns, compiled once for each version of Python and kept beside the compiled modules, as those are.

To make a table's hundreds of patterns from their text takes a third of a second, which is as long as the rest of a short
command. What is kept is found by the pattern's text, so that it is never that of another one; the interpreter checks compiled
patterns before it takes them. Where nothing can be kept or read, patterns are made as always.
"""

from __future__ import annotations

import contextlib
import importlib
import marshal
import os
import re
import sys
import zlib
from functools import cache
from typing import Any

Code = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]
"""All flags, the codes (4 bytes each), groups, group names both ways: what `_sre.compile` takes."""

WIDTH = 4
MOST = 3_000
"""Patterns that are kept; with more (of versions of the tables that are gone) only those in use are."""


class _Kept:
    """What is kept, and what this process asked for."""

    def __init__(self) -> None:
        self.path = _path()
        self.codes: dict[tuple[str, int], Code] = _read(self.path) if self.path else {}
        self.used: dict[tuple[str, int], Code] = {}
        self.new = False


@cache
def _kept() -> _Kept:
    return _Kept()


def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """`re.compile`."""
    kept, flags = _kept(), int(flags)
    code = kept.codes.get((pattern, flags))
    try:
        if code is None:
            code, kept.new = _codes(pattern, flags), True
        found = _pattern(pattern, code)
    except Exception:  # noqa: BLE001 - of another Python's inner parts, or of a wrong pattern, and then again
        return re.compile(pattern, flags)
    kept.used[pattern, flags] = code
    return found


def keep() -> None:
    """Write down what was made anew. Never fails."""
    kept = _kept()
    if not kept.path or not kept.new or sys.dont_write_bytecode:
        return
    kept.new = False
    every = {**kept.codes, **kept.used}
    data = marshal.dumps((sys.version, every if len(every) <= MOST else kept.used))
    beside = f"{kept.path}.{os.getpid()}"
    with contextlib.suppress(OSError):
        try:
            with open(beside, "xb") as file:
                file.write(zlib.crc32(data).to_bytes(WIDTH, "little") + data)
            os.replace(beside, kept.path)
        except OSError:
            os.unlink(beside)


def _path() -> str:
    """Beside this module's compiled form; "" where Python keeps none."""
    try:
        machinery = importlib.import_module("_frozen_importlib_external")  # `importlib.util` has it too, and loads much
        return str(machinery.cache_from_source(__file__)).removesuffix(".pyc") + ".patterns"
    except (ImportError, AttributeError, NotImplementedError):
        return ""


def _read(path: str) -> dict[tuple[str, int], Code]:
    with contextlib.suppress(OSError, ValueError, TypeError, EOFError):
        with open(path, "rb") as file:
            data = file.read()
        if zlib.crc32(data[WIDTH:]) == int.from_bytes(data[:WIDTH], "little"):
            version, codes = marshal.loads(data[WIDTH:])  # noqa: S302 - ours, as the .pyc files beside it are
            if version == sys.version:
                return dict(codes)
    return {}


def _codes(pattern: str, flags: int) -> Code:
    """As `re._compiler.compile` makes them."""
    maker: Any = importlib.import_module("re._compiler")
    tree = importlib.import_module("re._parser").parse(pattern, flags)
    names = dict(tree.state.groupdict)
    numbers: list[str | None] = [None] * tree.state.groups
    for name, number in names.items():
        numbers[number] = name
    codes = b"".join(code.to_bytes(WIDTH, sys.byteorder) for code in maker._code(tree, flags))
    return int(flags | tree.state.flags), codes, tree.state.groups - 1, names, tuple(numbers)


def _pattern(pattern: str, code: Code) -> re.Pattern[str]:
    flags, codes, groups, names, numbers = code
    maker: Any = importlib.import_module("_sre")
    found: re.Pattern[str] = maker.compile(pattern, flags, memoryview(codes).cast("I").tolist(), groups, names, numbers)
    return found
