"""One call of one tool, for plugins of ours inside agents that offer these tools themselves (`hooks.tool`)."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from scrubjay import home
from scrubjay.errors import ScrubjayError
from scrubjay.mcp_server.desk import Desk
from scrubjay.mcp_server.tools import DESCRIPTIONS, SCHEMAS


def offered() -> list[dict[str, Any]]:
    """The tools as a plugin offers them, each with our name in front."""
    return [
        {"name": f"scrubjay_{name}", "description": DESCRIPTIONS[name], "parameters": SCHEMAS[name]} for name in SCHEMAS
    ]


def main() -> int:
    """`{"tool", "arguments", "cwd", "client"}` on standard input; `{"answer"}` or `{"error"}` on standard output."""
    print(json.dumps(answer(json.loads(sys.stdin.read())), ensure_ascii=False), end="")
    return 0


def answer(given: dict[str, Any]) -> dict[str, str]:
    """What the tool says, or why it does not."""
    arguments = given.get("arguments")
    cwd = str(given.get("cwd", ""))
    try:
        desk = Desk(home.current(), client=str(given.get("client", "")))
        told = desk.call(
            str(given.get("tool", "")), arguments if isinstance(arguments, dict) else {}, [os.path.abspath(cwd)]
        )
    except ScrubjayError as error:
        return {"error": ". ".join(part for part in (error.what, error.hint) if part)}
    return {"answer": told}
