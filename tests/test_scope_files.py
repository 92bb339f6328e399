"""Reading git's files: what `look` costs and may do, URLs in every spelling, and repositories in every broken state."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay import projects, scope
from scrubjay.errors import StoreUnavailable
from scrubjay.home import Home, machine_id
from scrubjay.projects import git as git_questions
from scrubjay.projects import registry
from scrubjay.scope import gitdir, normalise_remote
from tests.scope_world import World, git, make_world

ACME = "git@github.com:acme/api.git"
LINE = "https://example.com/acme/api"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    return make_world(tmp_path, monkeypatch)


SAME = [
    "git@github.com:acme/api.git",
    "git@github.com:acme/api",
    "git@github.com:/acme/api/",
    "someone@GitHub.com:Acme/API.git",
    "github.com:acme/api",
    "[git@github.com:22]:acme/api.git",
    "ssh://git@github.com/acme/api.git",
    "ssh://git@github.com:22/acme/api.git",
    "ssh://git@ssh.github.com:443/acme/api.git",
    "git+ssh://git@github.com/acme/api",
    "https://github.com/acme/api",
    "https://github.com/acme/api.git/",
    "https://www.github.com//acme//api",
    "https://github.com:443/acme/api",
    "https://someone:word@github.com/acme/api.git",
    "https://github.com/acme/api?ref=main#readme",
    "https://github.com/acme/ap%69",
    "git://github.com:9418/acme/api",
    ' "https://github.com/acme/api.git"\n',
]


@pytest.mark.parametrize("url", SAME)
def test_all_spellings_of_a_url_are_one(url: str) -> None:
    """Scheme, user, password, port, `.git`, slashes, quotes and the host's case do not matter."""
    assert normalise_remote(url) == "github.com/acme/api"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://git.example.com:8443/acme/api.git", "git.example.com:8443/acme/api"),
        ("ssh://git@git.example.com:2222/acme/api.git", "git.example.com/acme/api"),
        ("https://git.example.com/Acme/API", "git.example.com/Acme/API"),
        ("git@ssh.dev.azure.com:v3/org/team/api", "dev.azure.com/org/team/_git/api"),
        ("https://org@dev.azure.com/org/team/_git/api", "dev.azure.com/org/team/_git/api"),
        ("ssh://git@[::1]:22/acme/api", "::1/acme/api"),
        ("dev@box:~/api.git", "box/~dev/api"),
        ("gh:acme/api", "gh/acme/api"),
        ("https://example.com/\u6f22\u5b57/api", "example.com/\u6f22\u5b57/api"),
        ("ext::sh -c 'anything at all'", ""),
        ("foo::https://example.com/acme/api", "example.com/acme/api"),
        ("https://github.com/", ""),
        ("https://", ""),
        ("../relative", ""),
        ("", ""),
        ("\0", ""),
    ],
)
def test_urls_that_differ_stay_apart(url: str, expected: str) -> None:
    """Another web port is another server; a path's case counts where hosts count it; what names nothing is nothing."""
    assert normalise_remote(url) == expected


def test_local_remotes_are_named_with_their_machine(tmp_path: Path) -> None:
    """`/srv/api.git` on two machines are two things; `.git`, `file://` and relative spellings are one."""
    base = os.path.realpath(tmp_path)
    expected = f"file://{machine_id()}{base}/api"
    for url in (
        f"{base}/api.git",
        f"file://{base}/api",
        f"{base}/api/.git",
        "../api.git",
        f"file://localhost{base}/api",
    ):
        assert normalise_remote(url, base=f"{base}/checkout") == expected


AUDIT = """
import os, sys
seen = []
def hook(event, args):
    if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty", "os.spawn"):
        seen.append(event)
    elif event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        seen.append(f"write {args[0]}")
    elif event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.utime", "os.chmod"):
        seen.append(event)
sys.dont_write_bytecode = True
sys.addaudithook(hook)
from scrubjay import home, scope
for cwd in sys.argv[1:]:
    scope.look(home.current(), cwd)
heavy = {"subprocess", "dataclasses", "pathlib", "hashlib", "typing", "tomllib", "logging", "urllib", "inspect", "shutil"}
print(seen, sorted(heavy & set(sys.modules)))
"""


