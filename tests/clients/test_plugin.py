"""One plugin directory, installed by the real Claude Code, Codex and Qwen Code with their own commands: hooks, MCP server and
skill work in each, and the hook tells the three clients apart."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.ledger import Ledger
from tests.clients.hooked_sandbox import HookedSandbox
from tests.clients.machine import Machine
from tests.clients.stub_openai import WAIT
from tests.clients.test_codex_qwen import RULE, RULE_WORDS, clients, hooked

pytestmark = pytest.mark.agents

__all__ = ["clients"]


@pytest.fixture
def machine(tmp_path: Path, clients: tuple[Path, Path]) -> Iterator[Machine]:
    """With `jay` on the path, as the plugin's MCP server needs it."""
    with HookedSandbox(tmp_path, clients[0], modules=clients[1]) as sandbox:
        sandbox.env["SCRUBJAY_LEARN_HEADLESS"] = "active"
        sandbox.env["MCP_CONNECT_TIMEOUT_MS"] = "60000"  # a busy machine
        made = Machine.set_up(sandbox)
        programs = made.program.parent
        (programs / "claude").symlink_to(sandbox.binary)
        (programs / "qwen").write_text('#!/bin/sh\nexec {} {} "$@"\n'.format(*sandbox.qwen), encoding="utf-8")
        (programs / "qwen").chmod(0o755)
        sandbox.env["PATH"] = f"{programs}:{sandbox.env['PATH']}"
        yield made


def test_three_clients_install_one_directory(machine: Machine) -> None:
    """Said in Claude Code, the rule is at the start of a session of each: once, with the tools and the skill."""
    sandbox, repo = hooked(machine), machine.repository()
    told = json.loads(machine.jay("plugin", "--json"))
    for name, lines in told["commands"].items():
        for line in lines:
            done = subprocess.run(
                sandbox.inside(["sh", "-c", line]), cwd=repo, env=sandbox.environment(), stdin=subprocess.DEVNULL,
                capture_output=True, text=True, timeout=120, check=False,
            )  # fmt: skip
            assert done.returncode == 0, f"{name}: {line}\n{done.stdout}{done.stderr}"
    sandbox.prompt(repo, RULE)
    machine.settled()
    assert any(RULE_WORDS in text for text in machine.memories().values())

    claude = sandbox.requests(str(sandbox.prompt(repo, "hi")["session_id"]))[0]
    # Codex doesn't wait for a server that takes long to start: it has the tools with a later request of the turn
    codex = sandbox.ask_codex(repo, WAIT, "--dangerously-bypass-hook-trust")
    qwen = sandbox.ask_qwen(repo, "hi")
    bodies = {"claude-code": claude, "codex": codex.requests[-1], "qwen-code": qwen.requests[-1]}
    for name, body in bodies.items():
        whole = json.dumps(body)
        assert whole.count(RULE_WORDS) == 1, name
        assert "scrubjay:scrubjay" in whole, name
        assert ("mcp__plugin_scrubjay_scrubjay" if name == "claude-code" else "mcp__scrubjay") in whole, name
    machine.settled()
    with Ledger.open(machine.home.ledger) as ledger:
        assert {agent for agent, _event in ledger.last_events()} >= {"claude-code", "codex", "qwen-code"}
