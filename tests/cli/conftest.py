"""`world` and `mine` have learnt, `fresh` has not; each test finds them as if it were the first."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest

from tests.cli.world import SEEDED, World, bare


@pytest.fixture(scope="session")
def _seed(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, str]:
    folder = str(tmp_path_factory.mktemp("cli"))
    world = bare(os.path.join(folder, "machine"))
    done = world.jay("learn", "--json", env=SEEDED)
    assert done.code == 0, done
    copy = os.path.join(folder, "copy")
    shutil.copytree(world.home, copy, symlinks=True)
    return world, copy


@pytest.fixture
def world(_seed: tuple[World, str]) -> World:
    """Memories learnt from the recorded sessions, for tests that only look."""
    return _seed[0]


@pytest.fixture
def mine(_seed: tuple[World, str]) -> Iterator[World]:
    """The same for tests that change it: the files are put back afterwards, at the same paths."""
    world, copy = _seed
    yield world
    shutil.rmtree(world.home)
    shutil.copytree(copy, world.home, symlinks=True)


@pytest.fixture
def fresh(tmp_path: os.PathLike[str]) -> World:
    """Sessions on disk and no scrubjay home yet."""
    return bare(os.fspath(tmp_path))
