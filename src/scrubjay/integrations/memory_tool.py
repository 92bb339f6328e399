"""Anthropic's memory tool (`memory_20250818`) on a scrubjay store.

The model sees a folder `/memories`. A file that it makes is one memory: by the agent, with an agent's trust, kept and
recalled like any other, with history and undo. What people said lies beside it in `/memories/learned`, `/memories/user` and
`/memories/team`, to be read and never written. Every write passes the gates of `remember`: secrets are left out, planted
text, endless text and what the person had forgotten are refused.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from scrubjay import clock, settings
from scrubjay import home as homes
from scrubjay.errors import BadInput, Refused, ScrubjayError
from scrubjay.home import Home
from scrubjay.integrations import paths
from scrubjay.integrations.paths import ROOT, Path
from scrubjay.integrations.screens import directory, numbered, places_of, snippet
from scrubjay.learn.remember import Wish, short, vetted
from scrubjay.learn.rulebook import REFUSALS, reason
from scrubjay.memory import MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS, Memory
from scrubjay.operations import Status
from scrubjay.projects import resolve
from scrubjay.redact import redact
from scrubjay.scope import Place, StoreRef
from scrubjay.search.build import refresh
from scrubjay.store.change import Change, archive, commit, create, decided_again, rewrite
from scrubjay.store.library import Library, Stored

TOOL = {"type": "memory_20250818", "name": "memory"}
"""The entry for the request's `tools`."""
KEY = "memory_tool_path"
"""Key below `metadata` of a memory's file that holds the path."""
_PATH = re.compile(rf"^{KEY}: (\".*\")$", re.MULTILINE)
ATTEMPTS = 3
FOREIGN = {"project": "learned", "user": "user", "team": "team"}
"""Scope → folder of the memories that the model did not make."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What goes into the `tool_result`."""

    content: str
    is_error: bool = False


class MemoryTool:
    """One directory's memory. `run` never raises for anything a model sends."""

    def __init__(self, cwd: str = "", *, home: Home | None = None, user: bool = False, read_only: bool = False) -> None:
        """`cwd`: the project's directory (default: the working directory). `user`: the model's own files go to the person's
        store, for every project, instead of this project's."""
        self._home = home or homes.current()
        self._cwd = os.path.abspath(cwd or os.getcwd())
        self._user, self._read_only = user, read_only

    def run(self, command: Mapping[str, object]) -> Answer:
        """Carry out the `input` of one `tool_use` block."""
        try:
            return Answer(content=decided_again(lambda: self._run(dict(command)), ATTEMPTS))
        except ScrubjayError as error:
            rule = f" (rule: {error.rule})" if error.rule else ""
            return Answer(content=redact(f"Error: {error.what}{rule}"), is_error=True)

    async def arun(self, command: Mapping[str, object]) -> Answer:
        """`run` without holding up the event loop."""
        return await asyncio.to_thread(self.run, command)

    def _run(self, command: dict[str, object]) -> str:
        name = command.get("command")
        acts: dict[str, Callable[[_Folder, dict[str, object]], str]] = {
            "view": _view,
            "create": _create,
            "str_replace": _str_replace,
            "insert": _insert,
            "delete": _delete,
            "rename": _rename,
        }
        act = acts.get(name) if isinstance(name, str) else None
        if act is None:
            raise BadInput(f"no command is called {name!r}; there are {', '.join(acts)}")
        mode = settings.load(self._home.config).text("mode")
        if mode == "off" or (name != "view" and (self._read_only or mode == "read-only")):
            raise Refused(REFUSALS["paused"], rule="paused")
        for argument in ("path", "old_path", "new_path"):
            if argument in command:
                paths.parse(command[argument])
        return act(_Folder(self._home, self._cwd, user=self._user, take_in=not self._read_only), command)


