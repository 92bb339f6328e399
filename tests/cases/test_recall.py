"""Search and recall (bug-log kind `recall`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.home import Home
from scrubjay.search import query
from tests.cases.machine import Machine, memory_file

CJK = {
    "成语接龙": "今天玩成语接龙游戏",
    "しりとり": "今日は成語しりとりをした",
    "끝말잇기": "오늘 끝말잇기 게임을 했다",
}
NOTES = {
    "pre-edit": "the pre-edit hook runs black on changed files",
    "memory:safe": "crates tagged memory:safe skip the audit",
    "gmail-filters.js": "gmail-filters.js imports labels twice",
}


def index_of(machine: Machine) -> Path:
    (path,) = machine.store.glob("state/*/search.sqlite")
    return path


@pytest.mark.parametrize("asked", CJK)
def test_each_language_finds_its_own_note(machine: Machine, asked: str) -> None:
    """Chinese, Japanese and Korean put no spaces between the words that a note and a prompt share."""
    repo = machine.repository("acme")
    for text in CJK.values():
        machine.remember(text, cwd=repo)
    found = machine.jay("recall", asked, "--json", cwd=repo).json["memories"]
    assert [row["id"] for row in found] == [
        row["id"] for row in machine.jay("list", "--json", cwd=repo).json["memories"] if row["body"] == CJK[asked]
    ]


def test_two_characters_are_a_word(machine: Machine) -> None:
    """A two-character word finds by name and alias; in a body it finds for a person's own search, and for a prompt
    together with a second word (one word is under the floor in every language)."""
    repo = machine.repository("acme")
    store = Path(machine.jay("show", machine.remember("an anchor", cwd=repo), "--json").json["file"]).parent
    (store / "name.md").write_text(memory_file("中文优先", "commit messages"), encoding="utf-8")
    (store / "body.md").write_text(memory_file("Messages", "提交信息以中文为准"), encoding="utf-8")
    assert "中文优先" in machine.recalled("中文", repo)
    assert "为准" in machine.recalled("提交信息用中文吗", repo)
    connection = query.open(str(index_of(machine)))
    assert connection is not None
    rows = query.search(connection, "中文", [str(store)], floor=False).rows
    connection.close()
    assert {row.name for row in rows} == {"中文优先", "Messages"}


def test_no_prompt_is_read_as_search_syntax(machine: Machine) -> None:
    """Hyphen, quote, slash, colon, parenthesis, operators, emptiness, ten thousand characters: no error, and the literal
    word is found where there is one."""
    repo = machine.repository("acme")
    ids = {word: machine.remember(text, cwd=repo) for word, text in NOTES.items()}
    for word, memory in ids.items():
        assert memory in machine.recalled(f"what about {word} here?", repo), word
    for odd in ("don't", "a/b", "foo AND bar", "NEAR(a b)", "(python", '"', "", "*", "name:foo", "x" * 10_000, "\x00"):
        done = machine.jay("recall", odd, "--json", cwd=repo)
        assert (done.code, done.err) == (1, ""), odd


@pytest.mark.parametrize("asked", ["hi", "ok thanks", "flurbish quonk zemblat", "explain config.js"])
def test_what_has_nothing_to_do_with_a_note_brings_nothing(machine: Machine, asked: str) -> None:
    """Small talk, made-up words, and a file ending that a note happens to share."""
    repo = machine.repository("acme")
    for text in NOTES.values():
        machine.remember(text, cwd=repo)
    assert machine.recalled(asked, repo) == ""


def test_the_end_of_a_long_note_is_found_and_shown(machine: Machine) -> None:
    """30 kB by hand, the sentence that answers at its end: that passage comes back, within the limits of a block."""
    repo = machine.repository("acme")
    store = Path(machine.jay("show", machine.remember("an anchor", cwd=repo), "--json").json["file"]).parent
    filler = "\n\n".join(f"Paragraph {number} tells of lunch, weather and the office plants." for number in range(500))
    key = "The zebra migration must run before the quagga importer starts."
    (store / "minutes.md").write_text(memory_file("Minutes of the retreat", f"{filler}\n\n{key}"), encoding="utf-8")
    block = machine.recalled("when does the zebra migration run, before the quagga importer?", repo)
    assert key in block
    assert len(block) <= 2000


def test_a_question_without_an_answer_rebuilds_nothing(machine: Machine) -> None:
    """The index file is the same file, untouched."""
    repo = machine.repository("acme")
    machine.remember(NOTES["pre-edit"], cwd=repo)
    before = index_of(machine).stat()
    for _ in range(2):
        assert machine.recalled("flurbish quonk zemblat", repo) == ""
    after = index_of(machine).stat()
    assert (after.st_ino, after.st_mtime_ns, after.st_size) == (before.st_ino, before.st_mtime_ns, before.st_size)


def test_recall_works_with_no_derived_state_at_all(machine: Machine) -> None:
    """Whatever an index was built with, the files are enough: it is deleted, and the next question has its answer."""
    repo = machine.repository("acme")
    memory = machine.remember(NOTES["pre-edit"], cwd=repo)
    for path in Path(Home(str(machine.store)).state).parent.glob("*/search.sqlite*"):
        path.unlink()
    for path in machine.store.glob("state/*/search.sqlite*"):
        path.unlink()
    assert memory in machine.recalled("what does the pre-edit hook run?", repo)
