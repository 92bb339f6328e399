"""The ledger: migrations, faults, and that a hook never waits for it or fails on it."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scrubjay import ledger as module
from scrubjay.errors import BadInput, StoreUnavailable
from scrubjay.ledger import Ledger, Resident, schema
from scrubjay.ledger.files import FileRow, files, purge, put_files
from scrubjay.ledger.pruning import prune

AT = "2026-09-03T10:12:44Z"


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "state" / "ledger.sqlite")


def filled(path: str) -> None:
    with Ledger.open(path) as ledger:
        ledger.mark("rules", 1, 1, [("k1", "noop")])
        ledger.set_cursor("codex", "/s", "{}")


def test_every_older_schema_is_migrated_with_its_rows(path: str) -> None:
    """A ledger left at any earlier migration is brought up to date and keeps its marks; names are unique."""
    assert len({name for name, _ in schema.MIGRATIONS}) == len(schema.MIGRATIONS) == module.SCHEMA
    for number in range(len(schema.MIGRATIONS) + 1):
        old = f"{path}-{number}"
        os.makedirs(os.path.dirname(old), exist_ok=True)
        with closing(sqlite3.connect(old)) as db, db:
            for _, script in schema.MIGRATIONS[:number]:
                db.executescript(script)
            db.execute(f"PRAGMA user_version = {number}")
            if number:
                db.execute("INSERT INTO marks VALUES ('rules', 'k', 3, 1, 'noop')")
        db.close()
        with Ledger.open(old) as ledger:
            assert ledger.marked("rules", 3, ["k"]) == ({"k"} if number else set())
            assert ledger.check() == ""


def test_a_failed_migration_leaves_the_ledger_as_it_was(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a migration never stays: the ledger opens again with the version that wrote it."""
    filled(path)
    newer = (*schema.MIGRATIONS, ("m999", "CREATE TABLE more (x); CREATE TABLE marks (x)"))
    monkeypatch.setattr(schema, "MIGRATIONS", newer)
    with pytest.raises(StoreUnavailable):
        Ledger.open(path)
    monkeypatch.undo()
    with Ledger.open(path) as ledger:
        assert ledger.marked("rules", 1, ["k1"]) == {"k1"}
        assert ledger.rows("SELECT name FROM sqlite_master WHERE name = 'more'") == []


def test_a_newer_ledger_is_left_alone(path: str) -> None:
    """Cold: refused with what to do. Hot: no ledger. Its bytes stay."""
    filled(path)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    before = Path(path).read_bytes()
    with pytest.raises(BadInput) as refusal:
        Ledger.open(path)
    assert refusal.value.at == path
    assert refusal.value.hint
    assert Ledger.open_hot(path) is None
    assert Path(path).read_bytes() == before


@pytest.mark.parametrize("damage", ["random", "empty", "page"])
def test_a_corrupt_ledger_is_moved_aside_and_made_anew(path: str, damage: str) -> None:
    """Whatever the file holds, a cold opening gives a working ledger and keeps the damaged bytes beside it."""
    filled(path)
    data = bytearray(Path(path).read_bytes())
    if damage == "random":
        data[:] = os.urandom(5000)
    elif damage == "page":
        data[4096:8192] = b"\xff" * 4096
    else:
        data.clear()
    Path(path).write_bytes(data)
    for ending in ("-wal", "-shm"):
        Path(path + ending).unlink(missing_ok=True)
    hot = Ledger.open_hot(path)
    if hot is not None:  # a page inside is damaged: reading may fail, and then gives nothing
        hot.marked("rules", 1, ["k1"])
        hot.close()
    with Ledger.open(path) as ledger:
        ledger.mark("rules", 1, 1, [("k2", "noop")])
        assert ledger.marked("rules", 1, ["k1", "k2"]) == {"k2"}
        aside = [name for name in os.listdir(os.path.dirname(path)) if ".corrupt-" in name]
        assert len(aside) == len(ledger.notes) == (damage != "empty")


def test_hot_opening_makes_nothing(path: str) -> None:
    """No ledger: None, and no file or folder appears."""
    assert Ledger.open_hot(path) is None
    assert not os.path.exists(os.path.dirname(path))


