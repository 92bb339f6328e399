"""`jay mcp` inside the real Claude Code: its tools are offered at once, called by a scripted model, and learnt from once."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clients.machine import Machine, texts
from tests.clients.pinned import claude_code
from tests.clients.sandbox import Sandbox

pytestmark = pytest.mark.agents

FACT = "The staging deploy needs the vpn job to run first, otherwise the runners can't reach the bastion."
FACT_WORDS = "staging deploy needs the vpn job"
SAID = "The queue drains through worker seven. Keep that, and rename the parser class."
TOOLS = ["recall", "read", "why", "remember", "update", "forget", "cite"]
ALLOWED = ",".join(f"mcp__scrubjay__{name}" for name in TOOLS)


@pytest.fixture(scope="module")
def binary() -> Path:
    return claude_code()


@pytest.fixture
def machine(tmp_path: Path, binary: Path) -> Iterator[Machine]:
    with Sandbox(tmp_path, binary) as sandbox:
        sandbox.env["SCRUBJAY_LEARN_HEADLESS"] = "active"
        made = Machine.set_up(sandbox)
        made.jay("init", "--yes")
        sandbox.env["MCP_CONNECT_TIMEOUT_MS"] = "60000"  # a busy machine
        yield made


def add(machine: Machine, *line: str) -> None:
    """`claude mcp …`, as in docs/mcp.md, with the path of this machine's `jay`."""
    argv = [str(machine.sandbox.binary), "mcp", *(part.replace("JAY", str(machine.program)) for part in line)]
    subprocess.run(argv, env=machine.sandbox.environment(), cwd=machine.sandbox.home, check=True, capture_output=True)


PLAIN = ("add", "--scope", "user", "scrubjay", "--", "JAY", "mcp")
WAITED_FOR = ("add-json", "--scope", "user", "scrubjay", '{"command": "JAY", "args": ["mcp"], "alwaysLoad": true}')


def call(tool: str, **given: Any) -> dict[str, Any]:
    return {"name": f"mcp__scrubjay__{tool}", "input": given}


def results(request: dict[str, Any]) -> str:
    """The results of tools that the model reads in one request."""
    blocks = [
        block for message in request["messages"] if isinstance(message["content"], list) for block in message["content"]
    ]
    return json.dumps([block for block in blocks if block.get("type") == "tool_result"])


def test_the_tools_come_undeferred_when_the_server_is_up(machine: Machine) -> None:
    """By the plain line the client does not wait for it: as soon as it is there the tools stand in the requests, by their
    `_meta`, not behind the client's search for tools."""
    add(machine, *PLAIN)
    with machine.sandbox.open(machine.repository()) as conversation:
        for _ in range(60):
            conversation.say("hello")
            offered = {tool["name"] for tool in conversation.requests()[-1]["tools"]}
            if "mcp__scrubjay__recall" in offered:
                break
        assert {f"mcp__scrubjay__{name}" for name in TOOLS} <= offered


def test_the_tools_are_offered_at_once_and_answer(machine: Machine) -> None:
    """With `alwaysLoad` in the first request; what recall brought is never learnt back."""
    add(machine, *WAITED_FOR)
    repo = machine.repository()
    machine.jay("remember", FACT, "--user", "--type", "reference")
    before = machine.memories()
    assert len(before) == 1

    machine.sandbox.script(
        {"ask the memory": call("recall", query="why does the staging deploy not reach the bastion?")}
    )
    done = machine.sandbox.prompt(repo, "please ask the memory", "--allowedTools", ALLOWED)
    machine.settled()
    requests = machine.sandbox.requests(done["session_id"])
    offered = {tool["name"]: tool for tool in requests[0]["tools"]}
    assert {f"mcp__scrubjay__{name}" for name in TOOLS} <= offered.keys()
    assert "long-term memory" in texts(requests[0])
    assert FACT_WORDS in results(requests[-1])
    assert machine.memories() == before


def test_what_the_model_remembers_is_joined_to_the_persons_words(machine: Machine) -> None:
    """One active memory in their words, and the next session has it."""
    add(machine, *WAITED_FOR)
    repo = machine.repository()
    machine.sandbox.script({"Keep that": call("remember", text="The queue is drained by worker seven")})
    done = machine.sandbox.prompt(repo, SAID, "--allowedTools", ALLOWED)
    assert "pending" in results(machine.sandbox.requests(done["session_id"])[-1])
    machine.settled()
    active = [text for text in machine.memories().values() if "worker seven" in text and "status:" not in text]
    assert len(active) == 1
    assert "The queue drains through worker seven." in active[0]
    assert "trust: user" in active[0]

    machine.sandbox.script({})
    later = machine.sandbox.prompt(repo, "which worker drains the queue?")["session_id"]
    assert texts(machine.sandbox.requests(later)[0]).count("The queue drains through worker seven.") >= 1


def test_over_http_with_the_token(machine: Machine) -> None:
    """The line of docs/mcp.md for a server on the loopback, here that of the sandbox; with another token no tool is there."""
    repo = machine.repository()
    machine.jay("remember", FACT, "--user", "--type", "reference")
    server = subprocess.Popen(
        machine.sandbox.inside([str(machine.program), "mcp", "--http", "0", "--read-only"]),
        cwd=machine.sandbox.home,
        env=machine.sandbox.environment(),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stderr is not None
        url = server.stderr.readline().split(": ")[1].strip()
        token = Path(server.stderr.readline().split("token in ")[1].strip()).read_text(encoding="ascii").strip()
        machine.sandbox.script(
            {"ask the memory": call("recall", query="why does the staging deploy not reach the bastion?")}
        )
        for shown, works in ((token, True), (token[::-1], False)):
            entry = {"type": "http", "url": url, "headers": {"Authorization": f"Bearer {shown}"}, "alwaysLoad": True}
            add(machine, "add-json", "--scope", "user", "scrubjay", json.dumps(entry))
            done = machine.sandbox.prompt(repo, "please ask the memory", "--allowedTools", ALLOWED)
            requests = machine.sandbox.requests(done["session_id"])
            assert (FACT_WORDS in results(requests[-1])) is works
            assert any(tool["name"] == "mcp__scrubjay__recall" for tool in requests[0]["tools"]) is works
            add(machine, "remove", "--scope", "user", "scrubjay")
    finally:
        server.terminate()
        server.wait(timeout=60)
        assert server.stderr is not None
        server.stderr.close()
