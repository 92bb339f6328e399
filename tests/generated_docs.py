"""The pages and parts of pages that are made from the code: `make docs` writes them, `tests/test_docs.py` compares.

`docs/commands.md` comes from the commands' own help, `docs/settings.md` from the table of settings, and the example in
README.md and docs/README.md is what `jay demo` prints.
"""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import typer

from scrubjay import settings
from scrubjay.cli.main import PANELS, build

TOP = Path(__file__).parent.parent
MADE = "<!-- Made from the code by `make docs`; edits are lost. -->"
EXAMPLE = re.compile(r"(?<=<!-- demo -->\n).*?(?=<!-- /demo -->)", re.DOTALL)
_MARKUP = re.compile(r"\[/?(?:bold)?\]")
_SHARED = ("--json", "--help")


_SETTINGS = """\
# Settings

{made}

Every setting has a default; none has to be set. A value comes from the environment, else from `config.toml` in the
scrubjay home, else from the default. `jay config` lists them with their source; `jay config KEY VALUE` changes one and
leaves the rest of the file as it was. A repository can change none of them.

| key | default | values | what it does | environment |
|---|---|---|---|---|
{rows}

Lists are comma-separated in the environment and on the command line (`redact.patterns`: one a line), arrays in the file:

```toml
mode = "auto"

[learn]
headless = "active"
exclude = ["/home/me/private"]
```
"""

_COMMANDS = """\
# Commands

{made}

`jay` alone shows the state and the one next command. Each command takes `--json` (one JSON object on standard output,
nothing else there) and `--help`. Text for people goes to standard output, notices and errors to standard error; colours
and progress appear on a terminal only, `NO_COLOR` is respected. A memory is named by its id or the beginning of it.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | nothing found |
| 2 | bad input, refused, or something is broken; with `at`, `rule` and `hint` where there are any |
| 130 | interrupted (Ctrl-C) |
| 141 | the reader of the output went away (`jay list \\| head`) |
"""


def pages() -> dict[Path, str]:
    """Path → text as it must be."""
    block = f"```console\n$ jay demo\n{demo()}```\n"
    with_example = {
        path: EXAMPLE.sub(lambda _: block, path.read_text(encoding="utf-8"))
        for path in (TOP / "README.md", TOP / "docs" / "README.md")
    }
    return {TOP / "docs" / "commands.md": commands(), TOP / "docs" / "settings.md": settings_page(), **with_example}


def demo() -> str:
    """What `jay demo` prints at 100 columns."""
    code = "from scrubjay.cli.main import main; main()"
    with tempfile.TemporaryDirectory() as home:
        env = {"HOME": home, "PATH": os.environ["PATH"], "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
        done = subprocess.run([sys.executable, "-c", code, "demo"], env=env, capture_output=True, text=True, check=True)
    return done.stdout


def settings_page() -> str:
    """`docs/settings.md`."""
    rows = [
        f"| `{row.key}` | {_default(row)} | {_values(row)} | {_cell(row.text)} | `{row.variable}` |"
        for row in settings.ROWS
    ]
    return _SETTINGS.format(made=MADE, rows="\n".join(rows))


def _default(row: settings.Setting) -> str:
    value = row.default
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return "empty" if value in ([], "") else f"`{value}`"


def _values(row: settings.Setting) -> str:
    if row.choices:
        return ", ".join(f"`{one}`" for one in row.choices)
    match row.default:
        case bool():
            return "`true`, `false`"
        case int():
            return f"{row.low} to {row.high}"
        case _:
            return "list" if isinstance(row.default, list) else "text"


def commands() -> str:
    """`docs/commands.md`."""
    group: Any = typer.main.get_command(build())
    parts = [_COMMANDS.format(made=MADE)]
    for panel, names in PANELS:
        parts.append(f"## {panel}\n")
        parts += [_command(name, group.commands[name]) for name in names]
    return "\n".join(parts).rstrip() + "\n"


def _command(name: str, command: Any) -> str:
    text = _MARKUP.sub("", inspect.cleandoc(command.help))
    about, _, example = text.partition("Example: ")
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and one.opts[0] not in _SHARED]
    usage = " ".join(["jay", name, *(_placeholder(one) for one in arguments)])
    rows = [f"| `{_placeholder(one)}` | {_cell(one.help or '')} |" for one in arguments]
    rows += [f"| `{', '.join(one.opts)}{'' if one.is_flag else ' ' + one.opts[0].strip('-').upper().replace('-', '_')}` "
             f"| {_cell(one.help or '')} |" for one in options]  # fmt: skip
    table = ["| | |", "|---|---|", *rows, ""] if rows else []
    paragraphs = " ".join(about.split("\n\n")).replace("\n", " ").strip()
    return "\n".join([f"### `{usage}`\n", paragraphs + "\n", *table, "```console", f"$ {example.strip()}", "```\n"])


def _placeholder(argument: Any) -> str:
    name = (argument.metavar or argument.name).strip("[].").upper()
    many = "..." if argument.nargs == -1 else ""
    return f"{name}{many}" if argument.required else f"[{name}]{many}"


def _cell(text: str) -> str:
    return _MARKUP.sub("", text).replace("|", "\\|")


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
