"""The resident block: what every session starts with. The same memories give the same bytes: no clock, no age (hot)."""

from __future__ import annotations

import os

from scrubjay.inject import wording
from scrubjay.inject.fence import RESIDENT_TAG, clip, fenced, fits, one_line
from scrubjay.inject.where import Where
from scrubjay.quicksql import sqlite3
from scrubjay.search import listing
from scrubjay.search.tokens import index_terms, query_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scrubjay.scope import Place
    from scrubjay.search.query import Row
    from scrubjay.settings import Settings

MAX_RULE_CHARS = 400
MAX_INDEX_LINE_CHARS = 240
MAX_INDEX_LINES = 120
NAMED_LEFT_OUT = 6
"""So many of what is left out are named; the others are counted."""
SAID_ALREADY = 0.8
"""A memory of whose words a line of the agent's own index holds this share is not repeated."""


class Resident:
    """`text` is "" when there is nothing to say."""

    __slots__ = ("ids", "left_out", "rule_ids", "text", "told_ids")

    def __init__(
        self, text: str, ids: list[str], rule_ids: list[str], left_out: dict[str, int], told_ids: list[str]
    ) -> None:
        self.text = text
        self.ids = ids
        """Memories that the block shows, as rule or as index line."""
        self.rule_ids = rule_ids
        """Every standing rule in force here now, shown or not: a rule that is not among them later is new."""
        self.left_out = left_out
        """Count by reason: `length`, `own-memory`, `changed-on-disk`."""
        self.told_ids = told_ids
        """Memories of which nothing is left to recall: the block holds all of their text, or the agent's own index says
        it. An index line that only points to a text is not among them."""


def resident(
    connection: sqlite3.Connection | None, place: Place, settings: Settings, *, agent: str = "", own_index: str = ""
) -> Resident:
    """The block for a session that starts in `place`. `own_index`: text of the agent's own index (Claude Code's MEMORY.md);
    what a line of it already says is not repeated. A damaged index gives an empty block."""
    left_out = {"length": 0, "own-memory": 0, "changed-on-disk": 0}
    if connection is None or settings.text("mode") == "off":
        return Resident("", [], [], left_out, [])
    try:
        where = Where(place, agent)
        stores = where.stores()
        rules = [row for row in listing.ranked(connection, stores, rules=True) if _fits(row, where)]
        wanted = MAX_INDEX_LINES + 1
        others = [row for row in listing.ranked(connection, stores, rules=False, limit=4 * wanted) if _fits(row, where)]
        more = listing.count(connection, stores, rules=False) - len(others)
    except sqlite3.Error:
        return Resident("", [], [], left_out, [])
    rule_ids = [row.id for row in rules]
    own = _own_lines(own_index)
    told: list[str] = []
    rules = _sifted(rules, own, left_out, told)
    others = _sifted(others, own, left_out, told)
    text, shown, missing = _text(rules, others, more, settings.number("resident.max_chars"))
    left_out["length"] = missing
    whole = {row.id: row.body for row in (*rules, *others)}
    told += [one for one in shown if whole[one] and one_line(whole[one]) in text]
    return Resident(text, shown, rule_ids, left_out, told)


def unchanged(row: Row) -> bool:
    """The file is as it was when it was indexed. A hook may look at a few files, never scan."""
    try:
        found = os.stat(row.path, follow_symlinks=False)
    except OSError:
        return False
    return (found.st_mtime_ns, found.st_size) == (row.mtime_ns, row.size)


def rule_line(row: Row) -> str:
    """A standing rule in one line: the person's words, and where they hold."""
    holds = f" (only for {', '.join(map(one_line, row.paths))})" if row.paths else ""
    text = clip(one_line(row.body or row.name), MAX_RULE_CHARS - len(holds), id=row.id)
    return f"- [{row.id}] {text}{holds}"


