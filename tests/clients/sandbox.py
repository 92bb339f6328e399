"""The real Claude Code in an empty network namespace: one stub API, as many sessions as a test opens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from tests.clients.pinned import CLIENTS

TIMEOUT_S = 120


@dataclass
class Sandbox:
    """A machine of one person: a home folder, the stub API, and no network."""

    folder: Path
    binary: Path
    port: int = 0
    env: dict[str, str] = field(default_factory=dict)
    _stub: subprocess.Popen[str] | None = None

    def __enter__(self) -> Sandbox:
        self.home.mkdir(parents=True, exist_ok=True)
        self.script({})
        self.requests_file.touch()
        command = ["unshare", "-rn", sys.executable, "-I", str(Path(__file__).parent / "stub.py")]
        files = [str(self.requests_file), str(self.folder / "replies.json")]
        self._stub = subprocess.Popen([*command, *files], stdout=subprocess.PIPE, text=True)
        assert self._stub.stdout is not None
        self.port = int(self._stub.stdout.readline())
        return self

    def __exit__(self, *error: object) -> None:
        assert self._stub is not None
        self._stub.kill()
        self._stub.wait()
        assert self._stub.stdout is not None
        self._stub.stdout.close()

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def requests_file(self) -> Path:
        return self.folder / "requests.jsonl"

    def script(self, replies: dict[str, Any]) -> None:
        """What the model answers from now on, by a substring of the last user text (see stub.py)."""
        (self.folder / "replies.json").write_text(json.dumps(replies), encoding="utf-8")

    def requests(self, session: str = "") -> list[dict[str, Any]]:
        """The bodies of the requests so far, of one session or of all."""
        records = [json.loads(line) for line in self.requests_file.read_text(encoding="utf-8").splitlines()]
        return [record["body"] for record in records if session in ("", record["session"])]

    def environment(self) -> dict[str, str]:
        """A clean environment: nothing of the caller's but the path of programs."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self.port}",
            "ANTHROPIC_API_KEY": "-".join(("stub", "key")),
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_MAX_RETRIES": "1",
            "NODE_COMPILE_CACHE": str(CLIENTS / "node-compile-cache"),  # a quarter of the start of some
            **self.env,
        }

    def inside(self, argv: list[str]) -> list[str]:
        """`argv` in the namespace of the stub."""
        assert self._stub is not None
        return ["nsenter", "--preserve-credentials", "-U", "-n", "-t", str(self._stub.pid), "--", *argv]

    def prompt(self, cwd: Path, text: str, *options: str, wrap: tuple[str, ...] = ()) -> dict[str, Any]:
        """One headless run: `claude -p`, behind the command `wrap`. The client's result object."""
        argv = self.inside([*wrap, str(self.binary), "-p", "--output-format", "json", *options, "--", text])
        done = subprocess.run(
            argv,
            cwd=cwd,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        result = json.loads(done.stdout)
        assert isinstance(result, dict)
        return result

    def open(self, cwd: Path, *options: str) -> Conversation:
        """A session that stays open over several prompts."""
        argv = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose", *options]
        process = subprocess.Popen(
            self.inside([str(self.binary), *argv]),
            cwd=cwd,
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        return Conversation(self, process, process.stdin, process.stdout)


@dataclass
class Conversation:
    """One running client. `say` waits for the end of the turn."""

    sandbox: Sandbox
    process: subprocess.Popen[str]
    stdin: IO[str]
    stdout: IO[str]
    session: str = ""

    def say(self, text: str) -> dict[str, Any]:
        """Type `text`; the result event of the turn."""
        message = {"role": "user", "content": [{"type": "text", "text": text}]}
        self.stdin.write(json.dumps({"type": "user", "message": message}) + "\n")
        self.stdin.flush()
        for line in self.stdout:
            event = json.loads(line)
            self.session = event.get("session_id", self.session)
            if event.get("type") == "result":
                assert not event.get("is_error"), event
                assert isinstance(event, dict)
                return event
        raise AssertionError(f"the client ended with {self.process.wait()} before the turn was over")

    def requests(self) -> list[dict[str, Any]]:
        return self.sandbox.requests(self.session)

    def close(self) -> None:
        self.stdin.close()
        self.process.wait(timeout=TIMEOUT_S)
        self.stdout.close()

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
