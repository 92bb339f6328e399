"""Near-duplicates of what was forgotten: figures on written-down pairs, and that no hash can be tried without the key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.store import near

CASES: dict[str, list[list[str]]] = json.loads((Path(__file__).parent / "near_cases.json").read_text(encoding="utf-8"))
KEY = b"k" * 32


def blocked(kind: str) -> int:
    return sum(near.same(near.print_of(a, KEY), near.print_of(b, KEY)) for a, b in CASES[kind])


@pytest.mark.parametrize("prefix", ["", "unseen_"])
def test_paraphrases_are_blocked_and_look_alikes_are_not(prefix: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the pairs that the limits were chosen on, and of the pairs that they were not: nine of ten paraphrases are
    blocked, at most one look-alike (another fact in the same wording) of twenty."""
    same, other = blocked(f"{prefix}paraphrases"), blocked(f"{prefix}lookalikes")
    pairs, others = len(CASES[f"{prefix}paraphrases"]), len(CASES[f"{prefix}lookalikes"])
    with capsys.disabled():
        print(f"\n{prefix}near-duplicates blocked: {same}/{pairs} paraphrases, {other}/{others} look-alikes")
    assert prefix or (pairs >= 30 and others >= 30)
    assert same >= 0.9 * pairs
    assert other <= 0.05 * others


def test_prints_hold_no_text_and_need_the_key() -> None:
    """The same text under another key shares no hash; a print is hex and comes back equal from its text."""
    text = "Deploys of the billing service always need the vpn job first"
    mine, other = near.print_of(text, KEY), near.print_of(text, b"x" * 32)
    assert not mine.words & other.words
    assert set(mine.text()) <= set("0123456789abcdef|n")
    assert near.Print.parse(mine.text()) == mine
    assert near.Print.parse("broken") is None


def test_short_texts_must_be_equal() -> None:
    """Two content words are too little to call another text nearly the same."""
    a = near.print_of("use tabs", KEY)
    assert near.same(a, near.print_of("tabs", KEY))
    assert not near.same(a, near.print_of("use tabs in every makefile of the repository", KEY))
    assert not near.same(near.print_of("", KEY), near.print_of("", KEY))
