"""What people reported about memory files: front matter, encodings, file names. Files as people write them, real commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cases.machine import JAY, Machine, run

FILES = {
    "colon": (
        b"---\ndescription: Finding: use port 5433\nname: Finding\n---\nIt is 5433.\n",
        "Finding",
        "use port 5433",
    ),
    "hash": (b"---\nname: Update #2 of the runbook\n---\nRead it.\n", "Update #2 of the runbook", ""),
    "crlf": (b"---\r\nname: Line ends\r\n---\r\nFrom Windows.\r\n", "Line ends", ""),
    "no last line feed": (b"---\nname: Short\ndescription: only a head\n---", "Short", "only a head"),
    "byte-order mark": (b"\xef\xbb\xbf---\nname: Marked\n---\nFrom PowerShell.\n", "Marked", ""),
    "no front matter": (b"# A plain note\n\nAbout the tapir.\n", "A plain note", "About the tapir."),
    "fences": (
        b"---\nname: Sample\n---\n\n```markdown\n---\n## Not an entry\n---\n```\n\n---\n\xc2\xa7\n",
        "Sample",
        "",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_made_by_hand_is_read_whole_and_kept(machine: Machine, case: str) -> None:
    """Listed with its full name, shown byte for byte, no complaint of doctor, not touched by looking; after an edit through
    the command line the rest of it says what it said."""
    repo = machine.repository("shop")
    memory = machine.remember("The tapir mascot is drawn by Ines.", cwd=repo)
    data, name, description = FILES[case]
    file = Path(machine.jay("show", memory, "--json", cwd=repo).json["file"]).with_name("project_by_hand.md")
    file.write_bytes(data)
    (row,) = (one for one in machine.jay("list", "--json", cwd=repo).json["memories"] if one["file"] == str(file))
    assert row["name"] == name
    assert description in row["description"]
    assert row["problems"] == []
    assert [one["state"] for one in machine.jay("doctor", "--json").json["checks"] if one["name"] == "memories"] == [
        "ok"
    ]
    assert file.read_bytes() == data
    assert machine.jay("edit", row["id"], "--alias", "another word", cwd=repo).code == 0
    after = machine.jay("show", row["id"], "--json", cwd=repo).json
    assert (after["name"], after["body"], after["description"]) == (row["name"], row["body"], row["description"])
    assert (b"\r\n" in file.read_bytes()) == (b"\r\n" in data)


def test_titles_of_every_script_get_files_of_their_own(machine: Machine) -> None:
    """No Latin letter, a slash, a reserved word, punctuation, 80 characters, a trailing dot, only signs: each its own file with
    a safe name and the whole title inside; the same words again are the same file."""
    repo = machine.repository("shop")
    titles = [
        "大语言模型概述",
        "断路器自动恢复",
        "Enable/Disable feature",
        "con",
        "a: b?",
        "x" * 80,
        "The end.",
        "???",
        "!!!",
    ]
    for _ in range(2):
        for number, title in enumerate(titles):
            machine.remember(f"Fact {'abcdefghi'[number] * 9} about {title}", "--name", title, cwd=repo)
    rows = machine.jay("list", "--json", cwd=repo).json["memories"]
    assert sorted(row["name"] for row in rows) == sorted(titles)
    names = [Path(row["file"]).name for row in rows]
    assert len({name.casefold() for name in names}) == len(titles)
    assert len({str(Path(row["file"]).parent) for row in rows}) == 1
    assert not [name for name in names if re.search(r'[<>:"/\\|?*\x00-\x1f ]|\.md.|\.\.md', name)]


def test_text_is_utf_8_at_every_border_whatever_the_locale(hooked: Machine) -> None:
    """Command line, pipe, file names, hook: arrows, dashes, Chinese and emoji come back as they were typed, also where Python
    was told to use nothing but ASCII."""
    text = "Die Gerüst-Prüfung → läuft — immer nachts 大语言模型 🦤"
    repo = hooked.repository("shop")
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    typed = [*JAY, "remember", text, "--name", "大语言模型概述"]
    assert run(typed, repo, **hooked.environ(), **env).returncode == 0
    assert run([*JAY, "remember", "-"], repo, text="Prüfung → zweite Zeile", **hooked.environ(), **env).returncode == 0
    assert sorted(hooked.listed(repo)) == sorted([text, "Prüfung → zweite Zeile"])
    assert "大语言模型概述" in hooked.start(repo)
