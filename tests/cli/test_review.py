"""`jay review`: best first, one key each, on a real terminal and without one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.cli.world import World

pytestmark = pytest.mark.usefixtures("waiting")


@pytest.fixture
def waiting(fresh: World) -> None:
    """Everything waits: as they were recorded, a program wrote the prompts."""
    assert fresh.jay("learn").code == 0


def statuses(world: World) -> dict[str, str]:
    rows = world.jay("list", "--everywhere", "--all", "--json").json["memories"]
    return {row["id"]: row["status"] for row in rows}


def test_without_a_terminal_it_lists_the_best_ten(fresh: World) -> None:
    """Ten rows, best first, each with its words and why it waits; the text holds the same; nothing changes."""
    before = statuses(fresh)
    data = fresh.jay("review", "--json")
    rows = data.json["waiting"]
    assert (data.code, len(rows)) == (0, 10)
    assert {"id", "name", "body", "quote", "reason", "agent", "said_at", "times", "group"} <= set(rows[0])
    text = fresh.jay("review").out
    assert all(row["id"] in text for row in rows)
    assert "waits because: a program wrote the prompt" in text
    assert text.endswith(f"{len(before)} waiting.\n")
    assert len(fresh.jay("review", "--all", "--json").json["waiting"]) == len(before)
    assert statuses(fresh) == before


def test_answers_as_options(fresh: World) -> None:
    """--accept and --reject answer without asking, in one change with one undo."""
    first, second, third, *_ = (row["id"] for row in fresh.jay("review", "--json").json["waiting"])
    before = statuses(fresh)
    done = fresh.jay("review", "--accept", first, "--accept", second, "--reject", third, "--json").json
    assert (done["accepted"], done["rejected"], done["left"]) == ([first, second], [third], len(before) - 3)
    assert statuses(fresh) == {
        key: "active" if key in (first, second) else value for key, value in before.items() if key != third
    }
    for way in done["undo"]:
        assert fresh.jay("undo", way).code == 0
    assert statuses(fresh) == before


def test_keys(fresh: World) -> None:
    """y keeps, n forgets, s leaves, an arrow key and an unknown key do nothing, q stops; typed ahead, none is lost."""
    rows = [row["id"] for row in fresh.jay("review", "--json").json["waiting"]]
    with Terminal(fresh, "review") as terminal:
        terminal.wait_for("1 of 10")
        terminal.press("y")
        terminal.wait_for("kept")
        terminal.press("x\x1b[A")
        terminal.wait_for("2 of 10")
        terminal.press("nsq")
        terminal.wait_for("forgotten")
        terminal.wait_for("left for later")
        terminal.wait_for("4 of 10")
        terminal.wait_for("kept 1, forgot 1")
        terminal.wait_for("take it back: jay undo ")
        assert terminal.end() == 0
    after = statuses(fresh)
    assert [after.get(row) for row in rows[:4]] == ["active", None, "pending", "pending"]


def test_a_key_for_the_whole_group_counts_from_here_on(fresh: World) -> None:
    """What was left for later above stays so; the group's other rows on the page are kept and not asked again."""
    rows = fresh.jay("review", "--json").json["waiting"]
    group = [row["id"] for row in rows if row["group"] == rows[0]["group"]]
    assert len(group) > 2, "the recordings no longer give a group: choose others"
    with Terminal(fresh, "review") as terminal:
        terminal.wait_for(f"all {len(group)} alike")
        terminal.press("s")
        terminal.wait_for("2 of 10")
        terminal.press("Yq")
        assert terminal.end() == 0
    after = statuses(fresh)
    assert [after[one] for one in group] == ["pending"] + ["active"] * (len(group) - 1)


def test_an_edit_keeps_the_persons_words(fresh: World, tmp_path: Path) -> None:
    """e opens the editor on the text; what it leaves is the memory, active."""
    script = tmp_path / "editor"
    script.write_text('#!/bin/sh\nprintf "my own words" > "$1"\n')
    script.chmod(0o700)
    first = fresh.jay("review", "--json").json["waiting"][0]["id"]
    with Terminal(fresh, "review", env={"EDITOR": str(script)}) as terminal:
        terminal.wait_for("1 of 10")
        terminal.press("e")
        terminal.wait_for("kept, with your words")
        terminal.press("q")
        assert terminal.end() == 0
    row = fresh.jay("show", first, "--json").json
    assert ("my own words" in row["body"], row["status"]) == (True, "active")


@pytest.mark.parametrize("key", ["\x03", "\x1b", "\x04"], ids=["ctrl-c", "escape", "ctrl-d"])
def test_leaving_in_the_middle(fresh: World, key: str) -> None:
    """Ctrl-C drops all answers (exit code 130); Escape and Ctrl-D stop and keep what was answered."""
    rows = [row["id"] for row in fresh.jay("review", "--json").json["waiting"]]
    with Terminal(fresh, "review") as terminal:
        terminal.wait_for("1 of 10")
        terminal.press("y")
        terminal.wait_for("2 of 10")
        terminal.press(key)
        code = terminal.end()
    assert code == (130 if key == "\x03" else 0)
    assert "Traceback" not in terminal.screen
    assert statuses(fresh)[rows[0]] == ("pending" if key == "\x03" else "active")


def test_what_nobody_answers_for_thirty_days_is_archived(fresh: World) -> None:
    """Counted, undoable, still listed by --all; exit code 1 when nothing is left to ask."""
    count = len(statuses(fresh))
    late = {"SCRUBJAY_NOW": "2026-11-15T09:00:00Z"}
    done = fresh.jay("review", "--json", env=late)
    assert (done.code, len(done.json["archived"]), done.json["left"]) == (1, count, 0)
    assert set(statuses(fresh).values()) == {"archived"}
    assert os.path.isdir(os.path.join(fresh.store, "memory", "archive"))
