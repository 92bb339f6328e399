# ruff: noqa: E501 - messages stand on one line
"""The rules: turns, revocations, confirmations, dates, topics, quotes, and what a hostile text may do to them."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.learn.rules import PlaceHint, propose
from scrubjay.learn.rules.dates import resolve
from scrubjay.learn.rules.language import languages
from scrubjay.learn.rules.repair_cues import repair_cue
from scrubjay.learn.rules.topic import same_topic
from scrubjay.learn.turns import Turn, turns
from scrubjay.operations import Proposal
from scrubjay.session import Message, Origin, Role, Session
from tests.learn import rule_messages
from tests.learn.test_rules_sentences import said

WEDNESDAY = date(2026, 3, 4)


def notes(*texts: str, before: str = "") -> list[Proposal]:
    """Active ones and those that wait."""
    return list(said(*texts, before=before).proposals)


# --- across turns ---------------------------------------------------------------------------------------------------------
def test_a_later_forget_that_takes_back_the_message_before() -> None:
    """ "No, forget that" at the head of the next message revokes what the last one said."""
    assert notes("from now on every module gets its own logger") != []
    assert notes("from now on every module gets its own logger", "no, forget that") == []
    assert notes("以后每个模块都要有自己的 logger", "算了，刚才说的不算") == []


def test_a_later_revocation_that_names_its_object_reaches_further_back() -> None:
    """Only the named rule goes; the others stay."""
    found = notes(
        "always tag releases with a signed tag. the nightly job must never run migrations",
        "how long does the build take?",
        "forget the nightly job",
    )
    assert [("signed" in note.body, "nightly" in note.body) for note in found] == [(True, False)]


def test_half_of_a_sentence_can_be_taken_back() -> None:
    """What was struck out is in no note, the rest of the sentence is."""
    (note,) = notes(
        "slow tests: file a ticket on https://issues.example.com/SLOW and add a @slow mark. hm no, scratch the mark, nobody reads them. ticket only"
    )
    assert "issues.example.com/SLOW" in note.body
    assert "@slow" not in note.body
    assert "ticket only" in note.body


def test_a_standing_yes_quotes_the_assistant_and_a_bare_yes_keeps_nothing() -> None:
    """Trust is `confirmed`, the body holds the assistant's way of working, both messages are quoted."""
    before = (
        "Done, 4 files.\nI moved the files in one commit and changed them in a second one, so the diff stays readable."
    )
    assert said("yes", before=before).proposals == ()
    assert said("perfect, thanks!", before=before).proposals == ()
    (note,) = notes("perfect, keep doing it like that", before=before)
    assert (note.trust, note.type, note.cue) == ("confirmed", "feedback", "confirmation/keep")
    assert "in one commit" in note.body
    assert "4 files" not in note.body
    assert [quote.message for quote in note.quotes] == ["u0", "a0"]
    (chinese,) = notes("很好，以后都这样", before="先写了失败的测试，确认它失败，然后才改代码。")
    assert "失败的测试" in chinese.body


def test_a_suggestion_that_was_not_taken_is_no_note() -> None:
    """What only the assistant said is never kept."""
    before = "I'd suggest to always run two workers per core."
    assert said("nah, leave it", before=before).proposals == ()
    assert said("hm, what does that cost?", before=before).proposals == ()


# --- what a note is made of -----------------------------------------------------------------------------------------------
def test_relative_dates_are_written_out_from_the_day_of_the_message() -> None:
    """The person's words stay, the absolute date is put behind them."""
    (note,) = notes("the feature freeze for 3.0 starts in two weeks")
    assert "in two weeks (2026-03-18)" in note.body