def index_line(row: Row) -> str:
    """A memory's name and description in one line, with its type and trust where they are not the usual ones."""
    marks = [row.type] if row.type != "project" else []
    marks += [f"trust {row.trust}"] if row.trust != "user" else []
    marks += [f"only for {', '.join(map(one_line, row.paths))}"] if row.paths else []
    text = one_line(row.name)
    more = one_line(row.description or row.body.split("\n\n", 1)[0])
    if more and more != text:
        text = f"{text}: {more}"
    note = f" ({'; '.join(marks)})" if marks else ""
    return f"- [{row.id}] {clip(text, MAX_INDEX_LINE_CHARS - len(note), id=row.id)}{note}"


def _fits(row: Row, where: Where) -> bool:
    return where.agent_fits(row) and where.path_fits(row)


def _own_lines(text: str) -> list[set[str]]:
    return [set(index_terms(line)) for line in text.splitlines() if line.strip()]


def _sifted(rows: list[Row], own: list[set[str]], left_out: dict[str, int], told: list[str]) -> list[Row]:
    """Without what the agent's own index says (added to `told`) and what changed on disk; both are counted."""
    kept = []
    everything = set().union(*own) if own else set()
    for row in rows:
        if own and _said(row, own, everything):
            left_out["own-memory"] += 1
            told.append(row.id)
        elif not unchanged(row):
            left_out["changed-on-disk"] += 1
        else:
            kept.append(row)
    return kept


def _said(row: Row, own: list[set[str]], everything: set[str]) -> bool:
    text = row.body.split("\n\n", 1)[0] if row.rule else f"{row.name} {row.description}"
    words = {word.term for word in query_words(text) if word.kind not in ("light", "whole")}
    enough = max(2.0, SAID_ALREADY * len(words))
    return len(words & everything) >= enough and any(len(words & line) >= enough for line in own)


def _text(rules: list[Row], others: list[Row], more: int, max_chars: int) -> tuple[str, list[str], int]:
    """The block, the ids it shows, and how many memories had no room. Fewer and fewer lines until it fits."""
    index, beyond = others[:MAX_INDEX_LINES], others[MAX_INDEX_LINES:]
    lines = [(row, rule_line(row)) for row in rules] + [(row, index_line(row)) for row in index]
    if not lines:
        return "", [], 0
    low, high = 0, len(lines)  # the longest prefix that fits; every line has a cost, so halving finds it
    while low < high:
        middle = (low + high + 1) // 2
        if fits(_block(lines[:middle], _rest(lines[middle:], beyond), more), max_chars):
            low = middle
        else:
            high = middle - 1
    if low == 0:
        return "", [], len(lines) + len(beyond) + more
    left = _rest(lines[low:], beyond)
    return _block(lines[:low], left, more), [row.id for row, _ in lines[:low]], len(left) + more


def _rest(lines: list[tuple[Row, str]], beyond: list[Row]) -> list[Row]:
    return [row for row, _ in lines] + beyond


def _block(shown: list[tuple[Row, str]], left: list[Row], more: int) -> str:
    rules = [line for row, line in shown if row.rule]
    index = [line for row, line in shown if not row.rule]
    parts = ["\n".join([wording.RULES, *rules])] if rules else []
    parts += ["\n".join([wording.INDEX, *index])] if index else []
    if left or more:
        parts.append(_left_out(left, more))
    return fenced(RESIDENT_TAG, "\n\n".join(parts))


def _left_out(left: list[Row], more: int) -> str:
    rules = sum(row.rule for row in left)
    counts = [f"{rules} of the user's rules"] if rules else []
    counts += [f"{len(left) - rules + more} other memories"] if len(left) - rules + more else []
    names = [one_line(row.name)[:60] for row in left[:NAMED_LEFT_OUT]]
    named = f" ({'; '.join(names)}{'; …' if len(left) + more > len(names) else ''})" if names else ""
    return f"{wording.LEFT_OUT}: {' and '.join(counts)}{named}: {wording.MORE}"
