"""The private git repository in `memory/`, called so that nothing of the person's own git set-up can touch it."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import subprocess
import time
from collections.abc import Iterable

from scrubjay.home import Home
from scrubjay.store import files

STALE_LOCK_S = 60
"""A lock file of git older than this has no owner: we hold the store's lock, and a command typed by hand is shorter."""

MANY = 200
"""So many files at once go into one pack instead of a file each: git streams what is over `core.bigFileThreshold` into a
pack while it adds. The setting holds for that one command."""

PATIENCE_S = 3.0
"""How long another git in the same repository is waited for."""

_CONFIG = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.untrackedCache": "false",
    "core.autocrlf": "false",
    "core.safecrlf": "false",
    "core.quotePath": "false",
    "core.precomposeUnicode": "false",
    "core.attributesFile": os.devnull,
    "core.excludesFile": os.devnull,
    "commit.gpgSign": "false",
    "tag.gpgSign": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "log.showSignature": "false",
    "i18n.commitEncoding": "UTF-8",
}


class GitError(Exception):
    """Git is missing or said no; `str` is its own message."""


def available() -> bool:
    """Is there a git on the PATH?"""
    return shutil.which("git") is not None


def exists(home: Home) -> bool:
    return os.path.isfile(os.path.join(home.memory, ".git", "HEAD"))


def environment(when: str = "") -> dict[str, str]:
    """What git is given: the PATH, no GIT_* of the caller, no configuration but ours, one identity."""
    given = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "HOME": os.devnull, "TERM": "dumb"}
    given |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0"}
    given |= {"GIT_LITERAL_PATHSPECS": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1"}
    for who in ("AUTHOR", "COMMITTER"):
        given |= {f"GIT_{who}_NAME": "scrubjay", f"GIT_{who}_EMAIL": "scrubjay@localhost"}
        if when:
            given[f"GIT_{who}_DATE"] = when
    if "TMPDIR" in os.environ:
        given["TMPDIR"] = os.environ["TMPDIR"]
    return given


def command(git_dir: str, work_tree: str, *arguments: str) -> list[str]:
    options = [part for key, value in _CONFIG.items() for part in ("-c", f"{key}={value}")]
    return ["git", f"--git-dir={git_dir}", f"--work-tree={work_tree}", *options, *arguments]


def run(home: Home, *arguments: str, data: bytes = b"", when: str = "", git_dir: str = "") -> bytes:
    """Output of one command. Raises `GitError`."""
    files.step(f"git {next(one for one in arguments if one[:1] != '-' and '=' not in one)}")
    full = command(git_dir or os.path.join(home.memory, ".git"), home.memory, *arguments)
    try:
        done = subprocess.run(
            full, input=data, capture_output=True, env=environment(when), cwd=home.memory, umask=0o077, check=False
        )
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}") from error
    if done.returncode:
        raise GitError(done.stderr.decode("utf-8", "replace").strip()[:500] or f"git {arguments[0]}: {done.returncode}")
    return done.stdout


def make(home: Home) -> None:
    """The repository, when there is none. A half-made one is finished."""
    if exists(home) and os.path.exists(os.path.join(home.memory, ".git", "info", "attributes")):
        return
    run(home, "init", "--quiet", "--initial-branch=main", "--template=")
    info = os.path.join(home.memory, ".git", "info")
    with contextlib.suppress(OSError):
        os.makedirs(info, 0o700, exist_ok=True)
        for name, text in (("exclude", ".*.tmp\n"), ("attributes", "* -text -filter -ident\n")):
            with open(os.path.join(info, name), "w", encoding="ascii", opener=_private) as file:
                file.write(text)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def head(home: Home) -> str:
    """Full id of the newest commit, "" when there is none."""
    if not exists(home):
        return ""
    with contextlib.suppress(OSError), open(os.path.join(home.memory, ".git", "HEAD"), encoding="ascii") as file:
        name = file.read().strip().removeprefix("ref: ")
        with open(os.path.join(home.memory, ".git", *name.split("/")), encoding="ascii") as ref:
            return ref.read().strip()
    with contextlib.suppress(GitError):
        return run(home, "rev-parse", "--verify", "--quiet", "HEAD").decode().strip()
    return ""


def commit(home: Home, message: str, paths: Iterable[str], *, when: str) -> str:
    """Commit these paths (below `memory/`) as they stand on the disk, missing ones as deleted. "" when nothing differs."""
    make(home)
    _clear_stale_locks(home)
    kept: list[str] = []
    odd: list[str] = []
    for path in paths:  # git takes no pipe, socket or device; one of them must not hold up the history of the rest
        (odd if _is_odd(os.path.join(home.memory, path)) else kept).append(path)
    for option, some in (("--remove", kept), ("--force-remove", odd)):
        listed = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in some)
        if listed:
            packing = ("-c", "core.bigFileThreshold=1") if len(some) >= MANY else ()
            _patiently(home, *packing, "update-index", "--add", option, "-z", "--stdin", data=listed, when=when)
    before = head(home)
    try:
        _patiently(
            home, "commit", "--quiet", "--no-verify", "--cleanup=verbatim", "--file=-", data=message.encode(), when=when
        )
    except GitError:
        if _differs(home, before):
            raise
        return ""
    return head(home)


def _is_odd(path: str) -> bool:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISLNK(mode))


def _differs(home: Home, commit_id: str) -> bool:
    tree = run(home, "write-tree").strip()
    return not commit_id or tree != run(home, "rev-parse", f"{commit_id}^{{tree}}").strip()


def _patiently(home: Home, *arguments: str, data: bytes, when: str) -> None:
    """A command typed by the person, or one whose parent was killed, may hold git's own lock for a moment."""
    lock = os.path.join(home.memory, ".git", "index.lock")
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            run(home, *arguments, data=data, when=when)
        except GitError:
            if time.monotonic() > deadline or not os.path.exists(lock):
                raise
            time.sleep(0.02)
        else:
            return


def _clear_stale_locks(home: Home) -> None:
    git_dir = os.path.join(home.memory, ".git")
    for name in ("index.lock", "HEAD.lock", "refs/heads/main.lock", "packed-refs.lock"):
        path = os.path.join(git_dir, name)
        with contextlib.suppress(OSError):
            if time.time() - os.stat(path).st_mtime > STALE_LOCK_S:
                os.unlink(path)