@pytest.mark.parametrize(
    ("language", "text", "days"),
    [
        ("en", "next friday", ["2026-03-13", "2026-03-06"]),
        ("en", "next tuesday", ["2026-03-10"]),
        ("en", "by friday", ["2026-03-06"]),
        ("en", "tomorrow", ["2026-03-05"]),
        ("en", "the day after tomorrow", ["2026-03-06"]),
        ("en", "two weeks from today", ["2026-03-18"]),
        ("en", "in a month", ["2026-04-04"]),
        ("en", "end of the month", ["2026-03-31"]),
        ("en", "by the 2nd", ["2026-04-02"]),
        ("en", "june 1st", ["2026-06-01"]),
        ("en", "3 january", ["2027-01-03"]),
        ("en", "2026-05-01", []),
        ("zh", "下周五", ["2026-03-13"]),
        ("zh", "下下周一", ["2026-03-16"]),
        ("zh", "本周五", ["2026-03-06"]),
        ("zh", "周五", ["2026-03-06"]),
        ("zh", "大后天", ["2026-03-07"]),
        ("zh", "两周后", ["2026-03-18"]),
        ("zh", "10天内", ["2026-03-14"]),
        ("zh", "月底", ["2026-03-31"]),
        ("zh", "下个月5号", ["2026-04-05"]),
        ("zh", "4月10号", ["2026-04-10"]),
        ("zh", "20号", ["2026-03-20"]),
    ],
)
def test_a_relative_date_means_one_day_or_says_that_it_may_mean_two(language: str, text: str, days: list[str]) -> None:
    """Said on Wednesday 2026-03-04."""
    found = resolve(text, said=WEDNESDAY, words=languages()[language].dates)
    assert [day.isoformat() for one in found for day in one.days] == days


def test_a_rule_about_the_person_in_every_project_has_user_scope_and_a_project_fact_never() -> None:
    """Unsure means project."""
    (person,) = notes("I'm left-handed and colour blind, so never rely on red and green when you draw for me")
    assert (person.type, person.scope) == ("user", "user")
    assert {note.scope for note in notes("the broker listens on port 1884 in the lab")} == {"project"}
    assert {note.scope for note in notes("nobody on the team merges without a green build, every PR needs it")} == {
        "team"
    }


def test_a_rule_for_one_folder_or_file_type_says_so() -> None:
    """The condition is data, not only prose."""
    assert notes("in firmware/ all durations are uint32 milliseconds, never floats")[0].paths == ("firmware/",)
    assert notes("all go files start with a licence header, always")[0].paths == ("*.go",)


def test_a_note_is_short_and_its_head_does_not_repeat_its_body() -> None:
    """Name and description keep to their limits; the body is the person's own words."""
    for text, _, _ in rule_messages.ENGLISH + rule_messages.CHINESE:
        for note in said(text).proposals:
            assert 0 < len(note.name) <= 60
            assert len(note.description) <= 150
            assert "\n" not in note.name + note.description
            assert note.body not in (note.name, note.description)


def test_a_secret_is_in_no_note_and_in_no_rejection() -> None:
    """The sentence that holds one is turned down without its text."""
    secret = "AKIA" + "Q3ZT7WMX2LKP" + "9VBN"
    found = said(f"always use the key {secret} for uploads. the bucket policy never allows public reads")
    assert secret not in repr(found)
    assert "secret" in {one.gate for one in found.rejections}


# --- topics ---------------------------------------------------------------------------------------------------------------
def test_same_topic_sees_through_other_words_and_values() -> None:
    """High for a restatement, low for another subject."""
    assert same_topic("amounts are integer cents, never floats", "store every amount as integer cents") >= 0.5
    assert same_topic("amounts are integer cents, never floats", "the broker listens on port 1884") == 0.0
    assert same_topic("金额统一用整数分", "金额在库里都存整数分") >= 0.4
    assert same_topic("", "x") == 0.0


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("that is wrong, we moved to pnpm", "wrong"),
        ("no, that's not true", "wrong"),
        ("forget that please", "forget"),
        ("you can forget about that", "forget"),
        ("that's no longer the case", "outdated"),
        ("this is out of date", "outdated"),
        ("不对，端口早换了", "wrong"),
        ("忘掉这条吧", "forget"),
        ("已经过时了", "outdated"),
        ("is that wrong?", None),
        ("why is this outdated?", None),
        ("这个不对吗？", None),
        ("add a button", None),
        ("the output is wrong", None),
    ],
)
def test_words_that_repair_a_shown_memory(text: str, kind: str | None) -> None:
    """Cues in both languages; a question repairs nothing."""
    assert repair_cue(text) == kind


