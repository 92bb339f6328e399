# ruff: noqa: E501 - figures read better one a line
"""The rules alone on a scripted story: story file in, figures out, in a second or two.

    python bench/story_rules.py STORY.json[.gz] [--notes] [--rejected]

Sessions are made from the story's text, not from recordings; what learning adds later (gates on the store, duplicates
across sessions, budgets) is a simple stand-in here: a note supersedes those that it contradicts and joins those that say
the same. Figures are defined in the story format's scoring.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from packed import norm, read
from scrubjay.learn.rules import PlaceHint, change, propose
from scrubjay.learn.rules.topic import same_topic, wavers
from scrubjay.learn.turns import Turn, turns
from scrubjay.operations import Proposal, Rejection
from scrubjay.session import Message, Session

_SAME_NOTE = 0.72


@dataclass
class Note:
    """A proposal as it would stand in the store."""

    proposal: Proposal
    where: str
    status: str

    @property
    def text(self) -> str:
        return norm(" ".join([self.proposal.name, self.proposal.description, self.proposal.body]))

    @property
    def turn(self) -> str:
        """The message that it quotes."""
        return self.proposal.quotes[0].message

    @property
    def session(self) -> str:
        """That of the message."""
        return self.where.rpartition(".")[0]


def session_of(row: dict[str, Any], tail: list[Message]) -> Session:
    """One story session as messages; `tail` is the resumed session's history."""
    messages: list[Message] = list(tail)
    live: set[str] = {message.key for message in tail}
    at = datetime.fromisoformat(row["date"])

    def add(turn: dict[str, Any], key: str, parent: str | None, alive: bool) -> str:
        nonlocal at
        said: tuple[tuple[Literal["user", "assistant"], str], ...] = (
            ("user", turn["user"]),
            ("assistant", turn["assistant"]),
        )
        for role, text in said:
            at += timedelta(minutes=1)
            message = Message(
                key=f"{key}/{role}", parent=parent, role=role, origin=role, at=at.strftime("%Y-%m-%dT%H:%M:%SZ"), text=text
            )  # fmt: skip
            messages.append(message)
            parent = message.key
            if alive:
                live.add(message.key)
        assert parent
        return parent

    parent = tail[-1].key if tail else None
    fork = row.get("fork_at")
    for index, turn in enumerate(row["turns"]):
        if index == fork:
            side = parent
            for number, branch_turn in enumerate(row["branch"]):
                side = add(branch_turn, f"{row['id']}.{number}B", side, False)
        parent = add(turn, f"{row['id']}.{index}", parent, True)
    return Session(
        agent="story", id=row["id"], path="", cwd=row["cwd"], messages=tuple(messages), live=frozenset(live),
        fresh=frozenset(m.key for m in messages[len(tail) :]),
    )  # fmt: skip


def learn(story: dict[str, Any]) -> tuple[list[Note], list[tuple[str, Rejection]]]:
    """Every note of the story with its final status, and what was turned down."""
    notes: list[Note] = []
    rejected: list[tuple[str, Rejection]] = []
    sessions: dict[str, Session] = {}
    for row in story["sessions"]:
        tail = list(sessions[row["resume"]].messages) if row.get("resume") in sessions else []
        session = sessions[row["id"]] = session_of(row, tail)
        listed: list[Turn] = turns(session)
        alive = {turn.user.key: turn.live for turn in listed}
        found = propose(listed, place=PlaceHint(rel="" if row["cwd"] == "." else row["cwd"]))
        rejected += [(one.message.split("/")[0], one) for one in found.rejections]
        for proposal in found.proposals:
            where = proposal.quotes[0].message
            place(
                notes,
                Note(proposal=proposal, where=where.split("/")[0], status="pending" if proposal.pending else "active"),
                alive[where],
            )
    return notes, rejected


def place(notes: list[Note], new: Note, alive: bool) -> None:
    """Supersede, join or add."""
    if not alive:
        new.status = "dormant"
    elif new.status == "active" or not wavers(new.proposal.body):
        olds = [old for old in notes if old.status == "active" and old.turn != new.turn]
        for old, score in zip(olds, _against(new, olds), strict=True):
            if new.status == "active" and score >= change.table().explicit:
                old.status = "superseded"
            elif score >= (change.table().doubtful if new.status == "active" else change.table().explicit):
                old.status = "asleep"
    for old in notes:
        if old.status == new.status and same_topic(old.proposal.body, new.proposal.body) >= _SAME_NOTE:
            new.status = "joined"
    notes.append(new)


