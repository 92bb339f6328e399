"""Streamable HTTP on the loopback: for clients that cannot start a program. Every request must show the token.

A page in a browser can reach the loopback; it must not reach the memory. So each request is checked for its Host (a name
that was rebound to 127.0.0.1), its Origin (another page) and the token (another user of the machine), in this order.
"""

from __future__ import annotations

import hmac
import os
import secrets
import socket
import stat
import sys
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from scrubjay.errors import BadInput, StoreUnavailable
from scrubjay.home import Home
from scrubjay.store import files

ADDRESS = "127.0.0.1"
PATH = "/mcp"
TOKEN_BYTES = 32
MIN_TOKEN_CHARS = 32


def token_path(home: Home) -> str:
    """Where the token lies unless the person names another file."""
    return os.path.join(home.state, "mcp.token")


def token(path: str) -> str:
    """The token in this file, 0600; made at random when the file is missing. `BadInput` when others may read it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        made = secrets.token_urlsafe(TOKEN_BYTES)
        with files.writing(path):
            files.make_folder(os.path.dirname(path))
            files.write_new(path, made.encode() + b"\n")
        return made
    except OSError as error:
        raise StoreUnavailable(f"the token cannot be read: {error.strerror}", at=path) from error
    with os.fdopen(descriptor, "r", encoding="ascii", errors="replace") as file:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode) or info.st_mode & 0o077 or info.st_uid != os.getuid():
            raise BadInput("the token's file must be yours alone", at=path, hint=f"chmod 600 {path}, or delete it")
        found = file.read(4096).strip()
    if len(found) < MIN_TOKEN_CHARS or not found.isascii() or not found.isprintable() or " " in found:
        raise BadInput("the file holds no token", at=path, hint="delete it: a new one is made")
    return found


class Guard:
    """Lets through what has the right Host, Origin and token."""

    def __init__(self, app: ASGIApp, *, port: int, secret: str) -> None:
        self._app, self._secret = app, secret.encode()
        self._hosts = hosts(port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refused(scope) if scope["type"] == "http" else None
        if scope["type"] == "websocket":
            return
        await (refused or self._app)(scope, receive, send)

    def _refused(self, scope: Scope) -> PlainTextResponse | None:
        given: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            given.setdefault(name.lower(), []).append(value)
        host, origin, shown = (given.get(name, []) for name in (b"host", b"origin", b"authorization"))
        if len(host) != 1 or host[0].decode("latin-1").lower() not in self._hosts:
            return PlainTextResponse("wrong Host", status_code=421)
        if any(one.decode("latin-1") not in _origins(self._hosts) for one in origin):
            return PlainTextResponse("wrong Origin", status_code=403)
        kind, _, word = shown[0].partition(b" ") if len(shown) == 1 else (b"", b"", b"")
        if kind.lower() != b"bearer" or not hmac.compare_digest(word.strip(), self._secret):
            return PlainTextResponse("wrong token", status_code=401, headers={"WWW-Authenticate": "Bearer"})
        return None


def hosts(port: int) -> list[str]:
    """Names of this server that a client may use."""
    return [f"{ADDRESS}:{port}", f"localhost:{port}"]


def _origins(names: list[str]) -> list[str]:
    return [f"http://{name}" for name in names]


async def over_http(server: Server[Any], home: Home, *, port: int, token_file: str = "") -> None:
    """Until it is interrupted. `port` 0: a free one, which standard error names. Raises `BadInput` and
    `StoreUnavailable`."""
    where = token_file or token_path(home)
    secret = token(where)
    listening = _bound(port)
    port = listening.getsockname()[1]
    app = server.streamable_http_app(
        host=ADDRESS,
        transport_security=TransportSecuritySettings(allowed_hosts=hosts(port), allowed_origins=_origins(hosts(port))),
    )
    config = uvicorn.Config(
        Guard(app, port=port, secret=secret),
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
    )
    sys.stderr.write(f"jay mcp: http://{ADDRESS}:{port}{PATH}\njay mcp: token in {where}\n")
    sys.stderr.flush()
    await uvicorn.Server(config).serve(sockets=[listening])


def _bound(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((ADDRESS, port))
        listening.listen()  # before the port is told: who comes early waits
    except OSError as error:
        listening.close()
        raise BadInput(
            f"port {port} cannot be used: {error.strerror}", at="--http", hint="another one, or 0"
        ) from error
    return listening
