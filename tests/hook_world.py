"""A person's machine for hook tests: a home, repositories, memories in real stores, the real shim."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scrubjay.home import Home
from scrubjay.hooks.background import lock_path
from scrubjay.install import shim
from scrubjay.ledger import Ledger
from scrubjay.memory import Memory
from scrubjay.operations import MemoryType
from scrubjay.projects import resolve
from scrubjay.scope import StoreRef
from scrubjay.search.build import refresh
from scrubjay.store.change import commit, create
from scrubjay.store.library import Library
from tests import hook_process
from tests.hook_process import Ended

SESSION = "11111111-2222-4333-8444-555555555555"
OTHER = "99999999-2222-4333-8444-555555555555"


@dataclass
class World:
    """`top` holds the home folder `.scrubjay` and the repositories."""

    top: Path
    env: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.home = Home(str(self.top / ".scrubjay"))
        Path(self.home.state).mkdir(parents=True)
        with Ledger.open(self.home.ledger):
            pass
        shim.write(self.home)

    def repository(self, name: str = "acme-api") -> Path:
        """A git repository that scrubjay knows."""
        path = self.top / name
        if not path.exists():
            subprocess.run(["git", "init", "-q", str(path)], check=True)
            subprocess.run(
                ["git", "-C", str(path), "remote", "add", "origin", f"git@example.org:acme/{name}.git"], check=True
            )
        resolve(self.home, str(path))
        return path

    def remember(self, text: str, *, kind: MemoryType = "project", name: str = "", repo: str = "acme-api") -> str:
        """One memory: `feedback` and `user` in the user store, the others in the store of `repo`. The index is refreshed."""
        return self.remember_all({name or text[:60]: text}, kind=kind, repo=repo)[0]

    def remember_all(
        self, texts: Mapping[str, str], *, kind: MemoryType = "project", repo: str = "acme-api"
    ) -> tuple[str, ...]:
        """One memory for each name, in one transaction."""
        place = resolve(self.home, str(self.repository(repo)))
        user = kind in ("feedback", "user")
        scope = "user" if user else "project"
        store = next(one for one in place.stores() if one.scope == scope)
        changes = [
            create(
                Memory(
                    id="",
                    name=name,
                    description=text[:120],
                    type=kind,
                    body=text,
                    created="2026-11-01T10:00:00Z",
                    updated="2026-11-01T10:00:00Z",
                    by="user",
                    trust="user",
                ),
                _ref(store),
            )
            for name, text in texts.items()
        ]
        done = commit(self.home, changes, subject="test")
        self.refresh()
        return done.ids

    def refresh(self) -> None:
        refresh(self.home, Library.open(self.home))

    def fire(
        self, event: str, payload: str = "", session: str = SESSION, repo: str = "acme-api", **changes: Any
    ) -> Ended:
        """One hook process through the shim, with a recorded payload."""
        transcript = self.top / ".claude" / "projects" / "-acme-api" / f"{session}.jsonl"
        changes = {"cwd": str(self.top / repo), "transcript_path": str(transcript), **changes}
        data = hook_process.payload(payload or event, self.top, session_id=session, **changes)
        return self.raw(event, json.dumps(data).encode())

    def raw(self, event: str, data: bytes) -> Ended:
        env = hook_process.environment(self.top, **self.env)
        return hook_process.run(event, data, env, [self.home.shim, "claude-code", event])

    def start(self, source: str = "startup", session: str = SESSION, **changes: Any) -> Ended:
        return self.fire("SessionStart", f"SessionStart-{source}", session, **changes)

    def ask(self, text: str, session: str = SESSION, **changes: Any) -> Ended:
        return self.fire("UserPromptSubmit", session=session, prompt=text, **changes)

    def ledger(self) -> Ledger:
        return Ledger.open(self.home.ledger)


@contextlib.contextmanager
def busy(top: Path) -> Iterator[World]:
    """A machine on which a worker seems to run, so that no hook starts one."""
    world = World(top)
    descriptor = os.open(lock_path(world.home), os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield world
    finally:
        os.close(descriptor)


def _ref(store: StoreRef) -> StoreRef:
    Path(store.path).mkdir(parents=True, exist_ok=True, mode=0o700)
    return store
