"""The words that learning shares with the ledger, the log, `jay status` and docs/refusals.md. One row a rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Outcome = Literal["created", "pending", "evidence", "superseded", "abandoned", "refused", "noop", "skipped"]
"""What became of one message: the furthest that any of its clauses came. `noop` (nothing worth keeping) is a success."""

RANK: Mapping[Outcome, int] = {
    "skipped": 0, "noop": 1, "refused": 2, "abandoned": 3, "evidence": 4, "pending": 5, "superseded": 6, "created": 7,
}  # fmt: skip

REFUSALS: Mapping[str, str] = {
    "evidence": "the quote does not stand in the message at its place, or holds a number that the message does not",
    "limits": "a name, description or body is empty or longer than a memory may be",
    "secret": "the clause holds a secret; its value is kept nowhere",
    "origin": "text that the agent program or scrubjay injected is never learnt from",
    "untrusted": "a rule of behaviour or a fact about the person that only a tool, a web page or an agent said",
    "unconfirmed": "the assistant said it and the person did not agree",
    "injection": "text that hides characters or orders an agent about, as planted text does",
    "headless": "a program wrote the prompt, and `learn.headless` is `skip`",
    "forgotten": "the person had it forgotten; only a later statement of theirs brings it back",
    "known": "an instruction file of the repository, or the agent's own memory, says it already",
    "shared": "a team's memory is changed by people, in its repository",
    "paused": "memory is paused, or not wanted in this folder",
}
"""Rule of the gate → why. The rules' own gates (`question`, `temporary`, …) have rows in docs/refusals.md too."""

WAITS: Mapping[str, str] = {
    "inferred": "not said outright",
    "headless": "a program wrote the prompt",
    "untrusted": "a tool's output or an outside text said it",
    "agent": "an agent asked for it",
    "imported": "an agent's own memory says it",
    "contradiction": "it contradicts a memory without saying that something changed",
    "older": "it contradicts a memory that was said later",
    "forgotten": "it was forgotten before, and said again",
    "wrong": "a memory that said so was called wrong, and it was said again",
    "limit": "this session already gave its number of new memories",
    "backlog": "said once, more than 30 days ago",
    "gone": "it names a path that is gone",
    "mass-change": "too many memories would be replaced at once",
    "no-project": "said outside every project",
    "review": "the mode is `review`",
}
"""Why a memory waits for review. `Memory.reason` is `<word>: <text>`."""

SLEEPS: Mapping[str, str] = {
    "branch": "said only on a branch of a session that the person abandoned",
    "left": "waited for review when the person abandoned the branch that it was said on",
    "superseded": "a later statement replaced it",
    "changed": "the person said later that this changed: `jay review`",
    "unanswered": "nobody answered for too long",
    "wrong": "the person said that it is wrong",
    "outdated": "the person said that it is no longer so",
    "joined": "an agent's wish; the person's own words are kept instead",
    "deleted": "the agent that wrote it deleted it",
    "removed": "the agent's own memory, which it was imported from, does not hold it any more",
}
"""Why a memory is dormant, superseded or archived; same form."""


def reason(word: str, text: str = "") -> str:
    """`<word>: <text>`, with the table's text when none is given."""
    table = WAITS if word in WAITS else SLEEPS
    return f"{word}: {text or table[word]}"


def word_of(text: str) -> str:
    """The word that a `Memory.reason` starts with, "" for a reason that people or other programs wrote."""
    word = text.partition(":")[0]
    return word if word in WAITS or word in SLEEPS else ""
