"""Where each client keeps its MCP servers, and what an entry looks like there: one row a client, no code a client.

Claude Code, Codex, Qwen Code, Gemini CLI, OpenCode, pi, Kimi Code, Hermes and OpenClaw by their sources and documentation and
by runs of the real clients; Copilot CLI, Cursor, Goose and Windsurf by the documentation of each, November 2026.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from scrubjay.install import installers

JAY = "@jay@"
"""Stands for the path of `bin/jay` in the scrubjay home."""
SERVER = "scrubjay"
"""The name of the entry. Clients make names of tools from it."""

Entry = Mapping[str, object]
Place = Callable[[str, str, Mapping[str, str]], str]
"""(config home, the person's home folder, environment) → the folder that the files lie in."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Brought:
    """A setting that says that the client has our tools already, another way."""

    file: str
    """Below the config home."""
    keys: tuple[str, ...]
    value: object
    how: str
    """For people."""


def _home(config_home: str, _home_folder: str, _environ: Mapping[str, str]) -> str:
    return config_home


def _beside(config_home: str, home_folder: str, environ: Mapping[str, str]) -> str:
    return config_home if environ.get("CLAUDE_CONFIG_DIR") else home_folder


@dataclass(frozen=True, kw_only=True, slots=True)
class Client:
    """One client's row."""

    title: str
    files: tuple[str, ...]
    """Names of files that it reads; ours goes into the first that is there, else it becomes the first."""
    table: tuple[str, ...] = ("mcpServers",)
    """Keys down to the table of servers."""
    entry: Entry = field(default_factory=lambda: {"command": JAY, "args": ["mcp"]})
    folder: str = ""
    """Below the person's home folder, there once the client ran. "": the config homes of its installer."""
    place: Place = _home
    variable: str = ""
    """Environment variable with the path of the file, for the first config home."""
    brought: Brought | None = None
    restless: bool = False
    """The client writes into the file all the time: what others changed since is not worth telling."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys down to our entry."""
        return (*self.table, SERVER)


_PLUGIN = "the plugin brings it"

CLIENTS: Mapping[str, Client] = {
    "claude-code": Client(
        title="Claude Code",
        files=(".claude.json",),
        place=_beside,  # in the home folder; inside CLAUDE_CONFIG_DIR where that is set
        # its tools stand in the first request; without it a session goes on while the server is still starting
        entry={"type": "stdio", "command": JAY, "args": ["mcp"], "alwaysLoad": True},
        brought=Brought(file="settings.json", keys=("enabledPlugins", "scrubjay@scrubjay"), value=True, how=_PLUGIN),
        restless=True,
    ),
    "codex": Client(
        title="Codex",
        files=("config.toml",),
        table=("mcp_servers",),
        brought=Brought(file="config.toml", keys=("plugins", "scrubjay@scrubjay", "enabled"), value=True, how=_PLUGIN),
    ),
    "copilot-cli": Client(
        title="Copilot CLI",
        files=("mcp-config.json",),
        folder=".copilot",
        entry={"type": "local", "command": JAY, "args": ["mcp"], "tools": ["*"]},
    ),
    "cursor": Client(title="Cursor", files=("mcp.json",), folder=".cursor"),
    "gemini-cli": Client(title="Gemini CLI", files=("settings.json",)),
    "goose": Client(
        title="Goose",
        files=("config.yaml",),
        table=("extensions",),
        folder=".config/goose",
        entry={"name": SERVER, "type": "stdio", "cmd": JAY, "args": ["mcp"], "enabled": True, "timeout": 300},
    ),
    "hermes": Client(
        title="Hermes",
        files=("config.yaml",),
        table=("mcp_servers",),
        brought=Brought(
            file="config.yaml",
            keys=("memory", "provider"),
            value="scrubjay",
            how="its memory provider brings the tools",
        ),
    ),
    "kimi-code": Client(title="Kimi Code", files=("mcp.json",)),
    "openclaw": Client(
        title="OpenClaw", files=("openclaw.json",), table=("mcp", "servers"), variable="OPENCLAW_CONFIG_PATH"
    ),
    "opencode": Client(
        title="OpenCode",
        files=("opencode.json", "opencode.jsonc"),
        table=("mcp",),
        entry={"type": "local", "command": [JAY, "mcp"], "enabled": True},
    ),
    "pi": Client(
        title="pi",
        files=("mcp.json",),
        entry={"command": JAY, "args": ["mcp"], "exposure": "direct"},  # else they hide behind its search
    ),
    "qwen-code": Client(
        title="Qwen Code",
        files=("settings.json",),
        brought=Brought(file="extensions/scrubjay/qwen-extension.json", keys=("name",), value="scrubjay", how=_PLUGIN),
    ),
    "windsurf": Client(title="Windsurf", files=("mcp_config.json",), folder=".codeium/windsurf"),
}


def config_homes(name: str, home_folder: str, environ: Mapping[str, str]) -> list[str]:
    """Config homes of this client that exist."""
    known = installers().get(name)
    if known is not None:
        return known.found(home_folder, environ)
    folder = os.path.join(home_folder, CLIENTS[name].folder)
    return [folder] if os.path.isdir(folder) else []


def files(name: str, home_folder: str, environ: Mapping[str, str]) -> list[list[str]]:
    """For each config home the files that may hold servers, that for our entry first."""
    client, found = CLIENTS[name], []
    for number, config_home in enumerate(config_homes(name, home_folder, environ)):
        moved = environ.get(client.variable, "").strip() if client.variable and not number else ""
        folder = client.place(config_home, home_folder, environ)
        paths = [os.path.abspath(moved)] if moved else [os.path.join(folder, one) for one in client.files]
        found.append(sorted(paths, key=lambda path: not os.path.lexists(path)))
    return found


def filled(entry: object, jay: str) -> object:
    """The entry with the path of our program."""
    if isinstance(entry, Mapping):
        return {key: filled(value, jay) for key, value in entry.items()}
    if isinstance(entry, list):
        return [filled(one, jay) for one in entry]
    return jay if entry == JAY else entry


def words(entry: object) -> list[str]:
    """Program and arguments of a server's entry, whichever way a client writes them; [] when it starts none."""
    found: list[object] = []
    for key in ("command", "cmd", "args"):
        value = entry.get(key) if isinstance(entry, Mapping) else None
        found += (
            value if isinstance(value, Sequence) and not isinstance(value, str) else [] if value is None else [value]
        )
    return [str(one) for one in found]
