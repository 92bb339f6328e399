"""Forgetting is real: gone, not learnt again, undoable; and after a purge in no byte."""

from __future__ import annotations

import os
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay.errors import NothingFound, Refused
from scrubjay.home import Home
from scrubjay.ledger import Ledger, Resident
from scrubjay.operations import learnt_id
from scrubjay.store import git, history, layout
from scrubjay.store.change import commit, create, rewrite
from scrubjay.store.forget import forget
from scrubjay.store.library import Library
from scrubjay.store.turns import KeptTurn, kept
from tests.store.samples import AT, add, evidence, memory

WORD = "Quetzalcoatl"
SAID = f"Deploys of the {WORD} service always need the vpn job first"
LATER = "2026-09-25T00:00:00Z"


def learn(home: Home) -> str:
    """Two memories with evidence from one message each, and the turns they were said in. The id of the first."""
    first = evidence(1, quote=SAID, file="/nowhere/gone.jsonl")
    second = evidence(2, quote="Reviews are asked for in the morning")
    one = memory(
        f"{WORD} deploys", body=SAID, id=learnt_id(first.id), evidence=(first.id,), description=f"before {WORD} ships"
    )
    two = memory(
        "Reviews", body="Reviews are asked for in the morning.", id=learnt_id(second.id), evidence=(second.id,)
    )
    turns = [
        KeptTurn(
            key=record.message,
            agent="codex",
            session="s",
            origin="user",
            at=AT,
            project="",
            cwd="/w",
            text=record.quote,
        )
        for record in (first, second)
    ]
    store = layout.user_store(home)
    changes = [create(one, store), create(two, store)]
    commit(home, changes, subject=f"Learn {WORD} deploys", evidence=[first, second], turns=turns)
    return one.id


def places_with(home: Home, word: str) -> list[str]:
    """Files below the home with these bytes: raw, or inside any zlib stream of git's objects, packed ones too."""
    found = []
    for path in Path(home.root).rglob("*"):
        if not path.is_file():
            continue
        data = path.read_bytes()
        if (
            word.encode() in data
            or word.lower().encode() in data.lower()
            or any(word.encode() in one for one in inflated(data))
        ):
            found.append(os.path.relpath(path, home.root))
    return found


def inflated(data: bytes) -> list[bytes]:
    """What every place of a file gives that begins like a zlib stream: loose objects begin so, packs hold many."""
    found, place = [], -1
    while (place := data.find(b"\x78", place + 1)) >= 0:
        try:
            found.append(zlib.decompressobj().decompress(data[place:]))
        except zlib.error:
            continue
    return found


def test_forget(home: Home) -> None:
    """The file and its index line go, the other memory stays untouched; a tombstone names the message and holds no text."""
    gone = learn(home)
    library = Library.open(home)
    other = Path(library.get(learnt_id(evidence(2).id)).path)
    before = other.read_bytes()
    done = forget(home, library, [gone], reason="no longer true")
    after = Library.open(home)
    assert done.ids == (gone,)
    assert [one.memory.name for one in after.memories()] == ["Reviews"]
    assert other.read_bytes() == before
    assert WORD not in Path(home.user_store, "MEMORY.md").read_text()
    assert not after.has_evidence(evidence(1).id)
    (stone,) = after.tombstones.all()
    assert (stone.memory, stone.by, stone.messages, stone.evidence) == (gone, "forget", ("k1",), (evidence(1).id,))
    assert WORD.lower() not in Path(home.tombstones, f"{gone}.json").read_text().lower()


def test_what_was_forgotten_is_not_learnt_again(home: Home) -> None:
    """Blocked: its message, a copy, a paraphrase said before. Said again later: not blocked, but to be reviewed."""
    gone = learn(home)
    forget(home, Library.open(home), [gone])
    stones = Library.open(home).tombstones
    paraphrase = f"the vpn job is needed first when you deploy the {WORD} service"
    assert stones.blocks(message_key="k1")
    assert stones.blocks(message_key="other", text=SAID, said_at=AT)
    assert stones.blocks(text=paraphrase, said_at=AT)
    assert stones.blocks(text=paraphrase)
    assert not stones.blocks(message_key="k2", text="Reviews are asked for in the morning", said_at=AT)
    assert not stones.blocks(text=paraphrase, said_at=LATER)
    assert stones.again(text=paraphrase, said_at=LATER)
    assert not stones.again(text="Reviews are asked for in the morning", said_at=LATER)


def test_forget_is_undone_and_done_again(home: Home) -> None:
    """Undo brings back the same bytes and takes the tombstone away; undoing the undo forgets again."""
    gone = learn(home)
    path = Path(Library.open(home).get(gone).path)
    before = path.read_bytes()
    done = forget(home, Library.open(home), [gone])
    undone = history.undo(home, done.undo)
    library = Library.open(home)
    assert path.read_bytes() == before
    assert library.get(gone).hand_made is False
    assert library.tombstones.all() == []
    assert library.has_evidence(evidence(1).id)
    assert WORD in Path(home.user_store, "MEMORY.md").read_text()
    history.undo(home, undone.undo)
    library = Library.open(home)
    assert not library.has(gone)
    assert [stone.memory for stone in library.tombstones.all()] == [gone]


def test_a_file_deleted_by_hand_is_a_forget(home: Home) -> None:
    """Tombstone with its messages and prints; `jay undo` brings the file back."""
    gone = learn(home)
    path = Path(Library.open(home).get(gone).path)
    path.unlink()
    library = Library.open(home)
    assert library.notes == ("Hand edits: 1 deleted",)
    (stone,) = library.tombstones.all()
    assert (stone.by, stone.messages) == ("hand", ("k1",))
    assert library.tombstones.blocks(text=SAID, said_at=AT)
    history.undo(home)
    library = Library.open(home)
    assert (library.notes, library.has(gone), library.tombstones.all()) == ((), True, [])


