"""BEAM, the eight coding chats (CC BY-SA 4.0: for tests, in no release): the message of a user that answers a later question.

No bar, and no weight was chosen on it: a check that a change does not fit the other sets only. Without the floor; the messages
are longer than memories are (770 characters).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from retrieval import Data, Metric, ids, indexed, note, percent

CUTS = (5, 10)
GENERATOR_MARK = "->->"
"""Where the text of a message ends."""


def run(data: Data) -> Iterator[Metric]:
    """R@5 and R@10 over the messages of one chat, as for LoCoMo."""
    found = dict.fromkeys(CUTS, 0.0)
    questions = 0
    for name in sorted({path.name.removesuffix(".gz") for path in data.folder.glob("*k-*.json*")}):
        chat = data.load(name)
        messages = {
            str(message["id"]): str(message["content"]).split(GENERATOR_MARK)[0]
            for batch in chat["chat"]
            for turn in batch["turns"]
            for message in turn
            if message["role"] == "user"
        }
        connection = indexed(note(key, text) for key, text in messages.items())
        for asked in (one for ability in chat["probing_questions"].values() for one in ability):
            gold = set(_leaves(asked.get("source_chat_ids"))) & messages.keys()
            if gold:
                questions += 1
                rows = ids(connection, asked["question"], max(CUTS), floor=False)
                for cut in CUTS:
                    found[cut] += len(gold & set(rows[:cut])) / len(gold)
        connection.close()
    for cut in CUTS:
        yield Metric(f"message_recall_at_{cut}", percent(found[cut], questions), None, questions)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _leaves(one)
    elif value is not None:
        yield str(value)
