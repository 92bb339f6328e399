"""What an agent asks for through a tool is a hint: the worker looks for the person's own words of that time.

Trust comes from who said it, never from the tool call. What the agent would remember waits for review until a message of
the person is found in a session of the same project, at most `WINDOW` before or after the call, that says it; then the
person's words become the memory, through the same gate as everything learnt and under the id that learning gives it, so
that it is never learnt twice. What the agent would forget goes only when the person asked for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from scrubjay import clock, settings
from scrubjay import home as homes
from scrubjay.home import Home
from scrubjay.learn import spoken
from scrubjay.learn.alike import statement
from scrubjay.learn.candidate import Candidate, Verdict
from scrubjay.learn.forgetting import forget
from scrubjay.learn.gate import Rules, judge
from scrubjay.learn.instructions import of as instructions_of
from scrubjay.learn.places import Places
from scrubjay.learn.reconcile import CONFIRMABLE, reconcile, sleeps, supersede
from scrubjay.learn.remember import Remembered, Wish, remember
from scrubjay.learn.rulebook import reason, word_of
from scrubjay.learn.rules.repair_cues import repair_cue
from scrubjay.learn.shelf import Entry, Shelf
from scrubjay.ledger import Ledger, hints
from scrubjay.ledger.hints import Hint
from scrubjay.operations import TRUST_ORDER
from scrubjay.search.build import refresh
from scrubjay.settings import Settings
from scrubjay.store.change import commit, decided_again
from scrubjay.store.library import Library

WINDOW = timedelta(minutes=10)
OPEN_FOR = timedelta(hours=24)
"""Some clients write a session down only when it ends; after so long a hint is left to the person."""
ATTEMPTS = 4
JOB = "hint"
"""Kind of the job in the ledger's queue."""
BARE_WORDS = 8
"""A prompt of at most so many words ("no, forget that") need not name what it is about: the tool call does."""


def ask(home: Home, wish: Wish) -> Remembered:
    """Write down what an agent wishes, waiting, and leave a job for the worker, which the caller starts. Raises as
    `remember`."""
    result = remember(home, replace(wish, by="agent", waits=True))
    if result.status == "pending":
        leave(home, "remember", result.id, wish.cwd)
    return result


def leave(home: Home, verb: str, memory: str, cwd: str) -> None:
    """Note what was asked for: the worker looks for the person's words. `verb`: `remember` or `forget`."""
    at = clock.text(clock.now())
    with Ledger.open(home.ledger) as ledger:
        hints.note(ledger, Hint(verb=verb, memory=memory, cwd=cwd, at=at))
        ledger.enqueue(JOB, "{}", at=at)


def join(home: Home, ledger: Ledger) -> list[str]:
    """Look once at every open hint; ids of the memories that the person's words were found for."""
    waiting = _still_open(ledger)
    if not waiting:
        return []
    values = settings.load(home.config)
    places = Places(home, exclude=values.words("learn.exclude"), shut=ledger.shut_times(), dry_run=False)
    heard = spoken.listen(home, waiting, places, window=WINDOW, agents=values.words("agents"))
    done: list[str] = []
    for hint in waiting:
        act = _remember if hint.verb == "remember" else _forget
        found = _Looked(home=home, values=values, places=places, words=heard.near(hint))
        joined = decided_again(partial(act, hint, found), ATTEMPTS)
        if joined or joined is None:
            hints.settle(ledger, hint.memory)
            done += [joined] if joined else []
        else:
            hints.note(ledger, replace(hint, seen=heard.finished(hint)))
    if done:
        refresh(home, Library.open(home, repos=places.team_repositories()))
    return done


@dataclass(frozen=True, kw_only=True, slots=True)
class _Looked:
    """What was found beside one hint."""

    home: Home
    values: Settings
    places: Places
    words: list[spoken.Words]


def _still_open(ledger: Ledger) -> list[Hint]:
    oldest = clock.text(clock.now() - OPEN_FOR)
    found = hints.open_hints(ledger)
    for hint in found:
        if hint.at < oldest:
            hints.settle(ledger, hint.memory)
    return [hint for hint in found if hint.at >= oldest]


