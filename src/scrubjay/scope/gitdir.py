"""What the files of a git repository tell without git: where it is, its `origin`, whether it holds a commit.

Layout: git's documentation, gitrepository-layout, gitsubmodules and pack-format (index version 2). `GIT_DIR` and its like
are ignored: the directory decides. Hot: no process, nothing written, no `re` (whose import costs a third of a prompt's hook);
whatever cannot be read is as if it were not there.
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

MAX_CONFIG_BYTES = 16 << 20  # thousands of branch sections make megabytes; past this it is no config
MAX_SMALL_BYTES = 1 << 16  # `.git` files, HEAD, commondir, shallow
MAX_ALTERNATES = 5  # git's own limit on nesting


class Repository:
    """One work tree (or bare repository) and the git directory behind it. Real paths."""

    __slots__ = ("common", "gitdir", "root", "worktree")

    def __init__(self, worktree: str, gitdir: str, common: str, root: str) -> None:
        self.worktree = worktree  # top of the work tree; of a bare repository its folder
        self.gitdir = gitdir  # "" when `.git` is broken
        self.common = common  # shared by all work trees; "" when `.git` is broken
        self.root = root  # the same for all work trees of the repository

    @property
    def linked(self) -> bool:
        """One of `git worktree add`, or of a bare repository."""
        return self.gitdir != self.common


def find(start: str, ignore: Collection[str] = ()) -> Repository | None:
    """The repository that holds the real path `start`; `.git` in one of the folders `ignore` does not count."""
    path = start
    while True:
        found = None if path in ignore else _at(path)
        parent = os.path.dirname(path)
        if found is not None or parent == path:
            return found
        path = parent


def _at(path: str) -> Repository | None:
    dotgit = os.path.join(path, ".git")
    try:
        mode = os.stat(dotgit).st_mode
    except OSError:
        bare = _is_gitdir(path)
        return _repository(os.path.dirname(path) if os.path.basename(path) == ".git" else path, path) if bare else None
    if stat.S_ISDIR(mode):
        known = _is_gitdir(dotgit)
        if known is None:  # there, but not ours to look into: still the nearest marker
            return Repository(path, "", "", path)
        return _repository(path, os.path.realpath(dotgit)) if known else None  # git walks past an empty `.git` too
    text = read(dotgit)
    if not text.startswith("gitdir:"):
        return Repository(path, "", "", path)
    target = os.path.join(path, text[len("gitdir:") :].strip())
    if _is_gitdir(target):
        return _repository(path, os.path.realpath(target))
    main, marker, _ = os.path.normpath(target).partition("/.git/worktrees/")
    # The main checkout was moved or deleted: its old place is still the best name for this work tree.
    return Repository(path, "", "", os.path.realpath(main) if marker else path)


def _is_gitdir(path: str) -> bool | None:
    """None: it may be one, permissions hide it."""
    try:
        os.lstat(os.path.join(path, "HEAD"))
    except PermissionError:
        return None
    except OSError:
        return False
    return os.path.isdir(os.path.join(path, "objects")) or os.path.isfile(os.path.join(path, "commondir"))


def _repository(worktree: str, gitdir: str) -> Repository:
    shared = read(os.path.join(gitdir, "commondir")).strip()
    common = os.path.realpath(os.path.join(gitdir, shared)) if shared else gitdir
    if os.path.basename(common) == ".git":
        return Repository(worktree, gitdir, common, os.path.dirname(common))
    # A submodule's git directory lies in its superproject and names its work tree. One that names none (bare, or
    # `--separate-git-dir`) is itself the only place that all its work trees agree on.
    named = next((one for kind, _, one in _values(config(common), "worktree") if kind == "core" and one), "")
    root = os.path.realpath(os.path.join(common, named)) if named else common
    if not named and gitdir == common and "/modules/" in common:
        root = worktree
    return Repository(worktree, gitdir, common, root)


def superproject(repository: Repository, ignore: Collection[str] = ()) -> Repository | None:
    """The repository that holds this one as a submodule (not one that merely lies around it)."""
    if "/modules/" not in repository.gitdir:
        return None
    outer = find(os.path.dirname(repository.worktree), ignore)
    if outer is None or not outer.gitdir:
        return None
    inside = repository.gitdir.startswith((outer.common + "/modules/", outer.gitdir + "/modules/"))
    return outer if inside else None


def origin(common: str) -> str:
    """URL of the remote `origin` as written; without one, of the only remote; "" for none or several."""
    urls: dict[str, str] = {}
    for kind, name, url in _values(config(common), "url"):
        if kind == "remote" and name is not None and url:
            urls.setdefault(name, url)
    if "origin" in urls:
        return urls["origin"]
    return next(iter(urls.values())) if len(urls) == 1 else ""


def shallow(common: str) -> list[str]:
    """The commits at which a shallow clone was cut off; [] for a whole one."""
    return [line for line in read(os.path.join(common, "shallow")).split("\n") if _is_id(line)]


def head(repository: Repository) -> str:
    """The commit of HEAD, "" when it has none yet or keeps it where only git can read it (reftable)."""
    text = read(os.path.join(repository.gitdir, "HEAD")).strip()
    if not text.startswith("ref:"):
        return text if _is_id(text) else ""
    ref = text[4:].strip()
    loose = read(os.path.join(repository.common, ref)).strip()
    if _is_id(loose):
        return loose
    for line in read(os.path.join(repository.common, "packed-refs"), MAX_CONFIG_BYTES).split("\n"):
        commit, _, name = line.partition(" ")
        if name == ref and _is_id(commit):
            return commit
    return ""


def unborn(repository: Repository) -> bool:
    """HEAD names a branch that has no commit yet."""
    return not head(repository) and not os.path.isdir(os.path.join(repository.common, "reftable"))


def has_commit(common: str, commit: str) -> bool:
    """The object is in the repository: loose, in a pack, or with an alternate."""
    if not _is_id(commit):
        return False
    folders = [os.path.join(common, "objects")]
    for folder in folders:
        if os.path.exists(os.path.join(folder, commit[:2], commit[2:])) or _in_packs(folder, bytes.fromhex(commit)):
            return True
        for line in read(os.path.join(folder, "info", "alternates")).split("\n"):
            if line and not line.startswith("#") and len(folders) <= MAX_ALTERNATES:
                folders.append(os.path.join(folder, line))
    return False


def _in_packs(objects: str, wanted: bytes) -> bool:
    folder = os.path.join(objects, "pack")
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".idx")]
        return any(_in_index(os.path.join(folder, name), wanted) for name in names)
    except OSError:
        return False


def _in_index(path: str, wanted: bytes) -> bool:
    """Binary search in a pack index: 8 bytes of header, 256 counts by first byte, then the sorted ids."""
    width = len(wanted)
    with open(path, "rb", buffering=0) as file:
        if file.read(8) != b"\xfftOc\x00\x00\x00\x02":
            return False
        counts = file.read(1024)
        if len(counts) < 1024:
            return False
        first = wanted[0]
        low = int.from_bytes(counts[first * 4 - 4 : first * 4], "big") if first else 0
        high = int.from_bytes(counts[first * 4 : first * 4 + 4], "big")
        while low < high:
            middle = (low + high) // 2
            file.seek(8 + 1024 + middle * width)
            found = file.read(width)
            if found == wanted:
                return True
            low, high = (middle + 1, high) if found < wanted else (low, middle)
    return False


def config(common: str) -> str:
    """The repository's own configuration; what it includes from elsewhere is not looked at."""
    return read(os.path.join(common, "config"), MAX_CONFIG_BYTES).removeprefix("\ufeff")


