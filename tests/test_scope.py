"""Which directory is which project: told as what people do with directories and git, one step after the other."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay import projects, scope
from tests.scope_world import World, git, make_world, move

ACME = "git@github.com:acme/api.git"
FORK = "git@github.com:dev/api.git"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    return make_world(tmp_path, monkeypatch)


def test_one_repository_from_its_first_day_on_is_one_project(world: World) -> None:
    """Plain folder, `git init`, first commit, first remote, `set-url`, another branch: the key stays what it was."""
    folder = world.work / "api"
    folder.mkdir()
    key = world.key(folder)
    assert key.startswith("api-")

    git(folder, "init", "-q")
    assert world.key(folder) == key
    world.commit(folder)
    assert world.key(folder) == key
    git(folder, "remote", "add", "origin", "https://example.com/acme/api.git")
    assert world.key(folder) == key
    git(folder, "remote", "set-url", "origin", ACME)
    assert world.key(folder) == key
    git(folder, "checkout", "-q", "--orphan", "pages")
    world.commit(folder, "pages")
    assert world.key(folder) == key

    project = projects.read_all(world.home)[key]
    assert project.remotes == ("example.com/acme/api", "github.com/acme/api")
    assert project.here() == (str(folder),)
    assert len(project.commits) == 1


def test_a_fork_is_another_project_and_says_what_it_looks_like(world: World) -> None:
    """Unknown path, unknown URL, same first commit: separate, with a pointer to the one that it looks like."""
    ours = world.init("api", remote=ACME)
    key = world.key(ours)
    world.remember(key)
    fork = world.clone(ours, "fork")
    git(fork, "remote", "set-url", "origin", FORK)

    unseen = projects.resolve(world.home, str(fork), create=False)
    assert unseen.project == ""
    assert [(one.key, one.memories, one.reason) for one in projects.similar(world.home, unseen)] == [
        (key, 1, "same first commit")
    ]
    seen = world.resolve(fork)
    assert seen.project != key
    assert [one.key for one in projects.similar(world.home, seen)] == [key]


def test_the_fork_workflow_in_one_checkout_stays_one_project(world: World) -> None:
    """`origin` renamed to `upstream`, the fork added as `origin`: identity is `origin`, the path carries it over."""
    folder = world.init("api", remote=ACME)
    key = world.key(folder)
    git(folder, "remote", "rename", "origin", "upstream")
    git(folder, "remote", "add", "origin", FORK)
    assert world.key(folder) == key
    elsewhere = world.init("elsewhere", remote=FORK)
    git(elsewhere, "remote", "add", "upstream", "https://example.com/other.git")
    assert world.key(elsewhere) == key


def test_a_second_clone_joins_by_its_url_in_any_spelling(world: World) -> None:
    """ssh, scp form, https with a user, a port, another case of the host: the same project."""
    key = world.key(world.init("api", remote=ACME))
    for number, url in enumerate(
        (
            "https://someone@GitHub.com/Acme/API",
            "ssh://git@ssh.github.com:443/acme/api.git/",
            "git://github.com/acme/api",
        )
    ):
        assert world.key(world.init(f"copy{number}", remote=url)) == key


def test_a_shallow_clone_joins_by_url_only_and_is_known_again_by_what_it_holds(world: World) -> None:
    """Its first commit is not the project's first; `set-url` in it is still the same repository."""
    origin = world.init("origin", commits=3)
    first = world.clone(f"file://{origin}", "first")
    git(first, "remote", "set-url", "origin", ACME)
    key = world.key(first)
    cut = world.clone(f"file://{origin}", "cut", "--depth=1")
    git(cut, "remote", "set-url", "origin", FORK)
    other = world.key(cut)
    assert other != key
    git(cut, "remote", "set-url", "origin", "https://example.com/new/place")
    assert world.key(cut) == other

    joined = world.clone(f"file://{origin}", "joined", "--depth=1")
    git(joined, "remote", "set-url", "origin", ACME)
    assert world.key(joined) == key
    nameless = world.clone(f"file://{origin}", "nameless", "--depth=1")
    git(nameless, "remote", "remove", "origin")
    assert world.key(nameless) not in (key, other)


