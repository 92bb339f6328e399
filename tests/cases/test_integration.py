"""Hooks, servers, installation (bug-log kind `integration`), in every agent that scrubjay lives in."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from scrubjay.cli.main import FIRST, MORE
from scrubjay.home import Home
from scrubjay.inject import wording
from scrubjay.install import installers
from scrubjay.ledger import Ledger
from scrubjay.mcp_server.tools import DESCRIPTIONS
from tests import hook_process
from tests.cases import nine, sessions
from tests.cases.machine import ASK, FACT, JAY, RULE, Machine
from tests.hook_process import SILENCE, Ended


def theirs(machine: Machine) -> dict[str, tuple[bytes, int]]:
    """Every file of the person's and of the agents': bytes and mode."""
    found = {}
    for path in machine.home.rglob("*"):
        if path.is_file() and ".scrubjay" not in path.parts and "w" not in path.relative_to(machine.home).parts[:1]:
            found[str(path)] = (path.read_bytes(), path.stat().st_mode)
    return found


# Hooks.


@pytest.mark.parametrize("agent", nine.AGENTS)
def test_every_event_of_every_agent_succeeds_in_the_clients_form(known: Machine, agent: str) -> None:
    """Exit code 0, nothing on standard error, the client's JSON (or Kimi's plain text) or nothing; the memory does arrive."""
    repo = known.folder("acme")
    told = ""
    for event in nine.NINE[agent].events:
        ended = nine.fire(known, agent, event, repo, text=ASK)
        told += nine.told(ended)
        if agent != "kimi-code" and ended.stdout:
            assert ended.output.keys() <= {"hookSpecificOutput", "systemMessage"}
    assert FACT in told
    assert RULE in told
    with Ledger.open(Home(str(known.store)).ledger) as ledger:
        assert not {"failed", "late"} & {str(row["outcome"]) for row in ledger.events(agent)}


def broken(machine: Machine, how: str) -> dict[str, str | None]:
    """Something is wrong with our side; what the environment lacks or has besides."""
    home = Home(str(machine.store))
    if how == "no home variable":
        return {"HOME": None}
    if how == "no store":
        os.rename(machine.store / "state", machine.home / "gone")
        os.rename(machine.store / "memory", machine.home / "gone memory")
    elif how == "databases are garbage":
        for path in (home.ledger, home.search):
            Path(path).write_bytes(b"\0garbage" * 4096)
    elif how == "databases are folders":
        for path in (home.ledger, home.search):
            os.unlink(path)
            os.mkdir(path)
    elif how == "settings do not parse":
        Path(home.config).write_text("mode = [")
    elif how == "the package is gone":
        shim = Path(home.shim)
        shim.write_text(shim.read_text().replace(str(hook_process.SOURCE), "/nonexistent"))
    return {}


HOW = ("databases are garbage", "the package is gone")
RARE = ("no home variable", "no store", "databases are folders", "settings do not parse")


@pytest.mark.parametrize("how", [*HOW, *(pytest.param(one, marks=pytest.mark.slow) for one in RARE)])
@pytest.mark.parametrize("agent", nine.AGENTS)
def test_no_fault_of_ours_is_one_of_any_agents(known: Machine, agent: str, how: str) -> None:
    """A prompt's hook, twice at once, and that of the session's end: 0, nothing on standard error, the client's form or
    nothing."""
    repo = known.folder("acme")
    missing = broken(known, how)
    env = hook_process.environment(known.home, SCRUBJAY_NOW="2026-09-28T09:00:00Z")
    env = {name: value for name, value in env.items() if missing.get(name, value) is not None}
    events = nine.NINE[agent].events
    running = []
    for event in (events[1], events[1], events[-1]):
        argv = [str(known.store / "bin" / "hook"), agent, event]
        one = subprocess.Popen(
            argv, env=env, cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert one.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended already, which is all right
            one.stdin.write(nine.payload(known, agent, event, repo, text=ASK))
            one.stdin.flush()
        running.append(one)
    for one in running:
        out, err = one.communicate(timeout=20)
        nine.told(Ended(one.returncode, out.decode(), err.decode()))


@pytest.mark.parametrize("agent", nine.AGENTS)
def test_an_end_that_comes_five_times_is_one(known: Machine, agent: str) -> None:
    """No text for the model, one job for the worker."""
    repo = known.folder("acme")
    session = known.home / ".kimi-code" / "sessions" / "wd_acme_0" / nine.SESSION
    session.mkdir(parents=True)
    last = nine.NINE[agent].events[-1]
    for _ in range(5):
        assert nine.fire(known, agent, last, repo) == SILENCE
    with Ledger.open(Home(str(known.store)).ledger) as ledger:
        assert len(list(ledger.rows("SELECT kind FROM queue WHERE kind = 'session'"))) == 1


INNER: dict[str, dict[str, Any]] = {
    "claude-code": {"agent_id": "a1", "agent_type": "explorer"},
    "codex": {"agent_id": "a1", "agent_type": "explorer"},
    "hermes": {"agent_context": "subagent"},
    "openclaw": {"session_key": "agent:main:subagent:2"},
    "qwen-code": {"submitted_prompt": None},
}
"""What tells a prompt that an agent wrote for its own helper. The others' clients fire nothing for a helper that brings text
(Kimi Code, Gemini CLI), have none (pi), or our plugin asks first (OpenCode): seen by the tests with the real clients."""


@pytest.mark.parametrize("agent", INNER)
def test_a_helper_of_the_agent_is_given_nothing(known: Machine, agent: str) -> None:
    """Neither rules to obey nor memories: it could loop on them, and what it is told is no person's word."""
    repo = known.folder("acme")
    assert nine.ask(known, agent, ASK, repo, **INNER[agent]) == ""


