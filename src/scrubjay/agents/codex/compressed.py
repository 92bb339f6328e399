"""Rollouts compressed with Zstandard (`.jsonl.zst`), where the optional package `zstandard` is installed."""

from __future__ import annotations

import importlib.util
import os
from typing import IO, Any

from scrubjay.agents.files import ByteFile, PlainFile
from scrubjay.errors import UnknownFormat

_SKIP = 1 << 20


def unreadable(path: str) -> str:
    """ "compressed" when nothing here can read the file."""
    return "compressed" if path.endswith(".zst") and importlib.util.find_spec("zstandard") is None else ""


def open_rollout(path: str) -> ByteFile:
    """The plain bytes of a rollout. Raises `UnknownFormat` when it is compressed and `zstandard` is not installed."""
    if not path.endswith(".zst"):
        return PlainFile(path)
    if unreadable(path):
        raise UnknownFormat(
            "skipped, compressed", at=path, hint="`pipx inject scrubjay zstandard`, or unarchive the thread in Codex"
        )
    return ZstFile(path)


class ZstFile:
    """A compressed file as if it were plain. Going back means decompressing from the start again: it is rarely done."""

    def __init__(self, path: str) -> None:
        self._raw = open(path, "rb")  # noqa: SIM115 - closed by `close`
        self._size = os.fstat(self._raw.fileno()).st_size
        self._stream = self._begin()
        self._at = 0

    def _begin(self) -> IO[bytes]:
        import zstandard

        self._raw.seek(0)
        decompressor: Any = zstandard.ZstdDecompressor(max_window_size=1 << 31)
        stream: IO[bytes] = decompressor.stream_reader(self._raw, read_across_frames=True, closefd=False)
        return stream

    def __enter__(self) -> ZstFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._raw.close()

    def read(self, size: int, /) -> bytes:
        import zstandard

        try:
            data = self._stream.read(size)
        except zstandard.ZstdError:
            return b""
        self._at += len(data)
        return data

    def seek(self, offset: int, /) -> None:
        if offset < self._at:
            self._stream, self._at = self._begin(), 0
        while self._at < offset and self.read(min(_SKIP, offset - self._at)):
            pass

    def tell(self) -> int:
        return self._at

    def inode(self) -> int:
        """Number of the file and its compressed size: a compressed file is never appended to."""
        return os.fstat(self._raw.fileno()).st_ino ^ (self._size << 64)

    def reaches(self, offset: int, /) -> bool:
        at = self._at
        self.seek(offset)
        reached = self._at == offset
        self.seek(at)
        return reached
