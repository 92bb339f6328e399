"""MEMORY.md: always within its limits, says what is not in it, follows the files."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.home import Home
from scrubjay.memory import Memory, render
from scrubjay.store import index, layout
from scrubjay.store.change import commit, create
from tests.store.samples import add, memory

NOT_TOLD = "are not shown here"


def made(memories: list[tuple[str, Memory]]) -> str:
    return index.render("/store", {}, {f"/store/{name}": render(one, before=one) for name, one in memories}).decode()


def check_limits(text: str) -> None:
    assert text.count("\n") <= index.MAX_LINES
    assert index.units(text) <= index.MAX_UNITS
    assert max(index.units(line) for line in text.split("\n")) <= index.MAX_LINE_UNITS


names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=200).filter(
    lambda text: bool(text.strip())
)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(names, names, st.sampled_from(["active", "pending"])), max_size=20), st.integers(1, 12))
def test_limits_hold(rows: list[tuple[str, str, str]], times: int) -> None:
    """Whatever names and descriptions, few or many: lines, units and line length; shown and left out add up."""
    memories = [
        (f"f{number}-{copy}.md", memory(name, description=text, status=status))
        for copy in range(times)
        for number, (name, text, status) in enumerate(rows)
    ]
    text = made(memories)
    check_limits(text)
    shown = text.count("\n- ")
    active = sum(status == "active" for *_, status in rows) * times
    left = int(text.split(NOT_TOLD)[0].split("\n")[-1].split()[0]) if NOT_TOLD in text else 0
    assert shown + left == active


def test_newest_first_pinned_before_all_and_the_rest_is_counted() -> None:
    """Of 300 memories the pinned one and the newest are shown, in a stable order; of the rest kinds and command are named."""
    memories = [
        (f"n{number:03d}.md", memory(f"Fact {number}", updated=f"2026-{1 + number // 28:02d}-{1 + number % 28:02d}T00:00:00Z",
                                     pinned=number == 3, type="feedback" if number < 10 else "project"))
        for number in range(300)
    ]  # fmt: skip
    text = made(memories)
    check_limits(text)
    lines = [line for line in text.split("\n") if line.startswith("- ")]
    assert lines[:3] == [
        "- [Fact 3](n003.md) — when it is about Fact 3",
        "- [Fact 299](n299.md) — when it is about Fact 299",
        "- [Fact 298](n298.md) — when it is about Fact 298",
    ]
    left = 300 - len(lines)
    assert f"{left} older memories are not shown here (9 feedback, {left - 9} project): `jay list`" in text
    assert made(list(reversed(memories))) == text


def test_awkward_names_make_good_links() -> None:
    """Brackets, blanks and very long file names."""
    text = made([
        ("a (b).md", memory("Array[int] use")),
        ("x" * 240 + ".md", memory("Long file")),
        ("y.md", memory("z" * 80, description="d" * 150)),
    ])  # fmt: skip
    check_limits(text)
    assert "- [Array(int) use](<a (b).md>) — when it is about Array[int] use\n" in text
    assert "- Long file — when it is about Long file\n" in text
    assert f"- [{'z' * 80}](y.md) — {'d' * 56}…\n" in text


def test_only_active_memories_and_each_store_its_own(home: Home) -> None:
    """Pending and dormant ones are not in the index; a change in one store leaves the other's file alone."""
    add(home, "Alpha")
    add(home, "Waiting", status="pending")
    before = Path(home.user_store, "MEMORY.md").read_bytes()
    assert b"Waiting" not in before
    store = layout.project_store(home, "acme-1")
    commit(home, [create(memory("Project fact"), store)], subject="Project")
    assert Path(home.user_store, "MEMORY.md").read_bytes() == before
    assert "Project fact" in Path(store.path, "MEMORY.md").read_text()
