"""The index follows the files, is replaced as a whole, and may be lost at any time."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from scrubjay.errors import StoreUnavailable
from scrubjay.home import Home
from scrubjay.memory import Memory, render
from scrubjay.search import build, query
from scrubjay.search.build import Refreshed, refresh
from scrubjay.store.library import Library
from tests.search.others import other_entries, other_memories
from tests.search.world import World, memory

SECRET = "gh" + "p_" + ("FAKE" + "fake" + "0123456789") * 2


class Files:
    """Memory files as a person could have written them, and the index over them."""

    def __init__(self, base: Path) -> None:
        self.home = Home(str(base / "home"))
        self.user = Path(self.home.user_store)
        self.user.mkdir(parents=True)

    def write(self, one: Memory) -> Path:
        path = self.user / f"{one.type}_{one.id}.md"
        path.write_bytes(render(one))
        return path

    def refresh(self, *, rebuild: bool = False, repos: tuple[str, ...] = ()) -> Refreshed:
        return refresh(self.home, Library.open(self.home, repos=repos), rebuild=rebuild)

    def ids(self, text: str) -> list[str]:
        connection = query.open(self.home.search)
        assert connection is not None
        with closing(connection):
            return [row.id for row in query.search(connection, text, [str(self.user)]).rows]

    @property
    def stamp(self) -> tuple[int, int]:
        found = os.stat(self.home.search)
        return found.st_ino, found.st_mtime_ns


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def counts(done: Refreshed) -> tuple[int, int, int, int, str]:
    return done.added, done.changed, done.removed, done.unchanged, done.rebuilt


def test_files_are_taken_in_changed_and_dropped_one_by_one(files: Files) -> None:
    """And when nothing happened the index file is not touched."""
    first = files.write(memory(1, "pgbouncer breaks asyncpg"))
    files.write(memory(2, "freezegun is not used"))
    assert counts(files.refresh()) == (2, 0, 0, 0, "missing")
    before = files.stamp
    assert counts(files.refresh()) == (0, 0, 0, 2, "")
    assert files.stamp == before

    files.write(memory(1, "kubernetes needs a sidecar", name="Sidecar"))
    assert counts(files.refresh()) == (0, 1, 0, 1, "")
    assert (files.ids("pgbouncer and asyncpg"), files.ids("kubernetes sidecar")) == ([], ["m-0000000001"])

    first.unlink()
    assert counts(files.refresh()) == (0, 0, 1, 1, "")
    assert files.ids("kubernetes sidecar") == []


def test_a_status_change_takes_a_memory_out_of_reach(files: Files) -> None:
    """Pending ones are in the index for a person's own look, never for a prompt."""
    files.write(memory(1, "pgbouncer breaks asyncpg"))
    files.refresh()
    files.write(memory(1, "pgbouncer breaks asyncpg", status="pending"))
    files.refresh()
    assert files.ids("pgbouncer and asyncpg") == []


def test_rows_that_hold_a_secret_are_named_and_never_found(files: Files) -> None:
    """A person may write one into a file by hand."""
    path = files.write(memory(1, "pgbouncer breaks asyncpg"))
    path.write_text(path.read_text(encoding="utf-8") + f"\ntoken {SECRET}\n", encoding="utf-8")
    assert files.refresh().unclean == ("m-0000000001",)
    assert files.refresh().unclean == ("m-0000000001",)
    assert files.ids("pgbouncer and asyncpg") == []


