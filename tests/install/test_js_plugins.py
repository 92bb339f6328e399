"""In and out of OpenCode and pi: one file of ours, and everything of others untouched."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from scrubjay.errors import BadInput
from scrubjay.home import Home
from scrubjay.install import base, installers, uninstall
from scrubjay.install.base import Removed

FOLDERS = {"opencode": (".config/opencode", "plugin"), "pi": (".pi/agent", "extensions")}
NAMES = sorted(FOLDERS)


class Setting:
    """A home folder with one of the agents in it."""

    def __init__(self, folder: Path, agent: str) -> None:
        self.agent, self.user_home = agent, folder / "home"
        self.home = Home(str(folder / 'jay "home"'))
        config, below = FOLDERS[agent]
        self.config = self.user_home / config
        self.folder = self.config / below
        self.file = self.folder / "scrubjay.js"

    def plan(self) -> list[base.FileChange]:
        return installers()[self.agent].plan(self.home, str(self.user_home), os.environ)

    def install(self) -> None:
        base.install(self.home, self.plan())
        assert self.plan() == [], "everything is there"

    def uninstall(self, *, dry_run: bool = False) -> list[Removed]:
        return uninstall(self.home, [self.agent], dry_run=dry_run)


@pytest.fixture(params=NAMES)
def setting(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    made = Setting(tmp_path, request.param)
    made.config.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(made.user_home))
    for name in ("XDG_CONFIG_HOME", "PI_CODING_AGENT_DIR"):
        monkeypatch.delenv(name, raising=False)
    return made


def test_it_comes_and_goes_without_a_trace(setting: Setting) -> None:
    """The folder goes too when it was made for us."""
    setting.install()
    text = setting.file.read_text(encoding="utf-8")
    assert json.dumps(setting.home.shim) in text
    assert "@" not in text.split("const told")[0]
    assert [one.path for one in setting.uninstall(dry_run=True)] == [str(setting.file)]
    assert setting.file.exists()
    assert [(one.restored, one.changed_since) for one in setting.uninstall()] == [(True, "")]
    assert list(setting.config.iterdir()) == []
    assert setting.uninstall() == []


def test_others_files_stay(setting: Setting) -> None:
    """And so does the folder that was there."""
    setting.folder.mkdir()
    (setting.folder / "theirs.js").write_text("export {}\n", encoding="utf-8")
    setting.install()
    setting.uninstall()
    assert [path.name for path in setting.folder.iterdir()] == ["theirs.js"]


def test_a_file_of_our_name_that_is_not_ours_is_left_alone(setting: Setting) -> None:
    """Said with its path, and not written over; nor removed."""
    setting.folder.mkdir()
    setting.file.write_text("export {}\n", encoding="utf-8")
    with pytest.raises(BadInput) as error:
        setting.plan()
    assert error.value.at == str(setting.file)
    assert setting.uninstall() == []
    assert setting.file.read_text(encoding="utf-8") == "export {}\n"


def test_an_older_one_of_ours_is_replaced_and_a_changed_one_removed_with_word_of_it(setting: Setting) -> None:
    """What the person changed in it is shown."""
    setting.install()
    setting.file.write_text(setting.file.read_text(encoding="utf-8") + "// mine\n", encoding="utf-8")
    (change,) = setting.plan()
    assert "-// mine" in change.diff
    (removed,) = setting.uninstall()
    assert (removed.restored, removed.changed_since) == (False, "+ // mine")
    assert not setting.file.exists()


def test_an_uninstall_without_a_record_finds_it(setting: Setting) -> None:
    """The state was lost."""
    setting.install()
    shutil.rmtree(setting.home.root)
    setting.uninstall()
    assert not setting.file.exists()


def test_another_home_s_file_is_told_and_taken_over(setting: Setting, tmp_path: Path) -> None:
    """Two homes cannot both be called by one file."""
    setting.install()
    setting.home = Home(str(tmp_path / "other"))
    one = installers()[setting.agent]
    (obstacle,) = one.obstacles(setting.home, str(setting.user_home), os.environ)
    assert 'jay "home"' in obstacle.what
    setting.install()
    assert one.obstacles(setting.home, str(setting.user_home), os.environ) == []
    assert {command[0] for _, command in one.commands(setting.home, str(setting.user_home), os.environ)} == {
        setting.home.shim
    }


def test_an_agent_that_is_not_here_is_left_alone(setting: Setting) -> None:
    """No folder is made for it."""
    setting.config.rmdir()
    assert setting.plan() == []


@pytest.mark.parametrize(("agent", "name"), [("opencode", "XDG_CONFIG_HOME"), ("pi", "PI_CODING_AGENT_DIR")])
def test_the_environment_moves_it(agent: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the client itself is moved by it."""
    moved = tmp_path / "moved"
    (moved / "opencode").mkdir(parents=True)
    monkeypatch.setenv(name, str(moved))
    (change,) = Setting(tmp_path, agent).plan()
    assert change.path.startswith(str(moved))


@pytest.mark.skipif(shutil.which("node") is None, reason="node reads the files")
@pytest.mark.parametrize("agent", NAMES)
def test_the_files_are_javascript(agent: str, tmp_path: Path) -> None:
    """Modules that any version of the clients' engines reads."""
    setting = Setting(tmp_path, agent)
    setting.config.mkdir(parents=True)
    setting.install()
    module = tmp_path / "plugin.mjs"
    module.write_bytes(setting.file.read_bytes())
    done = subprocess.run(["node", "--check", str(module)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
