"""LoCoMo (CC BY-NC 4.0: for tests, in no release): the turn that answers a question about a long conversation.

Without the floor: the questions are about everything, and the set has no prompt that wants nothing. Gold is the evidence as
corrected by the audit that lies beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from retrieval import Data, Metric, ids, indexed, note, percent

CUTS = {5: 55.0, 10: None}


def run(data: Data) -> Iterator[Metric]:
    """R@5 (bar 55) and R@10: the share of a question's evidence turns among so many, averaged over the questions."""
    conversations = data.load("locomo10.json")
    audit = {row["question_id"]: row["correct_evidence"] for row in data.load("audit_errors.json")}
    found = dict.fromkeys(CUTS, 0.0)
    questions = 0
    for number, conversation in enumerate(conversations):
        turns = _turns(conversation["conversation"])
        connection = indexed(note(name, text) for name, text in turns.items())
        for at, asked in enumerate(conversation["qa"]):
            cited = audit.get(f"locomo_{number}_qa{at}") or asked.get("evidence", [])
            gold = {
                f"D{int(s)}:{int(t)}" for one in cited for s, t in re.findall(r"D:?(\d+):(\d+)", one)
            } & turns.keys()
            if not gold:
                continue
            questions += 1
            rows = ids(connection, asked["question"], max(CUTS), floor=False)
            for cut in CUTS:
                found[cut] += len(gold & set(rows[:cut])) / len(gold)
        connection.close()
    for cut, bar in CUTS.items():
        yield Metric(f"turn_recall_at_{cut}", percent(found[cut], questions), bar, questions)


def _turns(conversation: dict[str, Any]) -> dict[str, str]:
    turns: dict[str, str] = {}
    for key, session in conversation.items():
        if re.fullmatch(r"session_\d+", key):
            for turn in session:
                shares = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
                turns[turn["dia_id"]] = f"{turn['speaker']}: {turn['text']}{shares}"
    return turns