def test_a_hook_skips_a_busy_ledger_and_a_worker_waits(path: str) -> None:
    """While another process writes: hot reads answer, a hot write is skipped within the deadline and counted, a cold
    write waits and succeeds."""
    filled(path)
    code = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None); db.execute('BEGIN IMMEDIATE');"
        "print('held', flush=True); sys.stdin.readline(); db.execute('COMMIT')"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdin
    assert holder.stdout
    assert holder.stdout.readline() == "held\n"
    hot = Ledger.open_hot(path)
    assert hot is not None
    assert hot.marked("rules", 1, ["k1"]) == {"k1"}
    started = time.monotonic()
    hot.count("x")
    assert hot.skipped == 1
    assert time.monotonic() - started < 1
    with Ledger.open(path) as cold:
        waiter = subprocess.Popen([sys.executable, "-c", WRITE, path])
        holder.stdin.write("\n")
        holder.stdin.close()
        assert holder.wait(10) == waiter.wait(20) == 0
        assert cold.counts() == {"y": 1}
    hot.close()
    holder.stdout.close()


WRITE = "import sys; from scrubjay.ledger import Ledger; Ledger.open(sys.argv[1]).count('y')"


def test_many_processes_open_a_new_ledger_at_once(path: str) -> None:
    """Nobody fails on another's creation, and each count is there."""
    workers = [subprocess.Popen([sys.executable, "-c", WRITE, path]) for _ in range(4)]
    assert [worker.wait(30) for worker in workers] == [0] * 4
    with Ledger.open(path) as ledger:
        assert ledger.counts() == {"y": 4}


def test_modes_and_journal(path: str, tmp_path: Path) -> None:
    """The file is the owner's alone, in WAL; on a network file system there is no WAL."""
    filled(path)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path} nfs4 rw 0 0\n")
    assert schema.on_network(path, str(mounts))
    assert not schema.on_network("/", str(mounts))
    for network, mode in ((False, "wal"), (True, "delete"), (False, "wal")):
        db = schema.connect(path, [], network=network)
        assert db.execute("PRAGMA journal_mode").fetchone()[0] == mode
        db.close()


def test_a_ledger_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    """A folder in the file's place: `StoreUnavailable` with the path, nothing else."""
    (tmp_path / "ledger.sqlite").mkdir()
    with pytest.raises(StoreUnavailable) as error:
        Ledger.open(str(tmp_path / "ledger.sqlite"))
    assert error.value.at == str(tmp_path / "ledger.sqlite")


def test_learning(path: str) -> None:
    """Cursors, marks by learner and version, branches over sessions, runs."""
    with Ledger.open(path) as ledger:
        assert ledger.cursor("codex", "/a") is None
        ledger.set_cursor("codex", "/a", "1")
        ledger.set_cursor("codex", "/a", "2")
        assert ledger.cursor("codex", "/a") == "2"
        ledger.mark("rules", 2, 1, [("a", "noop"), ("b", "created")])
        ledger.mark("rules", 1, 1, [("a", "noop")])  # an older learner takes nothing away
        many = [str(number) for number in range(2000)]
        assert ledger.marked("rules", 2, ["a", "b", "c", *many]) == {"a", "b"}
        assert ledger.marked("rules", 3, ["a"]) == ledger.marked("model", 1, ["a"]) == set()
        assert ledger.outcomes("rules") == {"created": 1, "noop": 1}
        ledger.branches("codex", "s1", {"a": False, "b": False, "c": True})
        ledger.branches("codex", "s2", {"b": True})
        assert ledger.abandoned(["a", "b", "c", "unknown"]) == {"a"}
        run = ledger.start_run("learn", at=AT)
        assert ledger.runs()[0]["ended_at"] == ""
        ledger.end_run(run, at=AT, outcome="created", counts={"created": 2})
        assert ledger.runs("learn") == [
            {
                "id": run,
                "kind": "learn",
                "started_at": AT,
                "ended_at": AT,
                "outcome": "created",
                "counts": {"created": 2},
            }
        ]


