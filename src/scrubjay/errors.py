"""What can go wrong, as classes. The command line prints the fields and exits with `exit_code`; nothing reads a message.

A message says what, where and which rule in lower case; `hint` is the next command or edit. No message ever holds the
value of a secret.
"""

from __future__ import annotations


class ScrubjayError(Exception):
    """Base of every error that scrubjay raises on purpose. `at` names a file (and line), `rule` the rule that refused."""

    exit_code = 2

    def __init__(self, what: str, *, at: str = "", rule: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.at = at
        self.rule = rule
        self.hint = hint


class NothingFound(ScrubjayError):
    """The question was good and the answer is empty: an unknown id, no memory, nothing to undo."""

    exit_code = 1


class BadInput(ScrubjayError):
    """An argument, a setting or a file that cannot be understood. Nothing was changed."""


class Refused(ScrubjayError):
    """Code would not carry out an operation, and nothing was written. `rule` has its row in docs/refusals.md."""


class Conflict(ScrubjayError):
    """A file changed since it was read, or another process won the race. Nothing was written; doing it again is safe."""


class UnknownFormat(ScrubjayError):
    """A non-empty file of which a reader understands nothing. Its marks stay where they are."""


class StoreUnavailable(ScrubjayError):
    """The store cannot be written now (read-only home, full disk, lock not to be had). It is unchanged."""
