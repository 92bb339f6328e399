"""The fences around everything that is put into an agent's context, and what keeps content inside them. Hot."""

from __future__ import annotations

RECALL_TAG = "scrubjay-recall"
RESIDENT_TAG = "scrubjay-memory"
TAGS = (RECALL_TAG, RESIDENT_TAG)
"""Element names of our blocks. Readers of transcripts drop `<tag>…</tag>` of these before anything is learnt."""

MAX_BLOCK_BYTES = 9_500
"""UTF-8 bytes of one injected string. Claude Code swaps a string of over 10,000 characters for a stub of 2 KB; other
clients count bytes."""
MIN_CLIP_CHARS = 120
"""A memory that would have to be cut to less is left out instead."""

_INVISIBLE = (
    (0x00, 0x09), (0x0B, 0x20), (0x7F, 0xA0), (0xAD, 0xAE), (0x061C, 0x061D), (0x180E, 0x180F), (0x200B, 0x2010),
    (0x2028, 0x202F), (0x2060, 0x2070), (0xD800, 0xE000), (0xFE00, 0xFE10), (0xFEFF, 0xFF00), (0xFFF9, 0xFFFC),
    (0xE0000, 0xE1000),
)  # fmt: skip
"""Controls, bidirectional overrides, zero-width characters, variation selectors, tag characters, lone surrogates: text
that a person reviewing a memory does not see must not reach a model either."""


def escape(text: str) -> str:
    """`text` so that it can neither close a fence nor hide anything: `<` and `>` as entities, no invisible characters."""
    if not text.isascii() or not text.isprintable():
        text = "".join(" " if c in "\t\r" else c for c in text if c in "\t\r" or not _invisible(c))
    return text.replace("<", "&lt;").replace(">", "&gt;")


def one_line(text: str) -> str:
    """`text` escaped, with every run of white space as one space."""
    return " ".join(escape(text).split())


def clip(text: str, chars: int, *, id: str) -> str:  # noqa: A002
    """`text` in at most `chars` characters. What is cut is said: how much, and the command that shows the rest."""
    if len(text) <= chars:
        return text
    note = f" … [cut: {len(text)} characters in all, jay show {id}]"
    kept = text[: max(0, chars - len(note))]
    # Not in the middle of an entity, and at a space where one is near.
    entity = kept.rfind("&", max(0, len(kept) - 4))
    if entity >= 0 and ";" not in kept[entity:]:
        kept = kept[:entity]
    space = kept.rfind(" ")
    if space > len(kept) - 30:
        kept = kept[:space]
    return (kept.rstrip() + note)[:chars]


def fits(text: str, chars: int) -> bool:
    """Within `chars` characters and within the bytes that every client takes whole."""
    return len(text) <= chars and len(text.encode("utf-8", "replace")) <= MAX_BLOCK_BYTES


def fenced(tag: str, text: str) -> str:
    """The whole block."""
    return f"<{tag}>\n{text}\n</{tag}>"


def _invisible(char: str) -> bool:
    code = ord(char)
    return any(low <= code < high for low, high in _INVISIBLE)
