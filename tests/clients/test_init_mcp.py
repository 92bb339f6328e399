"""The entry of `jay init --mcp`, as the real Claude Code, Codex and Qwen Code themselves read it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.hooked_sandbox import HookedSandbox
from tests.clients.machine import Machine
from tests.clients.pinned import claude_code, node_modules

pytestmark = pytest.mark.agents


@pytest.fixture(scope="module")
def clients() -> tuple[Path, Path]:
    return claude_code(), node_modules("hooked")


@pytest.fixture
def machine(tmp_path: Path, clients: tuple[Path, Path]) -> Iterator[Machine]:
    with HookedSandbox(tmp_path, clients[0], modules=clients[1]) as sandbox:
        yield Machine.set_up(sandbox)


def asked(machine: Machine, *argv: str) -> str:
    """What the client says about its servers."""
    sandbox = machine.sandbox
    done = subprocess.run(
        sandbox.inside(list(argv)),
        env=sandbox.environment(),
        cwd=sandbox.home,
        capture_output=True,
        text=True,
        check=True,
    )
    return " ".join(done.stdout.split())


@pytest.mark.parametrize("moved", [False, True])
def test_claude_code_connects(machine: Machine, moved: bool) -> None:
    """To the server of the person's own configuration, also where `CLAUDE_CONFIG_DIR` moves it."""
    if moved:
        folder = machine.sandbox.folder / "config"
        folder.mkdir()
        machine.sandbox.env["CLAUDE_CONFIG_DIR"] = str(folder)
    machine.jay("init", "claude-code", "--mcp", "--no-hooks", "--yes", "--days", "0")
    told = asked(machine, str(machine.sandbox.binary), "mcp", "get", "scrubjay")
    assert "User config" in told
    assert "Connected" in told


def test_codex_and_qwen_code_have_it_beside_hooks(machine: Machine) -> None:
    """Both clients still read their files, list the server, and have the old bytes after `jay uninstall`."""
    sandbox = machine.sandbox
    assert isinstance(sandbox, HookedSandbox)
    asked(machine, *sandbox.qwen, "mcp", "list")  # writes its version into the settings, once
    files = (sandbox.codex_config, sandbox.qwen_settings)
    before = [path.read_bytes() for path in files]
    machine.jay("init", "codex", "qwen-code", "--mcp", "--trust", "--yes", "--days", "0")
    told = asked(machine, str(sandbox.codex), "mcp", "get", "scrubjay")
    assert "enabled: true" in told
    assert f"command: {machine.home.root}/bin/jay args: mcp" in told
    assert "scrubjay" in (listed := asked(machine, *sandbox.qwen, "mcp", "list"))
    assert "Connected" in listed
    machine.jay("uninstall")
    assert [path.read_bytes() for path in files] == before
