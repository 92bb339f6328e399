"""A folder of memory files, as Claude Code and Qwen Code keep them: an index `MEMORY.md`, one file a memory, front matter."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any

from scrubjay import clock
from scrubjay.importing.base import Found, Trouble
from scrubjay.importing.text import Text, items, markdown_below, parts, under_section
from scrubjay.learn.remember import short
from scrubjay.memory import MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS, Memory, parse

INDEX = "MEMORY.md"
_POINTER = re.compile(r"\s*\[(?P<title>[^\]]+)\]\(<?(?P<file>[^)>]+\.md)>?\)")
_MODIFIED = re.compile(r"(?:^\s*|[{,]\s*)modified:\s*[\"']?([^\s\"',}]+)", re.MULTILINE)
_HAS_TYPE = re.compile(r"(?:^\s*|[{,]\s*)type:\s*[^\s,}]", re.MULTILINE)
_SLUG = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_TYPE = re.compile(r"^type:[ \t]*(.*)$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Folder:
    """One folder and what is known of all that lies in it."""

    path: str
    directory: str = ""
    from_repository: bool = False
    alias: str = ""
    """The sub-agent whose memory it is."""
    skip: tuple[str, ...] = ()
    strict: bool = False
    """The agent ignores a file without front matter that names one of the four types."""


def read_folder(folder: Folder, found: Found) -> None:
    """Every note of the folder. What stands in the index beside its pointers are notes too."""
    texts = list(markdown_below(folder.path, found, skip=folder.skip))
    titles: dict[str, str] = {}
    for text in texts:
        if os.path.basename(text.path) == INDEX:
            names = {os.path.basename(one.path) for one in texts} - {INDEX}
            titles |= _index(text, folder, found, names)
    for text in texts:
        if os.path.basename(text.path) != INDEX:
            _file(text, folder, titles.get(text.path, ""), found)


def fields(folder: Folder) -> dict[str, Any]:
    """What every note of the folder has in common."""
    return {
        "directory": folder.directory,
        "from_repository": folder.from_repository,
        "aliases": (folder.alias,) if folder.alias else (),
    }


def _index(text: Text, folder: Folder, found: Found, names: set[str]) -> dict[str, str]:
    """Titles by path; the lines that point to no file (`names`: those that are there) go to `found`."""
    titles: dict[str, str] = {}
    lines = text.lines
    end = 0
    if lines[0].rstrip() == "---" and "---" in (rest := [line.rstrip() for line in lines[1:]]):
        end = rest.index("---") + 2
    for item in items(lines[end:], first=end + 1):
        pointer = _POINTER.match(item.text)
        if pointer:
            below = os.path.join(os.path.dirname(text.path), pointer["file"])
            titles[os.path.normpath(below)] = pointer["title"].strip()
        elif not item.text.startswith("> WARNING: MEMORY.md") and not any(name in item.text for name in names):
            told = under_section(item)
            common = fields(folder)
            told["aliases"] = (*common.pop("aliases"), *told.get("aliases", ()))
            found.notes.append(text.note(item.line, item.text, **{**common, **told, **_undated(folder)}))
    return titles


def _undated(folder: Folder) -> dict[str, object]:
    """A clone and a checkout give files new times."""
    return {"at": ""} if folder.from_repository else {}


def _file(text: Text, folder: Folder, title: str, found: Found) -> None:
    wrong = _illegal(text) if folder.strict else ""
    parsed = parse(text.data, name=os.path.basename(text.path))
    memory = parsed.memory
    if parsed.broken or wrong or not memory.body.strip():
        empty = "" if memory.body.strip() else "no text below the front matter"
        what = wrong or (parsed.problems[0] if parsed.broken else empty)
        if text.text.strip():
            found.troubles.append(Trouble(path=text.path, line=1, what=what))
        found.files.discard(text.path)
        return
    if memory.id.startswith("m-"):
        found.left_out["ours"] += 1
        return
    begins = _body_line(text, memory)
    pieces = parts(memory.body)
    modified = clock.parse(match[1]) if (match := _MODIFIED.search(text.text[: -len(memory.body)])) else None
    for number, (before, piece) in enumerate(pieces, 1):
        name = title or _readable(memory.name)
        made = short(f"{name} ({number}/{len(pieces)})" if len(pieces) > 1 else name, MAX_NAME_CHARS)
        more: dict[str, object] = {**fields(folder), **_undated(folder)}
        if modified is not None:
            more["at"] = clock.text(modified)
        found.notes.append(
            text.note(
                begins + before,
                piece,
                name=made,
                description=short(memory.description, MAX_DESCRIPTION_CHARS),
                type=memory.type if _says_type(text) else None,
                x_type=memory.x_type,
                whole_file=len(pieces) == 1,
                **more,
            )
        )


def _illegal(text: Text) -> str:
    head, _, _ = text.text[4:].partition("\n---")
    if not text.text.startswith("---\n") or "\n---" not in text.text[3:]:
        return "no front matter: its agent ignores the file"
    match = _TYPE.search(head)
    if match is None or match[1].strip() not in ("user", "feedback", "project", "reference"):
        return f"type {match[1].strip()[:40]!r} is none of the four: its agent ignores the file" if match else "no type"
    return ""


def _says_type(text: Text) -> bool:
    head = text.text[4:].partition("\n---")[0] if text.text.startswith("---\n") else ""
    return bool(_HAS_TYPE.search(head))


def _body_line(text: Text, memory: Memory) -> int:
    first = memory.body.split("\n", 1)[0]
    lines = text.lines
    start = 0
    if lines[0].rstrip() == "---":
        start = next((number for number, line in enumerate(lines[1:], 2) if line.rstrip() in ("---", "...")), 0)
    return next((number for number, line in enumerate(lines[start:], start + 1) if line == first), 1)


def _readable(name: str) -> str:
    """`user-role` is a file's word for "user role"."""
    return re.sub(r"[-_]+", " ", name) if _SLUG.fullmatch(name) else name
