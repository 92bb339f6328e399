"""What is injected, kept as files, so that every change of a wording is seen in the diff."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "snapshots"


def same_as_snapshot(name: str, text: str) -> None:
    """Compares with `snapshots/<name>.txt`. `WRITE_SNAPSHOTS=1` writes it instead."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("WRITE_SNAPSHOTS"):
        path.write_text(text + "\n", encoding="utf-8")
    assert text + "\n" == path.read_text(encoding="utf-8")
