"""Makes the file that `quickload` reads: the hot modules' compiled code. Cold: the worker does it when it is not right."""

from __future__ import annotations

import marshal
import os

from scrubjay import quickload
from scrubjay.errors import StoreUnavailable
from scrubjay.home import Home
from scrubjay.store import files

MODULES = (
    "clock",
    "errors",
    "hooks",
    "hooks.background",
    "hooks.claude_code",
    "hooks.claude_memory",
    "hooks.codex",
    "hooks.codex_memory",
    "hooks.flow",
    "hooks.gemini_cli",
    "hooks.gemini_memory",
    "hooks.hermes",
    "hooks.instructions",
    "hooks.kimi_code",
    "hooks.openclaw",
    "hooks.opencode",
    "hooks.pi",
    "hooks.plugin",
    "hooks.qwen_code",
    "hooks.qwen_memory",
    "hooks.together",
    "hooks.tool",
    "hooks.wire",
    "inject",
    "inject.fence",
    "inject.prompts",
    "inject.recall",
    "inject.resident",
    "inject.where",
    "inject.wording",
    "ledger",
    "quickjson",
    "quicksql",
    "scope",
    "scope.gitdir",
    "scope.remote",
    "search",
    "search.floor",
    "search.listing",
    "search.query",
    "search.stem",
    "search.tokens",
    "search.words",
    "settings",
)
"""Below `scrubjay`: what the hooks load after `hook`, `home` and `quickload` itself."""


def write(home: Home) -> bool:
    """Make the pack unless it is right; True when made. A place that cannot be written has none: hooks are only slower."""
    version = quickload.magic()
    if not version or quickload.read(home.pack) is not None:
        return False
    modules = {f"scrubjay.{name}": _packed(name) for name in MODULES}
    try:
        files.replace(home.pack, version + marshal.dumps((quickload.FOLDER, modules)))
    except (OSError, StoreUnavailable):
        return False
    return True


def _packed(name: str) -> quickload.Packed:
    base = os.path.join(quickload.FOLDER, *name.split("."))
    package = os.path.isdir(base)
    origin = os.path.join(base, "__init__.py") if package else base + ".py"
    before = os.stat(origin)  # a file that changes from now on is newer than its code
    with open(origin, "rb") as file:
        code = compile(file.read(), origin, "exec", dont_inherit=True)
    return origin, package, before.st_mtime_ns, before.st_size, marshal.dumps(code)
