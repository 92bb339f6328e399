"""Transactions: what is written, what is refused, and that a second look sees the same."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from scrubjay.errors import BadInput, Conflict, NothingFound, Refused
from scrubjay.home import Home
from scrubjay.operations import learnt_id
from scrubjay.store import layout, turns
from scrubjay.store.change import archive, commit, create, rewrite
from scrubjay.store.library import Library
from scrubjay.store.turns import KeptTurn
from tests.store.samples import add, evidence, memory


def test_opening_makes_nothing(home: Home) -> None:
    """A library over a home that is not there is empty, and no folder appears."""
    library = Library.open(home)
    assert library.memories() == []
    assert library.notes == ()
    assert not os.path.exists(home.root)


def test_a_memory_is_written_whole(home: Home) -> None:
    """File, index, evidence, turn and history come with one call; all of it is the owner's alone."""
    first = evidence(1)
    kept = KeptTurn(
        key="k1", agent="codex", session="s-1", origin="user", at=first.at, project="", cwd="/w", text="said"
    )
    written = memory("Alpha rule", id=learnt_id(first.id), evidence=(first.id,))
    done = commit(home, [create(written, layout.user_store(home))], subject="Learn", evidence=[first], turns=[kept])
    library = Library.open(home)
    (stored,) = library.memories()
    assert stored.memory == written
    assert stored.path == done.paths[0] == os.path.join(home.user_store, "project_alpha_rule.md")
    assert (stored.hand_made, stored.problems, stored.effective_trust) == (False, (), "user")
    assert library.evidence([first.id, "e-unknown"]) == [first]
    assert (library.has_evidence(first.id), library.evidence_owner(first.id)) == (True, written.id)
    assert list(turns.kept(home)) == [kept]
    assert (
        "- [Alpha rule](project_alpha_rule.md) — when it is about Alpha rule\n"
        in Path(home.user_store, "MEMORY.md").read_text()
    )
    assert done.sha == done.undo != ""
    for folder, _, names in os.walk(home.root):
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700, folder
        for name in names:
            if ".git" not in folder:
                assert stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) == 0o600, name


def test_doing_it_twice_changes_nothing(home: Home) -> None:
    """Looking again, rewriting with the same content and giving the same evidence again leave every byte and the history."""
    add(home, "Alpha", "Beta")
    commit(home, [], subject="Evidence", evidence=[evidence(1)])
    before = {
        path: path.read_bytes() for path in Path(home.root).rglob("*") if path.is_file() and path.parent.name != "state"
    }
    library = Library.open(home)
    assert library.notes == ()
    done = commit(
        home,
        [rewrite(one, one.memory) for one in library.memories()],
        subject="Again",
        evidence=[evidence(1), evidence(1)],
    )
    assert done.sha == ""
    assert len(done.ids) == 2
    Library.open(home)
    changed = [str(path) for path, data in before.items() if path.read_bytes() != data and "ledger" not in path.name]
    assert changed == []


def test_a_file_that_changed_since_it_was_read_is_never_written_over(home: Home) -> None:
    """Lost race: `Conflict` with the path, nothing of the whole transaction is written, and after a new look it works."""
    add(home, "Alpha", "Beta")
    alpha, beta = Library.open(home).memories()
    with open(alpha.path, "a") as file:
        file.write("\nby hand\n")
    both = [rewrite(one, replace(one.memory, description="new")) for one in (beta, alpha)]
    with pytest.raises(Conflict) as conflict:
        commit(home, both, subject="Both")
    assert conflict.value.at == alpha.path
    library = Library.open(home)
    assert [one.memory.description for one in library.memories()] == ["when it is about Alpha", "when it is about Beta"]
    assert library.get(alpha.memory.id).memory.body.endswith("by hand")
    alpha = library.get(alpha.memory.id)
    commit(home, [rewrite(alpha, replace(alpha.memory, description="new"))], subject="Again")
    final = Library.open(home).get(alpha.memory.id).memory
    assert (final.description, final.body.endswith("by hand")) == ("new", True)


