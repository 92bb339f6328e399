"""Taking back one commit by a new transaction."""

from __future__ import annotations

import os

from scrubjay.errors import Conflict, NothingFound, Refused
from scrubjay.home import Home
from scrubjay.ledger import Ledger
from scrubjay.store import files, git, history, layout, settle, tombstones
from scrubjay.store.change import Committed
from scrubjay.store.draft import Draft
from scrubjay.store.lock import locked


def undo(home: Home, which: str | None = None) -> Committed:
    """See `history.undo`."""
    if not git.available():
        raise NothingFound(history.NO_GIT)
    if not os.path.isdir(home.memory):
        raise NothingFound("nothing to undo", hint="`jay log` shows what can be undone")
    with locked(home), files.writing(home.root), Ledger.open(home.ledger) as ledger:
        notes = settle.settle(home, ledger)
        commit_id = _resolve(home, which)
        entry = history.log(home, 1, commit=commit_id)[0]
        draft = Draft(home, ledger)
        for below in _changed_paths(home, commit_id):
            if os.path.basename(below) != layout.INDEX:
                _restore(home, draft, commit_id, below)
        draft.mentioned += entry.ids
        made, more = draft.carry_out(f"Undo {commit_id[:10]}: {entry.subject}")
    return Committed(ids=entry.ids, paths=(), sha=made, undo=made, notes=(*notes, *more))


def _resolve(home: Home, which: str | None) -> str:
    try:
        given = which or _newest(home)
        if which is not None and not (len(which) >= 4 and all(c in "0123456789abcdef" for c in which.lower())):
            raise git.GitError("no commit id")
        return git.run(home, "rev-parse", "--verify", "--quiet", f"{given}^{{commit}}").decode().strip()
    except git.GitError as error:
        what = f"no change {which!r} in the history" if which else "nothing to undo"
        raise NothingFound(what, hint="`jay log` shows what can be undone") from error


def _newest(home: Home) -> str:
    """The newest change that somebody made; commits of bookkeeping are passed over."""
    entries = history.log(home, 100)
    return next((entry.sha for entry in entries if not entry.subject.startswith(history.BOOKKEEPING)), "HEAD")


def _changed_paths(home: Home, commit_id: str) -> list[str]:
    parents = git.run(home, "rev-list", "--parents", "-n", "1", commit_id).split()[1:]
    if len(parents) > 1:
        raise Refused(
            "a merge of two machines' histories cannot be undone as one step", at=commit_id, rule="history/merge"
        )
    raw = git.run(home, "diff-tree", "--root", "-r", "-z", "--no-renames", "--name-only", "--no-commit-id", commit_id)
    return [name.decode("utf-8", "surrogateescape") for name in raw.split(b"\0") if name]


def _restore(home: Home, draft: Draft, commit_id: str, below: str) -> None:
    """The file as it was before the commit, if it still is as the commit left it."""
    path = os.path.join(home.memory, below)
    after = history.blobs(home, commit_id, [below]).get(below)
    before = history.blobs(home, f"{commit_id}^", [below]).get(below) if _has_parent(home, commit_id) else None
    now = files.read(path)
    if now != after:
        raise Conflict(
            "the file changed since; nothing was undone",
            at=path,
            hint="undo the later change first: `jay log` shows it",
        )
    if before == now:
        return
    if before is None and (stone := tombstones.decode(now or b"")) is not None and stone.by == "purge":
        raise Refused("a purge cannot be undone", at=path, rule="history/purge")
    if before is None:
        draft.delete(path, before=files.sha(now or b""))
    else:
        draft.put(path, before, before=files.sha(now) if now is not None else "")


def _has_parent(home: Home, commit_id: str) -> bool:
    return len(git.run(home, "rev-list", "--parents", "-n", "1", commit_id).split()) > 1
