"""One writer at a time: an OS lock on a file of the home, shared by all processes and gone with its owner."""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import time
from collections.abc import Iterator

from scrubjay.errors import StoreUnavailable
from scrubjay.home import Home
from scrubjay.store import files

WAIT_S = 60.0
"""A transaction takes some 50 ms; with eight writers waiting this is ample, and a hung one is reported, not waited for."""


def path_of(home: Home) -> str:
    """The lock file. It lies in the home, not in the state folder of one machine: a container shares it with its host."""
    return os.path.join(home.root, "lock")


@contextlib.contextmanager
def locked(home: Home, wait_s: float = WAIT_S) -> Iterator[None]:
    """Raises `StoreUnavailable` when the lock is not to be had, or its file cannot be made. Not re-entrant."""
    path, deadline = path_of(home), time.monotonic() + wait_s
    with files.writing(path):
        files.make_folder(home.root)
        descriptor = _open(path)
        queue = _open(f"{path}.next")
    try:
        # Who holds `lock.next` is the next writer: a process that writes in a loop cannot barge in before it again.
        _take(queue, path, deadline)
        _take(descriptor, path, deadline)
        os.close(queue)
        queue = -1
        yield
    finally:
        if queue >= 0:
            os.close(queue)
        os.close(descriptor)  # gives the lock back


def _open(path: str) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def _take(descriptor: int, path: str, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise StoreUnavailable(
                    "another process has been writing to the store all the time; nothing was changed",
                    at=path,
                    hint="try again; a process that never ends can be found with `fuser` on this file",
                ) from None
            time.sleep(random.uniform(0.002, 0.012))  # noqa: S311 - spreads the waiting processes
        except OSError as error:
            raise StoreUnavailable(f"no lock to be had: {error.strerror}; nothing was changed", at=path) from error
        else:
            return
