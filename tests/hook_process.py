"""Runs a hook as the client does: a whole process through the shim, a payload of the real client on standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).parent / "fixtures" / "hooks"
PAYLOADS = RECORDED / "claude-code"
SOURCE = Path(__file__).parents[1] / "src"
PROGRAM = "import sys; sys.path.insert(0, sys.argv.pop(1)); from scrubjay.hook import main; sys.exit(main())"


@dataclass(frozen=True)
class Ended:
    """What the client sees of a hook."""

    code: int
    stdout: str
    stderr: str

    @property
    def output(self) -> dict[str, Any]:
        """The JSON on standard output; {} when it is empty."""
        value = json.loads(self.stdout) if self.stdout else {}
        assert isinstance(value, dict)
        return value

    @property
    def context(self) -> str:
        """The text for the model."""
        return str(self.output.get("hookSpecificOutput", {}).get("additionalContext", ""))

    @property
    def notice(self) -> str:
        """The line for the person."""
        return str(self.output.get("systemMessage", ""))


SILENCE = Ended(0, "", "")


def payload(name: str, home: Path, *, agent: str = "claude-code", **changes: Any) -> dict[str, Any]:
    """A recorded payload with its scratch home replaced by `home`; None removes a key."""
    text = (RECORDED / agent / f"{name}.json").read_text(encoding="utf-8")
    text = text.replace("{{home}}", str(home)).replace("{{slug}}", "-h")
    values = {**json.loads(text), **changes}
    return {key: value for key, value in values.items() if value is not None}


def environment(home: Path, **more: str) -> dict[str, str]:
    """As a client's hook gets it: nothing of ours but the home."""
    return {
        "HOME": str(home),
        "SCRUBJAY_HOME": str(home / ".scrubjay"),
        "PATH": os.environ["PATH"],
        "CLAUDECODE": "1",
        "CLAUDE_CODE_CHILD_SESSION": "1",
        **more,
    }


def command(event: str) -> list[str]:
    """The hook's own command line, as the shim runs it."""
    return [sys.executable, "-I", "-S", "-c", PROGRAM, str(SOURCE), "claude-code", event]


def run(event: str, data: bytes | dict[str, Any], env: dict[str, str], argv: list[str] | None = None) -> Ended:
    """One hook process; `argv` replaces the command line."""
    stdin = data if isinstance(data, bytes) else json.dumps(data).encode()
    done = subprocess.run(argv or command(event), input=stdin, env=env, capture_output=True, timeout=60, cwd="/")
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())
