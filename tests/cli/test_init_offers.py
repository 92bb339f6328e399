"""What `jay init` offers beside hooks: our MCP server in each client, and the import of what agents keep. On request only."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.cli.world import World

NOTE = "---\nname: {0}\ndescription: about {0}\ntype: project\n---\n\n{1}\n"
KEPT = {
    "Mail queue": "The mail queue is drained by the worker in eu-west, and only there.",
    "Fixtures": "Test fixtures are made by scripts/fixtures.py out of the staging dump.",
    "Licence header": "Generated protobuf files carry no licence header.",
}
CLAUDE = '{\n  "numStartups": 3,\n  "mcpServers": {"docs": {"command": "docs"}}\n}'
SETTINGS = '{\n  "autoMemoryEnabled": true,\n  "env": {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "0"}\n}\n'
"""Both switches of Claude Code's own memory, set by the person."""
BUILT_IN = 75


@pytest.fixture
def machine(fresh: World) -> World:
    """Claude Code with a memory of its own and a server of somebody else's, and Codex."""
    home = Path(fresh.home)
    (home / ".claude.json").write_text(CLAUDE)
    (home / ".claude" / "settings.json").write_text(SETTINGS)
    folder = home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", fresh.repo) / "memory"
    folder.mkdir(parents=True)
    for number, (name, said) in enumerate(KEPT.items()):
        (folder / f"note-{number}.md").write_text(NOTE.format(name, said))
    return fresh


def files(world: World) -> dict[str, bytes]:
    """Everything in the home folder that is not ours."""
    found = (path for path in Path(world.home).rglob("*") if path.is_file() and not path.is_relative_to(world.store))
    return {str(path): path.read_bytes() for path in found}


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


def test_both_are_offered_and_not_ticked(machine: World) -> None:
    """--yes takes hooks only: no client's servers change, nothing is brought over; the offer names clients and counts."""
    done = machine.jay("init", "--yes", "--days", "0")
    assert done.code == 0
    assert "[ ] the memory as tools, by our MCP server (--mcp)" in lines(done.out)
    assert "Claude Code, Codex, Qwen Code" in lines(done.out)
    assert "[ ] what agents keep themselves (--import)" in lines(done.out)
    assert "Claude Code 3 notes" in lines(done.out)
    assert Path(machine.home, ".claude.json").read_text() == CLAUDE
    assert machine.jay("list", "--everywhere", "--all", "--json").json["memories"] == []


def test_a_dry_run_shows_what_they_would_change(machine: World) -> None:
    """The entry as a diff, the notes by name, and no byte is written."""
    before = files(machine)
    done = machine.jay("init", "--mcp", "--import", "--days", "0", "--dry-run")
    assert f"+++ {machine.home}/.claude.json" in lines(done.out)
    assert f'"command": "{machine.store}/bin/jay",' in done.out
    assert "Would bring over 3, 0 wait for review" in " ".join(done.out.split())
    assert "+ Fixtures" in done.out
    assert files(machine) == before
    assert not os.path.exists(machine.store)


