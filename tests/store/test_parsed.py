"""The cache of what was parsed: never believed against a file, never more than the files, never in the way."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay.home import Home
from scrubjay.memory import Parsed, parse
from scrubjay.store import layout, parsed, purge
from scrubjay.store.change import commit, create
from scrubjay.store.forget import forget
from scrubjay.store.library import Library
from tests.store.samples import memory

TEXT = "the teal lighthouse keeps its own tide tables"


def look(home: Home) -> Library:
    """A fresh process's look."""
    parsed.forget_all()
    library = Library.open(home)
    library.memories()
    return library


@pytest.fixture
def kept(home: Home, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one memory that the cache holds for good; the path of its file."""
    monkeypatch.setattr(parsed, "RACY_NS", -(10**12))
    commit(home, [create(memory("one", body=TEXT), layout.user_store(home))], subject="one")
    look(home)
    (path,) = Path(home.user_store).glob("project_*.md")
    return path


def test_a_file_is_parsed_once(home: Home, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what comes from the cache is the same to the last field."""
    before = look(home).memories()
    monkeypatch.setattr(parsed, "parse", lambda *_a, **_k: pytest.fail(f"{kept} was parsed again"))
    assert look(home).memories() == before
    assert stat.S_IMODE(os.stat(parsed.path_of(home)).st_mode) == 0o600


def test_an_edit_that_keeps_size_and_time_is_noticed(home: Home, kept: Path) -> None:
    """`touch -d` and `cp -p` set a time back; the time of the entry they cannot set."""
    old = kept.stat()
    kept.write_text(kept.read_text().replace("teal", "blue"))
    os.utime(kept, ns=(old.st_atime_ns, old.st_mtime_ns))
    assert (kept.stat().st_size, kept.stat().st_mtime_ns) == (old.st_size, old.st_mtime_ns)
    assert "blue" in look(home).memories()[0].memory.body


def test_a_file_changed_just_now_is_read_again(home: Home) -> None:
    """Within one tick of the clock two versions look alike: the second counts."""
    commit(home, [create(memory("one", body=TEXT), layout.user_store(home))], subject="one")
    look(home)
    (path,) = Path(home.user_store).glob("project_*.md")
    known = parsed.folder(home, home.user_store)[path.name]
    path.write_text(path.read_text().replace("teal", "blue"))
    found = path.lstat()
    known.version = (found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
    assert "blue" in parsed.folder(home, home.user_store)[path.name].parsed.memory.body


def damage_row(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("UPDATE files SET data = CAST(replace(CAST(data AS TEXT), 'teal', 'grey') AS BLOB)")
    db.close()


@pytest.mark.parametrize(
    "harm",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(os.urandom(20_000)),
        lambda path: path.write_bytes(path.read_bytes()[:5_000]),
        damage_row,
        Path.unlink,
        lambda path: (path.unlink(), path.symlink_to("/etc/hostname")),
    ],
    ids=["empty", "noise", "cut", "row", "missing", "link"],
)
def test_damage_costs_time_and_nothing_else(home: Home, kept: Path, harm: Callable[[Path], object]) -> None:
    """The files are read, and the cache is made anew."""
    harm(Path(parsed.path_of(home)))
    assert look(home).memories()[0].memory.body == TEXT
    assert not os.path.islink(parsed.path_of(home))
    assert look(home).memories()[0].memory.body == TEXT
    assert kept.exists()


def test_another_parser_reads_the_files_again(home: Home, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an upgrade nothing that the old code read counts."""
    monkeypatch.setattr(parsed, "_maker", lambda: "a later version")
    seen: list[str] = []

    def noted(data: bytes, *, name: str) -> Parsed:
        seen.append(name)
        return parse(data, name=name)

    monkeypatch.setattr(parsed, "parse", noted)
    look(home)
    assert seen == [kept.name]


def test_it_holds_no_more_than_the_files(home: Home, kept: Path) -> None:
    """Edited away or deleted by hand: the next look takes the old text out, from free pages too."""
    cache = Path(parsed.path_of(home))
    assert TEXT.encode() in cache.read_bytes()
    kept.write_text(kept.read_text().replace("teal lighthouse", "red house"))
    look(home)
    assert b"teal lighthouse" not in cache.read_bytes()
    kept.unlink()
    look(home)
    assert b"red house" not in cache.read_bytes()


def test_a_purge_takes_it_along(home: Home, kept: Path) -> None:
    """Proven by the same search; a look that began before the purge does not bring it back."""
    library = look(home)
    late = parsed._Kept(parsed.path_of(home))
    late.fresh[str(kept.parent)] = dict(parsed.folder(home, str(kept.parent)))
    done = forget(home, library, [library.memories()[0].memory.id], purge=True)
    assert done.left == ()
    parsed._kept.clear()
    parsed._kept[late.path] = late
    late.sound = False  # somebody made the file anew
    parsed.keep(home)
    assert os.path.exists(parsed.path_of(home))
    assert purge.search(home, [TEXT]) == []


def test_a_look_only_writes_nothing(home: Home, kept: Path) -> None:
    """`take_in=False` leaves no trace."""
    Path(parsed.path_of(home)).unlink()
    parsed.forget_all()
    Library.open(home, take_in=False).memories()
    assert kept.exists()
    assert not os.path.exists(parsed.path_of(home))
