"""A fresh machine for each case: a hook may still be at work on the last one."""

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
from tests.cases.machine import ASK, FACT, RULE, Machine, memory_file


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Nothing is installed and nothing remembered yet."""
    home = Path(os.path.realpath(tmp_path)) / "home"
    home.mkdir(mode=0o700)
    return Machine(home)


@pytest.fixture
def hooked(machine: Machine) -> Iterator[Machine]:
    """The same with the shim in place; a worker seems to run, so that no hook starts one."""
    prepare(machine)
    with worker_seems_to_run(machine):
        yield machine


@pytest.fixture
def known(machine: Machine) -> Iterator[Machine]:
    """Like `hooked`, with a fact of the repository `acme` and a rule of the person's, ready to be recalled."""
    know(machine)
    with worker_seems_to_run(machine):
        yield machine


@pytest.fixture
def crowded(machine: Machine) -> Iterator[Machine]:
    """Like `known`, with more notes than a block has room for."""
    crowd(machine)
    with worker_seems_to_run(machine):
        yield machine


def prepare(machine: Machine) -> None:
    """The shim and the ledger, as `jay init` leaves them."""
    home = Home(str(machine.store))
    for folder in (home.root, os.path.dirname(home.state), home.state):
        os.mkdir(folder, mode=0o700)
    Ledger.open(home.ledger).close()
    shim.write(home)


def know(machine: Machine) -> None:
    """`FACT` and `RULE`, in the index too."""
    prepare(machine)
    repo = machine.repository("acme")
    machine.remember(FACT, cwd=repo)
    machine.remember(RULE, "--user", "--type", "feedback", cwd=repo)
    machine.recalled(ASK, repo)


def crowd(machine: Machine) -> None:
    """40 long notes beside them."""
    know(machine)
    repo = machine.folder("acme")
    (row, *_) = machine.jay("list", "--json", cwd=repo).json["memories"]
    for number in range(40):
        text = f"the bastion of region {number} needs the vpn job {number}" + " of the old office" * 12
        Path(row["file"]).with_name(f"more{number}.md").write_text(memory_file(f"bastion {number}", text))
    machine.recalled(ASK, repo)


@contextlib.contextmanager
def worker_seems_to_run(machine: Machine) -> Iterator[None]:
    """Hold what a worker holds."""
    descriptor = os.open(lock_path(Home(str(machine.store))), os.O_RDWR | os.O_CREAT, 0o600)
    with contextlib.closing(os.fdopen(descriptor, "w")):
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
