"""The table of CONTRIBUTING.md that says what is held for which real client, here held to what the tests are."""

from __future__ import annotations

import ast
import re

from scrubjay.agents import readers
from tests.clients.pinned import PINNED, ROOT

WITHOUT_CLIENT = {"kimi-cli"}
"""Read, but replaced by another client."""


def rows() -> dict[str, list[list[str]]]:
    """Client → its cells, each the tests named in it."""
    _, _, section = (
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n## What the real clients show\n")
    )
    lines = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {first: [re.findall(r"`([^`]+)`", cell) for cell in rest] for first, *rest in cells}


def test_every_client_that_runs_offline_has_its_row() -> None:
    """One for each agent whose sessions are read, but for what its maker replaced; no cell is empty."""
    assert set(rows()) == {one.title for one in readers().values()} - WITHOUT_CLIENT
    assert [client for client, cells in rows().items() if len(cells) != 6 or not all(cells)] == []


def test_every_test_that_the_table_names_is_there() -> None:
    """A test that goes or changes its name takes its cell with it."""
    there = set()
    for path in PINNED.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                there.add(f"{path.stem.removeprefix('test_')}::{node.name.removeprefix('test_')}")
    named = {name for cells in rows().values() for cell in cells for name in cell}
    assert sorted(named - there) == []
