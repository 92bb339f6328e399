"""Where a memory that is kept for some paths or agents applies."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.home import Home
from scrubjay.inject.where import Where, covers, named_files, near
from scrubjay.scope import Place
from scrubjay.search.query import Row
from tests.search.world import World, memory


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("web/", "web/src/client.ts", True),
        ("web", "website/a.ts", False),
        ("web/src/client.ts", "web/src/client.ts", True),
        ("./web/", "web/a", True),
        ("*.java", "src/deep/A.java", True),
        ("*.java", "src/A.py", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/x/y/a.py", True),
        ("**/tests/", "a/b/tests/c.py", True),
        ("services/*/", "services/billing/dunning.py", True),
        ("a*b*c?", "xaabbcd", False),
        ("a*b*c?", "aabbcd", True),
        (".github/workflows/", ".github/workflows/deploy.yml", True),
    ],
)
def test_globs_mean_what_they_mean_in_gitignore(glob: str, path: str, expected: bool) -> None:
    """A folder covers what is below it; a bare pattern holds at any depth."""
    assert covers(glob, path) is expected


@pytest.mark.parametrize(
    ("glob", "folder", "expected"),
    [("web/", "", True), ("web/src/", "web", True), ("web/", "web/src", True), ("web/", "services", False),
     ("src/*/x/", "src", True), ("src/*/x/", "lib", False), ("*.py", "src", True)],
)  # fmt: skip
def test_a_working_directory_is_near_what_it_holds_and_what_holds_it(glob: str, folder: str, expected: bool) -> None:
    """At the top of the tree everything is near."""
    assert near(glob, folder) is expected


def test_files_named_in_a_prompt_are_seen() -> None:
    """With a line number, in backticks, at the end of a sentence; versions, abbreviations and URLs are none."""
    text = "fix `web/src/client.ts:41`, then invoices.py. Not 2.7.4, e.g. https://x.example/a.html; CI/CD and ./Makefile web/"
    assert named_files(text) == ["web/src/client.ts", "invoices.py", "./Makefile", "web/"]


def row(tmp_path: Path, *paths: str, agents: tuple[str, ...] = ()) -> Row:
    world = World(tmp_path)
    world.put(memory(1, "tabs and no semicolons", paths=paths, agents=agents))
    from scrubjay.search.listing import ranked

    return ranked(world.open(), [world.store], rules=False)[0]


def where(tmp_path: Path, below: str = "", *, named: tuple[str, ...] = ()) -> Where:
    return Where(World(tmp_path).place(below), "codex", named=named)


def test_a_file_that_the_prompt_names_decides(tmp_path: Path) -> None:
    """The memory keeps its condition: not for a file elsewhere. One that we know nothing of decides nothing."""
    web = row(tmp_path, "web/")
    assert where(tmp_path, named=("web/src/client.ts",)).path_fits(web)
    assert where(tmp_path, named=(str(tmp_path / "acme-api/web/a.ts"),)).path_fits(web)
    assert not where(tmp_path, named=("services/a.py",)).path_fits(web)
    assert where(tmp_path, named=("services/a.py", "web/a.ts")).path_fits(web)
    assert where(tmp_path).path_fits(web)
    assert not where(tmp_path, "services").path_fits(web)
    assert where(tmp_path, "web", named=("/etc/hosts",)).path_fits(web)


def test_a_bare_file_name_may_lie_anywhere(tmp_path: Path) -> None:
    """client.ts shuts out nothing that is kept for web/, but a memory for Java files is not for it."""
    assert where(tmp_path, named=("client.ts",)).path_fits(row(tmp_path / "1", "web/"))
    assert not where(tmp_path, named=("client.ts",)).path_fits(row(tmp_path / "2", "*.java"))
    assert where(tmp_path, named=("Client.java",)).path_fits(row(tmp_path / "3", "*.java"))


def test_a_path_may_start_in_the_working_directory(tmp_path: Path) -> None:
    """As a person types it there."""
    assert where(tmp_path, "web", named=("src/client.ts",)).path_fits(row(tmp_path / "1", "web/src/"))


def test_an_agent_of_its_own(tmp_path: Path) -> None:
    """Kept for Qwen Code: Codex gets nothing of it."""
    assert not where(tmp_path).agent_fits(row(tmp_path, agents=("qwen-code",)))
    assert where(tmp_path).agent_fits(row(tmp_path / "2", agents=("codex", "qwen-code")))


def test_paths_of_a_superproject_start_at_its_own_top(tmp_path: Path) -> None:
    """In the submodule lib/, a memory of the outer repository kept for lib/src/ holds for src/."""
    home, inner = Home(str(tmp_path / "home")), str(tmp_path / "outer/lib")
    place = Place(home, inner, root=inner, worktree=inner, project="lib-1", git=True, parents=(("outer-1", "lib/"),))
    world = World(tmp_path)
    outer = str(Path(home.projects) / "outer-1")
    world.put(memory(1, "x", paths=("lib/src/",)), store=outer)
    from scrubjay.search.listing import ranked

    found = ranked(world.open(), [outer], rules=False)[0]
    assert Where(place, "", named=("src/a.c",)).path_fits(found)
    assert not Where(place, "", named=("doc/a.md",)).path_fits(found)
