"""The weights of the rules' cues, found on labelled prompts: figures on prompts not seen, and the tables.

    python bench/weights.py [--write] [--more FOLDER]

Every story of `bench/stories` is one voice, and so are the single prompts and the sentences of the tests. A voice is judged
by weights found on all the others; from these judgements come the figures and the thresholds. Then the tables
(`src/scrubjay/learn/rules/weights/`) are found on all of them. Logistic regression with a Gaussian prior on each weight; the
same data gives the same tables. Needs numpy and scipy.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import fitting
from fitting import Fitted
from packed import norm
from packed import read as unpacked
from scrubjay.learn.rules.cues import look, told
from scrubjay.learn.rules.judge import directs, rules_of, stopped
from scrubjay.learn.rules.text import Clause, read

ROOT = Path(__file__).resolve().parent.parent
STORIES = ROOT / "bench" / "stories"
TABLES = ROOT / "src" / "scrubjay" / "learn" / "rules" / "weights"

WORD_PRIOR, CUE_PRIOR = 12.0, 6.0
"""Inverse variances: a word must speak more clearly than a cue that was made for the purpose."""
MIN_VOICES, MIN_TIMES = 3, 4
"""A word that fewer voices use is somebody's topic."""
LABELLED_NEGATIVE = 2.0
"""What a label says must not be kept counts more than talk that nobody labelled."""
PLAIN = 0.3
"""What a clause counts of the voices that lay no traps (`plain-*.jsonl`): they teach how people put a rule when nothing else
is said, the stories teach what only looks like one."""
PRECISION_ACTIVE, PRECISION_FIRM = 0.91, 0.95
"""Of what lies at a threshold or above, on voices not seen."""
FEWEST_ACTIVE, FEWEST_FIRM = 80, 20
"""Clauses on which each is judged at least: of fewer, a single wrong one would decide."""
CHANCE_PENDING = 0.22
"""Less likely than this, a question about it would be a nuisance. Scores are log-odds."""
SMALLEST = 0.02
_MAX_WINDOW = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One clause of one voice."""

    voice: str
    language: str
    text: str
    names: frozenset[str]
    fact: bool
    weight: float
    directing: bool

    @property
    def positive(self) -> bool:
        """For `fitting`."""
        return self.fact


def rows_of(voice: str, text: str, facts: Iterable[list[str]], never: Iterable[str]) -> Iterator[Row]:
    """The clauses of one prompt: those that together hold all patterns of a fact are facts; `never` are literal pieces."""
    clauses = list(read(text).clauses)
    if not clauses:
        return
    seen = [look(clause) for clause in clauses]
    fact, weight = [False] * len(clauses), [1.0] * len(clauses)
    for patterns in facts:
        window = _window(clauses, patterns)
        if window is None:
            for index, clause in enumerate(clauses):
                if any(re.search(pattern, norm(clause.text)) for pattern in patterns):
                    weight[index] = 0.0
            continue
        for index in range(window[0], window[1] + 1):
            fact[index], weight[index] = True, (window[1] - window[0] + 1) ** -0.5
    for piece in never:
        at = text.find(piece)
        for index, clause in enumerate(clauses):
            if at >= 0 and clause.start < at + len(piece) and clause.end > at and not fact[index]:
                weight[index] = LABELLED_NEGATIVE
    gates = [verdict.gate if verdict else "" for verdict in map(stopped, seen)]
    for index, clause in enumerate(clauses):
        if gates[index]:
            continue
        if "revoke" in gates[index:] and not fact[index]:
            weight[index] = 0.0  # it may well have been a fact, until it was taken back
        yield Row(
            voice=voice, language=clause.language.code, text=clause.text, names=told(seen, index), fact=fact[index],
            weight=weight[index], directing=directs(rules_of(seen[index])),
        )  # fmt: skip


def _window(clauses: list[Clause], patterns: list[str]) -> tuple[int, int] | None:
    """The shortest run of clauses that holds all `patterns`."""
    found: tuple[int, int] | None = None
    for first in range(len(clauses)):
        for last in range(first, min(len(clauses), first + _MAX_WINDOW)):
            text = norm(" ".join(clause.text for clause in clauses[first : last + 1]))
            if all(re.search(pattern, text) for pattern in patterns):
                if found is None or last - first < found[1] - found[0]:
                    found = (first, last)
                break
    return found


def of_story(path: Path) -> Iterator[Row]:
    """The typed prompts of one scripted story."""
    story = json.loads(unpacked(path))
    facts: dict[tuple[str, int, bool], list[list[str]]] = defaultdict(list)
    never: dict[tuple[str, int, bool], list[str]] = defaultdict(list)
    for gold in story["gold"]:
        if gold["trust"] != "user":
            continue
        facts[gold["session"], gold["turn"], bool(gold.get("branch"))].append(gold["must"])
        for other in gold.get("also") or []:
            facts[other["session"], other["turn"], False].append(gold["must"])
    for row in story["negatives"]:
        if row["where"] == "user":
            never[row["session"], row["turn"], bool(row.get("branch"))].append(row["text"])
    for session in story["sessions"]:
        for branch, turns in ((False, session["turns"]), (True, session.get("branch") or [])):
            for number, turn in enumerate(turns):
                key = (session["id"], number, branch)
                yield from rows_of(story["story"], turn["user"], facts[key], never[key])


def of_prompts(path: Path) -> Iterator[Row]:
    """The single labelled prompts."""
    for line in unpacked(path).splitlines():
        row: dict[str, Any] = json.loads(line)
        never = [row["user"]] if row["never"] and not row["facts"] else []
        yield from rows_of(path.stem, row["user"], [fact["must"] for fact in row["facts"]], never)


def of_sentences() -> Iterator[Row]:
    """The sentences that the tests hold the rules to."""
    sys.path.append(str(ROOT))
    from tests.learn import rule_sentences as one
    from tests.learn import rule_sentences_chinese as two
    from tests.learn import rule_sentences_trades as three
    from tests.learn import rule_sentences_traps as four

    for text, words in [
        *one.ENGLISH_ACTIVE,
        *three.ACTIVE,
        *one.CHINESE_ACTIVE,
        *two.ACTIVE,
        *one.ENGLISH_KEPT,
        *three.KEPT,
    ]:
        yield from rows_of("sentences", text, [[re.escape(norm(word)) for word in words]], [])
    for text in four.KEPT:
        if len(read(text).clauses) == 1:  # of several, nobody has said which one is the fact
            yield from rows_of("sentences", text, [[re.escape(norm(text))]], [])
    for text in [
        *one.ENGLISH_NOTHING,
        *three.NOTHING,
        *one.CHINESE_NOTHING,
        *two.NOTHING,
        *four.NOTHING,
        *four.NOT_ACTIVE,
    ]:
        yield from rows_of("sentences", text, [], [text])


def every_row(folders: Iterable[Path]) -> list[Row]:
    """All voices below `folders`, and the sentences."""
    rows = list(of_sentences())
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            rows += of_story(path)
        for path in sorted(folder.glob("*.jsonl")):
            share = PLAIN if path.stem.startswith("plain-") else 1.0
            rows += [replace(row, weight=share * row.weight) for row in of_prompts(path)]
    return rows


def fit(rows: list[Row]) -> Fitted:
    """The most likely weights under the priors."""
    return fitting.fit(
        rows,
        prior=lambda name: WORD_PRIOR if name.startswith("word:") else CUE_PRIOR,
        min_times=MIN_TIMES,
        min_voices=lambda name: MIN_VOICES if name.startswith("word:") else 1,
    )


def unseen(rows: list[Row]) -> list[float]:
    """The score of each row by weights found without its voice."""
    return fitting.unseen(rows, fit)


def threshold(rows: list[Row], scores: list[float], precision: float, fewest: int) -> float:
    """The lowest score at or above which so much is right, judged on at least `fewest` clauses; the highest if none."""
    order = sorted((score, row.fact) for score, row in zip(scores, rows, strict=True) if row.weight)
    order.reverse()
    right, lowest = 0, order[0][0]
    for index, (score, fact) in enumerate(order):
        right += fact
        if index + 1 >= min(fewest, len(order)) and right / (index + 1) >= precision:
            lowest = score
    return lowest


def figures(rows: list[Row], scores: list[float]) -> dict[str, float]:
    """Average precision, and recall where so much of what is kept is right."""
    order = np.argsort([-score for score in scores])
    fact = np.array([rows[index].fact for index in order], float)
    right = np.cumsum(fact)
    precision, recall = right / np.arange(1, len(fact) + 1), right / max(1.0, fact.sum())
    found = {
        "rows": float(len(rows)),
        "facts": fact.sum(),
        "average_precision": (precision * fact).sum() / max(1.0, fact.sum()),
    }
    for level in (0.95, 0.9, 0.85):
        reached = np.where(precision >= level)[0]
        found[f"recall_at_precision_{int(level * 100)}"] = float(recall[reached[-1]]) if len(reached) else 0.0
    return {name: round(float(value), 3) for name, value in found.items()}


def judged(rows: list[Row], scores: list[float], table: dict[str, Any]) -> dict[str, float]:
    """With a table's thresholds: how many of the facts are active, or wait at least, and how much of what is active is one."""
    pairs = [(row, score) for row, score in zip(rows, scores, strict=True) if row.weight]
    active = [row for row, score in pairs if score >= table["firm" if row.directing else "active"]]
    facts, waiting = [score for row, score in pairs if row.fact], table["pending"]
    found = {
        "active": sum(row.fact for row in active) / max(1, len(facts)),
        "with_waiting": sum(score >= waiting for score in facts) / max(1, len(facts)),
        "precision": sum(row.fact for row in active) / max(1, len(active)),
    }
    return {name: round(value, 3) for name, value in found.items()}


