"""OpenClaw's long-term memory: `MEMORY.md` and `USER.md` of each workspace. Daily notes, dreams and imports are left."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator

from scrubjay.agents import files
from scrubjay.agents.openclaw import READER
from scrubjay.importing.base import Ask, Found
from scrubjay.importing.text import load
from scrubjay.operations import MemoryType

_ANNOTATION = re.compile(r"<!--\s*(trigger|importance|project|openclaw-memory-promotion):?\s*(.*?)\s*-->", re.DOTALL)
_BULLET = re.compile(r"[-*+][ \t]+")
_SOURCE = re.compile(r"\s*\(?Source: \S+#L\d+(?:-L?\d+)?\)?\.?\s*$")
_DAILY = re.compile(r"\d{4}-\d\d-\d\d(?:-[^/]*)?\.md")
_SUPERSEDED = re.compile(r"\bsuperseded\b", re.IGNORECASE)
MAX_TRIGGERS = 8


class OpenClaw:
    """See `Importer`."""

    name = "openclaw"
    title = "OpenClaw"

    def read(self, ask: Ask) -> Found:
        """See `Importer`."""
        found = Found()
        for root in READER.roots(ask.home, ask.environ):
            for workspace in files.existing(_workspaces(root, ask.home)):
                found.folders.add(workspace)
                _entries(os.path.join(workspace, "MEMORY.md"), None, found)
                profiles = sorted(glob.glob(os.path.join(glob.escape(workspace), "users", "*", "USER.md")))
                for path in (os.path.join(workspace, "USER.md"), *profiles):
                    _entries(path, "user", found)
                daily = glob.glob(os.path.join(glob.escape(workspace), "memory", "*.md"))
                if count := sum(bool(_DAILY.fullmatch(os.path.basename(path))) for path in daily):
                    found.left_out["daily-notes"] += count
        return found


def _workspaces(root: str, home: str) -> Iterator[str]:
    """The default, those of further agents, and those that the settings name."""
    yield os.path.join(root, "workspace")
    yield from sorted(glob.glob(os.path.join(glob.escape(root), "workspace-*")))
    agents = files.small_json(os.path.join(root, "openclaw.json")).get("agents")
    if not isinstance(agents, dict):
        return
    listed = agents.get("list")
    for one in (agents.get("defaults"), *(listed if isinstance(listed, list) else [])):
        path = one.get("workspace") if isinstance(one, dict) else None
        if isinstance(path, str):
            yield files.expanded(path, home)


def _entries(path: str, kind: MemoryType | None, found: Found) -> None:
    """Each top-level bullet is an entry; what follows it indented is part of it. Annotations are comments behind it."""
    text = load(path, found)
    if text is None:
        return
    lines = text.lines
    starts = [number for number, line in enumerate(lines) if _BULLET.match(line)]
    for start in starts:
        end = start + 1
        while end < len(lines) and (lines[end][:1] in (" ", "\t") and lines[end].strip()):
            end += 1
        raw = "\n".join(lines[start:end])
        told = dict(_ANNOTATION.findall(raw))
        body = _SOURCE.sub("", _ANNOTATION.sub("", raw)).strip()
        body = _BULLET.sub("", body, count=1).strip()
        if not body:
            continue
        if kind == "user" and _SUPERSEDED.search(body):
            found.left_out["superseded"] += 1
            continue
        triggers = [one.strip() for one in re.split(r"[,;]", told.get("trigger", "")) if one.strip()]
        project = told.get("project", "").split(";")[0].strip()
        found.notes.append(
            text.note(
                start + 1,
                body,
                type=kind,
                aliases=tuple(triggers[:MAX_TRIGGERS]),
                directory=project if project.startswith("/") else "",
                remote=f"https://{project}" if project and not project.startswith("/") else "",
            )
        )


IMPORTER = OpenClaw()
