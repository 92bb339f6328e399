"""Runs in a mount namespace of its own (`unshare -m`, root): a store on a full disk, and on a read-only one. Prints JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

from scrubjay.errors import StoreUnavailable
from scrubjay.home import Home
from scrubjay.store import change, layout
from scrubjay.store.library import Library
from tests.store import fault_runner
from tests.store.samples import evidence, memory


def attempt(home: Home) -> tuple[str, str]:
    """One change of several files: ("", "") when it went through, else what was said and where."""
    library = Library.open(home)
    two = library.get("m-2")
    changes = [
        change.create(memory("Big", id="m-big", body="x" * 3900), layout.user_store(home)),
        change.rewrite(two, replace(two.memory, body="y" * 3900)),
    ]
    try:
        change.commit(home, changes, subject="Change", evidence=[evidence(n, quote="q" * 900) for n in range(20, 40)])
    except StoreUnavailable as error:
        return error.what, error.at
    return "", ""


def full_disk(folder: str) -> dict[str, object]:
    """With less and less ballast until it fits."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "none", folder], check=True)
    home = Home(os.path.join(folder, "home"))
    fault_runner.prepare(home)
    Library.open(home)
    before = fault_runner.state(home)
    rows = []
    ballast = os.path.join(folder, "ballast")
    for spare in (0, 8, 16, 24, 32, 48, 64, 96, 128, 256, 512):
        fill(ballast, spare * 1024)
        said, at = attempt(home)
        os.unlink(ballast)
        notes = Library.open(home).notes
        rows.append(
            {"spare": spare, "said": said, "at": at, "same": fault_runner.state(home) == before, "notes": notes}
        )
        if not said:
            break
    return {
        "rows": rows,
        "ids": sorted(one.memory.id for one in Library.open(home).memories()),
        "faults": fault_runner.faults(home, ""),
    }


def fill(path: str, spare: int) -> None:
    """A file that takes all space but `spare` bytes."""
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            pass
        file.truncate(max(0, os.path.getsize(path) - spare))


def read_only(folder: str) -> dict[str, object]:
    """Reading works and says what it could not do; a change is refused with the reason."""
    home = Home(os.path.join(folder, "home"))
    fault_runner.prepare(home)
    Library.open(home)
    with open(os.path.join(home.user_store, "hand.md"), "w") as file:
        file.write("# Hand\n")
    before = fault_runner.state(home)
    subprocess.run(["mount", "--bind", folder, folder], check=True)
    subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True)
    library = Library.open(home)
    said, at = attempt(home)
    return {
        "notes": library.notes, "names": sorted(one.memory.name for one in library.memories()), "said": said, "at": at,
        "same": fault_runner.state(home) == before, "hand": [one.memory.name for one in library.memories() if one.hand_made],
    }  # fmt: skip


if __name__ == "__main__":
    print(json.dumps({"full": full_disk, "read-only": read_only}[sys.argv[1]](sys.argv[2])))
