"""Starting the worker from a hook: detached, in a new session, with a neutral folder and a clean environment.

Hot: `os.posix_spawn` instead of `subprocess`, whose import costs more than the start itself.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrubjay.home import Home

KEPT = ("HOME", "PATH", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR")
"""What a program needs to find its files and to speak the person's language."""
KEPT_PREFIXES = ("LC_", "SCRUBJAY_", "XDG_")
CONFIG_HOMES = (
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
    "HERMES_HOME",
    "KIMI_CODE_HOME",
    "OPENCLAW_STATE_DIR",
    "OPENCODE_DB",
    "PI_CODING_AGENT_DIR",
    "PI_CODING_AGENT_SESSION_DIR",
    "QWEN_HOME",
    "QWEN_RUNTIME_DIR",
)
"""Where agents keep their sessions: without them the worker would look in the wrong folder."""


def lock_path(home: Home) -> str:
    """The file whose lock says that a worker runs."""
    return os.path.join(home.state, "worker.lock")


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What of the caller's environment the worker gets: none of the agent's variables, no key, no GIT_*."""
    return {
        name: value
        for name, value in environ.items()
        if name in KEPT or name in CONFIG_HOMES or name.startswith(KEPT_PREFIXES)
    }


def running(home: Home) -> bool:
    """Is the lock held? A worker that runs looks at the queue again after it let go, so none needs to be started."""
    import fcntl

    try:
        descriptor = os.open(lock_path(home), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def start(home: Home, environ: Mapping[str, str]) -> int:
    """Start the worker unless one runs: its process id, 0 when one does. Raises `OSError` when no process can be started."""
    if running(home):
        return 0
    package_parent = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    program = "import sys; sys.path.insert(0, sys.argv.pop(1)); from scrubjay.worker import main; sys.exit(main())"
    # standard input from nowhere, both outputs to nowhere: the worker keeps its own log
    files = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    files.append((os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0))
    return os.posix_spawn(
        sys.executable,
        [sys.executable, "-I", "-c", program, package_parent],
        environment(environ),
        file_actions=files,
        setsid=True,
    )
