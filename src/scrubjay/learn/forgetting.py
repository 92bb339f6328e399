"""Forgetting a memory that waits for review also answers it: what slept because of it is in force again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scrubjay.errors import Conflict
from scrubjay.home import Home
from scrubjay.learn.reconcile import settle
from scrubjay.learn.shelf import Shelf
from scrubjay.store.change import commit
from scrubjay.store.forget import Forgotten
from scrubjay.store.forget import forget as remove
from scrubjay.store.library import Library

ATTEMPTS = 3
"""Looks at the stores before a lost race is the person's to repeat."""


def forget(
    home: Home,
    library: Library,
    ids: Sequence[str],
    *,
    purge: bool = False,
    reason: str = "",
    clear_index: Callable[[Sequence[str]], None] | None = None,
    places: Sequence[str] = (),
) -> Forgotten:
    """As `store.forget.forget`, whose errors it has; what the forgotten ones had put to sleep wakes in a transaction
    before it, so that undoing the forget leaves it awake."""
    awake = wake(library, ids) if ids and all(library.has(one) for one in ids) else []
    if awake:
        library = library.again()
    for attempt in range(ATTEMPTS):
        try:
            return remove(home, library, ids, purge=purge, reason=reason, clear_index=clear_index, places=places)
        except Conflict:  # a learner won the race; what it wrote does not change what is to be forgotten
            if attempt == ATTEMPTS - 1:
                raise
            library = library.again()
    raise AssertionError  # the last attempt returns or raises


def wake(library: Library, ids: Sequence[str]) -> list[str]:
    """In a fresh look at the same stores, bring back what was put away for these memories until a person answers; ids of
    what is awake."""
    shelf = Shelf(library.again())
    asked = [entry for one in ids if (entry := shelf.get(one)) is not None]
    awake = [old.id for entry in asked for old in settle(shelf, entry)]
    if awake:
        commit(
            library.home, shelf.changes(), subject=f"{len(awake)} in force again: what spoke against it is forgotten"
        )
    return awake
