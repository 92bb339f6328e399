"""What the index holds without any prompt: standing rules, index lines, what was said in a session. Hot, read only."""

from __future__ import annotations

from scrubjay.quicksql import sqlite3
from scrubjay.search.query import GROUP_BITS, LISTED, Row, groups_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def ranked(
    connection: sqlite3.Connection,
    stores: Sequence[str],
    *,
    rules: bool,
    limit: int = 1000,
    unknown_to: Collection[str] = (),
) -> list[Row]:
    """Live memories of `stores`: pinned first, then what was said most often, then the newest. Rules about how to work come
    before what the user is like. `unknown_to`: ids to leave out."""
    rows: list[Row] = []
    order = {store: at for at, store in enumerate(stores)}
    for group, _, _ in groups_of(connection, stores, live=True):
        numbers = [
            n
            for n, memory_id in connection.execute(
                f"SELECT n, id FROM memories WHERE n >> {GROUP_BITS} = {group} AND rule = ? "  # noqa: S608
                "ORDER BY pinned DESC, said DESC, updated DESC, id LIMIT ?",
                (rules, limit),
            )
            if memory_id not in unknown_to
        ]
        marks = ", ".join("?" * len(numbers))
        rows += [
            Row(values)
            for values in connection.execute(
                f"SELECT {LISTED} FROM memories m JOIN groups g ON g.n = {group} WHERE m.n IN ({marks})",  # noqa: S608
                numbers,
            )
        ]
    rows.sort(key=lambda row: row.id)
    rows.sort(key=lambda row: (row.pinned, row.said, row.updated), reverse=True)
    if rules:
        rows.sort(key=lambda row: (row.type != "feedback", order[row.store]))
    return rows[:limit]


def count(connection: sqlite3.Connection, stores: Sequence[str], *, rules: bool) -> int:
    """How many live memories `stores` hold."""
    return sum(
        int(
            connection.execute(
                f"SELECT count(*) FROM memories WHERE n >> {GROUP_BITS} = {group} AND rule = ?",  # noqa: S608
                (rules,),
            ).fetchone()[0]
        )
        for group, _, _ in groups_of(connection, stores, live=True)
    )


def said_in(connection: sqlite3.Connection, session: str, since: str, until: str = "") -> set[str]:
    """Ids of memories that rest on something said in this session from `since` until `until` ("": no limit)."""
    sql = "SELECT DISTINCT memory FROM evidence WHERE session = ? AND at >= ? AND (? = '' OR at <= ?)"
    rows = connection.execute(sql, (session, since, until, until))
    return {row[0] for row in rows}
