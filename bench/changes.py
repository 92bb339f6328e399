"""The weights by which a newer statement makes an older one untrue: figures on stories not seen, and the table.

    python bench/changes.py [--write] [--more FOLDER] [--without PREFIX]

In each story of `bench/stories` the notes that the rules make meet the notes made before them, as they would in a store. A pair
is positive where a label says that the newer fact took the place of the older. Every story is one voice: it is judged by
weights found on all the others, and from these judgements come the figures and the two thresholds. The pairs of the tests are
learnt from as well. Logistic regression with a Gaussian prior. Needs numpy and scipy.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

import fitting
from fitting import Fitted
from packed import read as unpacked
from scrubjay.learn.rules.change import Older, Rarity, said, seen
from story_rules import Note, learn

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the tests' pairs
STORIES = ROOT / "bench" / "stories"
TABLE = ROOT / "src" / "scrubjay" / "learn" / "rules" / "weights" / "change.json"

PRIOR = 4.0
"""Inverse variance of a weight."""
MIN_VOICES, MIN_TIMES = 3, 4
UNLABELLED = 0.5
"""What a pair counts whose older note is no labelled fact."""
LOST_EXPLICIT, LOST_DOUBTFUL = 0.01, 0.06
"""Facts in force that may be put away wrongly, of all that are known, by what replaces and by what asks."""
MIN_SHARE = 0.2
"""A word is common from so many of the voices on."""
SMALLEST = 0.03


@dataclass(kw_only=True)
class Told:
    """A note of one story, and the labelled facts that it is about."""

    body: str
    session: str
    order: int
    """Of its turn in the story."""
    active: bool
    facts: set[str] = field(default_factory=set)
    parts: set[str] = field(default_factory=set)
    """Facts of its turn of which it holds some patterns, not all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One pair of one voice."""

    voice: str
    names: frozenset[str]
    positive: bool
    weight: float
    old: Told
    new: Told


@dataclass(frozen=True, kw_only=True, slots=True)
class Story:
    """A story's notes in order, and its labels."""

    voice: str
    facts: Mapping[str, dict[str, Any]]
    notes: list[Told]
    words: frozenset[str]
    """Of all that its person typed."""


def told(path: Path) -> Story:
    """The notes that the rules make of a story, each with its facts."""
    story = json.loads(unpacked(path))
    facts = {row["id"]: row for row in story["gold"]}
    order: dict[tuple[str, int], int] = {}
    words: set[str] = set()
    here: dict[tuple[str, int], set[str]] = defaultdict(set)
    for session in story["sessions"]:
        for number, turn in enumerate(session["turns"]):
            order[session["id"], number] = len(order)
            words |= said(turn["user"]).words
    for row in facts.values():
        if not row.get("branch"):
            for one in (row, *(row.get("also") or ())):
                here[one["session"], one["turn"]].add(row["id"])
    notes = []
    for note in learn(story)[0]:
        session, _, turn = note.where.rpartition(".")
        if not turn.endswith("B"):
            notes.append(_told(note, facts, here[session, int(turn)], session, order[session, int(turn)]))
    return Story(
        voice=story["story"], facts=facts, notes=sorted(notes, key=lambda one: one.order), words=frozenset(words)
    )


def _told(note: Note, facts: Mapping[str, dict[str, Any]], here: Iterable[str], session: str, order: int) -> Told:
    made = Told(body=note.proposal.body, session=session, order=order, active=not note.proposal.pending)
    for name in here:
        found = [bool(re.search(one, note.text)) for one in facts[name]["must"] + facts[name].get("must_resolved", [])]
        if all(found):
            made.facts.add(name)
        elif any(found):
            made.parts.add(name)
    return made


def rows_of(story: Story, common: Mapping[str, float]) -> Iterator[Row]:
    """Each note with the nearest of those that are in force when it is said."""
    for new in story.notes:
        olds = [one for one in story.notes if one.order < new.order and _stands(one, new, story)]
        if not olds:
            continue
        held = Counter(word for one in olds for word in said(one.body).words | said(one.body).common)
        rarity = Rarity(len(olds), lambda word, held=held: held[word], common)  # type: ignore[misc]
        older = [Older(body=one.body, together=one.session == new.session) for one in olds]
        for names, old in zip(seen(said(new.body), older, rarity, waits=not new.active), olds, strict=True):
            if names:
                positive, weight = _label(old, new, story)
                yield Row(voice=story.voice, names=names, positive=positive, weight=weight, old=old, new=new)


def _stands(old: Told, new: Told, story: Story) -> bool:
    """It would be active now: a fact, not yet replaced."""
    if not (old.active or old.facts):
        return False
    followers = [story.facts[name].get("superseded_by") for name in old.facts]
    if not followers or None in followers:
        return True
    return not any(one.order < new.order and not one.facts.isdisjoint(followers) for one in story.notes)


def _label(old: Told, new: Told, story: Story) -> tuple[bool, float]:
    followers = {story.facts[name].get("superseded_by") for name in old.facts} - {None}
    perhaps = {story.facts[name].get("superseded_by") for name in old.facts | old.parts} - {None}
    if followers & new.facts and not old.facts & new.facts:
        return True, 1.0
    if perhaps & (new.facts | new.parts):
        return False, 0.0  # half of a fact: neither right nor wrong
    return False, 1.0 if old.facts else UNLABELLED


