"""docs/bug-cases.md says which test holds which reported fault; here it is held to what the tests are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
TABLE = TESTS.parent / "docs" / "bug-cases.md"

CASES = {
    "scope": range(1, 24),
    "index": range(24, 35),
    "loading": range(35, 47),
    "extraction": range(60, 71),
    "format": range(150, 160),
    "transcripts": range(160, 174),
    "loss": range(80, 95),
    "concurrency": range(95, 102),
    "control": range(102, 117),
    "secrets": range(117, 123),
    "security": range(123, 131),
    "integration": range(174, 189),
    "recall": range(131, 139),
}
"""Kind of fault → numbers of its cases. A kind that is added here needs its section in the table."""

REASONS = ("by design", "later", "elsewhere")


def sections() -> dict[str, list[list[str]]]:
    """Kind → rows of its table: case, reported, right behaviour, tests."""
    found: dict[str, list[list[str]]] = {}
    for part in TABLE.read_text(encoding="utf-8").split("\n## ")[1:]:
        kind, _, text = part.partition("\n")
        rows = [line.strip().strip("|").split("|") for line in text.splitlines() if re.match(r"\| B\d", line)]
        found[kind.strip()] = [[cell.strip() for cell in row] for row in rows]
    return found


def functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("kind", CASES)
def test_each_case_of_a_kind_has_one_row(kind: str) -> None:
    """In order, once, with four cells."""
    rows = sections()[kind]
    assert [row[0] for row in rows] == [f"B{number:03}" for number in CASES[kind]]
    assert {len(row) for row in rows} == {4}


def test_every_section_is_known() -> None:
    """A kind in the page that nobody counts would be checked by nothing."""
    assert sorted(sections()) == sorted(CASES)


def test_every_named_test_exists_and_every_row_has_one_or_a_reason() -> None:
    """`file::function` below tests/; a row without a test says by design, later or elsewhere."""
    known: dict[str, set[str]] = {}
    for kind, rows in sections().items():
        for case, _reported, right, tests in rows:
            named = re.findall(r"`([^`:]+)::([^`]+)`", tests)
            assert named or right.startswith(REASONS), f"{kind} {case}: neither a test nor a reason"
            for file, function in named:
                if file not in known:
                    known[file] = functions(TESTS / file)
                assert function in known[file], f"{kind} {case}: no {function} in tests/{file}"