def test_refusals_write_nothing(home: Home) -> None:
    """Too long, an id that is taken, a broken file, two changes of one file."""
    add(home, "Alpha")
    (alpha,) = Library.open(home).memories()
    Path(home.user_store, "broken.md").write_bytes(b"---\nname: x\n---\n\xff")
    broken = next(one for one in Library.open(home).memories() if one.broken)
    store = layout.user_store(home)
    attempts: list[tuple[type[Exception], list[object]]] = [
        (Refused, [create(memory("Good"), store), create(memory("x" * 81), store)]),
        (Refused, [create(memory("Other", id=alpha.memory.id), store)]),
        (Refused, [create(memory("One", id="m-1"), store), create(memory("Two", id="m-1"), store)]),
        (Refused, [rewrite(broken, broken.memory)]),
        (BadInput, [rewrite(alpha, replace(alpha.memory, body="1")), rewrite(alpha, replace(alpha.memory, body="2"))]),
    ]
    before = sorted(os.listdir(home.user_store))
    for error, changes in attempts:
        with pytest.raises(error):
            commit(home, changes, subject="No")  # type: ignore[arg-type]
    assert sorted(os.listdir(home.user_store)) == before
    assert Path(broken.path).read_bytes() == b"---\nname: x\n---\n\xff"


def test_the_archive_and_back(home: Home) -> None:
    """Archived and superseded files lie in the archive below their store's path; their ids resolve; a way back exists."""
    store = layout.project_store(home, "acme-1")
    commit(home, [create(memory("Old"), store), create(memory("New", id="m-new"), store)], subject="Two")
    old = next(one for one in Library.open(home).memories() if one.memory.name == "Old")
    gone = replace(old.memory, status="superseded", superseded_by="m-new")
    commit(home, [archive(old, gone)], subject="Supersede")
    library = Library.open(home)
    found = library.get(old.memory.id)
    assert found.path == os.path.join(home.archive, "projects", "acme-1", "project_old.md")
    assert (found.store, found.memory) == (store, gone)
    assert not os.path.exists(old.path)
    assert library.get(old.memory.id, follow=True).memory.id == "m-new"
    assert "Old" not in Path(store.path, "MEMORY.md").read_text()
    commit(home, [rewrite(found, replace(gone, status="active", superseded_by=""))], subject="Back")
    assert Library.open(home).get(old.memory.id).path == old.path
    with pytest.raises(BadInput):
        archive(found, replace(gone, status="pending"))


def test_looking_up(home: Home) -> None:
    """By id, by prefix with or without `m-`; ambiguous and unknown ones are errors that say so."""
    store = layout.user_store(home)
    commit(home, [create(memory("A", id="m-aa11"), store), create(memory("B", id="m-aa22"), store)], subject="Two")
    library = Library.open(home)
    assert library.get("m-aa11").memory.name == library.get("aa1").memory.name == "A"
    with pytest.raises(BadInput):
        library.get("aa")
    commit(home, [create(memory("C", id="m-bb33"), store)], subject="Three")
    with pytest.raises(BadInput, match="too little"):
        Library.open(home).get("bb")  # fits one by chance
    for unknown in ("m-zz", "", "m-"):
        with pytest.raises(NothingFound):
            library.get(unknown)
    assert (library.has("m-aa11"), library.has("aa1")) == (True, False)
    assert library.memories(stores=[layout.project_store(home, "x")]) == library.memories(statuses=["pending"]) == []


def test_names_that_meet(home: Home) -> None:
    """Memories of one name get files of their own, in one transaction and over several."""
    add(home, "Same", "same")
    add(home, "SAME")
    names = sorted(name for name in os.listdir(home.user_store) if layout.is_memory_name(name))
    assert names == ["project_same-2.md", "project_same-3.md", "project_same.md"]