def test_on_request_they_are_in_and_work_and_go_again(machine: World) -> None:
    """Doctor starts the server and says whose notes are whose; `jay uninstall mcp` leaves hooks; all out: the old bytes."""
    before = files(machine)
    told = machine.jay("init", "--mcp", "--import", "--yes", "--days", "0", "--json").json
    assert [(one["agent"], one["standing"]) for one in told["mcp"]] == [
        ("claude-code", "free"), ("codex", "free"), ("qwen-code", "free")
    ]  # fmt: skip
    assert told["notes"] == {"claude-code": 3}
    assert len(told["imported"]["created"]) == 3
    entry = json.loads(Path(machine.home, ".claude.json").read_text())["mcpServers"]
    assert list(entry) == ["docs", "scrubjay"]
    assert entry["scrubjay"]["alwaysLoad"] is True
    checks = [(one["name"], one["state"], one["detail"]) for one in machine.jay("doctor", "--json").json["checks"]]
    servers = [(name, state) for name, state, _ in checks if name.endswith("(MCP)")]
    assert servers == [("Claude Code (MCP)", "ok"), ("Codex (MCP)", "ok"), ("Qwen Code (MCP)", "ok")]
    own = "two memories: its own has 3 notes, brought over; ours has what you said; neither writes into the other"
    assert ("Claude Code", "ok", own) in checks
    again = machine.jay("init", "--mcp", "--import", "--yes", "--days", "0", "--json").json
    assert (again["changed"], again["notes"], {one["standing"] for one in again["mcp"]}) == ([], {}, {"in"})
    assert machine.jay("uninstall", "mcp").code == 0
    assert Path(machine.home, ".claude.json").read_text() == CLAUDE
    assert "scrubjay" in Path(machine.home, ".claude", "settings.json").read_text()
    assert machine.jay("uninstall").code == 0
    assert files(machine) == before


def test_a_client_that_can_only_have_the_server(machine: World) -> None:
    """By its name, without hooks and without learning; where it never ran it is an error."""
    assert machine.jay("init", "cursor", "--mcp", "--yes").code == 2
    Path(machine.home, ".cursor").mkdir()
    assert machine.jay("init", "cursor", "--yes").code == 2, "without --mcp there is nothing for it"
    told = machine.jay("init", "cursor", "--mcp", "--yes", "--json").json
    assert [one["path"] for one in told["changed"]] == [f"{machine.home}/.cursor/mcp.json"]
    assert told["learnt"] is None
    assert machine.jay("uninstall", "cursor").code == 0
    assert list(Path(machine.home, ".cursor").iterdir()) == []


def test_asked_on_a_terminal(machine: World) -> None:
    """One question each; the entry is summed up before the yes to all of it."""
    with Terminal(machine, "init") as terminal:
        terminal.wait_for("Enter goes on: ")
        terminal.press("\n")
        terminal.wait_for("Trust our hooks in Codex?")
        terminal.press("\n")
        terminal.wait_for("As an MCP server in Claude Code, Codex, Qwen Code")
        terminal.wait_for("too? [y/N]: ")
        terminal.press("y\n")
        terminal.wait_for("our MCP server, which lets the model search and keep memories")
        terminal.wait_for("the whole difference: ")
        terminal.press("\n")
        terminal.wait_for("(0: none) [90]: ")
        terminal.press("0\n")
        terminal.wait_for("Claude Code 3 notes")
        terminal.wait_for("Bring them over, too? [y/N]: ")
        terminal.press("y\n")
        terminal.wait_for("Brought over 3")
        assert terminal.end() == 0
    assert "scrubjay" in Path(machine.home, ".claude.json").read_text()


def test_the_agents_own_memory_stays_on_and_readable(machine: World) -> None:
    """75 notes that Claude Code keeps, and both of its switches: setting up changes neither and offers to bring the notes over;
    taken out again every byte of the agent's home is as before."""
    folder = next(Path(machine.home, ".claude", "projects").glob("*/memory"))
    for number in range(3, BUILT_IN):
        (folder / f"note-{number}.md").write_text(
            NOTE.format(f"Queue {number}", f"Queue {number} is drained on h{number}.")
        )
    before = files(machine)
    done = machine.jay("init", "claude-code", "--yes", "--days", "0")
    assert f"Claude Code {BUILT_IN} notes" in lines(done.out)
    settings = json.loads(Path(machine.home, ".claude", "settings.json").read_text())
    assert {key: value for key, value in settings.items() if key != "hooks"} == json.loads(SETTINGS)
    notes = {path: data for path, data in before.items() if "/memory/" in path}
    assert len(notes) == BUILT_IN
    assert {path: data for path, data in files(machine).items() if "/memory/" in path} == notes
    assert machine.jay("uninstall").code == 0
    assert files(machine) == before
