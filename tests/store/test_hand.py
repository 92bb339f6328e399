"""Files that people edit, add, rename and delete with any editor: noticed, kept, never reformatted."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.home import Home
from scrubjay.store import git, history, layout
from scrubjay.store.change import commit, rewrite
from scrubjay.store.forget import forget
from scrubjay.store.library import Library
from tests.store.samples import add

NOTE = (
    b"\xef\xbb\xbf---\r\nname: Finding: use port 5433\r\ntags: [a, 'b']   # mine\r\n---\r\n"
    b"| a | b |\r\n|---|---|\r\n<!-- x -->\r\n"
)


def test_what_was_done_by_hand_is_kept_and_committed(home: Home) -> None:
    """One commit takes in an edit, an addition and a deletion; the index follows; a second look finds nothing."""
    add(home, "Alpha", id="m-1")
    add(home, "Beta", id="m-2")
    with open(os.path.join(home.user_store, "project_alpha.md"), "a") as file:
        file.write("\nedited\n")
    Path(home.user_store, "note.md").write_bytes(NOTE)
    os.unlink(os.path.join(home.user_store, "project_beta.md"))
    library = Library.open(home)
    assert library.notes == ("Hand edits: 1 changed, 1 added, 1 deleted",)
    assert [(one.memory.name, one.hand_made) for one in library.memories()] == [
        ("Finding: use port 5433", True),
        ("Alpha", True),
    ]
    entry = history.log(home, 1)[0]
    assert entry.subject == "Hand edits: 1 changed, 1 added, 1 deleted"
    assert {path for _, path in entry.changes} == {
        "tombstones/m-2.json", "user/note.md", "user/project_alpha.md", "user/project_beta.md",
    }  # fmt: skip
    assert {"m-1", "m-2"} < set(entry.ids)
    index = Path(home.user_store, "MEMORY.md").read_text()
    assert "[Finding: use port 5433](note.md)" in index
    assert "Beta" not in index
    assert Library.open(home).notes == ()
    assert git.run(home, "status", "--porcelain") == b""


def test_a_file_made_by_hand_keeps_its_bytes_until_it_is_rewritten(home: Home) -> None:
    """Looking never changes it, however often; its id is made of its place and written down by the first rewrite, which
    keeps line ends and the lines of others."""
    add(home, "Alpha")
    path = Path(home.user_store, "note.md")
    path.write_bytes(NOTE)
    first = next(one for one in Library.open(home).memories() if one.hand_made)
    again = next(one for one in Library.open(home).memories() if one.hand_made)
    assert first == again
    assert path.read_bytes() == NOTE
    commit(home, [rewrite(first, replace(first.memory, status="pending", reason="to be looked at"))], subject="Pending")
    stored = Library.open(home).get(first.memory.id)
    assert (stored.path, stored.hand_made) == (str(path), False)
    data = path.read_bytes()
    assert b"tags: [a, 'b']   # mine\r\n" in data
    assert b"| a | b |\r\n|---|---|\r\n<!-- x -->\r\n" in data
    assert f"id: {first.memory.id}\r\n".encode() in data


def test_a_renamed_file_is_the_same_memory(home: Home) -> None:
    """Renamed by hand, also into another store: no tombstone, the id stays."""
    add(home, "Alpha", id="m-1")
    os.makedirs(os.path.join(home.projects, "acme-1"))
    os.rename(os.path.join(home.user_store, "project_alpha.md"), os.path.join(home.projects, "acme-1", "other name.md"))
    library = Library.open(home)
    stored = library.get("m-1")
    assert (stored.store, library.tombstones.all()) == (layout.project_store(home, "acme-1"), [])
    assert "[Alpha](<other name.md>)" in Path(home.projects, "acme-1", "MEMORY.md").read_text()
    assert "Alpha" not in Path(home.user_store, "MEMORY.md").read_text()


def test_a_copied_file_is_another_memory(home: Home) -> None:
    """Two files with one id: the one that we wrote keeps it, the copy is known by its place and says so."""
    add(home, "Alpha", id="m-1")
    original = Path(home.user_store, "project_alpha.md")
    copy = Path(home.user_store, "a copy.md")
    copy.write_bytes(original.read_bytes())
    library = Library.open(home)
    assert library.get("m-1").path == str(original)
    (other,) = [one for one in library.memories() if one.path == str(copy)]
    assert other.memory.id != "m-1"
    assert "id of project_alpha.md" in other.problems[-1]
    copy.unlink()
    assert Library.open(home).tombstones.all() == []
    assert Library.open(home).has("m-1")


def test_an_edited_index_is_kept_in_the_history_and_made_anew(home: Home) -> None:
    """MEMORY.md is ours, yet what a person wrote there is not lost."""
    add(home, "Alpha")
    path = Path(home.user_store, "MEMORY.md")
    before = path.read_bytes()
    path.write_text("my own words\n")
    Library.open(home)
    assert path.read_bytes() == before
    edited = next(entry for entry in history.log(home) if "index" in entry.subject)
    assert history.blobs(home, edited.sha, ["user/MEMORY.md"]) == {"user/MEMORY.md": b"my own words\n"}
    path.unlink()
    Library.open(home)
    assert path.read_bytes() == before


def test_a_change_that_keeps_size_and_time_is_seen(home: Home) -> None:
    """An editor that restores the time stamp, right after a transaction: content decides."""
    add(home, "Alpha", id="m-1")
    path = Path(home.user_store, "project_alpha.md")
    state = path.stat()
    path.write_bytes(path.read_bytes().replace(b"about Alpha", b"about Omega"))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert Library.open(home).get("m-1").memory.description == "when it is about Omega"
    assert Library.open(home).get("m-1").hand_made


@pytest.mark.parametrize("what", ["memory", "everything below"])
def test_a_folder_that_vanished_is_no_forget(home: Home, what: str) -> None:
    """The whole `memory/` gone (an unmounted disk, a fresh start): no tombstone; and back again it is as it was."""
    add(home, "Alpha", id="m-1")
    away = home.memory + "-away"
    if what == "memory":
        os.rename(home.memory, away)
        assert Library.open(home).memories() == []
        os.rename(away, home.memory)
        assert Library.open(home).has("m-1")
    else:
        os.rename(home.memory, away)
        add(home, "Fresh")
    assert Library.open(home).tombstones.all() == []


def test_other_files_are_committed_too(home: Home) -> None:
    """`project.toml`, written beside the memories, comes into the history with the next look and is no memory."""
    add(home, "Alpha")
    os.makedirs(os.path.join(home.projects, "acme-1"))
    Path(home.projects, "acme-1", "project.toml").write_text("x = 1\n")
    library = Library.open(home)
    assert (len(library.memories()), library.notes) == (1, ("Other files: 1 changed",))
    assert git.run(home, "status", "--porcelain") == b""


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=60).map(lambda text: f"---\nname: {text}\n".encode())))
def test_no_bytes_are_lost(home: Home, data: bytes) -> None:
    """Whatever a file in a store holds: it is listed, its bytes stay, and nothing fails."""
    path = Path(home.user_store, "strange.md")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    library = Library.open(home)
    assert [one.path for one in library.memories()] == [str(path)]
    assert path.read_bytes() == data
    assert library.unread() == []


def test_a_pipe_in_place_of_a_file_does_not_hold_up_the_history(home: Home) -> None:
    """Git refuses pipes and sockets: the rest of the change is committed, and so is every later one."""
    add(home, "Alpha", id="m-1")
    add(home, "Beta", id="m-2")
    os.unlink(os.path.join(home.user_store, "project_beta.md"))
    os.mkfifo(os.path.join(home.user_store, "project_beta.md"))
    Path(home.user_store, "note.md").write_bytes(NOTE)

    notes = Library.open(home).notes

    assert not [note for note in notes if "history" in note]
    assert "user/note.md" in {path for _, path in history.log(home, 1)[0].changes}
    add(home, "Gamma", id="m-3")
    assert "m-3" in history.log(home, 1)[0].ids


def test_an_emptied_file_is_damage_and_no_forget(home: Home) -> None:
    """What an editor leaves on a full disk: listed as broken, nothing is forgotten, and the old text put back is the old
    memory again."""
    add(home, "Alpha", id="m-1")
    path = Path(home.user_store, "project_alpha.md")
    before = path.read_bytes()
    path.write_bytes(b"")

    library = Library.open(home)
    (stored,) = library.memories()
    assert (stored.broken, stored.problems) == (True, ("the file is empty",))
    assert library.tombstones.all() == []
    assert "project_alpha.md is empty now" in " ".join(library.notes)

    path.write_bytes(before)
    (stored,) = Library.open(home).memories()
    assert (stored.memory.id, stored.broken) == ("m-1", False)


def test_many_files_made_by_hand_go_into_one_pack_that_a_purge_reaches(home: Home) -> None:
    """A folder of notes copied in is a pack of the history and not a file for each; the history is whole; no object holds
    a purged one's text."""
    os.makedirs(home.user_store)
    for number in range(git.MANY + 10):
        text = "the Quetzalcoatl one" if number == 7 else f"note {number}"
        Path(home.user_store, f"note{number}.md").write_text(f"---\nname: {text}\n---\n\nabout {text}\n")
    library = Library.open(home)
    assert len(library.memories()) == git.MANY + 10
    assert all(one.hand_made for one in library.memories())
    objects = Path(home.memory, ".git", "objects")
    assert sum(path.is_file() for path in objects.rglob("*")) < 20
    assert git.run(home, "fsck", "--strict") == b""
    assert git.run(home, "status", "--porcelain") == b""
    (doomed,) = (one.memory.id for one in library.memories() if "Quetzalcoatl" in one.memory.name)
    forget(home, library, [doomed], purge=True)
    shas = git.run(home, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    everything = git.run(home, "cat-file", "--batch", data=b"\n".join(shas) + b"\n")
    assert b"note 8" in everything
    assert b"Quetzalcoatl" not in everything
