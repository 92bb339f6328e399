"""The rules on sentences from many trades: what is kept, what is not."""

from __future__ import annotations

import pytest

from scrubjay.learn.rules import Found, PlaceHint, propose
from scrubjay.learn.turns import Turn
from scrubjay.session import Message
from tests.learn import rule_sentences as table
from tests.learn import rule_sentences_trades as trades
from tests.learn import rule_sentences_traps as traps


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


def _holds(found: Found, words: tuple[str, ...], *, pending: bool) -> bool:
    notes = [p for p in found.proposals if pending or not p.pending]
    return any(all(word.lower() in f"{p.name} {p.description} {p.body}".lower() for word in words) for p in notes)


@pytest.mark.parametrize(("text", "words"), [*table.ENGLISH_ACTIVE, *trades.ACTIVE, *table.CHINESE_ACTIVE])
def test_what_was_plainly_said_to_last_becomes_one_active_note(text: str, words: tuple[str, ...]) -> None:
    """All the words of the fact are in one note that needs no review."""
    found = said(text)
    assert _holds(found, words, pending=False), found


@pytest.mark.parametrize(("text", "words"), [*table.ENGLISH_KEPT, *trades.KEPT])
def test_what_is_only_inferred_waits_for_review(text: str, words: tuple[str, ...]) -> None:
    """The note is there, and it is pending with a reason."""
    found = said(text)
    assert _holds(found, words, pending=True), found
    assert all(p.pending for p in found.proposals)


@pytest.mark.parametrize("text", [*table.ENGLISH_NOTHING, *trades.NOTHING, *table.CHINESE_NOTHING])
def test_what_was_asked_meant_for_now_or_said_by_others_makes_no_active_note(text: str) -> None:
    """Questions, hypotheticals, passing states, single orders, quotations, reports, what was taken back, other languages."""
    assert [p.body for p in said(text).proposals if not p.pending] == []


@pytest.mark.parametrize("text", traps.KEPT)
def test_what_looks_lasting_is_not_passed_over(text: str) -> None:
    """A note is made; whether it needs a review is for other tests."""
    assert said(text).proposals


@pytest.mark.parametrize("text", traps.NOTHING)
def test_what_is_only_for_the_moment_makes_no_note_at_all(text: str) -> None:
    """Not even one that waits: a queue full of requests would never be read."""
    assert said(text).proposals == ()


@pytest.mark.parametrize("text", traps.NOT_ACTIVE)
def test_what_a_person_did_not_lay_down_is_not_active(text: str) -> None:
    """It may wait for review."""
    assert [p.body for p in said(text).proposals if not p.pending] == []


@pytest.mark.parametrize(("text", "before", "words"), traps.CONFIRMED)
def test_a_yes_in_other_words_quotes_what_the_assistant_said(text: str, before: str, words: tuple[str, ...]) -> None:
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
