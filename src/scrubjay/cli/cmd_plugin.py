"""`jay plugin`: the plugin directory for Claude Code, Codex and Qwen Code."""

from __future__ import annotations

import shlex

from rich.console import Console

from scrubjay import home
from scrubjay.cli.output import Json, plain, show
from scrubjay.install import installers
from scrubjay.install.plugin import COMMANDS, prepare
from scrubjay.ledger import Ledger


def command(json: Json = False) -> None:
    """The plugin for Claude Code, Codex and Qwen Code.

    The other way into an agent than `jay init`: the client installs hooks, MCP server and a skill with its own commands.
    Prints where the plugin lies and what to run, and has the program ready that its hooks call. One of the two ways is enough.

    Example: [bold]jay plugin[/]
    """
    where = home.current()
    folder = prepare(where)
    Ledger.open(where.ledger).close()  # hooks write into it and never create it
    lines = {
        name: [shlex.join(part.replace("{folder}", folder) for part in one) for one in COMMANDS[name]]
        for name in COMMANDS
    }
    show({"plugin": folder, "commands": lines}, json, lambda out: _text(lines, out))


def _text(lines: dict[str, list[str]], out: Console) -> None:
    for name, commands in lines.items():
        out.print(f"[bold]{installers()[name].title}[/]")
        for one in commands:
            out.print(f"  {plain(one)}", soft_wrap=True)
    out.print("\nCodex runs the hooks only after you trusted them there: [bold]/hooks[/]")
