"""A hook's modules come from one file when that is right, and from their own files when it is not."""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scrubjay import quickload
from scrubjay.hooks import packing
from tests.hook_process import SOURCE
from tests.hook_world import World, busy

FACT = "The staging deploy needs the vpn job to run first."
QUESTION = "why does the staging deploy fail without the vpn job?"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with busy(tmp_path) as one:
        yield one


def loader_of_flow(world: World) -> str:
    """Who loads the module that every hook needs, in a fresh interpreter."""
    program = (
        "import sys; sys.path.append(sys.argv[1]); from scrubjay import quickload; quickload.use(sys.argv[2])\n"
        "from scrubjay.hooks import flow; print(type(flow.__spec__.loader).__name__, flow.__file__)"
    )
    command = [sys.executable, "-I", "-S", "-c", program, str(SOURCE), world.home.pack]
    loader, file = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert file == str(SOURCE / "scrubjay" / "hooks" / "flow.py")
    return loader


def changed(world: World, change: Callable[[str, dict[str, Any]], tuple[str, dict[str, Any]]]) -> None:
    """The pack with one thing in it changed."""
    path, version = Path(world.home.pack), quickload.magic()
    path.write_bytes(version + marshal.dumps(change(*marshal.loads(path.read_bytes()[len(version) :]))))


def older(folder: str, modules: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """As if the package had been replaced since: one source file has another time now."""
    origin, package, mtime_ns, size, code = modules["scrubjay.search.query"]
    return folder, {**modules, "scrubjay.search.query": (origin, package, mtime_ns - 1, size, code)}


def gone(folder: str, modules: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A module of which there is no file any more."""
    return folder, {**modules, "scrubjay.left": (f"{folder}/left.py", False, 1, 1, b"")}


def elsewhere(folder: str, modules: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Made by another installation that shares the home."""
    return folder + "-of-another", modules


DAMAGES: dict[str, Callable[[World], object]] = {
    "missing": lambda world: Path(world.home.pack).unlink(),
    "empty": lambda world: Path(world.home.pack).write_bytes(b""),
    "cut": lambda world: os.truncate(world.home.pack, 10_000),
    "garbage": lambda world: Path(world.home.pack).write_bytes(quickload.magic() + b"\xff" * 100),
    "another interpreter": lambda world: Path(world.home.pack).write_bytes(
        b"\0\0\r\n" + Path(world.home.pack).read_bytes()[4:]
    ),
    "older": lambda world: changed(world, older),
    "gone": lambda world: changed(world, gone),
    "elsewhere": lambda world: changed(world, elsewhere),
}


def test_a_right_pack_is_used_and_not_made_twice(world: World) -> None:
    """It is private, and the module knows its source file as ever."""
    assert packing.write(world.home)
    assert not packing.write(world.home)
    assert os.stat(world.home.pack).st_mode & 0o777 == 0o600
    assert loader_of_flow(world) == "_Pack"


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_pack_that_is_not_right_changes_nothing_and_is_made_anew(world: World, damage: str) -> None:
    """Imports go their ordinary way, the prompt gets its answer, and the next worker pass mends the pack."""
    world.start()
    world.remember(FACT)
    packing.write(world.home)
    DAMAGES[damage](world)
    assert loader_of_flow(world) == "SourceFileLoader"
    assert FACT in world.ask(QUESTION).context
    assert packing.write(world.home)
    assert loader_of_flow(world) == "_Pack"


def test_hooks_answer_the_same_with_a_pack_and_without(world: World) -> None:
    """Start, prompt and stop."""
    world.remember("Always run the linter before you commit.", kind="feedback")
    plain, packed = (f"{number}1111111-2222-4333-8444-555555555555" for number in (1, 2))
    starts = [world.start(session=plain)]
    assert packing.write(world.home)
    starts.append(world.start(session=packed))
    world.remember(FACT)
    with_pack = [world.ask(QUESTION, packed), world.fire("Stop", session=packed)]
    Path(world.home.pack).unlink()
    assert [world.ask(QUESTION, plain), world.fire("Stop", session=plain)] == with_pack
    assert starts[0] == starts[1]
    assert "linter" in starts[0].context
    assert FACT in with_pack[0].context


def test_where_it_cannot_be_written_there_is_none(world: World) -> None:
    """No error: hooks are only slower."""
    Path(world.home.pack).mkdir()
    assert not packing.write(world.home)
