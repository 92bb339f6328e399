"""What may become of the store while a client works, one after the other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.clients.machine import Machine

HOLDER = """
import os, signal, sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
"""
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


def faults(machine: Machine, *, shim: bool = False) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Name of the fault, and what the client's command line has to begin with for it. `shim`: those of the hook's program too,
    for clients that wait for it no longer than our plugin says."""
    argv = [sys.executable, "-I", "-c", HOLDER, machine.home.ledger]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        try:
            yield "a stopped process holds the ledger", ()
        finally:
            holder.send_signal(signal.SIGKILL)
    yield "read-only", ("unshare", "-m", "sh", "-c", READ_ONLY, machine.home.root)
    machine.settled()
    files = (machine.home.ledger, machine.home.search)
    for name in files:
        for path in Path(name).parent.glob(Path(name).name + "*"):
            path.unlink()
        os.mkfifo(name)  # whoever opens it waits for ever
    yield "files that hang", ()
    for name in (*files, machine.home.config):
        Path(name).unlink(missing_ok=True)
        Path(name).write_bytes(b"\x00\xffno database " * 1000)
    yield "files that are broken", ()
    if shim:
        program = Path(machine.home.shim)
        program.write_text("#!/bin/sh\nsleep 600\n", encoding="utf-8")
        yield "a hook that never ends", ()
        program.write_text("#!/bin/sh\necho '{\"hookSpecificOutput\": 1'; echo trouble >&2; exit 3\n", encoding="utf-8")
        yield "a hook that fails loudly", ()
    root = Path(machine.home.root)
    root.rename(root.with_name("away"))  # in one step: a worker may be writing there
    yield "all of it gone", ()
