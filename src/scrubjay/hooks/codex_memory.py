"""What Codex's own memory and AGENTS.md put into a session's context, so that the resident block doesn't say it again.

Limits and rules were measured on Codex 0.171.0. Hot: `tomllib` only where Codex has a memory of its own.
"""

from __future__ import annotations

import os

from scrubjay.hooks import instructions

MAX_SUMMARY_BYTES = 10_000
"""2,500 tokens: of a longer summary (v1) the client keeps beginning and end, half each."""
MAX_SUMMARY_BYTES_V2 = 6_800
"""The whole fragment is cut near 8,900 bytes; so much of the summary gets in."""
MAX_PROJECT_BYTES = 32_768
"""`project_doc_max_bytes`, its default: all AGENTS.md files of the work tree together."""
NAMES = ("AGENTS.override.md", "AGENTS.md")


def index(home: str, worktree: str, cwd: str) -> str:
    """The text, "" when there is nothing. `home`: Codex's own."""
    left, project = MAX_PROJECT_BYTES, []
    for folder in instructions.folders(worktree, cwd):
        data = instructions.first(folder, NAMES).encode()[:left]
        left -= len(data)
        project.append(data.decode("utf-8", "ignore"))
    return "\n".join((summary(home), instructions.first(home, NAMES), *project))


def summary(home: str) -> str:
    """The memory summary that the client injects, as far as its settings file tells that it does; "" when unsure, because what
    is said twice costs less than a rule that is not said."""
    texts = {
        version: instructions.read(os.path.join(home, folder, "memory_summary.md")).strip()
        for version, folder in (("v1", "memories"), ("v2", "memories_v2"))
    }
    if not any(texts.values()):
        return ""
    import tomllib

    try:
        config = tomllib.loads(instructions.read(os.path.join(home, "config.toml"), 1_000_000))
    except ValueError:
        return ""
    features, memories = config.get("features"), config.get("memories")
    memories = memories if isinstance(memories, dict) else {}
    if not isinstance(features, dict) or features.get("memories") is not True or memories.get("use_memories") is False:
        return ""
    version = memories.get("version") or ("v1" if os.path.isdir(os.path.join(home, "memories")) else "v2")
    data = texts.get(str(version), "").encode()
    if version == "v1" and len(data) > MAX_SUMMARY_BYTES:
        data = data[: MAX_SUMMARY_BYTES // 2] + b"\n" + data[-MAX_SUMMARY_BYTES // 2 :]
    elif version == "v2":
        data = data[:MAX_SUMMARY_BYTES_V2]
    return data.decode("utf-8", "ignore")
