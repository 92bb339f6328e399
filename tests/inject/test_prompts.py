"""Prompts that nobody typed."""

from __future__ import annotations

import pytest

from scrubjay.inject.prompts import MACHINE_MADE, machine_made

LOG = "\n".join(f"2026-09-04T07:02:{n:02d}Z api-1 INFO GET /v1/x {n}" for n in range(40))
TRACE = "Traceback (most recent call last):\n" + '  File "a.py", line 3, in f\n    at g (b.js:1)\n' * 20


@pytest.mark.parametrize(("prefix", "kind"), MACHINE_MADE)
def test_what_a_program_put_there_gets_nothing(prefix: str, kind: str) -> None:
    """Each row of the table, with white space before it."""
    assert machine_made(f"\n  {prefix} anything") == kind


@pytest.mark.parametrize("text", ["/compact", "/plugin:run it", "/review-pr 12", "!ls -la"])
def test_commands_of_the_client_get_nothing(text: str) -> None:
    """They are typed, but to the client."""
    assert machine_made(text) == "command"


@pytest.mark.parametrize("text", ["why?\n" + LOG, LOG, TRACE, "x" * 20_001])
def test_a_long_paste_gets_nothing(text: str) -> None:
    """What it is about cannot be told from its words."""
    assert machine_made(text) == "long-paste"


@pytest.mark.parametrize(
    "text",
    ["", "hi", "/etc/hosts is wrong", "/home/me/x.py fails", "!important is ugly css"[1:], "!", "! no", "<b> or <i>?",
     "deploy fails:\n" + "\n".join(LOG.splitlines()[:5]), "a list:\n" + "\n".join(f"- point {n} of mine" for n in range(50))],
)  # fmt: skip
def test_what_a_person_typed_is_looked_up(text: str) -> None:
    """Paths are no commands; a few lines of a log, or a long list, are no paste."""
    assert machine_made(text) == ""