def _against(new: Note, olds: list[Note]) -> list[float]:
    said = [change.said(old.proposal.body) for old in olds]
    held = Counter(word for one in said for word in one.words | one.common)
    older = [change.Older(body=old.proposal.body, together=old.session == new.session) for old in olds]
    rarity = change.Rarity(len(olds), lambda word: held[word])
    return change.scores(change.said(new.proposal.body), older, rarity, waits=new.status == "pending")


def matches(note: Note, gold: dict[str, Any]) -> bool:
    """All of the gold's patterns are in the note."""
    return all(re.search(pattern, note.text) for pattern in gold["must"] + gold.get("must_resolved", []))


def score(story: dict[str, Any], notes: list[Note]) -> dict[str, Any]:
    """The figures of containment."""
    gold = {row["id"]: row for row in story["gold"]}
    active = [note for note in notes if note.status == "active"]
    pending = [note for note in notes if note.status == "pending"]
    kept: dict[str, list[Note]] = {}
    wrong_old = []
    for row in gold.values():
        hit = [note for note in active if matches(note, row)]
        if row["status"] == "superseded":
            hit = [note for note in hit if not matches(note, gold[row["superseded_by"]])]
        kept[row["id"]] = hit
        if row["status"] != "active" and hit:
            wrong_old.append(f"{row['id']} {hit[0].proposal.body[:60]}")
    wanted = [row for row in gold.values() if row["status"] == "active" and row["trust"] in ("user", "assistant")]
    got = [row for row in wanted if kept[row["id"]]]
    right = {id(note) for row in gold.values() if row["status"] == "active" for note in kept[row["id"]]}
    rules = [note for note in active if note.proposal.type in ("feedback", "user")]
    negatives = [
        f"{row['id']} {row['kind']} [{note.where}]: {note.proposal.body[:90]}"
        for row in story["negatives"] if row["kind"] != "secret"
        for note in active if re.search(row["must_not"], note.text)
    ]  # fmt: skip
    secrets = [
        f"{row['id']} {note.where}" for row in story["negatives"] if row["kind"] == "secret"
        for note in notes if re.search(row["must_not"], repr(note.proposal))
    ]  # fmt: skip

    def percent(a: int, b: int) -> float | None:
        return round(100 * a / b, 1) if b else None

    return {
        "active": len(active), "pending": len(pending),
        "mean_chars_of_active": round(sum(len(note.text) for note in active) / max(1, len(active))),
        "recall_active": percent(len(got), len(wanted)),
        "recall_with_pending": percent(sum(any(matches(n, row) for n in active + pending) for row in wanted), len(wanted)),
        "precision_strict": percent(len(right), len(active)),
        "precision_rules": percent(sum(id(note) in right for note in rules), len(rules)),
        "type_right": percent(sum(any(n.proposal.type == row["type"] for n in kept[row["id"]]) for row in got), len(got)),
        "scope_right": percent(sum(any((n.proposal.scope == "user") == (row["scope"] == "user") for n in kept[row["id"]]) for row in got), len(got)),
        "project_in_user_scope": [n.where for n in active if n.proposal.scope == "user" and any(matches(n, r) and r["scope"] != "user" for r in wanted)],
        "negatives_kept": negatives, "secret_leaks": secrets, "superseded_or_abandoned_active": wrong_old,
        "duplicates": [row["id"] for row in got if len(kept[row["id"]]) > 1],
        "missed": [
            f"{row['id']} [{row['session']}.{row['turn']}] {'(pending)' if any(matches(n, row) for n in pending) else ''} {row['statement'][:90]}"
            for row in wanted if not kept[row["id"]]
        ],
        "unlabelled": [f"[{note.where}] {note.proposal.cue}: {note.proposal.body[:160]}" for note in active if id(note) not in right],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("story", type=Path)
    parser.add_argument("--notes", action="store_true", help="print every note")
    parser.add_argument("--rejected", action="store_true", help="print what the gates turned down")
    arguments = parser.parse_args()
    story = json.loads(read(arguments.story))
    notes, rejected = learn(story)
    if arguments.notes:
        for note in notes:
            p = note.proposal
            print(
                f"[{note.where}] {note.status} {p.type}/{p.scope} {p.cue} paths={p.paths}\n   {p.name} | {p.description}\n   {p.body!r}  {p.pending}\n   {p.aliases} {p.anchors}"
            )
    if arguments.rejected:
        for where, one in rejected:
            print(f"[{where}] {one.gate}: {one.text[:140]!r}")
    print(json.dumps(score(story, notes), indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
