"""Taking memories out of everything below the home, the history included, and proving it by a search.

The history is written anew into a second repository without them, which then takes the first one's place: no object of the
old one stays, loose, packed or reachable only from a reflog. A record in the journal has an interrupted purge finished.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from scrubjay.home import Home
from scrubjay.ledger import Ledger
from scrubjay.ledger.files import purge as purge_ledger
from scrubjay.operations import Evidence
from scrubjay.store import files, git, lines, parsed, rewrite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scrubjay.store.draft import Draft

MIN_NEEDLE_BYTES = 16
"""A shorter piece of text is found everywhere and proves nothing."""

MAX_SEARCHED_BYTES = 64 << 20
"""A larger file outside the home (a transcript) is named by the evidence anyway."""

_RECORD = "purge-"


def prepare(
    home: Home, draft: Draft, ids: Sequence[str], evidence: Sequence[Evidence], others: Collection[str]
) -> None:
    """Into the same transaction: quotes and kept turns go, and a record that has the rest finished.

    `others`: evidence that memories which stay rest on; a message may have said two things.
    """
    messages = {one.message for one in evidence}
    for path in lines.paths(home.evidence):
        take_out(draft, path, lambda row: row.get("message") in messages and row.get("id") not in others)
    for path in lines.paths(home.turns):
        take_out(draft, path, lambda row: row.get("key") in messages)
    record = os.path.join(home.journal, f"{_RECORD}{files.sha(repr(sorted(ids)).encode())[:16]}.json")
    if not os.path.exists(record):
        draft.put(record, json.dumps({"ids": sorted(ids)}).encode(), before="")


def take_out(draft: Draft, path: str, drop: Callable[[Mapping[str, object]], bool]) -> None:
    """Into a transaction: a file of lines without those that `drop` names; an emptied file goes."""
    data = lines.without(path, drop)
    if data is not None and data.strip():
        draft.put(path, data, before=files.sha_of(path))
    elif data is not None:
        draft.delete(path, before=files.sha_of(path))


def repair(home: Home) -> None:
    """A purge died while one repository took the other's place. Before anything asks whether there is a history."""
    current, fresh, old = _repositories(home)
    if not os.path.lexists(current) and os.path.lexists(old):
        files.rename(fresh if os.path.exists(os.path.join(fresh, rewrite.COMPLETE)) else old, current)
    for path in (fresh, old):
        if os.path.lexists(path):
            files.step(f"rmtree {path}")
            shutil.rmtree(path, ignore_errors=True)


def resume(home: Home, ledger: Ledger, clear_index: Callable[[Sequence[str]], None] | None = None) -> list[str]:
    """Carry out what the records say; one that was interrupted is done again. Under the lock; returns notes."""
    notes: list[str] = []
    for path in _records(home):
        ids = _ids(path)
        files.step("purge ledger")
        purge_ledger(ledger, ids)
        if clear_index is None:
            for ending in ("", "-wal", "-shm"):
                files.remove(home.search + ending)
        else:
            clear_index(ids)
        parsed.drop(home)
        _clear_aside(home)
        if git.exists(home):
            if not git.available():
                notes.append("git was not found: the history still holds what was purged, until git is there again")
                continue
            try:
                _rewrite_history(home, ids)
            except git.GitError as error:
                notes.append(f"the history still holds what was purged, the next opening tries again: {error}")
                continue
        files.remove(path)
    return notes


def _records(home: Home) -> list[str]:
    try:
        names = sorted(os.listdir(home.journal))
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [os.path.join(home.journal, name) for name in names if name.startswith(_RECORD) and name.endswith(".json")]


def _ids(path: str) -> list[str]:
    try:
        return [str(one) for one in json.loads(files.read(path) or b"{}")["ids"]]
    except (ValueError, KeyError, TypeError):
        return []


def _clear_aside(home: Home) -> None:
    """What was put aside in a conflict may hold it too; it was offered once, and a purge is for good."""
    folder = os.path.join(home.journal, "aside")
    with contextlib.suppress(FileNotFoundError):
        for name in os.listdir(folder):
            files.remove(os.path.join(folder, name))


def _repositories(home: Home) -> tuple[str, str, str]:
    return tuple(os.path.join(home.memory, name) for name in (".git", ".git.new", ".git.old"))  # type: ignore[return-value]


def _rewrite_history(home: Home, ids: Sequence[str]) -> None:
    current, fresh, old = _repositories(home)
    shutil.rmtree(fresh, ignore_errors=True)
    rewrite.without(home, ids, fresh)
    files.rename(current, old)
    files.rename(fresh, current)
    files.sync_folder(home.memory)
    files.step(f"rmtree {old}")
    shutil.rmtree(old, ignore_errors=True)
    with contextlib.suppress(OSError):
        os.unlink(os.path.join(current, rewrite.COMPLETE))


def search(home: Home, needles: Sequence[str]) -> list[str]:
    """Files below the home that hold one of these texts, plain or JSON-escaped; objects of the history, packed ones too."""
    found = list(search_folder(home.root, needles, limit=False))
    if needles and git.exists(home) and git.available():
        wanted = _forms(needles)
        with contextlib.suppress(git.GitError):
            objects = git.run(home, "cat-file", "--batch-all-objects", "--batch", "--unordered")
            if any(one in objects for one in wanted):
                found.append(os.path.join(home.memory, ".git"))
    return sorted(set(found))


def search_folder(place: str, needles: Sequence[str], *, limit: bool = True) -> list[str]:
    """Files in a folder (or one file) that hold one of these texts."""
    wanted = _forms(needles)
    return [path for path in _files(place) if wanted and _holds(path, wanted, limit=limit)]


def _forms(needles: Sequence[str]) -> list[bytes]:
    forms: list[bytes] = []
    for needle in needles:
        forms += [
            needle.encode("utf-8", "replace"),
            json.dumps(needle)[1:-1].encode(),
            needle.encode("utf-16-le", "replace"),
        ]
        forms.append(json.dumps(needle, ensure_ascii=False)[1:-1].encode("utf-8", "replace"))
    return list(dict.fromkeys(forms))


def _files(place: str) -> Iterator[str]:
    if os.path.isfile(place):
        yield place
    for folder, _, names in os.walk(place):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                yield path


def _holds(path: str, wanted: Sequence[bytes], *, limit: bool) -> bool:
    try:
        if limit and os.path.getsize(path) > MAX_SEARCHED_BYTES:
            return False
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return False
    return any(one in data for one in wanted)
