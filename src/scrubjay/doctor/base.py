"""What every check of doctor gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warning", "error"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One finding."""

    name: str
    state: State
    detail: str
    remedy: str = ""
    """The command or edit that mends it."""
