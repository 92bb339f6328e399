"""`jay mcp` inside the real OpenCode and pi: put in by `jay init --mcp`, called by a scripted model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.clients.js_sandbox import OpenCodeSandbox, PiSandbox
from tests.clients.machine import Machine
from tests.clients.pinned import node_modules

pytestmark = pytest.mark.agents

FACT = "The staging deploy needs the vpn job to run first, otherwise the runners can't reach the bastion."
FACT_WORDS = "staging deploy needs the vpn job"
CALL = {"query": "why does the staging deploy not reach the bastion?"}


def prepared(sandbox: OpenCodeSandbox | PiSandbox, name: str) -> None:
    """No hooks: what the model reads of memory comes through the tool."""
    machine = Machine.set_up(sandbox)
    machine.jay("remember", FACT, "--user", "--type", "reference")
    machine.jay("init", name, "--mcp", "--no-hooks", "--yes", "--days", "0")


def recalled(sandbox: OpenCodeSandbox | PiSandbox, tool: str) -> None:
    """The model calls the tool, which is in its list, and reads the memory."""
    sandbox.script({"ask the memory": {"name": tool, "input": CALL}})
    repo = sandbox.home / "acme-api"
    repo.mkdir()
    ran = sandbox.ask(repo, "please ask the memory")
    assert ran.code == 0, ran.output
    assert tool in [one["function"]["name"] for one in ran.requests[0]["tools"]]
    (result,) = (one for one in ran.requests[-1]["messages"] if one["role"] == "tool")
    assert FACT_WORDS in json.dumps(result)


def test_opencode_calls_recall(tmp_path: Path) -> None:
    """By one entry in `opencode.json`."""
    sandbox = OpenCodeSandbox(tmp_path, Path("claude"), client=node_modules("opencode"))
    with sandbox:
        prepared(sandbox, "opencode")
        path = sandbox.config / "opencode.json"
        text = path.read_text(encoding="utf-8")
        path.write_text(
            text.replace('"type": "local",', '"type": "local", "timeout": 60000,'), encoding="utf-8"
        )  # busy
        recalled(sandbox, "scrubjay_recall")


def test_pi_calls_recall(tmp_path: Path) -> None:
    """By one entry in `mcp.json`; `exposure: direct` puts the tool into the request."""
    sandbox = PiSandbox(tmp_path, Path("claude"), client=node_modules("pi"))
    with sandbox:
        prepared(sandbox, "pi")
        recalled(sandbox, "mcp__scrubjay__recall")
