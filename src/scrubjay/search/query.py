"""Which memories answer a prompt: candidates from the FTS5 index, the floor, and the order.

Hot: read only, standard library only. `build.py` writes the file that this reads, and replaces it as a whole, so it is
opened as immutable: no lock, no waiting, and it works in a read-only home.
"""

from __future__ import annotations

from scrubjay.quicksql import sqlite3
from scrubjay.search.floor import COMMON_SHARE, TELLING, Asked, Hit, judge
from scrubjay.search.tokens import query_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrubjay.search.tokens import Word

SCHEMA = 1
"""Version of search.sqlite: of its tables and of how text is cut into terms. Another one is never migrated: the file is
deleted and built again."""
GROUP_BITS = 32
"""A row's number is its group's number, shifted by this, plus a serial number."""
MAX_WORDS = 48
"""Distinct words of one prompt that are looked up; a longer prompt says the same with more words."""
POOL, POOL_WITHOUT_FLOOR = 48, 120
"""Candidates that are scored exactly: those that share the rarest words."""
COUNT_LIMIT = 500
"""Rows of one word that are always counted; above, counting stops where the word is too common to matter."""

_FIELDS = (4.0, 2.5, 2.0, 1.0)
"""Weights of name and aliases, description, anchors and paths, body."""
LIGHT_SHARE = 0.2
"""Share of memories that a light word is taken to be in: not worth counting on the way of a prompt."""
FIRST_CJK = "\u3005"
"""Where such characters are, a memory is (also) written in Chinese, Japanese or Korean."""
NAME_END = " | "
"""Stands between the name and each alias in the terms of a row."""
SHARE_OF_BEST = 0.5
"""What scores less than this share of the best is left out: it only shares the prompt's lesser words."""
SHARE_OF_BEST_NAMED = 0.25
"""The same for a memory whose name or alias the prompt says in full: a long prompt names several."""
LONGER = 0.5
"""What a longer word that starts with the asked one counts in the score, beside the word itself."""
_K1 = 1.2  # the usual BM25 constant (also FTS5's)
_B = 0.4
"""How much a memory's length counts against it. The usual 0.75 is for documents: memories are all short, and one sentence
more is seldom noise. From 0.3 to 0.6 LoCoMo and sde-bench find more than with 0.75, and BEAM as much."""
_SHOWN = (
    "m.n, m.id, m.name, m.description, m.body, m.type, m.trust, m.status, m.path, m.mtime_ns, m.size, m.paths, m.agents, "
    "m.pinned, m.rule, m.said, m.updated, m.clean"
)
COLUMNS = f"{_SHOWN}, m.key_terms, m.description_terms, m.anchor_terms, m.body_terms, g.scope, g.store"
LISTED = f"{_SHOWN}, '', '', '', '', g.scope, g.store"
"""The same for a row that is not searched: the terms are half of its bytes."""


class Row:
    """One memory as the index holds it, with what the search found out about it."""

    __slots__ = (
        "agents", "body", "clean", "description", "hits", "id", "matched", "mtime_ns", "n", "name", "path", "paths", "pinned",
        "reason", "rule", "said", "scope", "score", "size", "status", "store", "terms", "trust", "type", "updated",
    )  # fmt: skip

    def __init__(self, values: Sequence[object]) -> None:
        (
            self.n, self.id, self.name, self.description, self.body, self.type, self.trust, self.status, self.path,
            self.mtime_ns, self.size, paths, agents, self.pinned, self.rule, self.said, self.updated, self.clean, key,
            description, anchor, body, self.scope, self.store,
        ) = values  # type: ignore[assignment]  # fmt: skip
        self.paths: tuple[str, ...] = tuple(str(paths).split("\n")) if paths else ()
        """Globs within the store's repository; empty: everywhere."""
        self.agents: tuple[str, ...] = tuple(str(agents).split("\n")) if agents else ()
        self.terms = (f" {key} ", f" {description} ", f" {anchor} ", f" {body} ")
        self.score = 0.0
        self.matched: tuple[str, ...] = ()
        """The terms of the prompt that were found."""
        self.hits: list[Hit] = []
        self.reason = ""
        """"" when the row passed, else the filter that stopped it: `floor`, `weak`, `far-below-best`, `status`, `scope`,
        `unclean`, `broken`."""

    @property
    def named_in_full(self) -> bool:
        """The prompt says the whole name or a whole alias; a mere part of an identifier (TS of TSLint) is no name."""
        said = {hit.asked.word.term for hit in self.hits if hit.exact}
        parts = {hit.asked.word.term for hit in self.hits if hit.asked.word.part}
        names = [name.split() for name in self.terms[0].split(NAME_END.strip())]
        return any(name and said.issuperset(name) and (len(name) > 1 or name[0] not in parts) for name in names)

    n: int
    id: str
    name: str
    description: str
    body: str
    type: str
    trust: str
    """Effective trust: never above the ceiling of the store."""
    status: str
    path: str
    """Absolute path of the file."""
    mtime_ns: int
    size: int
    pinned: bool
    rule: bool
    """A standing rule: type `feedback` or `user`, effective trust `user`."""
    said: int
    """How many pieces of evidence it rests on."""
    updated: str
    clean: bool
    scope: str
    """`user`, `project` or `team`."""
    store: str
    """Absolute path of the store's folder."""


