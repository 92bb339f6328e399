"""scrubjay installed on the sandbox's machine as a person has it: in an environment of its own, apart from this checkout."""

from __future__ import annotations

import atexit
import compileall
import functools
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.home import Home
from scrubjay.hooks import background
from scrubjay.ledger import Ledger
from tests.clients.pinned import ROOT
from tests.clients.sandbox import Conversation, Sandbox

WAIT_S = 60
CONSOLE = "#!{python} -I\nimport sys\nfrom scrubjay.cli.entry import main\nsys.exit(main())\n"


@functools.cache
def _prepared() -> Path:
    """A virtual environment with a copy of the package and its bytecode; its dependencies are those of the running interpreter.
    Made once a process: every machine gets a copy of its own."""
    folder = Path(tempfile.mkdtemp(prefix="scrubjay-machine-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "environment")], check=True)
    packages = _packages(folder / "environment")
    packages.joinpath("dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    shutil.copytree(ROOT / "src" / "scrubjay", packages / "scrubjay", ignore=shutil.ignore_patterns("__pycache__"))
    assert compileall.compile_dir(packages / "scrubjay", quiet=1)
    return folder / "environment"


def _packages(environment: Path) -> Path:
    return next(environment.glob("lib/python*/site-packages"))


@dataclass
class Machine:
    """One sandbox with scrubjay in it."""

    sandbox: Sandbox
    environment: Path

    @classmethod
    def set_up(cls, sandbox: Sandbox) -> Machine:
        """With an environment of its own."""
        machine = cls(sandbox, sandbox.folder / "environment")
        shutil.copytree(_prepared(), machine.environment, symlinks=True)
        machine.program.write_text(CONSOLE.format(python=machine.program.with_name("python")), encoding="utf-8")
        machine.program.chmod(0o755)
        sandbox.home.joinpath(".claude").mkdir(exist_ok=True)
        return machine

    @property
    def package(self) -> Path:
        return _packages(self.environment) / "scrubjay"

    @property
    def program(self) -> Path:
        """`jay`, on nobody's search path."""
        return self.environment / "bin" / "jay"

    @property
    def home(self) -> Home:
        return Home(str(self.sandbox.home / ".scrubjay"))

    @property
    def settings(self) -> Path:
        return self.sandbox.home / ".claude" / "settings.json"

    def jay(self, *arguments: str) -> str:
        """Run a command as the person would; its standard output."""
        program = "import sys; from scrubjay.cli.main import main; sys.argv[0] = 'jay'; main()"
        command = [str(self.environment / "bin" / "python"), "-I", "-c", program, *arguments]
        done = subprocess.run(
            command, env=self.sandbox.environment(), cwd=self.sandbox.home, capture_output=True, text=True, check=False
        )
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return done.stdout

    def repository(self, name: str = "acme-api") -> Path:
        path = self.sandbox.home / name
        if not path.exists():
            subprocess.run(["git", "init", "-q", str(path)], check=True)
        return path

    def settled(self) -> None:
        """Wait until the worker has nothing left to do."""
        end = time.monotonic() + WAIT_S
        while True:
            if os.path.exists(self.home.ledger):
                with Ledger.open(self.home.ledger) as ledger:
                    idle = ledger.waiting() == 0
                    failure = ledger.get("worker.error") if ledger.get("worker.failing_since") else ""
                assert not failure, failure
                if idle and not background.running(self.home):
                    return
            assert time.monotonic() < end, "the worker never came to an end"
            time.sleep(0.02)

    def ended(self, conversation: Conversation) -> None:
        conversation.close()
        self.settled()

    def memories(self) -> dict[str, str]:
        """File name → text of every memory file."""
        found = Path(self.home.memory).rglob("*.md")
        return {path.name: path.read_text(encoding="utf-8") for path in found if path.name != "MEMORY.md"}

    def bytes_written(self) -> Iterator[tuple[str, bytes]]:
        """Every file below the scrubjay home, git's objects unpacked."""
        for path in Path(self.home.root).rglob("*"):
            if path.is_file():
                data = path.read_bytes()
                yield str(path), data
                if "/objects/" in str(path) and len(path.name) == 38:
                    yield str(path) + " (unpacked)", zlib.decompress(data)


def texts(request: dict[str, Any]) -> str:
    """All that the model reads in one request."""
    return str(request["messages"]) + str(request.get("system", ""))
