"""For clients that take nothing at a session's start, or lose it: the session's block comes with its first prompt, before what
that prompt recalls. Both stand in the session's history then, and a resume replays them. Hot: standard library only.
"""

from __future__ import annotations

from scrubjay.hooks import flow

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ROOM_BYTES = 7_500
"""A longer block leaves no room for recall below the 9,500 bytes of one injected string: that waits for the next prompt."""


def prompt(call: flow.Call, text: str, own_index: flow.OwnIndex, parent: Callable[[], str] = str) -> list[str]:
    """The blocks that one prompt brings: none, one or both. `parent`: the session that this one was forked from, asked only
    for its first prompt."""
    block = _block(call, text, own_index, parent)
    if len(block.encode()) > ROOM_BYTES:
        return [block]
    noted = call.outcome, call.detail
    found = flow.prompt(call, text, "", own_index)
    if block and not found:
        call.outcome, call.detail = noted
    return [part for part in (block, found) if part]


def compacted(call: flow.Call) -> None:
    """The context was summarised away: the next prompt brings the block anew, and what was recalled may come again."""
    call.write(lambda ledger: ledger.note_compaction(call.agent, call.session, at=call.at))
    call.write(lambda ledger: ledger.clear_injected(call.agent, call.session))
    call.write(lambda ledger: ledger.put(_due(call), "1"))


def _block(call: flow.Call, text: str, own_index: flow.OwnIndex, parent: Callable[[], str]) -> str:
    from scrubjay.inject.prompts import machine_made

    ledger = call.ledger
    if ledger is None or machine_made(text):
        return ""
    due = ledger.get(_due(call)) != ""
    if not due and (
        ledger.resident(call.agent, call.session) is not None or ((of := parent()) and flow.inherit(call, of))
    ):
        return ""
    block, stored = flow.resident_block(call, own_index(call), late=not due)
    if due and stored:
        was_due: list[int] = []
        sql = "UPDATE facts SET value = '' WHERE name = ? AND value != ''"
        call.write(lambda ledger: was_due.append(ledger.write_all([(sql, [(_due(call),)])])))
        if was_due == [0]:  # of two hooks for this prompt the other was faster
            return ""
    if block and stored:
        call.write(lambda _: ledger.put(flow.late_fact(call), "1"))
    return block if stored else ""


def _due(call: flow.Call) -> str:
    """Name of the fact that says that a session's block is to come again."""
    return f"due:{call.agent}:{call.session}"
