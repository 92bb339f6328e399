"""In and out of Codex's files: hooks in `hooks.json` or `config.toml`, the person's trust in `config.toml`."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest

from scrubjay.errors import BadInput
from scrubjay.home import Home
from scrubjay.install import FileChange, base, codex, codex_config, uninstall

INSTALLER = codex.INSTALLER
MINE = '# mine\nmodel = "x" # the best\n\n[projects."/a b"]\ntrust_level = "trusted"\n\n[features]\nmemories = true'
HOOK = '\n[[hooks.Stop]]\n\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n'


class Setting:
    """One home folder with Codex in it."""

    def __init__(self, top: Path) -> None:
        self.user_home = top / "home"
        self.folder = self.user_home / ".codex"
        self.folder.mkdir(parents=True)
        self.hooks = self.folder / "hooks.json"
        self.config = self.folder / "config.toml"
        self.home = Home(str(top / "jay's home"))

    def plan(self, *, trust: bool = True) -> list[FileChange]:
        return INSTALLER.plan(self.home, str(self.user_home), os.environ, trust=trust)

    def install(self, *, trust: bool = True) -> list[FileChange]:
        planned = self.plan(trust=trust)
        base.install(self.home, planned)
        return planned

    def obstacles(self) -> list[str]:
        return [one.what for one in INSTALLER.obstacles(self.home, str(self.user_home), os.environ)]


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    made = Setting(Path(os.path.realpath(tmp_path)))
    monkeypatch.setenv("HOME", str(made.user_home))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    return made


CONFIGS: dict[str, bytes | None] = {
    "none": None,
    "empty": b"",
    "no newline at the end": MINE.encode(),
    "hooks of others": (MINE + "\n" + HOOK).encode(),
    "windows": (MINE + "\n" + HOOK).replace("\n", "\r\n").encode(),
    "tables in texts": b'a = """\n[[hooks.Stop]]\n"""\nb = \'\'\'\n[hooks.state.x]\n\'\'\'\nc = [\n  ["x"],\n]\n',
    "trust of others": b'[hooks.state."/x/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1" # theirs\n# end\n',
    "trust on one line": b'hooks.state."/x:stop:0:0".trusted_hash = "sha256:1"\n',
}


@pytest.mark.parametrize("before", CONFIGS.values(), ids=CONFIGS.keys())
def test_in_and_out_gives_the_same_bytes(setting: Setting, before: bytes | None) -> None:
    """Others' values, comments and order untouched; the second time nothing changes; out: the bytes of before."""
    if before is not None:
        setting.config.write_bytes(before)
    setting.install()
    now = setting.config.read_bytes()
    assert now.startswith(before or b"")
    value = tomllib.loads(now.decode())
    assert len(value["hooks"]["state"]) - (b"/x" in now) == len(codex.HOOKS.timeouts)
    assert setting.hooks.exists() != (before is not None and b"[[hooks.Stop.hooks]]" in before)
    assert setting.plan() == []
    assert setting.obstacles() == []
    uninstall(setting.home)
    assert (setting.config.read_bytes() if setting.config.exists() else None) == before
    assert not setting.hooks.exists()


@pytest.mark.parametrize("config", [MINE + "\n", MINE + "\n" + HOOK], ids=["hooks.json", "config.toml"])
def test_what_others_changed_since_stays(setting: Setting, config: str) -> None:
    """Codex itself writes into the file all the time."""
    setting.config.write_text(config, encoding="utf-8")
    setting.install()
    later = '\n# later\n[projects."/b"]\ntrust_level = "trusted"\n'
    setting.config.write_text(setting.config.read_text().replace("the best", "so so") + later, encoding="utf-8")
    uninstall(setting.home)
    assert setting.config.read_text() == config.replace("the best", "so so") + later


def test_the_hash_is_the_one_that_codex_computes() -> None:
    """Its parts: the event, the handler with what is left out filled in. The real client confirms it in tests/clients."""
    handler: dict[str, object] = {"type": "command", "command": "'/srv/spool.sh' Stop", "timeout": 10}
    first = codex_config.hash_of("Stop", handler)
    assert first.startswith("sha256:")
    assert first == codex_config.hash_of("Stop", {**handler, "async": False})
    assert first != codex_config.hash_of("Stop", {**handler, "timeout": 11})
    assert codex_config.key_of("/h/hooks.json", "UserPromptSubmit", 2, 0) == "/h/hooks.json:user_prompt_submit:2:0"


