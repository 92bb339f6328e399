"""Databases of agents are read beside the agent, never written, never waited for without end, and never crash a reader."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.agents import database
from scrubjay.agents.rows import MARK_ROWS
from scrubjay.errors import UnknownFormat
from tests.agents.recorded import materialise
from tests.agents.stores import HermesStore, OpenClawStore, Store

MAKERS: dict[str, Callable[[Path], Store]] = {"hermes": HermesStore, "openclaw": OpenClawStore}


def filled(agent: str, home: Path) -> Store:
    """With one session of one prompt."""
    if agent == "hermes":
        hermes = HermesStore(home)
        hermes.session("s1")
        hermes.say("s1", "user", "use tabs")
        return hermes
    claw = OpenClawStore(home)
    claw.window("s1")
    claw.say("s1", "user", "use tabs")
    return claw


def state(folder: Path) -> dict[str, tuple[str, int]]:
    """Hash and time of every file."""
    return {
        str(path.relative_to(folder)): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith("-shm")
    }


@pytest.mark.parametrize("agent", sorted(MAKERS))
def test_a_resting_database_stays_as_it_is_and_alone(agent: str, tmp_path: Path) -> None:
    """In WAL mode SQLite would put a log and a lock file beside it: reading leaves none, also below a folder of mode 0500."""
    store = filled(agent, tmp_path)
    os.chmod(store.path, 0o400)
    os.chmod(store.path.parent, 0o500)
    before = state(tmp_path)
    store.read()
    assert store.prompts("s1") == [("use tabs", True)]
    assert state(tmp_path) == before
    assert os.listdir(store.path.parent) == [store.path.name]


@pytest.mark.parametrize("agent", sorted(MAKERS))
def test_what_stands_in_the_log_only_is_read(agent: str, tmp_path: Path) -> None:
    """The agent runs: its last rows are in its write-ahead log, which reading neither empties nor changes."""
    store = filled(agent, tmp_path)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as running:
        running.execute("PRAGMA wal_autocheckpoint = 0")
        running.execute("UPDATE " + ("messages SET content = 'use spaces'" if agent == "hermes" else
                        "transcript_events SET event_json = replace(event_json, 'use tabs', 'use spaces')"))  # fmt: skip
        before = state(tmp_path)
        store.read()
        assert store.prompts("s1") == [("use spaces", True)]
        assert state(tmp_path) == before


@pytest.mark.skipif(os.getuid() != 0, reason="another user is needed, whom the folder belongs to")
def test_a_log_in_a_folder_that_cannot_be_written_is_read_from_a_copy(tmp_path: Path) -> None:
    """A log without its lock file (after a crash, on a read-only mount) needs one, and there is no place for it."""
    store = filled("hermes", tmp_path / "one")
    with closing(sqlite3.connect(store.path, isolation_level=None)) as running:
        running.execute("UPDATE messages SET content = 'use spaces'")
        for ending in ("", "-wal"):
            data = Path(f"{store.path}{ending}").read_bytes()
            (tmp_path / f"state.db{ending}").write_bytes(data)
    os.chmod(tmp_path, 0o555)
    for folder in tmp_path.parents:
        if folder.stat().st_uid == 0 and str(folder).startswith(tempfile.gettempdir() + os.sep):
            os.chmod(folder, 0o755)
    before = state(tmp_path)
    with tempfile.TemporaryFile() as answer:
        child = os.fork()
        if not child:
            with suppress(BaseException):
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
                with database.opened(str(tmp_path / "state.db")) as db:
                    os.write(answer.fileno(), json.dumps(list(db.rows("SELECT content FROM messages"))).encode())
            os._exit(0)
        os.waitpid(child, 0)
        answer.seek(0)
        assert json.loads(answer.read() or b"null") == [["use spaces"]]
    assert state(tmp_path) == before


@pytest.mark.parametrize("agent", sorted(MAKERS))
def test_a_database_that_is_held_is_waited_for_a_while_and_then_told(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No endless wait, no empty answer: an error that is tried again, and the cursor stays."""
    store = filled(agent, tmp_path)
    (source,) = store.reader.find(str(tmp_path), {})
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as running:
        running.execute("PRAGMA journal_mode = DELETE")
        running.execute("BEGIN EXCLUSIVE")
        running.execute("PRAGMA user_version = 1")
        with pytest.raises(OSError, match="holds the database"):
            store.reader.read(source, None)
        held = store.reader.find(str(tmp_path), {})
        assert [one.session for one in held] == [""]
        with pytest.raises(OSError, match="holds the database"):
            store.reader.read(held[0], None)
        running.execute("ROLLBACK")
    store.read()
    assert store.prompts("s1") == [("use tabs", True)]


