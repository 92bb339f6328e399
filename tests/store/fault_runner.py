"""Runs a scenario again and again in a child process that is killed before its n-th file operation, and says what a new
process then finds. Prints one JSON object. A process of its own because it forks.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from scrubjay.home import Home
from scrubjay.store import change, files, git, history, layout
from scrubjay.store.forget import forget
from scrubjay.store.library import Library
from scrubjay.store.turns import KeptTurn
from tests.store.samples import evidence, memory

WORD = "Quetzalcoatl"
TURN = KeptTurn(
    key="k1", agent="codex", session="s", origin="user", at="2026-09-03T10:12:44Z", project="", cwd="", text=WORD
)


def prepare(home: Home) -> None:
    """Three memories, evidence and a turn."""
    store = layout.user_store(home)
    first = evidence(1, quote=f"{WORD} says so in many words")
    changes = [
        change.create(memory(f"{WORD} one", id="m-1", evidence=(first.id,)), store),
        change.create(memory("Two", id="m-2"), store),
        change.create(memory("Three", id="m-3"), layout.project_store(home, "acme-1")),
    ]
    change.commit(home, changes, subject="Prepare", evidence=[first], turns=[TURN])


def commit(home: Home) -> None:
    """Create, rewrite, archive, append to an old and to a new file."""
    library = Library.open(home)
    two, three = library.get("m-2"), library.get("m-3")
    changes = [
        change.create(memory("Four", id="m-4"), layout.user_store(home)),
        change.rewrite(two, replace(two.memory, description="rewritten")),
        change.archive(three, replace(three.memory, status="archived")),
    ]
    more = [evidence(2), evidence(3, at="2026-10-01T00:00:00Z")]
    change.commit(home, changes, subject="Change", evidence=more, turns=[replace(TURN, key="k2")])


def begin(home: Home) -> None:
    """The first memory of all."""
    store = layout.user_store(home)
    change.commit(home, [change.create(memory("First", id="m-9"), store)], subject="First", evidence=[evidence(9)])


def hand(home: Home) -> None:
    """What an editor did is taken in."""
    Library.open(home)


def forgetting(home: Home) -> None:
    forget(home, Library.open(home), ["m-1"])


def purging(home: Home) -> None:
    forget(home, Library.open(home), ["m-1"], purge=True)


def undoing(home: Home) -> None:
    history.undo(home)


SCENARIOS: dict[str, Callable[[Home], None]] = {
    "begin": begin, "commit": commit, "hand": hand, "forget": forgetting, "purge": purging, "undo": undoing,
}  # fmt: skip


def state(home: Home) -> str:
    """A hash over everything that a person or a learner would miss."""
    digest = hashlib.sha256()
    for root in (home.memory, home.evidence, home.turns):
        for path in sorted(Path(root).rglob("*")):
            if path.is_file() and ".git" not in path.parts and ".git.new" not in path.parts:
                digest.update(
                    f"{os.path.relpath(path, home.root)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode()
                )
    return digest.hexdigest()


def faults(home: Home, scenario: str) -> list[str]:
    """What should not be there after a new opening."""
    found = [str(path) for path in Path(home.root).rglob("*.tmp")]
    found += [str(path) for path in Path(home.journal).rglob("*") if path.is_file()]
    if git.exists(home):
        if git.run(home, "status", "--porcelain"):
            found.append("uncommitted changes")
        if any(name.startswith(".git.") for name in os.listdir(home.memory)):
            found.append("a second repository")
    return found


def killed(home: Home, scenario: str, number: int) -> str:
    """Run the scenario in a child that kills itself before operation `number`; the operation, "" when it got through."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        count = 0

        def failpoint(what: str) -> None:
            nonlocal count
            count += 1
            if count == number:
                os.write(tell, what.replace(home.root, "").encode())
                os.kill(os.getpid(), signal.SIGKILL)

        files.failpoint = failpoint
        SCENARIOS[scenario](home)
        os._exit(0)
    os.close(tell)
    _, status = os.waitpid(child, 0)
    with os.fdopen(told, "rb") as said:
        what = said.read().decode()
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) != 0:
        raise SystemExit(f"scenario {scenario} failed without a kill")
    return what


def main(folder: str, scenario: str, first: int, stride: int) -> None:
    template = Home(os.path.join(folder, "template"))
    if scenario != "begin":
        prepare(template)
    if scenario == "undo":
        forget(template, Library.open(template), ["m-1"])
    if scenario == "hand":
        os.unlink(os.path.join(template.user_store, "project_two.md"))
        Path(template.user_store, "mine.md").write_text("# Mine\n\nBy hand.\n")
        with open(os.path.join(template.projects, "acme-1", "project_three.md"), "a") as file:
            file.write("\nedited\n")
    if not os.path.isdir(template.root):
        os.makedirs(template.root, 0o700)
    rows: list[dict[str, object]] = []
    new = fresh(folder, template, "new")
    assert not killed(new, scenario, 0)
    Library.open(new)
    number = first
    while True:
        home = fresh(folder, template, "try")
        what = killed(home, scenario, number)
        if not what:
            break
        Library.open(home)
        after = state(home)
        again = Library.open(home)
        rows.append({
            "number": number, "what": what, "state": after, "again": state(home), "notes": again.notes,
            "faults": faults(home, scenario), "word": holds(home, WORD) if scenario == "purge" else False,
        })  # fmt: skip
        number += stride
    print(json.dumps({"old": state(template), "new": state(new), "rows": rows}))


def fresh(folder: str, template: Home, name: str) -> Home:
    target = os.path.join(folder, name)
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(["cp", "-a", template.root, target], check=True)
    return Home(target)


def holds(home: Home, word: str) -> bool:
    if any(word.encode() in path.read_bytes() for path in Path(home.root).rglob("*") if path.is_file()):
        return True
    return word.encode() in git.run(home, "cat-file", "--batch-all-objects", "--batch")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
