"""`jay mcp`: the memory as an MCP server."""

from __future__ import annotations

import os
from functools import partial
from typing import Annotated

import typer

from scrubjay import home
from scrubjay.cli.output import write_json
from scrubjay.errors import BadInput
from scrubjay.mcp_server.clients import CLIENTS, epilog
from scrubjay.mcp_server.tools import SCHEMAS

EPILOG = epilog()


def command(
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Offer recall, read and why only; write nothing.")
    ] = False,
    http: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Streamable HTTP on 127.0.0.1 at this port; 0: a free one.")
    ] = None,
    token_file: Annotated[str, typer.Option(help="The token's file (0600); made when missing.")] = "",
    json: Annotated[
        bool, typer.Option("--json", help="Print what each client needs as one JSON object and end.")
    ] = False,
) -> None:
    """The memory as an MCP server, for agents.

    Speaks on standard input and output until the client closes it, or with --http on the loopback, where every request
    must show the token. Works on the memories of the directory that it is started in, or of the client's roots.

    Example: [bold]jay mcp --read-only[/]
    """
    if json:
        write_json({"clients": dict(CLIENTS), "tools": sorted(SCHEMAS)}, indent=1)
        return
    if token_file and http is None:
        raise BadInput("a token is for HTTP only", at="--token-file", hint="add --http PORT")
    try:
        import anyio

        from scrubjay.mcp_server import http as loopback
        from scrubjay.mcp_server.server import build, over_stdio
    except ImportError as error:
        name = error.name or "mcp"
        raise BadInput(
            f"the MCP server needs the package {name!r}", at="jay mcp", hint="pip install 'scrubjay[mcp]'"
        ) from error
    from scrubjay.mcp_server.desk import Desk

    where = home.current()
    desk = Desk(where, read_only=read_only)
    server = build(desk, os.getcwd(), silent=bool(os.environ.get("SCRUBJAY_INSIDE")))
    if http is None:
        anyio.run(over_stdio, server)
    else:
        anyio.run(partial(loopback.over_http, server, where, port=http, token_file=token_file))
