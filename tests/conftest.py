"""Every test runs in a home of its own: `HOME`, `SCRUBJAY_HOME` and what agents read from the environment."""

from __future__ import annotations

import os
import pwd
import tempfile
from collections.abc import Iterator

import pytest

_SCRUBBED = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "QWEN_HOME", "QWEN_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
_ROOT = tempfile.TemporaryDirectory(prefix="scrubjay-tests-")


def pytest_configure() -> None:
    """Before anything is imported: a temporary home, nothing of the person's own environment."""
    home = os.path.join(_ROOT.name, "home")
    os.makedirs(home, mode=0o700, exist_ok=True)
    os.environ["HOME"] = home
    os.environ["SCRUBJAY_HOME"] = os.path.join(home, ".scrubjay")
    for name in list(os.environ):
        if name in _SCRUBBED or name.startswith("GIT_") or (name.startswith("SCRUBJAY_") and name != "SCRUBJAY_HOME"):
            del os.environ[name]


def pytest_sessionstart() -> None:
    """Stop when the home is the real one."""
    _refuse_the_real_home()


def pytest_unconfigure() -> None:
    _ROOT.cleanup()


@pytest.fixture(autouse=True)
def _temporary_home() -> Iterator[None]:
    """A test that put the real home back stops the run."""
    yield
    _refuse_the_real_home()


def _refuse_the_real_home() -> None:
    real = os.path.realpath(pwd.getpwuid(os.getuid()).pw_dir)
    if os.path.realpath(os.path.expanduser("~")) == real:
        pytest.exit("HOME is the real home folder: the tests would read and write it", returncode=4)


@pytest.fixture
def home(tmp_path: os.PathLike[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """A home folder of the test's own; `HOME` and `SCRUBJAY_HOME` name it."""
    path = os.path.join(os.fspath(tmp_path), "home")
    os.makedirs(path, mode=0o700)
    monkeypatch.setenv("HOME", path)
    monkeypatch.setenv("SCRUBJAY_HOME", os.path.join(path, ".scrubjay"))
    return path