def test_queue(path: str) -> None:
    """Jobs in order, each once, there until done; one that comes in again while a worker is at it is done again."""
    with Ledger.open(path) as ledger:
        for payload in ("1", "2"):
            ledger.enqueue("learn", payload, at=AT)
        assert ledger.take() == ledger.take() == (1, "learn", "1")
        ledger.done(1)
        ledger.enqueue("learn", "2", at=AT)
        assert ledger.waiting() == 1
        job = ledger.take()
        assert job
        ledger.enqueue("learn", "2", at=AT)
        ledger.done(job[0])
        assert ledger.waiting() == 1
        again = ledger.take()
        assert again
        ledger.done(again[0])
        assert ledger.take() is None


def test_what_a_session_was_given(path: str) -> None:
    """Injected memories by channel, freed by a rewind, cleared by a compaction; uses are counted over all sessions."""
    Ledger.open(path).close()
    ledger = Ledger.open_hot(path)
    assert ledger is not None
    ledger.add_injected("codex", "s", [("m-1", "resident", 100, ""), ("m-2", "recall", 50, "p1")], at=AT)
    ledger.add_injected("codex", "s", [("m-3", "recall", 25, "p2")], at=AT)
    assert ledger.injected("codex", "s") == {"m-1": ("resident", AT), "m-2": ("recall", AT), "m-3": ("recall", AT)}
    assert ledger.injected_chars("codex", "s", "recall") == 75
    ledger.free_injected("codex", "s", ["p1"])
    assert set(ledger.injected("codex", "s")) == {"m-1", "m-3"}
    ledger.clear_injected("codex", "s")
    assert ledger.injected("codex", "s") == ledger.injected("codex", "other") == {}
    ledger.add_injected("codex", "s", [("m-1", "recall", 1, "p3")], at=AT)
    assert ledger.usage() == {"m-1": (2, AT), "m-2": (1, AT), "m-3": (1, AT)}
    assert ledger.usage(["m-2"]) == {"m-2": (1, AT)}
    assert ledger.resident("codex", "s") is None
    ledger.set_resident("codex", "s", Resident("text", ["m-1"], ["m-9"], AT))
    resident = ledger.resident("codex", "s")
    assert resident
    assert (resident.text, resident.memory_ids, resident.rule_ids, resident.at) == ("text", ["m-1"], ["m-9"], AT)
    assert ledger.last_compaction("codex", "s") == ""
    ledger.note_compaction("codex", "s", at=AT)
    assert ledger.last_compaction("codex", "s") == AT
    ledger.set_last("/w", "codex", "old", "recall", "{}", at=AT)
    ledger.set_last("/w", "codex", "s", "resident", "{}", at=AT)
    ledger.set_last("/w", "codex", "s", "recall", "{}", at=AT)
    assert [(row["session"], row["channel"]) for row in ledger.last("/w")] == [("s", "recall"), ("s", "resident")]
    assert ledger.skipped == 0
    ledger.close()


def test_what_a_session_has_is_given_once(path: str) -> None:
    """Two hooks of one prompt, each with a connection of its own: the first is told to give it; its use counts once."""
    Ledger.open(path).close()
    first, second = Ledger.open_hot(path), Ledger.open_hot(path)
    assert first is not None
    assert second is not None
    rows = [("m-1", "recall", 100, "p1"), ("m-2", "recall", 50, "p1")]
    assert [one.add_injected("codex", "s", rows, at=AT) for one in (first, second)] == [True, False]
    assert first.usage() == {"m-1": (1, AT), "m-2": (1, AT)}
    assert second.add_injected("codex", "s", [*rows, ("m-3", "recall", 1, "p2")], at=AT)
    blocks = (Resident("first", [], [], AT), Resident("second", [], [], AT))
    given = [
        one.set_resident("codex", "s", block, replace=False) for one, block in zip((first, second), blocks, strict=True)
    ]
    assert given == [True, False]
    resident = first.resident("codex", "s")
    assert resident is not None
    assert resident.text == "first"
    assert first.skipped == second.skipped == 0
    first.close()
    second.close()


