"""Which statement replaces which, over pairs from many domains, and what it must leave alone."""

from __future__ import annotations

import pytest

from scrubjay.learn.rules.topic import contradicts
from scrubjay.operations import Proposal, Quote
from tests.learn.topic_pairs import REPLACES, STAYS


def note(body: str, *, cue: str = "gotcha/place", change_cue: bool = False, replaces: str = "") -> Proposal:
    """A proposal of these words; the cue of change is left to be found in them."""
    quote = Quote(message="u1", start=0, text=body)
    return Proposal(
        name="n", description="d", type="project", body=body, scope="project", quotes=(quote,), trust="user",
        cue=cue, change_cue=change_cue, replaces=replaces,
    )  # fmt: skip


@pytest.mark.parametrize(("old", "new"), REPLACES)
def test_another_value_of_the_same_subject_replaces(old: str, new: str) -> None:
    """Ports, hosts, dates, owners, prefixes, versions, tools, paths, commands, numbers; within and across languages."""
    assert contradicts(old, note(new))


@pytest.mark.parametrize(("old", "new"), STAYS)
def test_another_subject_stays(old: str, new: str) -> None:
    """Two services' ports, two people's areas, two deadlines; or nothing changed."""
    assert not contradicts(old, note(new))
