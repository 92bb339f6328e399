"""`jay import`: what the person sees of it."""

from __future__ import annotations

import os
from pathlib import Path

from scrubjay.hooks.claude_memory import slug
from tests.cli.world import World
from tests.importing.kept import CLAUDE, SECRET


def keep(world: World, name: str, body: str, kind: str = "project") -> str:
    """A memory of Claude Code for the project."""
    path = Path(world.home, ".claude/projects", slug(world.repo), "memory", f"{name}.md")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(CLAUDE.format(name=name, description="about it", type=kind, body=body))
    return str(path)


def test_one_screen_says_what_came_and_what_did_not(fresh: World) -> None:
    """New, waiting, refused with file and line, broken; then the way back, which works."""
    keep(fresh, "vpn", "Deploys fail unless the `vpn` job ran before.")
    keep(fresh, "short", "Keep answers to three sentences.", "feedback")
    keep(fresh, "token", f"The token is {SECRET} for CI.")
    Path(keep(fresh, "broken", "x")).write_bytes(b"\xff")
    done = fresh.jay("import", "claude-code")
    assert done.code == 0
    for words in ("claude-code 3", "Brought over 1", "1 wait for review", "+ vpn", "? short", "refused ~/.claude",
                  "token.md:11", "broken ~/.claude", "broken.md:1", "jay undo"):  # fmt: skip
        assert words in " ".join(done.out.split()), words
    assert SECRET not in done.out + done.err
    rows = fresh.jay("list", "--json", "--all").json["memories"]
    assert sorted((row["by"], row["status"]) for row in rows) == [
        ("imported:claude-code", "active"),
        ("imported:claude-code", "pending"),
    ]
    assert (
        "claude-code, in no session"
        in fresh.jay("why", next(row["id"] for row in rows if row["status"] == "active")).out
    )
    undo = fresh.jay("import", "--json").json["undo"] or done.out.split("jay undo ")[1].split()[0]
    assert fresh.jay("undo", undo).code == 0
    assert fresh.jay("list", "--json", "--all").json["memories"] == []


def test_a_dry_run_writes_nothing(fresh: World) -> None:
    """And says so in its words and in JSON."""
    keep(fresh, "vpn", "Deploys fail unless the `vpn` job ran before.")
    assert "Would bring over 1" in fresh.jay("import", "--dry-run").out
    found = fresh.jay("import", "--dry-run", "--json").json
    assert (found["dry_run"], found["undo"], len(found["created"])) == (True, "", 1)
    assert not os.path.exists(os.path.join(fresh.store, "memory"))


def test_nothing_kept_and_unknown_names(fresh: World) -> None:
    """A sentence; an unknown agent and a missing file end with 2 and say what is known."""
    assert fresh.jay("import").out.startswith("No agent on this machine keeps a memory")
    agent, file = fresh.jay("import", "cursr"), fresh.jay("import", "./MISSING.md")
    assert (agent.code, file.code) == (2, 2)
    assert "claude-code" in agent.err
    assert "no such file" in file.err


def test_a_named_file(fresh: World) -> None:
    """Read only then; the name decides what it is called."""
    Path(fresh.repo, "NOTES.md").write_text("- The gateway sits behind the old load balancer.\n")
    found = fresh.jay("import", "./NOTES.md", "--json").json
    assert [row["agent"] for row in found["pending"]] == ["file"]
