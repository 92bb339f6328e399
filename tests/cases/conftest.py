"""A fresh machine for each case."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.home import Home
from scrubjay.hooks.background import lock_path
from scrubjay.install import shim
from scrubjay.ledger import Ledger
from tests.cases.machine import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Nothing is installed and nothing remembered yet."""
    home = Path(os.path.realpath(tmp_path)) / "home"
    home.mkdir(mode=0o700)
    return Machine(home)


@pytest.fixture
def hooked(machine: Machine) -> Iterator[Machine]:
    """The same with the shim in place; a worker seems to run, so that no hook starts one."""
    home = Home(str(machine.store))
    for folder in (home.root, os.path.dirname(home.state), home.state):
        os.mkdir(folder, mode=0o700)
    Ledger.open(home.ledger).close()
    shim.write(home)
    descriptor = os.open(lock_path(home), os.O_RDWR | os.O_CREAT, 0o600)
    with contextlib.closing(os.fdopen(descriptor, "w")):
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield machine
