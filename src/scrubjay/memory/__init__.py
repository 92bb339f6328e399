"""One memory ⇄ one Markdown file (design, section 4; `docs/file-format.md`)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from scrubjay.memory import names
from scrubjay.operations import MemoryType, Status, Trust

MAX_NAME_CHARS = 80
MAX_DESCRIPTION_CHARS = 150
MAX_BODY_CHARS = 4_000
MAX_FILE_BYTES = 262_144
"""A larger file is read as far as that and counts as broken: the largest that we write is a tenth of it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """One fact. Field names are those of the file; `extra*` keep what others wrote, verbatim."""

    id: str
    """`m-…`; "" in a file that a person wrote by hand and that no transaction has taken in yet."""
    name: str
    description: str
    type: MemoryType
    body: str
    """Markdown without leading or trailing blank lines; `**Why:**` and `**How to apply:**` are part of it."""
    status: Status = "active"
    created: str = ""
    updated: str = ""
    observed: str = "undated"
    paths: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    anchors: tuple[tuple[tuple[str, str], ...], ...] = ()
    """Each anchor is its key-value pairs in order, such as `(("file", "a.py"), ("hash", "sha256:…"))`."""
    evidence: tuple[str, ...] = ()
    by: str = "user"
    """`user`, `agent`, `learned` or `imported:<agent>`."""
    trust: Trust = "user"
    """What the file claims; `store/` lowers it to the ceiling of the store."""
    pinned: bool = False
    supersedes: tuple[str, ...] = ()
    superseded_by: str = ""
    merged_into: str = ""
    reason: str = ""
    """Why it is pending, dormant or archived."""
    x_type: str = ""
    """The type as a foreign file had it, when it is none of ours."""
    crlf: bool = False
    """The file ends its lines with CR LF; a rewrite keeps that."""
    extra: str = ""
    """Unknown top-level lines of the front matter, as they stood."""
    extra_metadata: str = ""
    """Unknown lines below `metadata:`, as they stood but at the margin."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Parsed:
    """A file as far as it could be read."""

    memory: Memory
    problems: tuple[str, ...] = ()
    """What is wrong with the file, in words for `jay doctor`."""
    broken: bool = False
    """Bytes would be lost by writing the memory back (not UTF-8, NULs, front matter without end, too large): such a
    file is listed and searched, never rewritten."""


def parse(data: bytes, *, name: str) -> Parsed:
    """A memory from a file's bytes; `name` is the file's name. Lenient, never raises; reads change nothing."""
    from scrubjay.memory.reading import read

    return read(data, name)


def render(memory: Memory, *, before: Memory | None = None) -> bytes:
    """The file of a memory: the same memory gives the same bytes, always valid YAML.

    Raises `Refused` for a field over its limit; a field that `before` (the memory as it stands in the store) has
    unchanged is not measured, so that a long hand-made memory can still be archived.
    """
    from scrubjay.memory.writing import write

    return write(memory, before)


def normal(memory: Memory) -> Memory:
    """The memory as a file can hold it: one-line fields on one line, no outer blank lines, no lone surrogates.

    `parse(render(x)).memory == normal(x)`.
    """
    from scrubjay.memory.writing import normal as normalise

    return normalise(memory)


def file_name(memory: Memory, taken: Collection[str]) -> str:
    """`<type>_<slug>.md`, different from every name in `taken` also where case or Unicode form do not count."""
    return names.free_name(stem(memory), {names.fold(name) for name in taken})


def stem(memory: Memory) -> str:
    """`<type>_<slug>`, the file's name before it is made different from others."""
    return f"{memory.type}_{names.slug(memory.name)}"