def test_a_database_that_changes_while_it_is_read_as_one_that_does_not_is_told(tmp_path: Path) -> None:
    """The agent was started in the middle of a read: what was read after it may be of two minds."""
    store = HermesStore(tmp_path)
    store.session("s1")
    with store.db() as db:
        many = [("s1", "user", f"prompt {number}", 1.0 + number) for number in range(3 * database.BATCH)]
        db.executemany("INSERT INTO messages(session_id, role, content, timestamp) VALUES (?, ?, ?, ?)", many)
    with database.opened(str(store.path)) as opened:
        rows = opened.rows("SELECT content FROM messages")
        next(rows)
        store.say("s1", "user", "one more")
        with pytest.raises(OSError, match="changed while it was read"):
            list(rows)


@pytest.mark.parametrize("agent", sorted(MAKERS))
def test_a_newer_schema_is_refused_by_its_number(agent: str, tmp_path: Path) -> None:
    """Said with the file and what helps, not read by guess; the other agents' sessions are not hindered."""
    store = HermesStore(tmp_path, version=23) if agent == "hermes" else OpenClawStore(tmp_path, version=24)
    (source,) = store.reader.find(str(tmp_path), {})
    with pytest.raises(UnknownFormat, match=r"schema version 2[34] is unknown: up to 2[23]") as refused:
        store.reader.read(source, None)
    assert refused.value.at == str(store.path)
    assert "upgrade scrubjay" in refused.value.hint