@pytest.mark.parametrize("forgotten_before", [False, True])
def test_purge_leaves_no_byte(home: Home, forgotten_before: bool) -> None:
    """Memory, all its versions, its index lines, quote, kept turn, commit subject, resident block, search rows: nothing
    is left in any byte, packed objects included; the rest of the history stands; also when it was only forgotten before."""
    gone = learn(home)
    stored = Library.open(home).get(gone)
    commit(home, [rewrite(stored, replace(stored.memory, description=f"second {WORD} text"))], subject="Edit")
    add(home, "Third")
    git.run(home, "gc", "--quiet")  # its objects are in a pack now
    Path(home.search).write_bytes(b"rows about " + WORD.encode())
    with Ledger.open(home.ledger) as ledger:
        ledger.set_resident("codex", "s", Resident(f"{WORD} rule", [gone], [], AT))
    if forgotten_before:
        forget(home, Library.open(home), [gone])
    assert len(places_with(home, WORD)) > 4
    done = forget(home, Library.open(home), [gone], purge=True)
    assert (done.purged, done.undo, done.left, done.out_of_reach, done.notes) == (True, "", (), (), ())
    assert places_with(home, WORD) == []
    library = Library.open(home)
    assert library.notes == ()
    assert [one.memory.name for one in library.memories()] == ["Reviews", "Third"]
    assert library.evidence([evidence(1).id, evidence(2).id]) == [
        evidence(2, quote="Reviews are asked for in the morning")
    ]
    assert [turn.key for turn in kept(home)] == ["k2"]
    assert library.tombstones.blocks(message_key="k1")
    assert library.tombstones.blocks(text=SAID, said_at=AT)
    subjects = [entry.subject for entry in history.log(home)]
    assert subjects[-1] == "[purged]"
    assert "Add 1" in subjects
    assert git.run(home, "status", "--porcelain") == b""
    assert git.run(home, "fsck", "--full", "--strict") == b""
    with pytest.raises(Refused):
        history.undo(home)


def test_purge_keeps_what_others_rest_on(home: Home) -> None:
    """A message that said two things: the quote of the memory that stays stays."""
    one, two = evidence(1, quote=SAID), replace(evidence(2, quote="Reviews are in the morning"), message="k1")
    store = layout.user_store(home)
    changes = [
        create(memory("First", id=learnt_id(one.id), body=SAID, evidence=(one.id,)), store),
        create(memory("Second", id=learnt_id(two.id), evidence=(two.id,)), store),
    ]
    commit(home, changes, subject="Learn", evidence=[one, two])
    forget(home, Library.open(home), [learnt_id(one.id)], purge=True)
    assert Library.open(home).evidence([one.id, two.id]) == [two]


def test_purge_names_what_it_cannot_reach(home: Home, tmp_path: Path) -> None:
    """The transcript of the evidence, an agent's own memory that says the same, and another memory that does."""
    transcript = tmp_path / "session.jsonl"
    transcript.write_text(SAID)
    native = tmp_path / "agent"
    native.mkdir()
    (native / "MEMORY.md").write_text(f"- {SAID}\n")
    (native / "other.md").write_text("nothing")
    first = evidence(1, quote=SAID, file=str(transcript))
    store = layout.user_store(home)
    changes = [
        create(memory("First", id=learnt_id(first.id), body=SAID, evidence=(first.id,)), store),
        create(memory("Second", id="m-second", body=f"As was said: {SAID}"), store),
    ]
    commit(home, changes, subject="Learn", evidence=[first])
    done = forget(home, Library.open(home), [learnt_id(first.id)], purge=True, places=[str(native)])
    assert done.out_of_reach == (str(transcript), str(native / "MEMORY.md"))
    assert [os.path.relpath(path, home.memory) for path in done.left] == [".git", "user/project_second.md"]


def test_purge_of_a_hand_made_file(home: Home) -> None:
    """A file without an id is found in the history by its place."""
    add(home, "Other")
    path = Path(home.user_store, "mine.md")
    path.write_text(f"# {WORD} note\n\nSome text about {WORD} and its ways.\n")
    stored = next(one for one in Library.open(home).memories() if one.hand_made)
    path.write_text(f"# {WORD} note\n\nAnother text about {WORD} and its ways.\n")
    Library.open(home)
    assert forget(home, Library.open(home), [stored.memory.id], purge=True).left == ()
    assert places_with(home, WORD) == []


def test_unknown_and_empty(home: Home) -> None:
    """An unknown id is not found, no id at all is refused; nothing changes."""
    learn(home)
    library = Library.open(home)
    with pytest.raises(NothingFound):
        forget(home, library, ["m-unknown"], purge=True)
    with pytest.raises(Refused):
        forget(home, library, [])
    assert len(Library.open(home).memories()) == 2


def test_on_a_machine_with_another_key(home: Home) -> None:
    """Message keys still block; prints of another key are not compared. A key that a crash cut short is made anew."""
    gone = learn(home)
    forget(home, Library.open(home), [gone])
    Path(home.root, "forget.key").write_bytes(b"other" * 10)
    stones = Library.open(home).tombstones
    assert stones.blocks(message_key="k1")
    assert not stones.blocks(text=SAID, said_at=AT)
    Path(home.root, "forget.key").write_bytes(b"short")
    forget(home, Library.open(home), [learnt_id(evidence(2).id)])
    assert Path(home.root, "forget.key").stat().st_size == 32
    assert Library.open(home).tombstones.blocks(text="Reviews are asked for in the morning", said_at=AT)
