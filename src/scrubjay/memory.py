"""One memory ⇄ one Markdown file (design, section 4; `docs/file-format.md`)."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.operations import MemoryType, Status, Trust

MAX_NAME_CHARS = 80
MAX_DESCRIPTION_CHARS = 150
MAX_BODY_CHARS = 4_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """One fact. Field names are those of the file; `extra*` keep what others wrote, verbatim."""

    id: str
    """`m-…`; "" in a file that a person wrote by hand and that no transaction has taken in yet."""
    name: str
    description: str
    type: MemoryType
    body: str
    """Markdown without leading or trailing blank lines."""
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
    extra: str = ""
    """Unknown top-level lines of the front matter, as they stood."""
    extra_metadata: str = ""
    """Unknown lines below `metadata:`, as they stood."""
