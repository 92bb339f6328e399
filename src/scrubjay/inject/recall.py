"""What one prompt brings back: at most a few memories, often none (hot)."""

from __future__ import annotations

import math

from scrubjay.inject import wording
from scrubjay.inject.fence import MIN_CLIP_CHARS, RECALL_TAG, clip, escape, fenced, fits, one_line
from scrubjay.inject.prompts import machine_made
from scrubjay.inject.resident import rule_line, unchanged
from scrubjay.inject.where import Where, named_files
from scrubjay.quicksql import sqlite3
from scrubjay.search import listing, query
from scrubjay.search.tokens import index_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from scrubjay.scope import Place
    from scrubjay.search.query import Row
    from scrubjay.settings import Settings

MAX_MEMORY_CHARS = 900
"""Of one memory's text in a block; of a longer one the passage that answers the prompt is shown."""
CANDIDATES = 20
MAX_REJECTED = 10
"""So many of what was close are explained."""
PATH_BONUS, USAGE_BONUS, RECENCY_BONUS = 0.12, 0.05, 0.03
"""Small on purpose: they order what the words leave undecided, they never bring anything in."""
USED_OFTEN = 10


class Request:
    """One prompt."""

    __slots__ = ("agent", "explain", "place", "session", "text")

    def __init__(self, text: str, place: Place, *, agent: str = "", session: str = "", explain: bool = False) -> None:
        self.text, self.place, self.agent, self.session, self.explain = text, place, agent, session, explain


class Seen:
    """What this session already holds. The default is a fresh context, as for `jay recall` outside a session."""

    __slots__ = ("chars", "injected", "known_rules", "last_compaction", "usage")

    def __init__(
        self,
        *,
        injected: Mapping[str, str] | None = None,
        known_rules: Collection[str] | None = None,
        last_compaction: str = "",
        chars: int = 0,
        usage: Mapping[str, int] | None = None,
    ) -> None:
        self.injected = injected or {}
        """Memory id → the channel that brought it since the last compaction: `resident` or `recall`."""
        self.known_rules = known_rules
        """Ids of the standing rules in force when the session's block was built; None: deliver no new rules."""
        self.last_compaction = last_compaction
        """Time, or ""; what was said in this session after it is not repeated."""
        self.chars = chars
        """Characters that recall has brought into this session since the last compaction."""
        self.usage = usage or {}
        """Memory id → how often it was used (a small ranking signal)."""


class Rejected:
    """A memory that was close, and the one filter that stopped it."""

    __slots__ = ("detail", "filter", "id", "name", "score")

    def __init__(self, id: str, name: str, filter: str, detail: str, score: float) -> None:  # noqa: A002
        self.id, self.name, self.filter, self.detail, self.score = id, name, filter, detail, score


class Recall:
    """`block` is "" when nothing is injected."""

    __slots__ = ("block", "left_out", "memories", "reason", "rejected", "rules")

    def __init__(self) -> None:
        self.block = ""
        self.memories: list[Row] = []
        """In the block, best first."""
        self.rules: list[Row] = []
        """Standing rules that are new since the session began, in the block before `memories`."""
        self.left_out: list[Rejected] = []
        """Good enough, but no room: named in the block too when there is one."""
        self.rejected: list[Rejected] = []
        """Filled when `explain` was asked for."""
        self.reason = ""
        """Why nothing at all was looked up: `machine-made`, `long-paste`, `disabled`, `no-index`, `no-words`; else ""."""


def recall(request: Request, connection: sqlite3.Connection | None, settings: Settings, seen: Seen) -> Recall:
    """Never raises for any text. `connection` from `scrubjay.search.query.open`; a damaged index brings nothing back."""
    result = Recall()
    result.reason = _not_looked_up(request, connection, settings)
    if result.reason or connection is None:
        return result
    where = Where(request.place, request.agent, named=named_files(request.text))
    try:
        said = listing.said_in(connection, request.session, seen.last_compaction) if request.session else set()
        rules = _new_rules(connection, where, seen, said)
        found = query.search(connection, request.text, where.stores(), limit=CANDIDATES, explain=request.explain)
    except sqlite3.Error:
        result.reason = "broken-index"
        return result
    kept = _filtered(found.rows, where, seen, said, result)
    kept = [row for row in _ordered(kept, where, seen) if row.id not in {rule.id for rule in rules}]
    most = settings.number("recall.max_memories")
    result.left_out = [
        _rejection(row, "max-memories", f"{most} are the most a prompt brings back") for row in kept[most:]
    ]
    room = min(settings.number("recall.max_chars"), settings.number("recall.session_max_chars") - seen.chars)
    _fill(result, rules, kept[:most], room)
    if request.explain:
        result.rejected += [_rejection(row, row.reason, _why(row, found, request.text)) for row in found.rejected]
        result.rejected = sorted(result.rejected, key=lambda one: (-one.score, one.id))[:MAX_REJECTED]
    if not found.words and not result.block:
        result.reason = "no-words"
    return result


def _not_looked_up(request: Request, connection: sqlite3.Connection | None, settings: Settings) -> str:
    if not settings.flag("recall.enabled") or settings.text("mode") == "off":
        return "disabled"
    kind = machine_made(request.text)
    if kind:
        return kind if kind == "long-paste" else f"machine-made: {kind}"
    return "" if connection is not None else "no-index"


def _new_rules(connection: sqlite3.Connection, where: Where, seen: Seen, said: set[str]) -> list[Row]:
    """Standing rules that came up, elsewhere, since the session's block was built."""
    if seen.known_rules is None:
        return []
    known = set(seen.known_rules)
    return [
        row
        for row in listing.ranked(connection, where.stores(), rules=True, unknown_to=known)
        if row.id not in seen.injected
        and row.id not in said
        and where.agent_fits(row)
        and where.path_fits(row)
        and unchanged(row)
    ]


