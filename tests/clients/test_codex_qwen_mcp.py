"""`jay mcp` inside the real Codex and Qwen Code: added by the lines of docs/mcp.md, called by a scripted model."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.clients.hooked_sandbox import HookedSandbox
from tests.clients.machine import Machine
from tests.clients.pinned import PINNED, claude_code, node_modules

pytestmark = pytest.mark.agents

FACT = "The staging deploy needs the vpn job to run first, otherwise the runners can't reach the bastion."
QUERY = {"query": "why does the staging deploy not reach the bastion?"}
FACT_WORDS = "staging deploy needs the vpn job"


@pytest.fixture(scope="module")
def clients() -> tuple[Path, Path]:
    return claude_code(), node_modules("hooked")


@pytest.fixture
def machine(tmp_path: Path, clients: tuple[Path, Path]) -> Iterator[Machine]:
    """No hooks: what the model reads of memory comes through the tool. A `jay` on the person's PATH."""
    with HookedSandbox(tmp_path, clients[0], modules=clients[1]) as sandbox:
        made = Machine.set_up(sandbox)
        sandbox.env["PATH"] = f"{made.program.parent}:{sandbox.env['PATH']}"
        made.jay("remember", FACT, "--user", "--type", "reference")
        yield made


@contextmanager
def calling(sandbox: HookedSandbox, call: dict[str, Any]) -> Iterator[None]:
    """The model calls the tool for "ask the memory"."""
    argv = [sys.executable, "-I", str(PINNED / "stub_calls.py"), str(sandbox.openai_file), json.dumps(call)]
    stub = subprocess.Popen(sandbox.inside(argv), stdout=subprocess.PIPE, text=True)
    try:
        assert stub.stdout is not None
        port = int(stub.stdout.readline())
        config = sandbox.codex_config.read_text(encoding="utf-8").replace(f":{sandbox.openai_port}/", f":{port}/")
        sandbox.codex_config.write_text(config, encoding="utf-8")
        sandbox.env["OPENAI_BASE_URL"] = f"http://127.0.0.1:{port}/v1"
        yield
    finally:
        stub.kill()
        stub.wait()
        assert stub.stdout is not None
        stub.stdout.close()


def add(sandbox: HookedSandbox, *argv: str) -> None:
    subprocess.run(
        sandbox.inside(list(argv)), env=sandbox.environment(), cwd=sandbox.home, check=True, capture_output=True
    )


def test_codex_calls_recall(machine: Machine) -> None:
    """`codex mcp add scrubjay -- jay mcp`: offered as a namespace of the server's, answered with the memory. A single run
    waits for the server when its entry says `required`; a session at a terminal has it from the moment it is up."""
    sandbox = machine.sandbox
    assert isinstance(sandbox, HookedSandbox)
    add(sandbox, str(sandbox.codex), "mcp", "add", "scrubjay", "--", "jay", "mcp")
    with sandbox.codex_config.open("a", encoding="utf-8") as config:  # the entry is the file's last table
        config.write("required = true\nstartup_timeout_sec = 60\n")
    item = {"name": "recall", "namespace": "mcp__scrubjay", "arguments": json.dumps(QUERY)}
    with calling(sandbox, {"when": "ask the memory", "responses": item}):
        ran = sandbox.ask_codex(machine.repository(), "please ask the memory")
    assert ran.code == 0, ran.output
    offered = json.dumps(ran.requests[0]["tools"])
    assert "mcp__scrubjay" in offered
    assert "cite" in offered
    outputs = [one for one in ran.requests[-1]["input"] if one.get("type") == "function_call_output"]
    assert FACT_WORDS in json.dumps(outputs), ran.output


def test_qwen_code_calls_recall(machine: Machine) -> None:
    """`qwen mcp add --scope user scrubjay jay mcp`: announced by name, called through its bridge."""
    sandbox = machine.sandbox
    assert isinstance(sandbox, HookedSandbox)
    add(sandbox, *sandbox.qwen, "mcp", "add", "--scope", "user", "scrubjay", "jay", "mcp")
    function = {"name": "tool_call", "arguments": json.dumps({"name": "mcp__scrubjay__recall", "arguments": QUERY})}
    with calling(sandbox, {"when": "ask the memory", "responses": {}, "chat": function}):
        ran = sandbox.ask_qwen(machine.repository(), "please ask the memory")
    assert ran.code == 0, ran.output
    assert "mcp__scrubjay__recall" in json.dumps(ran.requests[0])
    results = [one for one in ran.requests[-1]["messages"] if one["role"] == "tool"]
    assert FACT_WORDS in json.dumps(results), json.dumps(results)
