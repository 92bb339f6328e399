"""Entry point of every agent's hook: `hook <agent> <Event>`, the event's JSON on standard input.

Hot: the standard library only, and of it little. Ends with exit code 0 whatever happens and prints nothing on failure;
writes nothing but ledger rows; one deadline covers everything.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Read the event from standard input, print the client's JSON (or nothing). Always 0; what failed is for `jay doctor`."""
    answer(list(sys.argv[1:] if argv is None else argv), sys.stdin.buffer.read(), {})
    return 0


def answer(argv: Sequence[str], data: bytes, environ: Mapping[str, str]) -> bytes:
    """The bytes for standard output for one event; b"" for nothing. `data` is the event's JSON as the client wrote it."""
    return b""
