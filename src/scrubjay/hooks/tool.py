"""A tool that an agent calls through our plugin inside it: the hook becomes the process that does it.

The tools are those of `jay mcp`, with the same gates (`mcp_server.once`). A hook has only the standard library and a short
deadline, so it gives way to an interpreter with both.
"""

from __future__ import annotations

import os
import sys

from scrubjay import hook, quickjson
from scrubjay.hooks import background, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrubjay.hooks import flow

SECONDS = 15
"""Then the process ends, whatever it is doing: a store is written by whole transactions, and the next one recovers it."""
MAX_BYTES = 60_000
"""Of arguments: what a pipe takes in one piece. A memory holds 4,000 characters."""
PROGRAM = "import sys; sys.path.insert(0, sys.argv.pop(1)); from scrubjay.mcp_server.once import main; sys.exit(main())"


def run(call: flow.Call, values: Mapping[str, object], started: float) -> bytes:
    """Returns only when there is nothing to start a process for."""
    given = {
        "tool": wire.text(values, "tool"),
        "arguments": values.get("arguments"),
        "cwd": call.cwd,
        "client": f"{call.agent}-{call.session}",
    }
    data = quickjson.dumps(given).encode()
    call.outcome, call.detail = "answered", wire.text(values, "tool")[:20]
    call.note(started)
    if len(data) <= MAX_BYTES:
        _become(data, call)
    return quickjson.dumps({"error": "that is too long for a memory"}).encode()


def _become(data: bytes, call: flow.Call) -> None:
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    os.dup2(reading, 0)
    hook.set_deadline(SECONDS * 1000)  # the timer outlives this program, and its signal ends the next one
    package_parent = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    argv = [sys.executable, "-I", "-X", "utf8", "-c", PROGRAM, package_parent]
    os.execve(sys.executable, argv, background.environment(call.environ))  # noqa: S606 - no shell is wanted