@pytest.mark.parametrize("agent", nine.AGENTS)
def test_what_we_inject_names_only_what_is_there(crowded: Machine, agent: str) -> None:
    """No tool of the MCP server, which may not be registered; every `jay …` in it is a command."""
    repo = crowded.folder("acme")
    told = nine.begin(crowded, agent, repo) + nine.ask(crowded, agent, ASK, repo)
    told += "\n".join(value for name, value in vars(wording).items() if name.isupper())
    assert set(re.findall(r"\bjay (\w+)", told)) <= {*FIRST, *MORE}
    assert "jay list" in told
    assert not any(re.search(rf"\b(mcp__\w+|scrubjay_{name}|tool `?{name})\b", told) for name in DESCRIPTIONS)


NOTES = {
    "claude-code": ".claude/projects/{slug}/memory/MEMORY.md",
    "codex": "w/acme/AGENTS.md",
    "gemini-cli": ".gemini/GEMINI.md",
    "hermes": ".hermes/memories/MEMORY.md",
    "kimi-code": ".kimi-code/AGENTS.md",
    "openclaw": "w/acme/MEMORY.md",
    "opencode": ".config/opencode/AGENTS.md",
    "pi": ".pi/agent/AGENTS.md",
    "qwen-code": ".qwen/QWEN.md",
}
"""A file that the client itself puts into its context."""


@pytest.mark.parametrize("agent", nine.AGENTS)
def test_what_the_agents_own_files_say_is_not_said_twice(known: Machine, agent: str) -> None:
    """Both memories side by side are the normal case: one of them says it."""
    repo = known.folder("acme")
    assert RULE in nine.begin(known, agent, repo) + nine.ask(known, agent, "hello", repo)
    slug = "".join(c if c.isalnum() else "-" for c in str(repo))
    path = known.home / NOTES[agent].format(slug=slug)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"- {RULE}\n", encoding="utf-8")
    other = {"session": "99999999-2222-4333-8444-555555555555"}
    if agent == "claude-code":
        other["transcript_path"] = str(path.parents[1] / "x.jsonl")
    again = nine.begin(known, agent, repo, **other) + nine.ask(known, agent, "hello", repo, **other)
    assert RULE not in again
    if agent == "openclaw":
        assert path.read_text() == f"- {RULE}\n"


# Servers.


