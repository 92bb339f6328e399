"""What `jay doctor` tells of agents: hooks that are registered twice, two memories side by side, sessions that nobody reads."""

from __future__ import annotations

import json
import os
import shlex
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from scrubjay import doctor
from scrubjay.agents import readers
from scrubjay.clock import text as stamp
from scrubjay.home import Home
from scrubjay.install import plugin, shim
from tests.cases import nine, sessions
from tests.cases.machine import Machine
from tests.cli.world import NOW

RULE = "From now on invoices are always numbered per country."
TWICE = ("claude-code", "codex", "gemini-cli", "qwen-code")
"""Clients that merge the hooks of several files."""


def checks(machine: Machine, check: str, word: str, cwd: Path | None = None) -> list[tuple[str, str, str, str]]:
    """(name, state, detail, remedy) of the lines with this word, of `jay doctor` with this one check: all of them, which start
    every hook, are another test's (`cli/test_init.py`)."""
    (only,) = (one for one in doctor.CHECKS if one.__name__.strip("_") == check)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(doctor, "CHECKS", (only,))
        rows = machine.jay("doctor", "--json", cwd=cwd).json["checks"]
    return [(one["name"], one["state"], one["detail"], one["remedy"]) for one in rows if word in one["detail"]]


@pytest.mark.parametrize("agent", TWICE)
def test_hooks_in_the_persons_settings_and_the_projects_are_told(machine: Machine, agent: str) -> None:
    """Which event, which files, what to do; other people's hooks in the project, and a file that does not parse, are
    nobody's double."""
    repo = machine.repository("acme")
    nine.settle(machine.home, agent)
    assert machine.jay("init", agent, "--yes", "--days", "0", cwd=repo).code == 0
    assert checks(machine, "registered", "more than once", repo) == []
    name = "hooks.json" if agent == "codex" else "settings.json"
    own = machine.home / nine.NINE[agent].folder / ("config.toml" if agent == "codex" else name)
    project = repo / nine.NINE[agent].folder / name
    project.parent.mkdir()
    event, command = nine.NINE[agent].events[1], shlex.join([Home(str(machine.store)).shim, agent])
    for theirs in ({"hooks": {event: [{"hooks": [{"type": "command", "command": "say hello"}]}]}}, "{ not json"):
        project.write_text(theirs if isinstance(theirs, str) else json.dumps(theirs))
        assert checks(machine, "registered", "more than once", repo) == []
    project.write_text(
        json.dumps({"hooks": {event: [{"hooks": [{"type": "command", "command": f"{command} {event}"}]}]}})
    )
    below = machine.folder("acme/src")
    for cwd in (repo, below):
        (found,) = checks(machine, "registered", "more than once", cwd)
        assert found == (
            agent,
            "error",
            f"{event} calls us more than once: {own}, {project}",
            f"take the entries with {Home(str(machine.store)).shim} out of {project}",
        )
    assert checks(machine, "registered", "more than once", machine.home) == []


@pytest.mark.parametrize("agent", ["claude-code", "codex", "qwen-code"])
def test_settings_and_plugin_together_are_told(machine: Machine, agent: str) -> None:
    """One line for all of its events, with both ways out; with the plugin alone there is nothing to tell."""
    repo = machine.repository("acme")
    path = nine.settle(machine.home, agent)
    if agent == "qwen-code":
        mark = path.parent / "extensions" / "scrubjay" / "qwen-extension.json"
        mark.parent.mkdir(parents=True)
        mark.write_text('{"name": "scrubjay"}')
    elif agent == "codex":
        path.write_text(path.read_text() + '\n[plugins."scrubjay@scrubjay"]\nenabled = true\n')
    else:
        path.write_text(path.read_text().replace("{", '{"enabledPlugins": {"scrubjay@scrubjay": true},', 1))
    assert machine.jay("plugin", cwd=repo).code == 0
    assert checks(machine, "registered", "more than once", repo) == []
    assert machine.jay("init", agent, "--yes", "--days", "0", cwd=repo).code == 0
    (found,) = checks(machine, "registered", "more than once", repo)
    assert found[:2] == (agent, "warning")
    assert found[2] == f"{', '.join(plugin.EVENTS)} call us more than once: {path}, the plugin"
    assert found[3].endswith(f"uninstall scrubjay, or jay uninstall {agent}") or agent == "codex"
    assert f"jay uninstall {agent}" in found[3]


