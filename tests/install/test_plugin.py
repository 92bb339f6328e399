"""The plugin directory: what it holds, and that its hooks reach the shim or end in silence."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import scrubjay
from scrubjay.home import Home
from scrubjay.install import plugin, state, uninstall

FOLDER = Path(plugin.folder())


def test_its_files_agree_with_each_other_and_with_the_package() -> None:
    """One name, one version, one entry an event, and the command of the MCP server."""
    manifest = json.loads((FOLDER / ".claude-plugin" / "plugin.json").read_text())
    market = json.loads((FOLDER / ".claude-plugin" / "marketplace.json").read_text())
    assert manifest["version"] == scrubjay.__version__
    assert [one["name"] for one in market["plugins"]] == [manifest["name"]] == ["scrubjay"]
    assert manifest["mcpServers"]["scrubjay"]["args"] == ["mcp"]
    hooks = json.loads((FOLDER / "hooks" / "hooks.json").read_text())["hooks"]
    assert tuple(hooks) == plugin.EVENTS
    for event, groups in hooks.items():
        (handler,) = groups[0]["hooks"]
        assert handler["command"] == f'sh "${{CLAUDE_PLUGIN_ROOT}}/bin/hook" {event}'


def test_its_hook_is_silent_without_scrubjay(tmp_path: Path) -> None:
    """Installed by somebody who has no `jay`: every prompt goes on."""
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["sh", str(FOLDER / "bin" / "hook"), "Stop"], input=b"{}", env=env, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_prepared_and_forgotten(tmp_path: Path) -> None:
    """The time of the first preparation counts; uninstall makes the shim silent."""
    home = Home(str(tmp_path / "jay"))
    plugin.prepare(home)
    plugin.prepare(home)
    (row,) = state.installed(home)
    assert (row.agent, row.events) == ("plugin", plugin.EVENTS)
    uninstall(home)
    assert state.installed(home) == []
    assert "exec" not in Path(home.shim).read_text()
