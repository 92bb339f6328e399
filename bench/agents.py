"""One story as every agent recorded it: the same memories whoever heard it, none twice.

    python bench/agents.py --data FOLDER [--part acme-api]

FOLDER holds one sub-folder an agent, and in it PART as it lies in a home folder (`claude-code/acme-api/.claude/...`). Each is
learnt from in a home of its own, then all together in one. Prompts of headless recordings count as a person's here, or one
agent's words would wait where another's do not.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from itertools import combinations
from pathlib import Path

from scrubjay.memory import parse

NOW = "2026-11-20T00:00:00Z"
"""After the last session of the recordings."""


def learn(home: Path) -> dict[str, int]:
    """Learn from what lies in `home`; what was counted."""
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(home), "SCRUBJAY_HOME": str(home / ".scrubjay"), "SCRUBJAY_NOW": NOW,
        "SCRUBJAY_LEARN_HEADLESS": "active", "LANG": "C.UTF-8",
    }  # fmt: skip
    command = [sys.executable, "-c", "from scrubjay.cli.entry import main; main()", "learn", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=home)
    if done.returncode:
        sys.exit(f"{home.name}: {done.stderr.strip()}")
    found = json.loads(done.stdout)
    return {"created": len(found["created"]), "evidence": int(found.get("evidence_added", 0))}


def bodies(home: Path) -> list[str]:
    """What the memories of `home` say."""
    paths = sorted((home / ".scrubjay" / "memory").rglob("*.md"))
    return [parse(path.read_bytes(), name=path.name).memory.body for path in paths if path.name != "MEMORY.md"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", default="acme-api")
    arguments = parser.parse_args()
    agents = sorted(path.parent.name for path in arguments.data.glob(f"*/{arguments.part}") if path.is_dir())
    if not agents:
        sys.exit(f"{arguments.data}: no agent has a part {arguments.part}")
    heard: dict[str, set[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        together = Path(folder) / "together"
        for agent in agents:
            home = Path(folder) / agent
            for target in (home, together):
                shutil.copytree(arguments.data / agent / arguments.part, target, dirs_exist_ok=True, symlinks=True)
            learn(home)
            heard[agent] = set(bodies(home))
            print(f"{agent:12} {len(heard[agent])} memories", flush=True)
        least = min(
            (len(heard[a] & heard[b]) / max(1, len(heard[a] | heard[b])), a, b) for a, b in combinations(agents, 2)
        )  # fmt: skip
        print(f"least overlap of two agents: {least[0]:.1%} ({least[1]}, {least[2]})")
        learn(together)
        every = bodies(together)
        print(f"all together: {len(every)} memories, {len(every) - len(set(every))} twice; again: {learn(together)}")


if __name__ == "__main__":
    main()