def test_a_team_store(home: Home, tmp_path: Path) -> None:
    """Read from the work tree with the trust of a team, written there, not part of the private history; never through a
    symbolic link; opening a repository writes nothing into it."""
    repo = tmp_path / "repo"
    (repo / ".scrubjay" / "memory").mkdir(parents=True)
    (repo / ".scrubjay" / "memory" / "rule.md").write_text("---\nname: Team rule\ntype: feedback\n---\nText.\n")
    library = Library.open(home, repos=[str(repo), str(repo)])
    (stored,) = library.memories()
    assert (stored.effective_trust, stored.store.scope, stored.hand_made) == ("team", "team", True)
    assert sorted(path.name for path in repo.rglob("*.md")) == ["rule.md"]
    done = commit(home, [create(memory("Second"), stored.store)], subject="Team")
    assert done.sha == ""
    assert (repo / ".scrubjay/memory/MEMORY.md").read_text().count("\n- [") == 2
    third = commit(home, [rewrite(stored, replace(stored.memory, description="changed"))], subject="Team")
    assert third.ids == (stored.memory.id,)
    again = Library.open(home, repos=[str(repo)]).get(stored.memory.id)
    assert again.memory.description == "changed"
    os.rename(repo / ".scrubjay", tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", repo / ".scrubjay")
    assert Library.open(home, repos=[str(repo)]).memories() == []
    with pytest.raises(Refused):
        commit(home, [create(memory("Third"), stored.store)], subject="Team")


def test_links_are_not_followed(home: Home, tmp_path: Path) -> None:
    """A symbolic link in a store is no memory and is not read."""
    add(home, "Alpha")
    (tmp_path / "secret.md").write_text("---\nname: outside\n---\n")
    os.symlink(tmp_path / "secret.md", os.path.join(home.user_store, "link.md"))
    os.symlink(
        tmp_path, os.path.join(home.projects, "p") if os.path.isdir(home.projects) else os.path.join(home.memory, "q")
    )
    assert [one.memory.name for one in Library.open(home).memories()] == ["Alpha"]
    assert "outside" not in Path(home.user_store, "MEMORY.md").read_text()


def test_turns_have_a_limit(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the size limit the oldest kept turns go, and it is said and counted; 0 keeps none."""
    monkeypatch.setenv("SCRUBJAY_LEARN_KEEP_TURNS_MB", "1")

    def turn(number: int) -> KeptTurn:
        at = f"2026-{1 + number // 40:02d}-03T10:12:44Z"
        return KeptTurn(
            key=f"k{number}", agent="a", session="s", origin="user", at=at, project="", cwd="", text="x" * 9000
        )

    commit(home, [], subject="Turns", turns=[turn(number) for number in range(100)])
    done = commit(home, [], subject="Turns", turns=[turn(number) for number in range(100, 130)])
    keys = [one.key for one in turns.kept(home)]
    assert turns.size(home) <= 1_000_000
    assert keys == [f"k{number}" for number in range(130 - len(keys), 130)]
    assert any(f"{130 - len(keys)} oldest kept turns" in note for note in done.notes)
    monkeypatch.setenv("SCRUBJAY_LEARN_KEEP_TURNS_MB", "0")
    commit(home, [], subject="Turns", turns=[turn(200)])
    assert "k200" not in [one.key for one in turns.kept(home)]


def test_evidence_reads_around_damage(home: Home) -> None:
    """Torn and foreign lines are passed over; what is appended after a torn line stands on a line of its own."""
    commit(home, [], subject="One", evidence=[evidence(1)])
    path = Path(home.evidence, "2026-09.jsonl")
    path.write_bytes(b"\x00garbage\n[1]\n" + path.read_bytes() + b'{"id": "e-torn')
    commit(home, [], subject="Two", evidence=[evidence(1), evidence(2), evidence(3, at="")])
    found = Library.open(home).evidence([evidence(number).id for number in (1, 2, 3)])
    assert found == [evidence(1), evidence(2), evidence(3, at="")]
    assert sorted(os.listdir(home.evidence)) == ["2026-09.jsonl", "undated.jsonl"]


def test_the_look_after_a_change_is_what_a_fresh_look_sees(home: Home) -> None:
    """Created, rewritten and archived memories, read without the others."""
    add(home, "Alpha", "Beta", "Gamma")
    library = Library.open(home)
    one, two, _ = library.memories()
    proof = evidence(7)
    done = commit(
        home,
        [
            create(memory("Delta", evidence=(proof.id,)), layout.user_store(home)),
            rewrite(one, replace(one.memory, body="Changed.")),
            archive(two, replace(two.memory, status="archived", reason="wrong")),
        ],
        subject="Change",
        evidence=[proof],
    )
    after, fresh = library.after(done.ids, done.paths), Library.open(home)
    assert sorted(after.memories(), key=lambda one: one.path) == sorted(fresh.memories(), key=lambda one: one.path)
    assert after.get(two.memory.id).path == fresh.get(two.memory.id).path
    assert after.evidence_owner(proof.id) == fresh.evidence_owner(proof.id) is not None
    assert library.get(one.memory.id).memory == one.memory
