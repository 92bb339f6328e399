"""What people reported about the wrong project's memory, or none: through the command line, the hook and real sessions."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.cases.machine import Machine, git, memory_file

ACME = "git@github.com:acme/api.git"
FACT = "The staging deploy needs the vpn job to run first."
ASKS = "why does the staging deploy fail without the vpn job?"


def test_paths_that_a_client_folds_to_one_name_share_nothing(hooked: Machine) -> None:
    """`test-project`, `test/project`, `test.project`: what one learnt no other is shown,
    by any entry point, although Claude Code keeps the sessions of all of them in one folder."""
    names = ("test-project", "test/project", "test.project")
    folders = [hooked.repository(name) for name in names]
    talks = []
    for folder in folders:
        talk = hooked.talk(folder.name + str(folder), folder)
        talk.say(f"From now on the port of this service is always {5000 + folders.index(folder)}, never 8080.")
        talks.append(talk)
    assert len({talk.path.parent for talk in talks}) == 1
    hooked.learn()
    for number, folder in enumerate(folders):
        (body,) = hooked.listed(folder)
        assert str(5000 + number) in body
        shown = hooked.start(folder, session_id=f"11111111-2222-4333-8444-{number:012}")
        assert shown + "\n" == hooked.jay("context", cwd=folder).out
        others = [str(5000 + other) for other in range(len(folders)) if other != number]
        assert not [port for port in others if port in shown + hooked.recalled("which port has this service?", folder)]


def test_a_repository_that_moved_has_its_memory_at_once(hooked: Machine) -> None:
    """Renamed or moved, with a remote or without one: the command line finds it without a word from the person, and so
    does the hook from the next worker pass on."""
    for name, remote in (("old", ACME), ("lonely", "")):
        folder = hooked.repository(name, remote=remote)
        hooked.remember(FACT, cwd=folder)
        moved = Path(shutil.move(folder, folder.parent / f"{name}-new"))
        assert hooked.listed(moved) == [FACT]
        assert FACT in hooked.recalled(ASKS, moved)


def test_a_renamed_plain_folder_is_named_with_the_way_back(machine: Machine) -> None:
    """Outside git a path is all there is: `jay status` says what looks like it and how to join the two; a dry run writes
    nothing, ids and dates stay, a target with memories of its own keeps them, and it can be undone."""
    folder = machine.folder("m/notes")
    memory = machine.remember(FACT, cwd=folder)
    before = machine.jay("show", memory, "--json").json
    renamed = Path(shutil.move(folder, folder.parent / "records"))
    assert "looks like notes (1 memory): jay relink notes-" in machine.jay("status", cwd=renamed).out

    own = machine.remember("The paper archive is in room 12.", cwd=renamed)
    (old,) = (one["key"] for one in machine.jay("relink", "--json", cwd=renamed).json["similar"])
    files = machine.files(machine.store / "memory")
    assert machine.jay("relink", old, "--dry-run", "--json", cwd=renamed).json["moved"] == [memory]
    assert machine.files(machine.store / "memory") == files
    done = machine.jay("relink", old, "--json", cwd=renamed)
    after = machine.jay("show", memory, "--json").json
    assert {key for key in before if before[key] != after[key]} <= {"file", "project"}
    assert set(machine.listed(renamed)) == {FACT, "The paper archive is in room 12."}
    assert machine.jay("relink", old, "--json", cwd=renamed).json["moved"] == []
    machine.jay("undo", done.json["undo"], cwd=renamed)
    assert machine.jay("show", memory, "--json").json["project"] == old
    assert machine.jay("show", own, "--json").code == 0


def test_a_repository_made_around_a_folder_names_the_folders_memories(machine: Machine) -> None:
    """A folder had memories of its own before `git init` was run above it: they are not silently out of sight."""
    inner = machine.folder("api/src")
    machine.remember(FACT, cwd=inner)
    machine.repository("api")
    assert "looks like src (1 memory): jay relink src-" in machine.jay("status", cwd=inner).out
    (key,) = (one["key"] for one in machine.jay("relink", "--json", cwd=inner).json["similar"])
    assert machine.jay("relink", key, cwd=inner).code == 0
    assert machine.listed(inner) == machine.listed(inner.parent) == [FACT]
    apart = machine.repository("api/vendor")
    assert machine.listed(apart) == []


def test_what_a_work_tree_learnt_outlives_it(hooked: Machine) -> None:
    """A linked work tree starts with the checkout's memories; what is saved there, by hand or from its sessions, is in the
    checkout after the work tree is gone, also when the sessions are read only then. Two trees that save notes under one
    title at once keep both."""
    folder = hooked.repository("api", remote=ACME)
    memory = hooked.remember(FACT, cwd=folder)
    trees = [folder.parent / name for name in ("one", "two")]
    for tree in trees:
        git(folder, "worktree", "add", "-q", str(tree))
        assert FACT in hooked.listed(tree)
        assert memory in hooked.start(tree, session_id=f"11111111-2222-4333-8444-000000000{tree.name}")
        hooked.remember(f"In tree {tree.name} the active ticket is {tree.name}-1.", "--name", "Active ticket", cwd=tree)
    talk = hooked.talk("tree", trees[0])
    talk.say("From now on the database migrations always run before the api container starts.")
    for tree in trees:
        git(folder, "worktree", "remove", str(tree))
    hooked.learn()
    bodies = hooked.listed(folder)
    assert len(bodies) == 4
    assert len([body for body in bodies if "active ticket" in body]) == 2
    assert any("migrations" in body for body in bodies)


def test_the_nearest_project_owns_what_is_said(machine: Machine) -> None:
    """Sub-directories belong to their repository, a repository inside another one to itself, and equal folder names prove
    nothing; a submodule reads its superproject's memories too, and not the other way round."""
    mono = machine.repository("mono", remote=ACME)
    (mono / "packages" / "api").mkdir(parents=True)
    inside = machine.repository("mono/vendor/x", remote="https://example.com/x/x.git")
    twin = machine.repository("other/packages/api")
    library = machine.repository("library", remote="https://example.com/acme/library.git")
    git(mono, "submodule", "add", "-q", str(library), "lib")
    submodule = mono / "lib"
    git(submodule, "remote", "set-url", "origin", "https://example.com/acme/library.git")
    places = {mono / "packages" / "api": "mono", inside: "nested", twin: "twin", submodule: "library"}
    for number, (folder, name) in enumerate(places.items()):
        talk = machine.talk(f"nearest {number}", folder)
        talk.say(f"Remember: releases of {name} are always signed with the key of team {name}.")
    machine.learn()

    def teams(folder: Path) -> set[str]:
        return {name for name in places.values() for body in machine.listed(folder) if f"team {name}" in body}

    assert teams(mono) == teams(mono / "packages" / "api") == {"mono"}
    assert teams(inside) == {"nested"}
    assert teams(twin) == {"twin"}
    assert teams(submodule) == {"library", "mono"}
    assert teams(library) == {"library"}


