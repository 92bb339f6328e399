"""JSON Lines files that only grow: evidence and kept turns, one file a month of the message."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from scrubjay.store import files

_MONTH = re.compile(r"\d{4}-\d\d")


def month_file(folder: str, at: str) -> str:
    """`<folder>/2026-09.jsonl`; messages without a time share `undated.jsonl`."""
    month = at[:7] if _MONTH.fullmatch(at[:7]) else "undated"
    return os.path.join(folder, f"{month}.jsonl")


def paths(folder: str) -> list[str]:
    """Oldest month first, undated before all."""
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".jsonl") and not name.startswith(".")]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [os.path.join(folder, name) for name in sorted(names, key=lambda name: (name != "undated.jsonl", name))]


def records(path: str) -> Iterator[dict[str, object]]:
    """Each line that is a JSON object; broken ones (a torn end, a merge marker) are passed over."""
    for line in (files.read(path) or b"").split(b"\n"):
        record = _record(line)
        if record is not None:
            yield record


def holding(path: str, keys: Iterable[str], field: str) -> list[dict[str, object]]:
    """The records whose `field` is one of `keys`, in the order of the file."""
    return _holding(files.read(path) or b"", keys, field)


def _holding(data: bytes, keys: Iterable[str], field: str) -> list[dict[str, object]]:
    """Only lines that hold a key are taken apart: a file of a year's quotes is long, and few are asked for."""
    found: dict[int, dict[str, object]] = {}
    for key in keys:
        needle = json.dumps(key).encode()
        at = data.find(needle)
        while at >= 0:
            start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
            end = len(data) if end < 0 else end
            record = _record(data[start:end]) if start not in found else None
            if record is not None and record.get(field) == key:
                found[start] = record
            at = data.find(needle, end)
    return [found[start] for start in sorted(found)]


def _record(line: bytes) -> dict[str, object] | None:
    if not line.strip():
        return None
    try:
        record = json.loads(line)
    except ValueError:  # also UnicodeDecodeError
        return None
    return record if isinstance(record, dict) else None


def encode(record: Mapping[str, object]) -> bytes:
    return json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def additions(folder: str, new: Iterable[tuple[str, str, bytes]], field: str) -> dict[str, tuple[int, bytes]]:
    """What to append: path → (size now, bytes). `new`: (key, time, line); what is there already, by `field`, is left out."""
    by_path: dict[str, dict[str, bytes]] = {}
    for key, at, line in new:
        by_path.setdefault(month_file(folder, at), {}).setdefault(key, line)
    found: dict[str, tuple[int, bytes]] = {}
    for path, rows in sorted(by_path.items()):
        data = files.read(path) or b""
        known = {record.get(field) for record in _holding(data, rows, field)}
        lines = [line for key, line in rows.items() if key not in known]
        if lines:
            torn = b"" if not data or data.endswith(b"\n") else b"\n"
            found[path] = (len(data), torn + b"".join(lines))
    return found


def without(path: str, drop: Callable[[Mapping[str, object]], bool]) -> bytes | None:
    """The file's bytes without some records; None when none of them is in it. Other lines stay as they are."""
    data = files.read(path) or b""
    rows = data.split(b"\n")
    kept = [row for row in rows if (record := _record(row)) is None or not drop(record)]
    return None if len(kept) == len(rows) else b"\n".join(kept)
