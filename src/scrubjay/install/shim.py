"""`$SCRUBJAY_HOME/bin/hook` and `bin/jay`: what stands in agents' settings, whatever becomes of the package.

The hook ends with 0 and prints nothing when the interpreter or the package is gone, moved or broken: a prompt must go on, and
an agent that still writes must not meet a closed pipe. It
runs the package by its folder, without `site`, because that is the faster half of Python's start. `bin/jay` is the command
itself for clients that start it as a server, wherever their own search path leads: on this home, with this Python.
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from contextlib import suppress

from scrubjay.errors import StoreUnavailable
from scrubjay.home import Home
from scrubjay.install.state import installed, servers

# The input is read in the background: the agent neither waits nor gets an error for what it writes. The process ends when the
# agent closes its end. Through descriptor 3, because a shell gives what runs in the background no standard input.
_UNREAD = "{ cat <&3 >/dev/null 2>&1 & } 2>/dev/null 3<&0"

_TEMPLATE = """\
#!/bin/sh
# Every agent's hook calls this file; `jay init` wrote it and any `jay` command repairs it.
# When scrubjay is gone it does nothing, in silence; what the agent writes is read, or it would get an error.
python={python}
package={package}
[ -x "$python" ] && [ -f "$package/scrubjay/hook.py" ] &&
SCRUBJAY_HOME={home} "$python" -I -S -X utf8 -c {code} "$package" "$@" 2>/dev/null ||
{unread}
exit 0
"""

_PROGRAM = """\
#!/bin/sh
# Agents start `jay mcp` by this file; `jay init --mcp` wrote it and any `jay` command repairs it.
SCRUBJAY_HOME={home} exec {python} -E -P -X utf8 -c {code} {package} "$@"
"""

_OUT = "# scrubjay stands in no agent's settings any more; `jay init` brings it back.\n"
RETIRED = f"""\
#!/bin/sh
{_OUT}{_UNREAD}
exit 0
""".encode()

# The package's folder goes last: what else lies there (site-packages) must not stand before the standard library.
_CODE = "import sys; sys.path.append(sys.argv.pop(1)); from scrubjay.hook import main; sys.exit(main())"
_JAY = "import sys; sys.path.append(sys.argv.pop(1)); from scrubjay.cli.entry import main; main()"


def text(home: Home, *, python: str = "", package: str = "") -> str:
    """The shim for an interpreter and the folder that holds the package; by default those that are running."""
    return _filled(_TEMPLATE, home, _CODE, python=python, package=package)


def program(home: Home) -> str:
    """The path of `bin/jay`."""
    return os.path.join(os.path.dirname(home.shim), "jay")


def write_program(home: Home) -> bool:
    """Write `bin/jay` unless it is right already; True when written. `StoreUnavailable` when that is impossible."""
    return _written(home, program(home), _filled(_PROGRAM, home, _JAY).encode())


def remove_program(home: Home) -> None:
    """After the last server's entry went. Sessions that run have theirs started."""
    with suppress(OSError):
        os.unlink(program(home))


def ensure(home: Home) -> bool:
    """Repair what is installed; True when the hook's shim had to be. Every `jay` command calls it: it never raises."""
    with suppress(StoreUnavailable):
        if os.path.lexists(program(home)) or servers(home):
            write_program(home)
    if not installed(home) and not _in_use(home):
        return False
    try:
        return write(home)
    except StoreUnavailable:
        return False


def _in_use(home: Home) -> bool:
    """A shim is there and was not retired: settings may call it even if the record of them was lost."""
    try:
        with open(home.shim, "rb") as file:
            return _OUT.encode() not in file.read()
    except OSError:
        return False


def retire(home: Home) -> None:
    """After the last uninstallation: sessions that still run go on calling the shim, and nothing happens."""
    if _in_use(home):
        _put(home.shim, RETIRED, home)


def write(home: Home) -> bool:
    """Write the shim unless it is right already; True when written. `StoreUnavailable` when that is impossible."""
    return _written(home, home.shim, text(home).encode())


def _filled(template: str, home: Home, code: str, *, python: str = "", package: str = "") -> str:
    folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return template.format(
        python=shlex.quote(python or sys.executable),
        package=shlex.quote(package or folder),
        home=shlex.quote(home.root),
        code=shlex.quote(code),
        unread=_UNREAD,
    )


def _written(home: Home, path: str, wanted: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            right = file.read() == wanted
        if right and os.access(path, os.X_OK):
            return False
    except OSError:
        pass
    _put(path, wanted, home)
    return True


def _put(target: str, data: bytes, home: Home) -> None:
    folder = os.path.dirname(target)
    try:
        for path in (home.root, folder):
            with suppress(FileExistsError):
                os.mkdir(path, 0o700)
        handle, temporary = tempfile.mkstemp(prefix=".hook-", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(temporary, 0o700)
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise StoreUnavailable(f"cannot write: {error.strerror}", at=target) from error