def test_another_projects_memories_are_no_candidates(hooked: Machine) -> None:
    """Shared vocabulary and file names do not carry a note over: project is a filter, not a hint. Where there is no project
    only the person's own memories are seen."""
    here, there = hooked.repository("here"), hooked.repository("there")
    hooked.remember("auth.ts: the refresh token bug is fixed by rotating the staging deploy key.", cwd=here)
    hooked.remember("I prefer short answers about a staging deploy.", "--user", cwd=here)
    prompt = "auth.ts login bug with the refresh token after a staging deploy"
    for folder, session in (
        (there, "21111111-2222-4333-8444-555555555555"),
        (hooked.home, "31111111-2222-4333-8444-555555555555"),
    ):
        assert "rotating" not in hooked.recalled(prompt, folder)
        assert hooked.listed(folder) == ["I prefer short answers about a staging deploy."]
        said = hooked.start(folder, session_id=session)
        assert "short answers" in said
        assert "rotating" not in said + hooked.ask(prompt, folder, session_id=session)
    assert "rotating" in hooked.recalled(prompt, here)


def test_a_rule_stays_where_it_was_given_unless_the_person_says_every_project(machine: Machine) -> None:
    """Default scope is the project; the person's own tier is for what they say it is for, and the answer names the store."""
    here, there = machine.repository("here"), machine.repository("there")
    machine.talk("a", here).say("Never use type hints here.")
    machine.learn()
    assert machine.listed(here) == ["Never use type hints here."]
    assert machine.listed(there) == []
    shell = "I prefer shell scripts over Python for ad-hoc work."
    machine.remember(shell, "--type", "user", cwd=machine.home)  # in the home folder there is no project
    assert shell in machine.listed(there)
    assert "/memory/user/" in machine.jay("remember", shell + " Always.", "--user", cwd=here).out
    assert "/memory/projects/" in machine.jay("remember", "The linter is ruff.", cwd=here).out


