"""One run's decisions: every candidate through the gate and onto the shelf, in the order in which things were said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from scrubjay import home as homes
from scrubjay.learn import instructions
from scrubjay.learn.agent_written import doubt
from scrubjay.learn.branches import Abandoned, follow
from scrubjay.learn.candidate import Candidate, Verdict
from scrubjay.learn.gate import Rules, judge
from scrubjay.learn.heard import Heard, in_order
from scrubjay.learn.holding import hold_back_backlog, hold_back_limit
from scrubjay.learn.places import Places
from scrubjay.learn.reconcile import Met, reconcile
from scrubjay.learn.repair import Repairs, repair
from scrubjay.learn.report import Refusal
from scrubjay.learn.rulebook import RANK, Outcome
from scrubjay.learn.shelf import Entry, Shelf
from scrubjay.redact import redact
from scrubjay.settings import Settings
from scrubjay.store.library import Library

MAX_EXCERPT_CHARS = 160
SILENT = frozenset({"secret", "injection", "origin"})
"""Rules whose refusals show no excerpt."""

Shown = Mapping[tuple[str, str], Mapping[str, tuple[str, str]]]
"""(agent, session) → memory id → (channel, time): what sessions were given."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Circumstances:
    """What a run is done under."""

    settings: Settings
    backlog: bool
    live: bool
    shown: Shown
    abandoned: Abandoned


@dataclass(slots=True)
class Decided:
    """The shelf with everything changed, and what led there."""

    shelf: Shelf
    made: dict[str, Candidate] = field(default_factory=dict)
    """Id of each new memory → the candidate that made it."""
    replaced: dict[str, Entry] = field(default_factory=dict)
    confirmed: dict[str, Entry] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)
    by_rule: Counter[str] = field(default_factory=Counter)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    evidence_added: int = 0
    asleep: list[Entry] = field(default_factory=list)
    awake: list[Entry] = field(default_factory=list)
    repairs: Repairs = field(default_factory=Repairs)
    doubted: list[Entry] = field(default_factory=list)
    """Hand-made files that an agent wrote: they wait now."""


def only_heard(heard: Heard, shelf: Shelf) -> Decided:
    """What was read and turned down, with nothing changed."""
    decided = Decided(shelf=shelf)
    for prompt in heard.prompts:
        decided.outcomes[prompt.key] = "noop" if prompt.text else "skipped"
    _turned_down(decided, heard)
    return decided


def decide(library: Library, heard: Heard, places: Places, under: Circumstances) -> Decided:
    """Everything that this run changes, decided and not yet written."""
    decided = only_heard(heard, Shelf(library))
    if heard.touched:
        decided.doubted = doubt(decided.shelf, heard.touched)
    rules = _rules(library, under.settings)
    for candidate in in_order(heard.candidates):
        _meet(decided, candidate, judge(candidate, rules), places=places, under=under)
    decided.asleep, decided.awake = follow(decided.shelf, under.abandoned, heard.branches.keys())
    made = [entry for one in decided.made if (entry := decided.shelf.get(one)) is not None]
    if under.backlog:
        trees = {one: candidate.place.worktree for one, candidate in decided.made.items()}
        hold_back_backlog(decided.shelf, made, trees)
    if under.live:
        hold_back_limit(decided.shelf, made, under.settings.number("learn.max_new_active"))
    decided.repairs = repair(decided.shelf, heard.prompts, under.shown)
    return decided


def _turned_down(decided: Decided, heard: Heard) -> None:
    """What the rules' own gates refused."""
    for told in heard.told:
        rejection = told.rejection
        _refuse(decided, rejection.gate, rejection.text, agent=told.agent, session=told.session, at=told.at)
        _note(decided, [rejection.message], "refused")


def _meet(decided: Decided, candidate: Candidate, verdict: Verdict, *, places: Places, under: Circumstances) -> None:
    keys = [message.key for _quote, message in candidate.quoted if message.role == "user"]
    if verdict.status == "refused":
        text = candidate.proposal.quotes[0].text
        _refuse(decided, verdict.word, text, agent=candidate.agent, session=candidate.session, at=candidate.at)
        _note(decided, keys, "refused")
        return
    spoken = keys or [message.key for _quote, message in candidate.quoted]
    met = reconcile(
        candidate,
        verdict,
        decided.shelf,
        store=places.store(candidate, verdict),
        stores=places.stores(candidate),
        live=not set(spoken) <= under.abandoned(spoken),
    )
    _book(decided, candidate, met)
    _note(decided, keys, met.outcome)


def _book(decided: Decided, candidate: Candidate, met: Met) -> None:
    match met.outcome:
        case "created" | "pending" | "superseded" | "abandoned":
            decided.made[candidate.memory_id] = candidate
            for entry in met.replaced:
                decided.replaced[entry.id] = entry
        case "evidence":
            decided.evidence_added += 1
            if met.confirmed and met.entry is not None and met.entry.id not in decided.made:
                decided.confirmed[met.entry.id] = met.entry
        case "noop" | "refused" | "skipped":
            pass


def _rules(library: Library, settings: Settings) -> Rules:
    seen: dict[tuple[str, ...], instructions.Instructions] = {}

    def of(candidate: Candidate) -> instructions.Instructions:
        place = candidate.place
        key = (place.worktree, place.rel, *candidate.native_memory)
        if key not in seen:
            seen[key] = instructions.of(
                place.worktree if place.root else "", place.rel, homes.user_home(), candidate.native_memory
            )
        return seen[key]

    return Rules(
        headless=settings.text("learn.headless"),
        mode=settings.text("mode"),
        tombstones=library.tombstones,
        instructions=of,
    )


def _refuse(decided: Decided, rule: str, text: str, *, agent: str, session: str, at: str) -> None:
    excerpt = "" if rule in SILENT else redact(" ".join(text.split()))[:MAX_EXCERPT_CHARS]
    decided.by_rule[rule] += 1
    decided.refused.append(Refusal(rule=rule, text=excerpt, agent=agent, session=session, at=at))


def _note(decided: Decided, keys: Collection[str], outcome: Outcome) -> None:
    for key in keys:
        before = decided.outcomes.get(key)
        if before is None or RANK[outcome] > RANK[before]:
            decided.outcomes[key] = outcome
