"""The one background process: learns from the sessions that changed, refreshes the search index, ends when its queue is empty.

`python -m scrubjay.worker`, started detached by hooks (`hook.start_worker`) and by `jay`. An OS lock lets one run; the queue
is looked at again after the lock is released, so that what was queued in between is not left lying.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrubjay.home import Home


def main(argv: Sequence[str] | None = None) -> int:
    """Run until the queue is empty. 0 also when another worker holds the lock."""
    raise NotImplementedError


def run(home: Home) -> bool:
    """Take the lock and work the queue off; False when another process holds the lock."""
    raise NotImplementedError


def lock_path(home: Home) -> str:
    """The file whose lock says that a worker runs."""
    raise NotImplementedError
