"""`jay init` and `jay uninstall`: every change shown, asked once, taken back to the byte."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.cli.world import World

SETTINGS = '{\n  "model": "opus",\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}\n}\n'


@pytest.fixture
def settings(fresh: World) -> Path:
    path = Path(fresh.home, ".claude", "settings.json")
    path.write_text(SETTINGS)
    return path


def test_a_dry_run_shows_everything_and_writes_nothing(fresh: World, settings: Path) -> None:
    """Agents, the whole difference, what would be learnt; no byte changes."""
    done = fresh.jay("init", "--dry-run")
    assert done.code == 0
    assert "1 [x] Claude Code  hooks, and its sessions are learnt from: 2 sessions" in done.out
    assert "2 [x] Codex        hooks, and its sessions are learnt from: 1 session," in done.out
    assert "not found: Gemini CLI, " in " ".join(done.out.split())
    for path in (settings, Path(fresh.home, ".codex", "hooks.json"), Path(fresh.home, ".qwen", "settings.json")):
        assert f"+++ {path}" in done.out.replace("\n", "")
    assert "+++ " in done.out
    assert done.out.endswith("Nothing was written.\n")
    assert settings.read_text() == SETTINGS
    assert not os.path.exists(fresh.store)


def test_without_questions(fresh: World, settings: Path) -> None:
    """--yes: hooks in, the last 90 days learnt; doctor's self-test goes the whole way; uninstall: the old bytes."""
    done = fresh.jay("init", "--yes", "--json").json
    hooks, qwen = Path(fresh.home, ".codex", "hooks.json"), Path(fresh.home, ".qwen", "settings.json")
    assert [one["path"] for one in done["changed"]] == [str(settings), str(hooks), str(qwen)]
    assert {one["agent"]: (one["found"], one["hooks"], one["ticked"]) for one in done["agents"] if one["found"]} == {
        "claude-code": (True, True, True), "codex": (True, True, True), "qwen-code": (True, True, True),
    }  # fmt: skip
    assert [(one["agent"], one["what"][:32]) for one in done["problems"]] == [
        ("Codex", "Codex skips our hooks in silence")
    ]
    assert done["learnt"]["pending"]
    ours = json.loads(settings.read_text())["hooks"]
    assert ours["Stop"][0] == {"hooks": [{"type": "command", "command": "say done"}]}
    assert set(ours) == {"SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact", "SessionEnd"}
    checks = fresh.process("doctor", "--json").json["checks"]
    errors = [(one["name"], one["remedy"]) for one in checks if one["state"] == "error"]
    assert errors == [("codex", "jay init codex --trust, or /hooks in Codex")]
    assert "self-test answered" in {one["detail"] for one in checks}
    assert fresh.jay("init", "--yes", "--days", "0", "--json").json["changed"] == []
    trusted = fresh.jay("init", "codex", "--yes", "--trust", "--days", "0", "--json").json
    assert [one["path"] for one in trusted["changed"]] == [str(Path(fresh.home, ".codex", "config.toml"))]
    assert trusted["problems"] == []
    assert fresh.jay("config", "agents", "--json").json["settings"][0]["value"] == [], "the others stay learnt from"
    gone = fresh.jay("uninstall").out
    assert f"{settings} is as before\n" in gone
    assert settings.read_text() == SETTINGS
    assert [path for path in (hooks, qwen, hooks.with_name("config.toml")) if path.exists()] == []
    assert fresh.jay("uninstall").code == 1


