"""A person reads their own words, never the stems and pairs that the index is asked for."""

from __future__ import annotations

import pytest

from scrubjay.search.spoken import spoken
from scrubjay.search.tokens import query_words


def _all(text: str) -> list[str]:
    return [word.term for word in query_words(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Why do the Deployments fail at the bastion?", ["Deployments", "fail", "bastion"]),
        ("calc_proration() breaks GraphQL", ["calc_proration", "breaks", "GraphQL"]),
        ("see src/billing/invoices.py:12", ["see", "src", "billing", "invoices.py", "12"]),
        ("the customer's café, version 2.7.4.", ["customer's", "café", "version", "2.7.4"]),
        ("deploy DEPLOY deploying", ["deploy", "deploying"]),
        ("请把部署脚本改成Python", ["部署脚本改成", "Python"]),
    ],
)
def test_every_term_of_a_prompt_comes_back_as_it_was_typed(text: str, words: list[str]) -> None:
    """Identifiers whole, endings and case kept, neighbouring pairs of characters joined."""
    assert spoken(text, _all(text)) == words


def test_only_what_was_matched_is_told() -> None:
    """A part of an identifier alone is told as that part."""
    assert spoken("rename calc_proration and its tests", ["prorat", "test"]) == ["proration", "tests"]
    assert spoken("部署脚本", ["脚本"]) == ["脚本"]


def test_a_term_of_elsewhere_is_not_lost() -> None:
    """What the text does not give is told as the index holds it."""
    assert spoken("deploy", ["deploi", "bastion"]) == ["deploy", "bastion"]


@pytest.mark.parametrize("text", ["", "''", "...", "\ud800 x", "ﬁle ﾃﾞﾌﾟﾛｲ Straße", "a" * 5000, "--__..//::@@"])
def test_any_text_is_fine(text: str) -> None:
    """No term is told twice or as something that is nowhere in the text."""
    told = spoken(text, _all(text))
    assert len(told) == len(set(told))
