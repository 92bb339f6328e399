"""Log and undo."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay.errors import Conflict, NothingFound
from scrubjay.home import Home
from scrubjay.store import history, layout
from scrubjay.store.change import commit, create, rewrite
from scrubjay.store.library import Library
from tests.store.samples import add, memory


def edit(home: Home, memory_id: str, text: str) -> str:
    stored = Library.open(home).get(memory_id)
    return commit(home, [rewrite(stored, replace(stored.memory, description=text))], subject=f"Edit to {text}").undo


def test_log(home: Home) -> None:
    """Newest first, with time, subject, memories and files; of one memory only what touched it; empty before anything."""
    assert history.log(home) == []
    add(home, "Alpha", id="m-a")
    add(home, "Beta", id="m-b")
    edit(home, "m-a", "one")
    entries = history.log(home)
    assert [(entry.at, entry.subject, entry.ids, entry.changes) for entry in entries] == [
        ("2026-09-20T08:00:00Z", "Edit to one", ("m-a",), (("M", "user/project_alpha.md"),)),
        ("2026-09-20T08:00:00Z", "Add 1", ("m-b",), (("A", "user/project_beta.md"),)),
        ("2026-09-20T08:00:00Z", "Add 1", ("m-a",), (("A", "user/project_alpha.md"),)),
    ]
    assert [entry.subject for entry in history.log(home, id="m-a")] == ["Edit to one", "Add 1"]
    assert [entry.subject for entry in history.log(home, 1)] == ["Edit to one"]


def test_three_edits_and_back_to_the_first(home: Home) -> None:
    """Versions are taken back one by one, newest first; an older one alone is a conflict that changes nothing; a new
    transaction each, so the way forward is undo too."""
    add(home, "Alpha", id="m-a")
    undos = [edit(home, "m-a", text) for text in ("one", "two", "three")]
    path = Path(Library.open(home).get("m-a").path)
    before = path.read_bytes()
    with pytest.raises(Conflict):
        history.undo(home, undos[0])
    assert path.read_bytes() == before
    for undo, expected in zip(reversed(undos), ("two", "one", "when it is about Alpha"), strict=True):
        history.undo(home, undo[:12])
        assert Library.open(home).get("m-a").memory.description == expected
    history.undo(home)
    assert Library.open(home).get("m-a").memory.description == "one"
    assert len(history.log(home)) == 8


def test_undo_of_the_first_commit_of_all(home: Home) -> None:
    """What one `learn` made goes with one undo, without tombstones, and comes back with another."""
    store = layout.user_store(home)
    done = commit(home, [create(memory(name), store) for name in ("A", "B", "C")], subject="Learn")
    undone = history.undo(home, done.undo)
    library = Library.open(home)
    assert (library.memories(), library.tombstones.all(), library.notes) == ([], [], ())
    history.undo(home, undone.undo)
    assert len(Library.open(home).memories()) == 3


def test_undo_without_a_name_means_the_last_change_that_somebody_made(home: Home) -> None:
    """A commit of bookkeeping after it (a project's identity) is passed over."""
    add(home, "Alpha")
    os.makedirs(os.path.join(home.projects, "acme-1"))
    Path(home.projects, "acme-1", "project.toml").write_text("x = 1\n")
    assert Library.open(home).notes == ("Other files: 1 changed",)
    history.undo(home)
    assert Library.open(home).memories() == []
    assert os.path.exists(os.path.join(home.projects, "acme-1", "project.toml"))


@pytest.mark.parametrize("which", ["", "HEAD~1", "--all", "zzzz", "ffffffff", "main"])
def test_only_ids_of_commits_are_taken(home: Home, which: str) -> None:
    """Anything else is not found; nothing is run with it."""
    add(home, "Alpha")
    if which:
        with pytest.raises(NothingFound):
            history.undo(home, which)
    assert len(Library.open(home).memories()) == 1


def test_nothing_to_undo(home: Home) -> None:
    """An empty home."""
    with pytest.raises(NothingFound):
        history.undo(home)


def test_a_hand_edit_after_the_change_is_not_undone_over(home: Home) -> None:
    """The person edited the file since: taken in first, so undoing the older change is a conflict."""
    add(home, "Alpha", id="m-a")
    undo = edit(home, "m-a", "one")
    path = Path(Library.open(home).get("m-a").path)
    path.write_text(path.read_text() + "\nby hand\n")
    with pytest.raises(Conflict):
        history.undo(home, undo)
    assert "by hand" in path.read_text()
