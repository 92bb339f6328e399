"""How much the cues of a clause speak for a standing fact: a sum of weights, read from the table of its language.

The weights were not set by hand: `bench/weights.py` finds them on labelled prompts of many imagined developers (logistic
regression), and the same script measures them on prompts that it did not see. A table is a file beside this one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """Weights are log-odds: a clause with the sum 0 is as likely a fact as not."""

    bias: float
    active: float
    """From this sum on a statement needs no review."""
    firm: float
    """The same for what directs the assistant or speaks about the person: wrong ones do more harm."""
    pending: float
    """From here on it waits for review."""
    weights: Mapping[str, float]

    def score(self, names: Iterable[str]) -> float:
        """The sum for a clause with these cues."""
        weights = self.weights
        return self.bias + sum(weights.get(name, 0.0) for name in names)


@cache
def table(code: str) -> Table:
    """The table of one language ("en")."""
    text = resources.files("scrubjay.learn.rules").joinpath("weights", f"{code}.json").read_text(encoding="utf-8")
    data = json.loads(text)
    return Table(
        bias=data["bias"], active=data["active"], firm=data["firm"], pending=data["pending"], weights=data["weights"]
    )  # fmt: skip
