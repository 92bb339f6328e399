"""The block in a rules file: whose memories it holds, how long it is, and that everything around it keeps its bytes."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.errors import BadInput
from scrubjay.importing import instructions as importing
from scrubjay.install import base, rules_files, state, uninstall
from scrubjay.install.rules_block import BEGIN, END
from scrubjay.learn import instructions
from scrubjay.scope import look
from tests.hook_world import World, busy

RULE = "Always run the linter before you commit."
FACT = "The staging deploy needs the vpn job to run first."
PORT = "The shop database listens on port 6543."


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("HOME", str(tmp_path))
    with busy(tmp_path) as one:
        yield one


def write(world: World, *wanted: str) -> list[str]:
    return base.install(world.home, rules_files.plan(world.home, wanted, str(world.top)))


def own(world: World, name: str = "goose") -> Path:
    """The person's own rules file of an agent that was started here."""
    path = world.top / rules_files.KNOWN[name].path
    (world.top / rules_files.KNOWN[name].folder).mkdir(parents=True, exist_ok=True)
    return path


def test_the_persons_own_file_holds_user_scope_only(world: World) -> None:
    """Whatever the projects have, and wherever it is asked for."""
    path = own(world)
    world.remember(RULE, kind="feedback")
    world.remember(FACT)
    write(world, "goose")
    text = path.read_text(encoding="utf-8")
    assert RULE in text
    assert "vpn" not in text


def test_a_repositorys_file_holds_what_is_its_own(world: World) -> None:
    """Not the person's, not another repository's; Cursor's rule says that it always applies."""
    world.remember(RULE, kind="feedback")
    world.remember(FACT)
    world.remember(PORT, repo="shop")
    path = world.repository() / ".cursor" / "rules" / "scrubjay.mdc"
    write(world, str(path))
    text = path.read_text(encoding="utf-8")
    assert text.startswith("---\nalwaysApply: true\n---\n")
    assert "vpn job" in text
    assert RULE not in text
    assert "6543" not in text
    uninstall(world.home, [rules_files.NAME])
    assert not (world.repository() / ".cursor").exists(), "the folders were made for it"


@pytest.mark.parametrize(
    "before", [b"", b"# mine", b"# mine\n", b"# mine\n\n", "\ufeff# mine\r\n\r\n- é\r\n".encode()], ids=repr
)
def test_uninstall_leaves_the_bytes_of_before(world: World, before: bytes) -> None:
    """After the block was made anew, too."""
    path = own(world)
    path.write_bytes(before)
    write(world, "goose")
    world.remember(RULE, kind="feedback")
    assert rules_files.regenerate(world.home) == [str(path)]
    assert RULE.encode() in path.read_bytes()
    assert rules_files.regenerate(world.home) == [], "nothing changed since"
    (removed,) = uninstall(world.home, [rules_files.NAME])
    assert removed.restored
    assert path.read_bytes() == before


def test_a_file_made_for_the_block_goes_with_it(world: World) -> None:
    """And so does the folder that it needed."""
    path = own(world, "windsurf")
    write(world, "windsurf")
    uninstall(world.home, [rules_files.NAME])
    assert not path.parent.exists()
    assert path.parent.parent.is_dir()


def test_what_others_write_around_the_block_stays(world: World) -> None:
    """The block moves with its markers, is renewed there, and only it goes."""
    path = own(world)
    path.write_text("# mine\n", encoding="utf-8")
    write(world, "goose")
    block = path.read_text(encoding="utf-8").removeprefix("# mine\n\n")
    path.write_text(f"# first\n\n{block}\n# last\n", encoding="utf-8")
    world.remember(RULE, kind="feedback")
    rules_files.regenerate(world.home)
    text = path.read_text(encoding="utf-8")
    assert text.startswith(f"# first\n\n{BEGIN}")
    assert RULE in text
    assert text.endswith(f"{END}\n\n# last\n")
    world.remember("Never push to main.", kind="feedback")
    rules_files.regenerate(world.home)
    uninstall(world.home, [rules_files.NAME])
    assert path.read_text(encoding="utf-8") == "# first\n\n# last\n"


def test_a_block_that_was_taken_out_by_hand_is_not_put_back(world: World) -> None:
    """Doctor says so; asked for again it is there again."""
    path = own(world)
    write(world, "goose")
    path.write_text("# mine\n", encoding="utf-8")
    world.remember(RULE, kind="feedback")
    assert rules_files.regenerate(world.home) == []
    (obstacle,) = rules_files.INSTALLER.obstacles(world.home, str(world.top), os.environ)
    assert "gone from" in obstacle.what
    write(world, "goose")
    assert RULE in path.read_text(encoding="utf-8")


def test_the_clients_limit_holds_for_the_whole_file(world: World) -> None:
    """Windsurf takes 6,000 characters of its global rules; what has no room is counted. A full file is left alone."""
    path = own(world, "windsurf")
    path.parent.mkdir()
    path.write_text("- mine\n" * 400, encoding="utf-8")
    rules = {f"rule {number}": f"Always {number} {'check the thing ' * 10}." for number in range(60)}
    world.remember_all(rules, kind="feedback")
    write(world, "windsurf")
    text = path.read_text(encoding="utf-8")
    assert 5_000 < len(text.encode()) <= 6_000
    assert "Left out for length" in text
    path.write_text("- mine\n" * 850, encoding="utf-8")
    with pytest.raises(BadInput, match="no room"):
        rules_files.plan(world.home, ["windsurf"], str(world.top))


