"""The protocol's side, on the official SDK: requests in, the desk's words out."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

from scrubjay import __version__
from scrubjay.errors import ScrubjayError
from scrubjay.inject.fence import one_line
from scrubjay.mcp_server.desk import Desk
from scrubjay.mcp_server.tools import INSTRUCTIONS, MOST_RECALLED, SCHEMAS, offered
from scrubjay.redact import redact

Context = ServerRequestContext[Any, Any]
T = TypeVar("T")

ROOTS_WAIT_S = 3.0
"""A client that says that it has roots and does not name them in this time is taken at the server's own directory."""
SCHEME = "memory://"
INDEX = SCHEME + "index"
MAX_RESOURCES = 100
PROMPT = "memory"
MIME = "text/markdown"


def build(desk: Desk, cwd: str, *, silent: bool = False) -> Server[Any]:
    """The server. `cwd`: where it was started, which counts when the client names no roots. `silent`: for scrubjay's own
    inner model calls, which get no memory: nothing is offered."""
    table = _Table(desk, os.path.realpath(cwd), silent=silent)
    return Server(
        "scrubjay",
        version=__version__,
        title="scrubjay",
        instructions=None if silent else INSTRUCTIONS,
        on_list_tools=table.tools,
        on_call_tool=table.call,
        on_list_resources=table.resources,
        on_list_resource_templates=table.templates,
        on_read_resource=table.read,
        on_list_prompts=table.prompts,
        on_get_prompt=table.prompt,
    )


async def over_stdio(server: Server[Any]) -> None:
    """Until the client closes our standard input."""
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


