"""A person's home in which no worker starts by itself: its lock is taken, as by one that runs."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator

import pytest

from scrubjay.hooks.background import lock_path
from tests.learn.world import World


@pytest.fixture
def world(home: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("SCRUBJAY_NOW", "2026-09-01T12:00:00Z")
    made = World(home)
    os.makedirs(made.home.state, mode=0o700)
    with open(lock_path(made.home), "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield made
