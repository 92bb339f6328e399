"""A transaction while it is put together: what each file will hold, and what it held when it was looked at."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import replace

from scrubjay import clock, settings
from scrubjay.errors import Conflict, Refused
from scrubjay.home import Home
from scrubjay.ledger import Ledger
from scrubjay.ledger.files import files as known_files
from scrubjay.memory import Memory, render, stem
from scrubjay.memory.names import fold, free_name
from scrubjay.operations import Evidence, new_id
from scrubjay.redact import findings
from scrubjay.scope import StoreRef
from scrubjay.store import evidence as evidence_log
from scrubjay.store import files, history, index, journal, layout, parsed, settle, tombstones
from scrubjay.store import turns as turns_log
from scrubjay.store.change import Change
from scrubjay.store.tombstones import Tombstone
from scrubjay.store.turns import KeptTurn


class Draft:
    """Used under the lock. Nothing is written before `carry_out`."""

    def __init__(self, home: Home, ledger: Ledger) -> None:
        self.home, self.ledger = home, ledger
        self.ids: list[str] = []
        self.paths: list[str] = []
        self.notes: list[str] = []
        self.mentioned: list[str] = []  # further ids for the commit's text
        self.notes += settle.start_anew(home, ledger)
        self._key = tombstones.load_key(home, create=True)
        self._steps: dict[str, journal.Step] = {}
        self._contents: dict[str, bytes] = {}
        self._coming: dict[str, bytes | None] = {}
        self._taken: set[str] | None = None
        self._names: dict[str, set[str]] = {}  # folder → folded names in it
        self._team: set[StoreRef] = set()
        self._dropped_turns = 0

    # Memories

    def change(self, change: Change) -> None:
        """One memory's file, moved when its folder changes."""
        memory, stored = change.memory, change.stored
        if stored is None:
            memory = replace(memory, id=memory.id or new_id(secrets.token_bytes(16)))
            if memory.id in self._ids_of(change.store):
                raise Refused(f"there is a memory {memory.id} already", at=memory.id, rule="store/id")
            self._ids_of(change.store).add(memory.id)
        _refuse_secret(memory, None if stored is None or change.store.scope == "team" else stored.memory)
        data = render(memory, before=stored.memory if stored else None)
        folder = layout.folder_for(self.home, change.store, memory)
        if stored is not None and os.path.dirname(stored.path) == folder:
            path = stored.path
        else:
            path = os.path.join(folder, self._free_name(folder, change))
        self.ids.append(memory.id)
        self.paths.append(path)
        if change.store.scope == "team":
            self._guard_team(change.store)
        if stored is not None:
            self._compare(stored.path, stored.sha)
            if path != stored.path:
                self.delete(stored.path, before=stored.sha)
            elif files.sha(data) == stored.sha:
                return
        self.put(path, data, before=stored.sha if stored and path == stored.path else "")

    def _ids_of(self, store: StoreRef) -> set[str]:
        if self._taken is None:
            self._taken = {row.memory for row in known_files(self.ledger).values() if row.memory}
        if store.scope == "team" and store not in self._team:
            self._team.add(store)
            for folder in layout.folders(self.home, store):
                self._taken |= {one.parsed.memory.id for one in parsed.folder(self.home, folder).values()}
        return self._taken

    def _free_name(self, folder: str, change: Change) -> str:
        if folder not in self._names:
            try:
                self._names[folder] = {fold(name) for name in os.listdir(folder)}
            except FileNotFoundError:
                self._names[folder] = set()
        taken = self._names[folder]
        own = os.path.basename(change.stored.path) if change.stored else ""
        # A move keeps the name where it is free.
        name = own if own and fold(own) not in taken else free_name(stem(change.memory), taken)
        taken.add(fold(name))
        return name

    def _guard_team(self, store: StoreRef) -> None:
        """Never through a symbolic link out of the work tree: a cloned repository must not move the store."""
        repo = os.path.dirname(os.path.dirname(store.path))
        for folder in (os.path.dirname(store.path), store.path, layout.archive_of(self.home, store)):
            if os.path.islink(folder) or not os.path.isdir(repo):
                raise Refused(
                    "the team store is a symbolic link, or its repository is gone", at=folder, rule="store/link"
                )

    def _compare(self, path: str, sha: str) -> None:
        if files.sha_of(path) != sha:
            raise Conflict(
                "the file changed since it was read; nothing was written",
                at=path,
                hint="do it again: it is then read first",
            )

    # Everything else

    def put(self, path: str, data: bytes, *, before: str) -> None:
        self._steps[path] = journal.Step(kind="put", path=path, before=before, after=files.sha(data))
        self._contents[path] = self._coming[path] = data

    def delete(self, path: str, *, before: str) -> None:
        self._steps[path] = journal.Step(kind="delete", path=path, before=before)
        self._coming[path] = None

    def add_evidence(self, evidence: Sequence[Evidence]) -> None:
        """Append what is not there yet."""
        for path, (size, data) in evidence_log.additions(self.home, evidence).items():
            self._append(path, size, data)

    def add_turns(self, turns: Sequence[KeptTurn]) -> None:
        """Append what is not there yet; the oldest go when the size limit is passed."""
        limit = settings.load(self.home.config).number("learn.keep_turns_mb") * 1_000_000
        if not turns or not limit:
            return
        added = turns_log.additions(self.home, turns)
        trimmed, dropped = turns_log.over_limit(self.home, limit, sum(len(data) for _, data in added.values()))
        for path, stay in trimmed:
            before = files.sha_of(path)
            data = stay + added.pop(path, (0, b""))[1]
            if data:
                self.put(path, data, before=before)
            else:
                self.delete(path, before=before)
        for path, (size, data) in added.items():
            self._append(path, size, data)
        if dropped:
            self._dropped_turns = dropped
            self.notes.append(f"{dropped} oldest kept turns were dropped at the size limit (learn.keep_turns_mb)")

    def _append(self, path: str, size: int, data: bytes) -> None:
        self._steps[path] = journal.Step(kind="append", path=path, size=size)
        self._contents[path] = data

    def add_tombstone(self, tombstone: Tombstone) -> None:
        path = tombstones.path_for(self.home, tombstone.memory)
        while path in self._steps:
            path = path.removesuffix(".json") + "-2.json"
        self.mentioned.append(tombstone.memory)
        self.put(path, tombstones.encode(tombstone), before="")

    def carry_out(self, subject: str) -> tuple[str, list[str]]:
        """Write it: the commit's id and notes. With nothing to write, nothing happens."""
        if not self._steps:
            return "", []
        self._indexes()
        known: dict[str, journal.Known] = {}
        gone: list[str] = []
        for path, step in self._steps.items():
            below = os.path.relpath(path, self.home.memory)
            if below.startswith(os.pardir + os.sep):
                continue
            if step.kind == "delete":
                gone.append(below)
            else:
                known[below] = settle.knowledge(self.home, below, self._contents[path], hand=False, key=self._key)
        plan = journal.Plan(
            id=journal.new_id(),
            message=history.message(subject, [*self.ids, *self.mentioned]),
            at=clock.text(clock.now()),
            steps=tuple(self._steps.values()),
            known=known,
            gone=tuple(gone),
        )
        done = settle.carry_out(self.home, self.ledger, plan, self._contents)
        if self._dropped_turns:
            self.ledger.count("turns.dropped", self._dropped_turns)
        return done

    def _indexes(self) -> None:
        """MEMORY.md of each store that a change touches."""
        memory = self.home.memory + os.sep
        below = [os.path.relpath(path, self.home.memory) for path in self._coming if path.startswith(memory)]
        for name, data in settle.index_changes(self.home, below, self._coming).items():
            self.put(os.path.join(self.home.memory, name), data, before="*")
        for folder in self._team_folders(path for path in self._coming if not path.startswith(memory)):
            path = index.path_of(folder)
            data = index.render(folder, parsed.folder(self.home, folder), self._coming)
            if files.read(path) != data:
                self.put(path, data, before="*")

    def _team_folders(self, paths: Iterable[str]) -> list[str]:
        folders = {os.path.dirname(path) for path in paths}
        ours = {os.path.dirname(path) for path in self.paths}
        ours |= {os.path.dirname(folder) for folder in ours if os.path.basename(folder) == layout.ARCHIVE}
        return sorted(folder for folder in folders & ours if os.path.basename(folder) != layout.ARCHIVE)


def _refuse_secret(memory: Memory, before: Memory | None) -> None:
    """Every writer comes through here, so no editor, option or model is a way round the redactor.

    What stands in the file already (`before`) is the person's: a change of something else must not be refused for it.
    """
    known = "\n".join(_texts(before)) if before else ""
    for text in _texts(memory):
        for found in findings(text):
            if text[found.start : found.end] not in known:
                raise Refused(
                    f"the text holds a secret ({found.kind}); nothing was written",
                    at=memory.id,
                    rule="secret",
                    hint="write where it is kept, not what it is",
                )


def _texts(memory: Memory) -> tuple[str, ...]:
    anchors = (value for anchor in memory.anchors for key, value in anchor if key not in ("hash", "commit"))
    return (
        memory.name, memory.description, memory.body, memory.reason, *memory.aliases, *memory.paths, *anchors,
        memory.extra, memory.extra_metadata,
    )  # fmt: skip