# --- turns ----------------------------------------------------------------------------------------------------------------
def _message(key: str, parent: str | None, role: Role, text: str, origin: Origin | None = None) -> Message:
    spoken: Origin = "assistant" if role == "assistant" else "user"
    return Message(
        key=key, parent=parent, role=role, origin=origin or spoken, at="2026-03-04T09:00:00Z", text=text, files=(f"{key}.py",)
    )  # fmt: skip


def test_turns_are_the_prompts_of_every_branch_with_the_words_around_them() -> None:
    """A rewound branch keeps its own history; harness text is no prompt."""
    messages = (
        _message("h", None, "user", "<reminder>", origin="harness"),
        _message("u1", "h", "user", "hello"),
        _message("a1", "u1", "assistant", "hi"),
        _message("u2", "a1", "user", "left behind"),
        _message("a2", "u2", "assistant", "side"),
        _message("u3", "a1", "user", "kept"),
        _message("a3", "u3", "assistant", "main"),
        _message("u4", "a3", "user", "last"),
    )
    session = Session(
        agent="x", id="s", path="", cwd="", messages=messages,
        live=frozenset({"h", "u1", "a1", "u3", "a3", "u4"}), fresh=frozenset({"u4"}),
    )  # fmt: skip
    found = turns(session)
    assert [(t.user.key, t.live, t.previous, t.assistant_before, t.assistant_after, t.fresh) for t in found] == [
        ("u1", True, "", "", "hi", False),
        ("u2", False, "u1", "hi", "side", False),
        ("u3", True, "u1", "hi", "main", False),
        ("u4", True, "u3", "main", "", True),
    ]
    assert found[3].files == ("h.py", "u1.py", "a1.py", "u3.py", "a3.py", "u4.py")


# --- hostile input --------------------------------------------------------------------------------------------------------
_PIECES = st.sampled_from(
    [
        "always ", "never ", "we use ", "no, forget that", "`make x` ", "https://x.example.com/a ", "> ", "```", "\n", ". ", "? ", "; ",
        "以后", "一律", "不要", "，", "。", "下周五", "next friday ", "because ", "\u200b", "İ", "\ud800", "ß", "yes, keep doing that ",
        "x" * 50, "(", "[", '"', "hm ", "ok ", "no ", " - ", "… ", "it ", "they ", "port 5544 ", "これは",
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.one_of(st.lists(_PIECES, max_size=30).map("".join), st.text(max_size=80)), min_size=1, max_size=3))
def test_no_text_breaks_the_rules_and_every_quote_stands_at_its_place(texts: list[str]) -> None:
    """Nothing is raised, the same input gives the same answer, quotes and rejections point at the raw text."""
    found = said(*texts, before="always do this first.")
    assert found == said(*texts, before="always do this first.")
    raw = {f"u{number}": text for number, text in enumerate(texts)} | {"a0": "always do this first."}
    for note in found.proposals:
        assert note.body
        assert note.name
        for quote in note.quotes:
            assert raw[quote.message][quote.start : quote.start + len(quote.text)] == quote.text
    for one in found.rejections:
        assert raw[one.message][one.start : one.start + len(one.text)] == one.text


@pytest.mark.parametrize(
    "piece",
    [
        "a", "ok ", "no ", "hm hm ", "always ", "we use x, ", "it is ", "`", "以后", "一律用", "不要，", "> q\n", "x: y\n", "- never do x\n",
        "good. ", "forget that. ", "the x y z ", "http://a.b/", "a/", "a_b.", "((", "yes, ", "\n\n", "…", "because ", "12 ", "at most ",
    ],
)  # fmt: skip
def test_a_hundred_thousand_characters_take_no_more_than_linear_time(piece: str) -> None:
    """Four times the text takes well under sixteen times as long, whatever is repeated."""

    def seconds(chars: int) -> float:
        text = (piece * (chars // len(piece) + 1))[:chars]
        message = Message(key="u", parent=None, role="user", origin="user", at="2026-03-04T09:00:00Z", text=text)
        started = time.process_time()
        propose([Turn(user=message, live=True)], place=PlaceHint())
        return time.process_time() - started

    seconds(2_000)
    small, large = seconds(25_000), seconds(100_000)
    assert large < max(1.0, 10 * small), (small, large)
