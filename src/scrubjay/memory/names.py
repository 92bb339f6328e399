"""File names of memories: readable, safe on every file system, never two alike."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Collection

MAX_SLUG_BYTES = 80
"""UTF-8 bytes. Most file systems allow 255 a name, encrypted home folders (eCryptfs) 143; type, number and ending need room."""

WINDOWS_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{n}" for n in range(1, 10)), *(f"lpt{n}" for n in range(1, 10))]
)
"""Microsoft, "Naming Files, Paths, and Namespaces": reserved with any extension; git cannot check them out there."""


def slug(name: str) -> str:
    """Lower-case letters and digits of any script, joined by `_`, NFC, at most `MAX_SLUG_BYTES` of UTF-8."""
    text = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name).casefold())
    kept = "".join(c if c.isalnum() or unicodedata.category(c).startswith("M") else " " for c in text)
    whole = unicodedata.normalize("NFC", "_".join(kept.split()))
    if not whole:
        return "x" + hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:8]
    if len(whole.encode("utf-8", "replace")) <= MAX_SLUG_BYTES:
        return whole
    cut = whole.encode("utf-8", "replace")[:MAX_SLUG_BYTES].decode("utf-8", "ignore")
    head, mark, _ = cut.rpartition("_")
    return (head if mark and len(head) > len(cut) // 2 else cut).rstrip("_")


def fold(name: str) -> str:
    """What two names must differ in: file systems ignore case (macOS, Windows) or Unicode form (macOS)."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def free_name(stem: str, folded: Collection[str]) -> str:
    """`<stem>.md`, or `<stem>-2.md` and so on, whose `fold` is not in `folded`. Never the index's own name."""
    safe = f"{stem}_" if stem in WINDOWS_DEVICES else stem
    number, name = 1, f"{safe}.md"
    while fold(name) in folded or fold(name) == "memory.md":
        number += 1
        name = f"{safe}-{number}.md"
    return name
