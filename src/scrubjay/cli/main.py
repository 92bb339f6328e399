"""`jay`: the table of commands, and the one place where errors end.

The first six are what a person needs on the first day; `--help` shows them first. A command is a file beside this one.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

import typer

from scrubjay.errors import ScrubjayError

FIRST = ("init", "scan", "review", "why", "forget", "doctor")
MORE = (
    "learn", "remember", "recall", "last", "context", "list", "show", "edit", "log", "undo",
    "status", "config", "pause", "relink", "uninstall", "demo",
)  # fmt: skip

app = typer.Typer(
    name="jay",
    help="One long-term memory for all of your coding agents.",
    no_args_is_help=False,
    add_completion=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _register() -> None:
    for panel, names in (("The six verbs", FIRST), ("More", MORE)):
        for name in names:
            module = import_module(f"scrubjay.cli.cmd_{name}")
            app.command(name, rich_help_panel=panel)(module.command)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),
) -> None:
    """One long-term memory for all of your coding agents."""
    if version:
        from scrubjay import __version__

        typer.echo(f"jay {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        from scrubjay.cli.first_screen import first_screen

        first_screen()


def main() -> None:
    """Entry point. Exit codes: 0 done, 1 nothing found, 2 bad input or refused, 130 interrupted."""
    _register()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """One command line; returns the exit code and lets no traceback through."""
    from scrubjay.cli.output import failed

    json = "--json" in arguments
    try:
        app(arguments, prog_name="jay")
    except ScrubjayError as error:
        return failed(error, json)
    except SystemExit as end:
        # how Typer ends a command; wrong usage is shown by then (exit code 2)
        code = end.code if isinstance(end.code, int) else 0
        if code == 130:
            sys.stderr.write("\njay: interrupted; nothing half-done is left behind\n")
        return code
    except BrokenPipeError:
        # the reader of a pipe went away (`jay list | head`): not an error, and Python must not complain at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:  # noqa: BLE001  the last resort: a person sees a sentence, the log gets the traceback
        return _unforeseen(error, json)
    return 0


def _unforeseen(error: Exception, json: bool) -> int:
    import traceback

    from scrubjay import home
    from scrubjay.cli.output import failed

    where = os.path.join(home.current().state, "errors.log")
    try:
        os.makedirs(os.path.dirname(where), mode=0o700, exist_ok=True)
        with open(os.open(where, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "a", encoding="utf-8") as file:
            # frames only: an exception's message may quote what a person said
            file.write("".join(traceback.format_tb(error.__traceback__)) + type(error).__name__ + "\n\n")
        hint = f"the traceback is in {where}; please report it"
    except OSError:
        hint = "the traceback could not be written either: is the scrubjay home writable?"
    what = f"a fault in scrubjay itself ({type(error).__name__}); nothing half-done is left behind"
    return failed(ScrubjayError(what, hint=hint), json)