def test_old_events_and_forgotten_sessions_are_pruned(path: str) -> None:
    """30 days of events, the newest of each kind always; sessions of which nothing was heard for 90 days. Uses stay."""
    days = {"old": "2026-08-01T10:00:00Z", "quiet": "2026-09-15T10:00:00Z", "live": "2026-11-29T10:00:00Z"}
    with Ledger.open(path) as ledger:
        for session, at in days.items():
            ledger.set_resident("codex", session, Resident("text", [], [], at))
            ledger.add_injected("codex", session, [(f"m-{session}", "recall", 1, "p")], at=at)
            ledger.note_compaction("codex", session, at=at)
            ledger.put(f"fork:codex:{session}", "[]")
            for event in ("Stop", f"Start-{session}"):
                ledger.note_event("codex", event, session, "noop", at=at)
        ledger.set_resident("codex", "resumed", Resident("text", [], [], days["old"]))
        ledger.note_event("codex", "Stop", "resumed", "noop", at=days["live"])
        prune(ledger, datetime(2026, 11, 30, tzinfo=UTC))
        assert [one for one in (*days, "resumed") if ledger.resident("codex", one)] == ["quiet", "live", "resumed"]
        assert [bool(ledger.injected("codex", one)) for one in days] == [False, True, True]
        assert [bool(ledger.last_compaction("codex", one)) for one in days] == [False, True, True]
        assert [bool(ledger.get(f"fork:codex:{one}")) for one in days] == [False, True, True]
        kept = [(row["event"], row["session"]) for row in ledger.events()]
        stops = [("Stop", "resumed"), ("Stop", "live")]
        assert sorted(kept) == sorted([*stops, *((f"Start-{one}", one) for one in days)])
        assert set(ledger.usage()) == {"m-old", "m-quiet", "m-live"}


def test_events_counters_pauses_facts(path: str) -> None:
    """What status and doctor read."""
    with Ledger.open(path) as ledger:
        ledger.note_event("codex", "Stop", "s", "ok", ms=3, at=AT, cwd="/w", detail="d")
        assert ledger.events() == [
            {
                "agent": "codex",
                "event": "Stop",
                "session": "s",
                "cwd": "/w",
                "outcome": "ok",
                "detail": "d",
                "ms": 3,
                "at": AT,
            }
        ]
        assert ledger.last_events() == {("codex", "Stop"): AT}
        ledger.count("turns.dropped", 2)
        ledger.count("turns.dropped")
        assert ledger.counts() == {"turns.dropped": 3}
        ledger.pause("", "2026-09-04T00:00:00Z")
        ledger.pause("/w", "")
        assert ledger.pauses(at=AT) == {"": "2026-09-04T00:00:00Z", "/w": ""}
        assert ledger.pauses(at="2026-10-01T00:00:00Z") == {"/w": ""}
        ledger.resume("/w")
        assert ledger.pauses(at="2026-10-01T00:00:00Z") == {}
        assert ledger.get("init.at") == ""
        ledger.put("init.at", AT)
        assert ledger.get("init.at") == AT


def test_purge_leaves_no_byte(path: str) -> None:
    """A purged memory's name is in no byte of the ledger's files, also not in free pages or the write-ahead log."""
    with Ledger.open(path) as ledger:
        ledger.set_resident("codex", "s", Resident("the Zanzibar rule", ["m-1"], ["m-1"], AT))
        ledger.set_last("/w", "codex", "s", "recall", '{"ids": ["m-1"], "note": "Zanzibar"}', at=AT)
        put_files(
            ledger,
            {"user/Zanzibar.md": FileRow("0", (1, 2, 3), memory="m-1", hand=False, evidence=["e-1"], prints=["p"])},
        )
        assert files(ledger)["user/Zanzibar.md"].evidence == ["e-1"]
        purge(ledger, ["m-1"])
        for name in os.listdir(os.path.dirname(path)):
            assert b"Zanzibar" not in Path(os.path.dirname(path), name).read_bytes()


def test_importing_it_is_light() -> None:
    """What a hook loads with the ledger: the standard library's sqlite3 and json, no pathlib, dataclasses or typing."""
    code = "import sys, sqlite3, json; old = set(sys.modules); import scrubjay.ledger; print(sorted(set(sys.modules) - old))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert (
        done.stdout.strip()
        == "['__future__', 'scrubjay', 'scrubjay.ledger', 'scrubjay.quickjson', 'scrubjay.quicksql']"
    )