def _filtered(rows: list[Row], where: Where, seen: Seen, said: set[str], result: Recall) -> list[Row]:
    """What may be shown; the others, with the one filter that stopped each, go to `result.rejected`."""
    kept = []
    for row in rows:
        if not where.path_fits(row):
            stopped = ("path", f"kept for {', '.join(row.paths)}")
        elif not where.agent_fits(row):
            stopped = ("agent", f"kept for {', '.join(row.agents)}")
        elif row.id in seen.injected:
            stopped = ("already-given", f"this session has it from its {seen.injected[row.id]} block")
        elif row.id in said:
            stopped = ("said-here", "it was said in this very session")
        elif not unchanged(row):
            stopped = ("changed-on-disk", "the file changed since it was indexed; the next worker pass takes it in")
        else:
            kept.append(row)
            continue
        result.rejected.append(_rejection(row, *stopped))
    return kept


def _ordered(rows: list[Row], where: Where, seen: Seen) -> list[Row]:
    newest = {stamp: at for at, stamp in enumerate(sorted({row.updated for row in rows}))}
    for row in rows:
        used = min(1.0, math.log1p(seen.usage.get(row.id, 0)) / math.log1p(USED_OFTEN))
        row.score *= (
            1
            + PATH_BONUS * where.mentions(row)
            + USAGE_BONUS * used
            + RECENCY_BONUS * newest[row.updated] / max(1, len(newest) - 1)
        )
    return sorted(rows, key=lambda row: (-row.score, row.id))


def _fill(result: Recall, rules: list[Row], rows: list[Row], room: int) -> None:
    """The block, as much of it as there is room for: new rules first, then the memories, best first."""
    new: list[str] = []
    parts: list[tuple[Row, str]] = []
    left = list(result.left_out)
    for row in rules:
        if fits(_block([*new, rule_line(row)], [], left), room):
            new.append(rule_line(row))
            result.rules.append(row)
        else:
            left.append(_rejection(row, "no-room", "a new rule; it comes with the next prompt"))
    for row in rows:
        for chars in (MAX_MEMORY_CHARS, MAX_MEMORY_CHARS // 3, MIN_CLIP_CHARS):
            part = _memory(row, chars)
            if fits(_block(new, [*parts, (row, part)], left), room):
                parts.append((row, part))
                result.memories.append(row)
                break
        else:
            left.append(_rejection(row, "no-room", f"{room} characters were left for this prompt"))
    result.left_out = left
    if new or parts:
        block = _block(new, parts, left)
        result.block = block if fits(block, room) else _block(new, parts, [])


def _block(new: list[str], parts: list[tuple[Row, str]], left: list[Rejected]) -> str:
    rules = [part for row, part in parts if row.rule]
    facts = [part for row, part in parts if not row.rule]
    texts = ["\n".join([wording.NEW_RULES, *new])] if new else []
    texts += ["\n\n".join([wording.BACKGROUND, *facts])] if facts else []
    texts += ["\n\n".join([wording.RULES_HERE, *rules])] if rules else []
    if left:
        named = "; ".join(f"[{one.id}] {one_line(one.name)[:60]}" for one in left[:3])
        texts.append(f"{wording.NOT_SHOWN} ({len(left)}): {named}{'; …' if len(left) > 3 else ''}")
    return fenced(RECALL_TAG, "\n\n".join(texts))


def _memory(row: Row, chars: int) -> str:
    where = f", only for {', '.join(map(one_line, row.paths))}" if row.paths else ""
    head = f"[{row.id}] {row.type}, trust {row.trust}, anchors unknown{where}: {one_line(row.name)}"
    return f"{head}\n{clip(escape(passage(row, chars)), chars, id=row.id)}"


def passage(row: Row, chars: int) -> str:
    """The part of the body that answers: all of it when it fits, else from the line that holds most of the matched words."""
    if len(row.body) <= chars:
        return row.body
    lines = row.body.split("\n")
    matched = set(row.matched)
    counts = [len(matched & set(index_terms(line))) for line in lines]
    best = counts.index(max(counts))
    before = sum(len(line) + 1 for line in lines[:best])
    if before + len(lines[best]) <= chars:
        return row.body
    line = lines[best]
    if len(line) > chars:  # one long paragraph: start near the first matched word
        words = line.split(" ")
        hits = [at for at, word in enumerate(words) if matched & set(index_terms(word))]
        line = "… " + " ".join(words[max(0, (hits or [0])[0] - 10) :])
    return "… " * (best > 0) + "\n".join([line, *lines[best + 1 :]])


def _rejection(row: Row, stopped_by: str, detail: str) -> Rejected:
    return Rejected(row.id, row.name, stopped_by, detail, row.score)


def _why(row: Row, found: query.Found, prompt: str) -> str:
    """One sentence about a row that the search itself turned down."""
    from scrubjay.search.spoken import spoken  # not on the way of a hook

    words = ", ".join(spoken(prompt, row.matched)) or "nothing"
    return {
        "floor": f"only {words} in common, and not in its name, an alias or an anchor",
        "weak": f"{words}: too little of what was asked, or too common, to be more than chance",
        "far-below-best": f"{words}: far less than the best one shares",
        "status": f"it is {row.status}",
        "scope": f"it belongs to another place ({row.store})",
        "unclean": "its text looks like it holds a secret",
        "broken": "its file can only be read in part",
    }.get(row.reason, row.reason) + (f" ({found.visible} memories are visible here)" if row.reason == "weak" else "")
