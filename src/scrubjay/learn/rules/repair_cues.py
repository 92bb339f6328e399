"""What people say when a memory that they were shown is wrong; `learn/repair.py` acts on it."""

from __future__ import annotations

import re
from typing import Literal

from scrubjay.learn.rules.text import plain

RepairKind = Literal["wrong", "outdated", "forget"]

CUES: tuple[tuple[RepairKind, re.Pattern[str]], ...] = (
    (
        "forget",
        re.compile(
            r"\b(?:forget|drop|delete|remove|erase|purge|scratch|unlearn)\s+(?:that|this|it|about\s+(?:that|this|it)|(?:that|this|the)\s+(?:memory|note|rule|fact|entry|one)|m-[0-9a-z]{4,})\b"
            r"|\b(?:don'?t|do\s+not|stop)\s+remember(?:ing)?\s+(?:that|this|it)\b|\byou\s+can\s+forget\s+(?:that|this|it|about)\b"
            r"|(?:忘掉|忘了|忘记)(?:它|这|那|吧|掉|刚才|$)|(?:删掉|删除|去掉|清掉)(?:这|那)(?:条|个)?(?:记忆|笔记|规则)|(?:别|不要)再?记(?:着|住)?(?:这|那|它)"
        ),
    ),
    (
        "outdated",
        re.compile(
            r"\b(?:that|this|it)(?:'s|\s+is|\s+was)?\s+(?:no\s+longer|not\s+(?:true|valid|right|correct|the\s+case)\s+any\s?more|outdated|out\s+of\s+date|obsolete|stale|old\s+news|history|superseded|from\s+before)\b"
            r"|\bno\s+longer\s+(?:true|valid|the\s+case|so|applies|current|relevant|correct)\b|\b(?:doesn'?t|does\s+not)\s+(?:apply|hold)\s+any\s?more\b|\bthat\s+(?:has\s+)?changed\b|\bnot\s+any\s?more\b"
            r"|(?:已经)?(?:过时|过期|作废|失效|不适用|不再(?:是|适用|成立|有效|这样))(?:了)?|现在不是(?:这样|那样)?了|早就(?:不|改)|已经(?:改|变|换)了"
        ),
    ),
    (
        "wrong",
        re.compile(
            r"\b(?:that|this|it|your\s+(?:memory|note))(?:'s|\s+is|\s+was)?\s+(?:just\s+|simply\s+|plain\s+|completely\s+|totally\s+)?(?:wrong|incorrect|false|not\s+(?:true|right|correct|so)|untrue|a\s+mistake|nonsense|bogus|made\s+up|inaccurate)\b"
            r"|\bi\s+never\s+said\s+(?:that|this|so)\b|\byou\s+remember(?:ed)?\s+(?:that\s+|it\s+|this\s+)?wrong\b|\bwrong\s+memory\b|\b(?:isn'?t|wasn'?t)\s+(?:true|right|correct)\b"
            r"|(?:不对|错了|有误|不正确|不准确|记错|不是这样|没这回事|没说过|搞错)"
        ),
    ),
)
"""Tried in this order: "forget that, it is wrong" is a wish to forget."""

_QUESTION = re.compile(
    r"[?？]\s*$|(?:吗|呢|么)\s*$|^(?:is|was|are|does|did|isn't|wasn't|doesn't|why|what|when|how|could|can|would|should)\b"
)
_LOCAL = re.compile(
    r"\b(?:test|output|result|code|line|commit|diff|value|number|answer|function)\s+(?:is|was|looks)\s+wrong\b"
)
_MAX_CHARS = 400


def repair_cue(text: str) -> RepairKind | None:
    """The first cue in `text` ("that is wrong", "no longer", "forget that", "不对", "忘掉"), or None.

    `forget`: the memory is to go; `wrong`: it never was so; `outdated`: it was so once. Questions are no repair.
    """
    sentences = [part for part in re.split(r"(?<=[.!?。！？\n])\s*", text[:_MAX_CHARS]) if part.strip()]
    for kind, pattern in CUES:
        for sentence in sentences:
            low = plain(sentence)
            if pattern.search(low) and not _QUESTION.search(low) and not _LOCAL.search(low):
                return kind
    return None