def test_what_is_not_trusted_is_said(setting: Setting) -> None:
    """Without the person's yes no trust is written; another command line, a moved or a switched off hook is told too."""
    setting.install(trust=False)
    assert not setting.config.exists()
    (told,) = setting.obstacles()
    assert (
        told
        == "Codex skips our hooks in silence until you trust them: SessionStart, UserPromptSubmit, Stop, SessionEnd"
    )
    setting.install()
    assert setting.obstacles() == []
    data = json.loads(setting.hooks.read_text())
    data["hooks"]["Stop"].insert(0, {"hooks": [{"type": "command", "command": "true"}]})
    setting.hooks.write_text(json.dumps(data))
    assert setting.obstacles() == ["Codex skips our hooks in silence until you trust them: Stop"]
    assert [Path(one.path).name for one in setting.install()] == ["config.toml"]
    assert setting.obstacles() == []
    key = f"{setting.hooks}:session_start:0:0"
    text = setting.config.read_text().replace(f'"{key}"]\n', f'"{key}"]\nenabled = false\n')
    setting.config.write_text(text + "\n[features]\nhooks = false\n")
    assert setting.obstacles() == [
        f"`features.hooks` is false in {setting.config}", "switched off in Codex: SessionStart",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["a = [", "[a]\n[a]\n", "a = 1\na = 2\n"])
def test_a_config_that_does_not_parse_stops_everything(setting: Setting, text: str) -> None:
    """Named with its line; no file is changed."""
    setting.config.write_text(text)
    with pytest.raises(BadInput) as error:
        setting.plan()
    assert str(setting.config) in error.value.at
    assert setting.config.read_text() == text
    assert not setting.hooks.exists()


def test_hooks_on_one_line_have_no_place_for_ours(setting: Setting) -> None:
    """An inline table cannot be added to: said, with the way out, and nothing changed."""
    text = 'hooks = { state = { "/x:stop:0:0" = { trusted_hash = "sha256:1" } } }\n'
    setting.config.write_text(text)
    with pytest.raises(BadInput) as error:
        setting.plan()
    assert "/hooks" in error.value.hint
    assert setting.config.read_text() == text


def test_the_commands_are_run_as_codex_runs_them(setting: Setting) -> None:
    """Through a shell, whatever the home is called."""
    setting.install()
    commands = dict(INSTALLER.commands(setting.home, str(setting.user_home), os.environ))
    assert set(commands) == set(codex.HOOKS.timeouts)
    assert commands["Stop"][:2] == ["/bin/sh", "-c"]
    assert "jay" in commands["Stop"][2]


def test_a_codex_that_cannot_be_asked_says_nothing(setting: Setting, tmp_path: Path) -> None:
    """No program of that name, one that knows no such question, one that answers garbage."""
    ask = INSTALLER.ask
    assert ask(setting.home, str(setting.user_home), {"PATH": str(tmp_path)}) is None
    program = tmp_path / "codex"
    for script in ('echo "{\\"id\\": 2, \\"error\\": {}}"', "echo not json", "exit 3"):
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o700)
        path = f"{tmp_path}:{os.environ['PATH']}"
        assert ask(setting.home, str(setting.user_home), {"PATH": path}) is None


def test_a_file_with_nothing_but_ours_is_written_anew_and_goes_with_us(setting: Setting) -> None:
    """Codex wrote into the trust of a hook that the person switched off: the switch stays, and the file was made for us."""
    setting.install()
    key = f"{setting.hooks}:session_start:0:0"
    text = setting.config.read_text().replace(f'"{key}"]\n', f'"{key}"]\nenabled = false\n')
    setting.config.write_text(text)
    data = json.loads(setting.hooks.read_text())
    data["hooks"]["Stop"].insert(0, {"hooks": [{"type": "command", "command": "true"}]})
    setting.hooks.write_text(json.dumps(data))
    assert [Path(one.path).name for one in setting.install()] == ["config.toml"]
    found = tomllib.loads(setting.config.read_text())["hooks"]["state"]
    assert [one for one, value in found.items() if value.get("enabled") is False] == [key]
    assert setting.obstacles() == ["switched off in Codex: SessionStart"]
    uninstall(setting.home)
    assert not setting.config.exists()


def test_the_trust_of_another_hook_in_a_place_that_was_ours_stays(setting: Setting) -> None:
    """A hook was put before ours and trusted in Codex: its key is the one that ours had."""
    setting.config.write_text(MINE + "\n")
    setting.install()
    data = json.loads(setting.hooks.read_text())
    data["hooks"]["Stop"].insert(0, {"hooks": [{"type": "command", "command": "true"}]})
    setting.hooks.write_text(json.dumps(data))
    theirs = tomllib.loads(setting.config.read_text())["hooks"]["state"][f"{setting.hooks}:stop:0:0"]["trusted_hash"]
    setting.config.write_text(setting.config.read_text().replace(theirs, "sha256:theirs"))
    setting.install()
    assert setting.obstacles() == []
    uninstall(setting.home)
    left = tomllib.loads(setting.config.read_text())
    assert left["hooks"]["state"] == {f"{setting.hooks}:stop:0:0": {"trusted_hash": "sha256:theirs"}}
    assert setting.config.read_text().startswith(MINE)
