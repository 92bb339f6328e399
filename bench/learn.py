"""How fast sessions are read, and in how much memory: generated files and databases of any size, each in a process of its own.

    python bench/learn.py                      # 200 MB of each layout
    python bench/learn.py --size 3072 --layout claude-code-2.1

Prints one line of JSON a layout. `cpu_mb_s` is what the reader needs; `mb_s` has waiting for the disk in it. Aims: 50 MB/s and
200 MB. `again_ms`: one turn was added and the file is read from its cursor.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from layouts import Claude, Codex, Layout, Qwen
from layouts_more import GeminiCli, KimiCli, KimiCode, Pi
from layouts_stores import Hermes, OpenClaw, OpenCode, Statement, Store
from scrubjay.agents import Cursor, readers
from scrubjay.agents.base import source_at
from scrubjay.worker import SELDOM_COLLECTED

LONG_LINE = 64 << 20
LONG_LINE_EVERY = 1 << 30
DATABASES = (".db", ".sqlite")

LAYOUTS: dict[str, tuple[str, Callable[[], Layout | Store]]] = {
    "claude-code-2.0": ("claude-code", lambda: Claude(harness=False)),
    "claude-code-2.1": ("claude-code", lambda: Claude(harness=True)),
    "codex": ("codex", Codex),
    "gemini-cli": ("gemini-cli", GeminiCli),
    "hermes": ("hermes", Hermes),
    "kimi-cli": ("kimi-cli", KimiCli),
    "kimi-code": ("kimi-code", KimiCode),
    "openclaw": ("openclaw", OpenClaw),
    "opencode": ("opencode", OpenCode),
    "pi": ("pi", Pi),
    "pi-v1": ("pi", lambda: Pi(version=1)),
    "qwen-code": ("qwen-code", Qwen),
}


NAMES = {
    "gemini-cli": "tmp/acme-api/chats/session-1.jsonl",
    "hermes": "state.db",
    "kimi-cli": "wire.jsonl",
    "kimi-code": "wire.jsonl",
    "openclaw": "openclaw-agent.sqlite",
    "opencode": "opencode.db",
}
"""What a file is called, where it matters."""


class Lines:
    """A session file that is written."""

    def __init__(self, maker: Layout, path: str) -> None:
        self.maker, self._path = maker, path

    def turn(self) -> int:
        return self._write(b"".join(map(self._encode, self.maker.turn())))

    def long(self) -> int:
        return self._write(self._encode(self.maker.long(LONG_LINE)))

    def _encode(self, record: dict[str, object]) -> bytes:
        return json.dumps(record, ensure_ascii=False, separators=self.maker.separators).encode() + b"\n"

    def _write(self, data: bytes) -> int:
        with open(self._path, "ab") as file:
            return file.write(data)

    def close(self) -> None:
        """Nothing is kept open."""


class Rows:
    """A database that is written, as the client leaves it: in WAL mode, without a log."""

    def __init__(self, maker: Store, path: str) -> None:
        self.maker, new = maker, not os.path.exists(path)
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript("PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL;" + (maker.schema if new else ""))

    def turn(self) -> int:
        return self._write(self.maker.turn())

    def long(self) -> int:
        return self._write(self.maker.long(LONG_LINE))

    def _write(self, statements: Iterator[Statement]) -> int:
        self._db.execute("BEGIN")
        for sql, values in statements:
            self._db.execute(sql, values)
        self._db.execute("COMMIT")
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        return int(pages) * 4096 - self._before(int(pages))

    _pages = 0

    def _before(self, pages: int) -> int:
        before, self._pages = self._pages, pages
        return before * 4096

    def close(self) -> None:
        self._db.close()


def written(maker: Layout | Store, path: str) -> Lines | Rows:
    return Rows(maker, path) if isinstance(maker, OpenCode | Hermes | OpenClaw) else Lines(maker, path)  # type: ignore[arg-type]


def generate(layout: str, path: str, size: int) -> Layout | Store:
    """Write a file of `size` bytes, a line or a row of 64 MB in each GB; its maker, for what comes after it."""
    maker = LAYOUTS[layout][1]()
    file, done, next_long = written(maker, path), 0, min(size // 2, LONG_LINE_EVERY // 2)
    while done < size:
        if done >= next_long and size >= 4 * LONG_LINE:
            done += file.long()
            next_long += LONG_LINE_EVERY
        done += file.turn()
    file.close()
    return maker


def measure(layout: str, path: str, cursor: Cursor | None) -> dict[str, object]:
    """Read a file in this process."""
    reader = readers()[LAYOUTS[layout][0]]
    source = source_at(reader.name, path)
    assert source is not None
    source = replace(source, session=getattr(LAYOUTS[layout][1](), "session", "") if path.endswith(DATABASES) else "")
    parts = messages = prompts = 0
    skipped: dict[str, int] = {}
    gc.set_threshold(*SELDOM_COLLECTED)  # as the worker and `jay learn` read
    wall, cpu = time.perf_counter(), time.process_time()
    for reading in reader.read_all(source, cursor):
        parts += 1
        messages += len(reading.session.fresh)
        prompts += sum(
            m.origin in ("user", "machine") and m.key in reading.session.fresh for m in reading.session.messages
        )
        for kind, count in reading.session.skipped.items():
            skipped[kind] = skipped.get(kind, 0) + count
        cursor = reading.cursor
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    assert cursor is not None
    peak = peak_mb()
    figures = {
        "mb": round(source.size / 1e6),
        "mb_s": round(source.size / 1e6 / wall),
        "cpu_mb_s": round(source.size / 1e6 / cpu),
    }
    counts = {"peak_mb": round(peak), "parts": parts, "messages": messages, "prompts": prompts, "skipped": skipped}
    return {**figures, **counts, "ms": round(wall * 1000, 1), "cursor": cursor.to_json()}


def peak_mb() -> float:
    """The most memory that this process had, in MB. On Linux a child's `ru_maxrss` begins with its parent's: not so `VmHWM`."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 / 1024


def child(layout: str, path: str, cursor: str) -> dict[str, object]:
    command = [sys.executable, __file__, "--layout", layout, "--read", path, "--cursor", cursor]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=200, help="MB of each file")
    parser.add_argument("--layout", choices=[*LAYOUTS, "all"], default="all")
    parser.add_argument("--folder", default=None, help="where the files are written (default: a temporary folder)")
    parser.add_argument("--read", help=argparse.SUPPRESS)
    parser.add_argument("--cursor", default="", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.read:
        print(
            json.dumps(measure(chosen.layout, chosen.read, Cursor.from_json(chosen.cursor) if chosen.cursor else None))
        )
        return
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        for layout in LAYOUTS if chosen.layout == "all" else [chosen.layout]:
            path = os.path.join(folder, layout, NAMES.get(layout, f"rollout-{layout}.jsonl"))
            os.makedirs(os.path.dirname(path))
            maker = generate(layout, path, chosen.size * 1_000_000)
            first = child(layout, path, "")
            file = written(maker, path)
            file.turn()
            file.close()
            again = child(layout, path, str(first.pop("cursor")))
            kept = {"again_ms": again["ms"], "again_prompts": again["prompts"]}
            print(json.dumps({"layout": layout, **first, **kept}), flush=True)
            os.unlink(path)


if __name__ == "__main__":
    main()
