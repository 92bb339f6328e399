"""The built wheel, alone in an empty environment: what a person installs, without the tools of a developer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the files that git tracks."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(TOP)]
    subprocess.run(command, check=True)
    (built,) = folder.glob("scrubjay-*.whl")
    return built


def test_the_wheel_holds_the_tables_of_the_rules(wheel: Path) -> None:
    """They are data beside the code, read from the installed package."""
    folder = TOP / "src" / "scrubjay" / "learn" / "rules" / "weights"
    with zipfile.ZipFile(wheel) as archive:
        for path in folder.glob("*.json"):
            assert archive.read(path.relative_to(TOP / "src").as_posix()) == path.read_bytes()
    assert len(list(folder.glob("*.json"))) > 1


def lowest() -> list[str]:
    """The lowest allowed version of each run-time dependency, as pip arguments."""
    dependencies = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]["dependencies"]
    return [dependency.replace(">=", "==") for dependency in dependencies]


@pytest.mark.parametrize("versions", ["newest", "lowest"])
def test_the_wheel_works_alone(wheel: Path, versions: str, tmp_path: Path) -> None:
    """With the newest and with the lowest allowed dependencies: help, the demo, and a hook that says nothing and ends 0."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    pins = lowest() if versions == "lowest" else []
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel), *pins], check=True)
    environment = {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    (tmp_path / "home").mkdir()

    def jay(*arguments: str) -> str:
        command = [str(tmp_path / "venv" / "bin" / "jay"), *arguments]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        return done.stdout

    assert "remember" in jay("--help")
    assert json.loads(jay("demo", "--json"))["kept"]
    hook = [str(python), "-I", "-c", "from scrubjay.hook import main; main()", "claude-code", "UserPromptSubmit"]
    done = subprocess.run(hook, input="{}", capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