class _Table:
    """The handlers. The desk works in threads, one call after the other."""

    def __init__(self, desk: Desk, cwd: str, *, silent: bool) -> None:
        self._desk, self._cwd, self._silent = desk, cwd, silent
        self._one = anyio.CapacityLimiter(1)
        self._mute: set[str] = set()  # clients that did not name their roots when asked

    async def tools(self, _context: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        rows = [] if self._silent else offered(read_only=self._desk.read_only)
        return types.ListToolsResult(tools=[types.Tool.model_validate(row) for row in rows])

    async def call(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        if params.name not in SCHEMAS or self._silent:
            raise MCPError(types.INVALID_PARAMS, f"no tool is called {params.name!r}")
        cwds = await self._cwds(context, params.input_responses)
        if cwds is None:
            return _ask_for_roots()
        text, failed = await self._do(partial(self._desk.call, params.name, params.arguments or {}, cwds))
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=failed)

    async def resources(
        self, context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        cwds = await self._cwds(context, {}) or [self._cwd]
        rows = [] if self._silent else await self._run(partial(self._listed, cwds))
        return types.ListResourcesResult(resources=rows)

    def _listed(self, cwds: list[str]) -> list[types.Resource]:
        try:
            rows = self._desk.listed(cwds)[:MAX_RESOURCES]
        except ScrubjayError:
            return []
        index = types.Resource(uri=INDEX, name="index", description="Every memory here, a line each", mime_type=MIME)
        return [
            index,
            *(
                types.Resource(
                    uri=SCHEME + row.memory.id,
                    name=one_line(row.memory.name) or row.memory.id,
                    description=one_line(row.memory.description),
                    mime_type=MIME,
                )
                for row in rows
            ),
        ]

    async def templates(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        one = types.ResourceTemplate(
            uri_template=SCHEME + "{id}", name="memory", description="One memory by its id", mime_type=MIME
        )
        return types.ListResourceTemplatesResult(resource_templates=[] if self._silent else [one])

    async def read(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult | types.InputRequiredResult:
        uri = str(params.uri)
        if not uri.startswith(SCHEME) or self._silent:
            raise MCPError(types.INVALID_PARAMS, "resources here are memory://index and memory://m-…")
        cwds = await self._cwds(context, params.input_responses)
        if cwds is None:
            return _ask_for_roots()
        name = unquote(uri[len(SCHEME) :]).strip("/")
        one = partial(self._desk.call, "read", {"id": name}, cwds)
        text, failed = await self._do(partial(self._desk.index, cwds) if name == "index" else one)
        if failed:
            raise MCPError(types.INVALID_PARAMS, text)
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=MIME, text=text)])

    async def prompts(self, _context: Context, _params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        about = types.PromptArgument(name="topic", description="what it is about; left out: everything", required=False)
        one = types.Prompt(name=PROMPT, description="What memory holds about a topic", arguments=[about])
        return types.ListPromptsResult(prompts=[] if self._silent else [one])

    async def prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        if params.name != PROMPT or self._silent:
            raise MCPError(types.INVALID_PARAMS, f"no prompt is called {params.name!r}")
        cwds = await self._cwds(context, params.input_responses)
        if cwds is None:
            return _ask_for_roots()
        topic = (params.arguments or {}).get("topic", "").strip()
        about = partial(self._desk.call, "recall", {"query": topic, "limit": MOST_RECALLED}, cwds)
        text, _failed = await self._do(about if topic else partial(self._desk.index, cwds))
        asked = f"What is remembered about {topic}:" if topic else "What is remembered here:"
        content = types.TextContent(type="text", text=f"{asked}\n\n{text}")
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])

    async def _do(self, act: partial[str]) -> tuple[str, bool]:
        """The answer, and whether it is an error: one that the model reads and may act on."""
        try:
            return await self._run(act), False
        except ScrubjayError as error:
            rule = f" (rule: {error.rule})" if error.rule else ""
            hint = f"\nhint: {error.hint}" if error.hint else ""
            return redact(f"{error.what}{rule}{hint}"), True
        except Exception as error:  # noqa: BLE001 - the session goes on; a message may quote what a person said
            return f"a fault in scrubjay itself ({type(error).__name__}); jay doctor", True

    async def _run(self, act: partial[T]) -> T:
        return await anyio.to_thread.run_sync(act, limiter=self._one)

    async def _cwds(self, context: Context, answers: Mapping[str, Any] | None) -> list[str] | None:
        """Directories that count for this request: the client's roots when it has any. None: it must be asked first, by
        the answer to its request (protocols since 2026-07-28 have no way back)."""
        offers = context.session.client_capabilities
        if offers is None or offers.roots is None:
            return [self._cwd]
        if answers and isinstance(answers.get("roots"), types.ListRootsResult):
            return _folders(answers["roots"], self._cwd)
        if not context.session.can_send_request:
            return None if answers is None else [self._cwd]
        return await self._ask(context)

    async def _ask(self, context: Context) -> list[str]:
        known = context.session.client_params
        name = known.client_info.name if known else ""
        if name in self._mute:
            return [self._cwd]
        try:
            found = await context.session.send_request(
                types.ListRootsRequest(),
                types.ListRootsResult,
                request_read_timeout_seconds=ROOTS_WAIT_S,
                metadata=ServerMessageMetadata(related_request_id=context.request_id),
            )
        except (MCPError, TimeoutError, ValueError):
            self._mute.add(name)
            return [self._cwd]
        return _folders(found, self._cwd)


def _ask_for_roots() -> types.InputRequiredResult:
    return types.InputRequiredResult(input_requests={"roots": types.ListRootsRequest()})


def _folders(found: types.ListRootsResult, cwd: str) -> list[str]:
    """The roots that are folders here. Where the server was started counts first when it lies in one of them, and alone
    when the client names none."""
    folders: list[str] = []
    for root in found.roots:
        parts = urlsplit(str(root.uri))
        path = unquote(parts.path)
        if parts.scheme == "file" and parts.netloc in ("", "localhost") and "\0" not in path and os.path.isdir(path):
            folders.append(os.path.realpath(path))
    folders = list(dict.fromkeys(folders))
    inside = [one for one in folders if cwd == one or cwd.startswith(one.rstrip("/") + "/")]
    if inside:
        return [cwd, *(one for one in folders if one not in inside)]
    return folders or [cwd]
