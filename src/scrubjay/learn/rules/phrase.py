"""A short readable phrase cut from a Chinese clause in one piece: the name of a note."""

from __future__ import annotations

import re

MAX_CHARS = 20
_OPENING = re.compile(
    r"^(?:(?:请|你|就|也|都|那|还有|另外|以后|今后|往后|凡是|每次|每当|记住|记得|注意|我们(?:这边|这里|组)?|咱们|大家|这里|这边|所有的?|任何"
    r"|因为|由于|如果|一律|統一|统一|我們|請|以後|所有|但是?|不过|而且|所以)[，,：:\s]*)+"
)
_PART = re.compile(r"[，,。；;！!？?、：:（(\n]|……|\s[-–—]+\s")
_ENDING = re.compile(r"[\s的了在是就都也要会和与或从到用把被给对以及按\-–—/.:'\"“「『]+$")
_WORD = re.compile(r"[A-Za-z0-9_./@#:-]")
_URL = re.compile(r"https?://\S*")
_MIN_CHARS = 3


def phrase(text: str, limit: int = MAX_CHARS) -> str:
    """The first part of `text` that says something, at most `limit` characters; "" when there is none.

    What opens a sentence ("以后", "我们") is left out, a word of Latin letters is not cut in two, and no address stands in it.
    """
    text = " ".join(_URL.sub("\n", text.replace("`", "")).split(" "))
    best = ""
    for part in map(str.strip, _PART.split(text)):
        opened = _OPENING.sub("", part)
        cut = _cut(opened if len(opened) >= _MIN_CHARS else part, limit)
        if len(cut) >= _MIN_CHARS and re.search(r"[\u3400-\u9fff]", cut):
            return cut
        best = best or cut
    return best


def _cut(part: str, limit: int) -> str:
    if len(part) > limit:
        at = limit
        while at > limit // 2 and _WORD.match(part[at]) and _WORD.match(part[at - 1]):
            at -= 1
        part = _ENDING.sub("", part[:at] if at > limit // 2 else part[:limit])
    part = re.sub(r"[就都也还里]$", "", part) if len(part) > _MIN_CHARS else part
    return part.strip(" \t'\"“”「」『』()（）-–—")
