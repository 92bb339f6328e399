"""A command line on a terminal of its own: keys in, screen out, waiting for what appears and never for a time."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from types import TracebackType

from tests.cli.world import World

LONGEST_WAIT_S = 60
"""When what is waited for has not appeared by then, it never will: the test fails and shows the screen."""

_MAIN = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); from scrubjay.cli.entry import main; main()"
_SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def _interruptible() -> None:
    """The terminal is the process's own, so that Ctrl-C is a signal at any moment, also before it reads keys; and a test run
    in the background of a shell ignores Ctrl-C, which what it starts would inherit."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """Use as a context manager. `screen` is everything printed so far, without colours."""

    def __init__(self, world: World, *arguments: str, columns: int = 100, env: dict[str, str] | None = None) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        environ = {**world.environ(env), "TERM": "xterm-256color"}
        del environ["COLUMNS"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _MAIN, *arguments], cwd=world.repo, env=environ, stdin=slave, stdout=slave, stderr=slave,
            start_new_session=True, preexec_fn=_interruptible,
        )  # fmt: skip
        os.close(slave)
        self.raw = ""
        self._seen = 0

    @property
    def screen(self) -> str:
        return _SEQUENCE.sub("", self.raw).replace("\r\n", "\n")

    def wait_for(self, text: str) -> None:
        """Until `text` is printed after what was waited for last."""
        while text not in self.screen[self._seen :]:
            assert self._read(), f"ended without {text!r}:\n{self.screen}"
        self._seen = self.screen.index(text, self._seen) + len(text)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def end(self) -> int:
        """The exit code, once the command has ended by itself."""
        while self._read():
            pass
        return self._process.wait(LONGEST_WAIT_S)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], LONGEST_WAIT_S)
        assert ready, f"nothing more was printed:\n{self.screen}"
        try:
            data = os.read(self._master, 65536)
        except OSError:  # how Linux says that the other side is closed
            return False
        self.raw += data.decode("utf-8", "replace")
        return bool(data)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)
