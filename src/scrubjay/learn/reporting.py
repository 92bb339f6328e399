"""A run's report, and the one line of history that stands for it."""

from __future__ import annotations

from collections import Counter

from scrubjay.learn.candidate import Candidate
from scrubjay.learn.deciding import Decided
from scrubjay.learn.heard import Heard
from scrubjay.learn.report import AgentCount, LearnReport, Learnt
from scrubjay.learn.shelf import Entry


def subject(heard: Heard, decided: Decided) -> str:
    """The first line of the commit: counts and agents, no memory's words."""
    parts = [f"{len(decided.made)} new"]
    for count, word in (
        (decided.evidence_added, "said again"),
        (len(decided.replaced), "replaced"),
        (len(decided.asleep), "asleep"),
        (len(decided.awake), "awake"),
    ):
        if count:
            parts.append(f"{count} {word}")
    return f"learn: {', '.join(parts)} ({', '.join(sorted(heard.sessions)) or 'no agent'})"


def nothing_new(heard: Heard) -> LearnReport:
    """No session said anything new."""
    return LearnReport(skipped=dict(sorted(heard.skipped.items())), problems=tuple(heard.problems))


def report(heard: Heard, decided: Decided, *, undo: str = "", dry_run: bool = False) -> LearnReport:
    """What the run did, by the final state of each memory that it touched."""
    made = [(entry, one) for key, one in decided.made.items() if (entry := decided.shelf.get(key)) is not None]
    new = [_learnt(decided, entry, candidate) for entry, candidate in made]
    replaced = [entry for entry in decided.replaced.values() if entry.memory.status == "superseded"]
    awake = {entry.id: entry for entry in (*decided.awake, *decided.confirmed.values())}
    return LearnReport(
        created=tuple(one for one in new if one.status == "active"),
        pending=(
            *(one for one in new if one.status == "pending"),
            *(_learnt(decided, entry) for entry in decided.doubted),
        ),
        superseded=tuple(_learnt(decided, entry) for entry in replaced),
        archived=tuple(_learnt(decided, entry) for entry in decided.repairs.archived),
        dormant=tuple(
            _learnt(decided, entry)
            for entry in {one.id: one for one in (*decided.asleep, *(entry for entry, _one in made))}.values()
            if entry.memory.status == "dormant"
        ),
        revived=tuple(_learnt(decided, entry) for entry in awake.values() if entry.memory.status == "active"),
        refused=tuple(decided.refused),
        refused_by_rule=dict(sorted(decided.by_rule.items())),
        evidence_added=decided.evidence_added,
        sessions=sum(heard.sessions.values()),
        messages=sum(outcome != "skipped" for outcome in (decided.outcomes[one.key] for one in heard.prompts)),
        skipped=dict(sorted(heard.skipped.items())),
        problems=tuple(heard.problems),
        by_agent=_by_agent(heard, decided, new),
        undo=undo,
        dry_run=dry_run,
    )


def _by_agent(heard: Heard, decided: Decided, new: list[Learnt]) -> dict[str, AgentCount]:
    messages = Counter(prompt.agent for prompt in heard.prompts if decided.outcomes[prompt.key] != "skipped")
    created = Counter(one.agent for one in new if one.status == "active")
    pending = Counter(one.agent for one in new if one.status == "pending")
    refused = Counter(one.agent for one in decided.refused)
    agents = sorted({*heard.sessions, *messages})
    return {
        agent: AgentCount(
            sessions=heard.sessions[agent],
            messages=messages[agent],
            created=created[agent],
            pending=pending[agent],
            refused=refused[agent],
        )
        for agent in agents
    }


def _learnt(decided: Decided, entry: Entry, candidate: Candidate | None = None) -> Learnt:
    memory = entry.memory
    evidence = decided.shelf.evidence(entry)
    first = evidence[0] if evidence else None
    return Learnt(
        id=memory.id,
        name=memory.name,
        type=memory.type,
        scope=entry.store.scope,
        project=entry.store.project,
        status=memory.status,
        reason=memory.reason,
        quote=first.quote if first else "",
        agent=first.agent if first else "",
        session=first.session if first else "",
        at=first.at if first else memory.created,
        cue=candidate.proposal.cue if candidate else entry.cue,
    )
