"""`jay init --rules`: offered, written on request only, right after every command, gone with `jay uninstall`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.world import World

RULE = "Always run the linter before you commit."


def test_a_block_from_asking_for_it_to_its_end(fresh: World) -> None:
    """It follows what is remembered and forgotten."""
    path = Path(fresh.home, ".config", "goose", ".goosehints")
    path.parent.mkdir(parents=True)
    path.write_text("# mine\n", encoding="utf-8")
    plain = fresh.jay("init", "--yes", "--days", "0")
    assert "Goose (--rules goose)" in " ".join(plain.out.split())
    assert path.read_text(encoding="utf-8") == "# mine\n"

    dry = fresh.jay("init", "--yes", "--days", "0", "--rules", "goose", "--dry-run")
    assert "+<!-- scrubjay:begin" in dry.out
    assert path.read_text(encoding="utf-8") == "# mine\n"

    assert fresh.jay("init", "--yes", "--days", "0", "--rules", "goose").code == 0
    fresh.process("remember", RULE, "--user", "--type", "feedback")
    assert RULE in path.read_text(encoding="utf-8")
    fresh.process("forget", fresh.id_of("linter"), "--yes")
    assert RULE not in path.read_text(encoding="utf-8")
    fresh.process("undo")
    assert RULE in path.read_text(encoding="utf-8")
    assert fresh.jay("uninstall", "rules-files").code == 0
    assert path.read_text(encoding="utf-8") == "# mine\n"


def test_what_cannot_be_meant_is_refused_before_anything_is_written(fresh: World) -> None:
    """A name that is none, and an agent without such a file."""
    for name in ("gooose", "cursor"):
        done = fresh.jay("init", "--yes", "--days", "0", "--rules", name)
        assert done.code == 2
        assert not Path(fresh.store).exists()
