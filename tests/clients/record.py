"""Records what the real client hands to hooks: `python -m tests.clients.record` rewrites `fixtures/hooks/claude-code/`.

One file an event and occasion. The scratch home is written as `{{home}}` (`{{slug}}` in the names of the client's folders);
nothing else is changed.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from pathlib import Path

from tests.clients.pinned import claude_code
from tests.clients.sandbox import Sandbox

FIXTURES = Path(__file__).parents[1] / "fixtures" / "hooks" / "claude-code"
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact", "SessionEnd")
NOTIFICATION = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>"
AGENT = {"description": "look", "prompt": "say hello from below", "subagent_type": "general-purpose"}
DISTINGUISHED_BY = ("source", "reason", "trigger")


def record(sandbox: Sandbox) -> list[dict[str, object]]:
    """Payloads of one life: start, prompts, sub-agent, resume, fork, compaction, clear."""
    spool = sandbox.home / "spool"
    spool.mkdir()
    script = sandbox.home / "record.sh"
    script.write_text(f'#!/bin/sh\nexec cat > "{spool}/$(date +%s%N)-$$.json"\n', encoding="utf-8")
    script.chmod(0o700)
    settings = sandbox.home / ".claude" / "settings.json"
    settings.parent.mkdir()
    entry = {"type": "command", "command": str(script), "args": [], "timeout": 10}
    hooks = {event: [{"hooks": [entry]}] for event in EVENTS}
    settings.write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    repo = sandbox.home / "acme-api"
    subprocess.run(["git", "init", "-q", str(repo)], check=True)
    sandbox.script({"ask a helper": {"name": "Agent", "input": AGENT}})

    session = str(sandbox.prompt(repo, "hello there")["session_id"])
    sandbox.prompt(repo, "go on", "--resume", session)
    sandbox.prompt(repo, "go another way", "--resume", session, "--fork-session")
    with sandbox.open(repo) as conversation:
        for text in ("please ask a helper", NOTIFICATION, "/compact", "and now", "/clear", "start afresh"):
            conversation.say(text)
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(spool.iterdir())]


def name(payload: dict[str, object]) -> str:
    """File name of a payload: the event and what distinguishes its occasion."""
    parts = [str(payload["hook_event_name"]), *(str(payload[key]) for key in DISTINGUISHED_BY if key in payload)]
    if payload["hook_event_name"] == "SubagentStop":
        parts.append(str(payload["agent_type"]) or "summariser")
    if "task-notification" in str(payload.get("prompt")):
        parts.append("notification")
    return "-".join(parts) + ".json"


def main() -> None:
    FIXTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Sandbox(Path(folder), claude_code()) as sandbox:
        for payload in record(sandbox):
            text = json.dumps(payload, ensure_ascii=False, indent=1).replace(str(sandbox.home), "{{home}}")
            text = text.replace(re.sub(r"[^A-Za-z0-9]", "-", str(sandbox.home)), "{{slug}}")
            (FIXTURES / name(payload)).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
