"""Text into terms: the same cutting for memories and prompts."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.query import SCHEMA
from scrubjay.search.stem import stem
from scrubjay.search.tokens import DIGIT_JOIN, index_terms, query_words
from tests.search.world import GOLD


def asked(text: str) -> list[tuple[str, str]]:
    return [(word.term, word.kind) for word in query_words(text)]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("cats", "cat"), ("agreed", "agre"), ("plastered", "plaster"),
        ("sing", "sing"), ("conflated", "conflat"), ("hopping", "hop"), ("falling", "fall"), ("failing", "fail"),
        ("happy", "happi"), ("sky", "sky"), ("relational", "relat"), ("rational", "ration"), ("digitizer", "digit"),
        ("operator", "oper"), ("feudalism", "feudal"), ("hopefulness", "hope"), ("triplicate", "triplic"),
        ("electrical", "electr"), ("revival", "reviv"), ("replacement", "replac"), ("adoption", "adopt"),
        ("probate", "probat"), ("rate", "rate"), ("cease", "ceas"), ("controlling", "control"), ("roll", "roll"),
    ],
)  # fmt: skip
def test_words_are_stemmed_as_porter_published_it(word: str, expected: str) -> None:
    """The examples of Porter's paper."""
    assert stem(word) == expected


def test_an_identifier_gives_its_parts_and_the_joined_whole() -> None:
    """What somebody types as `calc_proration`, `calcProration` or "calc proration" meets in the same terms."""
    assert index_terms("calc_proration") == ["calc", "prorat", "calcproration"]
    assert index_terms("calcProration") == ["calc", "prorat", "calcproration"]
    assert index_terms("services/billing/dunning.py") == ["servic", "bill", "dun", "py", "dunningpy"]
    assert index_terms("HTTPServer userIDs") == ["http", "server", "httpserver", "user", "id", "userids"]


def test_numbers_of_a_version_or_date_stay_one_term() -> None:
    """2.7.4 is not found by 274 nor by a lone 7."""
    assert index_terms("pydantic 2.7.4, 2026-10-15, 5533") == ["pydant", "2·7·4", "2026·10·15", "5533"]


def test_case_accents_width_and_apostrophes_are_folded() -> None:
    """A prompt need not spell as the memory does."""
    assert index_terms("Café NAÏVE Ｆｕｌｌ customer's don’t Straße") == [
        "cafe",
        "naiv",
        "full",
        "custom",
        "dont",
        "strass",
    ]


def test_cjk_runs_give_characters_and_pairs_and_are_cut_at_question_words() -> None:
    """Chinese, Japanese and Korean put no spaces between words; a pair never spans a question word of the prompt."""
    assert index_terms("二叉树") == ["二", "叉", "树", "二叉", "叉树"]
    assert asked("本地怎么跑测试") == [("本地", "gram"), ("跑测", "gram"), ("测试", "gram")]
    assert asked("끝말잇기") == [("끝말", "gram"), ("말잇", "gram"), ("잇기", "gram")]
    assert asked("が") == [("が", "kana")]
    assert index_terms("用pytest测试") == ["用", "pytest", "测", "试", "测试"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "what is it?",
        "你好",
        "您好,请问",
        "什么",
        "ありがとうございます",
        "안녕하세요",
        "wie ist das?",
        "¿¡…—",
        "\x00\ud800 ",
    ],
)
def test_a_prompt_of_question_and_function_words_asks_nothing(text: str) -> None:
    """Nothing is looked up for it."""
    assert asked(text) == []


@pytest.mark.parametrize(
    "text", ["hi", "thanks, that's all", "continue", "yes", "ok go on", "Danke, bis morgen!", "merci", "继续"]
)
def test_courtesy_finds_nothing_by_itself(text: str) -> None:
    """Such words may order what others found, no more."""
    assert {kind for _, kind in asked(text)} <= {"light"}


def test_everyday_words_and_file_endings_are_weak() -> None:
    """They are how developers talk about everything."""
    assert asked("test the config.js of pgbouncer") == [
        ("test", "weak"), ("config", "weak"), ("js", "weak"), ("configjs", "whole"), ("pgbouncer", "strong"),
    ]  # fmt: skip


CUTTING = {1: "18f27d330150237d"}
"""Schema version → hash of the terms of the story's facts."""


def test_another_cutting_needs_another_schema_version() -> None:
    """An index whose terms were cut differently finds nothing, and only its version tells: raise `query.SCHEMA`, add a hash."""
    terms = [index_terms(fact["statement"]) for fact in GOLD["gold"]]
    terms += [index_terms(prompt["text"]) for fact in GOLD["gold"] for prompt in fact["queries"]]
    assert CUTTING[SCHEMA] == hashlib.sha256(repr(terms).encode()).hexdigest()[:16]


@given(st.text(max_size=300))
def test_no_text_breaks_the_cutting_and_terms_need_no_quoting(text: str) -> None:
    """Terms are letters, digits and the joiner of numbers: nothing that FTS5 reads as syntax."""
    for term in [*index_terms(text), *(word.term for word in query_words(text))]:
        assert term
        assert all(char.isalnum() or char == DIGIT_JOIN or ord(char) > 127 for char in term)
        term.encode()


@given(st.text(max_size=200))
def test_a_memory_holds_every_term_of_a_prompt_with_the_same_words(text: str) -> None:
    """Both sides are cut alike."""
    assert {word.term for word in query_words(text)} <= set(index_terms(text))