class _Folder:
    """`/memories` as it stands now."""

    def __init__(self, home: Home, cwd: str, *, user: bool, take_in: bool) -> None:
        place = resolve(home, cwd, create=False)
        self.home, self.cwd, self.scope = home, place.cwd, "user" if user or not place.root else "project"
        repos = [place.worktree] if place.git and place.worktree else []
        self.library = Library.open(home, repos=repos, take_in=take_in)
        stores = place.stores()
        own = self._own(place)
        self.files: dict[Path, Stored] = {}
        self.mine: set[Path] = set()
        shown: tuple[Status, ...] = ("active", "pending")
        for stored in self.library.memories(stores=stores, statuses=shown):
            path = path_of(stored.memory)
            if path is not None and stored.memory.by == "agent" and stored.memory.trust == "agent":
                if stored.store == own and path not in self.files:
                    self.files[path] = stored
                    self.mine.add(path)
            elif stored.memory.status == "active" and not stored.broken:
                self.files[FOREIGN[stored.store.scope], os.path.basename(stored.path)] = stored

    def _own(self, place: Place) -> StoreRef | None:
        """Where the model's files are; None: in a project that has no key yet."""
        return next((store for store in place.stores() if store.scope == self.scope), None)

    def text(self, path: Path) -> str:
        """Content of a file as the model reads it."""
        memory = self.files[path].memory
        return memory.body if path in self.mine else f"# {memory.name}\n\n{memory.body}"

    def below(self, path: Path) -> list[Path]:
        """Files in a folder, at any depth."""
        return sorted(one for one in self.files if one[: len(path)] == path and one != path)

    def file(self, path: Path) -> Stored:
        """The model's own file."""
        if path not in self.files:
            raise BadInput(f"The path {paths.shown(path)} does not exist. Please provide a valid path.")
        self.writable(path)
        return self.files[path]

    def writable(self, path: Path) -> None:
        """Refuse the root, and what people said."""
        if not path or path[0] in FOREIGN.values():
            raise Refused(f"{paths.shown(path)} cannot be changed: what people said is theirs to change", rule="path")

    def save(self, path: Path, text: str, before: Stored | None) -> str:
        """Write one file through the gates; a note to append to the answer, or ""."""
        wish = Wish(text=text, cwd=self.cwd, by="agent")
        clean, notes = vetted(wish, self.library)
        body = text.rstrip() if redact(text).strip() == text.strip() else clean.text
        now = clock.text(clock.now())
        first = next((line.strip("# ") for line in body.splitlines() if line.strip("# ")), "")
        fields = {"body": body, "description": short(first, MAX_DESCRIPTION_CHARS), "updated": now}
        if before is not None:
            self.commit([rewrite(before, replace(before.memory, **fields))], f"memory tool: {len(text)} characters")  # type: ignore[arg-type]
        else:
            memory = Memory(
                id="", name=short(" / ".join(path), MAX_NAME_CHARS), type="project", created=now, observed=now[:10],
                by="agent", trust="agent", extra_metadata=f"{KEY}: {json.dumps('/'.join(path), ensure_ascii=False)}",
                body=body, description=fields["description"], updated=now,
            )  # fmt: skip
            own = self._own(resolve(self.home, self.cwd))
            if own is None:
                raise BadInput("there is no store for this directory")
            self.commit([create(memory, own)], "memory tool: 1 file")
        return "".join(f"\nNote: {note}" for note in notes)

    def commit(self, changes: list[Change], subject: str) -> None:
        commit(self.library.home, changes, subject=subject)
        refresh(self.library.home, self.library.again())


def path_of(memory: Memory) -> Path | None:
    """The path that a memory was made under; None when it is none of the memory tool's, or the file's line was tampered
    with."""
    found = _PATH.search(memory.extra_metadata)
    try:
        path = paths.parse(f"{ROOT}/{json.loads(found[1])}") if found else None
    except (ValueError, ScrubjayError):
        return None
    return path if path and path[0] not in FOREIGN.values() else None


def _view(folder: _Folder, given: dict[str, object]) -> str:
    path = paths.parse(given.get("path", ROOT))
    if path in folder.files:
        return numbered(paths.shown(path), folder.text(path), given.get("view_range"))
    below = folder.below(path)
    if path and not below:
        raise BadInput(f"The path {paths.shown(path)} does not exist. Please provide a valid path.")
    return directory(path, {one: len(folder.text(one).encode()) for one in below})


