"""The lines that make a client start the server, for `jay mcp --help` and the docs."""

from __future__ import annotations

CLIENTS: tuple[tuple[str, str], ...] = (
    ("Claude Code", "claude mcp add --scope user scrubjay -- jay mcp"),
    ("Codex", "codex mcp add scrubjay -- jay mcp"),
    ("Qwen Code", "qwen mcp add --scope user scrubjay jay mcp"),
    ("Gemini CLI", "gemini mcp add --scope user scrubjay jay mcp"),
    ("OpenCode (opencode.json)", '{"mcp": {"scrubjay": {"type": "local", "command": ["jay", "mcp"]}}}'),
    (
        "pi (~/.pi/agent/mcp.json)",
        '{"mcpServers": {"scrubjay": {"command": "jay", "args": ["mcp"], "exposure": "direct"}}}',
    ),
    ("Kimi Code (~/.kimi-code/mcp.json)", '{"mcpServers": {"scrubjay": {"command": "jay", "args": ["mcp"]}}}'),
    ("Hermes (config.yaml)", "mcp_servers: {scrubjay: {command: jay, args: [mcp]}}"),
    ("OpenClaw (openclaw.json)", '{"mcp": {"servers": {"scrubjay": {"command": "jay", "args": ["mcp"]}}}}'),
    ("Cursor (~/.cursor/mcp.json)", '{"mcpServers": {"scrubjay": {"command": "jay", "args": ["mcp"]}}}'),
    (
        "Copilot CLI (~/.copilot/mcp-config.json)",
        '{"mcpServers": {"scrubjay": {"type": "local", "command": "jay", "args": ["mcp"], "tools": ["*"]}}}',
    ),
    (
        "over HTTP (jay mcp --http 7711)",
        'claude mcp add --scope user --transport http scrubjay http://127.0.0.1:7711/mcp -H "Authorization: Bearer TOKEN"',
    ),
)
"""(client, command to run or what to put into the file). `docs/mcp.md` has the same lines, and which are tested."""


def epilog() -> str:
    """For the help: a paragraph a line, square brackets as they are."""
    lines = [f"[bold]{name}[/]: " + line.replace("[", "\\[") for name, line in CLIENTS]
    return "\n\n".join(["What to put into each client:", *lines])