class Found:
    """`rows`: what passed, best first. `rejected`: the best of what did not, each with its `reason`."""

    __slots__ = ("rejected", "rows", "visible", "words")

    def __init__(self, rows: list[Row], rejected: list[Row], words: list[str], visible: int) -> None:
        self.rows = rows
        self.rejected = rejected
        self.words = words
        self.visible = visible


def open(path: str) -> sqlite3.Connection | None:  # noqa: A001
    """The index for reading, or None when there is none, it is broken, or another version wrote it."""
    uri = "file:" + path.replace("%", "%25").replace("?", "%3f").replace("#", "%23") + "?mode=ro&immutable=1"
    connection = None
    try:
        connection = sqlite3.connect(uri, uri=True)
        found = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    except sqlite3.Error:
        if connection is not None:
            connection.close()
        return None
    if found is None or found[0] != str(SCHEMA):
        connection.close()
        return None
    return connection


def search(
    connection: sqlite3.Connection,
    text: str,
    stores: Sequence[str],
    *,
    limit: int = 20,
    floor: bool = True,
    explain: bool = False,
) -> Found:
    """Active, clean memories of `stores` (absolute folders) that match `text`. Any `text` is fine; it is never syntax.

    `floor=False` ranks everything that shares a word (a person's own search). `explain=True` also looks at what is not
    active, not clean, or in another store, and puts it into `rejected`. Raises `sqlite3.Error` when the file is damaged.
    """
    words = _chosen(query_words(text))
    groups = groups_of(connection, stores, live=True)
    visible = sum(rows for _, rows, _ in groups)
    if not visible or not any(word.kind != "light" or not floor for word in words):
        found = Found([], [], [word.term for word in words], visible)
    else:
        rows, asked = _scored(connection, words, groups, floor=floor, hopeless_too=explain)
        found = Found(*_judged(rows, asked, visible, floor=floor), [word.term for word in words], visible)
    if explain and words:
        found.rejected += _hidden(connection, words, stores)
    del found.rows[limit:]
    return found


def _chosen(words: list[Word]) -> list[Word]:
    """At most `MAX_WORDS`, the telling ones first, in their order."""
    if len(words) <= MAX_WORDS:
        return words
    order = {"whole": 0, "strong": 1, "gram": 2, "weak": 3, "number": 4, "kana": 5, "light": 6}
    best = sorted(range(len(words)), key=lambda at: (order[words[at].kind], at))[:MAX_WORDS]
    return [words[at] for at in sorted(best)]


def groups_of(connection: sqlite3.Connection, stores: Sequence[str], *, live: bool) -> list[tuple[int, int, int]]:
    """Number, rows and terms of the stores' groups."""
    marks = ", ".join("?" * len(stores))
    return connection.execute(
        f"SELECT n, rows, terms FROM groups WHERE live = ? AND store IN ({marks}) AND rows > 0",  # noqa: S608
        (live, *stores),
    ).fetchall()


def _rows_with(
    connection: sqlite3.Connection, word: Word, groups: list[tuple[int, int, int]], cap: int, columns: str = ""
) -> list[int]:
    """Numbers of at most `cap` rows that hold the word."""
    match = f'{columns}"{word.term}"' + ("*" if word.prefix else "")
    rows: list[int] = []
    for group, _, _ in groups:
        low = group << GROUP_BITS
        found = connection.execute(
            "SELECT rowid FROM fts WHERE fts MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?",
            (match, low, low + (1 << GROUP_BITS) - 1, cap - len(rows)),
        )
        rows += [row[0] for row in found]
        if len(rows) >= cap:
            break
    return rows


def _scored(
    connection: sqlite3.Connection,
    words: list[Word],
    groups: list[tuple[int, int, int]],
    *,
    floor: bool,
    hopeless_too: bool = True,
) -> tuple[list[Row], list[Asked]]:
    """The best candidates, each with `score`; and the words with their frequencies.

    `hopeless_too`: also those of which the index tells already that the floor stops them. In a large store they are most of
    the candidates, and reading them most of the work.
    """
    pool, asked = _pool(connection, words, groups, floor=floor, hopeless_too=hopeless_too)
    average = sum(terms for _, _, terms in groups) / sum(rows for _, rows, _ in groups) or 1.0
    found = _fetch(connection, pool)
    for candidate in found:
        _score(candidate, asked, average)
    found.sort(key=lambda row: (-row.score, row.id))
    return found, asked


