"""A person's machine on which every agent keeps a memory of its own, in the files and forms of the real clients."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from scrubjay.home import current
from scrubjay.hooks.claude_memory import slug
from scrubjay.importing.report import ImportReport
from scrubjay.importing.run import Wanted, bring_over
from scrubjay.importing.slugs import qwen_slug
from scrubjay.store.library import Library, Stored
from tests.learn.world import repository
from tests.secrets import VALUES

CLAUDE = """\
---
name: {name}
description: {description}
metadata:
  node_type: memory
  type: {type}
  originSessionId: 0f0c6d3e-2a7c-4d8e-9b1f-5a6b7c8d9e0f
  modified: 2026-09-03T10:12:44.425Z
---

{body}
"""


@dataclass
class Machine:
    """`home` is the person's; `repo` a repository in it."""

    home: Path
    repo: Path

    @classmethod
    def at(cls, home: str) -> Machine:
        """With one repository and nothing kept."""
        return cls(
            home=Path(home), repo=repository(Path(home) / "acme-api", {"CLAUDE.md": "# acme\n\nRead the docs first.\n"})
        )

    def write(self, path: str, text: str | bytes) -> Path:
        """A file below the home folder."""
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        os.utime(file, (1_788_000_000, 1_788_000_000))
        return file

    def claude(self, name: str, body: str, *, type: str = "project", description: str = "about it") -> Path:  # noqa: A002
        """A memory of Claude Code for the repository."""
        text = CLAUDE.format(name=name, description=description, type=type, body=body)
        return self.write(f".claude/projects/{slug(str(self.repo))}/memory/{name}.md", text)

    def qwen(self, path: str, body: str, *, type: str = "project") -> Path:  # noqa: A002
        """A memory of Qwen Code for the repository."""
        text = QWEN.format(name=os.path.basename(path), type=type, body=body)
        return self.write(f".qwen/projects/{qwen_slug(str(self.repo))}/memory/{path}.md", text)

    def bring(self, *agents: str, files: tuple[str, ...] = (), dry_run: bool = False) -> ImportReport:
        """`jay import` in the repository."""
        wanted = Wanted(cwd=str(self.repo), agents=agents, files=files, dry_run=dry_run)
        return bring_over(current(), wanted)

    def memories(self) -> list[Stored]:
        """All, whatever their status."""
        return Library.open(current()).memories()

    def said(self) -> dict[str, str]:
        """Body → status."""
        return {one.memory.body: one.memory.status for one in self.memories()}

    def originals(self) -> dict[str, tuple[bytes, int]]:
        """Everything of the agents: bytes and times."""
        return {
            str(path): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in self.home.rglob("*")
            if path.is_file() and ".scrubjay" not in path.parts
        }


