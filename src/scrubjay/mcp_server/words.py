"""Memories as the model reads them: inside our fence, so that nothing of it is ever taken for the person's words."""

from __future__ import annotations

from datetime import datetime

from scrubjay import clock
from scrubjay.inject.fence import RECALL_TAG, escape, fenced, one_line
from scrubjay.inject.wording import BACKGROUND
from scrubjay.learn.remember import Remembered
from scrubjay.store.library import Stored
from scrubjay.why import Proof

MAX_QUOTES = 5
SAID_BY = {"user": "the person", "machine": "a program's prompt", "assistant": "an agent", "tool": "a tool's output"}


def whole(stored: Stored, now: datetime) -> str:
    """One memory with everything that says how far to rely on it."""
    memory = stored.memory
    where = f" {stored.store.project}" if stored.store.project else ""
    lines = [
        f"[{memory.id}] {one_line(memory.name)}",
        f"{memory.type}, scope {stored.store.scope}{where}, trust {stored.effective_trust}, by {one_line(memory.by)}",
        f"{memory.status}{f' ({one_line(memory.reason)})' if memory.reason else ''}",
        f"said {_aged(memory.observed, now)}, last confirmed {_aged(memory.updated, now)}",
        f"anchors: {anchors(stored)}",
    ]
    if memory.paths:
        lines.append("only for: " + ", ".join(map(one_line, memory.paths)))
    if memory.superseded_by or memory.merged_into:
        lines.append(f"replaced by {memory.superseded_by or memory.merged_into}")
    return fenced(RECALL_TAG, "\n".join([BACKGROUND, "", *lines, "", escape(memory.body)]))


def anchors(stored: Stored) -> str:
    """What it can be checked against."""
    named = ["=".join(pair) for anchor in stored.memory.anchors for pair in anchor if pair[0] not in ("hash", "commit")]
    return f"{one_line(', '.join(named))} (unknown: not compared with the code)" if named else "none"


def proof(found: Proof) -> str:
    """Whose words, when, where, and what became of them."""
    memory = found.stored.memory
    lines = [f"[{memory.id}] {one_line(memory.name)}: {memory.status}, trust {found.stored.effective_trust}"]
    for one in found.evidence[-MAX_QUOTES:]:
        who = SAID_BY.get(one.origin, one.origin)
        gone = "; its transcript is gone" if one.file and one.file in found.gone else ""
        session = f" session {one_line(one.session[:8])}" if one.session else ""
        lines.append(
            f'"{one_line(one.quote)}" said by {who} on {one.at[:16].replace("T", " ")} in {one.agent}{session}{gone}'
        )
    if len(found.evidence) > MAX_QUOTES:
        lines.append(f"{len(found.evidence) - MAX_QUOTES} older quotes are not shown")
    if not found.evidence:
        lines.append(
            "no session stands behind it: " + ("written by hand" if found.stored.hand_made else f"by {memory.by}")
        )
    lines += [f"replaces {old} {one_line(name)}" for old, name in found.replaces]
    if found.replaced_by:
        lines.append(f"replaced by {found.replaced_by}")
    lines += [f"{change.at[:10]} {one_line(change.subject)}" for change in found.changes]
    return fenced(RECALL_TAG, "\n".join([BACKGROUND, "", *lines]))


def index(rows: list[Stored], most: int) -> str:
    """One line a memory; what is not shown is counted."""
    lines = [f"[{one.memory.id}] {one.memory.type}: {one_line(one.memory.name)} – {one_line(one.memory.description)}"
             for one in rows[:most]]  # fmt: skip
    if len(rows) > most:
        lines.append(f"{len(rows) - most} more: search for them with recall")
    return fenced(RECALL_TAG, "\n".join([BACKGROUND, "", *lines])) if lines else "There are no memories here yet."


def remembered(result: Remembered) -> str:
    """What the agent may tell the person."""
    told = {
        "active": "It was known already, and holds.",
        "pending": "It waits: active as soon as the person's own words of the ten minutes around now are found in this "
        "session, else they are asked (`jay review`).",
    }.get(result.status, f"It was known already and is {result.status}; only the person brings it back.")
    return "\n".join(
        [f"{result.id} {result.status}. {told}", *(one for one in result.notes if "waits because" not in one)]
    )


def _aged(moment: str, now: datetime) -> str:
    at = clock.parse(moment) if moment else None
    if at is None:
        return moment or "undated"
    days = max(0, (now.date() - at.date()).days)
    age = "today" if days == 0 else "1 day ago" if days == 1 else f"{days} days ago"
    return f"{moment[:10]} ({age})"
