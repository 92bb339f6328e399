"""The recorded sessions of `tests/fixtures/sessions` (made by `make_sessions.py`), put into a home folder.

Each part is one agent's folder with a `manifest.json` that says, for every prompt of the story, which record it is.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.agents.dumped import load
from tests.secrets import fill

SESSIONS = Path(__file__).parent.parent / "fixtures" / "sessions"
ALL_PARTS = tuple(
    sorted(f"{path.parent.parent.name}/{path.parent.name}" for path in SESSIONS.glob("*/*/manifest.json"))
)


def agents_with(part: str) -> list[str]:
    """Agents whose recordings have this part."""
    return sorted(name.partition("/")[0] for name in ALL_PARTS if name.partition("/")[2] == part)


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One stored record of one prompt of the story."""

    session: str
    """Session of the story, `s06`."""
    kind: str
    """`turn`, or `branch`: gone back from."""
    index: int
    native: str
    """The agent's session id."""
    file: str
    """Relative to the home folder, as recorded."""
    database: bool
    """The file holds many sessions; `line` is then the row's number."""
    key: str | None
    """The record's own id, None where the format has none."""
    line: int
    live: bool
    origin: str
    """Who wrote it, as far as the client's records tell."""
    altered: bool
    """The client masked a part of the text before it stored it."""
    time: str
    """When it was typed; the record may be some seconds younger."""


def manifest(part: str) -> dict[str, Any]:
    """Of `claude-code/acme-api`."""
    found: dict[str, Any] = json.loads((SESSIONS / part / "manifest.json").read_text(encoding="utf-8"))
    return found


def turns(part: str) -> Iterator[Turn]:
    """Every stored prompt of a part; several for one prompt where the agent copied it."""
    about = manifest(part)
    sessions, origin = about["sessions"], "machine" if about["interface"] == "headless" else "user"
    files = {native["id"]: native["file"] for session in sessions for native in session["native"]}
    for session in sessions:
        for turn in session["turns"]:
            for record in turn.get("records", ()):
                file = record.get("file") or files[record["native"]]
                yield Turn(
                    session=session["id"],
                    kind=turn["kind"],
                    index=turn["index"],
                    native=record["native"],
                    file=file,
                    database=is_database(file),
                    key=record["id"],
                    line=record["line"],
                    live=record["live"],
                    origin=record.get("origin", origin),
                    altered=record.get("altered", False),
                    time=turn["time"],
                )


def is_database(path: str) -> bool:
    """Kept as SQL (`dumped`): a fixture holds text."""
    return path.endswith((".db", ".sqlite"))


def slug(path: str) -> str:
    """The folder name that Claude Code and Qwen Code make from a path."""
    return re.sub(r"[^A-Za-z0-9]", "-", path)


def folder_of_kimi(path: str) -> str:
    """The folder name that kimi-cli makes from a path."""
    return hashlib.md5(path.encode()).hexdigest()


def moved_name(agent: str, name: str, old: str, target: str) -> str:
    """The path of a client's file when the home folder is `target`: some clients make folder names from paths."""
    if agent == "kimi-cli":
        for path in ("/acme-api", "/acme-api/services/billing"):
            name = name.replace(folder_of_kimi(old + path), folder_of_kimi(target + path))
        return name
    return name if agent == "codex" else name.replace("/" + slug(old), "/" + slug(target))


def materialise(part: str, home: str | os.PathLike[str]) -> dict[str, str]:
    """Put a part into `home`: secrets filled in, recorded paths moved there, file times set.

    Recorded path → path below `home`. Parts of several agents, or `acme-api` of all of them, may share a home.
    """
    about, target = manifest(part), os.path.abspath(home)
    old = about["home"]
    paths = re.compile(re.escape(old) + r"(?=[/\"\\\s<:,'`)\]]|$)")
    moved: dict[str, str] = {}
    for file in about["files"]:
        database = is_database(file["path"])
        text = fill((SESSIONS / part / (file["path"] + ".sql" * database)).read_text(encoding="utf-8"))
        text = paths.sub(lambda _: json.dumps(target)[1:-1], text).replace(slug(old) + "-", slug(target) + "-")
        name = moved_name(about["agent"], file["path"], old, target)
        path = os.path.join(target, name)
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        if database:
            load(text, Path(path))
        else:
            with open(path, "w", encoding="utf-8", newline="") as out:
                out.write(text)
        at = datetime.fromisoformat(file["mtime"]).timestamp()
        os.utime(path, (at, at))
        moved[file["path"]] = name
    return moved
