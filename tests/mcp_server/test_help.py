"""What `jay mcp` says of itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.mcp_server.clients import CLIENTS
from tests.cli.world import World

DOCS = Path(__file__).parents[2] / "docs" / "mcp.md"


def test_help_and_docs_have_each_clients_line(home: str, tmp_path: Path) -> None:
    """Word for word, brackets included; `--json` for scripts."""
    machine = World(home=home, repo=str(tmp_path))
    shown = " ".join(machine.jay("mcp", "--help", env={"COLUMNS": "400"}).out.split())
    page = DOCS.read_text(encoding="utf-8")
    for name, line in CLIENTS:
        assert f"{name}: {line}" in shown
        assert f"`{line}`" in page or "HTTP" in name
    assert machine.jay("mcp", "--json").json["clients"] == dict(CLIENTS)


@pytest.mark.parametrize("package", ["mcp", "anyio"])
def test_without_the_extra_it_says_what_to_install(home: str, package: str) -> None:
    """One sentence, exit code 2, and no other command needs it."""
    program = f"import sys; sys.modules[{package!r}] = None; from scrubjay.cli.entry import main; main()"
    done = subprocess.run([sys.executable, "-c", program, "mcp"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'scrubjay[mcp]'" in done.stderr
    done = subprocess.run([sys.executable, "-c", program, "list"], capture_output=True, text=True, check=False)
    assert done.returncode == 1, "no memories"
