"""What Claude Code's own memory index puts into a session's context, so that the resident block doesn't say it again.

The path rule and the limits were measured on Claude Code 2.1.332. Hot: no pathlib, no `re`.
"""

from __future__ import annotations

import os

from scrubjay import quickjson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_SLUG_CHARS = 200
MAX_INDEX_LINES = 200
MAX_INDEX_UNITS = 25_000
"""The client keeps 200 lines and then 25,000 UTF-16 code units of the index: what lies beyond never reaches the model."""
MAX_READ_BYTES = 1_000_000

MAX_PROJECT_NAME_CHARS = 64


def slug(path: str) -> str:
    """The client's folder name for a directory: every UTF-16 unit outside `[A-Za-z0-9]` is `-`; long ones end in a hash."""
    units = path.encode("utf-16-le", "surrogatepass")
    codes = [units[i] | units[i + 1] << 8 for i in range(0, len(units), 2)]
    name = "".join(chr(code) if code < 128 and chr(code).isalnum() else "-" for code in codes)
    if len(name) <= MAX_SLUG_CHARS:
        return name
    value = 0
    for code in codes:
        value = (value * 31 + code) & 0xFFFFFFFF
    return f"{name[:MAX_SLUG_CHARS]}-{_base36(abs(value - (value >> 31 << 32)))}"


def folder(root: str, environ: Mapping[str, str], user_home: str) -> str:
    """The client's memory folder for a session whose canonical git root (outside git: real working directory) is `root`.

    "" when the client's memory is off.
    """
    config = environ.get("CLAUDE_CONFIG_DIR") or os.path.join(user_home, ".claude")
    merged: dict[str, object] = {}
    for path in (
        os.path.join(config, "settings.json"),
        os.path.join(root, ".claude", "settings.json"),
        os.path.join(root, ".claude", "settings.local.json"),
    ):
        merged.update(_settings(path))
    switch = environ.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "")
    if switch not in ("", "0") or (merged.get("autoMemoryEnabled") is False and switch != "0"):
        return ""
    override = environ.get("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE")
    if override:
        return override
    chosen = merged.get("autoMemoryDirectory")
    if isinstance(chosen, str):
        chosen = os.path.join(user_home, chosen[2:]) if chosen.startswith("~/") else chosen
        if os.path.isabs(chosen) and chosen != "/":
            return chosen
    name = environ.get("CLAUDE_CODE_PROJECT_DIR_NAME", "")
    if not (environ.get("CLAUDE_CONFIG_DIR") and _is_project_name(name)):
        name = slug(root)
    return os.path.join(config, "projects", name, "memory")


def index(root: str, environ: Mapping[str, str], user_home: str) -> str:
    """The text of the client's `MEMORY.md` as the model sees it, or "" when there is none."""
    place = folder(root, environ, user_home)
    if not place:
        return ""
    try:
        with open(os.path.join(place, "MEMORY.md"), "rb") as file:
            text = file.read(MAX_READ_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    text = _without_comments(_without_front_matter(text)).strip()
    lines = text.splitlines()[:MAX_INDEX_LINES]
    units = "\n".join(lines).encode("utf-16-le", "surrogatepass")[: 2 * MAX_INDEX_UNITS]
    return units.decode("utf-16-le", "ignore")


def _is_project_name(name: str) -> bool:
    plain = name.replace("-", "").replace("_", "")
    return 0 < len(name) <= MAX_PROJECT_NAME_CHARS and name.isascii() and (plain.isalnum() or not plain)


def _without_front_matter(text: str) -> str:
    """Without what stands between a first line `---` and the next one."""
    if text.startswith(("---\n", "---\r\n")):
        end = text.index("\n")
        while (end := text.find("\n---", end + 1)) >= 0:
            for line_end in ("\n", "\r\n"):
                if text.startswith(line_end, end + 4):
                    return text[end + 4 + len(line_end) :]
    return text


def _without_comments(text: str) -> str:
    """Without `<!-- … -->`; one that is not closed stays."""
    kept: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return "".join(kept) + text[at:]


def _settings(path: str) -> dict[str, object]:
    try:
        with open(path, "rb") as file:
            found = quickjson.loads(file.read(MAX_READ_BYTES))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while number:
        number, rest = divmod(number, 36)
        text = digits[rest] + text
    return text or "0"