def tables(rows: list[Row], scores: list[float]) -> dict[str, Any]:
    """The table of one language, as it is stored."""
    fitted = fit(rows)
    directing = [(row, score) for row, score in zip(rows, scores, strict=True) if row.directing]
    active = threshold(rows, scores, PRECISION_ACTIVE, FEWEST_ACTIVE)
    firm = threshold([row for row, _ in directing], [score for _, score in directing], PRECISION_FIRM, FEWEST_FIRM)
    return {
        "bias": round(fitted.bias, 3),
        "active": round(active, 2),
        "firm": round(max(active, firm), 2),
        "pending": round(math.log(CHANCE_PENDING / (1 - CHANCE_PENDING)), 2),
        "weights": {name: round(value, 2) for name, value in sorted(fitted.weights.items()) if abs(value) >= SMALLEST},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--more", type=Path, action="append", default=[], help="another folder of stories to learn from"
    )
    parser.add_argument("--write", action="store_true", help="write the tables")
    arguments = parser.parse_args()
    every = every_row([STORIES, *arguments.more])
    for language in ("en", "zh"):
        rows = [row for row in every if row.language == language]
        scores = unseen(rows)
        print(language, json.dumps(figures(rows, scores)))
        for voice in sorted({row.voice for row in rows}):
            mine = [index for index, row in enumerate(rows) if row.voice == voice]
            print("   ", voice, json.dumps(figures([rows[i] for i in mine], [scores[i] for i in mine])))
        table = tables(rows, scores)
        for plain in (True, False):
            mine = [index for index, row in enumerate(rows) if row.voice.startswith("plain-") == plain]
            found = judged([rows[i] for i in mine], [scores[i] for i in mine], table)
            print("plain voices" if plain else "the others", json.dumps(found))
        print({name: value for name, value in table.items() if name != "weights"}, len(table["weights"]), "weights")
        if arguments.write:
            TABLES.mkdir(exist_ok=True)
            text = json.dumps(table, ensure_ascii=False, indent=0, sort_keys=True)
            (TABLES / f"{language}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
