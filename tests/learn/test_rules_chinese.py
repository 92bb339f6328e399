"""The Chinese rules on sentences from many trades."""

from __future__ import annotations

import pytest

from tests.learn import rule_sentences_chinese as table
from tests.learn.test_rules_sentences import said


@pytest.mark.parametrize(("text", "words"), table.ACTIVE)
def test_what_was_plainly_said_to_last_becomes_an_active_note(text: str, words: tuple[str, ...]) -> None:
    """All the words of the fact are in one note that needs no review."""
    notes = [note for note in said(text).proposals if not note.pending]
    texts = [f"{note.name} {note.description} {note.body}".lower() for note in notes]
    assert any(all(word.lower() in one for word in words) for one in texts), said(text)


@pytest.mark.parametrize("text", table.NOTHING)
def test_what_was_asked_meant_for_now_or_said_by_others_makes_no_active_note(text: str) -> None:
    """Questions, passing states, single orders, third parties, hypotheticals, what was taken back, reports."""
    assert [note.body for note in said(text).proposals if not note.pending] == []


@pytest.mark.parametrize("text", [text for text, _ in table.ACTIVE])
def test_a_name_is_a_short_phrase_of_the_persons_own_words(text: str) -> None:
    """At most 20 characters of subject, cut from the message in one piece: no list of words."""
    for note in said(text).proposals:
        name = note.name.split("：")[0]
        assert len(name) <= 20, note.name
        assert "".join(name.lower().split()) in "".join(text.lower().replace("`", "").split()), note.name
