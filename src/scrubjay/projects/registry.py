"""The projects of one scrubjay home: `memory/projects/<key>/project.toml`, and the index that the hook reads.

Files are the truth; `state/<machine>/projects.json` is derived and rebuilt whenever a file's time or size differs.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

from scrubjay.errors import StoreUnavailable
from scrubjay.home import Home, machine_id
from scrubjay.scope import INDEX_VERSION, Index, Known, index_path, load_index, storable

FILE = "project.toml"
MAX_NAME_CHARS = 40
MAX_PROOFS = 20  # commits kept per project: the root, and the cuts of shallow clones
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

Stamps = dict[str, list[int]]
"""Key → time (ns), size and inode of its file."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Project:
    """One `project.toml`. Paths are per machine: `/workspace` in two containers is two things."""

    key: str
    name: str = ""
    created: str = ""
    remotes: tuple[str, ...] = ()
    """Normalised; every URL that `origin` ever had."""
    commits: tuple[str, ...] = ()
    """Root commits (first parents only)."""
    shallow: tuple[str, ...] = ()
    """Other commits seen (the cuts of a shallow clone, HEAD without git): they prove sameness, they never join projects."""
    roots: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Machine id → paths of main checkouts, newest last."""
    worktrees: dict[str, tuple[str, ...]] = field(default_factory=dict)
    merged_into: str = ""
    """Key of the project that took this one's memories and identities; the folder stays so that the key still resolves."""
    isolated: bool = False
    """One linked work tree, under `projects.isolate_worktrees`."""
    extra: dict[str, object] = field(default_factory=dict)
    """What others wrote."""
    broken: str = ""
    """Why the file could not be read; it is then never written over."""

    def here(self, *, worktrees: bool = False) -> tuple[str, ...]:
        """Paths on this machine."""
        return (self.worktrees if worktrees else self.roots).get(machine_id(), ())


_OURS = frozenset({"name", "created", "remotes", "commits", "shallow", "roots", "worktrees", "merged_into", "isolated"})


def read_all(home: Home) -> dict[str, Project]:
    """Every project, oldest first (so that of two that claim one identity the older has it)."""
    projects = [_read(home, key) for key in _keys(home)]
    return {project.key: project for project in sorted(projects, key=lambda one: (one.created or "~", one.key))}


def follow(projects: dict[str, Project], key: str) -> str:
    """The key under which a project's memories are today: keys of old, in evidence say, still lead there."""
    seen = set()
    while key in projects and projects[key].merged_into in projects and key not in seen:
        seen.add(key)
        key = projects[key].merged_into
    return key


def index_of(home: Home, projects: dict[str, Project]) -> Index:
    """What leads to which project. A file that cannot be read now keeps what the last index had of it."""
    index = Index({}, {}, {}, {})
    last = load_index(home) if any(project.broken for project in projects.values()) else index
    for key, project in projects.items():
        if project.broken and key in last.known:
            index.known[key] = last.known[key]
            for now, before in zip(_tables(index), _tables(last), strict=True):
                for name, owner in before.items():
                    if owner == key:
                        now.setdefault(name, key)
            continue
        index.known[key] = Known([*project.commits, *project.shallow], list(project.remotes), bool(project.commits))
        seen = (project.here(), project.here(worktrees=True), project.remotes)
        for table, names in zip(_tables(index), seen, strict=True):
            for name in names:
                table.setdefault(name, key)
    return index


def _tables(index: Index) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    return index.roots, index.worktrees, index.remotes


def current(home: Home) -> Index:
    """The index as the files say now: the derived one when it is fresh, else made in memory. Writes nothing."""
    return load_index(home) if is_fresh(home) else index_of(home, read_all(home))


def is_fresh(home: Home) -> bool:
    """The derived index was made from the files as they are."""
    try:
        with open(index_path(home), "rb") as file:
            data = json.loads(file.read())
        return bool(data["version"] == INDEX_VERSION and data["stamps"] == _stamps(home))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def refresh(home: Home) -> Index:
    """Write the derived index when it is not what the files say."""
    stamps = _stamps(home)
    index = current(home)
    data = {
        "version": INDEX_VERSION,
        "stamps": stamps,
        "roots": index.roots,
        "worktrees": index.worktrees,
        "remotes": index.remotes,
        "known": {
            key: {"commits": one.commits, "remotes": one.remotes, "rooted": one.rooted}
            for key, one in index.known.items()
        },
    }
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    try:
        with open(index_path(home), encoding="utf-8") as file:
            if file.read() == text:
                return index
    except (OSError, UnicodeDecodeError):
        pass
    _write(home.state, "projects.json", text)
    return index


def save(home: Home, project: Project) -> None:
    """Write one `project.toml`, whole or not at all."""
    _write(os.path.join(home.projects, project.key), FILE, render(project))


