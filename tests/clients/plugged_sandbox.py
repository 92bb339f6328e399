"""Hermes and OpenClaw, with a plugin of ours inside, on the machine of `sandbox.py` and in its empty network namespace."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.clients import chat_stub
from tests.clients.pinned import ROOT
from tests.clients.sandbox import TIMEOUT_S, Sandbox


@dataclass
class Ran:
    """One headless run of a client."""

    session: str
    answer: str
    requests: list[dict[str, Any]]
    """Bodies, in order; of this run alone."""
    code: int
    output: str

    def shown(self, words: str, request: int = -1) -> int:
        """How often the model reads these words in one request: the system prompt and all messages."""
        assert self.requests, self.output
        messages = self.requests[request]["messages"]
        return sum(text.count(words) for message in messages for text in chat_stub.texts(message))

    def all(self, request: int = -1) -> str:
        """All that the model reads in one request, results of tools included."""
        return json.dumps(self.requests[request]["messages"], ensure_ascii=False)


@dataclass
class PluggedSandbox(Sandbox):
    """`Sandbox` with a chat completions API beside Claude Code's, and one more client that talks to it."""

    client: Path = field(default_factory=Path)
    """Where that client is installed."""
    chat_port: int = 0
    patience_s: int = TIMEOUT_S
    _chat: subprocess.Popen[str] | None = None

    def __enter__(self) -> PluggedSandbox:
        super().__enter__()
        self.chat_file.touch()
        program = [
            sys.executable,
            "-m",
            "tests.clients.chat_stub",
            str(self.chat_file),
            str(self.folder / "replies.json"),
        ]
        self._chat = subprocess.Popen(self.inside(program), stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert self._chat.stdout is not None
        self.chat_port = int(self._chat.stdout.readline())
        self.configure()
        return self

    def __exit__(self, *error: object) -> None:
        assert self._chat is not None
        self._chat.kill()
        self._chat.wait()
        assert self._chat.stdout is not None
        self._chat.stdout.close()
        super().__exit__(*error)

    @property
    def chat_file(self) -> Path:
        return self.folder / "chat.jsonl"

    def configure(self) -> None:
        """Write what the client needs to run at all."""
        raise NotImplementedError

    def ask(self, cwd: Path, text: str, session: str = "", wrap: tuple[str, ...] = ()) -> Ran:
        """One headless prompt; `session` goes on, "" begins."""
        raise NotImplementedError

    def run(
        self, cwd: Path, argv: list[str], **env: str
    ) -> tuple[subprocess.CompletedProcess[str], list[dict[str, Any]]]:
        """Run the client; what it printed, and the bodies of its requests."""
        before = len(self.chat_file.read_text(encoding="utf-8").splitlines())
        done = subprocess.run(
            self.inside(argv),
            cwd=cwd,
            env={**self.environment(), **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=self.patience_s,
            check=False,
        )
        lines = self.chat_file.read_text(encoding="utf-8").splitlines()[before:]
        return done, [json.loads(line)["body"] for line in lines]


HERMES_CONFIG = """\
# the person's own
model:
  default: stub-model   # the stub answers as this one
  provider: custom
  base_url: "http://127.0.0.1:{port}/v1"
  api_key: {key}
  context_length: 200000
memory:
    nudge_interval: 0
agent:
  environment_probe: false
security:
  redact_secrets: true
"""


@dataclass
class HermesSandbox(PluggedSandbox):
    """`client`: its virtual environment."""

    @property
    def hermes_home(self) -> Path:
        return self.home / ".hermes"

    @property
    def config(self) -> Path:
        return self.hermes_home / "config.yaml"

    def configure(self) -> None:
        self.hermes_home.mkdir(exist_ok=True)
        text = HERMES_CONFIG.format(port=self.chat_port, key="-".join(("stub", "key")))
        self.config.write_text(text, encoding="utf-8")
        # at each start the client would install a package, and wait for the network that isn't there
        self.env["HERMES_DISABLE_LAZY_INSTALLS"] = "1"

    def ask(self, cwd: Path, text: str, session: str = "", wrap: tuple[str, ...] = ()) -> Ran:
        """`hermes chat -q`."""
        more = ["--resume", session] if session else []
        argv = [*wrap, str(self.client / "bin" / "hermes"), "chat", "-Q", "--yolo", *more, "-q", text]
        done, requests = self.run(cwd, argv, HERMES_ACCEPT_HOOKS="1")
        return Ran(session or self.newest(), done.stdout.strip(), requests, done.returncode, done.stdout + done.stderr)

    def newest(self) -> str:
        """Id of the session that was begun last."""
        with sqlite3.connect(self.hermes_home / "state.db") as db:
            row = db.execute("SELECT id FROM sessions ORDER BY started_at DESC LIMIT 1").fetchone()
        return str(row[0]) if row else ""


@dataclass
class OpenClawSandbox(PluggedSandbox):
    """`client`: the folder with its `node_modules`. A repository is a workspace, named in the settings before each turn."""

    patience_s: int = 400

    @property
    def state(self) -> Path:
        return self.home / ".openclaw"

    @property
    def config(self) -> Path:
        return self.state / "openclaw.json"

    def configure(self) -> None:
        self.state.mkdir(exist_ok=True)
        cost = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
        limits = {"contextWindow": 200_000, "maxTokens": 4096}
        model = {"id": "stub-model", "name": "stub", "reasoning": False, "input": ["text"], "cost": cost, **limits}
        base_url = f"http://127.0.0.1:{self.chat_port}/v1"
        provider = {"baseUrl": base_url, "apiKey": "-".join(("stub", "key")), "api": "openai-completions"}
        agents: dict[str, Any] = {name: {"workspace": str(self.home / name)} for name in ("acme-api", "shop")}
        agents["acme-api"]["default"] = True
        values = {
            "agents": {"defaults": {"skipBootstrap": True, "model": {"primary": "stub/stub-model"}}, "entries": agents},
            "models": {"providers": {"stub": {**provider, "models": [model]}}},
            "memory": {"search": {"provider": "none"}},
            "gateway": {"mode": "local"},
        }
        self.config.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")

    def ask(self, cwd: Path, text: str, session: str = "", wrap: tuple[str, ...] = ()) -> Ran:
        """`openclaw agent --local`, with the agent that is called as the repository is."""
        session = session or str(uuid.uuid4())
        modules = self.client / "node_modules"
        node = next(modules.glob("node-*-*/bin/node"))
        argv = [*wrap, str(node), str(modules / "openclaw" / "openclaw.mjs"), "agent", "--local", "--agent", cwd.name]
        path = f"{node.parent}:{self.environment()['PATH']}"
        done, requests = self.run(cwd, [*argv, "--session-id", session, "--message", text], PATH=path)
        return Ran(session, done.stdout.strip(), requests, done.returncode, done.stdout + done.stderr)