def read(path: str, limit: int = MAX_SMALL_BYTES) -> str:
    """Text of a regular file, cut at `limit` bytes; "" when there is none to read (a pipe would hang the hook)."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return ""
        with open(path, "rb") as file:
            return file.read(limit).decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return ""


def _is_id(text: str) -> bool:
    return len(text) in (40, 64) and not text.strip("0123456789abcdef")


def _values(text: str, key: str) -> Iterator[tuple[str, str | None, str]]:
    """(kind of section, its name or None, first value of `key` in it), for each section that has the key."""
    kind, name, found = "", None, True
    for line in text.split("\n"):
        line = line.strip(" \t\r")  # noqa: PLW2901 - the same line, trimmed
        if line.startswith("["):
            kind, name, line = _header(line)  # noqa: PLW2901 - what follows the header on its line
            found = False
        left, marker, right = line.partition("=")
        if marker and not found and left.strip(" \t").lower() == key:
            found = True
            yield kind, name, _unquote(right)


def _header(line: str) -> tuple[str, str | None, str]:
    """Of `[remote "a \\"b\\""] rest` or `[remote.a]`: kind in lower case, name, rest."""
    quoted = escaped = False
    name: list[str] = []
    for place, char in enumerate(line[1:], 1):
        if escaped:
            name.append(char)
            escaped = False
        elif quoted and char == "\\":
            escaped = True
        elif char == '"':
            quoted = not quoted
        elif quoted:
            name.append(char)
        elif char == "]":
            plain = line[1:place].partition('"')[0].strip(" \t")
            if '"' in line[1:place]:
                return plain.lower(), "".join(name), line[place + 1 :]
            kind, dot, rest = plain.partition(".")
            return kind.lower(), rest if dot else None, line[place + 1 :]
    return "", None, ""


def _unquote(raw: str) -> str:
    """A value of git's config syntax: quotes, escapes, a comment after it."""
    out: list[str] = []
    quoted = escaped = False
    for char in raw.strip():
        if escaped:
            out.append({"n": "\n", "t": "\t"}.get(char, char))
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == '"':
            quoted = not quoted
        elif char in "#;" and not quoted:
            break
        else:
            out.append(char)
    return "".join(out).strip()
