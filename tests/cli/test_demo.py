"""`jay demo`: the main job on real input, nothing of the person's touched."""

from __future__ import annotations

import os
import re
from pathlib import Path

from scrubjay import redact
from scrubjay.demo import fill
from tests.cli.world import Done, World

DEMO = Path(fill.__file__).parent


def demo(world: World) -> Done:
    """In a home of which every file is remembered: the demo must leave all of it alone."""
    before = snapshot(world.home)
    done = world.jay(
        "demo", "--json", env={"SCRUBJAY_MODE": "off", "CODEX_HOME": world.repo, "CLAUDE_CONFIG_DIR": "/nowhere"}
    )
    assert snapshot(world.home) == before
    return done


def snapshot(folder: str) -> dict[str, tuple[int, int]]:
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            info = os.stat(os.path.join(where, name))
            found[os.path.join(where, name)] = (info.st_mtime_ns, info.st_size)
    return found


def test_it_shows_the_whole_job(fresh: World) -> None:
    """Three agents; kept with their words; a secret, planted text, a question refused; recall and silence; a proof."""
    data = demo(fresh).json
    assert {one["agent"] for one in data["sessions"]} == {"claude-code", "codex", "qwen-code"}
    assert {one["type"] for one in data["kept"]} >= {"user", "feedback", "project"}
    assert all(one["name"] and one["quote"] and one["agent"] and one["at"] for one in data["kept"])
    assert {one["agent"] for one in data["kept"]} == {"claude-code", "codex", "qwen-code"}
    assert {"secret", "injection", "question", "temporary"} <= {one["rule"] for one in data["refused"]}
    assert [bool(one["memories"]) for one in data["recall"]] == [True, True, False]
    assert [bool(one["block"]) for one in data["recall"]] == [True, True, False]
    assert data["why"]["evidence"][0]["quote"]
    assert len(data["why"]["replaces"]) == 1
    assert (data["secrets"] > 0, data["secrets_found"]) == (True, 0)


def test_it_fits_one_screen_and_shows_nothing_of_this_machine(fresh: World) -> None:
    """At most 48 lines, none wider than the terminal, no temporary path (README.md holds that it is the same each time)."""
    first = fresh.process("demo", env={"COLUMNS": "100"})
    assert (first.code, first.err) == (0, "")
    lines = first.out.splitlines()
    assert len(lines) <= 48
    assert max(map(len, lines)) <= 112  # the path of a session file is not cut
    assert not re.search(r"tmp|scrubjay-demo", first.out)


def test_no_file_of_the_package_holds_a_secret() -> None:
    """The recordings hold placeholders; what fills them is put together at run time and found by the scanner."""
    kinds = set()
    for path in sorted(DEMO.rglob("*")):
        if path.suffix in (".jsonl", ".json", ".py"):
            text = path.read_text(encoding="utf-8")
            assert redact.findings(text.replace("\\n", "\n")) == [], path
            kinds |= {finding.kind for finding in redact.findings(fill.fill(text).replace("\\n", "\n"))}
    assert {"url-password", "aws-access-key"} <= kinds


def test_the_recordings_stay_small() -> None:
    """What the wheel carries for the demo is under 400 kB."""
    assert sum(path.stat().st_size for path in DEMO.rglob("*") if path.is_file() and path.suffix != ".pyc") < 400_000


def test_without_git_it_says_so(fresh: World) -> None:
    """No traceback: what is missing, and what helps."""
    done = fresh.jay("demo", "--json", env={"PATH": fresh.home})
    assert (done.code, done.json) == (2, {"error": "the demo needs git, and there is none", "hint": "install git"})
