"""`jay mcp --http`: who may come in, and who may not."""

from __future__ import annotations

import http.client
import json
import socket
import stat
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from scrubjay.learn.remember import Wish, remember
from tests.cli.world import World as CommandLine
from tests.learn.world import World, repository
from tests.mcp_server.servers import Listening, call, naming, over_http

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")

FACT = "deploys need the vpn job first, else there is no route to the bastion"
QUESTION = "why is there no route to the bastion in the deploy?"
HELLO = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
)


def knock(server: Listening, **changed: str | None) -> tuple[int, str]:
    """Status and body of one request; `changed`: headers that differ from the right ones, None leaves one out."""
    headers: dict[str, str | None] = {
        "Host": f"127.0.0.1:{server.port}",
        "Authorization": f"Bearer {server.token}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        **{name.replace("_", "-"): value for name, value in changed.items()},
    }
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.putrequest("POST", "/mcp", skip_host=True, skip_accept_encoding=True)
        for name, value in {**headers, "Content-Length": str(len(HELLO))}.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(HELLO.encode())
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def test_the_right_token_opens_and_nothing_else_does(world: World) -> None:
    """Token, Host and Origin, each alone, close the door before anything is answered; the token's file is the person's."""
    remember(world.home, Wish(text=FACT, cwd=str(world.repo)))
    other = repository(world.root / "other")
    with over_http(world) as server:
        right = f"127.0.0.1:{server.port}"
        assert stat.S_IMODE(server.token_file.stat().st_mode) == 0o600
        assert knock(server)[0] == 200
        assert knock(server, Host=f"localhost:{server.port}", Origin=f"http://localhost:{server.port}")[0] == 200
        refusals: tuple[tuple[dict[str, str | None], int], ...] = (
            ({"Authorization": None}, 401),
            ({"Authorization": "Bearer " + "x" * 43}, 401),
            ({"Authorization": f"Basic {server.token}"}, 401),
            ({"Authorization": server.token}, 401),
            ({"Authorization": "Bearer "}, 401),
            ({"Host": f"evil.example:{server.port}"}, 421),
            ({"Host": "127.0.0.1"}, 421),
            ({"Host": f"127.0.0.1:{server.port}.evil.example"}, 421),
            ({"Origin": "https://evil.example"}, 403),
            ({"Origin": f"http://{right}.evil.example"}, 403),
            ({"Origin": f"https://{right}"}, 403),
            ({"Origin": "null"}, 403),
        )
        for changed, status in refusals:
            found, body = knock(server, **changed)
            assert (found, "result" in body) == (status, False), changed
        assert knock(server, Host=None)[0] in (400, 421)
        with pytest.raises(OSError):  # noqa: PT011 - refused or unreachable: nothing listens there
            socket.create_connection((_own_address(), server.port), timeout=5).close()

        async def session(roots: list[Path] | None) -> str:
            headers = {"Authorization": f"Bearer {server.token}"}
            async with (
                httpx2.AsyncClient(headers=headers, timeout=60) as web,
                Client(
                    streamable_http_client(server.url, http_client=web),
                    mode="legacy",
                    list_roots_callback=naming(roots),
                ) as client,
            ):
                return await call(client, "recall", query=QUESTION)

        assert FACT in anyio.run(session, None)
        assert anyio.run(session, [other]) == "No memory answers this."
        token = server.token
    with over_http(world, "--read-only") as again:
        assert again.token == token


def _own_address() -> str:
    """An address of this machine that is not the one that is listened on."""
    return "127.0.0.2"


def test_a_token_that_others_can_read_is_not_used(home: str, tmp_path: Path) -> None:
    """The command stops and says what to do; a link is not followed, a short word is no token."""
    machine = CommandLine(home=home, repo=str(tmp_path))
    loose, short, link = tmp_path / "loose", tmp_path / "short", tmp_path / "link"
    loose.write_text("x" * 43)
    loose.chmod(0o644)
    short.write_text("secret\n")
    short.chmod(0o600)
    link.symlink_to(short)
    for path, word in ((loose, "yours alone"), (short, "no token"), (link, "cannot be read")):
        done = machine.jay("mcp", "--http", "0", "--token-file", str(path))
        assert (done.code, word in done.err) == (2, True), done.err
    assert machine.jay("mcp", "--token-file", str(short)).code == 2
