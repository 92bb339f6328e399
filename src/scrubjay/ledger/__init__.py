"""What was done on this machine: marks, cursors, runs, queue, events, what each session was given.

Only marks and usage counts are lost with it; a missing or corrupt ledger is made anew. A ledger opened hot never fails: a
write that finds it busy is skipped (and counted), a read that cannot be answered is empty.

Hot: standard library only.
"""

from __future__ import annotations

from scrubjay import quickjson
from scrubjay.quicksql import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

Row = tuple[object, ...]

SCHEMA = 1
"""`len(schema.MIGRATIONS)`, written here because hooks do not load the migrations; a test compares them."""

HOT_BUSY_MS = 50
"""A hook gives up on a busy ledger after this long (design, 3.10)."""


_SHUT = "unlearnt:"
"""Beginning of the names of facts that keep the times of `shut`."""
_PAUSE = "pause:"


class Resident:
    """The resident block of one session, as it was given."""

    __slots__ = ("at", "memory_ids", "rule_ids", "text", "told_ids")

    def __init__(self, text: str, memory_ids: Sequence[str], rule_ids: Sequence[str], at: str,
                 told_ids: Sequence[str] = ()) -> None:  # fmt: skip
        self.text, self.memory_ids, self.rule_ids, self.at = text, list(memory_ids), list(rule_ids), at
        self.told_ids = list(told_ids)  # of these nothing is left to recall