@pytest.mark.parametrize("agent", sorted(MAKERS))
@pytest.mark.parametrize("damage", ["no database", "cut", "other tables"])
def test_what_is_no_database_of_the_agent_is_told(agent: str, damage: str, tmp_path: Path) -> None:
    """A file that is not empty and gives nothing is an error, not silence."""
    store = filled(agent, tmp_path)
    data = store.path.read_bytes()
    store.path.unlink()
    if damage == "other tables":
        with store.db() as db:
            db.execute(
                "CREATE TABLE messages(id, what)" if agent == "hermes" else "CREATE TABLE transcript_events(seq)"
            )
            db.execute("PRAGMA user_version = 23")
    else:
        store.path.write_bytes(b"always use tabs" * 100 if damage == "no database" else data[: len(data) // 2])
    found = store.reader.find(str(tmp_path), {})
    if agent == "openclaw" and damage == "other tables":
        assert found == []  # a database of the releases that kept only their memory index in it
        return
    for source in found:
        with pytest.raises((UnknownFormat, OSError)):
            store.reader.read(source, None)
    assert found


@pytest.mark.parametrize("part", ["hermes/acme-api", "openclaw/acme-api"])
def test_nothing_new_reads_nothing_and_a_lost_cursor_gives_the_same(part: str, tmp_path: Path) -> None:
    """A second read of a whole recording hands on no message; a read from the top has the same messages and branches."""
    materialise(part, tmp_path)
    store = MAKERS[part.partition("/")[0]](tmp_path)
    store.read()
    assert not any(reading.session.messages or reading.branches for reading in store.read())
    again = MAKERS[part.partition("/")[0]](tmp_path)
    again.read()
    assert (again.messages, again.live) == (store.messages, store.live)
    assert store.rereads == 0


@pytest.mark.slow
def test_a_session_of_many_rows_is_read_in_parts_and_goes_on_at_its_end(tmp_path: Path) -> None:
    """Parts hold at most 10,000 messages; the next read begins at the last turns, inside a turn that is long."""
    store = HermesStore(tmp_path)
    store.session("s1")
    with store.db() as db:
        db.execute("BEGIN")
        for number in range(40_000):
            role = "user" if number % 20 == 0 and number < 20_000 else "assistant"
            db.execute("INSERT INTO messages(session_id, role, content, timestamp, active) VALUES ('s1', ?, ?, ?, 1)",
                       (role, f"text {number}", 1e9 + number * 60))  # fmt: skip
        db.execute("COMMIT")
    readings = store.read()
    assert len(readings) > 2
    assert max(len(reading.session.messages) for reading in readings) < 13_000
    assert len(store.messages["s1"]) == 40_000
    assert all(store.live["s1"].values())
    store.clock = 2e9
    store.say("s1", "user", "one more")
    (last,) = store.read()
    assert len(last.session.fresh) == 1
    assert len(last.session.messages) <= 2 * MARK_ROWS + 1
    assert store.rereads == 0


VALUES = st.one_of(
    st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(), st.text(max_size=30), st.binary(max_size=30)
)
HERMES_ROWS = st.tuples(
    st.one_of(st.sampled_from(["user", "assistant", "tool"]), VALUES),
    st.one_of(st.just("\0json:[{}]"), st.just("[CONTEXT COMPACTION"), VALUES),
    st.one_of(st.just('[{"function":{"arguments":[]}}]'), VALUES), VALUES, VALUES, VALUES, VALUES, VALUES,
)  # fmt: skip
JSON = st.recursive(VALUES.filter(lambda value: not isinstance(value, bytes | float)), lambda inner: st.one_of(
    st.lists(inner, max_size=3),
    st.dictionaries(st.sampled_from(["type", "id", "parentId", "message", "role", "content", "text", "targetId",
                                     "name", "arguments", "__openclaw", "provenance", "timestamp"]), inner, max_size=6)),
    max_leaves=12)  # fmt: skip
EVENTS = st.builds(
    lambda kind, rest: json.dumps({**rest, "type": kind} if isinstance(rest, dict) else rest),
    st.sampled_from(["session", "message", "leaf", "compaction", "custom", "x"]), JSON,
)  # fmt: skip


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(HERMES_ROWS, max_size=6))
def test_arbitrary_rows_of_hermes_never_crash(rows: list[tuple[object, ...]]) -> None:
    """Any value in any column gives messages or a told error."""
    with tempfile.TemporaryDirectory() as folder:
        store = HermesStore(Path(folder))
        store.session("s1")
        with store.db() as db:
            db.executemany(
                "INSERT INTO messages(session_id, role, content, tool_calls, tool_call_id, timestamp, active, compacted,"
                " observed) VALUES ('s1', ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
        for _ in range(2):
            with suppress(UnknownFormat, OSError):
                store.read()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=st.lists(st.one_of(EVENTS, st.text(max_size=40), st.binary(max_size=40)), max_size=6))
def test_arbitrary_events_of_openclaw_never_crash(events: list[str | bytes]) -> None:
    """Any text, any bytes for a compressed event."""
    with tempfile.TemporaryDirectory() as folder:
        store = OpenClawStore(Path(folder))
        store.window("s1")
        for seq, event in enumerate(events, 1):
            column = "event_zstd" if isinstance(event, bytes) else "event_json"
            store.put("transcript_events", session_id="s1", seq=seq, created_at=seq, **{column: event})
        for _ in range(2):
            with suppress(UnknownFormat, OSError):
                store.read()
