"""The history without some memories: `git fast-export`, filtered, into `git fast-import` of a new repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from io import BufferedReader
from typing import IO, cast

from scrubjay.home import Home
from scrubjay.memory import parse
from scrubjay.store import files, git, layout

COMPLETE = "scrubjay-complete"
"""A file in the new repository once everything is in it."""

PURGED = b"[purged]"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Unwanted:
    """What must not be in the new history."""

    blobs: frozenset[bytes]
    """Object ids of memory files' versions."""
    index_lines: tuple[bytes, ...]
    """Pieces by which a line of MEMORY.md is known to speak of them."""
    names: tuple[bytes, ...]
    """Names of the memories, which a commit's subject may quote."""


def without(home: Home, ids: Collection[str], target: str) -> None:
    """Build the repository `target`. Raises `GitError` and `OSError`."""
    unwanted = _unwanted(home, ids)
    git.run(home, "init", "--quiet", "--initial-branch=main", "--template=", git_dir=target)
    source = os.path.join(home.memory, ".git")
    for name in ("config", "HEAD", "info"):
        path = os.path.join(source, name)
        if os.path.isdir(path):
            shutil.copytree(path, os.path.join(target, name), dirs_exist_ok=True)
        elif os.path.exists(path):
            shutil.copy(path, os.path.join(target, name))
    _filter(home, source, target, unwanted)
    if git.run(home, "for-each-ref", git_dir=target).strip():
        git.run(home, "read-tree", "HEAD", git_dir=target)
    files.write_new(os.path.join(target, COMPLETE), b"")
    files.sync_folder(target)


def _unwanted(home: Home, ids: Collection[str]) -> _Unwanted:
    """Every version of these memories, by the id in the file or, in a hand-made one, by its place."""
    versions = _versions(home)
    contents = _contents(
        home, sorted({blob for blob, path in versions if layout.is_memory_name(os.path.basename(path))})
    )
    blobs: set[bytes] = set()
    pieces: set[bytes] = set()
    names: set[bytes] = set()
    for blob, path in versions:
        store = layout.store_of(home, path)
        if store is None or blob not in contents:
            continue
        base = os.path.basename(path)
        memory = parse(contents[blob], name=base).memory
        if (memory.id or layout.place_id(home, store, os.path.join(home.memory, path))) in ids:
            blobs.add(blob)
            names.add(memory.name.encode())
            pieces |= {f"]({base})".encode(), f"](<{base}>)".encode(), f"- {memory.name} — ".encode()}
    return _Unwanted(blobs=frozenset(blobs), index_lines=tuple(sorted(pieces)), names=tuple(sorted(names)))


def _versions(home: Home) -> list[tuple[bytes, str]]:
    """(blob, path) of everything that any commit added or changed."""
    raw = git.run(home, "log", "--all", "--root", "-m", "--raw", "-z", "--no-renames", "--no-abbrev", "--format=")
    fields = raw.split(b"\0")
    found = set()
    for place in range(len(fields) - 1):
        if fields[place].lstrip(b"\n").startswith(b":"):
            found.add((fields[place].split(b" ")[3], fields[place + 1].decode("utf-8", "surrogateescape")))
    return sorted(found)


def _contents(home: Home, blobs: Sequence[bytes]) -> dict[bytes, bytes]:
    output = git.run(home, "cat-file", "--batch", data=b"".join(blob + b"\n" for blob in blobs))
    found: dict[bytes, bytes] = {}
    place = 0
    while place < len(output):
        end = output.index(b"\n", place)
        header = output[place:end].split(b" ")
        place = end + 1
        if len(header) == 3 and header[1] == b"blob":
            length = int(header[2])
            found[header[0]] = output[place : place + length]
            place += length + 1
    return found


def _filter(home: Home, source: str, target: str, unwanted: _Unwanted) -> None:
    options = ["--all", "--show-original-ids", "--signed-tags=strip", "--tag-of-filtered-object=drop", "--reencode=no"]
    files.step("git fast-export")
    given = {"cwd": home.memory, "env": git.environment(), "umask": 0o077}
    with tempfile.TemporaryFile() as said:
        export = subprocess.Popen(
            git.command(source, home.memory, "fast-export", *options),
            stdout=subprocess.PIPE,
            stderr=said,
            **given,  # type: ignore[call-overload]
        )
        load = subprocess.Popen(
            git.command(target, home.memory, "fast-import", "--quiet", "--force", "--date-format=raw-permissive"),
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said, **given,  # type: ignore[call-overload]
        )  # fmt: skip
        try:
            with export.stdout, load.stdin:
                _Stream(cast("BufferedReader", export.stdout), load.stdin, unwanted).copy()
        except BrokenPipeError:
            pass  # its exit code and words tell more
        finally:
            codes = export.wait(), load.wait()
        if any(codes):
            said.seek(0)
            raise git.GitError(
                said.read(500).decode("utf-8", "replace").strip() or f"fast-export, fast-import: {codes}"
            )


class _Stream:
    """Copies a fast-export stream (git-fast-import(1), "Input format") without what is unwanted."""

    def __init__(self, source: BufferedReader, target: IO[bytes], unwanted: _Unwanted) -> None:
        self.source, self.target, self.unwanted = source, target, unwanted
        self._marks: set[bytes] = set()  # of unwanted blobs

    def copy(self) -> None:
        """All of it."""
        while line := self.source.readline():
            if line == b"blob\n":
                self._blob()
            elif line.startswith(b"commit "):
                self._commit(line)
            elif line.startswith((b"M ", b"D ", b"R ", b"C ")):
                self._change(line)
            elif line.startswith(b"data "):
                self._put(self._data(line))
            elif not line.startswith(b"original-oid "):
                self.target.write(line)

    def _blob(self) -> None:
        mark = original = b""
        while not (line := self.source.readline()).startswith(b"data "):
            if line.startswith(b"mark "):
                mark = line.split()[1]
            elif line.startswith(b"original-oid "):
                original = line.split()[1]
        data = self._data(line)
        if original in self.unwanted.blobs:
            self._marks.add(mark)
            return
        if data.startswith(b"# Memory index\n"):
            kept = [row for row in data.split(b"\n") if not any(piece in row for piece in self.unwanted.index_lines)]
            data = b"\n".join(kept)
        self.target.write(b"blob\nmark " + mark + b"\n")
        self._put(data)

    def _commit(self, first: bytes) -> None:
        self.target.write(first)
        while not (line := self.source.readline()).startswith(b"data "):
            if not line.startswith(b"original-oid "):
                self.target.write(line)
        message = self._data(line)
        lower = message.lower()
        if any(name and name.lower() in lower for name in self.unwanted.names):
            message = PURGED + message[message.find(b"\n") :] if b"\n" in message else PURGED
            for name in self.unwanted.names:
                message = re.sub(re.escape(name), PURGED, message, flags=re.IGNORECASE)
        self._put(message)

    def _change(self, line: bytes) -> None:
        parts = line.split(b" ", 3)
        if parts[0] != b"M" or parts[2] not in self._marks:
            self.target.write(line)

    def _data(self, header: bytes) -> bytes:
        data = self.source.read(int(header.split()[1]))
        if self.source.peek(1)[:1] == b"\n":
            self.source.read(1)  # the optional line end, which `_put` writes again; two of them are an error
        return data

    def _put(self, data: bytes) -> None:
        self.target.write(b"data %d\n" % len(data) + data + b"\n")
