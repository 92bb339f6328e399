"""sde-bench (MIT): does a later bug report find the note about the rule that governs its fix, among 140 other notes?

Four kinds of notes: the rule alone, with the module's path, with the function too, with the words of the request that led to
the rule. A hit is a note about the same module. The 140 other notes hold the topic of a decoy chat each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from retrieval import Data, Metric, ids, indexed, note, percent

LEVELS = ("rule", "path", "function", "request")
CUTS = (1, 3, 5)
BARS: dict[str, tuple[float, float, float]] = {
    "rule": (47.0, 67.0, 67.0),
    "path": (62.0, 68.0, 77.0),
    "function": (90.0, 95.0, 95.0),
    "request": (96.0, 96.0, 96.0),
}
"""Within two points of plain FTS5 (porter, OR, BM25 as it comes, one field, no floor) with identifiers split and prefix terms:
49/69/69, 64/70/79, 92/97/97; with the request 98/98/98, which needs no splitting."""


def run(data: Data) -> Iterator[Metric]:
    """hit@1, @3 and @5 for each kind of note, without the floor; and hit@5 with it."""
    tasks, decoys = data.load("tasks.json"), data.load("decoy_conversations.json")
    for at, level in enumerate(LEVELS):
        notes = [note(task["task_id"], _text(task, at)) for task in tasks]
        notes += [note(f"decoy-{number}", chat["topic"]) for number, chat in enumerate(decoys)]
        connection = indexed(notes)
        module = {task["task_id"]: task["module"] for task in tasks}
        for floor in (False, True):
            hits = dict.fromkeys(CUTS, 0)
            for task in tasks:
                rows = [module.get(one) for one in ids(connection, task["bug_report"], max(CUTS), floor=floor)]
                for cut in CUTS:
                    hits[cut] += task["module"] in rows[:cut]
            for number, cut in enumerate(CUTS):
                bar = BARS[level][number] if level in BARS and not floor else None
                name = f"{level}_hit_at_{cut}" + ("_with_floor" if floor else "")
                yield Metric(name, percent(hits[cut], len(tasks)), bar, len(tasks))
        connection.close()


def _text(task: dict[str, Any], level: int) -> str:
    return " ".join((task.get("policy", ""), task["module"], task.get("function", ""), _request(task))[: level + 1])


def _request(task: dict[str, Any]) -> str:
    """The first words of the (last) conversation; of a commit that decided the rule, its subject."""
    chats = task.get("conversations")
    if not chats:
        return str(task.get("decision_subject", ""))
    last = chats[-1] if isinstance(chats[0], list) else chats
    return str(last[0]["text"])
