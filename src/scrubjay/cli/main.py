"""`jay`: the table of commands, and the one place where errors end.

The first six are what a person needs on the first day; `--help` shows them first. A command is a file beside this one.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

import typer

from scrubjay import home
from scrubjay.cli.parameters import Command, Group
from scrubjay.errors import BadInput, ScrubjayError, StoreUnavailable
from scrubjay.install import shim, state

FIRST = ("init", "scan", "review", "why", "forget", "doctor")
MORE = (
    "learn", "ingest", "import", "remember", "recall", "last", "context", "list", "show", "edit", "log", "undo",
    "status", "config", "pause", "relink", "mcp", "plugin", "uninstall", "demo",
)  # fmt: skip
PANELS = (("The six verbs", FIRST), ("More", MORE))

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""What Typer raises for a wrong command line; the class has no public name."""

SELDOM = (50_000, 20, 100)
"""Objects between two runs of the garbage collector. Many memories are many objects that live until the end: looking through
them again and again was a fifth of a command's time at 10,000 memories."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as every shell has it (128 + SIGINT)."""

_REFUSED = frozenset(
    (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE)
)
"""What the system may refuse to any command: rights, room, a broken disk, too many open files."""

PIPE_CLOSED = 141
"""Exit code when the reader of our output went away, as every filter has it (128 + SIGPIPE)."""


def build(arguments: Sequence[str] | None = None) -> typer.Typer:
    """The application. With `arguments` only what they name is loaded (help: everything): the other commands cost time."""
    app = typer.Typer(
        name="jay",
        cls=Group,
        no_args_is_help=False,
        add_completion=False,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(start)
    named = next((one for one in arguments or () if not one.startswith("-")), "")
    none = arguments is not None and not named and not {"--help", "-h"} & set(arguments)
    alone = (none or named in FIRST + MORE) and not any(name.startswith("_JAY_") for name in os.environ)
    for panel, names in PANELS:
        for name in names:
            if not alone or name == named:
                module = import_module(f"scrubjay.cli.cmd_{name}")
                app.command(name, cls=Command, rich_help_panel=panel, epilog=getattr(module, "EPILOG", None))(
                    module.command
                )
    return app


def start(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and exit."),
    json: bool = typer.Option(False, "--json", help="The state of everything as one JSON object (without a command)."),
) -> None:
    """One long-term memory for all of your coding agents.

    `jay` alone shows the state and the one next command. Exit codes: 0 done, 1 nothing found, 2 bad input or refused.
    """
    if version:
        from scrubjay import __version__

        typer.echo(f"jay {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        from scrubjay.cli.first_screen import first_screen

        first_screen(json)


def main() -> None:
    """Entry point. Exit codes: 0 done, 1 nothing found, 2 bad input or refused, 130 interrupted."""
    _open_streams()
    _in_utf8()
    gc.set_threshold(*SELDOM)
    for stream in (sys.stdout, sys.stderr):
        # a terminal or a locale without UTF-8 must not end a command: what it cannot show becomes `?`
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    # the agents' settings name one file for ever; after an upgrade or a move the next command puts it right
    shim.ensure(home.current())
    code = run(sys.argv[1:])
    _keep_rules_files()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done and said: no traceback out of the interpreter's end
    sys.exit(code)


def _open_streams() -> None:
    """Started with one of its streams closed (`jay list >&-`): the next file that is opened must not take its place."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest free number, which is this one
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False))


def _in_utf8() -> None:
    """Start again in Python's UTF-8 mode where the locale would garble arguments and be unable to open a memory's file."""
    if not sys.flags.utf8_mode and sys.getfilesystemencoding().lower() != "utf-8":
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - ourselves, no shell


def run(arguments: list[str]) -> int:
    """One command line; returns the exit code and lets no traceback through."""
    json = "--json" in arguments
    try:
        if not {"--help", "-h"} & set(arguments):
            _check_home()
        code = build(arguments)(arguments, prog_name="jay", standalone_mode=False)
        sys.stdout.flush()
        return _interrupted() if code == INTERRUPTED else code if isinstance(code, int) else 0
    except UsageError as error:
        return _failed(_usage(error), json)
    except ScrubjayError as error:
        return _failed(error, json)
    except (typer.Abort, KeyboardInterrupt, EOFError):  # Abort: Ctrl-C or the end of the input at a question
        return _interrupted()
    except (BrokenPipeError, SystemExit):
        # the reader of a pipe went away (`jay list | head`; Typer and Rich make SystemExit of it): nothing to
        # complain about, for Python at its exit neither
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        known = _refused_by_the_system(error)
        return _failed(known, json) if known else _unforeseen(error, json)
    except Exception as error:  # noqa: BLE001  the last resort: a person sees a sentence, the log gets the traceback
        return _unforeseen(error, json)


def _keep_rules_files() -> None:
    """Whatever the command changed, blocks in rules files say what is remembered now. Loaded only where there are any."""
    where = home.current()
    if any(one.agent == "rules-files" for one in state.installed(where)):
        with suppress(OSError):
            import_module("scrubjay.install.rules_files").regenerate(where)


def _check_home() -> None:
    """A relative home would be another one in every directory."""
    given = os.environ.get("SCRUBJAY_HOME", "")
    if given and not os.path.isabs(given):
        raise BadInput(
            "SCRUBJAY_HOME is no absolute path", at=given, hint=f"export SCRUBJAY_HOME={os.path.abspath(given)}"
        )


def _refused_by_the_system(error: OSError) -> ScrubjayError | None:
    """What no command can do anything about, in words; None for what should not have happened."""
    if isinstance(error, FileNotFoundError) and error.filename is None:  # only `os.getcwd` fails without a name
        return BadInput("the working directory is gone", hint="cd into a folder that exists")
    if error.errno in _REFUSED:
        return StoreUnavailable(
            f"the system refused: {error.strerror}", at=str(error.filename or ""), hint="jay doctor"
        )
    return None


def _interrupted() -> int:
    sys.stderr.write("\njay: interrupted; nothing half-done is left behind\n")
    return INTERRUPTED


def _failed(error: ScrubjayError, json: bool) -> int:
    from scrubjay.cli.output import failed

    return failed(error, json)


def _usage(error: Exception) -> BadInput:
    """A wrong command line in our own four fields."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "jay"
    what = getattr(error, "format_message", lambda: str(error))().rstrip(".")
    return BadInput(what[:1].lower() + what[1:], at=command, hint=f"`{command} --help` shows how it is used")


def _unforeseen(error: Exception, json: bool) -> int:
    import traceback

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
    return _failed(ScrubjayError(what, hint=hint), json)
