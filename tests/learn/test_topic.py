"""Which statement makes which untrue, over pairs from many domains, and what it must leave alone."""

from __future__ import annotations

import math
import time

import pytest

from scrubjay.learn.alike import covers, same, statement
from scrubjay.learn.rules.change import Older, Rarity, said, scores, table
from tests.learn.topic_pairs import REPLACES, STAYS


def against(new: str, *olds: str) -> list[str]:
    """Of each of `olds`, alone in one store: `explicit`, `doubtful` or ""."""
    held = [said(old).words | said(old).common for old in olds]
    rarity = Rarity(len(olds), lambda word: sum(word in words for words in held))
    found = scores(said(new), [Older(body=old) for old in olds], rarity)
    return ["explicit" if one >= table().explicit else "doubtful" if one >= table().doubtful else "" for one in found]


def test_another_value_of_the_same_subject_puts_the_old_one_away() -> None:
    """Ports, hosts, dates, owners, prefixes, versions, tools, paths, commands, numbers; within and across languages."""
    missed = [(old, new) for old, new in REPLACES if against(new, old) == [""]]
    assert len(missed) <= 0.05 * len(REPLACES), missed


def test_another_subject_is_mostly_left_alone() -> None:
    """Two services' ports, two people's areas, two deadlines: the hardest there are, in a store that holds nothing else."""
    wrong = [(old, new) for old, new in STAYS if against(new, old) != [""]]
    assert len(wrong) <= 0.33 * len(STAYS), wrong


@pytest.mark.parametrize(
    ("new", "index"),
    [
        ("the dev postgres listens on port 5533 now", 0),
        ("Tomas owns the invoice templates now, Lena left", 1),
        ("the code freeze was pushed to 2026-11-13", 2),
        ("提交信息以后用英文写", 3),
    ],
)
def test_among_several_the_right_one_goes(new: str, index: int) -> None:
    """And no other."""
    olds = [
        "the dev postgres listens on port 5544", "Lena owns the invoice templates", "code freeze is on 2026-11-06",
        "commit messages are in German", "the upload limit is 20 MB", "前端用 pnpm 装依赖",
    ]  # fmt: skip
    assert [at for at, found in enumerate(against(new, *olds)) if found] == [index]


def test_without_a_word_of_change_nothing_is_replaced_outright() -> None:
    """A person is asked."""
    assert against("the dev postgres listens on port 5533", "the dev postgres listens on port 5544") == ["doubtful"]


def test_nothing_in_common_is_no_pair() -> None:
    """Not even asked for."""
    (score,) = scores(said("we moved to pnpm"), [Older(body="发票归小林")], Rarity(1, lambda _word: 0))
    assert score == -math.inf


def test_a_statement_is_held_against_few_in_little_time() -> None:
    """Forty candidates, taken apart for the first time."""
    olds = [f"service {name} number {at} listens on port {5000 + at}" for at, name in enumerate(["ab", "cd"] * 20)]
    began = time.process_time()
    against("service ab listens on port 9000 now", *olds)
    assert time.process_time() - began < 1.0


def test_what_is_given_up_is_not_said() -> None:
    """ "pnpm instead of npm" is no second proof of "npm"."""
    old = statement("From now on always use npm for the console.")
    new = statement("From now on always use pnpm for the console instead of npm.")
    assert not same(old, new)
    assert not covers(new, old)
