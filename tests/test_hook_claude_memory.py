"""Which index of Claude Code's own memory a session has in its context."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scrubjay.hooks import claude_memory


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/tmp/x/a.b_c d+e@f", "-tmp-x-a-b-c-d-e-f"),
        ("/tmp/x/日本語プロジェクト", "-tmp-x----------"),
        ("/tmp/x/emoji😀x", "-tmp-x-emoji--x"),
        ("/tmp/x/éclair", "-tmp-x--clair"),
        ("/tmp/x/UPPER-lower.v2", "-tmp-x-UPPER-lower-v2"),
        ("C:\\Users\\name", "C--Users-name"),
    ],
)
def test_a_directory_has_the_slug_that_the_client_gives_it(path: str, expected: str) -> None:
    """Pairs measured on Claude Code 2.1.332."""
    assert claude_memory.slug(path) == expected


def test_a_long_slug_ends_in_the_hash_of_the_path() -> None:
    """Over 200 characters: cut, then the Java-style hash of the original path in base 36."""
    path = "/" + "a" * 260
    value = 0
    for character in path:
        value = (value * 31 + ord(character)) % 2**32
    signed = value - 2**32 if value >= 2**31 else value
    head, _, tail = claude_memory.slug(path).rpartition("-")
    assert len(head) == 200
    assert int(tail, 36) == abs(signed)


def test_the_folder_follows_the_clients_order(tmp_path: Path) -> None:
    """Override before `autoMemoryDirectory` before the name for the project folder before the default."""
    home, root, config = str(tmp_path), str(tmp_path / "repo"), tmp_path / "cfg"
    default = {"CLAUDE_CONFIG_DIR": str(config)}
    named = {**default, "CLAUDE_CODE_PROJECT_DIR_NAME": "mine"}
    slug = claude_memory.slug(root)
    assert claude_memory.folder(root, {}, home) == f"{home}/.claude/projects/{slug}/memory"
    assert claude_memory.folder(root, default, home) == f"{config}/projects/{slug}/memory"
    assert claude_memory.folder(root, {"CLAUDE_CODE_PROJECT_DIR_NAME": "mine"}, home).endswith(f"{slug}/memory")
    assert claude_memory.folder(root, named, home) == f"{config}/projects/mine/memory"
    config.mkdir()
    (config / "settings.json").write_text(json.dumps({"autoMemoryDirectory": "~/notes"}))
    assert claude_memory.folder(root, named, home) == f"{home}/notes"
    overridden = {**named, "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": "/elsewhere"}
    assert claude_memory.folder(root, overridden, home) == "/elsewhere"


def test_a_memory_that_is_off_is_not_in_the_context(tmp_path: Path) -> None:
    """`CLAUDE_CODE_DISABLE_AUTO_MEMORY=0` forces it on over the setting, any other value switches it off."""
    (tmp_path / ".claude").mkdir()
    root = str(tmp_path / "repo")
    assert claude_memory.folder(root, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}, str(tmp_path)) == ""
    (tmp_path / ".claude" / "settings.json").write_text('{"autoMemoryEnabled": false}')
    assert claude_memory.folder(root, {}, str(tmp_path)) == ""
    assert claude_memory.folder(root, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "0"}, str(tmp_path)) != ""


def test_only_what_the_client_loads_counts(tmp_path: Path) -> None:
    """Front matter and comments are stripped, then 200 lines and 25,000 UTF-16 units are kept."""
    root = str(tmp_path / "repo")
    index = Path(claude_memory.folder(root, {}, str(tmp_path)))
    index.mkdir(parents=True)
    (index / "MEMORY.md").write_text("---\nname: x\n---\n<!-- ours\nhidden -->\n- [A](a.md) — one\n", encoding="utf-8")
    assert claude_memory.index(root, {}, str(tmp_path)) == "- [A](a.md) — one"
    (index / "MEMORY.md").write_text("\n".join(f"line {n}" for n in range(500)), encoding="utf-8")
    assert claude_memory.index(root, {}, str(tmp_path)).splitlines()[-1] == "line 199"
    (index / "MEMORY.md").write_text("漢" * 30_000, encoding="utf-8")
    assert claude_memory.index(root, {}, str(tmp_path)) == "漢" * 25_000


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("---\r\nname: x\r\n---\r\n- one", "- one"),
        ("---\n---\n- one\n---\n- two", "- two"),
        ("---\nname: x\n- one", "---\nname: x\n- one"),
        ("--- \n---\n- one", "--- \n---\n- one"),
        ("- one <!-- a <!-- b --> c -->", "- one  c -->"),
        ("<!--> - one <!-- open", "<!--> - one <!-- open"),
        ("<!---->- one<!-- -->- two", "- one- two"),
    ],
)
def test_front_matter_and_comments_end_where_the_client_ends_them(tmp_path: Path, text: str, left: str) -> None:
    """What is not closed is text."""
    folder = Path(claude_memory.folder(str(tmp_path), {}, str(tmp_path)))
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_bytes(text.encode())
    assert claude_memory.index(str(tmp_path), {}, str(tmp_path)) == left


def test_no_index_and_broken_settings_are_no_failure(tmp_path: Path) -> None:
    """The session starts whatever lies in the client's folder."""
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_bytes(b"\xff{")
    assert claude_memory.index(str(tmp_path / "repo"), {}, str(tmp_path)) == ""