def fill(machine: Machine) -> dict[str, list[str]]:
    """Something in every agent's memory; agent → what it says."""
    repo = str(machine.repo)
    machine.claude("deploy-needs-vpn", "Deploys fail unless the `vpn` job ran before.")
    machine.claude("answers-short", "Keep answers to three sentences.", type="feedback")
    machine.qwen("project/queue", "The work queue is drained by hand on Fridays.")
    for path, text in {
        f".claude/projects/{slug(repo)}/memory/MEMORY.md": INDEX,
        ".claude/agent-memory/code-reviewer/MEMORY.md": "# Notes\n\n- Reviews in this team want one finding a comment.\n",
        ".qwen/memories/user/shell.md": QWEN.format(name="shell", type="user", body="Uses fish as the shell."),
        "acme-api/.qwen/team-memory/reference/board.md": QWEN.format(
            name="board", type="reference", body="Incidents are tracked on the Heron board."
        ),
        ".codex/memories/MEMORY.md": CODEX.format(cwd=repo),
        ".codex/memories/memory_summary.md": CODEX_SUMMARY,
        ".codex/memories/extensions/ad_hoc/notes/2026-09-01T10-00-00-cert.md": (
            "The wildcard certificate lives in the vault of the platform team.\n"
        ),
        ".gemini/GEMINI.md": GEMINI,
        ".gemini/projects.json": json.dumps({"projects": {repo: "acme-api"}}),
        ".gemini/tmp/acme-api/memory/MEMORY.md": "- Fixtures are regenerated with `make fixtures`.\n",
        ".hermes/memories/MEMORY.md": "The NAS answers on port 5001.\n§\nBackups go to the NAS\nevery Sunday night.",
        ".hermes/memories/USER.md": "Prefers metric units.",
        ".openclaw/workspace/MEMORY.md": OPENCLAW.format(cwd=repo),
        ".openclaw/workspace/memory/2026-09-02.md": "- had lunch\n",
        ".openprogram/memory/topics/people/ann.md": OPENPROGRAM,
    }.items():
        machine.write(path, text)
    return {
        "claude-code": ["Deploys fail unless the `vpn` job ran before.", "Keep answers to three sentences.",
                        "The nightly build runs at 02:40 UTC.", "Reviews in this team want one finding a comment."],
        "codex": ["Use `uv` for every environment.", "The ledger service owns the table `entries`.",
                  "`make e2e` hangs without docker; start it first.", "Works from Lisbon, mostly on backends.",
                  "The wildcard certificate lives in the vault of the platform team."],
        "gemini-cli": ["The user prefers tabs over spaces in Go.", "The demo account is called heron-demo.",
                       "Fixtures are regenerated with `make fixtures`."],
        "hermes": ["The NAS answers on port 5001.", "Backups go to the NAS\nevery Sunday night.", "Prefers metric units."],
        "openclaw": ["Invoices are numbered by year and quarter.", "Stand-up is at 09:15 in the Oslo room."],
        "openprogram": ["Ann runs the platform team and answers on the\nheron channel."],
        "qwen-code": ["The work queue is drained by hand on Fridays.", "Uses fish as the shell.",
                      "Incidents are tracked on the Heron board."],
    }  # fmt: skip


INDEX = """\
- [Deploys need the VPN](deploy-needs-vpn.md) — read before CI work
- [Gone](gone.md) — dangling
- The nightly build runs at 02:40 UTC.
"""

QWEN = """\
---
name: {name}
description: about it
type: {type}
---

{body}
"""

CODEX_SUMMARY = """\
v1
## User Profile
- Works from Lisbon, mostly on backends.

## What's in Memory
### acme
- topic: ledger
"""

GEMINI = """\
# Mine

Be polite.

## Gemini Added Memories
- The user prefers tabs over spaces in Go.
- The demo account is called heron-demo.
"""

CODEX = """\
# Task Group: acme ledger
scope: the ledger work
applies_to: cwd={cwd}; reuse_rule=same repo

## Task 1: add the table, success
### rollout_summary_files
- rollout_summaries/2026-09-01-x.md (cwd={cwd})
### keywords
- ledger, entries

## User preferences
- Use `uv` for every environment. [Task 1]

## Reusable knowledge
- The ledger service owns the table `entries`. [Task 1][Task 2]

## Failures and how to do differently
- `make e2e` hangs without docker; start it first.
"""

OPENCLAW = """\
# Long-term

## Promoted From Short-Term Memory (2026-09-01)
<!-- openclaw-memory-promotion:abc -->
- Invoices are numbered by year and quarter. Source: memory/2026-08-30.md#L3-L4
  <!-- trigger: invoice number; billing --> <!-- project: {cwd} -->
- Stand-up is at 09:15 in the Oslo room. <!-- importance: 4 -->
"""

OPENPROGRAM = """\
# People

Ann runs the platform team[^e-1175dea39c] and answers on the
[heron channel](../places/chat.md#^aa11bb22).[^e-2275dea39c] ^f888f60e

[^e-1175dea39c]: Time: `2026-03-15`; Sources: [s](../../sources/openprogram/_v2/s.md#source-8339b8d3aaaaaaaa)
[^e-2275dea39c]: Time: `2026-04-01`; Sources: [s](../../sources/openprogram/_v2/s.md#source-8339b8d3aaaaaaab)
"""

SECRET = VALUES["github-token:1"]
