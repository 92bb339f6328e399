"""An agent changes a memory: its own note in place, a person's words only by a proposal that waits for them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scrubjay import clock
from scrubjay.errors import BadInput, Refused
from scrubjay.learn.remember import Wish, short, vetted
from scrubjay.learn.rulebook import REFUSALS, reason
from scrubjay.memory import MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS, Memory
from scrubjay.search.build import refresh
from scrubjay.store.change import Change, commit, create, rewrite
from scrubjay.store.library import Library, Stored


@dataclass(frozen=True, kw_only=True, slots=True)
class Amendment:
    """What shall be different; empty fields stay."""

    text: str = ""
    name: str = ""
    description: str = ""
    aliases: tuple[str, ...] = ()
    """More words that people ask with: they change how it is found, not what it says."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Amended:
    """What became of it."""

    outcome: str
    """`changed` (in place), `proposed` (another memory waits, which replaces it when the person agrees) or `unchanged`."""
    id: str
    notes: tuple[str, ...] = ()
    undo: str = ""


def own_note(stored: Stored) -> bool:
    """An agent wrote it and no person has said yes to it or touched it since."""
    memory = stored.memory
    return memory.by == "agent" and memory.trust == "agent" and not memory.pinned and not stored.hand_made


def amend(library: Library, stored: Stored, asked: Amendment, *, cwd: str) -> Amended:
    """Carry it out. `Refused` by the rules that every wish passes, and for a team's memory; `BadInput` without a change."""
    if not any((asked.text.strip(), asked.name.strip(), asked.description.strip(), asked.aliases)):
        raise BadInput("nothing to change", hint="give text, name, description or aliases")
    if stored.store.scope == "team":
        raise Refused(REFUSALS["shared"], at=stored.memory.id, rule="shared", hint="change its file and commit it")
    old = stored.memory
    wish = Wish(
        text=asked.text.strip() or old.body,
        cwd=cwd,
        scope=stored.store.scope,
        name=asked.name,
        description=asked.description,
        aliases=asked.aliases,
        by="agent",
    )
    clean, notes = vetted(wish, library)
    words = (*old.aliases, *(one for one in clean.aliases if one.strip() and one not in old.aliases))
    new = replace(
        old,
        body=clean.text if asked.text.strip() else old.body,
        name=short(clean.name, MAX_NAME_CHARS) if clean.name else old.name,
        description=short(clean.description, MAX_DESCRIPTION_CHARS) if clean.description else old.description,
        aliases=words,
    )
    if new == old:
        return Amended(outcome="unchanged", id=old.id)
    says_other = (new.body, new.name, new.description) != (old.body, old.name, old.description)
    change, outcome = _change(stored, new, proposed=says_other and not own_note(stored))
    done = commit(library.home, [change], subject=f"an agent: {outcome} 1 memory")
    refresh(library.home, library.again())
    return Amended(outcome=outcome, id=done.ids[0], notes=(*notes, *done.notes), undo=done.undo)


def _change(stored: Stored, new: Memory, *, proposed: bool) -> tuple[Change, str]:
    now = clock.text(clock.now())
    if not proposed:
        return rewrite(stored, replace(new, updated=now)), "changed"
    waiting = Memory(
        id="",
        name=new.name,
        description=new.description,
        type=new.type,
        body=new.body,
        status="pending",
        created=now,
        updated=now,
        observed=now[:10],
        paths=new.paths,
        agents=new.agents,
        aliases=new.aliases,
        by="agent",
        trust="agent",
        supersedes=(stored.memory.id,),
        reason=reason("agent", f"an agent would change {stored.memory.name!r}"),
    )
    return create(waiting, stored.store), "proposed"
