"""What a session of a built agent was given: the same rows of the ledger that the hooks keep for the known agents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scrubjay import clock
from scrubjay.home import Home
from scrubjay.inject.recall import Recall, Seen
from scrubjay.inject.resident import Resident
from scrubjay.ledger import Ledger
from scrubjay.ledger import Resident as Given


@contextmanager
def ledger(home: Home, session: str) -> Iterator[Ledger | None]:
    """The ledger; None where no session is named: then nothing is kept."""
    if not session:
        yield None
        return
    with Ledger.open(home.ledger) as found:
        yield found


def seen(found: Ledger, agent: str, session: str) -> Seen:
    """What the session holds already."""
    injected = {key: channel for key, (channel, _at) in found.injected(agent, session).items()}
    block = found.resident(agent, session)
    if block is not None:
        injected.update((key, "resident") for key in block.told_ids)
    return Seen(
        injected=injected,
        known_rules=None if block is None else block.rule_ids,
        last_compaction=found.last_compaction(agent, session),
        chars=found.injected_chars(agent, session, "recall"),
        usage={memory: times for memory, (times, _at) in found.usage().items()},
    )


def note_context(found: Ledger, agent: str, session: str, block: Resident) -> None:
    """The block is the session's from now on."""
    told = [one for one in block.told_ids if block.text or one not in block.ids]
    found.set_resident(agent, session, Given(block.text, block.ids, block.rule_ids, _now(), told))


def drop_context(found: Ledger, agent: str, session: str) -> None:
    """The session has no block any more."""
    found.write_all([("DELETE FROM residents WHERE agent = ? AND session = ?", [(agent, session)])])


def note_recall(found: Ledger, agent: str, session: str, answer: Recall) -> None:
    """These memories came with this prompt."""
    rows = [*answer.rules, *answer.memories]
    share, rest = divmod(len(answer.block), max(1, len(rows)))
    noted = [(row.id, "recall", share + (rest if at == 0 else 0), "") for at, row in enumerate(rows)]
    if noted:
        found.add_injected(agent, session, noted, at=_now())


def _now() -> str:
    return clock.text(clock.now())
