"""What a person meets first: help, the first screen, wrong command lines."""

from __future__ import annotations

import re

import pytest

from scrubjay import __version__
from scrubjay.cli.main import FIRST, MORE
from tests.cli.world import World

COMMANDS = FIRST + MORE


def test_help_shows_the_six_verbs_first_and_every_command_once(world: World) -> None:
    """The order of `jay --help` is that of a first day; nothing else stands between."""
    done = world.jay("--help")
    assert (done.code, done.err) == (0, "")
    listed = re.findall(r"^│ ([a-z]+) ", done.out, re.MULTILINE)
    assert tuple(listed) == FIRST + MORE
    assert done.out.index("The six verbs") < done.out.index("More")


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_says_what_it_does_and_gives_an_example(world: World, name: str) -> None:
    """Help opens with one short line, holds an example that starts with the command itself, and offers --json."""
    done = world.jay(name, "--help")
    assert (done.code, done.err) == (0, "")
    lines = [line.strip() for line in done.out.splitlines() if line.strip()]
    assert lines[0].startswith(f"Usage: jay {name}")
    assert len(lines[1]) <= 60
    assert re.search(rf"Example: jay {name}\b", done.out)
    assert "--json" in done.out


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_narrow_terminal(world: World, name: str) -> None:
    """At 60 columns no line is longer."""
    done = world.jay(name, "--help", env={"COLUMNS": "60"})
    assert max(len(line) for line in done.out.splitlines()) <= 60


def test_the_version(world: World) -> None:
    """`jay --version` is one line."""
    assert world.jay("--version").out == f"jay {__version__}\n"


def test_the_first_screen_before_anything_is_set_up(fresh: World) -> None:
    """`jay` alone names the one next command and leaves nothing behind."""
    done = fresh.jay()
    assert done.out.splitlines() == [
        "scrubjay: one long-term memory for all of your coding agents. Nothing is set up yet.",
        "",
        "Next: jay scan  (read-only: what it would keep of your sessions)",
        "or    jay demo  (the same on recorded sessions, in a temporary home)",
    ]
    assert fresh.jay("--json").json["next"] == "jay scan"


def test_the_first_screen_later(world: World) -> None:
    """`jay` alone shows what is held here and in all, and the next command."""
    lines = world.jay().out.splitlines()
    counts = re.compile(r"\d+ active, \d+ pending, 1 superseded$")
    assert lines[0] == "scrubjay  mode auto  ~/.scrubjay"
    assert re.match(r"here      acme-api-\w+: ", lines[1])
    assert counts.search(lines[1])
    assert counts.search(lines[2])
    assert lines[-1] == "Next: jay init"


@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        (["frob"], {"error": "no such command 'frob'", "at": "jay"}),
        (["why"], {"error": "missing argument 'memory'", "at": "jay why"}),
        (["list", "--frob"], {"error": "no such option: --frob", "at": "jay list"}),
        (["list", "--status", "frob"], {"error": "no status is called 'frob'", "at": "--status"}),
        (["pause", "soon"], {"error": "not a length of time: 'soon'"}),
        (["learn", "frob"], {"error": "no agent is called 'frob'"}),
        (["learn", "--since", "soon"], {"error": "not a date: 'soon'", "at": "--since"}),
        (["remember", "x", "--user", "--team"], {"at": "--user --team"}),
        (["remember", "x", "--type", "frob"], {"error": "no type is called 'frob'", "at": "--type"}),
        (["config", "learn.headless", "frob"], {"at": "the new value"}),
        (["config", "--unset"], {"at": "--unset"}),
        (["init", "frob"], {"error": "no agent is called 'frob'", "at": "AGENT"}),
        (["init", "--days", "-1"], {"at": "jay init"}),
    ],
    ids=" ".join,
)
def test_bad_input_ends_with_two_and_says_what_and_where(
    world: World, arguments: list[str], fields: dict[str, str]
) -> None:
    """Exit code 2; the same fields as text on standard error and as JSON on standard output."""
    text = world.jay(*arguments)
    json = world.jay(*arguments, "--json")
    assert (text.code, text.out, json.code) == (2, "", 2)
    assert json.err == ""
    assert set(json.json) <= {"error", "at", "rule", "hint"}
    assert fields.items() <= json.json.items()
    assert text.err.startswith(f"jay: {json.json['error']}\n")
    for field in ("at", "rule"):
        assert (f"\n  {field:<5} " in text.err) == (field in json.json)


@pytest.mark.parametrize("name", ["show", "why", "edit", "forget", "log"])
def test_an_unknown_id_is_nothing_found(world: World, name: str) -> None:
    """Exit code 1, with the command that lists ids."""
    done = world.jay(name, "m-0000000000", "--json")
    assert done.code == 1
    assert done.json == {"error": "no memory 'm-0000000000'", "hint": "`jay list` shows ids"}