class Ledger:
    """Use as a context manager or `close` it. Times are texts of `clock.text`."""

    def __init__(self, db: sqlite3.Connection, path: str, *, hot: bool, notes: list[str]) -> None:
        self._db, self.path, self._hot = db, path, hot
        self.notes = notes  # what opening did, in words
        self.skipped = 0  # writes that a hot ledger gave up on

    @classmethod
    def open(cls, path: str) -> Ledger:
        """Cold: creates, migrates, sets WAL (not on network file systems); corrupt → moved aside and made anew.

        Raises `StoreUnavailable` (cannot be written) and `BadInput` (written by a newer scrubjay).
        """
        from scrubjay.ledger import schema

        notes: list[str] = []
        return cls(schema.connect(path, notes), path, hot=False, notes=notes)

    @classmethod
    def open_hot(cls, path: str) -> Ledger | None:
        """For hooks: no migration, gives up after 50 ms; None when missing, corrupt, locked, older or newer."""
        try:
            db = sqlite3.connect(
                "file:" + _quoted(path) + "?mode=rw", uri=True, timeout=HOT_BUSY_MS / 1000, isolation_level=None
            )
        except sqlite3.Error:
            return None
        try:
            if db.execute("PRAGMA user_version").fetchone()[0] == SCHEMA:
                db.execute("PRAGMA synchronous = NORMAL")
                return cls(db, path, hot=True, notes=[])
        except sqlite3.Error:
            pass
        db.close()
        return None

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(self) -> str:
        """ "" or what SQLite's own full check found (`jay doctor`)."""
        verdict = self.rows("PRAGMA quick_check(1)")
        return "" if verdict == [("ok",)] else str(verdict[0][0]) if verdict else "cannot be read"

    # Learning

    def cursor(self, agent: str, path: str) -> str | None:
        """The reader's cursor (JSON text) for a session file."""
        rows = self.rows("SELECT cursor FROM cursors WHERE agent = ? AND path = ?", agent, path)
        return str(rows[0][0]) if rows else None

    def set_cursor(self, agent: str, path: str, cursor: str) -> None:
        self._write("INSERT OR REPLACE INTO cursors VALUES (?, ?, ?)", [(agent, path, cursor)])

    def marked(self, learner: str, version: int, keys: Collection[str]) -> set[str]:
        """Those of `keys` that this learner, in this version or a later one, has read."""
        sql = "SELECT key FROM marks WHERE learner = ? AND version >= ? AND key IN ({})"
        return {str(row[0]) for row in self._among(sql, keys, learner, version)}

    def mark(self, learner: str, version: int, run: int, outcomes: Iterable[tuple[str, str]]) -> None:
        """`outcomes`: (message key, outcome word)."""
        self._write(
            "INSERT INTO marks VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET version = max(version, excluded.version),"
            " run = excluded.run, outcome = excluded.outcome",
            [(learner, key, version, run, outcome) for key, outcome in outcomes],
        )

    def outcomes(self, learner: str) -> dict[str, int]:
        """Outcome word → messages."""
        return _counted(self.rows("SELECT outcome, count(*) FROM marks WHERE learner = ? GROUP BY 1", learner))

    def branches(self, agent: str, session: str, live: Mapping[str, bool]) -> None:
        """Note which messages of a session lie on its live branch."""
        rows = [(key, agent, session, int(is_live)) for key, is_live in live.items()]
        self._write("INSERT OR REPLACE INTO branches VALUES (?, ?, ?, ?)", rows)

    def abandoned(self, keys: Collection[str]) -> set[str]:
        """Those of `keys` that some session has and that are off the live branch in every session that has them."""
        sql = "SELECT key FROM branches WHERE key IN ({}) GROUP BY key HAVING max(live) = 0"
        return {str(row[0]) for row in self._among(sql, keys)}

    def start_run(self, kind: str, *, at: str) -> int:
        """Id of a new run (`learn`, `dream`, …)."""
        self._write("INSERT INTO runs (kind, started_at) VALUES (?, ?)", [(kind, at)])
        return _int(self.rows("SELECT max(id) FROM runs WHERE kind = ? AND started_at = ?", kind, at)[0][0])

    def end_run(self, run: int, *, at: str, outcome: str, counts: Mapping[str, int] | None = None) -> None:
        sql = "UPDATE runs SET ended_at = ?, outcome = ?, counts = ? WHERE id = ?"
        self._write(sql, [(at, outcome, quickjson.dumps(dict(counts or {})), run)])

    def runs(self, kind: str = "", limit: int = 20) -> list[dict[str, object]]:
        """Newest first: id, kind, started_at, ended_at ("" = killed or running), outcome, counts."""
        sql = "SELECT id, kind, started_at, ended_at, outcome, counts FROM runs WHERE ? IN ('', kind) ORDER BY id DESC LIMIT ?"
        found = self._dicts(sql, "id kind started_at ended_at outcome counts", kind, limit)
        return [{**row, "counts": quickjson.loads(str(row["counts"]))} for row in found]

    # Queue

    def enqueue(self, kind: str, payload: str, *, at: str) -> None:
        """One job; the same (kind, payload) waiting already is not queued twice. It gets a new id, so that `done` of the
        old one, which a worker may be at, does not take what came in meanwhile with it."""
        self._write("INSERT OR REPLACE INTO queue (kind, payload, at) VALUES (?, ?, ?)", [(kind, payload, at)])

    def take(self) -> tuple[int, str, str] | None:
        """The oldest job (id, kind, payload); it stays until `done`, so a killed worker leaves it for the next."""
        rows = self.rows("SELECT id, kind, payload FROM queue ORDER BY id LIMIT 1")
        return (_int(rows[0][0]), str(rows[0][1]), str(rows[0][2])) if rows else None

    def done(self, job: int) -> None:
        self._write("DELETE FROM queue WHERE id = ?", [(job,)])

    def waiting(self) -> int:
        """Jobs in the queue."""
        rows = self.rows("SELECT count(*) FROM queue")
        return _int(rows[0][0]) if rows else 0

    # Hooks

    def note_event(self, agent: str, event: str, session: str, outcome: str, *, ms: int = 0, **more: str) -> None:
        """One firing of a hook. `more`: `at`, `cwd` and `detail`, which never holds text of a prompt or a memory."""
        at, cwd, detail = more.get("at", ""), more.get("cwd", ""), more.get("detail", "")
        sql = "INSERT INTO events (at, agent, event, session, cwd, outcome, detail, ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        self._write(sql, [(at, agent, event, session, cwd, outcome, detail, ms)])

    def events(self, agent: str = "", limit: int = 100) -> list[dict[str, object]]:
        """Newest first: agent, event, session, cwd, outcome, detail, ms, at."""
        names = "agent event session cwd outcome detail ms at"
        sql = f"SELECT {names.replace(' ', ', ')} FROM events WHERE ? IN ('', agent) ORDER BY id DESC LIMIT ?"  # noqa: S608 - constant
        return self._dicts(sql, names, agent, limit)

    def last_events(self) -> dict[tuple[str, str], str]:
        """(agent, event) → time of the newest firing."""
        rows = self.rows("SELECT agent, event, max(at) FROM events GROUP BY 1, 2")
        return {(str(agent), str(event)): str(at) for agent, event, at in rows}

    def injected(self, agent: str, session: str) -> dict[str, tuple[str, str]]:
        """Memory id → (channel, at), since the session's last `clear_injected`."""
        sql = "SELECT memory, channel, at FROM injected WHERE agent = ? AND session = ?"
        return {str(memory): (str(channel), str(at)) for memory, channel, at in self.rows(sql, agent, session)}

    def injected_chars(self, agent: str, session: str, channel: str) -> int:
        """Characters that this channel brought since the last `clear_injected`."""
        sql = "SELECT total(chars) FROM injected WHERE agent = ? AND session = ? AND channel = ?"
        rows = self.rows(sql, agent, session, channel)
        return int(float(str(rows[0][0]))) if rows else 0

    def add_injected(self, agent: str, session: str, rows: Iterable[tuple[str, str, int, str]], *, at: str) -> bool:
        """`rows`: (memory id, channel, characters, prompt id). Counts the use of each memory. False when the session has
        every one of them already: of two hooks that fire for one prompt only the first may give it."""
        rows = list(rows)
        usage = (
            "INSERT INTO usage SELECT ?, 1, ? WHERE NOT EXISTS (SELECT 1 FROM injected WHERE (agent, session, memory) ="
            " (?, ?, ?)) ON CONFLICT DO UPDATE SET times = times + 1, at = excluded.at"
        )
        return self.write_all([
            (usage, [(memory, at, agent, session, memory) for memory, *_ in rows]),
            ("INSERT OR IGNORE INTO injected VALUES (?, ?, ?, ?, ?, ?, ?)",
             [(agent, session, memory, channel, at, chars, prompt) for memory, channel, chars, prompt in rows]),
        ]) > 0  # fmt: skip

    def injected_prompts(self, agent: str, session: str) -> set[str]:
        """Ids of the prompts that brought something since the last `clear_injected`."""
        sql = "SELECT DISTINCT prompt FROM injected WHERE agent = ? AND session = ? AND prompt <> ''"
        return {str(row[0]) for row in self.rows(sql, agent, session)}

    def free_injected(self, agent: str, session: str, prompts: Collection[str]) -> None:
        """A rewind took these prompts (by prompt id) out of the context: what they brought may come again."""
        sql = "DELETE FROM injected WHERE agent = ? AND session = ? AND prompt = ?"
        self._write(sql, [(agent, session, prompt) for prompt in prompts])

    def clear_injected(self, agent: str, session: str) -> None:
        """After a compaction. Usage counts stay."""
        self._write("DELETE FROM injected WHERE agent = ? AND session = ?", [(agent, session)])

    def resident(self, agent: str, session: str) -> Resident | None:
        sql = "SELECT text, memories, rules, told, at FROM residents WHERE agent = ? AND session = ?"
        for text, memories, rules, told, at in self.rows(sql, agent, session):
            lists = [quickjson.loads(str(ids)) for ids in (memories, rules, told)]
            return Resident(str(text), lists[0], lists[1], str(at), lists[2])
        return None

    def set_resident(self, agent: str, session: str, resident: Resident, *, replace: bool = True) -> bool:
        """False without `replace` when the session has one already (another hook was faster)."""
        ids = map(quickjson.dumps, (resident.memory_ids, resident.rule_ids, resident.told_ids))
        other = "REPLACE" if replace else "IGNORE"
        sql = f"INSERT OR {other} INTO residents VALUES (?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - one of two constants
        return self._write(sql, [(agent, session, resident.text, *ids, resident.at)]) > 0

    def note_compaction(self, agent: str, session: str, *, at: str) -> None:
        self._write("INSERT OR REPLACE INTO compactions VALUES (?, ?, ?)", [(agent, session, at)])

    def last_compaction(self, agent: str, session: str) -> str:
        """Its time, "" when there was none."""
        rows = self.rows("SELECT at FROM compactions WHERE agent = ? AND session = ?", agent, session)
        return str(rows[0][0]) if rows else ""

    def set_last(self, cwd: str, agent: str, session: str, channel: str, detail: str, *, at: str) -> None:
        """What a directory's newest session was given and why, as JSON text without memory bodies (`jay last`)."""
        self.write_all([
            ("DELETE FROM last WHERE cwd = ? AND NOT (agent = ? AND session = ?)", [(cwd, agent, session)]),
            ("INSERT INTO last (cwd, agent, session, channel, detail, at) VALUES (?, ?, ?, ?, ?, ?)",
             [(cwd, agent, session, channel, detail, at)]),
        ])  # fmt: skip

    def last(self, cwd: str) -> list[dict[str, object]]:
        """Newest first, of the newest session in this directory: agent, session, channel, detail, at."""
        sql = "SELECT agent, session, channel, detail, at FROM last WHERE cwd = ? ORDER BY id DESC LIMIT 200"
        return self._dicts(sql, "agent session channel detail at", cwd)

    # Counters, pauses, facts

    def usage(self, ids: Collection[str] | None = None) -> dict[str, tuple[int, str]]:
        """Memory id → (times injected, last time)."""
        sql = "SELECT memory, times, at FROM usage"
        rows = self.rows(sql) if ids is None else self._among(sql + " WHERE memory IN ({})", ids)
        return {str(memory): (_int(times), str(at)) for memory, times, at in rows}

    def count(self, name: str, by: int = 1) -> None:
        """A named counter, such as `turns.dropped`."""
        sql = "INSERT INTO counters VALUES (?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value"
        self._write(sql, [(name, by)])

    def counts(self) -> dict[str, int]:
        return _counted(self.rows("SELECT name, value FROM counters ORDER BY name"))

    def pause(self, scope: str, until: str, *, at: str = "") -> None:
        """`scope`: "" everything, else a project key or a path; `until`: a time, or "" until `resume`. `at`: "" is now."""
        self._write("INSERT OR REPLACE INTO pauses VALUES (?, ?)", [(scope, until)])
        self.shut(_PAUSE + scope, at=at or _now(), until=until)

    def resume(self, scope: str, *, at: str = "") -> None:
        self._write("DELETE FROM pauses WHERE scope = ?", [(scope,)])
        self.reopen(_PAUSE + scope, at=at or _now())

    def pauses(self, *, at: str) -> dict[str, str]:
        """Scope → until, those that hold at this time."""
        rows = self.rows("SELECT scope, until FROM pauses WHERE until = '' OR until > ?", at)
        return {str(scope): str(until) for scope, until in rows}

    def shut(self, scope: str, *, at: str, until: str = "") -> None:
        """From now on (until then) nothing is learnt of what is said in `scope`, however much later it is read.

        `scope`: `pause:` with the scope of a pause, `session:<agent>:<id>`, or `mode:`. An earlier time that is still open
        ends now.
        """
        self.reopen(scope, at=at)
        self.put(f"{_SHUT}{scope}\n{at}", until)

    def reopen(self, scope: str, *, at: str) -> None:
        low, high = _range(scope)
        sql = "UPDATE facts SET value = ? WHERE name > ? AND name < ? AND (value = '' OR value > ?)"
        self._write(sql, [(at, low, high, at)])

    def is_shut(self, scope: str) -> bool:
        """True while a `shut` without an end holds."""
        return bool(self.rows("SELECT 1 FROM facts WHERE name > ? AND name < ? AND value = '' LIMIT 1", *_range(scope)))

    def shut_times(self) -> dict[str, list[tuple[str, str]]]:
        """Scope → (from, until) of every `shut`, "" for one that is open."""
        found: dict[str, list[tuple[str, str]]] = {}
        for name, until in self.rows(
            "SELECT name, value FROM facts WHERE name > ? AND name < ?", _SHUT, _SHUT + "\uffff"
        ):
            scope, _, start = str(name)[len(_SHUT) :].rpartition("\n")
            found.setdefault(scope, []).append((start, str(until)))
        return found

    def get(self, name: str) -> str:
        """A small fact kept by name (`init.at`, `news.shown_at`), "" when unset."""
        rows = self.rows("SELECT value FROM facts WHERE name = ?", name)
        return str(rows[0][0]) if rows else ""

    def put(self, name: str, value: str) -> None:
        self._write("INSERT OR REPLACE INTO facts VALUES (?, ?)", [(name, value)])

    # The connection

    def rows(self, sql: str, *values: object) -> list[Row]:
        """Rows of a query; for this package only."""
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            if self._hot:
                return []
            raise self._unavailable(error) from error

    def _dicts(self, sql: str, names: str, *values: object) -> list[dict[str, object]]:
        return [dict(zip(names.split(), row, strict=True)) for row in self.rows(sql, *values)]

    def _among(self, sql: str, keys: Collection[str], *before: object) -> list[Row]:
        """`sql` with `IN ({})` over many keys, in portions below SQLite's limit of variables (999 before 3.32)."""
        every, found = list(keys), []
        for start in range(0, len(every), 900):
            some = every[start : start + 900]
            found += self.rows(sql.format(",".join("?" * len(some))), *before, *some)
        return found

    def _write(self, sql: str, rows: Sequence[Row]) -> int:
        return self.write_all([(sql, rows)])

    def write_all(self, statements: Sequence[tuple[str, Sequence[Row]]]) -> int:
        """All statements or none: how many rows the last one changed."""
        changed = 0
        try:
            if len(statements) == 1 and len(statements[0][1]) == 1:
                return self._db.execute(statements[0][0], statements[0][1][0]).rowcount
            self._db.execute("BEGIN IMMEDIATE")
            try:
                for sql, rows in statements:
                    changed = self._db.executemany(sql, rows).rowcount
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            if not self._hot:
                raise self._unavailable(error) from error
            self.skipped += 1
            return 0
        return changed

    def _unavailable(self, error: sqlite3.Error) -> Exception:
        from scrubjay.ledger import schema

        return schema.unavailable(error, self.path)


def _range(scope: str) -> tuple[str, str]:
    """Names of one scope's times lie between these two."""
    return f"{_SHUT}{scope}\n", f"{_SHUT}{scope}\v"


def _now() -> str:
    from scrubjay import clock

    return clock.stamp()


def _counted(rows: Sequence[Row]) -> dict[str, int]:
    return {str(name): _int(value) for name, value in rows}


def _int(value: object) -> int:
    return value if isinstance(value, int) else 0


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
