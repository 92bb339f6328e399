"""Joining two projects: by hand, by meeting on one identity, and taking it back."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from scrubjay import projects, scope
from scrubjay.errors import BadInput, NothingFound, Refused
from scrubjay.memory import Memory
from scrubjay.store import history
from scrubjay.store.change import commit, create
from scrubjay.store.layout import project_store
from scrubjay.store.library import Library
from tests.scope_world import World, git, make_world, move

ACME = "git@github.com:acme/api.git"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    return make_world(tmp_path, monkeypatch)


def remember(world: World, key: str, name: str, *, status: str = "active") -> str:
    memory = Memory(
        id="", name=name, description=f"{name}, when asked", type="project", body=f"About {name}.",
        status=status, created="2026-09-03T10:12:44Z",  # type: ignore[arg-type]
    )  # fmt: skip
    return commit(world.home, [create(memory, project_store(world.home, key))], subject=f"Remember {name}").ids[0]


def stored(world: World, key: str) -> dict[str, tuple[str, bytes]]:
    """Id → file name and bytes of a project's memories."""
    library = Library.open(world.home)
    return {
        one.memory.id: (os.path.basename(one.path), Path(one.path).read_bytes())
        for one in library.memories(stores=[project_store(world.home, key)])
    }


def test_a_moved_folder_gets_its_memory_back(world: World) -> None:
    """Outside git: a dry run says what would move, the real one moves it byte for byte, undo takes it back whole."""
    old_place = world.work / "notes"
    old_place.mkdir()
    old = world.key(old_place)
    ids = {remember(world, old, "First"), remember(world, old, "Second", status="archived")}
    before = stored(world, old)
    (world.base / "moved").mkdir()
    new_place = move(old_place, world.base / "moved" / "notes")

    dry = projects.relink(world.home, old, str(new_place), dry_run=True)
    assert (dry.old, dry.new, set(dry.moved), dry.undo) == (old, "", ids, "")
    assert stored(world, old) == before

    done = projects.relink(world.home, str(old_place), str(new_place))
    assert (done.old, set(done.moved)) == (old, ids)
    assert stored(world, done.new) == before
    assert stored(world, old) == {}
    assert world.key(new_place) == world.key(old_place) == done.new
    assert scope.look(world.home, str(new_place)).project == done.new

    files = world.files()
    assert projects.relink(world.home, old, done.new).moved == (), "a second run changes nothing"
    assert world.files() == files

    history.undo(world.home, done.undo)
    assert stored(world, old) == before
    assert stored(world, done.new) == {}
    assert world.key(old_place) == old


def test_both_have_memories_and_none_is_written_over(world: World) -> None:
    """Equal file names, broken files and files without an id, somebody's own files: all of it is there afterwards."""
    one, two = world.init("one", remote=ACME), world.init("two", remote="https://example.com/acme/two")
    old, new = world.key(one), world.key(two)
    same = [remember(world, key, "The same name") for key in (old, new)]
    folder = Path(world.home.projects) / old
    (folder / "by_hand.md").write_text("---\nname: By hand\ndescription: d\ntype: project\n---\n\nText.\n")
    (folder / "broken.md").write_bytes(b"---\n\xff\xfe: [\n")
    (folder / "sub").mkdir()
    (folder / "sub" / "picture.bin").write_bytes(b"\0\1")
    Library.open(world.home)
    known = {one for one, (name, _) in stored(world, old).items() if name != "broken.md"}  # it has no id of its own

    projects.relink(world.home, "api", "two")
    now = stored(world, new)
    assert set(now) >= {*same, *known}
    assert len({name for name, _ in now.values()}) == len(now)
    target = Path(world.home.projects) / new
    assert (target / "broken.md").read_bytes() == b"---\n\xff\xfe: [\n"
    assert (target / "sub" / "picture.bin").read_bytes() == b"\0\1"
    assert stored(world, old) == {}
    assert world.key(one) == world.key(two) == new
    joined = projects.read_all(world.home)
    assert joined[new].remotes == ("example.com/acme/two", "github.com/acme/api")
    assert joined[old].merged_into == new


def test_two_keys_that_meet_on_one_identity_become_one(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy without remote became a project of its own; when it gets the URL it joins the older one, undoably."""
    monkeypatch.setenv("SCRUBJAY_NOW", "2026-09-01T00:00:00Z")
    first = world.init("first", remote=ACME)
    older = world.key(first)
    monkeypatch.setenv("SCRUBJAY_NOW", "2026-09-02T00:00:00Z")
    fact = remember(world, older, "Older")
    copy = world.clone(first, "copy", "--no-local")
    git(copy, "remote", "set-url", "origin", "https://example.com/somewhere/else")
    younger = world.key(copy)
    assert younger != older
    other = remember(world, younger, "Younger")

    git(copy, "remote", "set-url", "origin", ACME)
    assert world.key(copy) == older
    assert set(stored(world, older)) == {fact, other}
    assert world.key(first) == older
    assert history.log(world.home, 1)[0].subject == f"Relink {younger} to {older}: 1 memories"


def test_strangers_that_share_a_url_stay_apart(world: World) -> None:
    """Somebody pointed `origin` of an unrelated repository at a known URL: its memory does not flow over."""
    known, stranger = world.init("known", remote=ACME), world.init("stranger")
    keys = world.key(known), world.key(stranger)
    fact = remember(world, keys[1], "Fact")
    git(stranger, "remote", "add", "origin", ACME)
    assert world.key(stranger) == keys[1] != keys[0]
    assert set(stored(world, keys[1])) == {fact}


def test_sessions_of_a_gone_directory_join_when_the_path_and_the_url_meet(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One agent recorded a folder inside with the URL, another the checkout without it, a third both: one project."""
    monkeypatch.setenv("SCRUBJAY_NOW", "2026-09-01T00:00:00Z")
    first = world.key("/gone/api/src", remote=ACME)
    monkeypatch.setenv("SCRUBJAY_NOW", "2026-09-02T00:00:00Z")
    second = world.key("/gone/api")
    assert first != second
    fact = remember(world, second, "Fact")
    joined = world.key("/gone/api", remote=ACME)
    assert joined == first
    assert set(stored(world, joined)) == {fact}
    assert world.key("/gone/api") == world.key("/gone/api/src") == first


def test_what_cannot_be_joined_is_refused(world: World) -> None:
    """Unknown, ambiguous, the same twice, a broken project file: an error with its reason, and nothing moves."""
    one, two = world.init("x/api"), world.init("y/api")
    keys = world.key(one), world.key(two)
    before = world.files()
    with pytest.raises(NothingFound):
        projects.relink(world.home, "unknown", keys[0])
    with pytest.raises(NothingFound):
        projects.relink(world.home, "/no/such/place", keys[0])
    with pytest.raises(BadInput):
        projects.relink(world.home, "api", keys[0])
    with pytest.raises(BadInput):
        projects.relink(world.home, keys[0], keys[0])
    assert world.files() == before
    (Path(world.home.projects) / keys[0] / "project.toml").write_text("= =")
    with pytest.raises(Refused):
        projects.relink(world.home, keys[0], keys[1])


def test_without_git_joining_works(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The transaction does not need the history."""
    one, two = world.init("one"), world.init("two")
    keys = world.key(one), world.key(two)
    fact = remember(world, keys[0], "Fact")
    monkeypatch.setenv("PATH", "")
    done = projects.relink(world.home, *keys)
    assert (done.moved, done.undo) == ((fact,), "")
    assert set(stored(world, keys[1])) == {fact}
    shutil.rmtree(one)