def mint(home: Home, readable: str) -> str:
    """A new key: a readable name and a random suffix. Never made from what it names, so it outlives all of it."""
    name = _slug(readable)
    while True:
        key = f"{name}-{''.join(secrets.choice(_ALPHABET) for _ in range(5))}"
        if not os.path.lexists(os.path.join(home.projects, key)):
            return key


@contextmanager
def lock(home: Home) -> Iterator[None]:
    """One process at a time mints keys. `StoreUnavailable` when the home cannot be written."""
    try:
        make_folder(home.state)
        handle = os.open(os.path.join(home.state, "projects.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _unavailable(home.state, error) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def render(project: Project) -> str:
    """The same project gives the same bytes."""
    lines = [
        "# How this folder is found again: see docs/projects.md. `jay relink` joins two projects.",
        f"name = {_text(project.name)}",
        f"created = {_text(project.created)}",
    ]
    for key in ("remotes", "commits", "shallow"):
        values: tuple[str, ...] = getattr(project, key)
        if values:
            lines.append(f"{key} = {_value(list(values))}")
    if project.isolated:
        lines.append("isolated = true")
    if project.merged_into:
        lines.append(f"merged_into = {_text(project.merged_into)}")
    tables = {key: value for key, value in project.extra.items() if isinstance(value, dict)}
    lines += [f"{_key(key)} = {_value(value)}" for key, value in project.extra.items() if key not in tables]
    for name, paths in (("roots", project.roots), ("worktrees", project.worktrees)):
        rows = [f"{_key(machine)} = {_value(list(paths[machine]))}" for machine in sorted(paths) if paths[machine]]
        if rows:
            lines += ["", f"[{name}]", *rows]
    for key, table in tables.items():
        lines += ["", f"[{_key(key)}]", *(f"{_key(name)} = {_value(value)}" for name, value in table.items())]
    return "\n".join(lines) + "\n"


def parse(key: str, data: bytes) -> Project:
    """Lenient: what is of another shape than ours counts as somebody else's and is kept; no TOML at all → `broken`."""
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return Project(key=key, name=key, broken=f"not valid TOML: {error}")
    return Project(
        key=key,
        name=_str(table.get("name")) or key,
        created=_str(table.get("created")),
        remotes=_strings(table.get("remotes")),
        commits=_strings(table.get("commits")),
        shallow=_strings(table.get("shallow")),
        roots=_by_machine(table.get("roots")),
        worktrees=_by_machine(table.get("worktrees")),
        merged_into=_str(table.get("merged_into")),
        isolated=table.get("isolated") is True,
        extra={name: value for name, value in table.items() if name not in _OURS},
    )


def forget_path(project: Project, path: str) -> Project:
    """The project without a path that another one has now."""
    machine = machine_id()
    return replace(
        project,
        roots={**project.roots, machine: tuple(one for one in project.here() if one != path)},
        worktrees={
            **project.worktrees,
            machine: tuple(one for one in project.here(worktrees=True) if one != path),
        },
    )


def make_folder(path: str) -> None:
    """The folder and what is missing above it, each 0700."""
    if os.path.isdir(path):
        return
    make_folder(os.path.dirname(path))
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)


def _read(home: Home, key: str) -> Project:
    try:
        with open(os.path.join(home.projects, key, FILE), "rb") as file:
            return parse(key, file.read())
    except FileNotFoundError:
        return Project(key=key, name=key)
    except OSError as error:
        return Project(key=key, name=key, broken=str(error.strerror))


def _keys(home: Home) -> list[str]:
    try:
        with os.scandir(home.projects) as entries:
            return sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


def _stamps(home: Home) -> Stamps:
    stamps: Stamps = {}
    for key in _keys(home):
        try:
            found = os.stat(os.path.join(home.projects, key, FILE))
        except OSError:
            stamps[key] = []
        else:
            stamps[key] = [found.st_mtime_ns, found.st_size, found.st_ino]
    return stamps


def _write(folder: str, name: str, text: str) -> None:
    try:
        make_folder(folder)
        handle, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, os.path.join(folder, name))
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise _unavailable(os.path.join(folder, name), error) from error


def _unavailable(path: str, error: OSError) -> StoreUnavailable:
    return StoreUnavailable(f"cannot write: {error.strerror}", at=path, hint="nothing was changed; `jay doctor` looks")


def _slug(readable: str) -> str:
    words = "".join(char if char.isalnum() else " " for char in storable(readable).lower()).split()
    return "-".join(words)[:MAX_NAME_CHARS].strip("-") or "project"


def _str(value: object) -> str:
    return value if isinstance(value, str) else ""


def _strings(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _by_machine(value: object) -> dict[str, tuple[str, ...]]:
    return {machine: _strings(paths) for machine, paths in value.items()} if isinstance(value, dict) else {}


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(str(key))} = {_value(one)}" for key, one in value.items()) + "}"
    return _text(value) if isinstance(value, str) else str(value)
