"""The rules alone on single labelled prompts of many imagined developers: figures by language.

    python bench/turn_rules.py [--file bench/stories/turns.jsonl] [--part dev|hold|all] [--show]

Every third row is `hold`: for figures only, never looked at while rules are written (`--show` refuses it). A row's `facts`
are what a careful reader would remember (`plain`: without asking), `never` what must be in no active note.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from packed import norm, read
from scrubjay.learn.rules import PlaceHint, propose
from scrubjay.learn.turns import Turn
from scrubjay.operations import Proposal
from scrubjay.session import Message


@dataclass
class Figures:
    """Counts for one language."""

    counts: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, float | int | None]:
        c = self.counts
        return {
            "facts": c["facts"],
            "recall_active": _percent(c["kept"], c["facts"]),
            "recall_of_plain": _percent(c["plain_kept"], c["plain"]),
            "recall_with_pending": _percent(c["seen"], c["facts"]),
            "precision": _percent(c["right"], c["active"]),
            "precision_rules": _percent(c["rules_right"], c["rules"]),
            "active": c["active"],
            "pending": c["pending"],
            "negatives_kept": c["negatives"],
        }


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


def notes_of(row: dict[str, Any]) -> list[tuple[str, Proposal]]:
    """What the rules make of one prompt: normalised text and proposal."""
    message = Message(key=row["id"], parent=None, role="user", origin="user", at=row["date"], text=row["user"])
    before = row["before"]
    turn = Turn(user=message, live=True, assistant_before=before, assistant_before_key="before" if before else "")
    found = propose([turn], place=PlaceHint())
    return [(norm(" ".join([one.name, one.description, one.body])), one) for one in found.proposals]


def score(row: dict[str, Any], figures: list[Figures]) -> list[str]:
    """Count one row; lines about what went wrong."""
    notes = notes_of(row)
    active = [note for note in notes if not note[1].pending]
    wrong, hit = [], set()
    counts: Counter[str] = Counter(active=len(active), pending=len(notes) - len(active))
    for fact in row["facts"]:
        kept = [note for note in active if all(re.search(must, note[0]) for must in fact["must"])]
        seen = [note for note in notes if all(re.search(must, note[0]) for must in fact["must"])]
        hit |= {id(note[1]) for note in kept}
        counts.update(
            facts=1, kept=bool(kept), seen=bool(seen), plain=fact["plain"], plain_kept=fact["plain"] and bool(kept)
        )
        if not kept:
            wrong.append(f"missed{' (pending)' if seen else ''} {fact['kind']}: {row['user'][:300]!r}")
    for _, one in active:
        right = id(one) in hit
        rule = one.type in ("feedback", "user")
        counts.update(right=right, rules=rule, rules_right=rule and right)
        if not right:
            wrong.append(f"not asked for, {one.cue}: {one.body[:200]!r}")
    for never in row["never"]:
        held = [note for note in active if re.search(never["must_not"], note[0])]
        counts.update(negatives=bool(held))
        wrong += [f"negative kept, {never['kind']}: {note[1].body[:200]!r}" for note in held]
    for figure in figures:
        figure.counts.update(counts)
    return [f"{row['id']} {line}" for line in wrong]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", default="bench/stories/turns.jsonl")
    parser.add_argument("--part", choices=("dev", "hold", "all"), default="all")
    parser.add_argument("--show", action="store_true", help="list what went wrong (never for `hold`)")
    options = parser.parse_args()
    if options.show and options.part != "dev":
        sys.exit("--show is for --part dev: the rest stays unseen")
    rows = [json.loads(line) for line in read(options.file).splitlines() if line.strip()]
    chosen = [row for at, row in enumerate(rows) if options.part == "all" or (options.part == "hold") == (at % 3 == 2)]
    figures: dict[str, Figures] = {"all": Figures()}
    for row in chosen:
        wrong = score(row, [figures["all"], figures.setdefault(row["lang"], Figures())])
        if options.show:
            print("\n".join(wrong)) if wrong else None
    print(json.dumps({name: one.as_json() for name, one in figures.items()}, indent=1))


if __name__ == "__main__":
    main()