def gone(pid: int) -> bool:
    """Ended, and not merely waiting to be collected."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="asks /proc")
def test_a_server_dies_with_the_client_that_started_it(machine: Machine) -> None:
    """Killed without a word, again and again: nothing of ours is left running."""
    repo = machine.repository("acme")
    client = "import subprocess, sys, time\n"
    client += "one = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
    client += 'one.stdin.write(b\'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\\n\'); one.stdin.flush()\n'
    client += "one.stdout.readline(); print(one.pid, flush=True); time.sleep(600)\n"
    servers = []
    started = [
        subprocess.Popen([sys.executable, "-c", client, *JAY, "mcp"], cwd=repo, stdout=subprocess.PIPE,
                         env={**machine.environ(), "PATH": os.environ["PATH"]})
        for _ in range(2)
    ]  # fmt: skip
    for one in started:
        assert one.stdout is not None
        servers.append(int(one.stdout.readline()))
        assert not gone(servers[-1])
        one.send_signal(signal.SIGKILL)
        one.wait()
        one.stdout.close()
    end = time.monotonic() + 30
    while not all(gone(pid) for pid in servers):
        assert time.monotonic() < end, servers
        time.sleep(0.05)


@pytest.mark.parametrize("state", ["nothing was ever written", "a ledger and a file that nobody can read"])
def test_each_line_of_the_server_is_a_message(machine: Machine, state: str) -> None:
    """With warnings on and faults to tell: standard output is the protocol's alone."""
    repo = machine.repository("acme")
    if state.startswith("a "):
        machine.remember(FACT, cwd=repo)
        (row,) = machine.jay("list", "--json", cwd=repo).json["memories"]
        Path(row["file"]).with_name("broken.md").write_bytes(b"---\nname: [\n\xff\n")
        Path(Home(str(machine.store)).ledger).write_bytes(b"garbage")
        (machine.store / "config.toml").write_text("no_such_setting = 1\n")
    first = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    requests: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": first},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "recall", "arguments": {"query": ASK}}},
        {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "nope", "arguments": {}}},
        {"jsonrpc": "2.0", "id": 5, "method": "resources/list"},
    ]
    noisy = {"PYTHONWARNINGS": "always", "PYTHONDEVMODE": "1", "PYTHONASYNCIODEBUG": "1", "FASTMCP_LOG_LEVEL": "DEBUG"}
    env = {**machine.environ(), **noisy, "PATH": os.environ["PATH"]}
    with subprocess.Popen(
        [*JAY, "mcp"],
        cwd=repo,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("".join(json.dumps(one) + "\n" for one in requests) + "not json\n")
        server.stdin.flush()
        waiting, lines = {1, 2, 3, 4, 5}, []
        while waiting:
            lines.append(server.stdout.readline())
            waiting.discard(json.loads(lines[-1]).get("id"))
        server.stdin.close()
        lines += server.stdout.readlines()
        assert server.wait(60) == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in lines)


# Installation.


@pytest.fixture
def nine_agents(machine: Machine) -> Machine:
    """All nine were started here, with settings, hooks and memories of the person's own."""
    for agent in nine.AGENTS:
        nine.settle(machine.home, agent)
        path = machine.home / nine.NINE[agent].folder / "memory" / "MEMORY.md"
        path.parent.mkdir(parents=True)
        path.write_text("- the built-in memory\n", encoding="utf-8")
    return machine


_WORDS = re.compile(r'"[^"]*"|[^\s"{}\[\],:]+')
"""Keys, values and words of comments, whatever the layout."""


def test_every_agent_has_its_row() -> None:
    """An agent that is installed is in these tests."""
    assert set(installers()) == {*nine.AGENTS, "plugin", "rules-files"}


def test_in_and_out_of_nine_agents_leaves_every_byte(nine_agents: Machine) -> None:
    """A dry run shows each file and writes none; in: everything of others' is there, built-in memories stay on and whole;
    again: nothing changes; out: the bytes and modes of before, and what still calls us hears nothing."""
    machine = nine_agents
    repo = machine.repository("acme")
    before = theirs(machine)
    options = ("--yes", "--days", "0", "--mcp", "--trust")
    shown = machine.jay("init", *options, "--dry-run", cwd=repo)
    assert shown.code == 0
    assert theirs(machine) == before
    assert not machine.store.exists()
    done = machine.jay("init", *options, "--json", cwd=repo).json
    changed = {row["path"] for row in done["changed"]}
    after = theirs(machine)
    assert {path for path in after if after[path] != before.get(path)} == changed
    for path in changed:
        assert path in shown.out.replace("\n", "")
        was, now = (found.get(path, (b"", 0))[0].decode() for found in (before, after))
        assert set(_WORDS.findall(was)) <= set(_WORDS.findall(now)), path
    assert {one["agent"] for one in done["agents"] if one["hooks"]} >= set(nine.AGENTS)
    assert machine.jay("init", *options, "--json", cwd=repo).json["changed"] == []
    assert theirs(machine) == after
    machine.remember(FACT, cwd=repo)
    machine.jay("uninstall", "--dry-run", cwd=repo)
    assert theirs(machine) == after
    assert machine.jay("uninstall", cwd=repo).code == 0
    assert theirs(machine) == before
    assert machine.listed(repo) == [FACT]
    for agent in nine.AGENTS:
        assert nine.fire(machine, agent, nine.NINE[agent].events[1], repo, text=ASK) == SILENCE