@pytest.mark.parametrize("damage", ["garbage", "half", "version", "table", "empty"])
def test_a_lost_broken_or_foreign_index_is_built_again(files: Files, damage: str) -> None:
    """The files are the truth; the index is not."""
    files.write(memory(1, "pgbouncer breaks asyncpg"))
    files.refresh()
    path = Path(files.home.search)
    data = path.read_bytes()
    if damage in ("garbage", "half", "empty"):
        path.write_bytes({"garbage": os.urandom(5000), "half": data[: len(data) // 2], "empty": b""}[damage])
    else:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(
                "DROP TABLE fts" if damage == "table" else "UPDATE meta SET value = '0' WHERE key = 'schema'"
            )
            connection.commit()
    expected = "version" if damage == "version" else "corrupt"
    assert counts(files.refresh()) == (1, 0, 0, 0, expected)
    assert files.ids("pgbouncer and asyncpg") == ["m-0000000001"]


def test_nothing_of_a_removed_memory_is_left_in_the_file(files: Files) -> None:
    """Neither its text nor its terms, in no free page; nor beside the file."""
    word = "quixotically"
    files.write(memory(1, "pgbouncer breaks asyncpg"))
    path = files.write(memory(2, f"{word} named hosts {word}"))
    files.refresh()
    assert word[:6].encode() in Path(files.home.search).read_bytes()
    path.unlink()
    files.refresh()
    for left in Path(files.home.state).glob("search.sqlite*"):
        assert word[:6].encode() not in left.read_bytes(), left


def test_the_index_is_private_and_leaves_nothing_beside_it(files: Files) -> None:
    """0600 in a folder of 0700; a half-written one of a killed run is replaced."""
    files.write(memory(1, "pgbouncer breaks asyncpg"))
    state = Path(files.home.state)
    state.mkdir(parents=True, mode=0o700)
    (state / "search.sqlite.new").write_bytes(b"half")
    files.refresh()
    assert stat.S_IMODE(os.stat(files.home.search).st_mode) == 0o600
    assert "search.sqlite.new" not in {path.name for path in state.iterdir()}


def test_a_state_folder_that_cannot_be_written_leaves_the_old_index(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the file; the old answers stay."""
    files.write(memory(1, "pgbouncer breaks asyncpg"))
    files.refresh()
    files.write(memory(2, "freezegun is not used"))
    blocker = Path(files.home.search + ".new")
    blocker.mkdir()
    with pytest.raises(StoreUnavailable) as caught:
        files.refresh()
    assert caught.value.at == files.home.search
    assert files.ids("pgbouncer and asyncpg") == ["m-0000000001"]


def test_a_reader_sees_one_whole_state_while_the_index_is_replaced(tmp_path: Path) -> None:
    """However often it is replaced under a reader: each answer is of one state, and the reader never waits or fails."""
    world = World(tmp_path)
    path = world.home.search
    os.makedirs(os.path.dirname(path))
    states = []
    for number in range(2):
        new = f"{path}.{number}"
        one = World(tmp_path)
        one.put_all(other_entries(60, one.store))
        one.put(memory(1, f"pgbouncer breaks asyncpg, state {number}"))
        build.write(new, iter(one.entries))
        states.append(Path(new).read_bytes())
    Path(path).write_bytes(states[0])
    stop = threading.Event()

    def replace() -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            Path(f"{path}.new").write_bytes(states[turn % 2])
            os.replace(f"{path}.new", path)

    writer = threading.Thread(target=replace)
    writer.start()
    try:
        for _ in range(200):
            connection = query.open(path)
            assert connection is not None
            with closing(connection):
                rows = query.search(connection, "pgbouncer asyncpg state", [world.store]).rows
                assert [row.body for row in rows] in (
                    ["pgbouncer breaks asyncpg, state 0"],
                    ["pgbouncer breaks asyncpg, state 1"],
                )
    finally:
        stop.set()
        writer.join()


def test_refreshes_at_the_same_time_take_turns(files: Files) -> None:
    """The worker and a command: whoever comes second starts from what the first one wrote."""
    for one in other_memories(20):
        files.write(one)
    libraries = [Library.open(files.home) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda library: refresh(files.home, library), libraries))
    assert sorted(one.added for one in done) == [0, 0, 0, 20]
    assert counts(files.refresh()) == (0, 0, 0, 20, "")


def test_a_team_store_that_is_not_looked_at_keeps_its_rows_until_it_is_gone(files: Files, tmp_path: Path) -> None:
    """One worker run knows one repository; the others' memories must not vanish from the index meanwhile."""
    repo = tmp_path / "repo"
    team = repo / ".scrubjay" / "memory"
    team.mkdir(parents=True)
    (team / "project_x.md").write_bytes(render(memory(7, "pgbouncer breaks asyncpg")))
    assert counts(files.refresh(repos=(str(repo),)))[:1] == (1,)
    assert counts(files.refresh())[2] == 0
    connection = query.open(files.home.search)
    assert connection is not None
    with closing(connection):
        rows = query.search(connection, "pgbouncer and asyncpg", [str(team)]).rows
        assert [(row.id, row.trust, row.scope) for row in rows] == [("m-0000000007", "team", "team")]
    (team / "project_x.md").unlink()
    team.rmdir()
    assert counts(files.refresh())[2] == 1


@pytest.mark.slow
def test_a_hundred_thousand_memories_are_built_and_asked_in_bounded_time(tmp_path: Path) -> None:
    """No limit but patience: the build is linear and a prompt stays far below the hook's deadline."""
    import time

    world = World(tmp_path)
    path = world.home.search
    os.makedirs(os.path.dirname(path))
    build.write(path, other_entries(100_000, world.store))
    connection = query.open(path)
    assert connection is not None
    with closing(connection):
        started = time.process_time()
        query.search(connection, "why does the checkout webhook deadlock with kafka?", [world.store])
        assert time.process_time() - started < 0.4


def test_the_index_of_the_same_files_says_the_same(tmp_path: Path) -> None:
    """Built at once or in two refreshes: the same rows in the same order."""
    prompts = ("how do we rebuild the checkout webhook?", "pgbouncer asyncpg", "订单服务的队列用什么?")
    answers = []
    for steps in ((30,), (10, 30)):
        files = Files(tmp_path / f"in{len(steps)}")
        for count in steps:
            for one in other_memories(count):
                files.write(one)
            files.refresh()
        connection = query.open(files.home.search)
        assert connection is not None
        with closing(connection):
            found = [query.search(connection, prompt, [str(files.user)], floor=False).rows for prompt in prompts]
        answers.append([[(row.id, round(row.score, 9)) for row in rows] for rows in found])
    assert answers[0] == answers[1]
