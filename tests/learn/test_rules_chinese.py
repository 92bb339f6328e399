"""The Chinese rules on sentences from many trades."""

from __future__ import annotations

import pytest

from tests.learn import rule_sentences_chinese as table
from tests.learn.test_rules_sentences import said


@pytest.mark.parametrize("text", [text for text, _ in table.ACTIVE])
def test_a_name_is_a_short_phrase_of_the_persons_own_words(text: str) -> None:
    """At most 20 characters of subject, cut from the message in one piece: no list of words."""
    for note in said(text).proposals:
        name = note.name.split("：")[0]
        assert len(name) <= 20, note.name
        assert "".join(name.lower().split()) in "".join(text.lower().replace("`", "").split()), note.name


_KEPT = "支付回调必须验签，密钥每季度轮换。"
_TAKEN_BACK = (
    "以后接口都加 /v2 前缀……算了，当我没说",
    "每周三下午开标定例会……哦不对，这个取消了，当我没说",
    "日志统一打到 kafka。等等，还是不要了",
    "评审至少两个人——不对，说错了，收回",
    "PR 标题一律加日期，开玩笑的",
    "分支名统一用拼音吧，嗯……不，还是算了",
    "以後所有介面都加簽名……算了，當我沒說",
    "默认分支改成 dev。刚才那条作废",
)


@pytest.mark.parametrize("text", _TAKEN_BACK)
def test_what_is_taken_back_in_the_same_message_is_in_no_note(text: str) -> None:
    """Neither alone nor as a part of a longer note; what else the message says stays."""
    first = text[:6]
    assert said(text).proposals == ()
    notes = said(_KEPT + text).proposals
    assert all(first not in note.body for note in notes)
    assert any("验签" in note.body for note in notes)


@pytest.mark.parametrize("back", ["算了，刚才那个不要了", "当我没说", "我改主意了，刚才那条撤回", "刚才说的作废"])
def test_what_a_later_message_takes_back_is_in_no_note(back: str) -> None:
    """The message before is meant."""
    assert all("签名" not in note.body for note in said("所有接口都必须加签名", back).proposals)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("封版改到下周四，在那之前只修 bug", "2026-03-12"),
        ("周报改成每月最后一天交，月底前先交这一份给审计", "2026-03-31"),
        ("两周后的今天交初稿，王老师先看", "2026-03-18"),
        ("证书三天后到期，找运维续", "2026-03-07"),
        ("大后天机房割接，数据库只读", "2026-03-07"),
        ("4 月 15 号旧域名停用", "2026-04-15"),
        ("下个月 8 号机房搬家，那天别发版", "2026-04-08"),
        ("本周五提测，别拖", "2026-03-06"),
    ],
)
def test_relative_days_are_written_down_as_dates(text: str, day: str) -> None:
    """Counted from the day of the message, a Wednesday."""
    assert any(day in note.body for note in said(text).proposals), said(text)
