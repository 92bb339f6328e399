"""Text that no person said: what an agent program, or scrubjay itself, put into a message."""

from __future__ import annotations

import re

_OUR_BLOCK = re.compile(r"<(scrubjay-[a-z]+)\b[^>]{0,500}>.*?(?:</\1>|\Z)", re.DOTALL)
"""Our own recall and resident blocks: learnt again they would feed on themselves."""
_OUR_BLOCK_IN_SQUARES = re.compile(r"^\[(scrubjay-(?:recall|memory))\]\n.*?(?:\[/\1\]|\Z)", re.DOTALL | re.MULTILINE)
"""The same as Qwen Code is given them, whose own escaping would eat angle brackets."""
_IN_A_FILE = re.compile(r"<!-- scrubjay:begin\b.*?(?:<!-- scrubjay:end -->|\Z)", re.DOTALL)
"""Our block in somebody's rules file."""
_REMINDER = re.compile(r"<(system-reminder|local-command-caveat)>.*?(?:</\1>|\Z)", re.DOTALL)


def strip_injected(text: str, *patterns: re.Pattern[str]) -> str:
    """`text` without our own blocks, reminders and what else `patterns` match."""
    if "[scrubjay-" in text:
        text = _OUR_BLOCK_IN_SQUARES.sub("", text)
    if "<" not in text:
        return text
    for pattern in (_OUR_BLOCK, _REMINDER, *patterns):
        text = pattern.sub("", text)
    return text


def without_blocks(text: str) -> str:
    """A file's text without our own blocks; what stands behind them stays in its line."""
    if "scrubjay" not in text:
        return text
    for pattern in (_IN_A_FILE, _OUR_BLOCK):
        text = pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
    return text


def starts_with_any(text: str, beginnings: tuple[str, ...]) -> bool:
    """Whether `text`, blanks aside, starts with one of `beginnings`."""
    return text.lstrip().startswith(beginnings)
