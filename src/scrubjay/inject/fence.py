"""The fences around everything that is put into an agent's context, and what keeps content inside them. Hot."""

from __future__ import annotations

RECALL_TAG = "scrubjay-recall"
RESIDENT_TAG = "scrubjay-memory"
TAGS = (RECALL_TAG, RESIDENT_TAG)
"""Element names of our blocks. Readers of transcripts drop `<tag>…</tag>` of these before anything is learnt."""

MAX_BLOCK_BYTES = 9_500
"""UTF-8 bytes of one injected string. Claude Code swaps a longer one than 10,000 for a stub of 2 KB."""


def escape(text: str) -> str:
    """`text` so that it can neither close a fence nor hide anything: `<` and `>` as entities, no invisible characters."""
    raise NotImplementedError


def clip(text: str, chars: int, *, id: str) -> str:  # noqa: A002
    """`text` in at most `chars` characters. What is cut is said: how much, and the command that shows the rest."""
    raise NotImplementedError
