"""What people say when a memory that they were shown is wrong; `learn/repair.py` acts on it."""

from __future__ import annotations

from typing import Literal

RepairKind = Literal["wrong", "outdated", "forget"]


def repair_cue(text: str) -> RepairKind | None:
    """The first cue in `text` ("that is wrong", "no longer", "forget that", "不对", "忘掉"), or None.

    `forget`: the memory is to go; `wrong`: it never was so; `outdated`: it was so once. Questions are no repair.
    """
    raise NotImplementedError
