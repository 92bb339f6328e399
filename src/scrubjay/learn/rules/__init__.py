"""The rules: what a deterministic reader of a person's own words would remember. English and Chinese.

`propose` is pure: no clock, no file, no model. It only proposes; `learn/gate.py` decides. One table file per language
(`english.py`, `chinese.py`): another language is one more file, found by `language.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from scrubjay.learn.rules.compose import Context, compose
from scrubjay.learn.rules.confirm import confirmation
from scrubjay.learn.rules.group import Grouping, group, take_back
from scrubjay.learn.rules.text import Reading, read
from scrubjay.learn.turns import Turn
from scrubjay.operations import Proposal, Rejection

__all__ = ["VERSION", "Found", "PlaceHint", "propose"]

VERSION = 2
"""Raised when the rules would find more: messages marked by an older version may be read again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceHint:
    """Where the session was: only for telling paths of the project from other words."""

    cwd: str = ""
    rel: str = ""
    """The session's directory below the project's root, "" for the root."""
    project: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """In the order of the turns and of the clauses in them."""

    proposals: tuple[Proposal, ...] = ()
    rejections: tuple[Rejection, ...] = ()


@dataclass(kw_only=True, slots=True)
class _Read:
    turn: Turn
    reading: Reading
    grouping: Grouping
    confirmed: Proposal | None
    earlier: str


def propose(turns: Sequence[Turn], *, place: PlaceHint) -> Found:
    """What the prompts among `turns` would have remembered, and what a gate turned down with its reason.

    All turns of the session should be given, in order: a later "forget that" takes back an earlier clause, and "yes,
    always like that" quotes the assistant's words before it. `Proposal.body` is the whole body of the file, with its
    `**Why:**` paragraph where a reason was given (`Proposal.why` repeats it for callers).
    """
    done: dict[str, _Read] = {}
    for turn in turns:
        one = _read(turn, done)
        _reach_back(one, done)
        done[turn.user.key] = one
    proposals: list[Proposal] = []
    rejections: list[Rejection] = []
    for one in done.values():
        if one.turn.fresh:
            proposals += _proposals(one, place)
            rejections += _rejections(one)
    return Found(proposals=tuple(proposals), rejections=tuple(rejections))


def _read(turn: Turn, done: dict[str, _Read]) -> _Read:
    reading = read(turn.user.text)
    confirmed, spoken_for = confirmation(turn, reading.clauses)
    before = done.get(turn.previous)
    earlier = (before.earlier + "\n" + before.turn.user.text)[-_EARLIER_CHARS:] if before else ""
    return _Read(
        turn=turn, reading=reading, grouping=group(reading, skip=spoken_for), confirmed=confirmed, earlier=earlier
    )  # fmt: skip


_EARLIER_CHARS = 1_500
"""As far back as "they" is looked for."""


def _reach_back(one: _Read, done: dict[str, _Read]) -> None:
    """Carry out what a message takes back of earlier ones on its branch: "" reaches one message back, a name all."""
    for what, verdict in zip(one.grouping.reaches_back, one.grouping.revoking, strict=True):
        key = one.turn.previous
        while key in done:
            earlier = done[key]
            if not what and earlier.confirmed is not None and not earlier.grouping.groups:
                earlier.confirmed = None
                break
            if take_back(earlier.grouping, what, verdict) or not what:
                break
            key = earlier.turn.previous


def _proposals(one: _Read, place: PlaceHint) -> list[Proposal]:
    gates = {verdict.clause.start: verdict.gate for verdict in one.grouping.rejected}
    order = {clause.start: number for number, clause in enumerate(one.reading.clauses)}
    context = Context(
        turn=one.turn, clauses=one.reading.clauses, order=order, gates=gates, earlier=one.earlier, rel=place.rel
    )
    found = [one.confirmed] if one.confirmed else []
    return [*found, *(note for made in one.grouping.groups if made.strength and (note := compose(made, context)))]


def _rejections(one: _Read) -> list[Rejection]:
    raw, key = one.turn.user.text, one.turn.user.key
    found = [(aside.start, aside.end, aside.gate) for aside in one.reading.asides]
    found += [(verdict.clause.start, verdict.clause.end, verdict.gate) for verdict in one.grouping.rejected]
    return [
        Rejection(gate=gate, message=key, start=start, text=raw[start:end][:_SHOWN_CHARS] if gate != "secret" else "")
        for start, end, gate in ((start, end, _named(gate, raw[start:end])) for start, end, gate in sorted(found))
    ]


_PLANTED = re.compile(
    r"\b(?:remember|memori[sz]e|assistants?|agents?|ai)\b.{0,80}\b(?:must|always|never|from now on)\b"
    r"|(?:记住|助手).{0,40}(?:必须|总是|永远|务必)",
    re.IGNORECASE | re.DOTALL,
)


def _named(gate: str, text: str) -> str:
    """What somebody else wrote is passed over anyway; an order to an agent in it is called what it is."""
    return "injection" if gate in ("quoted", "pasted") and _PLANTED.search(text[:4000]) else gate


_SHOWN_CHARS = 300
