"""Patterns of the tables that are kept compiled are those that `re` makes, whatever happens to the file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scrubjay.learn.rules import compiled as module
from scrubjay.learn.rules.compiled import compiled, keep

PATTERNS = (
    (r"\b(?:no|(?P<word>never))\s+\w{2,5}?", re.VERBOSE | re.IGNORECASE),
    ("部署[^。]{1,3}(?<!前)", 0),
    ("[a-cß]", re.ASCII),
)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of its own, and the leave to write one."""
    file = tmp_path / "kept.patterns"
    monkeypatch.setattr(module, "_path", lambda: str(file))
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    again(monkeypatch)
    return file


def again(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the next process begins."""
    one = module._Kept()
    monkeypatch.setattr(module, "_kept", lambda: one)


def made() -> list[re.Pattern[str]]:
    found = [compiled(*one) for one in PATTERNS]
    assert found == [re.compile(*one) for one in PATTERNS]  # equal: the same codes, flags and text
    assert [one.groupindex for one in found] == [re.compile(*one).groupindex for one in PATTERNS]
    return found


def test_kept_patterns_are_those_of_re(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Made, kept and read back; what was kept is not made again, and nothing else is left in the folder."""
    made()
    keep()
    again(monkeypatch)
    monkeypatch.setattr(module, "_codes", lambda *_: pytest.fail("made again"))
    made()
    assert [one.name for one in kept.parent.iterdir()] == [kept.name]
    match = made()[0].match("Never say")
    assert match is not None
    assert match["word"] == "Never"


def test_a_damaged_file_counts_for_nothing(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut short, with one byte changed, or something else altogether: the patterns are made anew."""
    made()
    keep()
    whole = kept.read_bytes()
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    for data in (b"", whole[: len(whole) // 2], bytes(changed), b"x" * 100, whole[4:]):
        kept.write_bytes(data)
        assert module._read(str(kept)) == {}
        again(monkeypatch)
        made()
    keep()
    assert kept.read_bytes() == whole


def test_where_nothing_can_be_kept_patterns_are_made(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No leave to write compiled code, no folder to write into, inner parts of Python that are other than expected."""
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    made()
    keep()
    assert not kept.exists()
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.setattr(module, "_path", lambda: "/nonexistent/kept.patterns")
    again(monkeypatch)
    made()
    keep()

    def other(*_: object) -> None:
        raise AttributeError("another Python")

    monkeypatch.setattr(module, "_codes", other)
    again(monkeypatch)
    made()


def test_a_wrong_pattern_is_said_as_by_re() -> None:
    """The table's author sees the usual error."""
    with pytest.raises(re.error, match="unterminated"):
        compiled("(a")
