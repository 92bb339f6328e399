"""Questions that are answered by a line, and the wait for the terminal that Ctrl-C always ends."""

from __future__ import annotations

import os
import select
import signal
import sys
from functools import cache


def ask(text: str, default: str = "", *, shown: bool = True) -> str:
    """One line without the blanks around it; `default` for an empty one, shown behind the question unless told otherwise.

    Raises `KeyboardInterrupt` at Ctrl-C and `EOFError` at the end of the input.
    """
    print(f"{text} [{default}]: " if default and shown else f"{text}: ", end="", flush=True)
    if os.isatty(0):
        wait_for_input(0)
    return input().strip() or default


def agreed(text: str, *, default: bool = False) -> bool:
    """Yes or no. Raises as `ask`."""
    while True:
        answer = ask(f"{text} [{'Y/n' if default else 'y/N'}]").lower()
        if answer in ("y", "yes", "n", "no", ""):
            return answer[:1] == "y" if answer else default


def number(text: str, default: int) -> int:
    """A whole number, at least 0. Raises as `ask`."""
    while True:
        answer = ask(text, str(default))
        if answer.isascii() and answer.isdigit():
            return int(answer)
        print(f"not a number: {answer!r}", file=sys.stderr)


def wait_for_input(descriptor: int) -> None:
    """Until something can be read from `descriptor`; a signal's handler (Ctrl-C) runs at once. In the main thread only.

    A plain read would sleep through a signal that came between the last Python instruction and the system call: Python only
    notes a signal, and acts on it when the call returns. So signals write to a pipe that is waited for too.
    """
    arrived, into = _pipe()
    before = signal.set_wakeup_fd(into, warn_on_full_buffer=False)
    try:
        while descriptor not in select.select([descriptor, arrived], [], [])[0]:
            os.read(arrived, 64)
    finally:
        signal.set_wakeup_fd(before)


@cache
def _pipe() -> tuple[int, int]:
    """Python writes a byte into it at each signal. One for the life of the process."""
    out, into = os.pipe()
    os.set_blocking(out, False)
    os.set_blocking(into, False)
    return out, into
