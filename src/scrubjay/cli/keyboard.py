"""One key at a time from the terminal."""

from __future__ import annotations

import os
import re
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from scrubjay.cli.question import wait_for_input

_KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O.)|.", re.DOTALL)
"""A key as terminals send it: a character, or a sequence that starts with escape (arrows, function keys)."""


@contextmanager
def keyboard() -> Iterator[Iterator[str]]:
    """An endless iterator of typed characters; the terminal is put back at the end, also after Ctrl-C.

    The terminal stays in this mode in between, so that keys typed ahead are not lost. An arrow key or another sequence
    is one item that starts with escape; the end of the input is an empty one.
    """
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield _typed(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


@contextmanager
def as_usual() -> Iterator[None]:
    """Within `keyboard`: the terminal as other programs (an editor) expect it."""
    terminal = sys.stdin.fileno()
    during = termios.tcgetattr(terminal)
    usual = [*during]
    usual[3] |= termios.ICANON | termios.ECHO
    try:
        termios.tcsetattr(terminal, termios.TCSADRAIN, usual)
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, during)


def _typed(terminal: int) -> Iterator[str]:
    while True:
        wait_for_input(terminal)
        data = os.read(terminal, 64).decode("utf-8", "replace")
        yield from _KEY.findall(data) if data else [""]