def _remember(hint: Hint, found: _Looked) -> str | None:
    """Id of the memory in the person's words; "" while there are none; None when nothing is left to be done."""
    library = Library.open(found.home, repos=found.places.team_repositories())
    waiting = Shelf(library).get(hint.memory)
    if waiting is None or waiting.memory.status != "pending" or word_of(waiting.memory.reason) not in CONFIRMABLE:
        return None
    rules = _rules(library, found.values)
    for candidate in spoken.saying(found.words, waiting.memory, waiting.store):
        verdict = judge(candidate, rules)
        if verdict.status == "refused":
            continue
        shelf = Shelf(library)
        met = reconcile(
            candidate,
            verdict,
            shelf,
            store=found.places.store(candidate, verdict),
            stores=found.places.stores(candidate),
            live=True,
        )
        entry = met.entry or shelf.get(library.evidence_owner(candidate.first_evidence) or "")
        if entry is None or (entry.id == hint.memory and entry.store.scope == "user" and not verdict.in_user_store):
            continue  # for every project, which the person did not say: that waits
        _become(shelf, shelf.get(hint.memory), entry, candidate, verdict)
        commit(found.home, shelf.changes(), subject="hint: the person said it", evidence=shelf.new_evidence())
        return entry.id
    return ""


def _become(shelf: Shelf, waiting: Entry | None, entry: Entry, candidate: Candidate, verdict: Verdict) -> None:
    """`entry` says it in the person's words; what waited in the agent's is it, or was taken up into it. The gate let it
    be active: then what was only inferred from the same words waits no longer either, as if the person had accepted it."""
    if waiting is None:
        return
    if entry is waiting:
        shelf.change(
            entry,
            body=candidate.proposal.body,
            by="learned",
            trust=min(entry.memory.trust, verdict.trust, key=TRUST_ORDER.index),
            evidence=candidate.evidence(entry.store.project),
        )
    else:
        shelf.change(waiting, status="archived", merged_into=entry.id, reason=reason("joined"))
    memory = entry.memory
    word = word_of(memory.reason)
    # it contradicts the very memory that the agent was to change: the person's words are the answer
    asked = word == "contradiction" and set(memory.supersedes) <= set(waiting.memory.supersedes)
    if verdict.status == "active" and memory.status == "pending" and (word in CONFIRMABLE or asked):
        shelf.change(entry, status="active", reason="", updated=max(memory.updated, candidate.at))
    if entry.memory.status == "active":
        ids = dict.fromkeys((*waiting.memory.supersedes, *memory.supersedes))
        named = (shelf.get(one) for one in ids)
        old = [one for one in named if one is not None and (one.memory.status == "active" or sleeps(one))]
        if old:
            supersede(shelf, entry, old)


def _forget(hint: Hint, found: _Looked) -> str | None:
    """As `_remember`: the id of what the person wanted gone."""
    library = Library.open(found.home, repos=found.places.team_repositories())
    if not library.has(hint.memory):
        return None
    stored = library.get(hint.memory)
    said = statement(f"{stored.memory.name}\n{stored.memory.body}")
    for words in found.words:
        message = words.turn.user
        headless = message.origin == "machine" and found.values.text("learn.headless") != "active"
        about = hint.memory in message.text or len(message.text.split()) <= BARE_WORDS
        if headless or not (about or statement(message.text).terms & said.terms):
            continue
        cue = repair_cue(message.text)
        if cue == "forget":
            forget(found.home, library, [hint.memory], reason="the person said so in a session")
        elif cue is not None:
            shelf = Shelf(library)
            entry = shelf.get(hint.memory)
            if entry is None:
                return None
            shelf.change(entry, status="archived", reason=reason(cue))
            commit(found.home, shelf.changes(), subject="the person said that it no longer holds")
        else:
            continue
        return hint.memory
    return ""


def _rules(library: Library, values: Settings) -> Rules:
    return Rules(
        headless=values.text("learn.headless"),
        mode=values.text("mode"),
        tombstones=library.tombstones,
        instructions=lambda candidate: instructions_of(
            candidate.place.worktree if candidate.place.root else "",
            candidate.place.rel,
            homes.user_home(),
            candidate.native_memory,
        ),
    )
