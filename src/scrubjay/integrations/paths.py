"""Paths that a model gives. They are names in a store and never touch a file system; what looks like a way out is refused."""

from __future__ import annotations

import re
import unicodedata

from scrubjay.errors import Refused

ROOT = "/memories"
MAX_PATH_CHARS, MAX_PART_CHARS, MAX_DEPTH = 300, 100, 10
_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")
_DRIVE = re.compile(r"^[A-Za-z]:")

Path = tuple[str, ...]
"""Parts below `ROOT`; the root itself is ()."""


def parse(given: object) -> Path:
    """The parts of a path below `/memories`, or `Refused` (rule `path`)."""
    if not isinstance(given, str):
        raise _refused("the path is no text")
    if not (given == ROOT or given.startswith(ROOT + "/")):
        raise _refused(f"the path does not begin with {ROOT}")
    if len(given) > MAX_PATH_CHARS:
        raise _refused(f"the path is longer than {MAX_PATH_CHARS} characters")
    if "\\" in given or _ENCODED.search(given):
        raise _refused("the path holds a backslash or a percent-encoded character")
    if any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in given):
        raise _refused("the path holds a character that nobody sees")
    below = given[len(ROOT) :].removeprefix("/").removesuffix("/")
    parts = tuple(below.split("/")) if below else ()
    for part in parts:
        _check(part)
    if len(parts) > MAX_DEPTH:
        raise _refused(f"the path is deeper than {MAX_DEPTH} folders")
    return tuple(unicodedata.normalize("NFC", part) for part in parts)


def shown(path: Path) -> str:
    """As the model writes it."""
    return "/".join((ROOT, *path))


def _check(part: str) -> None:
    plain = unicodedata.normalize("NFKC", part)  # "．．" looks like ".." and is it to some file systems
    if not part or part != part.strip() or plain.strip(". ") == "":
        raise _refused("the path has an empty part, or one of dots or blanks")
    if "/" in plain or "\\" in plain or _DRIVE.match(plain):
        raise _refused("a part of the path looks like a path of its own")
    if len(part) > MAX_PART_CHARS:
        raise _refused(f"a part of the path is longer than {MAX_PART_CHARS} characters")


def _refused(what: str) -> Refused:
    return Refused(what, rule="path", hint=f"a path such as {ROOT}/notes.md")
