"""In and out of Gemini CLI's `settings.json` and Kimi Code's `config.toml`: everything that is not ours keeps its bytes."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest

from scrubjay.errors import BadInput
from scrubjay.home import Home
from scrubjay.install import base, gemini_cli, kimi_code, state, uninstall
from scrubjay.install.base import Removed

SETTINGS = (
    '{\n  // mine\n  "theme": "x", "hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "true"}]}]},\n}\n'
)
CONFIG = """\
# mine
default_model = "stub"   # the cheap one

[[hooks]]
event = "Stop"
command = "notify-send done"

[models.stub]
provider = "stub"
# the last word"""


class Machine:
    """A home folder with one of the two clients in it."""

    def __init__(self, folder: Path, installer: gemini_cli.GeminiCli | kimi_code.KimiCode, file: str) -> None:
        self.user_home = folder / "home"
        self.installer = installer
        self.file = self.user_home / file
        self.file.parent.mkdir(parents=True)
        self.home = Home(str(folder / "jay's home"))

    def plan(self) -> list[base.FileChange]:
        return self.installer.plan(self.home, str(self.user_home), {})

    def install(self) -> None:
        base.install(self.home, self.plan())

    def uninstall(self) -> Removed:
        (removed,) = uninstall(self.home, [self.installer.name])
        return removed

    def obstacles(self) -> list[str]:
        return [one.what for one in self.installer.obstacles(self.home, str(self.user_home), {})]


@pytest.fixture(autouse=True)
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("GEMINI_CLI_HOME", "KIMI_CODE_HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def gemini(tmp_path: Path) -> Machine:
    return Machine(tmp_path, gemini_cli.INSTALLER, ".gemini/settings.json")


@pytest.fixture
def kimi(tmp_path: Path) -> Machine:
    return Machine(tmp_path, kimi_code.INSTALLER, ".kimi-code/config.toml")


@pytest.mark.parametrize(
    "before", [None, b"", SETTINGS.replace("]},\n}", "]}\n}").encode()], ids=["none", "empty", "busy"]
)
def test_gemini_in_and_out(gemini: Machine, before: bytes | None) -> None:
    """Twice in changes nothing more; out again gives the bytes of before."""
    if before is not None:
        gemini.file.write_bytes(before)
    gemini.install()
    assert gemini.plan() == []
    data = gemini.file.read_bytes()
    assert data.count(b"gemini-cli") == len(gemini_cli.HOOKS.timeouts)
    assert gemini.uninstall().restored
    assert (gemini.file.read_bytes() if gemini.file.exists() else None) == before


def test_gemini_waits_in_milliseconds_and_never_for_a_veto(gemini: Machine) -> None:
    """An exit code of 127 would block the prompt; the command ends with 0 when the shim is gone."""
    gemini.install()
    hooks = json.loads(gemini.file.read_bytes())["hooks"]
    assert all(group["hooks"][0]["timeout"] >= 1_000 for groups in hooks.values() for group in groups)
    os.unlink(gemini.home.shim)
    for _, argv in gemini.installer.commands(gemini.home, str(gemini.user_home), {}):
        assert os.spawnv(os.P_WAIT, argv[0], argv) == 0


def test_gemini_switched_off_is_said(gemini: Machine) -> None:
    """All hooks at once, or ours by name."""
    gemini.install()
    assert gemini.obstacles() == []
    settings = json.loads(gemini.file.read_bytes())
    settings["hooksConfig"] = {
        "enabled": False,
        "disabled": [settings["hooks"]["BeforeAgent"][0]["hooks"][0]["command"]],
    }
    gemini.file.write_text(json.dumps(settings), encoding="utf-8")
    assert ["enabled" in what or "BeforeAgent" in what for what in gemini.obstacles()] == [True, True]


@pytest.mark.parametrize(
    "before", [None, b"", b"a = 1", CONFIG.encode(), (CONFIG + "\n").replace("\n", "\r\n").encode()]
)
def test_kimi_in_and_out(kimi: Machine, before: bytes | None) -> None:
    """Twice in changes nothing more; out again gives the bytes of before; others' hooks stay where they are."""
    if before is not None:
        kimi.file.write_bytes(before)
    kimi.install()
    assert kimi.plan() == []
    hooks = tomllib.loads(kimi.file.read_text(encoding="utf-8"))["hooks"]
    ours = [one for one in hooks if "kimi-code" in one["command"]]
    assert [one["event"] for one in ours] == list(kimi_code.TIMEOUTS)
    assert all(set(one) == {"event", "command", "timeout"} for one in ours), "one key more and no hook is loaded"
    assert kimi.uninstall().restored
    assert (kimi.file.read_bytes() if kimi.file.exists() else None) == before


def test_kimi_changed_by_others_loses_our_entries_only(kimi: Machine) -> None:
    """What was added between and after ours stays, and is named."""
    kimi.file.write_text(CONFIG, encoding="utf-8")
    kimi.install()
    text = kimi.file.read_text(encoding="utf-8")
    added = '\n[[hooks]]\nevent = "SessionEnd"\ncommand = "mine"\n'
    kimi.file.write_text(text.replace("# mine", "# still mine") + added, encoding="utf-8")
    removed = kimi.uninstall()
    assert not removed.restored
    assert "still mine" in removed.changed_since
    left = kimi.file.read_text(encoding="utf-8")
    assert tomllib.loads(left)["hooks"] == [
        {"event": "Stop", "command": "notify-send done"},
        {"event": "SessionEnd", "command": "mine"},
    ]
    assert left == CONFIG.replace("# mine", "# still mine") + "\n" + added


def test_kimi_entries_that_are_not_whole_are_put_right(kimi: Machine) -> None:
    """One has another timeout; the file that was made for us goes with us all the same."""
    kimi.install()
    whole = kimi.file.read_bytes()
    kimi.file.write_bytes(whole.replace(b"timeout = 5", b"timeout = 500", 1))
    kimi.install()
    assert kimi.plan() == []
    hooks = tomllib.loads(kimi.file.read_text(encoding="utf-8"))["hooks"]
    assert len(hooks) == len(kimi_code.TIMEOUTS)
    assert kimi.uninstall().restored
    assert not kimi.file.exists()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[models\n", "not valid TOML"),
        ("\xff", "not UTF-8"),
        ("hooks = 7\n", "no array of tables"),
        ('hooks = [{event = "Stop", command = "x"}]\n', "no place"),
    ],
)
def test_kimi_files_that_cannot_be_edited_are_left_alone(kimi: Machine, text: str, what: str) -> None:
    """Named with the reason; nothing is written."""
    data = text.encode("latin-1")
    kimi.file.write_bytes(data)
    with pytest.raises(BadInput, match=what):
        kimi.plan()
    assert kimi.file.read_bytes() == data
    assert state.installed(kimi.home) == []


@pytest.mark.parametrize("name", ["gemini", "kimi"])
def test_config_homes_are_respected(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """`GEMINI_CLI_HOME` stands for the home folder, `KIMI_CODE_HOME` for the client's own."""
    machine: Machine = request.getfixturevalue(name)
    other = tmp_path / "elsewhere"
    (other / ".gemini").mkdir(parents=True)
    environ = {"GEMINI_CLI_HOME": str(other), "KIMI_CODE_HOME": str(other)}
    (change,) = machine.installer.plan(machine.home, str(machine.user_home), environ)
    assert change.path == str(other / (".gemini/settings.json" if name == "gemini" else "config.toml"))
    assert machine.installer.plan(machine.home, str(tmp_path / "nobody"), {}) == []
