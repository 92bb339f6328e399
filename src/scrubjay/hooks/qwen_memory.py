"""What Qwen Code's own memory indexes, QWEN.md and AGENTS.md put into a session's context, so that the resident block doesn't
say it again.

Paths, limits and switches are those of Qwen Code 0.24.4. Hot: no pathlib, no `re`.
"""

from __future__ import annotations

import os

from scrubjay import quickjson
from scrubjay.home import user_home
from scrubjay.hooks import instructions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Settings = Mapping[str, object]

MAX_INDEX_LINES = 200
MAX_INDEX_CHARS = 25_000
"""Of each index; what lies beyond never reaches the model."""
NAMES = ("QWEN.md", "AGENTS.md")


def index(worktree: str, cwd: str, environ: Mapping[str, str]) -> str:
    """The text, "" when there is nothing."""
    config = _at_home(environ.get("QWEN_HOME") or os.path.join(user_home(), ".qwen"))
    user, project = _settings(config), _settings(os.path.join(worktree or cwd, ".qwen"))
    texts = [_index(path) for path in _index_files(worktree or cwd, config, (user, project), environ)]
    names = _names(user, project)
    for folder in (config, *instructions.folders(worktree, cwd)):
        texts += [instructions.read(os.path.join(folder, name)) for name in names]
    texts.append(instructions.read(os.path.join(worktree or cwd, ".qwen", "QWEN.local.md")))
    return "\n".join(text for text in texts if text)


def _index_files(root: str, config: str, both: tuple[Settings, Settings], environ: Mapping[str, str]) -> list[str]:
    memory = {key: value for one in both for key, value in _table(one, "memory").items()}
    if memory.get("enableManagedAutoMemory") is False:
        return []
    base = _at_home(
        environ.get("QWEN_CODE_MEMORY_BASE_DIR") or environ.get("QWEN_RUNTIME_DIR") or _runtime(both[0]) or config
    )
    # Each work tree has its own: the client looks for the nearest `.git`, file or folder
    own = os.path.join(base, "projects", "".join(c if c.isascii() and c.isalnum() else "-" for c in root), "memory")
    if environ.get("QWEN_CODE_MEMORY_LOCAL") == "1":
        own = os.path.join(root, ".qwen", "memory")
    found = [os.path.join(base, "memories"), own]
    if environ.get("QWEN_CODE_MEMORY_TEAM", "1" if memory.get("enableTeamMemory") is True else "0") == "1":
        found.append(os.path.join(root, ".qwen", "team-memory"))
    return [os.path.join(folder, "MEMORY.md") for folder in found]


def _index(path: str) -> str:
    lines = instructions.read(path).strip().splitlines()[:MAX_INDEX_LINES]
    return "\n".join(lines)[:MAX_INDEX_CHARS]


def _names(user: Settings, project: Settings) -> tuple[str, ...]:
    """`context.fileName`, a text or a list of them."""
    chosen = _table(project, "context").get("fileName") or _table(user, "context").get("fileName")
    if isinstance(chosen, str):
        return (chosen,)
    return tuple(one for one in chosen if isinstance(one, str)) if isinstance(chosen, list) else NAMES


def _runtime(settings: Settings) -> str:
    found = settings.get("runtimeOutputDir") or _table(settings, "advanced").get("runtimeOutputDir")
    return found if isinstance(found, str) else ""


def _at_home(path: str) -> str:
    return os.path.join(user_home(), path[2:]) if path.startswith("~/") else path


def _settings(folder: str) -> Settings:
    text = instructions.read(os.path.join(folder, "settings.json"), 1_000_000)
    try:
        found = quickjson.loads(quickjson.without_comments(text))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _table(settings: Settings, key: str) -> Mapping[str, object]:
    found = settings.get(key)
    return found if isinstance(found, dict) else {}