def _pool(
    connection: sqlite3.Connection,
    words: list[Word],
    groups: list[tuple[int, int, int]],
    *,
    floor: bool,
    hopeless_too: bool,
) -> tuple[list[int], list[Asked]]:
    """Numbers of the rows that share the rarest words, best first; and the words with their frequencies."""
    visible = sum(rows for _, rows, _ in groups)
    cap = max(COUNT_LIMIT, int(visible * COMMON_SHARE) + 1) if floor else visible
    asked: list[Asked] = []
    sums: dict[int, float] = {}
    hopeful: set[int] = set()  # holds two words, or one in its name, an alias, an anchor or a path
    for word in words:
        if word.kind == "light" and floor:
            asked.append(Asked(word, int(visible * LIGHT_SHARE), visible))
            continue
        rows = _rows_with(connection, word, groups, cap)
        one = Asked(word, len(rows), visible)
        asked.append(one)
        if not one.common or not floor:
            if word.kind != "whole":
                hopeful.update(sums.keys() & rows)
            for row in rows:
                sums[row] = sums.get(row, 0.0) + one.idf
    most = POOL if floor else POOL_WITHOUT_FLOOR
    crowded = len(sums) > most
    if crowded:
        for one in asked:
            if one.found_in and not one.common:
                rows = _rows_with(connection, one.word, groups, cap, "{key_terms anchor_terms} : ")
                hopeful.update(rows)
                for row in rows:
                    sums[row] = sums.get(row, 0.0) + one.idf
    pool = sorted(sums, key=lambda n: (-sums[n], n))[:most]
    if crowded and floor and not hopeless_too:
        pool = [n for n in pool if n in hopeful]
    return pool, asked


def _fetch(connection: sqlite3.Connection, numbers: list[int]) -> list[Row]:
    marks = ", ".join("?" * len(numbers))
    return [
        Row(values)
        for values in connection.execute(
            f"SELECT {COLUMNS} FROM memories m JOIN groups g ON g.n = m.n >> {GROUP_BITS} WHERE m.n IN ({marks})",  # noqa: S608
            numbers,
        )
    ]


def _score(row: Row, asked: list[Asked], average: float) -> None:
    """BM25 over weighted fields. Fills `score`, `matched` and `hits`."""
    everything = "".join(row.terms)
    length = len(everything.split())
    norm = _K1 * (1 - _B + _B * length / average)
    for one in asked:
        if f" {one.word.term}" not in everything:
            continue
        weight = 0.0
        exact = in_key = False
        for at, text in enumerate(row.terms):
            whole = text.count(f" {one.word.term} ")
            longer = text.count(f" {one.word.term}") - whole if one.word.prefix else 0
            if whole or longer:
                weight += _FIELDS[at] * (whole + LONGER * longer)
                exact = exact or whole > 0
                in_key = in_key or at in (0, 2)
        if weight:
            row.score += one.idf * weight * (_K1 + 1) / (weight + norm)
            row.hits.append(Hit(one, exact=exact, in_key=in_key))
    row.matched = tuple(hit.asked.word.term for hit in row.hits)


def _judge(row: Row, asked: list[Asked], visible: int) -> str:
    if not row.hits:
        return "floor"
    plain = [one for one in asked if one.word.kind not in ("gram", "kana")]
    telling = any(hit.asked.word.kind in TELLING for hit in row.hits)
    if telling and len(plain) < len(asked) and max("".join(row.terms)) < FIRST_CJK:
        # A memory without any Chinese or Japanese can answer only for the other words of a mixed prompt.
        asked = plain
    return judge(row.hits, asked, visible, in_full=row.named_in_full)


def _judged(rows: list[Row], asked: list[Asked], visible: int, *, floor: bool) -> tuple[list[Row], list[Row]]:
    kept: list[Row] = []
    rejected: list[Row] = []
    for row in rows:
        row.reason = _judge(row, asked, visible) if floor else ""
        if not row.reason and floor and kept:
            share = SHARE_OF_BEST_NAMED if row.named_in_full else SHARE_OF_BEST
            row.reason = "far-below-best" if row.score < share * kept[0].score else ""
        (rejected if row.reason else kept).append(row)
    return kept, rejected


def _hidden(connection: sqlite3.Connection, words: list[Word], stores: Sequence[str]) -> list[Row]:
    """The best of what may not be injected here: not active, not clean, or in a store that this place doesn't see."""
    rest = groups_of(connection, stores, live=False)
    marks = ", ".join("?" * len(stores))
    foreign = connection.execute(
        f"SELECT n, rows, terms FROM groups WHERE rows > 0 AND store NOT IN ({marks})",  # noqa: S608
        tuple(stores),
    ).fetchall()
    hidden: list[Row] = []
    for groups, reason in ((rest, ""), (foreign, "scope")):
        if not groups:
            continue
        rows, asked = _scored(connection, words, groups, floor=True)
        for row in rows:
            if not _judge(row, asked, sum(count for _, count, _ in groups)):
                row.reason = reason or _hidden_because(row)
                hidden.append(row)
    return sorted(hidden, key=lambda row: -row.score)


def _hidden_because(row: Row) -> str:
    if row.status != "active":
        return "status"
    return "broken" if row.clean else "unclean"