def of_tests(common: Mapping[str, float]) -> Iterator[Row]:
    """The pairs that the tests hold the table to: each alone in its store."""
    from tests.learn.topic_pairs import REPLACES, STAYS

    for positive, pairs in ((True, REPLACES), (False, STAYS)):
        for number, (old, new) in enumerate(pairs):
            one, two = (Told(body=text, session="", order=0, active=True) for text in (old, new))
            held = said(old).words | said(old).common
            rarity = Rarity(1, lambda word, held=held: int(word in held), common)  # type: ignore[misc]
            names = seen(said(new), [Older(body=old)], rarity, waits=False)[0]
            yield Row(voice=f"tests-{number % 5}", names=names, positive=positive, weight=1.0, old=one, new=two)


def common_words(stories: Iterable[Story]) -> dict[str, float]:
    """Of the words that many voices use, by how many."""
    listed = list(stories)
    times = Counter(word for story in listed for word in story.words)
    return {word: count / len(listed) for word, count in times.items() if count >= MIN_SHARE * len(listed)}


def fit(rows: list[Row]) -> Fitted:
    """The most likely weights under the prior."""
    return fitting.fit(rows, prior=lambda _name: PRIOR, min_times=MIN_TIMES, min_voices=lambda _name: MIN_VOICES)


def unseen(rows: list[Row]) -> list[float]:
    """The score of each pair by weights found without its voice."""
    return fitting.unseen(rows, fit)


@dataclass(frozen=True, kw_only=True, slots=True)
class Curve:
    """By labelled fact with an active note: the highest score that it was ever met with."""

    replaced: list[float]
    """Facts that a later one replaced, met by that one."""
    in_force: list[float]
    """Facts in force to the end, met by anything else. Highest first."""

    def threshold(self, lost: float) -> float:
        """The lowest by which no more than this share of the facts in force is put away."""
        return self.in_force[int(lost * len(self.in_force))]

    def caught(self, threshold: float) -> float:
        """The share of the replaced facts that are put away."""
        return sum(one > threshold for one in self.replaced) / max(1, len(self.replaced))


def curve(stories: Iterable[Story], rows: list[Row], scores: list[float]) -> Curve:
    """Over some stories."""
    replaced: dict[tuple[str, str], float] = {}
    in_force: dict[tuple[str, str], float] = {}
    facts = {story.voice: story.facts for story in stories}
    for story in stories:
        for name in {name for one in story.notes if one.active for name in one.facts}:
            if story.facts[name]["status"] in ("active", "superseded"):
                (in_force if story.facts[name]["status"] == "active" else replaced)[story.voice, name] = -99.0
    for row, score in zip(rows, scores, strict=True):
        if row.old.active and row.weight and row.voice in facts:
            known = replaced if row.positive else in_force
            # Said once more, but only so that it waits: then nothing active says it.
            for name in row.old.facts - (row.new.facts if row.new.active else set()):
                if (row.voice, name) in known:
                    known[row.voice, name] = max(known[row.voice, name], score)
    return Curve(replaced=sorted(replaced.values()), in_force=sorted(in_force.values(), reverse=True))


def figures(rows: list[Row], scores: list[float]) -> dict[str, float]:
    """Average precision over the pairs, and how many there are."""
    order = [at for at in np.argsort([-score for score in scores]) if rows[at].weight]
    positive = np.array([rows[at].positive for at in order], float)
    precision = np.cumsum(positive) / np.arange(1, len(order) + 1)
    average = float((precision * positive).sum() / max(1.0, positive.sum()))
    return {"pairs": len(order), "positive": int(positive.sum()), "average_precision": round(average, 3)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--more", type=Path, action="append", default=[], help="another folder of stories to learn from"
    )
    parser.add_argument("--without", default="", help="leave out what is seen under names that match this pattern")
    parser.add_argument("--write", action="store_true", help="write the table")
    arguments = parser.parse_args()
    stories = [told(path) for folder in (STORIES, *arguments.more) for path in sorted(folder.glob("*.json"))]
    rows = [
        row for story in stories
        for row in rows_of(story, common_words(other for other in stories if other is not story))
    ]  # fmt: skip
    common = common_words(stories)
    rows += of_tests(common)
    if arguments.without:
        left_out = re.compile(arguments.without)
        rows = [
            replace(row, names=frozenset(name for name in row.names if not left_out.match(name))) for row in rows
        ]  # fmt: skip
    scores = unseen(rows)
    for name in ("", "tests"):
        mine = [at for at, row in enumerate(rows) if row.voice.startswith("tests") == bool(name)]
        print(name or "stories", json.dumps(figures([rows[at] for at in mine], [scores[at] for at in mine])))
    found = curve(stories, rows, scores)
    print(f"facts in force {len(found.in_force)}, replaced {len(found.replaced)}")
    for lost in (0.01, 0.02, 0.03, 0.05, 0.08):
        print(
            f"{lost:.0%} of those in force lost, {found.caught(found.threshold(lost)):.0%} of the replaced ones caught"
        )
    fitted = fit(rows)
    explicit, doubtful = found.threshold(LOST_EXPLICIT), found.threshold(LOST_DOUBTFUL)
    for name, threshold in (("explicit", explicit), ("doubtful", doubtful)):
        tests = [(row.positive, scores[at] > threshold) for at, row in enumerate(rows) if row.voice.startswith("tests")]
        print(
            name, round(threshold, 2), {f"{a}, put away {b}": count for (a, b), count in sorted(Counter(tests).items())}
        )
    if arguments.write:
        shares: dict[str, list[str]] = defaultdict(list)
        for word, share in sorted(common.items()):
            shares[str(round(100 * share))].append(word)
        data = {
            "bias": round(fitted.bias, 3), "explicit": round(explicit, 2), "doubtful": round(doubtful, 2),
            "weights": {name: round(value, 2) for name, value in sorted(fitted.weights.items()) if abs(value) >= SMALLEST},
            "common": {share: " ".join(words) for share, words in sorted(shares.items())},
        }  # fmt: skip
        TABLE.write_text(json.dumps(data, ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
