"""That something was forgotten, so that it is not learnt again: message keys and keyed hashes, never the text.

One file each in `memory/tombstones/`, in git with the memories. The key of the hashes is the home's own and lies outside
git: who sees the files cannot try texts against them. On another machine the message keys still hold.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from scrubjay.home import Home
from scrubjay.memory import Memory
from scrubjay.operations import Evidence
from scrubjay.store import files, near

KEY_BYTES = 32


@dataclass(frozen=True, kw_only=True, slots=True)
class Tombstone:
    """One file of `memory/tombstones/`."""

    memory: str
    """Id of the forgotten memory."""
    at: str
    """When it was forgotten."""
    by: str
    """`forget`, `hand` (the file was deleted) or `purge`."""
    messages: tuple[str, ...]
    """Message keys of its evidence."""
    evidence: tuple[str, ...]
    prints: tuple[str, ...]
    """One keyed print for each of its texts (`near.Print.text`)."""
    key: str = ""
    """Which home's key the prints were made with (`key_name`)."""


def key_path(home: Home) -> str:
    return os.path.join(home.root, "forget.key")


def load_key(home: Home, *, create: bool = False) -> bytes:
    """The home's key; b"" when there is none and `create` is False."""
    path = key_path(home)
    with contextlib.suppress(OSError):
        data = files.read(path)
        if data is not None and len(data) >= KEY_BYTES:
            return data[:KEY_BYTES]
    if not create:
        return b""
    key = secrets.token_bytes(KEY_BYTES)
    with files.writing(path):
        files.make_folder(home.root)
        files.remove(path)  # cut short by a crash while it was made: nothing was hashed with it yet
        files.write_new(path, key)
    return key


def key_name(key: bytes) -> str:
    """Tells keys apart without giving one away."""
    return files.sha(b"name\x1f" + key)[:12] if key else ""


def prints_of(memory: Memory, key: bytes) -> tuple[str, ...]:
    """Of the whole, of its first paragraph (the statement), of description and name: a paraphrase is near one of them."""
    if not key:
        return ()
    statement = memory.body.split("\n\n")[0]
    texts = [memory.body, statement, memory.description, memory.name]
    return _prints(texts, key)


def _prints(texts: Sequence[str], key: bytes) -> tuple[str, ...]:
    found = (near.print_of(text, key) for text in dict.fromkeys(texts) if text.strip())
    return tuple(dict.fromkeys(one.text() for one in found if len(one.words) >= near.MIN_WORDS))


def make(
    memory: str,
    *,
    at: str,
    by: str,
    evidence: Sequence[Evidence],
    ids: Sequence[str],
    prints: Sequence[str],
    key: bytes,
) -> Tombstone:
    """A tombstone for a memory with this evidence (`ids` may name records that are gone)."""
    quoted = _prints([one.quote for one in evidence], key) if key else ()
    return Tombstone(
        memory=memory,
        at=at,
        by=by,
        messages=tuple(dict.fromkeys(one.message for one in evidence)),
        evidence=tuple(dict.fromkeys([*ids, *(one.id for one in evidence)])),
        prints=tuple(dict.fromkeys([*prints, *quoted])),
        key=key_name(key),
    )


def encode(tombstone: Tombstone) -> bytes:
    return json.dumps({"version": 1, **asdict(tombstone)}, indent=1, ensure_ascii=True).encode() + b"\n"


def decode(data: bytes) -> Tombstone | None:
    """None when it is no tombstone."""
    try:
        raw = json.loads(data)
        lists = {name: tuple(str(item) for item in raw[name]) for name in ("messages", "evidence", "prints")}
        return Tombstone(
            memory=str(raw["memory"]), at=str(raw["at"]), by=str(raw["by"]), key=str(raw.get("key", "")), **lists
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def path_for(home: Home, memory: str) -> str:
    """A file that is not there yet: forgetting the same id again leaves a second one."""
    safe = "".join(c for c in memory if c.isalnum() or c == "-")[:60] or "unknown"
    number, path = 1, os.path.join(home.tombstones, f"{safe}.json")
    while os.path.lexists(path):
        number += 1
        path = os.path.join(home.tombstones, f"{safe}-{number}.json")
    return path


class Tombstones:
    """Every tombstone of a home."""

    def __init__(self, stones: Sequence[Tombstone], key: bytes) -> None:
        self._stones, self._key = list(stones), key
        self._messages: dict[str, Tombstone] = {}
        for stone in self._stones:
            for message in stone.messages:
                self._messages.setdefault(message, stone)
        name = key_name(key)
        self._prints = [
            (one, stone)
            for stone in self._stones
            if stone.key == name
            for one in map(near.Print.parse, stone.prints)
            if one is not None
        ]

    @classmethod
    def load(cls, home: Home) -> Tombstones:
        found = []
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            for name in sorted(os.listdir(home.tombstones)):
                if name.endswith(".json") and not name.startswith("."):
                    with contextlib.suppress(OSError):
                        stone = decode(files.read(os.path.join(home.tombstones, name)) or b"")
                        if stone is not None:
                            found.append(stone)
        return cls(found, load_key(home))

    def all(self) -> list[Tombstone]:
        """In order of their files."""
        return list(self._stones)

    def blocks(self, *, message_key: str = "", text: str = "", said_at: str = "") -> str:
        """Why this must not be learnt (again), or "": its message was forgotten, or it says nearly the same and was said
        before the forget. `said_at` "" counts as before."""
        stone = self._messages.get(message_key) if message_key else None
        if stone is not None:
            return f"its message was forgotten with {stone.memory} on {stone.at[:10]}"
        stone = self._near(text, lambda one: not said_at or said_at <= one.at)
        return f"says nearly what was forgotten with {stone.memory} on {stone.at[:10]}" if stone else ""

    def again(self, *, text: str, said_at: str) -> str:
        """Why it must wait for review, or "": the person said again what was forgotten, after the forget."""
        stone = self._near(text, lambda one: bool(said_at) and said_at > one.at)
        return f"said again after it was forgotten with {stone.memory} on {stone.at[:10]}" if stone else ""

    def _near(self, text: str, counts: Callable[[Tombstone], bool]) -> Tombstone | None:
        if not text.strip() or not self._prints:
            return None
        mine = near.print_of(text, self._key)
        return next((stone for one, stone in self._prints if counts(stone) and near.same(one, mine)), None)
