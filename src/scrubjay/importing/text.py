"""Files of other programs: opened for reading only, cut into the items that stand in them, each with its line."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from scrubjay import clock
from scrubjay.agents.harness import without_blocks
from scrubjay.importing.base import Found, Note, Trouble
from scrubjay.learn.remember import short
from scrubjay.memory import MAX_BODY_CHARS, MAX_DESCRIPTION_CHARS, MAX_FILE_BYTES, MAX_NAME_CHARS

_BULLET = re.compile(r"(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*$")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class Text:
    """A file as text, with line ends as LF."""

    path: str
    text: str
    at: str
    """When it was last changed, `clock.text`."""
    data: bytes

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def note(self, line: int, text: str, **fields: Any) -> Note:
        """A note that begins on this line."""
        return Note(
            **{"path": self.path, "line": line, "offset": self._offset(line), "text": text, "at": self.at, **fields}
        )

    def _offset(self, line: int) -> int:
        at = 0
        for _ in range(line - 1):
            at = self.data.find(b"\n", at) + 1
        return at


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One bullet or paragraph."""

    line: int
    text: str
    """Without its bullet; what is indented below it is part of it."""
    section: str
    """The nearest heading above it, the file's title aside; "" when there is none. Half of what it says may stand there."""


def load(path: str, found: Found, *, optional: bool = True) -> Text | None:
    """The file; None, with its trouble noted, when it is not to be read. A missing one is no trouble when `optional`."""
    try:
        if os.path.islink(path):
            found.troubles.append(Trouble(path=path, line=0, what="a symbolic link is not followed"))
            return None
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            info = os.fstat(descriptor)
            data = file.read(MAX_FILE_BYTES + 1) if stat.S_ISREG(info.st_mode) else b""
    except OSError as error:
        if not (optional and isinstance(error, FileNotFoundError | NotADirectoryError)):
            found.troubles.append(Trouble(path=path, line=0, what=f"cannot be read: {error.strerror}"))
        return None
    wrong = _wrong(data, regular=stat.S_ISREG(info.st_mode))
    if wrong is not None:
        found.troubles.append(Trouble(path=path, line=wrong[0], what=wrong[1]))
        return None
    found.files.add(path)
    text = without_blocks(data.removeprefix(b"\xef\xbb\xbf").decode().replace("\r\n", "\n"))
    moment = datetime.fromtimestamp(info.st_mtime_ns / 1e9, tz=UTC)
    return Text(path=path, text=text, at=clock.text(moment), data=data)


def _wrong(data: bytes, *, regular: bool) -> tuple[int, str] | None:
    if not regular:
        return 0, "no regular file"
    if len(data) > MAX_FILE_BYTES:
        return 0, f"larger than {MAX_FILE_BYTES} bytes"
    if (at := data.find(b"\x00")) >= 0:
        return data.count(b"\n", 0, at) + 1, "holds NUL characters"
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1, "not UTF-8"
    return None


def markdown_below(folder: str, found: Found, *, skip: Iterable[str] = ()) -> Iterator[Text]:
    """Every `*.md` file below a folder that can be read, in order of path; hidden ones and folders named in `skip` aside.

    The folder itself may be a symbolic link (kept in a synchronised place), files and folders in it may not.
    """
    passed = frozenset(skip)
    if not os.path.isdir(folder):
        return
    found.folders.add(folder)
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one not in passed)
        for name in sorted(names):
            if name.endswith(".md") and not name.startswith("."):
                text = load(os.path.join(parent, name), found, optional=False)
                if text is not None:
                    yield text


def under_section(item: Item) -> dict[str, Any]:
    """Name, description and alias of a note that stands under a heading: it is found, and understood, by both."""
    if not item.section:
        return {}
    said = f"{item.section}: {' '.join(item.text.split())}"
    return {
        "name": short(said, MAX_NAME_CHARS),
        "description": short(said, MAX_DESCRIPTION_CHARS),
        "aliases": (short(item.section, MAX_NAME_CHARS),),
    }


def items(lines: list[str], *, first: int = 1) -> Iterator[Item]:
    """The bullets and paragraphs of a Markdown text whose first line is number `first`. Comments are left out."""
    lines = _blank_comments("\n".join(lines)).split("\n")
    headings: list[tuple[int, str]] = []
    start, held, listed, fenced, gap = 0, list[str](), False, False, False

    def done() -> Iterator[Item]:
        text = "\n".join(held).strip()
        if text and not (text.endswith(":") and "\n" not in text):  # a line that only announces a list
            yield Item(
                line=first + start, text=text, section=headings[-1][1] if headings and headings[-1][0] > 1 else ""
            )
        held.clear()

    for number, line in enumerate(lines):
        bullet, heading = _BULLET.match(line), _HEADING.match(line)
        if fenced or _FENCE.match(line):  # a block of code belongs to the paragraph before it
            if not fenced and gap and listed and not line[:1].isspace():
                yield from done()
            fenced ^= bool(_FENCE.match(line))
        elif heading or _RULE.match(line):
            yield from done()
            if heading:
                headings = [one for one in headings if one[0] < len(heading[1])] + [(len(heading[1]), heading[2])]
            continue
        elif not line.strip():
            gap = True
        elif bullet or (gap and not line[:1].isspace()):
            yield from done()
        if not line.strip() and not held:
            continue
        if not held:
            start, listed = number, bool(bullet)
        held.append(line[bullet.end() :] if bullet and not held else line)
        gap = gap and not line.strip()
    yield from done()


def _blank_comments(text: str) -> str:
    """Without `<!-- … -->`, each line where it was."""
    return _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)


def parts(text: str, most: int = MAX_BODY_CHARS) -> list[tuple[int, str]]:
    """A long text as pieces that a memory can hold, cut at headings or blank lines: (lines before it, piece). A piece that
    has no place to be cut stays too long, and is refused."""
    if len(text) <= most:
        return [(0, text)]
    blocks: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n")):
        before = blocks[-1][1] if blocks else ""
        after_blank = line.strip() and before.endswith("\n\n") and not _HEADING.fullmatch(before.strip())
        if not blocks or _HEADING.match(line) or after_blank:
            blocks.append((number, ""))
        blocks[-1] = (blocks[-1][0], blocks[-1][1] + line + "\n")
    made: list[tuple[int, str]] = []
    for number, block in blocks:
        if made and len(made[-1][1]) + len(block) <= most:
            made[-1] = (made[-1][0], made[-1][1] + block)
        else:
            made.append((number, block))
    return [(number, piece.strip("\n")) for number, piece in made if piece.strip()]
