"""Real servers: `jay mcp` as a process, the SDK's own client at the other end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp import Client, StdioServerParameters, stdio_client

from scrubjay.hooks import background
from scrubjay.ledger import Ledger
from tests.learn.world import World

JAY = [sys.executable, "-c", "from scrubjay.cli.entry import main; main()", "mcp"]
WAIT_S = 60


def environment(world: World) -> dict[str, str]:
    """What a client leaves to its servers."""
    kept = {name: os.environ[name] for name in ("HOME", "SCRUBJAY_HOME", "SCRUBJAY_NOW", "PATH") if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8"}


@asynccontextmanager
async def over_stdio(
    world: World, *options: str, cwd: Path | None = None, mode: str = "legacy", roots: list[Path] | None = None
) -> AsyncIterator[Client]:
    """A client that started its server. `mode`: `legacy` (initialize) or `auto` (2026-07-28)."""
    program = StdioServerParameters(
        command=JAY[0], args=[*JAY[1:], *options], env=environment(world), cwd=str(cwd or world.repo)
    )
    async with Client(stdio_client(program), mode=mode, list_roots_callback=naming(roots)) as client:
        yield client


def naming(roots: list[Path] | None) -> Any:
    """What the client answers when it is asked for its roots; None: it has none to offer."""
    if roots is None:
        return None

    async def name(_context: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=path.as_uri()) for path in roots])  # type: ignore[arg-type]

    return name


async def call(client: Client, tool: str, **given: Any) -> str:
    """The text of an answer that is no error."""
    result = await client.call_tool(tool, given)
    text = "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))
    assert not result.is_error, text
    return text


async def failure(client: Client, tool: str, **given: Any) -> str:
    """The text of an answer that is one."""
    result = await client.call_tool(tool, given)
    assert result.is_error
    return "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))


@dataclass(frozen=True, kw_only=True)
class Listening:
    """A server on the loopback."""

    port: int
    token_file: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    @property
    def token(self) -> str:
        return self.token_file.read_text(encoding="ascii").strip()


@contextmanager
def over_http(world: World, *options: str, cwd: Path | None = None) -> Iterator[Listening]:
    """`jay mcp --http 0`, ended by an interrupt as a person would."""
    process = subprocess.Popen(
        [*JAY, "--http", "0", *options],
        cwd=cwd or world.repo,
        env=environment(world),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        first, second = process.stderr.readline(), process.stderr.readline()
        port = re.search(r"127\.0\.0\.1:(\d+)/mcp", first)
        where = re.search(r"token in (.+)", second)
        assert port, first
        assert where, second
        yield Listening(port=int(port[1]), token_file=Path(where[1]))
    finally:
        process.terminate()
        process.wait(timeout=WAIT_S)
        assert process.stderr is not None
        process.stderr.close()


def settled(world: World) -> None:
    """Wait until the worker has nothing left to do."""
    end = time.monotonic() + WAIT_S
    while True:
        with Ledger.open(world.home.ledger) as ledger:
            idle = ledger.waiting() == 0
            failure = ledger.get("worker.error") if ledger.get("worker.failing_since") else ""
        assert not failure, failure
        if idle and not background.running(world.home):
            return
        assert time.monotonic() < end, "the worker never came to an end"
        time.sleep(0.02)
