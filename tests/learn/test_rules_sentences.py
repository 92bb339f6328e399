"""The rules on sentences from many trades: what share is kept, what share is not.

A sentence alone is harder to judge than one among others, and the weights are found on many voices: each table has floors a
little below what is measured. What must hold for every sentence has tests of its own (`test_rules_exact.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from scrubjay.learn.rules import Found, PlaceHint, propose
from scrubjay.learn.turns import Turn
from scrubjay.session import Message
from tests.learn import rule_messages as messages
from tests.learn import rule_sentences as table
from tests.learn import rule_sentences_chinese as chinese
from tests.learn import rule_sentences_plain as plain
from tests.learn import rule_sentences_trades as trades
from tests.learn import rule_sentences_traps as traps

Words = tuple[str, ...]
Facts = tuple[tuple[str, Words], ...]


def said(*texts: str, before: str = "") -> Found:
    """What a session of these messages, one after the other, gives."""
    turns: list[Turn] = []
    for number, text in enumerate(texts):
        message = Message(
            key=f"u{number}", parent=None, role="user", origin="user", at="2026-03-04T09:00:00Z", text=text
        )
        turns.append(
            Turn(
                user=message, live=True, previous=f"u{number - 1}" if number else "",
                assistant_before=before if number == len(texts) - 1 else "", assistant_before_key="a0",
            )
        )  # fmt: skip
    return propose(turns, place=PlaceHint())


@cache
def _notes(text: str) -> tuple[tuple[str, bool], ...]:
    """What a person would read of each note, and whether it is active."""
    found = said(text).proposals
    return tuple((f"{note.name} {note.description} {note.body}".lower(), not note.pending) for note in found)


def _active(text: str) -> list[str]:
    return [note for note, active in _notes(text) if active]


def _without(rows: Sequence[tuple[str, Words]], *, active: bool) -> list[str]:
    """The rows of which no (active) note holds all words."""
    wrong = []
    for text, words in rows:
        notes = _active(text) if active else [note for note, _ in _notes(text)]
        if not any(all(word.lower() in note for word in words) for note in notes):
            wrong.append(f"{text} -> {', '.join(words)}")
    return wrong


def _no_more_than(wrong: Sequence[str], share: float, rows: Sequence[object]) -> None:
    """`share` of the rows may be among `wrong`, which a failure lists."""
    listed = "\n  ".join(wrong)
    assert len(wrong) <= share * len(rows), f"{len(wrong)} of {len(rows)}, at most {share:.0%} may be:\n  {listed}"


@pytest.mark.parametrize(
    ("rows", "kept", "active"),
    [
        pytest.param(table.ENGLISH_ACTIVE, 0.95, 0.45, id="English"),
        pytest.param(trades.ACTIVE, 0.95, 0.40, id="English, many trades"),
        pytest.param(table.CHINESE_ACTIVE, 0.96, 0.78, id="Chinese"),
        pytest.param(chinese.ACTIVE, 0.96, 0.70, id="Chinese, many trades"),
    ],
)
def test_what_was_plainly_said_to_last_becomes_one_note(rows: Facts, kept: float, active: float) -> None:
    """All the words of a fact are in one note; that so many need no review is the share of the surest ones."""
    _no_more_than(_without(rows, active=False), 1 - kept, rows)
    _no_more_than(_without(rows, active=True), 1 - active, rows)


@pytest.mark.parametrize(
    ("rows", "kept", "active"),
    [
        pytest.param(table.ENGLISH_KEPT, 0.5, 0.15, id="English"),
        pytest.param(trades.KEPT, 0.8, 0.45, id="English, many trades"),
    ],
)
def test_what_is_only_inferred_waits_for_review(rows: Facts, kept: float, active: float) -> None:
    """It is in a note, and few of these notes are active."""
    _no_more_than(_without(rows, active=False), 1 - kept, rows)
    _no_more_than([text for text, _ in rows if _active(text)], active, rows)


def test_a_fact_said_alone_is_kept_and_talk_makes_no_note() -> None:
    """How people put it when they say nothing else: no signal word, no reason. More than half need no review."""
    _no_more_than([text for text in plain.FACTS if not _active(text)], 0.45, plain.FACTS)
    _no_more_than([text for text in plain.FACTS if not _notes(text)], 0.05, plain.FACTS)
    _no_more_than([text for text in plain.TALK if _notes(text)], 0.0, plain.TALK)


def test_what_looks_like_talk_and_lasts_is_not_passed_over() -> None:
    """A note is made; whether it needs a review is for other tests."""
    _no_more_than([text for text in traps.KEPT if not _notes(text)], 0.1, traps.KEPT)


@pytest.mark.parametrize(
    ("rows", "waiting"),
    [
        pytest.param(table.ENGLISH_NOTHING, 0.12, id="English"),
        pytest.param(trades.NOTHING, 0.26, id="English, many trades"),
        pytest.param(table.CHINESE_NOTHING, 0.15, id="Chinese"),
        pytest.param(chinese.NOTHING, 0.16, id="Chinese, many trades"),
        pytest.param(traps.NOTHING, 0.05, id="traps"),
        pytest.param(traps.NOT_ACTIVE, 0.16, id="traps that may wait"),
    ],
)
def test_what_was_asked_meant_for_now_or_said_by_others_makes_no_active_note(rows: Words, waiting: float) -> None:
    """Hypotheticals, passing states, orders, reports, common knowledge: hardly ever active, and few wait for a review."""
    _no_more_than([text for text in rows if _active(text)], 0.02, rows)
    _no_more_than([text for text in rows if _notes(text)], waiting, rows)


@pytest.mark.parametrize(
    ("rows", "kept", "active"),
    [
        pytest.param(messages.ENGLISH, 0.9, 0.52, id="English"),
        pytest.param(messages.CHINESE, 0.93, 0.83, id="Chinese"),
    ],
)
def test_the_lasting_part_of_a_message_is_kept(rows: tuple[messages.Row, ...], kept: float, active: float) -> None:
    """Each fact is in one note with all its words, whatever stands beside it."""
    facts = [(text, words) for text, notes, _ in rows for words in notes]
    _no_more_than(_without(facts, active=False), 1 - kept, facts)
    _no_more_than(_without(facts, active=True), 1 - active, facts)


@pytest.mark.parametrize("rows", [messages.ENGLISH, messages.CHINESE], ids=["English", "Chinese"])
def test_orders_questions_and_talk_beside_a_fact_are_in_no_active_note(rows: tuple[messages.Row, ...]) -> None:
    """Nor is a fact torn into more active notes than it has parts."""
    wrong = []
    for text, notes, foul in rows:
        kept = _active(text)
        if len(kept) > len(notes) or any(word.lower() in note for word in foul for note in kept):
            wrong.append(text)
    _no_more_than(wrong, 0.03, rows)


@pytest.mark.parametrize(("text", "before", "words"), traps.CONFIRMED)
def test_a_yes_in_other_words_quotes_what_the_assistant_said(text: str, before: str, words: Words) -> None:
    """One note, with the assistant's clause, trusted as confirmed."""
    (note,) = said(text, before=before).proposals
    assert note.trust == "confirmed"
    assert all(word in note.body for word in words)


def test_a_list_of_areas_and_one_more_area_are_two_notes() -> None:
    """Two areas in one list are two notes: when one changes hands, the other does not."""
    found = said(
        "who's who so u stop asking: pumps = ilka, valves = me. sensors + wiring = joon, ping him before u touch a cable"
    )
    assert [("ilka" in p.body, "joon" in p.body) for p in found.proposals] == [(True, False), (False, True)]