def test_the_shim_that_is_installed_answers_and_never_fails(fresh: World, settings: Path) -> None:
    """What Claude Code runs ends with 0, on any input."""
    fresh.jay("init", "--yes", "--days", "0")
    shim = os.path.join(fresh.store, "bin", "hook")
    for data in (b"{}", b"", b"not json", b"\xff"):
        done = subprocess.run(
            [shim, "claude-code", "UserPromptSubmit"], input=data, env=fresh.environ(), capture_output=True, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_questions_on_a_terminal(fresh: World, settings: Path) -> None:
    """Ticks turn over by number, d shows the whole difference, Enter takes the default; the choice is remembered."""
    with Terminal(fresh, "init") as terminal:
        terminal.wait_for("3 [x] Qwen Code")
        terminal.wait_for("Enter goes on: ")
        terminal.press("3\n")
        terminal.wait_for("3 [ ] Qwen Code")
        terminal.wait_for("Enter goes on: ")
        terminal.press("\n")
        terminal.wait_for("Trust our hooks in Codex?")
        terminal.press("y\n")
        terminal.wait_for("Put our MCP server there, too? [y/N]: ")
        terminal.press("\n")
        terminal.wait_for("the rest stays byte for byte")
        terminal.wait_for("your trust in these hooks")
        terminal.wait_for("the whole difference: ")
        terminal.press("d\n")
        terminal.wait_for("+++ ")
        terminal.wait_for("the whole difference: ")
        terminal.press("\n")
        terminal.wait_for("(0: none) [90]: ")
        terminal.press("\n")
        terminal.wait_for("Done. Next: jay review")
        assert terminal.end() == 0
    assert fresh.jay("config", "agents", "--json").json["settings"][0]["value"] == ["claude-code", "codex"]
    assert settings.read_text() != SETTINGS


def test_a_no_changes_nothing(fresh: World, settings: Path) -> None:
    """n at the question: exit code 2, no file touched."""
    with Terminal(fresh, "init") as terminal:
        terminal.wait_for("Enter goes on: ")
        terminal.press("\n")
        terminal.wait_for("Trust our hooks in Codex?")
        terminal.press("\n")
        terminal.wait_for("Put our MCP server there, too? [y/N]: ")
        terminal.press("\n")
        terminal.wait_for("the whole difference: ")
        terminal.press("n\n")
        terminal.wait_for("stopped; nothing was changed")
        assert terminal.end() == 2
    assert settings.read_text() == SETTINGS
    assert not os.path.exists(fresh.store)


def test_settings_that_do_not_parse_are_left_alone(fresh: World, settings: Path) -> None:
    """Named with file and line; nothing is written, not even our own home."""
    settings.write_text('{"hooks": \n  [\n')
    done = fresh.jay("init", "--yes", "--json")
    assert done.code == 2
    assert done.json["at"].startswith(str(settings))
    assert settings.read_text() == '{"hooks": \n  [\n'
    assert not os.path.exists(fresh.store)


def test_uninstall_keeps_what_others_changed_since(fresh: World, settings: Path) -> None:
    """Only our entries go; the other change is shown and stays."""
    fresh.jay("init", "--yes", "--days", "0")
    settings.write_text(settings.read_text().replace('"opus"', '"sonnet"'))
    done = fresh.jay("uninstall")
    assert "only our entries were taken out" in done.out
    assert '+   "model": "sonnet",' in done.out
    assert settings.read_text() == SETTINGS.replace('"opus"', '"sonnet"')


def test_hooks_that_are_registered_twice_are_told_by_doctor(fresh: World, settings: Path) -> None:
    """In one file, and in the person's and the project's: which event, which files, what to do; the remedy mends it."""
    fresh.jay("init", "--yes", "--days", "0")
    once = json.loads(settings.read_text())

    def told() -> list[tuple[str, str]]:
        checks = fresh.jay("doctor", "--json").json["checks"]
        return [(one["detail"], one["remedy"]) for one in checks if "more than once" in one["detail"]]

    assert told() == []
    twice = {**once, "hooks": {**once["hooks"], "Stop": once["hooks"]["Stop"] + once["hooks"]["Stop"][-1:]}}
    settings.write_text(json.dumps(twice))
    assert told() == [(f"Stop calls us more than once: {settings} (2 times)", "jay init claude-code --days 0")]
    assert fresh.jay("init", "--yes", "--days", "0").code == 0
    assert told() == []
    project = Path(fresh.repo, ".claude", "settings.json")
    project.parent.mkdir()
    shim = os.path.join(fresh.store, "bin", "hook")
    group = {"hooks": [{"type": "command", "command": f"{shim} claude-code SessionStart"}]}
    project.write_text(json.dumps({"hooks": {"SessionStart": [group]}}))
    assert told() == [
        (
            f"SessionStart calls us more than once: {settings}, {project}",
            f"take the entries with {shim} out of {project}",
        )
    ]
    project.write_text("{ not json")
    assert told() == []
