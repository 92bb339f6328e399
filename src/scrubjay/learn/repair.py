"""Repair where it hurts: "that is wrong", "no longer", "forget that" after a memory was shown acts on that memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scrubjay.learn.alike import statement
from scrubjay.learn.heard import Prompt
from scrubjay.learn.rulebook import reason
from scrubjay.learn.rules.repair_cues import repair_cue
from scrubjay.learn.shelf import Entry, Shelf

MAX_WORDS_OF_A_BARE_REPAIR = 8
"""A prompt of at most so many words ("no, that's wrong, forget it") speaks of what was shown last."""
LEAST_SHARED = 2
"""Content words that a longer prompt must share with the memory that it speaks of."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Repairs:
    """What the person asked for."""

    forget: tuple[str, ...] = ()
    """Ids to be forgotten, by `store.forget`."""
    archived: tuple[Entry, ...] = ()


def repair(
    shelf: Shelf, prompts: list[Prompt], shown: Mapping[tuple[str, str], Mapping[str, tuple[str, str]]]
) -> Repairs:
    """Change the shelf as the prompts ask. `shown`: (agent, session) → memory id → (channel, time) of what it was given.

    Only a person's live prompt counts. When it is not plain which memory is meant, nothing happens.
    """
    forget: list[str] = []
    archived: list[Entry] = []
    for prompt in sorted(prompts, key=lambda one: (one.at, one.key)):
        given = shown.get((prompt.agent, prompt.session), {})
        cue = repair_cue(prompt.text) if given and prompt.live and prompt.by_person else None
        if cue is None:
            continue
        entry = _meant(shelf, prompt, given)
        if entry is None or entry.id in forget or entry.store.scope == "team":  # what is shared, its repository changes
            continue
        match cue:
            case "forget":
                forget.append(entry.id)
            case "wrong" | "outdated":
                shelf.change(entry, status="archived", reason=reason(cue))
                archived.append(entry)
    return Repairs(forget=tuple(forget), archived=tuple(archived))


def _meant(shelf: Shelf, prompt: Prompt, given: Mapping[str, tuple[str, str]]) -> Entry | None:
    """The one memory, shown before the prompt, that the prompt speaks of. A team's counts too: what is said about it must not
    hit another."""
    before = [
        (at, entry)
        for memory, (_channel, at) in given.items()
        if (not prompt.at or not at or at <= prompt.at)
        and (entry := shelf.get(memory))
        and entry.memory.status == "active"
    ]
    said = statement(prompt.text)
    shared = [(len(said.terms & entry.statement.terms), entry) for _at, entry in before]
    most = max((count for count, _entry in shared), default=0)
    best = [entry for count, entry in shared if count == most]
    if most >= LEAST_SHARED and len(best) == 1:
        return best[0]
    if len(prompt.text.split()) <= MAX_WORDS_OF_A_BARE_REPAIR and before:
        last = max(at for at, _entry in before)
        newest = [entry for at, entry in before if at == last]
        return newest[0] if len(newest) == 1 else None
    return None
