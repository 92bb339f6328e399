"""The real Gemini CLI and Kimi Code in an empty network namespace: `make test-agents-all`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.clients import chat_stub
from tests.clients.sandbox import CLIENTS, PINNED, ROOT, TIMEOUT_S, Sandbox


def install() -> Path:
    """The pinned clients below `.clients/heavy/`, from npm by the lock file when they aren't there; that folder."""
    folder, pinned = CLIENTS / "heavy", PINNED / "heavy"
    lock, installed = pinned / "package-lock.json", folder / "package-lock.json"
    modules = folder / "node_modules"
    if not (installed.is_file() and installed.read_bytes() == lock.read_bytes() and modules.is_dir()):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(pinned / "package.json", folder)
        command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        shutil.copy(lock, installed)
        subprocess.run(command, cwd=folder, check=True, timeout=600)
    return modules


@dataclass
class Turn:
    """One headless run of a client."""

    session: str
    answer: str
    requests: list[dict[str, Any]]
    """Bodies, in order; of this run alone."""

    def shown(self, words: str, request: int = 0) -> int:
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
        self.configure()
        return self

    def configure(self) -> None:
        """Write what the client needs to run at all."""
        raise NotImplementedError

    def argv(self, text: str, session: str) -> list[str]:
        """The client's arguments for one headless prompt; `session` goes on, "" begins."""
        raise NotImplementedError

    def session_of(self, stdout: str, stderr: str) -> tuple[str, str]:
        """Session and answer, from what a run printed."""
        raise NotImplementedError

    @property
    def node(self) -> Path:
        return next(self.binary.glob("node-*-*/bin/node"))

    def environment(self) -> dict[str, str]:
        env = super().environment()
        return {key: value for key, value in env.items() if not key.startswith(("ANTHROPIC", "CLAUDE", "DISABLE"))}

    def ask(self, cwd: Path, text: str, session: str = "") -> Turn:
        """One headless run to its end. Fails when the client does."""
        before = len(self.requests())
        done = subprocess.run(
            self.inside([str(self.node), *self.argv(text, session)]),
            cwd=cwd,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        session, answer = self.session_of(done.stdout, done.stderr)
        return Turn(session, answer, self.requests()[before:])


@dataclass
class Gemini(HeavySandbox):
    """Gemini CLI."""

    settings: str = ".gemini/settings.json"

    def configure(self) -> None:
        path = self.home / self.settings
        path.parent.mkdir(exist_ok=True)
        values = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"sessionRetention": {"enabled": False}},
        }
        path.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")

    def environment(self) -> dict[str, str]:
        return {
            **super().environment(),
            "GEMINI_API_KEY": "-".join(("stub", "key")),
            "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{self.port}",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            **self.env,
        }

    def argv(self, text: str, session: str) -> list[str]:
        entry = self.binary / "@google" / "gemini-cli" / "bundle" / "gemini.js"
        more = ["--resume", session] if session else []
        # another model is found by a request to a router first, which wants JSON
        return [str(entry), "-y", "-m", "gemini-2.5-flash", "--output-format", "json", *more, "-p", text]

    def session_of(self, stdout: str, stderr: str) -> tuple[str, str]:
        result = json.loads(stdout[stdout.index("{") :])
        return str(result["session_id"]), str(result["response"])


@dataclass
class Kimi(HeavySandbox):
    """Kimi Code."""

    settings: str = ".kimi-code/config.toml"

    def configure(self) -> None:
        path = self.home / self.settings
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            f"""# the person's own
default_model = "stub"

[models.stub]
provider = "stub"
model = "stub-model"
max_context_size = 200000

[providers.stub]
type = "openai"
base_url = "http://127.0.0.1:{self.port}/v1"
api_key = "{"-".join(("stub", "key"))}"
""",
            encoding="utf-8",
        )

    def argv(self, text: str, session: str) -> list[str]:
        entry = self.binary / "@moonshot-ai" / "kimi-code" / "dist" / "main.mjs"
        return [str(entry), *(["--session", session] if session else []), "-p", text]

    def session_of(self, stdout: str, stderr: str) -> tuple[str, str]:
        newest = max(
            self.home.glob(".kimi-code/sessions/*/*/agents/main/wire.jsonl"), key=lambda one: one.stat().st_mtime_ns
        )
        return newest.parents[2].name, stdout.strip()
