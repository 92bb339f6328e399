"""The one command in agents' settings: it works, and when it cannot it ends with 0 and in silence."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay.home import Home
from scrubjay.install import plugin, shim, state
from scrubjay.install.state import Installed

PACKAGE = """
import os, sys
def main():
    print(sys.argv[1:], os.environ["SCRUBJAY_HOME"], sys.flags.isolated, sys.flags.no_site, sys.stdin.read())
    print("a complaint", file=sys.stderr)
    return int(os.environ.get("CODE", "0"))
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(str(tmp_path / 'jay\'s "home" $x'))


def package(folder: Path, source: str = PACKAGE) -> Path:
    (folder / "scrubjay").mkdir(parents=True)
    (folder / "scrubjay" / "__init__.py").write_text("")
    (folder / "scrubjay" / "hook.py").write_text(source)
    return folder


def place(home: Home, *, python: str = sys.executable, folder: Path) -> None:
    os.makedirs(os.path.dirname(home.shim))
    Path(home.shim).write_text(shim.text(home, python=python, package=str(folder)))
    os.chmod(home.shim, 0o700)


def run(home: Home, **environment: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [home.shim, "claude-code", "Stop now"],
        input="{}",
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", **environment},
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_it_runs_the_package_by_its_folder(home: Home, tmp_path: Path) -> None:
    """Arguments and standard input arrive whole; isolated, without site, in its own home whatever the environment says."""
    place(home, folder=package(tmp_path / "a folder"))
    expected = f"['claude-code', 'Stop now'] {home.root} 1 1 {{}}\n"
    assert run(home, SCRUBJAY_HOME="/elsewhere", PYTHONPATH="/nowhere") == (0, expected, "")


def test_what_lies_beside_the_package_does_not_hide_the_standard_library(home: Home, tmp_path: Path) -> None:
    """site-packages may hold a `json.py` or an old backport of `typing`."""
    folder = package(tmp_path / "site", "import json\ndef main():\n    print(json.dumps(1))\n")
    (folder / "json.py").write_text("raise SystemExit('the wrong one')")
    place(home, folder=folder)
    assert run(home) == (0, "1\n", "")


BROKEN = {
    "exit code 2 would block the prompt": "def main():\n    return 2\n",
    "an exception": "def main():\n    raise RuntimeError\n",
    "no main": "",
    "a syntax error": "def",
    "an import that is gone": "import scrubjay.nothing\n",
}


@pytest.mark.parametrize("source", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_package_is_silent(home: Home, tmp_path: Path, source: str) -> None:
    """Half upgraded, half removed: code 0, not a byte."""
    place(home, folder=package(tmp_path / "p", source))
    assert run(home) == (0, "", "")


def test_what_is_gone_is_silent(home: Home, tmp_path: Path) -> None:
    """The package removed, the interpreter moved, the interpreter broken: prompts go on."""
    folder = package(tmp_path / "p")
    place(home, folder=folder)
    shutil.rmtree(folder)
    assert run(home) == (0, "", "")
    package(tmp_path / "p")

    python = tmp_path / "python"
    python.symlink_to(sys.executable)
    Path(home.shim).write_text(shim.text(home, python=str(python), package=str(folder)))
    python.unlink()
    assert run(home) == (0, "", "")
    python.write_text("#!/bin/sh\necho lost my libraries >&2\nexit 127\n")
    python.chmod(0o700)
    assert run(home) == (0, "", "")


def test_ensure_repairs_what_is_installed_and_nothing_else(home: Home) -> None:
    """Nothing installed: no file, no folder. Installed: written, repaired after an upgrade, left alone when right."""
    assert not shim.ensure(home)
    assert not os.path.exists(home.root)

    state.record(home, Installed(agent="claude-code", path="/x", at="2026-09-03T10:12:44Z", events=("Stop",)))
    assert shim.ensure(home)
    assert stat.S_IMODE(os.stat(home.shim).st_mode) == 0o700
    good = Path(home.shim).read_text()
    assert not shim.ensure(home)

    for damage in (good.replace(sys.executable, "/old/python"), "", "#!/bin/sh\nexit 1\n"):
        Path(home.shim).write_text(damage)
        assert shim.ensure(home)
        assert Path(home.shim).read_text() == good
    os.chmod(home.shim, 0o600)
    assert shim.ensure(home)
    os.unlink(home.shim)
    assert shim.ensure(home)


def test_a_retired_shim_stays_retired(home: Home) -> None:
    """After the uninstallation running sessions still call it: nothing happens, and no `jay` command revives it."""
    shim.write(home)
    shim.retire(home)
    assert run(home) == (0, "", "")
    assert not shim.ensure(home)
    assert shim.write(home)


def test_a_home_that_cannot_be_written_does_not_stop_a_command(tmp_path: Path) -> None:
    """`ensure` is called by every command; a home that is a file, say, is somebody else's to report."""
    (tmp_path / "home").write_text("")
    home = Home(str(tmp_path / "home"))
    assert not shim.ensure(home)


def test_the_real_hook_answers_through_it(home: Home) -> None:
    """The package that runs these tests, its real entry point, an event that it does not know: silence and 0."""
    shim.write(home)
    assert run(home) == (0, "", "")


def gone(home: Home, how: str, tmp_path: Path) -> list[str]:
    """A hook's command line whose package is not there any more, for one reason or another."""
    if how == "the shim of the plugin":
        return ["/bin/sh", os.path.join(plugin.folder(), "bin", "hook"), "Stop"]
    place(home, folder=package(tmp_path / "there", "def") if how == "broken" else tmp_path / "nowhere")
    if how == "retired":
        shim.retire(home)
    return [home.shim, "claude-code", "Stop"]


@pytest.mark.parametrize("how", ["no package", "broken", "retired", "the shim of the plugin"])
def test_without_the_package_the_agent_can_still_write(home: Home, tmp_path: Path, how: str) -> None:
    """More than a pipe holds, written slowly, after the hook has long ended with 0: no broken pipe, and all of it is read."""
    command = gone(home, how, tmp_path)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    ) as hook:  # fmt: skip
        assert hook.stdin is not None
        assert hook.stdout is not None
        assert hook.stderr is not None
        assert hook.wait(20) == 0, "it waits for nobody"
        assert (hook.stdout.read(), hook.stderr.read()) == (b"", b""), "what is left over holds neither open"
        for _ in range(8):
            hook.stdin.write(b"x" * 50_000)
            hook.stdin.flush()


@pytest.mark.parametrize("how", ["no package", "broken", "retired", "the shim of the plugin"])
def test_without_an_input_and_without_a_search_path_it_is_silent_too(home: Home, tmp_path: Path, how: str) -> None:
    """Standard input that is closed, and no `cat` anywhere."""
    command = gone(home, how, tmp_path)
    closed = ["/bin/sh", "-c", 'exec "$@" <&-', "sh", *command]
    for argv in (command, closed):
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, env={"PATH": "/nonexistent", "HOME": str(tmp_path)}
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
