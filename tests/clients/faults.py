"""What may become of the store while a client works, one after the other."""

from __future__ import annotations

import os
import shutil
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


def faults(machine: Machine) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Name of the fault, and what the client's command line has to begin with for it."""
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
    for name in (machine.home.ledger, machine.home.search):
        for path in Path(name).parent.glob(Path(name).name + "*"):
            path.unlink()
        os.mkfifo(name)  # whoever opens it waits for ever
    yield "files that hang", ()
    for name in (machine.home.ledger, machine.home.search):
        os.unlink(name)
        Path(name).write_bytes(b"no database " * 1000)
    yield "files that are broken", ()
    shim = Path(machine.home.shim)
    shim.write_text("#!/bin/sh\nsleep 600\n", encoding="utf-8")
    yield "a hook that never ends", ()
    shim.write_text("#!/bin/sh\necho '{\"hookSpecificOutput\": 1'; echo trouble >&2; exit 3\n", encoding="utf-8")
    yield "a hook that fails loudly", ()
    shutil.rmtree(machine.home.root)
    yield "all of it gone", ()
