"""The real Gemini CLI and Kimi Code on the machine of `sandbox.py`, in one empty network namespace."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.clients import chat_stub
from tests.clients.pinned import ROOT
from tests.clients.sandbox import TIMEOUT_S, Sandbox

KIMI_CONFIG = """\
# the person's own
default_model = "stub"

[models.stub]
provider = "stub"
model = "stub-model"
max_context_size = 200000

[providers.stub]
type = "openai"
base_url = "http://127.0.0.1:{port}/v1"
api_key = "{key}"
"""
GEMINI_SETTINGS = """\
{
  // the stub
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"sessionRetention": {"enabled": false}} /* it deletes whole sessions */
}
"""


@dataclass
class Ran:
    """One headless run of a client."""

    session: str
    answer: str
    requests: list[dict[str, Any]]
    """Bodies, in order; of this run alone."""

    def shown(self, words: str, request: int = -1) -> int:
        """How often the model reads these words in one request: the system prompt and all messages."""
        body = self.requests[request]
        messages = [*body.get("contents", body.get("messages", [])), body.get("systemInstruction") or {}]
        return sum(text.count(words) for message in messages for text in chat_stub.texts(message))


@dataclass
class HeavySandbox(Sandbox):
    """`binary`: the folder `node_modules`."""

    def __enter__(self) -> HeavySandbox:
        self.home.mkdir(parents=True, exist_ok=True)
        self.script({})
        self.requests_file.touch()
        command = ["unshare", "-rn", sys.executable, "-m", "tests.clients.chat_stub"]
        files = [str(self.requests_file), str(self.folder / "replies.json")]
        self._stub = subprocess.Popen([*command, *files], stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert self._stub.stdout is not None
        self.port = int(self._stub.stdout.readline())
        return self

    @property
    def node(self) -> Path:
        return next(self.binary.glob("node-linux-*/bin/node"))

    def environment(self) -> dict[str, str]:
        env = super().environment()
        return {
            **{key: value for key, value in env.items() if not key.startswith(("ANTHROPIC", "CLAUDE", "DISABLE"))},
            "GEMINI_API_KEY": "-".join(("stub", "key")),
            "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{self.port}",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }

    def client(self, name: str) -> Client:
        """Configured to talk to the stub; `gemini-cli` or `kimi-code`."""
        client = {"gemini-cli": Gemini, "kimi-code": Kimi}[name](self)
        client.config.parent.mkdir(exist_ok=True)
        if not client.config.exists():
            client.config.write_text(client.configuration(), encoding="utf-8")
        return client


@dataclass
class Client:
    """One of the two, in its sandbox."""

    sandbox: HeavySandbox

    @property
    def config(self) -> Path:
        """The file that scrubjay's hooks go into."""
        raise NotImplementedError

    def configuration(self) -> str:
        """What the person's own settings say."""
        raise NotImplementedError

    def argv(self, text: str, session: str) -> list[str]:
        """Arguments of one headless prompt; `session` goes on, "" begins."""
        raise NotImplementedError

    def result(self, stdout: str) -> tuple[str, str]:
        """Session and answer."""
        raise NotImplementedError

    def ask(self, cwd: Path, text: str, session: str = "", *, wrap: tuple[str, ...] = ()) -> Ran:
        """One headless run to its end. Fails when the client does."""
        sandbox = self.sandbox
        before = len(sandbox.requests())
        done = subprocess.run(
            sandbox.inside([*wrap, str(sandbox.node), *self.argv(text, session)]),
            cwd=cwd,
            env=sandbox.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        return Ran(*self.result(done.stdout), sandbox.requests()[before:])


class Gemini(Client):
    """Gemini CLI."""

    @property
    def config(self) -> Path:
        return self.sandbox.home / ".gemini" / "settings.json"

    def configuration(self) -> str:
        return GEMINI_SETTINGS

    def argv(self, text: str, session: str) -> list[str]:
        entry = self.sandbox.binary / "@google" / "gemini-cli" / "bundle" / "gemini.js"
        more = ["--resume", session] if session else []
        # a model is named, or a router is asked first, which wants JSON
        return [str(entry), "-y", "-m", "gemini-2.5-flash", "--output-format", "json", *more, "-p", text]

    def result(self, stdout: str) -> tuple[str, str]:
        result = json.loads(stdout[stdout.index("{") :])
        return str(result["session_id"]), str(result["response"])


class Kimi(Client):
    """Kimi Code."""

    @property
    def config(self) -> Path:
        return self.sandbox.home / ".kimi-code" / "config.toml"

    def configuration(self) -> str:
        return KIMI_CONFIG.format(port=self.sandbox.port, key="-".join(("stub", "key")))

    @property
    def entry(self) -> str:
        return str(self.sandbox.binary / "@moonshot-ai" / "kimi-code" / "dist" / "main.mjs")

    def argv(self, text: str, session: str) -> list[str]:
        return [self.entry, *(["--session", session] if session else []), "-p", text]

    def result(self, stdout: str) -> tuple[str, str]:
        wires = self.sandbox.home.glob(".kimi-code/sessions/*/*/agents/main/wire.jsonl")
        newest = max(wires, key=lambda one: one.stat().st_mtime_ns)
        return newest.parents[2].name, stdout.rpartition("• ")[2].strip()

    def fork(self, cwd: Path, session: str) -> str:
        """`kimi fork`: the new session."""
        sandbox = self.sandbox
        argv = sandbox.inside([str(sandbox.node), self.entry, "fork", "-y", session])
        done = subprocess.run(
            argv,
            cwd=cwd,
            env=sandbox.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        )
        return next(word for word in done.stdout.split() if word.startswith("session_"))
