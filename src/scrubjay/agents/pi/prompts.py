"""What a `user` message of pi says, apart from what the client put before it."""

from __future__ import annotations

import re

from scrubjay.agents.harness import strip_injected
from scrubjay.agents.jsonl import Record, clean, string

_SKILL = re.compile(
    r'\s*<skill name="[^"\n]{1,200}" location="[^"\n]{1,4096}">\n.*?\n</skill>(?:\s*\Z|\n\n)', re.DOTALL
)
"""`/skill:name words`: the skill's instructions, then the words."""
_FILE = re.compile(r'<file name="[^"\n]{1,4096}">(.*?)</file>\n', re.DOTALL)
"""`@file` on the command line: the contents of files, then the words."""
_SUMMARY = re.compile(
    r"The (?:conversation history before this point was compacted into|following is a summary of a branch that)[^\n]{0,100}:"
    r"\n\n<summary>.*?(?:</summary>|\Z)",
    re.DOTALL,
)


def text_of(message: Record) -> str:
    """The texts of a message's `content`: a string, or a list of blocks."""
    content = message.get("content")
    if type(content) is not list:
        return clean(content) if type(content) is str else ""
    return "\n".join([string(one, "text") for one in content if type(one) is dict and one.get("type") == "text"])


def words_of(message: Record) -> tuple[str, list[str]]:
    """What the person wrote, and the contents of the files they named; ("", []) when it is all the client's."""
    text = text_of(message)
    skill = _SKILL.match(text)
    if skill:
        text = text[skill.end() :]
    pulled: list[str] = []
    place = 0
    while found := _FILE.match(text, place):
        pulled.append(strip_injected(found[1]).strip())
        place = found.end()
    return strip_injected(text[place:], _SUMMARY).strip(), [part for part in pulled if part]
