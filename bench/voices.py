"""What learning keeps of each story, by weights found without that story: notes, not clauses.

    python bench/voices.py [--held]

Both tables (of clauses and of changes) are found again without the voice that is measured; the thresholds are those of the
tables in use. `--held`: the stories of `bench/stories/held`, by the tables in use, which never saw them. Needs numpy and scipy.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import changes
import story_rules
import weights
from packed import read
from scrubjay.learn.rules import change, judge, weigh

SHOWN = ("recall_active", "recall_with_pending", "precision_strict", "precision_rules", "type_right")
COUNTED = ("negatives_kept", "superseded_or_abandoned_active", "duplicates", "secret_leaks", "project_in_user_scope")


def figures(story: dict[str, Any]) -> dict[str, Any]:
    """Shares in percent and counts for one story, by the tables that are set."""
    notes, _ = story_rules.learn(story)
    found = story_rules.score(story, notes)
    return {name: found[name] for name in SHOWN} | {name: len(found[name]) for name in COUNTED} | {
        "active": found["active"], "pending": found["pending"], "known": len(story["gold"]),
    }  # fmt: skip


def without(voice: str, rows: list[weights.Row], pairs: list[changes.Row]) -> None:
    """Set both tables to what the other voices give."""
    tables = {}
    for language in ("en", "zh"):
        fitted = weights.fit([row for row in rows if row.language == language and row.voice != voice])
        tables[language] = replace(weigh.table(language), bias=fitted.bias, weights=fitted.weights)
    found = changes.fit([row for row in pairs if row.voice != voice])
    changed = replace(change.table(), bias=found.bias, weights=found.weights)
    _use(tables.__getitem__, lambda: changed)


def _use(clauses: Any, pairs: Any) -> None:
    setattr(judge, "table", clauses)  # noqa: B010 - the name is not the module's own
    setattr(change, "table", pairs)  # noqa: B010


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held", action="store_true", help="the stories that no table was found on")
    arguments = parser.parse_args()
    paths = sorted((weights.STORIES / "held" if arguments.held else weights.STORIES).glob("*.json"))
    rows = [] if arguments.held else weights.every_row([weights.STORIES])
    pairs = [] if arguments.held else _pairs(paths)
    total: Counter[str] = Counter()
    stated: Counter[str] = Counter()
    original = weigh.table, change.table
    for path in paths:
        story = json.loads(read(path))
        if not arguments.held:
            _use(*original)
            without(story["story"], rows, pairs)
        found = figures(story)
        print(story["story"], json.dumps(found))
        for name, value in found.items():
            total[name] += value or 0
            stated[name] += value is not None
    print("mean", json.dumps({name: round(value / max(1, stated[name]), 1) for name, value in total.items()}))


def _pairs(paths: list[Path]) -> list[changes.Row]:
    stories = [changes.told(path) for path in paths]
    common = changes.common_words(stories)
    return [row for story in stories for row in changes.rows_of(story, common)]


if __name__ == "__main__":
    main()
