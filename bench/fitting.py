"""Weights of named cues by logistic regression with a Gaussian prior, and judging every voice by what the others give.

The same rows give the same weights. Needs numpy and scipy.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

Vector = NDArray[np.float64]


class Labelled(Protocol):
    """One example: the names of what was seen in it, and what a label says."""

    @property
    def voice(self) -> str: ...
    @property
    def names(self) -> frozenset[str]: ...
    @property
    def positive(self) -> bool: ...
    @property
    def weight(self) -> float: ...


Example = TypeVar("Example", bound=Labelled)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fitted:
    """Weights by name, and the bias."""

    bias: float
    weights: dict[str, float]

    def score(self, row: Labelled) -> float:
        """Log-odds of an example."""
        return self.bias + sum(self.weights.get(name, 0.0) for name in row.names)


def fit(
    rows: Sequence[Labelled], *, prior: Callable[[str], float], min_times: int, min_voices: Callable[[str], int]
) -> Fitted:
    """The most likely weights. `prior`: inverse variance of a weight; a name that is seen in fewer rows or voices gets none."""
    names = _worth(rows, min_times, min_voices)
    place = {name: index for index, name in enumerate(names)}
    where, what = [], []
    for index, row in enumerate(rows):
        for name in sorted(row.names):  # sums in one order, or the last digits would differ
            if name in place:
                where.append(index)
                what.append(place[name])
    matrix = csr_matrix((np.ones(len(where)), (where, what)), shape=(len(rows), len(names)))
    label = np.array([1.0 if row.positive else 0.0 for row in rows])
    weight = np.array([row.weight for row in rows])
    priors = np.array([prior(name) for name in names])

    def loss(at: Vector) -> tuple[float, Vector]:
        total = matrix @ at[:-1] + at[-1]
        missed = np.logaddexp(0.0, np.where(label > 0, -total, total))
        slope = weight * (1.0 / (1.0 + np.exp(-total)) - label)
        value = float(np.sum(weight * missed) + 0.5 * np.sum(priors * at[:-1] ** 2))
        return value, np.append(matrix.T @ slope + priors * at[:-1], slope.sum())

    best = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    return Fitted(bias=float(best[-1]), weights=dict(zip(names, map(float, best[:-1]), strict=True)))


def _worth(rows: Sequence[Labelled], min_times: int, min_voices: Callable[[str], int]) -> list[str]:
    voices: dict[str, set[str]] = defaultdict(set)
    times: Counter[str] = Counter()
    for row in rows:
        times.update(row.names)
        for name in row.names:
            voices[name].add(row.voice)
    return sorted(name for name, count in times.items() if count >= min_times and len(voices[name]) >= min_voices(name))


def unseen(rows: Sequence[Example], fit_on: Callable[[list[Example]], Fitted]) -> list[float]:
    """The score of each row by weights found without its voice."""
    scores = [0.0] * len(rows)
    for voice in sorted({row.voice for row in rows}):
        fitted = fit_on([row for row in rows if row.voice != voice])
        for index, row in enumerate(rows):
            if row.voice == voice:
                scores[index] = fitted.score(row)
    return scores