def test_work_trees_and_sub_directories_share_the_memory(world: World) -> None:
    """A linked work tree and a folder inside belong to the checkout, and so do sessions of a work tree that is gone."""
    folder = world.init("api", remote=ACME)
    (folder / "src" / "deep").mkdir(parents=True)
    key = world.key(folder)
    inner = world.resolve(folder / "src" / "deep")
    assert (inner.project, inner.rel, inner.root) == (key, "src/deep", str(folder))

    tree = world.work / "api-feature"
    git(folder, "worktree", "add", "-q", str(tree))
    linked = world.resolve(tree)
    assert (linked.project, linked.root, linked.worktree, linked.rel) == (key, str(folder), str(tree), "")
    assert [one.path for one in linked.stores() if one.scope == "team"] == [str(tree / ".scrubjay/memory")]
    git(folder, "worktree", "remove", str(tree))
    assert world.key(tree / "src") == key


def test_isolated_work_trees_are_projects_of_their_own(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where the setting asks for it; the main checkout is not touched by it."""
    folder = world.init("api", remote=ACME)
    key = world.key(folder)
    tree = world.work / "api-feature"
    git(folder, "worktree", "add", "-q", str(tree))
    assert world.key(tree) == key
    monkeypatch.setenv("SCRUBJAY_PROJECTS_ISOLATE_WORKTREES", "true")
    own = world.key(tree)
    assert own != key
    assert world.key(folder) == key
    monkeypatch.delenv("SCRUBJAY_PROJECTS_ISOLATE_WORKTREES")
    assert world.key(tree) == key


def test_bare_repositories_and_separate_git_directories(world: World) -> None:
    """The work trees of a bare repository are one project; so is a checkout whose git directory lies elsewhere."""
    source = world.init("source")
    bare = world.clone(source, "api.git", "--bare")
    git(bare, "remote", "set-url", "origin", ACME)
    git(bare, "worktree", "add", "-q", str(world.work / "one"))
    git(bare, "worktree", "add", "-q", str(world.work / "two"))
    key = world.key(world.work / "one")
    assert world.key(world.work / "two") == key
    assert world.key(bare) == key

    apart = world.work / "apart"
    (world.work / "gits").mkdir()
    git(world.work, "init", "-q", f"--separate-git-dir={world.work / 'gits' / 'apart'}", str(apart))
    world.commit(apart)
    own = world.key(apart)
    git(apart, "worktree", "add", "-q", str(world.work / "apart-two"))
    assert world.key(world.work / "apart-two") == own != key


def test_a_submodule_is_its_own_project_and_reads_its_superproject(world: World) -> None:
    """Its own memory comes first, the superproject's is read too; a clone that merely lies inside reads nothing of it."""
    library = world.init("library", remote="https://example.com/acme/library")
    outer = world.init("outer", remote=ACME)
    git(outer, "submodule", "add", "-q", str(library), "vendor/library")
    git(outer, "commit", "-q", "-m", "submodule")
    outer_key = world.key(outer)
    inner = world.resolve(outer / "vendor" / "library")
    assert inner.project not in ("", outer_key)
    assert inner.parents == ((outer_key, "vendor/library/"),)
    assert [(one.scope, one.project, one.prefix) for one in inner.stores()] == [
        ("project", inner.project, ""),
        ("project", outer_key, "vendor/library/"),
        ("team", inner.project, ""),
        ("user", "", ""),
    ]
    nested = world.init("outer/scratch", remote="https://example.com/acme/scratch")
    place = world.resolve(nested)
    assert place.project not in (outer_key, inner.project)
    assert place.parents == ()


def test_symlinks_lead_to_the_real_place(world: World) -> None:
    """A link to the checkout, or to a folder above it, is the checkout."""
    folder = world.init("api")
    (folder / "src").mkdir()
    key = world.key(folder)
    (world.base / "link").symlink_to(world.work)
    place = world.resolve(world.base / "link" / "api" / "src")
    assert (place.project, place.cwd) == (key, str(folder / "src"))


def test_local_clones_and_copies_without_a_remote_are_the_same_project(world: World) -> None:
    """`git clone` of a folder on this disk, and `cp -r`: the person's second checkout, in whichever order."""
    folder = world.init("tool")
    key = world.key(folder)
    assert world.key(world.clone(folder, "cloned")) == key
    shutil.copytree(folder, world.work / "copied")
    assert world.key(world.work / "copied") == key
    assert projects.read_all(world.home)[key].remotes == ()


def test_a_checkout_that_moved_is_recognised(world: World) -> None:
    """With a remote by its URL, without one by its first commit."""
    with_remote, without = world.init("api", remote=ACME), world.init("tool")
    keys = world.key(with_remote), world.key(without)
    moved = move(with_remote, world.work / "api-new"), move(without, world.work / "tool-new")
    assert tuple(map(world.key, moved)) == keys


def test_a_plain_folder_that_moved_is_not_guessed_but_named(world: World) -> None:
    """Outside git the path is all there is: the memory that looks like it is offered, not taken."""
    folder = world.work / "notes"
    folder.mkdir()
    key = world.key(folder)
    world.remember(key)
    (world.base / "elsewhere").mkdir()
    place = world.resolve(move(folder, world.base / "elsewhere" / "notes"))
    assert place.project != key
    assert [(one.key, one.reason) for one in projects.similar(world.home, place)] == [(key, "same folder name")]


def test_another_repository_at_a_known_path_sees_nothing_of_the_old_one(world: World) -> None:
    """Deleted, another one cloned at the same path: neither the hook nor the resolver gives it the old memory."""
    folder = world.init("api", remote=ACME)
    key = world.key(folder)
    shutil.rmtree(folder)
    world.init("api", remote="https://example.com/someone/else")
    assert scope.look(world.home, str(folder)).project == ""
    other = world.key(folder)
    assert other != key

    shutil.rmtree(folder)
    world.init("api")
    third = world.key(folder)
    assert third not in (key, other)

    shutil.rmtree(folder)
    world.init("api", remote=ACME)
    assert world.key(folder) == key


def test_equal_names_in_two_places_are_two_projects(world: World) -> None:
    """`one/api` and `two/api`, `test-project` and `test/project`, `my_project` and `my-project`."""
    names = ("one/api", "two/api", "test-project", "test/project", "my_project", "my-project", "App Support/x.y", "Api")
    folders = [world.work / name for name in names]
    for folder in folders:
        folder.mkdir(parents=True)
    assert len({world.key(folder) for folder in folders}) == len(folders)


def test_sub_projects_of_one_repository_are_one_project(world: World) -> None:
    """A monorepo's folders share the repository's memory; what narrows within it are a memory's paths."""
    folder = world.init("mono")
    keys = set()
    for name in ("services/billing", "services/api"):
        (folder / name).mkdir(parents=True)
        keys.add(world.key(folder / name))
    assert len(keys) == 1


def test_the_home_folder_is_no_project(world: World) -> None:
    """Not even when it is a git repository (dotfiles); what lies in it is itself. Nor is scrubjay's own home a project."""
    git(world.user_home, "init", "-q")
    world.commit(world.user_home)
    for folder in (world.user_home, world.base, Path("/")):
        place = world.resolve(folder)
        assert (place.project, place.root, [one.scope for one in place.stores()]) == ("", "", ["user"])
    notes = world.user_home / "notes"
    notes.mkdir()
    assert world.resolve(notes).root == str(notes)
    git(world.base, "init", "-q")
    assert world.resolve(world.base).root == str(world.base), "a repository around the home folder is one all the same"
    assert world.resolve(world.home.memory).project == ""


def test_a_home_behind_a_symlink_is_one_place(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """`/home/u` may be a link to `/var/home/u`: both spellings are the home folder, and one project below it is one."""
    (world.base / "linked").symlink_to(world.user_home)
    monkeypatch.setenv("HOME", str(world.base / "linked"))
    assert world.resolve(world.user_home).project == ""
    (world.user_home / "api").mkdir()
    assert world.key(world.base / "linked" / "api") == world.key(world.user_home / "api")


def test_sessions_of_directories_that_are_gone(world: World) -> None:
    """What they record leads on: the path, a folder above it that is known, the URL."""
    folder = world.init("api", remote=ACME)
    key = world.key(folder)
    assert world.key(folder / "gone" / "deep") == key
    shutil.rmtree(folder)
    assert world.key(folder) == key
    assert world.key(folder / "src") == key
    assert world.key("/nowhere/else/api", remote="https://github.com/acme/api") == key
    assert world.key("/nowhere/else/api") == key, "the path was recorded with its URL"
    assert world.key("/nowhere/unknown", remote="https://example.com/un/known") != key
    assert world.key("/home/somebody") == ""
    scratch = world.work / "scratch"
    scratch.mkdir()
    assert world.key(scratch / "gone") != world.key(scratch) != ""
    assert world.key("") == ""


def test_three_agents_record_one_directory_that_is_gone(world: World) -> None:
    """With the URL, without it, from a folder inside: one project, whichever comes first."""
    key = world.key("/home/dev/acme-api")
    assert world.key("/home/dev/acme-api", remote="https://git.example.com/acme/acme-api.git") == key
    assert world.key("file:///home/dev/acme-api/services/billing") == key
    assert len(projects.read_all(world.home)) == 1


def test_what_a_session_recorded_beats_what_is_at_its_path_today(world: World) -> None:
    """Another repository lives there now: the old session's words belong to the one that it names."""
    old = world.init("old", remote=ACME)
    key = world.key(old)
    now = world.init("now", remote="https://example.com/acme/now")
    other = world.key(now)
    assert world.key(now, remote=ACME) == key
    stranger = world.key(now, remote="https://example.com/un/known")
    assert stranger not in (key, other)
    assert world.key(now) == other


def test_windows_paths_are_one_directory(world: World) -> None:
    """`C:\\git\\x`, `c:\\git\\x` and `/mnt/c/git/x`, as clients on both sides of WSL record them."""
    assert len({world.key("C:\\git\\x"), world.key("c:\\git\\x"), world.key("/mnt/c/git/x")}) == 1


def test_unicode_spellings_of_a_gone_directory_are_one(world: World) -> None:
    """macOS hands out decomposed names; both spellings are one name to people."""
    assert world.key("/w/caf\u00e9/api") == world.key("/w/cafe\u0301/api")
    assert world.key("/w/Api") != world.key("/w/api")


def test_a_path_that_is_no_text_is_a_project_all_the_same(world: World) -> None:
    """A folder name that is not UTF-8 can be stored and found again."""
    folder = os.path.join(str(world.work), os.fsdecode(b"caf\xe9"))
    try:
        os.mkdir(folder)
    except OSError:
        pytest.skip("this file system wants UTF-8 names")
    assert world.key(folder) == world.key(folder) != ""


def test_two_processes_mint_one_key(world: World) -> None:
    """Eight processes meet a new repository at the same time and agree on its key."""
    folder = world.init("api", remote=ACME)
    code = (
        "import sys; from scrubjay import home, projects; sys.stdin.read(1);"
        f"print(projects.resolve(home.current(), {str(folder)!r}).project)"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("x")
        process.stdin.flush()
    assert len({process.communicate()[0] for process in running}) == 1
    assert len(projects.read_all(world.home)) == 1