def test_one_home_whatever_the_directory_and_the_spelling(machine: Machine) -> None:
    """HOME behind a link, the store itself a link, an explicit SCRUBJAY_HOME, a process that works in `/`: one store."""
    folder = machine.repository("App Support/x.y/repo")
    link = machine.home.parent / "link"
    link.symlink_to(machine.home)
    inside = link / "w" / "App Support" / "x.y" / "repo"
    assert machine.jay("remember", FACT, cwd=inside, HOME=str(link), SCRUBJAY_HOME=str(link / ".scrubjay")).code == 0
    assert machine.listed(folder) == [FACT]
    assert len(list((machine.store / "memory" / "projects").iterdir())) == 1

    elsewhere = machine.home / "dotfiles" / "memory"
    elsewhere.parent.mkdir()
    shutil.move(machine.store, elsewhere)
    machine.store.symlink_to(elsewhere)
    assert machine.listed(folder) == [FACT]
    for cwd in (folder, machine.folder("a"), Path("/")):
        found = machine.jay("list", "--everywhere", "--json", cwd=cwd, SCRUBJAY_HOME=str(elsewhere)).json
        assert [row["body"] for row in found["memories"]] == [FACT]


def test_a_project_with_another_path_in_a_container_is_found_by_its_url(hooked: Machine) -> None:
    """The memory folder is mounted, the checkout lies elsewhere and the machine has another name."""
    host = hooked.repository("host/r", remote=ACME)
    hooked.remember(FACT, cwd=host)
    container = hooked.repository("workspace", remote="https://github.com/acme/api")
    shutil.rmtree(host)
    shutil.rmtree(hooked.store / "state")
    assert hooked.listed(container) == [FACT]


def test_copied_project_folders_are_named_and_lose_nothing(machine: Machine) -> None:
    """Two store folders that claim one directory (a copy by hand, a bad merge): one is seen, doctor names the other and how
    to join them."""
    folder = machine.repository("api", remote=ACME)
    machine.remember(FACT, cwd=folder)
    (store,) = (machine.store / "memory" / "projects").iterdir()
    twin = store.with_name("api-zzzzz")
    twin.mkdir(mode=0o700)
    shutil.copy(store / "project.toml", twin / "project.toml")
    (twin / "project_extra.md").write_text(memory_file("Extra", "The paper archive is in room 12."))
    bodies = {FACT, "The paper archive is in room 12."}
    (seen,) = machine.listed(folder)
    assert seen in bodies
    found = [one for one in machine.jay("doctor", "--json").json["checks"] if one["name"] == "projects"]
    assert [(one["state"], one["detail"].endswith("is seen there")) for one in found] == [("error", True)]
    assert machine.jay(*found[0]["remedy"].split()[1:], cwd=folder).code == 0
    assert set(machine.listed(folder)) == bodies
    assert not [one for one in machine.jay("doctor", "--json").json["checks"] if one["name"] == "projects"]
