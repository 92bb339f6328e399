"""A session file that grows between reads, as under a running agent."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from scrubjay.agents import Cursor, Reader, Reading
from scrubjay.agents.base import source_at
from scrubjay.session import Message


class Growing:
    """Reads a file again and again from the cursor of the last read, which goes through its JSON each time."""

    def __init__(self, reader: Reader, path: Path, *, sub_agent: bool = False) -> None:
        self.reader, self.path, self.sub_agent = reader, path, sub_agent
        self.cursor: Cursor | None = None
        self.messages: dict[str, Message] = {}
        self.live: dict[str, bool] = {}
        self.rereads = 0

    def append(self, data: bytes) -> None:
        with open(self.path, "ab") as file:
            file.write(data)

    def read(self) -> list[Reading]:
        source = source_at(self.reader.name, os.fspath(self.path), sub_agent=self.sub_agent)
        assert source is not None
        readings = list(self.reader.read_all(source, self.cursor))
        for reading in readings:
            session = reading.session
            for message in session.messages:
                if message.key in session.fresh or message.key in self.messages:
                    self.messages[message.key] = message
                self.live[message.key] = message.key in session.live
            self.live.update({key: live for key, live in reading.branches.items() if key in self.messages})
        self.rereads += readings[-1].reread
        self.cursor = Cursor.from_json(readings[-1].cursor.to_json())
        assert self.cursor == readings[-1].cursor
        return readings

    def prompts(self) -> dict[str, bool]:
        """Live flags of the prompts: what learning asks for."""
        return {key: self.live[key] for key, message in self.messages.items() if message.origin in ("user", "machine")}


def whole(reader: Reader, path: Path, *, sub_agent: bool = False) -> Growing:
    """The same, read once."""
    once = Growing(reader, path, sub_agent=sub_agent)
    once.read()
    return once


def cuts(data: bytes, places: Iterable[int]) -> list[bytes]:
    """`data` in pieces, cut at these places."""
    edges = [0, *sorted({place % (len(data) + 1) for place in places}), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]
