"""A person's own secret patterns: applied wherever redaction is, and refused when they are broken or dangerous."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from scrubjay import redact
from scrubjay.errors import BadInput
from scrubjay.redact import own
from tests.cli.world import World, bare

TOKEN = "acme" + "-live-" + "00417733"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SCRUBJAY_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SCRUBJAY_REDACT_PATTERNS", raising=False)
    (tmp_path / "home").mkdir()
    return tmp_path / "home" / "config.toml"


def test_what_a_pattern_matches_is_a_secret(config: Path) -> None:
    """From the next text on, also at the end of a very long line; twice changes nothing; without the setting it stays."""
    text = f"the gate takes {TOKEN} until May\n{'x ' * 5000}{TOKEN}"
    assert redact.is_clean(text)
    config.write_text("[redact]\npatterns = ['acme-live-[0-9]{8}', '[a-z]+-pattern']\n")
    clean = redact.redact(text)
    assert clean == text.replace(TOKEN, "[redacted: own-pattern]")
    assert redact.redact(clean) == clean
    assert len(redact.mask(text)) == len(text)
    config.unlink()
    assert redact.is_clean(text)


def test_the_environment_holds_one_a_line(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a comma can stand in a pattern."""
    monkeypatch.setenv("SCRUBJAY_REDACT_PATTERNS", "acme-live-[0-9]{6,8}\nzzz-[0-9]+")
    assert redact.redact(f"{TOKEN} zzz-12") == "[redacted: own-pattern] [redacted: own-pattern]"


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "not a regular expression"),
        ("(a+)+$", "a repeat inside a repeat"),
        ("([a-z]*-)*x", "a repeat inside a repeat"),
        ("(?:ab?){1,30}", "a repeat inside a repeat"),
        ("(?:aa|a)+x", "inside a repeat"),
        (r"(a)\1+x", "it refers back"),
        ("a*", "empty text"),
        (".*.*.*.*.*x", "repeats without a limit"),
        (r"\w+\w+\w+\w+$", "too many ways"),
        ("a?" * 25 + "a" * 25 + "z", "choices"),
        ("x" * 600, "longer than"),
    ],
)
def test_a_pattern_that_is_not_fit_for_use_is_named_and_refused(config: Path, pattern: str, why: str) -> None:
    """File, setting and number of the pattern; within seconds, also for one that would run for years."""
    config.write_text(f"[redact]\npatterns = ['fine-[0-9]+', '{pattern}']\n")
    began = time.process_time()
    with pytest.raises(BadInput) as caught:
        redact.redact("the text")
    assert time.process_time() - began < 5
    assert caught.value.exit_code == 2
    assert caught.value.at == str(config)
    assert caught.value.what.startswith("redact.patterns, pattern 2: ")
    assert why in caught.value.what


@pytest.mark.parametrize(
    "pattern",
    [r"\bacme_[A-Za-z0-9]{20,40}\b", "(?:live|test)-[0-9a-f]{32}", "(?:[0-9A-F]{4}-){3}[0-9A-F]{4}",
     r"(?<=pin )\d{4}", r"key=\w+;id=\d+", "(?i)internal-[a-z]+-token"],
)  # fmt: skip
def test_usual_patterns_are_taken(pattern: str) -> None:
    """Prefixes, choices, groups of fixed length, look-behinds."""
    assert own.check([pattern], "here")


def test_in_the_product(tmp_path: Path) -> None:
    """`jay config` refuses a bad one before it writes; `remember` masks by a good one; a bad one in the file ends a command
    with 2 and no traceback, and nothing is remembered without it."""
    world: World = bare(str(tmp_path))
    bad = world.jay("config", "redact.patterns", "(a+)+$", "--json")
    assert (bad.code, "a repeat inside a repeat" in bad.json["error"]) == (2, True)
    config = Path(world.store, "config.toml")
    assert not config.exists()
    assert world.jay("config", "redact.patterns", "acme-live-[0-9]{6,8}").code == 0
    assert world.jay("remember", f"the gate of the harbour office takes {TOKEN} until May").code == 0
    files = [path for path in Path(world.store).rglob("*") if path.is_file() and path != config]
    assert not [path for path in files if TOKEN.encode() in path.read_bytes()]
    assert any(b"[redacted: own-pattern]" in path.read_bytes() for path in files)
    config.write_text("[redact]\npatterns = ['(']\n")
    for command in (["remember", "the harbour office is closed in May"], ["learn"], ["scan"]):
        done = world.jay(*command, "--json")
        assert (done.code, done.json["at"]) == (2, str(config)), command
        assert done.json["error"].startswith("redact.patterns, pattern 1: ")
    assert "redact.patterns, pattern 1" in world.jay("doctor").out
