"""Values that a command cannot take: exit code 2, one sentence that names the option and the value's fault, nothing done.

Plain text and flags pass Typer's validation by (`cli.parameters`); whatever must become something else must not.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
import typer

from scrubjay.cli.main import build
from tests.cli.world import World

SENTENCES = (
    (["log", "--limit", "many"], "'--limit'", "integer"),
    (["log", "--limit", "1.5"], "'--limit'", "integer"),
    (["log", "--limit", ""], "'--limit'", "integer"),
    (["log", "--limit", "0"], "'--limit'", "1"),
    (["log", "--limit"], "'--limit'", "requires an argument"),
    (["init", "--days", "-1"], "'--days'", "0"),
    (["mcp", "--http", "65536"], "'--http'", "65535"),
    (["mcp", "--http", "x"], "'--http'", "integer"),
    (["remember", "x", "--type", "nope"], "'nope'", "user, feedback, project or reference"),
    (["config", "mode", "nope"], "'nope'", "auto, review, read-only, off"),
    (["config", "hook.deadline_ms", "soon"], "'soon'", "whole number"),
    (["pause", "5x"], "'5x'", "30m"),
    (["learn", "--since", "yesterdayish"], "'yesterdayish'", "2026-09-03"),
    (["learn", "nobody"], "'nobody'", "claude-code"),
    (["init", "nobody", "--yes"], "'nobody'", "claude-code"),
    (["import", "nobody"], "'nobody'", "claude-code"),
    (["ingest", "/nonexistent/file"], "/nonexistent/file", "no such file"),
    (["import", "/nonexistent/file.md"], "/nonexistent/file.md", "no such file"),
    (["show"], "'memory'", "missing argument"),
    (["scan", "extra"], "extra", "unexpected"),
    (["list", "--nope"], "--nope", "no such option"),
    (["list", "--json=yes"], "'--json'", "does not take a value"),
)


@pytest.mark.parametrize(("arguments", "named", "said"), SENTENCES, ids=[" ".join(one[0]) for one in SENTENCES])
def test_it_is_refused_with_a_clear_line(fresh: World, arguments: list[str], named: str, said: str) -> None:
    """Option or value, and what would be right; no traceback, nothing on standard output, nothing written."""
    done = fresh.jay(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("jay: ")
    words = " ".join(done.err.split())
    assert named in words
    assert said in words
    assert "fault in scrubjay itself" not in words
    assert not os.path.exists(os.path.join(fresh.store, "memory"))


def typed() -> list[Any]:
    """(command, option, a value that it cannot have) for every parameter that is neither text nor a flag."""
    group: Any = typer.main.get_command(build())
    rows = [(name, one) for name, command in sorted(group.commands.items())
            for one in command.get_params(typer.Context(command)) if one.name != "help"]  # fmt: skip
    return [
        pytest.param(name, one.opts[0], id=f"{name} {one.opts[0]}")
        for name, one in rows
        if one.type_descriptor.annotation not in (str, bool, list[str])
    ]


@pytest.mark.parametrize(("command", "option"), typed())
def test_every_option_that_is_no_text_refuses_nonsense(fresh: World, command: str, option: str) -> None:
    """Also one that a command gets next year; nothing of it reaches the command as text."""
    assert option.startswith("--")
    done = fresh.jay(command, option, "nonsense", "--json")
    assert done.code == 2
    assert f"'{option}'" in done.json["error"]


def test_a_value_that_can_be_taken_arrives_as_what_it_is(fresh: World) -> None:
    """Numbers as numbers, several values as several, text as it was typed."""
    for number in range(3):
        fresh.jay("remember", f"rack {number} hums", "--alias", "one ", "--alias", "2")
    assert len(fresh.jay("log", "--limit", "2", "--json").json["changes"]) == 2
    (row, *_) = fresh.jay("list", "--json").json["memories"]
    shown = fresh.jay("show", row["id"], "--json").json
    assert "2" in shown["aliases"], shown
