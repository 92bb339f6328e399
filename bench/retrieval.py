"""Retrieval figures on public data: one JSON line a metric, with the hash of the data it was measured on.

    python bench/retrieval.py --data FOLDER [locomo] [sde-bench] [precisionmembench] [beam-coding]

FOLDER holds one folder a data set, packed (`.gz`) or not; `SCRUBJAY_BENCH_DATA` names it too. A data set that is not there is
skipped with a line that says so. Exit code 1 when a figure lies under its bar.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubjay.memory import Memory
from scrubjay.search import index, query
from scrubjay.search.index import Entry

STORE = "/bench"


@dataclass(frozen=True)
class Metric:
    """One figure; `bar` is what it must reach, None: reported only."""

    name: str
    value: float
    bar: float | None = None
    of: int = 0


class Data:
    """Files of one data set, and the hash over all that were read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._hash = hashlib.sha256()

    def load(self, name: str) -> Any:
        packed = self.folder / f"{name}.gz"
        raw = gzip.decompress(packed.read_bytes()) if packed.exists() else (self.folder / name).read_bytes()
        self._hash.update(raw)
        return json.loads(raw)

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()[:16]


def indexed(memories: Iterable[Memory]) -> sqlite3.Connection:
    """Memories of one store, in memory."""
    connection = sqlite3.connect(":memory:")
    index.create(connection)
    index.add(
        connection,
        (
            Entry(memory=one, path=one.id, store=STORE, scope="project", project="", trust="user", clean=True)
            for one in memories
        ),
    )
    return connection


def note(key: str, body: str, *, name: str = "", aliases: tuple[str, ...] = ()) -> Memory:
    """A memory that is all body unless more is given."""
    return Memory(id=key, name=name, description="", type="project", body=body, aliases=aliases)


def ids(connection: sqlite3.Connection, text: str, limit: int, *, floor: bool) -> list[str]:
    return [row.id for row in query.search(connection, text, [STORE], limit=limit, floor=floor).rows]


def percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 1)


def _benches() -> dict[str, Callable[[Data], Iterator[Metric]]]:
    import retrieval_beam
    import retrieval_locomo
    import retrieval_precision
    import retrieval_sde

    return {
        "locomo": retrieval_locomo.run,
        "sde-bench": retrieval_sde.run,
        "precisionmembench": retrieval_precision.run,
        "beam-coding": retrieval_beam.run,
    }


def main() -> int:
    benches = _benches()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("SCRUBJAY_BENCH_DATA", ""), help="folder of the data sets")
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"one or more of {', '.join(benches)}; default: all")
    arguments = parser.parse_args()
    below = False
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    for name in arguments.sets or benches:
        folder = Path(arguments.data) / name
        if not arguments.data or not folder.is_dir():
            print(f"{name}: skipped, no data at {str(folder)!r} (see --data)", file=sys.stderr)
            continue
        data = Data(folder)
        for metric in benches[name](data):
            reached = metric.bar is None or metric.value >= metric.bar
            below = below or not reached
            line = {"set": name, "metric": metric.name, "value": metric.value, "bar": metric.bar, "reached": reached,
                    "n": metric.of, "data": data.sha256, "commit": commit.stdout.strip()}  # fmt: skip
            print(json.dumps(line), flush=True)
    return int(below)


if __name__ == "__main__":
    sys.exit(main())
