"""The private git repository in `memory/`: commits after each transaction, log, undo."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay import clock
from scrubjay.home import Home
from scrubjay.ledger import Ledger
from scrubjay.redact import redact
from scrubjay.store import files, git, journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scrubjay.store.change import Committed

NO_GIT = "git was not found: changes are kept, but there is no history and no undo until it is installed"


OTHER = "Other files"
"""Subject of a commit that takes in files which are no memories (identities of projects)."""

FEW_PATHS = 20
"""Paths that a command line is given; with more the whole tree is listed."""

BOOKKEEPING = (OTHER, "Catch up with changes made without git", "Begin the history", "Hand edits of a generated index")
"""Beginnings of subjects of commits that nobody means by "undo the last change"."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One commit."""

    sha: str
    at: str
    subject: str
    ids: tuple[str, ...]
    """Memories that it touched."""
    changes: tuple[tuple[str, str], ...]
    """`(A | M | D, path below memory/)`; generated files left out."""


def message(subject: str, ids: Sequence[str]) -> str:
    """Text of a commit; `log` reads the ids back. A subject may quote a person (the reason of a forget): redacted."""
    first = redact(" ".join(subject.split())) or "Change"
    return first + ("\n\nMemories: " + " ".join(dict.fromkeys(ids)) if ids else "") + "\n"


def commit_plan(home: Home, plan: journal.Plan) -> tuple[str, list[str]]:
    """The commit of a plan that is done, and notes. Without git the plan's marker becomes `behind`."""
    paths = plan.paths_below(home.memory)
    if not paths:
        journal.forget_done(home, plan)
        return "", []
    if not git.available():
        _fall_behind(home)
        journal.forget_done(home, plan)
        return "", [NO_GIT]
    try:
        commit_id = git.commit(home, plan.message, paths, when=plan.at)
    except git.GitError as error:
        return "", [f"the history could not be written, the next opening tries again: {error}"]
    journal.forget_done(home, plan)
    return commit_id, []


def catch_up(home: Home, plans: Sequence[journal.Plan]) -> list[str]:
    """Commits that are missing: of transactions that died before theirs, and of a time without git."""
    notes: list[str] = []
    for plan in plans:
        notes += commit_plan(home, plan)[1]
    if not os.path.isdir(home.memory) or not git.available():
        return notes
    behind = os.path.exists(_behind(home))
    if behind or not git.exists(home):
        try:
            every = sorted(set(all_paths(home)) | set(tracked(home)))
            text = "Catch up with changes made without git\n" if git.head(home) else "Begin the history\n"
            if every:
                git.commit(home, text, every, when=clock.text(clock.now()))
                notes.append("the history caught up with changes made without git" if behind else "a history was begun")
            files.remove(_behind(home))
        except git.GitError as error:
            notes.append(f"the history could not be written, the next opening tries again: {error}")
    return notes


def _behind(home: Home) -> str:
    return os.path.join(home.journal, "behind")


def _fall_behind(home: Home) -> None:
    if not os.path.exists(_behind(home)):
        files.make_folder(home.journal)
        files.write_new(_behind(home), b"")


def all_paths(home: Home) -> list[str]:
    """Every file below `memory/` that belongs into the history, as a path below it."""
    found = []
    for folder, inside, names in os.walk(home.memory):
        inside[:] = [name for name in inside if name != ".git"]
        below = os.path.relpath(folder, home.memory)
        found += [os.path.normpath(os.path.join(below, name)) for name in names if not name.startswith(".")]
    return found


def tracked(home: Home) -> list[str]:
    """Paths of the newest commit."""
    if not git.head(home):
        return []
    listed = git.run(home, "ls-tree", "-r", "-z", "--name-only", "HEAD")
    return [name.decode("utf-8", "surrogateescape") for name in listed.split(b"\0") if name]


def blobs(home: Home, tree: str, paths: Sequence[str]) -> dict[str, bytes]:
    """Bytes that these paths have in a commit; those that it does not have are left out."""
    # By their ids: for a name such as `HEAD:path` git looks through the trees anew each time.
    listed = git.run(home, "ls-tree", "-r", "-z", tree, "--", *(paths if len(paths) <= FEW_PATHS else ()))
    wanted, asked = {os.fsencode(path): path for path in paths}, []
    for line in listed.split(b"\0"):
        state, _, name = line.partition(b"\t")
        if name in wanted and state.split(b" ")[1] == b"blob":
            asked.append((wanted[name], state.split(b" ")[2]))
    output = git.run(home, "cat-file", "--batch", data=b"".join(one + b"\n" for _, one in asked)) if asked else b""
    found: dict[str, bytes] = {}
    place = 0
    for path, _ in asked:
        end = output.index(b"\n", place)
        header = output[place:end].split(b" ")
        place = end + 1
        if header[-1] != b"missing":
            length = int(header[-1])
            found[path] = output[place : place + length]
            place += length + 1
    return found


def log(home: Home, limit: int = 20, id: str | None = None, *, commit: str = "HEAD") -> list[Entry]:  # noqa: A002
    """Newest first, from `commit` on; `id`: only what touched this memory. Empty without git or history."""
    if not git.available() or not git.head(home):
        return []
    chosen = [*(["--fixed-strings", f"--grep={id}"] if id else []), commit, "--"]
    form = "--format=%x01%H%x00%cI%x00%s%x00%b%x00"
    raw = git.run(home, "log", "-z", "--name-status", "--no-renames", f"--max-count={limit}", form, *chosen)
    return [_entry(part) for part in raw.decode("utf-8", "surrogateescape").split("\x01") if part.strip("\0\n")]


def _entry(text: str) -> Entry:
    commit_id, at, subject, body, *rest = text.split("\0")
    ids: list[str] = []
    for line in body.split("\n"):
        if line.startswith("Memories: "):
            ids += line.removeprefix("Memories: ").split()
    words = [word.strip("\n") for word in rest if word.strip("\n")]
    changes = zip(words[::2], words[1::2], strict=False)
    moment = clock.parse(at)
    return Entry(
        sha=commit_id,
        at=clock.text(moment) if moment else at,
        subject=subject,
        ids=tuple(ids),
        changes=tuple((kind, path) for kind, path in changes if not path.endswith("MEMORY.md")),
    )


def known_from_head(home: Home, ledger: Ledger) -> dict[str, bytes]:
    """What the last transaction left, when the ledger that knew it is gone."""
    del ledger
    if not git.available() or not git.head(home):
        return {}
    return blobs(home, "HEAD", tracked(home))


def undo(home: Home, which: str | None = None) -> Committed:
    """Take back one commit (None: the newest) by a new transaction; an undo can be undone.

    Raises `NothingFound` (no such commit, no git), `Conflict` (a file changed since), `Refused` (a purge, a merge).
    """
    from scrubjay.store import undo as module

    return module.undo(home, which)