def test_look_starts_no_process_writes_nothing_and_imports_little(world: World) -> None:
    """Watched by an audit hook: in a known repository, an unknown one, a work tree, a submodule, and a broken home."""
    known, unknown = world.init("known", remote=ACME), world.init("unknown", remote=LINE)
    world.key(known)
    git(known, "worktree", "add", "-q", str(world.work / "tree"))
    git(known, "submodule", "add", "-q", str(unknown), "sub")
    arguments = [str(known), str(unknown), str(world.work / "tree"), str(known / "sub"), "/nowhere", "/", ""]
    source = str(Path(scope.__file__).parent.parent.parent)
    environment = {**os.environ, "PYTHONPATH": source, "PATH": ""}
    for _ in range(2):
        before = world.files()
        done = subprocess.run(
            [sys.executable, "-S", "-c", AUDIT, *arguments],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        assert (done.stdout, done.stderr) == ("[] []\n", "")
        assert world.files() == before
        Path(scope.index_path(world.home)).write_text("{broken")


def test_look_creates_no_home(world: World) -> None:
    """Before anything was installed there is nothing to find and nothing is made."""
    folder = world.init("api")
    assert scope.look(world.home, str(folder)).project == ""
    assert not os.path.exists(world.home.root)
    assert projects.resolve(world.home, str(folder), create=False).project == ""
    assert not os.path.exists(world.home.root)


def test_without_git_the_files_decide(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """No git binary: the path, the URL, and a commit that the repository still holds are enough; nothing leaks."""
    folder = world.init("api", remote=ACME)
    other = world.init("other", remote=LINE)
    with monkeypatch.context() as without_git:
        without_git.setenv("PATH", "")
        key = world.key(folder)
        assert world.key(other) != key
    git(folder, "remote", "set-url", "origin", "https://example.com/moved/api")
    world.commit(folder)
    with monkeypatch.context() as without_git:
        without_git.setenv("PATH", "")
        assert world.key(folder) == key
    root = git(folder, "rev-list", "--max-parents=0", "HEAD")
    assert projects.read_all(world.home)[key].commits == ()
    assert world.key(folder) == key
    assert projects.read_all(world.home)[key].commits == (root,), "made up for when git is there again"
    with monkeypatch.context() as without_git:
        without_git.setenv("PATH", "")
        shutil.rmtree(folder)
        shutil.copytree(other, folder)
        assert world.key(folder) != key


def test_a_repository_of_another_user_is_read_as_files(world: World) -> None:
    """git refuses there (safe.directory); the URL still leads to the project."""
    key = world.key(world.init("api", remote=ACME))
    foreign = world.init("foreign", remote=ACME)
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    for path in (foreign, foreign / ".git"):
        os.chown(path, 12345, 12345)
    assert git_questions.root_commit(str(foreign)) == ""
    assert world.key(foreign) == key


def test_git_variables_of_the_process_change_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """`GIT_DIR` and its like (set inside git hooks) would make every directory one repository."""
    one, two = world.init("one"), world.init("two")
    monkeypatch.setenv("GIT_DIR", str(one / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(one))
    found = world.resolve(two)
    assert found.root == str(two)
    assert projects.read_all(world.home)[found.project].commits == (git(two, "rev-list", "--max-parents=0", "HEAD"),)


def test_a_url_spelt_short_by_the_persons_git_configuration(world: World) -> None:
    """`gh:acme/api` with `insteadOf` is what it stands for; `pushInsteadOf` is only where pushes go."""
    (world.user_home / ".gitconfig").write_text(
        '[url "https://github.com/"]\n\tinsteadOf = gh:\n[url "ssh://git@example.com/"]\n\tpushInsteadOf = https://\n'
    )
    key = world.key(world.init("api", remote=ACME))
    assert world.key(world.init("short", remote="gh:acme/api")) == key


@pytest.mark.parametrize(
    "text",
    [
        '[core]\n\tbare = false\n[remote "origin"]\n\turl = U\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
        '[remote "origin"]\r\n\turl = U\r\n',
        '\ufeff[remote "origin"]\n\turl = U # a comment\n',
        '[REMOTE "origin"] url = U\n',
        '[remote.origin]\nURL="U" ; why\n',
        '[remote "upstream"]\n url = other\n[remote "origin"]\n[branch "x"]\n url = no\n[remote "origin"]\n  url=U\n',
        '[remote "origin"]\n\turl = U\n\turl = second\n\tpushurl = third\n',
        '[remote "github"]\n\turl = U\n',
        "".join(f'[branch "b{n}"]\n\tremote = origin\n' for n in range(50_000)) + '[remote "origin"]\n\turl = U\n',
    ],
)
def test_the_url_of_origin_is_found_in_any_config(tmp_path: Path, text: str) -> None:
    """Case, comments, quotes, CRLF, repeated sections, megabytes; a sole remote of another name counts as `origin`."""
    (tmp_path / "config").write_bytes(text.replace("U", LINE).replace(LINE + "RL", "URL").encode())
    assert gitdir.origin(str(tmp_path)) == LINE


@pytest.mark.parametrize(
    "text",
    ["", "\0\xff\xfe", '[remote "a"]\nurl = 1\n[remote "b"]\nurl = 2\n', '[remote "origin"]\n', "[remote", "url = x\n"],
)
def test_a_config_without_one_remote_has_none(tmp_path: Path, text: str) -> None:
    """Broken, empty, or two remotes of which none is `origin`."""
    (tmp_path / "config").write_bytes(text.encode("latin-1"))
    assert gitdir.origin(str(tmp_path)) == ""


def test_packed_commits_are_found_without_git(world: World) -> None:
    """Loose, in a pack, in another repository's objects (alternates), in a SHA-256 repository; a stranger's is not."""
    folder = world.init("api", commits=30)
    commits = git(folder, "rev-list", "HEAD").split()
    git(folder, "gc", "-q")
    assert not (folder / ".git" / "objects" / commits[0][:2] / commits[0][2:]).exists()
    borrower = world.clone(folder, "borrower", "--shared")
    for commit in commits:
        assert gitdir.has_commit(str(folder / ".git"), commit)
        assert gitdir.has_commit(str(borrower / ".git"), commit)
        assert not gitdir.has_commit(str(folder / ".git"), commit[::-1])
    newer = world.work / "newer"
    newer.mkdir()
    git(newer, "init", "-q", "--object-format=sha256")
    world.commit(newer)
    git(newer, "gc", "-q")
    assert gitdir.has_commit(str(newer / ".git"), git(newer, "rev-parse", "HEAD"))


@pytest.mark.parametrize("content", [b"", b"garbage\0\xff", b"gitdir: /nowhere/at/all", b"gitdir:", b"gitdir: .git"])
def test_a_broken_git_file_is_still_the_nearest_marker(world: World, content: bytes) -> None:
    """The directory is a project by its path, not a part of the repository around it."""
    outer = world.init("outer")
    inner = outer / "inner"
    inner.mkdir()
    (inner / ".git").write_bytes(content)
    found = world.resolve(inner)
    assert (found.root, found.git) == (str(inner), False)
    assert found.project != world.key(outer)


def test_a_work_tree_whose_checkout_moved_keeps_its_memory(world: World) -> None:
    """Its `.git` file still names the old place, which is known."""
    folder = world.init("api")
    git(folder, "worktree", "add", "-q", str(world.work / "tree"))
    key = world.key(folder)
    shutil.move(folder, world.work / "moved")
    assert world.key(world.work / "tree") == key
    assert world.key(world.work / "moved") == key


def test_strange_git_directories_are_stepped_over(world: World) -> None:
    """An empty `.git` folder is none (git says so too); a pipe in place of the config does not hang the hook."""
    outer = world.init("outer")
    inner = outer / "inner"
    (inner / ".git").mkdir(parents=True)
    assert world.key(inner) == world.key(outer)
    strange = world.init("strange")
    (strange / ".git" / "config").unlink()
    os.mkfifo(strange / ".git" / "config")
    assert scope.look(world.home, str(strange)).root == str(strange)


def test_a_lost_or_broken_index_is_made_again(world: World) -> None:
    """It is derived: missing, garbage, of another version, or older than a `project.toml` that somebody edited."""
    folder = world.init("api", remote=ACME)
    key = world.key(folder)
    path = Path(scope.index_path(world.home))
    for damage in ("", "[]", "{", json.dumps({"version": 99}), json.dumps({"version": 1, "roots": []})):
        path.write_text(damage)
        assert scope.look(world.home, str(folder)).project == ""
        assert world.key(folder) == key
    path.unlink()
    assert world.key(folder) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(os.stat(world.home.state).st_mode) == 0o700


def test_a_project_file_keeps_what_others_wrote(world: World) -> None:
    """Unknown keys survive our additions; a file that is no TOML is named and never written over."""
    folder = world.init("api", remote=ACME)
    key = world.key(folder)
    file = Path(world.home.projects) / key / "project.toml"
    file.write_text(f'note = "mine"\n{file.read_text()}\n[other]\nlist = [1, "two"]\n')
    assert world.key(world.clone(folder, "copy")) == key
    text = file.read_text()
    assert 'note = "mine"' in text
    assert 'list = [1, "two"]' in text
    assert registry.parse(key, text.encode()) == projects.read_all(world.home)[key]

    good = file.read_text()
    file.write_text("this is = = no TOML")
    assert world.key(folder) == key, "what was known of it last still counts"
    assert file.read_text() == "this is = = no TOML"
    assert projects.read_all(world.home)[key].broken.startswith("not valid TOML")
    file.write_text(good)
    assert world.key(folder) == key


def test_paths_count_on_their_own_machine_only(world: World) -> None:
    """`/workspace` in a container is not the host's: there the URL leads to the project, a plain folder is a new one."""
    folder, plain = world.init("api", remote=ACME), world.work / "plain"
    plain.mkdir()
    keys = world.key(folder), world.key(plain)
    for key in keys:
        file = Path(world.home.projects) / key / "project.toml"
        file.write_text(file.read_text().replace(f'{machine_id()} = ["/', 'elsewhere = ["/'))
    assert scope.look(world.home, str(plain)).project == keys[1], "the derived index is the worker's to renew"
    assert world.key(folder) == keys[0]
    assert world.key(plain) != keys[1]
    assert set(projects.read_all(world.home)[keys[0]].roots) == {"elsewhere", machine_id()}


def test_a_home_that_cannot_be_written_is_said(world: World) -> None:
    """Minting needs the home; reading does not."""
    folder = world.init("api")
    Path(world.home.root).write_text("a file where the folder should be")
    with pytest.raises(StoreUnavailable):
        projects.resolve(world.home, str(folder))
    assert projects.resolve(world.home, str(folder), create=False).project == ""


def test_render_is_stable_and_survives_odd_texts() -> None:
    """`parse(render(x)) == x`, with quotes, controls, non-ASCII and another machine's paths."""
    project = registry.Project(
        key="k",
        name='a "b" \\ \x7f \x01 \u6f22',
        created="2026-09-03T10:12:44Z",
        remotes=("x/y",),
        commits=("0" * 40,),
        shallow=("1" * 40,),
        roots={"m1": ("/a b/\u00e9", "/c")},
        worktrees={"m2": ("/d",)},
        merged_into="new-key",
        isolated=True,
        extra={"n": 3, "t": {"x": [True]}},
    )
    assert registry.parse("k", registry.render(project).encode()) == project


def test_stores_of_a_place_are_values() -> None:
    """Two references to the same folder are one in a set."""
    home = Home("/h")
    one = scope.Place(home, "/w", root="/w", worktree="/w", project="k", git=True)
    two = scope.Place(home, "/w/src", root="/w", worktree="/w", project="k", git=True)
    assert set(one.stores()) == set(two.stores())
    assert len(set(one.stores())) == 3