def _create(folder: _Folder, given: dict[str, object]) -> str:
    path, text = paths.parse(given.get("path")), _text(given, "file_text")
    folder.writable(path)
    if path in folder.files or folder.below(path):
        raise BadInput(f"File {paths.shown(path)} already exists")
    if any(path[:depth] in folder.files for depth in range(1, len(path))):
        raise BadInput(f"{paths.shown(path)} lies below a file")
    return f"File created successfully at: {paths.shown(path)}" + folder.save(path, text, None)


def _str_replace(folder: _Folder, given: dict[str, object]) -> str:
    path, old, new = paths.parse(given.get("path")), _text(given, "old_str"), _text(given, "new_str", "")
    stored = folder.file(path)
    body = stored.memory.body
    lines = places_of(body, old) if old else []
    if not lines:
        raise BadInput(f"No replacement was performed, old_str `{old}` did not appear verbatim in {paths.shown(path)}.")
    if len(lines) > 1:
        raise BadInput(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
            f"{', '.join(map(str, lines))}. Please ensure it is unique"
        )
    changed = body.replace(old, new, 1)
    note = folder.save(path, changed, stored)
    return "The memory file has been edited.\n" + snippet(changed, lines[0]) + note


def _insert(folder: _Folder, given: dict[str, object]) -> str:
    path, text, at = paths.parse(given.get("path")), _text(given, "insert_text"), given.get("insert_line")
    stored = folder.file(path)
    lines = stored.memory.body.split("\n")
    if not isinstance(at, int) or isinstance(at, bool) or not 0 <= at <= len(lines):
        raise BadInput(
            f"Invalid `insert_line` parameter: {at}. It should be within the range of lines of the file: [0, {len(lines)}]"
        )
    lines[at:at] = text.removesuffix("\n").split("\n")
    return f"The file {paths.shown(path)} has been edited." + folder.save(path, "\n".join(lines), stored)


def _delete(folder: _Folder, given: dict[str, object]) -> str:
    path = paths.parse(given.get("path"))
    gone = [folder.file(one) for one in _meant(folder, path)]
    now = clock.text(clock.now())
    changes = [
        archive(one, replace(one.memory, status="archived", reason=reason("deleted"), updated=now)) for one in gone
    ]
    folder.commit(changes, f"memory tool: {len(changes)} deleted")
    return f"Successfully deleted {paths.shown(path)}"


def _rename(folder: _Folder, given: dict[str, object]) -> str:
    old, new = paths.parse(given.get("old_path")), paths.parse(given.get("new_path"))
    moved = _meant(folder, old)
    folder.writable(new)
    if new in folder.files or folder.below(new):
        raise BadInput(f"The destination {paths.shown(new)} already exists")
    if new[: len(old)] == old or any(new[:depth] in folder.files for depth in range(1, len(new))):
        raise BadInput(f"{paths.shown(new)} lies below a file or below what is moved")
    changes = []
    for one in moved:
        target, stored = (*new, *one[len(old) :]), folder.file(one)
        paths.parse(paths.shown(target))
        line = f"{KEY}: {json.dumps('/'.join(target), ensure_ascii=False)}"
        extra = _PATH.sub(lambda _found, line=line: line, stored.memory.extra_metadata)  # type: ignore[misc]
        name = short(" / ".join(target), MAX_NAME_CHARS)
        changes.append(rewrite(stored, replace(stored.memory, name=name, extra_metadata=extra)))
    folder.commit(changes, f"memory tool: {len(changes)} renamed")
    return f"Successfully renamed {paths.shown(old)} to {paths.shown(new)}"


def _meant(folder: _Folder, path: Path) -> list[Path]:
    """A file, or every file in a folder, all of them the model's own."""
    folder.writable(path)
    found = [path] if path in folder.files else folder.below(path)
    if not found:
        raise BadInput(f"The path {paths.shown(path)} does not exist. Please provide a valid path.")
    return found


def _text(given: dict[str, object], name: str, default: str | None = None) -> str:
    value = given.get(name, default)
    if not isinstance(value, str):
        raise BadInput(f"the command needs a text {name!r}")
    return value
