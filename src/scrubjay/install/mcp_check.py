"""Does a server's entry work? What stands in the client's file is started as the client starts it, and asked for its tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from scrubjay.errors import ScrubjayError
from scrubjay.home import Home
from scrubjay.install import jsonrpc, mcp_clients, mcp_entries, state
from scrubjay.install.checks import Finding

SECONDS = 60
"""It answers within two on an idle machine; clients wait for half a minute and longer."""
PROTOCOL = "2025-11-25"

_HELLO = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "scrubjay-doctor", "version": "1"}}
_MESSAGES = (
    {"id": 1, "method": "initialize", "params": _HELLO},
    {"method": "notifications/initialized"},
    {"id": jsonrpc.QUESTION, "method": "tools/list", "params": {}},
)


def check(home: Home, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Every entry that `jay init` wrote. Equal ones are started once. Harmless: the server writes nothing before a tool is
    called."""
    rows = state.servers(home)
    if rows and mcp_entries.missing():
        detail = "its entry is there, and the package 'mcp' that the server needs is not installed"
        for entry in rows:
            yield Finding(agent=_name(entry.agent), state="error", detail=detail, remedy=mcp_entries.EXTRA)
        return
    troubled = set()
    for title, obstacle in mcp_entries.obstacles(home):
        troubled.add(title)
        yield Finding(agent=f"{title} (MCP)", state="error", detail=obstacle.what, remedy=obstacle.remedy)
    started: dict[tuple[str, ...], list[str] | None] = {}
    for entry in rows:
        title = mcp_clients.CLIENTS[entry.agent].title
        if title in troubled:
            continue
        command = _command(entry)
        if tuple(command) not in started:
            started[tuple(command)] = tools(command, environ)
        offered = started[tuple(command)]
        if offered:
            detail = f"started as {entry.path} has it, our server offers {len(offered)} tools"
            yield Finding(agent=_name(entry.agent), state="ok", detail=detail)
        else:
            detail = f"started as {entry.path} has it, our server named no tools"
            yield Finding(
                agent=_name(entry.agent), state="error", detail=detail, remedy="jay mcp, and read what it says"
            )


def tools(command: list[str], environ: Mapping[str, str]) -> list[str] | None:
    """Names of the tools that this server offers; None when it does not start or does not answer."""
    said = jsonrpc.ask(command, _MESSAGES, cwd="/", env=environ, seconds=SECONDS) if command else None
    with suppress(LookupError, TypeError):
        return [str(one["name"]) for one in said["result"]["tools"]] if said is not None else None
    return None


def _command(entry: state.Installed) -> list[str]:
    with suppress(ScrubjayError):
        return mcp_clients.words(mcp_entries.entry_of(entry))
    return []


def _name(agent: str) -> str:
    return f"{mcp_clients.CLIENTS[agent].title} (MCP)"
