"""A person with a home folder, a repository and a Claude Code that writes real session files: the ground of these tests."""

from __future__ import annotations

import json
import os
import subprocess
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from scrubjay import clock
from scrubjay.home import Home, current
from scrubjay.learn.pipeline import learn
from scrubjay.learn.report import LearnReport
from scrubjay.store.library import Library, Stored

NAMESPACE = uuid.UUID(int=1)


def repository(path: Path, files: dict[str, str] | None = None) -> Path:
    """A git repository with one commit."""
    path.mkdir(parents=True)
    for name, text in {"README.md": "# demo\n", **(files or {})}.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text, encoding="utf-8")
    for command in (
        ["init", "-q", "-b", "main"],
        ["remote", "add", "origin", f"https://git.example.net/{path.name}.git"],
        ["add", "-A"],
        ["-c", "user.name=Ann", "-c", "user.email=ann@example.net", "commit", "-q", "-m", "start"],
    ):
        subprocess.run(["git", "-C", str(path), *command], check=True)
    return path


@dataclass
class Talk:
    """One Claude Code session, typed at a terminal; `say` appends a prompt and its answer to the file."""

    path: Path
    cwd: Path
    session: str
    at: datetime
    headless: bool = False
    keys: list[str] = field(default_factory=list)
    """Record ids of the prompts."""
    last: str | None = None

    def say(self, text: str, reply: str = "Done.", *, after: str | None = "", files: tuple[str, ...] = ()) -> str:
        """Returns the prompt's record id. `after`: the record it follows (a rewind); "" the last one, None: a new root."""
        parent = self.last if after == "" else after
        key = self._id()
        self._write({"parentUuid": parent, "type": "user", "message": {"role": "user", "content": text}, "uuid": key})
        self.keys.append(key)
        answer: list[dict[str, Any]] = [{"type": "text", "text": reply}]
        answer += [
            {"type": "tool_use", "id": f"t{i}", "name": "Read", "input": {"file_path": str(self.cwd / name)}}
            for i, name in enumerate(files)
        ]
        self.last = self._id()
        message = {"role": "assistant", "id": f"msg_{self.last[:8]}", "model": "m", "content": answer}
        self._write({"parentUuid": key, "type": "assistant", "message": message, "uuid": self.last})
        return key

    def _id(self) -> str:
        self.at += timedelta(minutes=1)
        return str(uuid.uuid5(NAMESPACE, f"{self.session}{self.at.isoformat()}"))

    def _write(self, record: dict[str, Any]) -> None:
        record |= {
            "isSidechain": False,
            "timestamp": self.at.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            "userType": "external",
            "cwd": str(self.cwd),
            "sessionId": self.session,
            "version": "2.1.332",
            "entrypoint": "sdk-cli" if self.headless else "cli",
        }
        if record["type"] == "user":
            record |= {
                "promptSource": "sdk" if self.headless else "typed",
                "turnOrigin": "sdk" if self.headless else "human",
            }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


class World:
    """Below one folder: `home/` (HOME), `home/demo` (a repository)."""

    def __init__(self, home: str) -> None:
        self.root = Path(home)
        self.repo = repository(self.root / "demo")

    @property
    def home(self) -> Home:
        return current()

    def talk(self, name: str, *, on: str = "2026-09-01", cwd: Path | None = None, headless: bool = False) -> Talk:
        """A new session; `on` a day, or a day and a time."""
        where = cwd or self.repo
        session = str(uuid.uuid5(NAMESPACE, name))
        slug = "".join(c if c.isalnum() else "-" for c in str(where))
        at = clock.parse(on if "T" in on else on + "T09:00:00Z")
        assert at is not None
        path = self.root / ".claude" / "projects" / slug / f"{session}.jsonl"
        return Talk(path=path, cwd=where, session=session, at=at, headless=headless)

    def learn(self, **how: Any) -> LearnReport:
        return learn(self.home, **how)

    def library(self) -> Library:
        return Library.open(self.home)

    def memories(self, *statuses: Any) -> list[Stored]:
        return self.library().memories(statuses=statuses or ("active",))

    def bodies(self, *statuses: Any) -> list[str]:
        return sorted(stored.memory.body for stored in self.memories(*statuses))

    def files(self) -> dict[str, bytes]:
        """Every byte of what counts: memories, archive, tombstones, evidence, kept turns."""
        found = {}
        for folder in (self.home.memory, self.home.evidence, self.home.turns):
            for base, folders, names in os.walk(folder):
                folders[:] = [name for name in folders if name != ".git"]
                for name in names:
                    path = Path(base, name)
                    found[str(path.relative_to(self.home.root))] = path.read_bytes()
        return found
