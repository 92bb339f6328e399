"""search.sqlite from the memory files: a derived index that may be deleted at any time.

The file is never changed in place. A refresh works on a copy and renames it over the old one, so that a hook that reads
at the same moment sees one consistent state and waits for nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrubjay.home import Home

if TYPE_CHECKING:
    from scrubjay.store.library import Library


@dataclass(frozen=True, kw_only=True, slots=True)
class Refreshed:
    """What a refresh did, in memories."""

    added: int
    changed: int
    removed: int
    unchanged: int
    unclean: tuple[str, ...]
    """Ids of rows in which the scanner found a secret: kept out of every block."""
    rebuilt: str
    """Why the file was built from nothing: `missing`, `version`, `corrupt`, `asked`; "" it was brought up to date."""


def refresh(home: Home, library: Library, *, rebuild: bool = False) -> Refreshed:
    """Brings `home.search` in line with the library. Nothing new: the file is not touched.

    `rebuild=True` builds from nothing, so that no byte of a purged memory is left. Raises `StoreUnavailable` when the
    state folder cannot be written; the old index is then still in place.
    """
    raise NotImplementedError
