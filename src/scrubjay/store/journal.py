"""A transaction: all of it or nothing, also when the process dies between any two steps (`docs/faults.md`).

A plan is written down first, then everything that needs space (temporary files, appended lines). Renaming the plan to
`.commit` is the moment when the change is made; before it recovery takes everything back, after it recovery finishes the
renames. `.done` says that only the commit in the history is missing. The caller holds the lock.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal

from scrubjay.errors import Conflict, StoreUnavailable
from scrubjay.home import Home
from scrubjay.store import files


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One file. `before`: hash that it has now ("" missing, "*" whatever it is: generated files)."""

    kind: Literal["put", "delete", "append"]
    path: str
    before: str = ""
    after: str = ""
    size: int = 0
    """Of an append: bytes that the file has now."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What is to be remembered of a file below `memory/` once it is written."""

    sha: str
    memory: str = ""
    hand: bool = False
    evidence: tuple[str, ...] = ()
    prints: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """Everything that recovery needs. Holds paths and hashes, no text of a memory."""

    id: str
    message: str
    """Of the commit."""
    at: str
    steps: tuple[Step, ...]
    known: Mapping[str, Known] = field(default_factory=dict)
    """By path below `memory/`."""
    gone: tuple[str, ...] = ()
    """Paths below `memory/` that are no longer there."""
    also: tuple[str, ...] = ()
    """Further paths below `memory/` for the commit: changed by hand, taken in with this transaction."""

    def temporary(self, path: str) -> str:
        return files.temporary_name(path, self.id)

    def paths_below(self, memory: str) -> list[str]:
        """What the commit takes in."""
        inside = [step.path for step in self.steps if step.path.startswith(memory + os.sep)]
        return sorted({os.path.relpath(path, memory) for path in inside} | set(self.also))


def new_id() -> str:
    return secrets.token_hex(6)


def run(home: Home, plan: Plan, contents: Mapping[str, bytes]) -> list[str]:
    """Carry out a plan; `contents`: path → bytes to put or append. Returns notes.

    Raises `Conflict` (a file is not what `before` says) and `OSError`; the files are then as they were. A failure after
    the change is made (a dying disk) is `StoreUnavailable`, and the next opening finishes it.
    """
    base = os.path.join(home.journal, plan.id)
    try:
        files.make_folder(home.journal)
        files.write_new(f"{base}.plan", json.dumps(asdict(plan), ensure_ascii=True).encode())
        files.sync_folder(home.journal)
        for one in plan.steps:
            if one.kind != "delete":
                files.make_folder(os.path.dirname(one.path))
            if one.kind == "put":
                files.write_new(plan.temporary(one.path), contents[one.path])
            elif one.kind == "append":
                files.append(one.path, one.size, contents[one.path])
        _compare(plan)
        files.rename(f"{base}.plan", f"{base}.commit")
    except BaseException:
        with contextlib.suppress(OSError):  # what stays is taken back at the next opening
            _take_back(home, plan)
        raise
    try:
        files.sync_folder(home.journal)
        return finish(home, plan)
    except OSError as error:
        raise StoreUnavailable(
            f"the change is written down and will be finished when the store is opened next: {error.strerror}",
            at=str(error.filename or home.journal),
            hint="make room or repair the disk, then run any `jay` command",
        ) from error


def _compare(plan: Plan) -> None:
    for one in plan.steps:
        if one.kind != "append" and one.before != "*" and files.sha_of(one.path) != one.before:
            raise Conflict(
                "the file changed since it was read; nothing was written",
                at=one.path,
                hint="do it again: the change is then read first",
            )


def _take_back(home: Home, plan: Plan) -> None:
    for one in reversed(plan.steps):
        if one.kind == "put":
            files.remove(plan.temporary(one.path))
        elif one.kind == "append":
            files.truncate(one.path, one.size)
            if one.size == 0 and os.path.exists(one.path):
                files.remove(one.path)
    for ending in (".plan", ".commit"):
        files.remove(os.path.join(home.journal, plan.id + ending))


def finish(home: Home, plan: Plan) -> list[str]:
    """The renames and deletions of a plan that is committed; those done already are passed over."""
    notes = []
    for one in plan.steps:
        temporary = plan.temporary(one.path)
        if one.kind == "put" and os.path.lexists(temporary):
            if one.before in ("*", now := files.sha_of(one.path)) or now == one.after:
                files.rename(temporary, one.path)
            else:
                notes.append(_put_aside(home, plan, one.path))
        elif one.kind == "delete":
            now = files.sha_of(one.path)
            if now == one.before:
                files.remove(one.path)
            elif now:
                notes.append(f"{one.path} was changed while it was being removed; it stays")
    for folder in sorted({os.path.dirname(one.path) for one in plan.steps}):
        files.sync_folder(folder)
    return notes


def _put_aside(home: Home, plan: Plan, path: str) -> str:
    """A hand edit came between the commitment and the rename (after a crash, or by a hair): the edit stays."""
    aside = os.path.join(home.journal, "aside", f"{plan.id}-{os.path.basename(path)}"[:200])
    data = files.read(plan.temporary(path)) or b""
    files.make_folder(os.path.dirname(aside))
    files.remove(aside)
    files.write_new(aside, data)
    files.remove(plan.temporary(path))
    return f"{path} was changed by hand meanwhile and stays; what was to be written is {aside}"


def mark_done(home: Home, plan: Plan) -> None:
    files.rename(os.path.join(home.journal, f"{plan.id}.commit"), os.path.join(home.journal, f"{plan.id}.done"))


def forget_done(home: Home, plan: Plan) -> None:
    files.remove(os.path.join(home.journal, f"{plan.id}.done"))


def pending(home: Home) -> tuple[list[Plan], list[Plan], list[str]]:
    """After a crash: takes back what was not committed; returns plans to finish, plans whose history commit is missing,
    and notes."""
    finishing: list[Plan] = []
    uncommitted: list[Plan] = []
    notes: list[str] = []
    for name in _names(home.journal):
        stem, ending = os.path.splitext(name)
        path = os.path.join(home.journal, name)
        if ending not in (".plan", ".commit", ".done"):
            continue
        plan = _load(path)
        if plan is None or plan.id != stem:
            # A plan is whole before anything else happens, so a torn one has no traces elsewhere.
            if ending == ".plan":
                files.remove(path)
            else:
                files.rename(path, f"{path}-unreadable")
                notes.append(f"an unreadable journal was put aside: {path}-unreadable")
        elif ending == ".plan":
            _take_back(home, plan)
            notes.append("an interrupted change was taken back")
        elif ending == ".commit":
            finishing.append(plan)
        else:
            uncommitted.append(plan)
    return sorted(finishing, key=_order), sorted(uncommitted, key=_order), notes


def _order(plan: Plan) -> tuple[str, str]:
    return plan.at, plan.id


def _names(folder: str) -> Sequence[str]:
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return ()


def _load(path: str) -> Plan | None:
    try:
        raw = json.loads(files.read(path) or b"")
        return Plan(
            id=str(raw["id"]),
            message=str(raw["message"]),
            at=str(raw["at"]),
            steps=tuple(Step(**one) for one in raw["steps"]),
            known={str(path): _known(value) for path, value in raw["known"].items()},
            gone=tuple(raw["gone"]),
            also=tuple(raw["also"]),
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _known(raw: dict[str, object]) -> Known:
    lists = {key: tuple(value) for key, value in raw.items() if isinstance(value, list)}
    return Known(
        sha=str(raw["sha"]),
        memory=str(raw["memory"]),
        hand=bool(raw["hand"]),
        evidence=lists["evidence"],
        prints=lists["prints"],
    )
