"""The documentation says what the code does: made from it, run against it, or compared with it."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path
from typing import Any, get_args

import pytest
import typer

from scrubjay import settings
from scrubjay.cli.main import FIRST, MORE, build
from scrubjay.learn.rulebook import REFUSALS, SLEEPS, WAITS, Outcome
from tests.generated_docs import EXAMPLE, TOP, pages

DOCS = TOP / "docs"
PAGES = [TOP / "README.md", TOP / "CONTRIBUTING.md", TOP / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def made() -> dict[Path, str]:
    return pages()


@pytest.mark.parametrize("name", ["docs/commands.md", "docs/settings.md", "README.md", "docs/README.md"])
def test_what_is_made_from_the_code_is_up_to_date(made: dict[Path, str], name: str) -> None:
    """`make docs` would change nothing: commands, settings, and the example that README and docs share."""
    assert (TOP / name).read_text(encoding="utf-8") == made[TOP / name], "run `make docs`"


def test_readme_and_docs_share_the_example() -> None:
    """One example, in both."""
    examples = [EXAMPLE.search((TOP / name).read_text(encoding="utf-8")) for name in ("README.md", "docs/README.md")]
    assert examples[0]
    assert examples[1]
    assert examples[0].group() == examples[1].group() != ""


def test_every_page_is_in_the_index() -> None:
    """docs/README.md links to each page beside it."""
    linked = set(_LINK.findall((DOCS / "README.md").read_text(encoding="utf-8")))
    assert {path.name for path in DOCS.glob("*.md")} - {"README.md"} <= linked


@pytest.mark.parametrize("name", FIRST + MORE)
def test_each_command_is_documented(name: str) -> None:
    """It has its heading in docs/commands.md."""
    assert re.search(rf"^### `jay {name}\b", (DOCS / "commands.md").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("row", settings.ROWS, ids=lambda row: row.key)
def test_each_setting_is_documented(row: settings.Setting) -> None:
    """Its key and its environment name stand in docs/settings.md."""
    page = (DOCS / "settings.md").read_text(encoding="utf-8")
    assert f"| `{row.key}` |" in page
    assert f"| `{row.variable}` |" in page


def rules() -> set[str]:
    """Every rule that an error of the package names, and the gates' own."""
    found = set(REFUSALS) | set(WAITS)
    for path in (TOP / "src" / "scrubjay").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                values = [one.value for one in node.keywords if one.arg in ("rule", "gate")]
                found |= {str(one.value) for one in values if isinstance(one, ast.Constant) and one.value}
    return found


@pytest.mark.parametrize("rule", sorted(rules()))
def test_each_rule_has_its_row(rule: str) -> None:
    """docs/refusals.md says why each rule refuses or lets wait."""
    assert f"| `{rule}` |" in (DOCS / "refusals.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("word", get_args(Outcome))
def test_each_outcome_is_explained(word: str) -> None:
    """docs/contract.md has a row for each way that a message can end."""
    assert f"| `{word}` |" in (DOCS / "contract.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("word", sorted(SLEEPS))
def test_each_reason_to_sleep_is_explained(word: str) -> None:
    """Why a memory sleeps or was archived is a word of docs/refusals.md."""
    assert f"`{word}`" in (DOCS / "refusals.md").read_text(encoding="utf-8")


def anchor(heading: str) -> str:
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(TOP)))
def test_links_resolve(page: Path) -> None:
    """A relative link names a file that is there, and a heading that it has."""
    for link in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
        if "://" in link or link.startswith("mailto:"):
            continue
        name, _, fragment = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        if fragment:
            assert fragment in {anchor(one) for one in _HEADING.findall(target.read_text(encoding="utf-8"))}, link


def blocks(language: str) -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for number, (name, text) in enumerate(_BLOCK.findall(page.read_text(encoding="utf-8"))):
            if name == language:
                found.append((f"{page.relative_to(TOP)}-{number}", text))
    return found


@pytest.mark.parametrize(("place", "text"), blocks("console"), ids=lambda value: value if "\n" not in value else "")
def test_console_blocks_are_commands_that_parse(place: str, text: str) -> None:
    """Each `$ jay …` is a command line that the parser takes; each `$ make …` a target that exists."""
    group: Any = typer.main.get_command(build())
    targets = re.findall(r"^([a-z-]+):", (TOP / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    lines = [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]
    assert lines, place
    for line in lines:
        program, *arguments = shlex.split(line, comments=True)
        if program == "make":
            assert set(arguments) <= set(targets), line
        elif program == "jay" and arguments and not arguments[0].startswith("-"):
            command = group.commands[arguments[0]]
            command.make_context(arguments[0], arguments[1:])


@pytest.mark.parametrize(("place", "text"), blocks("python"), ids=lambda value: value if "\n" not in value else "")
def test_python_blocks_run(place: str, text: str, home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they stand, in an empty home."""
    monkeypatch.chdir(home)
    exec(compile(text, place, "exec"), {"__name__": place})
