"""A candidate that passed the gate meets what is remembered: is it new, said once more, or does it replace something?

Near-duplicates add evidence. An explicit contradiction supersedes; where it is doubtful whether the old one still holds, the
old one is put away until a person says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scrubjay import clock
from scrubjay.learn.alike import may_restate, statement
from scrubjay.learn.candidate import Candidate, Verdict
from scrubjay.learn.rulebook import Outcome, reason, word_of
from scrubjay.learn.rules import change
from scrubjay.learn.rules.topic import wavers
from scrubjay.learn.shelf import MAX_EVIDENCE, Entry, Shelf
from scrubjay.memory import Memory
from scrubjay.operations import TRUST_ORDER, Evidence, Status
from scrubjay.scope import StoreRef

APART_S = 6 * 3600
"""Two statements are independent when they come from different sessions this far apart: one sitting recorded by two
agents is one statement."""
CONFIRMABLE = frozenset({"inferred", "headless", "limit", "backlog", "agent", "imported", "untrusted", "review"})
"""Reasons for waiting that go when the person says it again so plainly that it could be active by itself."""
TWICE = frozenset({"inferred"})
"""Reasons that go when it is only hinted at again, independently."""
UNSETTLES = frozenset({"inferred", "review"})
"""Reasons for waiting of a statement that still shows that what it contradicts is no plain truth any more. Words of a tool,
a program or an agent never put a memory to sleep."""
HELD = frozenset({"limit", "backlog"})
"""Reasons for waiting that say nothing against the new memory: what it had replaced sleeps until a person answers."""
MASS_SHARE, MASS_LEAST = 0.2, 5
"""One run may replace this share of the memories that were active before it, and always as many as `MASS_LEAST`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Met:
    """What became of a candidate."""

    outcome: Outcome
    entry: Entry | None = None
    replaced: tuple[Entry, ...] = ()
    confirmed: bool = False
    """A memory that waited is active now."""


def reconcile(
    candidate: Candidate, verdict: Verdict, shelf: Shelf, *, store: StoreRef, stores: Iterable[StoreRef], live: bool
) -> Met:
    """Change the shelf as the candidate asks. `store`: where it would go; `stores`: all that its place sees."""
    stores = list(stores)
    if shelf.knows_evidence(candidate.first_evidence) or shelf.get(candidate.memory_id):
        return Met(outcome="noop", entry=shelf.get(candidate.memory_id))
    evidence = candidate.evidence(store.project)
    twin = _twin(candidate, shelf, stores) or _restated(candidate, shelf, store)
    if twin is not None:
        return _say_again(candidate, verdict, twin, evidence, shelf=shelf, live=live)
    entry = shelf.add(_memory(candidate, verdict), store, evidence, cue=candidate.proposal.cue)
    if not live:
        word = "branch" if verdict.status == "active" else "left"
        shelf.change(entry, status="dormant", reason=reason(word))
        return Met(outcome="abandoned", entry=entry)
    replaced = _contradicted(candidate, entry, shelf, stores) if verdict.status == "active" else ()
    if replaced:
        return Met(outcome="superseded", entry=entry, replaced=tuple(replaced))
    if verdict.status == "pending" and verdict.word in UNSETTLES and verdict.trust == "user":
        _unsettle(candidate, entry, shelf)
    return Met(outcome="created" if entry.memory.status == "active" else "pending", entry=entry)


def supersede(shelf: Shelf, new: Entry, old: Iterable[Entry]) -> None:
    """`new` is so now, `old` was so once."""
    for entry in old:
        shelf.replaced_before += entry.stored is not None
        shelf.change(entry, status="superseded", superseded_by=new.id, reason=reason("superseded"))
    ids = (*new.memory.supersedes, *(one.id for one in old if one.id not in new.memory.supersedes))
    shelf.change(new, supersedes=ids)


def wait(shelf: Shelf, entry: Entry, word: str, text: str = "") -> None:
    """The new memory waits for review; until a person says yes, what it had replaced is in force again, or asleep where
    nothing speaks against the new one."""
    shelf.change(entry, status="pending", reason=reason(word, text), updated=clock.text(clock.now()))
    for one in entry.memory.supersedes:
        old = shelf.get(one)
        if old is not None and old.memory.superseded_by == entry.id:
            if word in HELD:
                shelf.change(old, status="dormant", superseded_by="", reason=_changed(entry))
            else:
                shelf.change(old, status="active", superseded_by="", reason="")


def settle(shelf: Shelf, entry: Entry) -> list[Entry]:
    """`entry` waits no more and replaced nothing: what slept because of it is in force again."""
    asleep = [old for one in entry.memory.supersedes if (old := shelf.get(one)) is not None and sleeps(old)]
    for old in asleep:
        shelf.change(old, status="active", reason="")
    return asleep