def test_of_two_memories_it_is_said_which_has_what(machine: Machine) -> None:
    """One line for each agent that keeps notes of its own: how many, and that neither memory is written by the other."""
    repo = machine.repository("acme")
    kept = {
        ".hermes/memories/MEMORY.md": "The NAS answers on port 5001.",
        ".gemini/GEMINI.md": "## Gemini Added Memories\n- x\n",
    }
    for name, words in kept.items():
        path = machine.home / name
        path.parent.mkdir(parents=True)
        path.write_text(words)
    shim.write(Home(str(machine.store)))
    found = checks(machine, "own_memories", "two memories", repo)
    assert [(name, state) for name, state, *_ in found] == [("Gemini CLI", "ok"), ("Hermes", "ok")]
    assert found[1][2] == (
        "two memories: its own has 1 note; jay import hermes would bring over 1; ours has what you said;"
        " neither writes into the other"
    )
    assert all(len(detail) < 130 for _, _, detail, _ in found)


def at(hours: float) -> datetime:
    """So long before now."""
    return datetime.fromisoformat(NOW) - timedelta(hours=hours)


def written(path: Path, hours: float) -> Path:
    """The file, as if it had been written so long ago."""
    os.utime(path, (at(hours).timestamp(), at(hours).timestamp()))
    return path


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini-cli", "pi"])
def test_an_agent_that_writes_its_sessions_elsewhere_is_told(hooked: Machine, agent: str) -> None:
    """It was used, and no session is as new: the folder was moved, or its form is another now. A session that is found again
    ends it."""
    repo = hooked.repository("acme")
    title = readers()[agent].title
    stop = next(one for one in nine.NINE[agent].events if one in ("Stop", "AfterAgent"))
    nine.fire(hooked, agent, stop, repo)
    (none,) = checks(hooked, "transcripts", "may lie elsewhere", repo)
    assert (none[0], none[1]) == (title, "warning")
    assert "no session was found" in none[2]
    path = written(sessions.write(agent, hooked.home, repo, RULE), 26)
    ((_, _, detail, remedy),) = checks(hooked, "transcripts", "may lie elsewhere", repo)
    assert detail.startswith(
        "it was used at 2026-09-28 09:00, and the newest session that was found is of 2026-09-27 07:00"
    )
    assert "docs/formats-read.md" in remedy
    written(path, 0.5)
    assert checks(hooked, "transcripts", "may lie elsewhere", repo) == []


def test_a_session_start_alone_is_no_use(hooked: Machine) -> None:
    """Opened and closed again: nothing was said, so nothing was written. An ephemeral run names no file."""
    repo = hooked.repository("acme")
    nine.fire(hooked, "codex", "SessionStart", repo)
    nine.fire(hooked, "codex", "Stop", repo, transcript_path=None)
    assert checks(hooked, "transcripts", "may lie elsewhere", repo) == []


@pytest.mark.parametrize("agent", ["claude-code", "codex", "pi"])
def test_a_session_that_nobody_reads_is_told(machine: Machine, agent: str) -> None:
    """Never read, or grown since it was: an hour later doctor says so, and `jay learn` ends it. What is older than the
    installation is a backlog, and no fault; while learning is off nothing is."""
    repo = machine.repository("acme")
    nine.settle(machine.home, agent)
    path = written(sessions.write(agent, machine.home, repo, RULE), 30)
    assert machine.jay("init", agent, "--yes", "--days", "0", cwd=repo, SCRUBJAY_NOW=stamp(at(24))).code == 0
    assert checks(machine, "transcripts", "not learnt from yet", repo) == []
    written(path, 3)
    found = (
        readers()[agent].title,
        "warning",
        f"its newest session, of 2026-09-28 06:00, was not learnt from yet: {path}",
    )
    assert checks(machine, "transcripts", "not learnt from yet", repo) == [(*found, f"jay learn {agent}")]
    written(path, 0.2)
    assert checks(machine, "transcripts", "not learnt from yet", repo) == []
    assert machine.jay("learn", cwd=repo, SCRUBJAY_NOW=stamp(at(8))).code == 0
    assert checks(machine, "transcripts", "not learnt from yet", repo) == []
    sessions.more(agent, path, "Never deploy on a Friday.")
    written(path, 3)
    assert checks(machine, "transcripts", "not learnt from yet", repo) == [(*found, f"jay learn {agent}")]
    assert machine.jay("config", "mode", "off").code == 0
    assert checks(machine, "transcripts", "not learnt from yet", repo) == []
    assert machine.jay("config", "mode", "auto").code == 0
    machine.learn()
    assert checks(machine, "transcripts", "not learnt from yet", repo) == []
