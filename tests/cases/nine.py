"""The nine agents that scrubjay lives in: their folders, their settings, and what each one sends to our hook."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import hook_process
from tests.cases.machine import Machine
from tests.hook_process import Ended


@dataclass(frozen=True, kw_only=True)
class Agent:
    """Where it lives and what it tells."""

    folder: str
    """Its config home below HOME."""
    variable: str
    """Moves the config home; "" none."""
    moved: str = ""
    """What lies below the variable's folder; "" the config home itself."""
    settings: str
    """File of settings, below the config home."""
    text: str
    """What a person has in it: other people's hooks, keys, comments where the client takes them."""
    events: tuple[str, ...]
    """In the order of a session; the second brings memories."""


OTHERS = '"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}'
NINE = {
    "claude-code": Agent(
        folder=".claude", variable="CLAUDE_CONFIG_DIR", settings="settings.json",
        text='{\n  "autoMemoryEnabled": true,\n  "zeta": 1,\n  ' + OTHERS + '\n}\n',
        events=("SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact", "SessionEnd"),
    ),
    "codex": Agent(
        folder=".codex", variable="CODEX_HOME", settings="config.toml",
        text='# mine\n[features]\nmemories = true\n\n[[hooks.Stop]]\n\n[[hooks.Stop.hooks]]\ntype = "command"\n'
        'command = "say done"\n',
        events=("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"),
    ),
    "gemini-cli": Agent(
        folder=".gemini", variable="GEMINI_CLI_HOME", moved=".gemini", settings="settings.json",
        text='{\n  // mine\n  "hooks": {"AfterAgent": [{"hooks": [{"type": "command", "command": "say done"}]}]},\n'
        '  "experimental": {"memoryManager": true}\n}\n',
        events=("SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"),
    ),
    "hermes": Agent(
        folder=".hermes", variable="HERMES_HOME", settings="config.yaml",
        text="# mine\nmodel: x\nmemory:\n  memory_enabled: true  # stays on\n",
        events=("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"),
    ),
    "kimi-code": Agent(
        folder=".kimi-code", variable="KIMI_CODE_HOME", settings="config.toml",
        text='# mine\nmodel = "k2"\n\n[[hooks]]\nevent = "Stop"\ncommand = "say done"\n',
        events=("SessionStart", "UserPromptSubmit", "Stop", "PostCompact", "SessionEnd"),
    ),
    "openclaw": Agent(
        folder=".openclaw", variable="OPENCLAW_STATE_DIR", settings="openclaw.json",
        text='{\n  // mine\n  "plugins": {"entries": {"voice": {"enabled": true}}, "slots": {"memory": "memory-core"}}\n}\n',
        events=("Stop", "UserPromptSubmit", "SessionEnd"),
    ),
    "opencode": Agent(
        folder=".config/opencode", variable="XDG_CONFIG_HOME", moved="opencode", settings="opencode.json",
        text='{"plugin": ["theirs"], "instructions": ["RULES.md"]}\n',
        events=("SessionStart", "UserPromptSubmit", "Stop"),
    ),
    "pi": Agent(
        folder=".pi/agent", variable="PI_CODING_AGENT_DIR", settings="settings.json",
        text='{"extensions": ["theirs.ts"]}\n',
        events=("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"),
    ),
    "qwen-code": Agent(
        folder=".qwen", variable="QWEN_HOME", settings="settings.json",
        text='{\n  // mine\n  "memory": {"enableManagedAutoMemory": true}, /* stays on */\n  ' + OTHERS + '\n}\n',
        events=("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"),
    ),
}  # fmt: skip
AGENTS = tuple(NINE)
PATIENT_MS = "10000"
"""What is given is asked for, not how soon: a busy machine is no fault."""
SESSION = "11111111-2222-4333-8444-555555555555"


def settle(home: Path, agent: str) -> Path:
    """The agent was started here, and the person has settings; the file."""
    about = NINE[agent]
    path = home / about.folder / about.settings
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(about.text, encoding="utf-8")
    return path


def payload(
    machine: Machine, agent: str, event: str, cwd: Path, *, text: str = "", session: str = SESSION, **more: Any
) -> bytes:
    """What the client, or our plugin inside it, sends."""
    values: dict[str, Any] = {
        "session_id": session, "cwd": str(cwd), "hook_event_name": event, "source": "startup",
        "transcript_path": str(machine.home / f"rollout-{session}.jsonl"), "prompt_id": text[:9] or "p",
    }  # fmt: skip
    if event == NINE[agent].events[1]:
        values["prompt"] = [{"type": "text", "text": text}] if agent == "kimi-code" else text
    if agent == "qwen-code":
        values |= {"submitted_prompt": text, "timestamp": "2026-09-28T08:59:00Z"}
    if agent in ("hermes", "openclaw"):
        values |= {"config_home": str(machine.home / NINE[agent].folder), "agent_id": "main"}
    if agent == "pi":
        values |= {"session_file": values["transcript_path"], "held": []}
    return json.dumps({**values, **more}).encode()


def fire(
    machine: Machine, agent: str, event: str, cwd: Path, *, env: dict[str, str] | None = None, **what: Any
) -> Ended:
    """One hook process through the shim. `env`: more of the client's environment."""
    data = payload(machine, agent, event, cwd, **what)
    usual = {"SCRUBJAY_NOW": "2026-09-28T09:00:00Z", "SCRUBJAY_HOOK_DEADLINE_MS": PATIENT_MS}
    given = hook_process.environment(machine.home, **{**usual, **(env or {})})
    return hook_process.run(event, data, given, [str(machine.store / "bin" / "hook"), agent, event])


def begin(machine: Machine, agent: str, cwd: Path, **what: Any) -> str:
    """What the model is given when a session begins; "" where that comes with the first prompt."""
    return told(fire(machine, agent, NINE[agent].events[0], cwd, **what))


def ask(machine: Machine, agent: str, text: str, cwd: Path, **what: Any) -> str:
    """What the model is given with a prompt."""
    return told(fire(machine, agent, NINE[agent].events[1], cwd, text=text, **what))


def told(ended: Ended) -> str:
    """The text for the model, as it was before the client's own escapes are counted in. Kimi Code takes plain text."""
    assert (ended.code, ended.stderr) == (0, "")
    if not ended.stdout.startswith("{"):
        return ended.stdout
    found = ended.output.get("hookSpecificOutput", {})
    return str(found.get("systemContext", "")) + str(found.get("additionalContext", ""))