def contradicted(candidate: Candidate, entry: Entry, shelf: Shelf) -> list[Entry]:
    """Active memories of its store that the new `entry` makes untrue, or that make it untrue. Changes nothing."""
    against = _spoken_against(candidate, entry, shelf)
    found = {one.id: one for one in (*against.replaced, *against.doubted, *against.newer)}
    if not found:
        found = {one.id: one for one in shelf.clashing(entry.statement, [entry.store])}
    return [one for one in found.values() if one is not entry]


def sleeps(entry: Entry) -> bool:
    """Put away until a person answers whether it changed."""
    return entry.memory.status in ("dormant", "pending") and word_of(entry.memory.reason) == "changed"


def _changed(entry: Entry) -> str:
    return reason("changed", f"you said on {entry.memory.created[:10]} that this changed: jay review")


def _unsettle(candidate: Candidate, entry: Entry, shelf: Shelf) -> None:
    """The new memory waits, but the person did say that something changed: the old one sleeps until they answer."""
    if wavers(candidate.proposal.body):
        return
    against = _spoken_against(candidate, entry, shelf)
    older = [one for one in against.replaced if not _kept_by_hand(one) and not _just_changed(one, candidate)]
    if not older or _too_many(shelf, older):
        return
    _put_away(shelf, older, "dormant", entry)


def _just_changed(entry: Entry, candidate: Candidate) -> bool:
    """It replaced something itself, in so many words and in this sitting: a hint that follows is more likely about another
    thing."""
    return bool(entry.memory.supersedes) and _one_sitting(entry, candidate)


def _kept_by_hand(entry: Entry) -> bool:
    """Gives way to a person only."""
    return entry.memory.pinned or entry.memory.by == "user"


def _too_many(shelf: Shelf, older: list[Entry]) -> bool:
    """More memories from before it than one run may replace."""
    before = shelf.replaced_before + sum(one.stored is not None for one in older)
    return before > max(MASS_LEAST, int(MASS_SHARE * shelf.active_before))


def _put_away(shelf: Shelf, older: list[Entry], status: Status, new: Entry) -> None:
    """Until a person answers. `pending`: each is asked about by itself; `dormant`: with `new`, which waits. Should `new`
    go, they are in force again."""
    shelf.replaced_before += sum(one.stored is not None for one in older)
    for one in older:
        shelf.change(one, status=status, reason=_changed(new))
    shelf.change(new, supersedes=(*new.memory.supersedes, *(one.id for one in older)))


def _twin(candidate: Candidate, shelf: Shelf, stores: list[StoreRef]) -> Entry | None:
    """The memory that says the same: an active one before one that waits, the best known first. What was replaced by a
    statement that is older than this one is no twin: it is so again."""
    found = shelf.twins(statement(candidate.proposal.body), stores)
    order = ("active", "pending", "dormant", "archived", "superseded")
    for twin in sorted(found, key=lambda one: order.index(one.memory.status)):
        if twin.memory.status != "superseded":
            return twin
        successor = shelf.get(twin.memory.superseded_by)
        if successor is None or candidate.at <= successor.memory.created:
            return twin
    return None


def _restated(candidate: Candidate, shelf: Shelf, store: StoreRef) -> Entry | None:
    """The active memory that says it in other words: the nearest one, if it is very near and nothing speaks of a change."""
    mine, new = statement(candidate.proposal.body), change.said(candidate.proposal.body)
    if not mine.values or change.speaks_of_change(new):
        return None  # most candidates: the store is not asked
    found, rarity = shelf.near(new, store)
    return next(
        (
            one
            for one in found
            if may_restate(one.statement, mine) and change.restates(new, change.said(one.memory.body), rarity)
        ),
        None,
    )


def _say_again(
    candidate: Candidate, verdict: Verdict, twin: Entry, evidence: tuple[Evidence, ...], *, shelf: Shelf, live: bool
) -> Met:
    memory = twin.memory
    echo = candidate.said.origin == "assistant" and verdict.trust != "user"
    if twin.store.scope == "team" or echo or len(memory.evidence) >= MAX_EVIDENCE:
        return Met(outcome="noop", entry=twin)
    word = word_of(memory.reason)
    independent = _independent(evidence[0], shelf.evidence(twin))
    shelf.change(
        twin,
        evidence=evidence,
        updated=max(memory.updated, candidate.at or memory.updated),
        trust=min(memory.trust, verdict.trust, key=TRUST_ORDER.index),
    )
    if not live:
        return Met(outcome="evidence", entry=twin)
    plainly = verdict.status == "active"
    if sleeps(twin) and plainly and candidate.at > memory.updated:
        shelf.change(twin, status="active", reason="")  # said once more since: it did not change after all
        return Met(outcome="evidence", entry=twin, confirmed=True)
    if memory.status == "pending" and (
        (plainly and word in CONFIRMABLE)
        or (independent and verdict.word == word and word in TWICE)
    ):  # fmt: skip
        shelf.change(twin, status="active", reason="")
        return Met(outcome="evidence", entry=twin, confirmed=True)
    if memory.status == "archived" and independent and word in ("unanswered", "wrong", "outdated"):
        # The person came back to it: whatever ended it, it is worth a question again.
        shelf.change(twin, status="pending", reason=reason("wrong" if word == "wrong" else "inferred", "said again"))
    return Met(outcome="evidence", entry=twin)


