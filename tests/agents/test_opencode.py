"""OpenCode: whose words a part holds, forks and reverts, reading a database that is in use, and the files before it."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.agents import Cursor, Reading, database, engine, rows
from scrubjay.agents.opencode import prompts, stores
from scrubjay.errors import UnknownFormat
from scrubjay.session import Message, Session
from tests.agents.dumped import TABLES
from tests.agents.made import READERS, live_prompts, said

READER = READERS["opencode"]
START = 1_788_252_000_000
RUN = [{"permission": name, "pattern": "*", "action": "deny"} for name in ("question", "plan_enter", "plan_exit")]


class OpenCode:
    """The client's database in a home, written as the client does, and what was read of it so far."""

    def __init__(self, home: Path, *, folder: str = ".local/share/opencode", name: str = "opencode.db") -> None:
        self.home, self.path = home, home / folder / name
        self.at = START
        self.cursors: dict[str, Cursor] = {}
        self.messages: dict[str, Message] = {}
        self.live: dict[str, bool] = {}
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.db() as db:
                db.execute("PRAGMA journal_mode = WAL")
                for table, columns in TABLES["opencode"].items():
                    db.execute(f"CREATE TABLE {table}(id text PRIMARY KEY, {', '.join(columns[1:])})")

    @contextmanager
    def db(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            yield connection

    def sql(self, text: str, *values: object) -> None:
        with self.db() as db:
            db.execute(text, values)

    def session(self, name: str = "ses_1", **values: Any) -> None:
        permission = json.dumps(values["permission"]) if "permission" in values else None
        self.sql("INSERT INTO session VALUES(?,?,?,?,?,?,?,?)", name, values.get("parent"), "/w/r",
                 values.get("title", "a title"), None, permission, self.at, self.at)  # fmt: skip

    def message(self, role: str, *parts: object, session: str = "ses_1", at: int = 0, **data: Any) -> str:
        """A message with its parts: texts, or whole ones. Its id."""
        self.at += 1000
        uid = f"msg_{self.at:013x}"
        record = {"role": role, "time": {"created": at or self.at, "completed": self.at + 5}, **data}
        with self.db() as db:
            db.execute(
                "INSERT INTO message VALUES(?,?,?,?,?)", (uid, session, at or self.at, self.at, json.dumps(record))
            )
            for number, part in enumerate(parts):
                text = json.dumps({"type": "text", "text": part} if isinstance(part, str) else part)
                row = (f"prt_{self.at:013x}{number}", uid, session, self.at, self.at, text)
                db.execute("INSERT INTO part VALUES(?,?,?,?,?,?)", row)
            db.execute("UPDATE session SET time_updated = ? WHERE id = ?", (self.at, session))
        return uid

    def turn(self, prompt: str, reply: str = "ok", **values: Any) -> str:
        uid = self.message("user", prompt, **values)
        self.message("assistant", reply, parentID=uid, **values)
        return uid

    def fork(self, old: str, new: str, until: str) -> None:
        """As the client does it: all under new ids, at the old times."""
        self.session(new, title="a title (fork #1)")
        with self.db() as db:
            rows = db.execute("SELECT id, data FROM message WHERE session_id = ? AND id < ? ORDER BY id", (old, until))
            for uid, data in rows.fetchall():
                parts = db.execute("SELECT data FROM part WHERE message_id = ? ORDER BY id", (uid,)).fetchall()
                record = json.loads(data)
                created = record["time"]["created"]
                self.message(
                    record.pop("role"), *(json.loads(part) for (part,) in parts), session=new, at=created, **record
                )

    def revert(self, message: str | None, part: str = "") -> None:
        back = json.dumps({"messageID": message, **({"partID": part} if part else {})}) if message else None
        self.sql("UPDATE session SET revert = ? WHERE id = 'ses_1'", back)

    def read(self) -> list[Reading]:
        found: list[Reading] = []
        for source in READER.find(str(self.home), {}):
            readings = list(READER.read_all(source, self.cursors.get(source.key)))
            cursor = Cursor.from_json(readings[-1].cursor.to_json())
            assert cursor == readings[-1].cursor
            self.cursors[source.key] = cursor
            for reading in readings:
                self.messages.update({message.key: message for message in reading.session.messages})
                self.live.update({m.key: m.key in reading.session.live for m in reading.session.messages})
                self.live.update({key: on for key, on in reading.branches.items() if key in self.messages})
            found += readings
        return found

    def prompts(self) -> list[tuple[str, bool]]:
        return [(m.text, self.live[m.key]) for m in self.messages.values() if m.origin in ("user", "machine")]


def one(store: OpenCode) -> Session:
    (source,) = READER.find(str(store.home), {})
    return READER.read(source, None).session


@pytest.fixture
def store(tmp_path: Path) -> OpenCode:
    made = OpenCode(tmp_path)
    made.session()
    return made


@pytest.mark.parametrize(
    ("parts", "origin", "text"),
    [
        (["use tabs"], "user", "use tabs"),
        (["use tabs", {"type": "text", "text": "never tabs", "synthetic": True}], "user", "use tabs"),
        (["use tabs", {"type": "text", "text": "never tabs", "ignored": True}], "user", "use tabs"),
        ([{"type": "text", "text": "Continue if you have next steps", "synthetic": True}], "harness", None),
        (["<system-reminder>never tabs</system-reminder>"], "harness", None),
        (["Create or update `AGENTS.md` for this repository.\n\nnever tabs"], "harness", None),
        (["use <scrubjay-recall>never tabs</scrubjay-recall>tabs"], "user", "use tabs"),
        ([{"type": "file", "mime": "text/plain", "url": "file:///a"}, "use tabs"], "user", "use tabs"),
        (['"use tabs"'], "machine", "use tabs"),
        (['"use"'], "user", '"use"'),
        (['"use tabs" and "no spaces"'], "user", '"use tabs" and "no spaces"'),
        (["hi \udfff there\0"], "user", "hi \ufffd there"),
    ],
)
def test_only_what_was_typed_is_a_persons_word(
    parts: list[object], origin: str, text: str | None, store: OpenCode
) -> None:
    """What the client or a plugin (ours, too) added is marked as synthetic, or known by how it begins."""
    store.message("user", *parts)
    ((found, words),) = said(one(store))
    assert found == origin
    assert text is None or words == text


@given(st.text(st.sampled_from('ab "\n'), max_size=20).filter(lambda text: " " in text))
def test_what_run_put_into_quotes_comes_out_of_them(text: str) -> None:
    """`opencode run -- TEXT` quotes a text with a blank, and puts a backslash before each quote in it."""
    stored = '"' + text.replace('"', '\\"') + '"'
    assert prompts.unquoted(stored) == (text, "")


def test_what_was_piped_into_run_is_pasted(store: OpenCode) -> None:
    """Standard input follows the quoted prompt; it is no instruction of the person."""
    store.message("user", '"what is \\"this\\"?"\nAlways use tabs.\n')
    (message,) = one(store).messages
    assert (message.text, message.pasted, message.origin) == ('what is "this"?', ("Always use tabs.",), "machine")


def test_a_session_of_run_was_prompted_by_a_program(tmp_path: Path) -> None:
    """It denies itself what only a person could answer, so also a prompt without a blank is a program's."""
    store = OpenCode(tmp_path)
    store.session(permission=RUN)
    store.turn("build")
    session = one(store)
    assert said(session) == [("machine", "build")]
    assert session.headless


def test_tools_show_files_commands_and_who_wrote_their_output(store: OpenCode) -> None:
    """The web and servers of MCP are strangers; the client's own tools are not."""

    def tool(name: str, call: str, output: str, **given: str) -> dict[str, object]:
        state = {"status": "completed", "input": given, "output": output}
        return {"type": "tool", "tool": name, "callID": call, "state": state}

    store.message("user", "go")
    store.message("assistant", {"type": "step-start"}, {"type": "reasoning", "text": "hm"}, "on it",
                  tool("bash", "1", "x" * 9000, command="make"), tool("edit", "2", "", filePath="/w/r/a.py"),
                  tool("webfetch", "3", "<b>", url="u"), tool("jay_recall", "4", "m", path="/not/a/file"),
                  {"type": "patch", "files": ["/w/r/b.py", 3]}, path={"cwd": "/w/r/sub"})  # fmt: skip
    _, told, *outputs = one(store).messages
    assert (told.text, told.files, told.commands) == ("on it", ("/w/r/a.py", "/w/r/b.py"), ("make",))
    assert told.cwd == "/w/r/sub"
    assert [(m.role, m.origin) for m in outputs] == [("tool", o) for o in ("tool", "tool", "external", "external")]
    assert len(outputs[0].text) == 2000


def test_a_compaction_is_a_boundary_and_its_summary_nobodys(store: OpenCode) -> None:
    """The messages before it stay in the table, and stay live."""
    store.turn("use tabs")
    store.message("user", {"type": "compaction", "auto": True})
    store.message("assistant", "Primary request: use spaces", mode="compaction", agent="compaction", summary=True)
    store.message("user", {"type": "text", "text": "Continue if you have next steps", "synthetic": True})
    store.turn("go on")
    session = one(store)
    assert live_prompts(session) == ["use tabs", "go on"]
    assert [m.text for m in session.messages if m.compacted] == ["Primary request: use spaces"]
    assert {m.origin for m in session.messages if "spaces" in m.text} == {"harness"}


def test_a_fork_has_the_keys_of_what_it_took_over(store: OpenCode) -> None:
    """All ids are new in it, and nothing names its parent: the same words at the same time are the same message."""
    store.turn("use tabs")
    second = store.turn("and semicolons")
    store.fork("ses_1", "ses_2", second)
    store.turn("no semicolons", session="ses_2")
    old, new = (READER.read(source, None).session for source in READER.find(str(store.home), {}))
    assert [m.key for m in new.messages[:2]] == [m.key for m in old.messages[:2]]
    assert not {m.key for m in new.messages[2:]} & {m.key for m in old.messages}
    assert new.messages[2].parent == old.messages[1].key
    assert len({m.key for m in old.messages}) == 4


def test_a_sub_agents_session_holds_no_prompt(store: OpenCode) -> None:
    """Only a sub-agent's session names a parent."""
    store.session("ses_2", parent="ses_1")
    store.turn("use tabs", session="ses_2")
    flagged = {source.session: source for source in READER.find(str(store.home), {})}
    assert {name: source.sub_agent for name, source in flagged.items()} == {"ses_1": False, "ses_2": True}
    session = READER.read(flagged["ses_2"], None).session
    assert session.sub_agent
    assert said(session) == [("harness", "use tabs")]


def test_a_revert_is_seen_undone_and_made_final(store: OpenCode) -> None:
    """It marks the session; the next prompt deletes the rows, and what an earlier read met there is left behind."""
    store.turn("we have webhooks")
    redis = store.turn("use redis")
    store.turn("with a day's ttl")
    store.read()
    store.revert(redis)
    store.read()
    assert store.prompts() == [("we have webhooks", True), ("use redis", False), ("with a day's ttl", False)]
    store.revert(None)
    store.read()
    assert [live for _, live in store.prompts()] == [True, True, True]
    store.revert(redis)
    for table, column in (("part", "message_id"), ("message", "id")):
        store.sql(f"DELETE FROM {table} WHERE {column} >= ?", redis)
    store.revert(None)
    store.turn("use postgres")
    fresh = {key for reading in store.read() for key in reading.session.fresh}
    assert store.prompts() == [
        ("we have webhooks", True),
        ("use redis", False),
        ("with a day's ttl", False),
        ("use postgres", True),
    ]
    new = next(message for message in store.messages.values() if message.text == "use postgres")
    assert new.key in fresh
    assert new.parent in {message.key for message in store.messages.values() if message.text == "ok"}
    assert store.read()[0].branches == {}


def test_a_revert_of_a_part_keeps_its_message(store: OpenCode) -> None:
    """An answer of which a piece was taken back was still given."""
    first = store.turn("use tabs")
    store.turn("and semicolons")
    store.revert(f"msg_{int(first[4:], 16) + 1000:013x}", "prt_1")
    session = one(store)
    assert live_prompts(session) == ["use tabs"]
    assert session.messages[1].key in session.live


def test_read_after_every_message_as_at_once_and_only_new_rows(
    store: OpenCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read after each message gives, together, what one read gives, and asks for no row of long ago."""
    asked: list[int] = []
    plain = database.Database.document

    def document(self: database.Database, table: str, column: str, rowid: int) -> tuple[bytes, bool]:
        asked.append(rowid)
        return plain(self, table, column, rowid)

    monkeypatch.setattr(database.Database, "document", document)
    fresh: list[str] = []
    for number in range(12):
        store.message("user", f"prompt {number}")
        fresh += [key for reading in store.read() for key in reading.session.fresh]
        store.message("assistant", f"answer {number}")
        asked.clear()
        readings = store.read()
        assert not any(reading.reread for reading in readings)
        fresh += [key for reading in readings for key in reading.session.fresh]
    assert len(asked) <= 10
    asked.clear()
    (reading,) = store.read()
    assert (reading.session.messages, reading.branches) == ((), {})
    assert len(asked) <= 1
    once = OpenCode(store.home)
    once.read()
    assert store.messages == once.messages
    assert store.live == once.live
    assert len(fresh) == len(set(fresh)) == 24


def test_what_is_still_being_written_waits(store: OpenCode) -> None:
    """A prompt without its words, an answer that goes on: the next read has them whole."""
    store.turn("one")
    words = store.message("user")
    store.read()
    assert len(store.messages) == 2
    data = json.dumps({"type": "text", "text": "two"})
    store.sql("INSERT INTO part VALUES('prt_x',?,'ses_1',1,1,?)", words, data)
    going = store.message("assistant", "half", time={"created": store.at})
    store.read()
    assert [m.text for m in store.messages.values()] == ["one", "ok", "two"]
    store.sql("UPDATE part SET data = ? WHERE message_id = ?", json.dumps({"type": "text", "text": "whole"}), going)
    done = {"role": "assistant", "time": {"created": store.at, "completed": store.at}}
    store.sql("UPDATE message SET data = ? WHERE id = ?", json.dumps(done), going)
    store.read()
    assert [m.text for m in store.messages.values()] == ["one", "ok", "two", "whole"]


def fingerprint(path: Path) -> tuple[str, int]:
    return hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns


def test_a_database_in_use_is_read_with_its_log_and_left_as_it_is(store: OpenCode) -> None:
    """What the client wrote since its last checkpoint is in the log; the database's bytes and times stay."""
    with store.db() as client:
        client.execute("PRAGMA wal_autocheckpoint = 0")
        store.turn("only in the log")
        before = fingerprint(store.path)
        assert live_prompts(one(store)) == ["only in the log"]
        assert fingerprint(store.path) == before


def test_a_log_that_a_killed_client_left_is_read(store: OpenCode) -> None:
    """Nobody wrote it into the database, and neither do we."""
    script = (
        "import os, sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "db.execute(\"UPDATE session SET title = 'from the log'\"); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", script, str(store.path)], check=True)
    assert os.path.getsize(f"{store.path}-wal")
    before = fingerprint(store.path)
    assert one(store).title == "from the log"
    assert fingerprint(store.path) == before


def test_a_locked_database_is_said_to_be_and_tried_again(store: OpenCode, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a failure for ever: the source is still found, its cursor stays."""
    store.turn("use tabs")
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    with store.db() as client:
        client.execute("PRAGMA journal_mode = DELETE")
        client.execute("BEGIN EXCLUSIVE")
        client.execute("UPDATE session SET title = 'b'")
        (source,) = READER.find(str(store.home), {})
        with pytest.raises(OSError, match="holds the database"):
            READER.read(source, None)
        client.execute("ROLLBACK")
    assert live_prompts(one(store)) == ["use tabs"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("ALTER TABLE part RENAME COLUMN data TO body", "table part has no column data"),
        ("DROP TABLE message", "table message has no columns"),
    ],
)
def test_an_unknown_layout_is_refused_by_name(change: str, told: str, store: OpenCode) -> None:
    """With the file, what is missing and what to do; more columns do no harm."""
    store.turn("use tabs")
    store.sql("ALTER TABLE session ADD COLUMN more")
    assert live_prompts(one(store)) == ["use tabs"]
    store.sql(change)
    (source,) = READER.find(str(store.home), {})
    with pytest.raises(UnknownFormat, match=told) as caught:
        READER.read(source, None)
    assert (caught.value.at, bool(caught.value.hint)) == (str(store.path), True)


def test_a_session_in_the_tables_to_come_is_refused_by_name(store: OpenCode) -> None:
    """Silence would look like a session without a prompt."""
    store.sql("CREATE TABLE session_message(id text PRIMARY KEY, session_id, data)")
    assert one(store).messages == ()
    store.sql("INSERT INTO session_message VALUES('m', 'ses_1', '{}')")
    with pytest.raises(UnknownFormat, match="session_message"):
        one(store)


@pytest.mark.parametrize("data", [b"SQLite format 3\0 no more than that", b"\xff" * 5000])
def test_what_is_no_database_is_a_failure(data: bytes, tmp_path: Path) -> None:
    """A damaged file is told, not passed over."""
    store = OpenCode(tmp_path)
    store.path.write_bytes(data)
    (source,) = READER.find(str(tmp_path), {})
    with pytest.raises((UnknownFormat, OSError)):
        READER.read(source, None)


def test_an_overlong_part_is_cut_and_counted(store: OpenCode) -> None:
    """Its long strings are shortened while it streams in; what stands beside it is whole."""
    output = {"status": "completed", "input": {"command": "make"}, "output": "x" * 9_000_000}
    store.message("user", "go")
    store.message("assistant", {"type": "tool", "tool": "bash", "callID": "1", "state": output}, "done")
    session = one(store)
    assert [m.text[:5] for m in session.messages] == ["go", "done", "xxxxx"]
    assert session.messages[1].commands == ("make",)
    assert session.skipped == {"long_lines_cut": 1}


def test_broken_and_unknown_rows_are_counted(store: OpenCode) -> None:
    """They cost themselves only."""
    store.turn("use tabs")
    store.sql("UPDATE part SET data = ? WHERE data LIKE '%ok%'", '{"type": "te')
    store.message("oracle", "hm")
    store.message("user", "two", {"type": "hologram"})
    store.sql("INSERT INTO message VALUES('msg_0', 'ses_1', 1, 1, NULL)")
    session = one(store)
    assert live_prompts(session) == ["use tabs", "two"]
    assert session.skipped == {"broken_lines": 2, "unknown_records:oracle": 1, "unknown_records:part hologram": 1}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["role", "time", "created", "type", "text", "tool", "state", "input", "files", "path", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)
VALUES = (
    JSON.map(json.dumps) | st.binary(max_size=20) | st.none() | st.integers(-(1 << 62), 1 << 62) | st.text(max_size=9)
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), JSON, JSON), max_size=4), VALUES, VALUES, VALUES)
def test_rows_of_any_shape_never_crash(
    rows: list[tuple[str, Any, Any]], first: object, second: object, third: object
) -> None:
    """Whatever a column holds: the prompts around it are read."""
    with tempfile.TemporaryDirectory() as folder:
        store = OpenCode(Path(folder))
        store.session()
        store.turn("first prompt")
        for role, part, time in rows:
            store.message(role, part, {"type": "tool", "state": part, "tool": part}, time=time)
        store.sql("INSERT INTO message VALUES('msg_zz1', 'ses_1', ?, ?, ?)", second, third, first)
        store.sql("INSERT INTO part VALUES('prt_zz', 'msg_zz1', 'ses_1', 1, 1, ?)", second)
        store.sql("UPDATE session SET revert = ?, title = ?, directory = ?", third, second, first)
        store.read()
        store.sql("UPDATE session SET permission = ?, parent_id = NULL, time_updated = ?", first, third)
        store.message("user", "last prompt")
        store.read()
        assert next(text for text, _ in store.prompts()) == "first prompt"


def as_files(store: OpenCode, home: Path, *, session: str = "ses_1") -> Path:
    """The session as the releases before the database kept it. Its file."""
    top = home / ".local" / "share" / "opencode" / "storage"

    def put(*names: str, value: object) -> Path:
        path = top.joinpath(*names[:-1], names[-1] + ".json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
        return path

    with store.db() as db:
        (directory, title, revert) = db.execute(
            "SELECT directory, title, revert FROM session WHERE id = ?", (session,)
        ).fetchone()
        for uid, data in db.execute("SELECT id, data FROM message WHERE session_id = ?", (session,)):
            put("message", session, uid, value=json.loads(data))
        for uid, message, data in db.execute("SELECT id, message_id, data FROM part WHERE session_id = ?", (session,)):
            put("part", message, uid, value=json.loads(data))
    record = {
        "id": "another",
        "directory": directory,
        "title": title,
        **({"revert": json.loads(revert)} if revert else {}),
    }
    return put("session", "prj", session, value=record)


def test_sessions_of_the_files_before_the_database_are_the_same(store: OpenCode, tmp_path: Path) -> None:
    """The same keys, so that nothing is learnt twice after the client moved them; moved ones are read in the database."""
    for number in range(3):
        last = store.turn(f"prompt {number}")
    store.revert(last)
    path = as_files(store, tmp_path / "old")
    (source,) = READER.find(str(tmp_path / "old"), {})
    old, new = READER.read(source, None).session, one(store)
    assert (source.path, old.id, old.cwd, old.messages, old.live) == (
        str(path),
        new.id,
        new.cwd,
        new.messages,
        new.live,
    )
    as_files(store, tmp_path)
    assert [found.path for found in READER.find(str(tmp_path), {})] == [str(store.path)]


def test_a_file_that_is_broken_or_a_link_costs_itself(store: OpenCode, tmp_path: Path) -> None:
    """A link may lead anywhere: it is not followed."""
    first, second = store.turn("one"), store.turn("two")
    home = tmp_path / "old"
    storage = as_files(store, home).parents[2]
    (storage / "message" / "ses_1" / f"{first}.json").write_text('{"role": "us')
    part = next((storage / "part" / second).iterdir())
    part.rename(tmp_path / "elsewhere.json")
    part.symlink_to(tmp_path / "elsewhere.json")
    session = READER.read(READER.find(str(home), {})[0], None).session
    assert [m.text for m in session.messages] == ["ok", "ok"]
    assert session.skipped == {"broken_lines": 2}


def test_where_the_database_is(tmp_path: Path) -> None:
    """`XDG_DATA_HOME`, `OPENCODE_DB` (a path, or a name in the data folder) and those of other channels."""
    for folder, name in (("x/opencode", "opencode-dev.db"), ("x/opencode", "mine.db"), ("y", "far.db")):
        OpenCode(tmp_path, folder=folder, name=name).session(f"ses_{name}")
    xdg = {"XDG_DATA_HOME": str(tmp_path / "x")}

    def found(**more: str) -> list[str]:
        return sorted(source.session for source in READER.find(str(tmp_path), {**xdg, **more}))

    assert READER.find(str(tmp_path), {}) == []
    assert found() == ["ses_opencode-dev.db"]
    assert found(OPENCODE_DB=":memory:") == ["ses_opencode-dev.db"]
    assert found(OPENCODE_DB="mine.db") == ["ses_mine.db", "ses_opencode-dev.db"]
    assert found(OPENCODE_DB=str(tmp_path / "y" / "far.db")) == ["ses_far.db", "ses_opencode-dev.db"]
    assert READER.roots(str(tmp_path), {"OPENCODE_DB": str(tmp_path / "y" / "far.db")}) == [str(tmp_path / "y")]


def test_a_huge_session_is_asked_for_as_it_is_read(store: OpenCode, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part is handed on when only its own messages, and none after them, were asked for."""
    for number in range(60):
        store.turn(f"prompt {number}")
    asked: list[str] = []
    ids = stores.Rows.ids

    def counted(self: stores.Rows, first: int) -> Iterator[str]:
        for one in ids(self, first):
            asked.append(one)
            yield one

    monkeypatch.setattr(stores.Rows, "ids", counted)
    monkeypatch.setattr(rows, "IN_PARTS", engine.Limits(chars=1 << 20, messages=10))
    (source,) = READER.find(str(store.home), {})
    readings = READER.read_all(source, None)
    first = next(readings)
    assert 10 <= len(first.session.messages) <= 12
    assert len(set(asked)) <= 12
    assert sum(len(reading.session.fresh) for reading in (first, *readings)) == 120
    assert len(asked) <= 2 * 120
