"""Where agents keep their memories: variables, settings, profiles, and folder names that stand for a directory."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from scrubjay.hooks.claude_memory import slug
from scrubjay.importing import importers
from scrubjay.importing.base import Ask, Found, Note
from scrubjay.importing.slugs import directory_of, qwen_slug
from scrubjay.importing.text import Item, items, parts
from tests.importing.kept import CLAUDE, OPENPROGRAM, QWEN, Machine

SUMMARY = """\
v1
## User preferences
- Wants tests first.

## What's in Memory
- x: y
"""

LISTS = """\
# Top

One.
<!-- two
lines -->
---
## A
1. first
2) second
   more

   still second

List:
* [x] done

```
- no item
```
"""


@pytest.fixture
def machine(home: str) -> Machine:
    return Machine.at(home)


def read(machine: Machine, agent: str, **environ: str) -> Found:
    ask = Ask(home=str(machine.home), environ=environ, directories=(str(machine.repo),))
    return importers()[agent].read(ask)


def told(found: Found) -> list[str]:
    return sorted(note.text for note in found.notes)


def claude(body: str) -> str:
    return CLAUDE.format(name="x", description="y", type="project", body=body)


def test_claude_code_keeps_it_where_it_is_told_to(machine: Machine) -> None:
    """Another configuration folder; a folder that a setting names, which belongs to the one project that names it."""
    machine.write(f"cfg/projects/{slug(str(machine.repo))}/memory/a.md", claude("In the other configuration."))
    machine.write("notes/b.md", claude("In a folder of its own."))
    machine.write("acme-api/.claude/settings.json", json.dumps({"autoMemoryDirectory": str(machine.home / "notes")}))
    found = read(machine, "claude-code", CLAUDE_CONFIG_DIR=str(machine.home / "cfg"))
    assert told(found) == ["In a folder of its own.", "In the other configuration."]
    assert {note.directory for note in found.notes} == {str(machine.repo)}
    machine.write("notes/team/c.md", claude("A synchronised copy."))
    machine.write("notes/logs/2026/09/2026-09-01.md", "a log\n")
    assert len(read(machine, "claude-code").notes) == 1


@pytest.mark.parametrize(
    "front",
    [
        "name: a b\ndescription: d\ntype: feedback\nmodified: 2026-09-03T10:12:44Z\n",  # older: all of it at the top
        "name: a-b\ndescription: d\nmetadata: \n  node_type: memory\n  type: feedback\n  modified: 2026-09-03T10:12:44.1Z\n",
        'name: "a b"\ndescription: "d # e: f"\nmetadata: {type: feedback, modified: 2026-09-03T10:12:44Z}\n',
    ],
)
def test_forms_that_claude_code_wrote_over_time(machine: Machine, front: str) -> None:
    """Type and time at the top or below `metadata`, with or without quotes, a blank behind `metadata:`."""
    machine.write(f".claude/projects/{slug(str(machine.repo))}/memory/a-b.md", f"---\n{front}---\n\nSay less.\n")
    (note,) = read(machine, "claude-code").notes
    assert (note.text, note.type, note.name) == ("Say less.", "feedback", "a b")
    assert note.at == "2026-09-03T10:12:44Z"


def test_a_long_description_is_cut_and_the_text_is_not(machine: Machine) -> None:
    """In the wild they have 300 and more characters."""
    machine.claude("long", "The whole text.", description="many words " * 40)
    (note,) = read(machine, "claude-code").notes
    assert (len(note.description) <= 150, note.text) == (True, "The whole text.")


def test_qwen_code_below_another_base_and_with_windows_line_ends(machine: Machine) -> None:
    """`QWEN_CODE_MEMORY_BASE_DIR`; a file with CR LF is legal for it."""
    text = QWEN.format(name="a", type="user", body="Uses fish.").replace("\n", "\r\n")
    machine.write("base/memories/user/a.md", text)
    found = read(machine, "qwen-code", QWEN_CODE_MEMORY_BASE_DIR=str(machine.home / "base"))
    assert (told(found), found.troubles) == (["Uses fish."], [])


def test_hermes_profiles_and_openclaw_workspaces(machine: Machine) -> None:
    """Each profile of Hermes; each workspace that OpenClaw's settings name, and a person's own file in it."""
    machine.write(".hermes/profiles/work/memories/MEMORY.md", "Of a profile.")
    assert told(read(machine, "hermes")) == ["Of a profile."]
    config = {
        "agents": {
            "defaults": {"workspace": "~/claw"},
            "list": [{"id": "b", "workspace": str(machine.home / "claw-b")}],
        }
    }
    machine.write(".openclaw/openclaw.json", json.dumps(config))
    machine.write(
        "claw/users/ann/USER.md", "- Likes tea. (observed 2026-09-01, active)\n- Liked coffee. (superseded)\n"
    )
    machine.write("claw-b/MEMORY.md", "# Memory\n\n- The lab has two printers.\n  One is broken.\n\nprose between\n")
    found = read(machine, "openclaw")
    assert told(found) == ["Likes tea. (observed 2026-09-01, active)", "The lab has two printers.\n  One is broken."]
    assert found.left_out == {"superseded": 1}


def test_openprogram_profiles_and_footnotes(machine: Machine) -> None:
    """A footnote that is not there is told, with its line."""
    machine.write(".openprogram-lab/memory/topics/core.md", OPENPROGRAM.replace("[^e-2275dea39c]: ", "[^e-9]: "))
    found = read(machine, "openprogram")
    assert [(one.line, "e-2275dea39c" in one.what) for one in found.troubles] == [(3, True)]


def test_a_codex_home_with_the_second_pipeline(machine: Machine) -> None:
    """Only the summary is there; its index of sessions is no memory."""
    machine.write(
        "cx/memories_v2/memory_summary.md",
        "v1\n## User preferences\n- Wants tests first.\n\n## What's in Memory\n- x: y\n",
    )
    (note,) = read(machine, "codex", CODEX_HOME=str(machine.home / "cx")).notes
    assert (note.text, note.type, note.directory) == ("Wants tests first.", "feedback", "")


def test_the_directory_of_a_folder_is_looked_for(tmp_path: Path) -> None:
    """Known ones first, then what its session files record, then the disk; two that fit are none."""
    place = tmp_path / "work.d" / "a_b"
    place.mkdir(parents=True)
    name = slug(str(place))
    folder = str(tmp_path / "projects" / name)
    assert directory_of(folder, slug, [str(place), "/elsewhere"]) == str(place)
    assert directory_of(folder, slug, []) == str(place)
    (tmp_path / "work.d" / "a.b").mkdir()
    assert directory_of(folder, slug, []) == ""
    os.makedirs(folder)
    Path(folder, "s.jsonl").write_text(json.dumps({"cwd": str(place / "sub" / "dir")}) + "\n")
    assert directory_of(folder, slug, []) == str(place)
    assert directory_of(str(tmp_path / "projects" / "-no-such-directory"), slug, []) == ""


def test_qwen_codes_names_are_never_shortened() -> None:
    """The same letters otherwise: one `-` for each UTF-16 unit that is none."""
    assert qwen_slug("/tmp/x/emoji😀x") == slug("/tmp/x/emoji😀x") == "-tmp-x-emoji--x"
    assert len(qwen_slug("/" + "a" * 300)) == 301


def test_items_keep_their_lines() -> None:
    """Bullets, numbers, paragraphs, what is indented, code, comments, rules; each with its line and its heading."""
    assert list(items(LISTS.split("\n"), first=10)) == [
        Item(line=12, text="One.", section=""),
        Item(line=17, text="first", section="A"),
        Item(line=18, text="second\n   more\n\n   still second", section="A"),
        Item(line=24, text="done", section="A"),
        Item(line=26, text="```\n- no item\n```", section="A"),
    ]


def test_parts_hold_everything() -> None:
    """No line is lost between two pieces, and each knows how many lines stand before it."""
    text = "\n\n".join(f"# H{number}\n\npara {number}\nline" for number in range(30))
    pieces = parts(text, 100)
    assert all(len(piece) <= 100 for _before, piece in pieces)
    assert [line for _before, piece in pieces for line in piece.split("\n") if line] == [
        line for line in text.split("\n") if line
    ]
    assert all(text.split("\n")[before] == piece.split("\n")[0] for before, piece in pieces)


def test_a_note_needs_little() -> None:
    """What an importer of another agent has to give."""
    note = Note(path="/x", line=1, offset=0, text="a fact")
    assert (note.directory, note.type, note.from_repository) == ("", None, False)
