"""What Gemini CLI's own memory and GEMINI.md put into a session's context, so that the resident block doesn't say it again.

Paths are those of Gemini CLI 0.61.0. Hot: no pathlib, no `re`.
"""

from __future__ import annotations

import os

from scrubjay import quickjson
from scrubjay.home import user_home
from scrubjay.hooks import instructions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "GEMINI.md"


def index(worktree: str, cwd: str, environ: Mapping[str, str], transcript: str) -> str:
    """The text, "" when there is nothing. The project's own memory stands two folders above the `transcript`."""
    config = os.path.join(environ.get("GEMINI_CLI_HOME") or user_home(), ".gemini")
    names = _names(os.path.join(worktree or cwd, ".gemini")) or _names(config) or (NAME,)
    texts = [
        instructions.read(os.path.join(folder, name))
        for folder in (config, *instructions.folders(worktree, cwd))
        for name in names
    ]
    chats = os.path.dirname(transcript)
    if os.path.basename(chats) == "chats":
        texts.append(instructions.read(os.path.join(os.path.dirname(chats), "memory", "MEMORY.md")))
    return "\n".join(text for text in texts if text)


def _names(folder: str) -> tuple[str, ...]:
    """`context.fileName` of a settings file, a text or a list of them; () when it says nothing."""
    text = instructions.read(os.path.join(folder, "settings.json"), 1_000_000)
    try:
        found = quickjson.loads(quickjson.without_comments(text)) if "fileName" in text else {}
    except (ValueError, RecursionError):
        return ()
    context = found.get("context") if isinstance(found, dict) else None
    chosen = context.get("fileName") if isinstance(context, dict) else None
    if isinstance(chosen, str):
        return (chosen,)
    return tuple(one for one in chosen if isinstance(one, str)) if isinstance(chosen, list) else ()