def _contradicted(candidate: Candidate, entry: Entry, shelf: Shelf, stores: list[StoreRef]) -> list[Entry]:
    """Put away what the new memory replaces; when it may not, the new one waits and names what it would replace. What is
    doubtful waits itself. Returns what was replaced."""
    against = _spoken_against(candidate, entry, shelf)
    doubted = [one for one in against.doubted if not _kept_by_hand(one)]
    if against.replaced:
        if any(_kept_by_hand(one) for one in against.replaced):
            return _wait(shelf, entry, "contradiction", against.replaced)
        if _too_many(shelf, against.replaced):
            return _wait(shelf, entry, "mass-change", against.replaced)
        supersede(shelf, entry, against.replaced)
    elif against.newer:
        return _wait(shelf, entry, "older", [])
    elif not doubted:
        mine = [store for store in stores if store == entry.store]
        implied = [one for one in shelf.clashing(entry.statement, mine) if one is not entry]
        return _wait(shelf, entry, "contradiction", implied) if implied else []
    if not _too_many(shelf, doubted):
        _put_away(shelf, doubted, "pending", entry)
    return against.replaced


@dataclass(frozen=True, kw_only=True, slots=True)
class _Against:
    """Active memories of the same store."""

    replaced: list[Entry]
    """The candidate says that they are no longer so."""
    doubted: list[Entry]
    """It may have made them untrue."""
    newer: list[Entry]
    """They were said later, and make the candidate untrue."""


def _spoken_against(candidate: Candidate, entry: Entry, shelf: Shelf) -> _Against:
    table, new = change.table(), change.said(candidate.proposal.body)
    found, rarity = shelf.near(new, entry.store)
    near = [one for one in found if one is not entry]
    older = [one for one in near if one.memory.created <= candidate.at]
    olds = [change.Older(body=one.memory.body, together=_one_sitting(one, candidate)) for one in older]
    scored = list(zip(older, change.scores(new, olds, rarity, waits=entry.memory.status == "pending"), strict=True))
    mine = change.Older(body=candidate.proposal.body)
    return _Against(
        replaced=[one for one, score in scored if score >= table.explicit],
        doubted=[one for one, score in scored if table.doubtful <= score < table.explicit],
        newer=[
            one
            for one in near
            if one.memory.created > candidate.at
            and change.scores(change.said(one.memory.body), [mine], rarity)[0] >= table.doubtful
        ],
    )


def _one_sitting(entry: Entry, candidate: Candidate) -> bool:
    mine, its = clock.parse(candidate.at), clock.parse(entry.memory.created)
    return mine is not None and its is not None and abs((mine - its).total_seconds()) < APART_S


def _wait(shelf: Shelf, entry: Entry, word: str, old: list[Entry]) -> list[Entry]:
    """`supersedes` of a waiting memory is what accepting it will replace."""
    text = f"it contradicts {old[0].memory.name!r}" if word == "contradiction" and old else ""
    wait(shelf, entry, word, text)
    shelf.change(entry, supersedes=tuple(one.id for one in old))
    return []


def _independent(new: Evidence, old: Iterable[Evidence]) -> bool:
    mine = clock.parse(new.at)
    for one in old:
        its = clock.parse(one.at)
        far = mine is None or its is None or abs((mine - its).total_seconds()) >= APART_S
        if (one.agent, one.session) != (new.agent, new.session) and far:
            return True
    return False


def _memory(candidate: Candidate, verdict: Verdict) -> Memory:
    proposal = candidate.proposal
    at = candidate.at or clock.text(clock.now())
    return Memory(
        id=candidate.memory_id,
        name=proposal.name,
        description=proposal.description,
        type=proposal.type,
        body=proposal.body,
        status="active" if verdict.status == "active" else "pending",
        created=at,
        # A waiting memory's time to be answered runs from when it was written down.
        updated=at if verdict.status == "active" else clock.text(clock.now()),
        observed=proposal.observed or candidate.at[:10] or "undated",
        paths=proposal.paths,
        aliases=proposal.aliases,
        anchors=tuple(((kind, value),) for kind, value in proposal.anchors),
        evidence=tuple(one.id for one in candidate.evidence("")),
        by="learned",
        trust=verdict.trust,
        reason=reason(verdict.word, verdict.text) if verdict.status == "pending" else "",
    )