def test_names_and_paths_that_cannot_be_meant(world: World) -> None:
    """Each is refused with what would do."""
    for wanted, said in (("cursor", "no rules file"), ("goose", "never started"), ("wnidsurf", "is called")):
        with pytest.raises(BadInput, match=said):
            rules_files.plan(world.home, [wanted], str(world.top))
    latin = world.top / "AGENTS.md"
    latin.write_bytes(b"\xe9")
    with pytest.raises(BadInput, match="UTF-8"):
        rules_files.plan(world.home, [str(latin)], str(world.top))
    assert latin.read_bytes() == b"\xe9"
    assert state.installed(world.home) == []


def test_a_block_is_neither_imported_nor_a_reason_to_know_it_already(world: World) -> None:
    """The memories of a file are those that others wrote into it, in the lines where they stand."""
    world.remember(FACT)
    path = world.repository() / "AGENTS.md"
    path.write_text("- The first line is theirs.\n", encoding="utf-8")
    write(world, str(path))
    with path.open("a", encoding="utf-8") as file:
        file.write("\n- The last line is theirs.\n")
    text = path.read_text(encoding="utf-8")
    assert FACT in text
    found = importing.read(str(path), look(world.home, str(path.parent)))
    assert [note.line for note in found.notes] == [1, text.count("\n")]
    (known,) = instructions.of(str(path.parent), "", str(world.top), ()).values()
    assert len(known) == 2


def test_a_home_folder_kept_in_git_is_no_repository_of_its_own(world: World) -> None:
    """Dotfiles: what lies directly in it is read by every project."""
    subprocess.run(["git", "init", "-q", str(world.top)], check=True)
    world.remember(RULE, kind="feedback")
    write(world, str(world.top / "notes" / "AGENTS.md"))
    assert RULE in (world.top / "notes" / "AGENTS.md").read_text(encoding="utf-8")


IMPORTS = (
    r"(?:^|\s)@((?:[^\s\\]|\\ )+)",  # Claude Code
    r"(?:^|[ \t\r\n])@[./A-Za-z][^ \t\r\n]*",  # Gemini CLI, Qwen Code
    r"(?:^|\s)@([a-zA-Z0-9_\-./]+(?:\.[a-zA-Z0-9]+)+|[A-Z][a-zA-Z0-9_\-]*|[a-zA-Z0-9_\-./]*[./][a-zA-Z0-9_\-./]*)",  # Goose
)
"""What these clients take as the name of a file whose text they put in its place, in a file of rules."""


def test_nothing_in_a_block_is_imported_as_a_file(world: World) -> None:
    """`@path` in a name, a description, a text or a condition: what stands there reads the same, and no client takes it for a
    file to be read."""
    path = own(world)
    world.remember("Always ask @/etc/passwd or @ann and\n@~/.ssh/id_rsa, never ann@example.org.", kind="feedback")
    world.remember("@acme/tool is ours, `@acme/other` is not.", name="@README")
    (world.repository() / "AGENTS.md").write_text("# mine\n", encoding="utf-8")
    write(world, "goose", str(world.repository() / "AGENTS.md"))
    text = path.read_text(encoding="utf-8") + (world.repository() / "AGENTS.md").read_text(encoding="utf-8")
    for pattern in IMPORTS:
        assert re.search(pattern, text) is None
    plain = text.replace("\\@", "@")
    assert "Always ask @/etc/passwd or @ann and @~/.ssh/id_rsa, never ann@example.org." in plain
    assert "@README: @acme/tool is ours, `@acme/other` is not." in plain
    assert "never ann@example.org." in text, "an address imports nothing"


@pytest.mark.parametrize("to", ["outside", ".git/hooks/post-checkout", "folder outside"])
def test_a_link_that_a_repository_holds_does_not_choose_where_we_write(world: World, to: str) -> None:
    """Neither at the first time nor when the file became a link later; a link inside of the work tree is one."""
    repo, outside = world.repository(), world.top / "elsewhere"
    outside.mkdir()
    own(world).write_text("# mine\n", encoding="utf-8")
    path = repo / "rules" / "AGENTS.md"
    if to == "folder outside":
        path.parent.symlink_to(outside)
    else:
        path.parent.mkdir()
        path.symlink_to(own(world) if to == "outside" else repo / to)
    with pytest.raises(BadInput, match="out of the repository"):
        write(world, str(path))
    assert state.installed(world.home) == []

    write(world, "goose")
    before = own(world).read_bytes()
    (path.parent if to == "folder outside" else path).unlink()
    path.parent.mkdir(exist_ok=True)
    (repo / "other.md").write_text("# theirs\n", encoding="utf-8")
    path.symlink_to(repo / "other.md")
    write(world, str(path))
    assert BEGIN in (repo / "other.md").read_text(encoding="utf-8")
    path.unlink()
    path.symlink_to(own(world))
    world.remember(FACT)
    rules_files.regenerate(world.home)
    assert own(world).read_bytes() == before, "a block of the repository's in a file that every project reads"
    (obstacle,) = rules_files.INSTALLER.obstacles(world.home, str(world.top), os.environ)
    assert "out of the repository" in obstacle.what