def test_the_commands_in_the_settings_are_the_events_that_are_answered(nine_agents: Machine) -> None:
    """Each entry, run as its client runs it, brings what the event is for."""
    machine = nine_agents
    assert machine.jay("init", "--yes", "--days", "0", "--trust").code == 0
    repo = machine.repository("acme")
    machine.remember(FACT, cwd=repo)
    machine.remember(RULE, "--user", "--type", "feedback", cwd=repo)
    machine.recalled(ASK, repo)
    for agent in ("claude-code", "codex", "gemini-cli", "kimi-code", "qwen-code"):
        found = installers()[agent].commands(Home(str(machine.store)), str(machine.home), {})
        assert {event for event, _ in found} == set(nine.NINE[agent].events)
        told = ""
        for event, argv in found:
            data = nine.payload(machine, agent, event, repo, text=ASK)
            env = hook_process.environment(machine.home, SCRUBJAY_HOOK_DEADLINE_MS=nine.PATIENT_MS)
            told += nine.told(hook_process.run(event, data, env, argv))
        assert FACT in told, agent
        assert RULE in told, agent


@pytest.mark.parametrize("agent", nine.AGENTS)
def test_a_moved_config_home_is_the_only_one(machine: Machine, agent: str) -> None:
    """Its variable names another folder: settings and sessions are found there, and nothing appears in the usual one."""
    about, moved = nine.NINE[agent], machine.home / "t" / "cfg"
    repo = machine.repository("acme")
    sessions.write(agent, moved, repo, "Never deploy on a Friday.")
    nine.settle(moved, agent)
    value = str(moved / about.folder).removesuffix("/" + about.moved) if about.moved else str(moved / about.folder)
    env = {about.variable: value}
    if agent == "opencode":
        env["XDG_DATA_HOME"] = str(moved / ".local" / "share")
    done = machine.jay("init", agent, "--yes", "--days", "365", "--mcp", "--json", cwd=repo, **env)
    assert done.code == 0, done
    assert done.json["changed"]
    top = moved if agent == "claude-code" else moved / about.folder
    assert all(Path(row["path"]).is_relative_to(top) for row in done.json["changed"]), done.json["changed"]
    assert machine.listed(repo) == ["Never deploy on a Friday."]
    assert not (machine.home / about.folder).exists()
    assert machine.jay("uninstall", cwd=repo, **env).code == 0
    settings = moved / about.folder / about.settings
    assert settings.read_text(encoding="utf-8") == about.text
    assert sorted(path.name for path in machine.home.iterdir()) == [".scrubjay", "t", "w"]


@pytest.mark.parametrize("what", ["folder", "file"])
@pytest.mark.parametrize("agent", nine.AGENTS)
def test_a_linked_config_home_stays_a_link(machine: Machine, agent: str, what: str) -> None:
    """Dotfile managers: the target is edited in its place, the link is there afterwards, and out again the bytes are as
    before."""
    about = nine.NINE[agent]
    dots = nine.settle(machine.home / "dotfiles", agent)
    usual = machine.home / about.folder
    usual.parent.mkdir(parents=True, exist_ok=True)
    link, target = (usual, dots.parent) if what == "folder" else (usual / about.settings, dots)
    if what == "file":
        usual.mkdir()
    link.symlink_to(target)
    before = theirs(machine)
    assert machine.jay("init", agent, "--yes", "--days", "0", "--mcp").code == 0
    assert link.is_symlink()
    assert theirs(machine) != before
    assert machine.jay("uninstall").code == 0
    assert link.is_symlink()
    assert theirs(machine) == before
