"""In and out of `settings.json`: everything that is not ours keeps its bytes."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from scrubjay.errors import BadInput, Conflict, StoreUnavailable
from scrubjay.home import Home
from scrubjay.install import base, claude_code, state, uninstall
from scrubjay.install.base import Removed

FOREIGN = {
    "model": "opus",
    "zzz": {"unknown": [1, 2.50, None, True, "\u6f22 \u00e9 \\u0041"]},
    "hooks": {
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "other-tool"}]}],
        "Stop": [
            {
                "hooks": [
                    {"type": "command", "command": "first", "timeout": 3},
                    {"type": "command", "command": "second"},
                ]
            },
            {"matcher": "*", "hooks": [{"type": "http", "url": "http://localhost/x"}]},
        ],
        "SessionEnd": [],
    },
    "aaa": "last",
}


class Setting:
    """One home folder with Claude Code in it."""

    def __init__(self, base_folder: Path) -> None:
        self.user_home = base_folder / "home"
        self.config = self.user_home / ".claude"
        self.config.mkdir(parents=True)
        self.file = self.config / "settings.json"
        self.home = Home(str(base_folder / "jay home"))

    def plan(self) -> list[base.FileChange]:
        return claude_code.INSTALLER.plan(self.home, str(self.user_home), os.environ)

    def install(self) -> list[base.FileChange]:
        planned = self.plan()
        base.install(self.home, planned)
        return planned

    def uninstall(self) -> list[Removed]:
        return uninstall(self.home, [claude_code.INSTALLER.name])

    def hooks(self) -> dict[str, list[dict[str, object]]]:
        loaded = json.loads(self.file.read_text(encoding="utf-8-sig"))["hooks"]
        assert isinstance(loaded, dict)
        return loaded


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    made = Setting(Path(os.path.realpath(tmp_path)))
    monkeypatch.setenv("HOME", str(made.user_home))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    return made


LAYOUTS: dict[str, bytes] = {
    "two blanks": json.dumps(FOREIGN, indent=2, ensure_ascii=False).encode() + b"\n",
    "four blanks, no newline at the end": json.dumps(FOREIGN, indent=4).encode(),
    "tabs": json.dumps(FOREIGN, indent="\t").encode() + b"\n\n",
    "one line": json.dumps(FOREIGN).encode(),
    "minified": json.dumps(FOREIGN, separators=(",", ":")).encode() + b"\n",
    "CRLF": json.dumps(FOREIGN, indent=2).replace("\n", "\r\n").encode() + b"\r\n",
    "BOM": b"\xef\xbb\xbf" + json.dumps(FOREIGN, indent=2).encode(),
    "no indentation": json.dumps(FOREIGN, indent=0).encode(),
    "empty object": b"{}",
    "empty object, apart": b"{\n}\n",
    "empty hooks": b'{\n  "hooks": {}\n}\n',
    "empty hooks on one line": b'{"hooks":{ }}',
    "no hooks": b'{\n  "a": 1\n}\n',
    "no hooks, minified": b'{"a":1}',
    "hooks twice": b'{"hooks": {"Stop": []}, "hooks": {"Stop": [ ]}}',
    "brackets where they please": b'{ "hooks"\n:{"Stop":[{"hooks":[\n{"command":"x"}]\n}\n]\n} , "b" : [ ] }\n',
    "all on strange lines": b'\n\n{"a"\n:\n1\n,"hooks":{\n"SessionStart":[]}}',
    "empty file": b"",
    "blank file": b" \n",
    "quotes and brackets in texts": b'{"a": "}]\\"{[", "hooks": {"Stop": [{"hooks": [{"command": "echo \\"]}\\""}]}]}}',
}


@pytest.mark.parametrize("before", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_in_and_out_gives_the_same_bytes(setting: Setting, before: bytes) -> None:
    """In whatever layout: everything foreign is there afterwards as it was, ours once per event; out: identical bytes."""
    setting.file.write_bytes(before)
    setting.file.chmod(0o640)
    setting.install()
    text = setting.file.read_text(encoding="utf-8-sig")
    now = json.loads(text)
    old = json.loads(before.decode("utf-8-sig")) if before.strip() else {}
    assert {key: value for key, value in now.items() if key != "hooks"} == {
        k: v for k, v in old.items() if k != "hooks"
    }
    assert [key for key in now if key != "hooks"] == [key for key in old if key != "hooks"]
    for event, groups in now["hooks"].items():
        foreign = old.get("hooks", {}).get(event, [])
        assert groups[: len(foreign)] == foreign
        assert len(groups) - len(foreign) == (event in claude_code.HOOKS.timeouts)
    assert set(claude_code.HOOKS.timeouts) <= set(now["hooks"])
    assert stat.S_IMODE(setting.file.stat().st_mode) == 0o640
    assert (b"\r\n" in before) == (b"\r\n" in setting.file.read_bytes())

    written = setting.file.read_bytes()
    assert (setting.plan(), setting.install(), setting.file.read_bytes()) == ([], [], written), (
        "the second time changes it"
    )

    assert setting.uninstall() == [Removed(path=str(setting.file), restored=True, changed_since="")]
    assert setting.file.read_bytes() == before
    assert stat.S_IMODE(setting.file.stat().st_mode) == 0o640
    assert (setting.uninstall(), setting.file.read_bytes()) == ([], before)


@pytest.mark.parametrize("before", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_out_without_the_record_leaves_what_others_wrote(setting: Setting, before: bytes) -> None:
    """The state folder lost: our entries are known by their command, the rest means the same as before."""
    setting.file.write_bytes(before)
    setting.install()
    (Path(setting.home.state) / "installed.json").unlink()
    (done,) = setting.uninstall()
    assert not done.restored
    left = json.loads(setting.file.read_text(encoding="utf-8-sig"))
    old = json.loads(before.decode("utf-8-sig")) if before.strip() else {}
    for data in (left, old):
        data["hooks"] = {event: groups for event, groups in data.get("hooks", {}).items() if groups}
    assert left == old


def test_the_entries_are_in_exec_form_with_the_shim(setting: Setting) -> None:
    """No shell: the absolute path of the shim, the event as argument, a time limit for each; the person waits 5 s at most."""
    setting.install()
    assert setting.hooks() == {
        event: [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": setting.home.shim,
                        "args": ["claude-code", event],
                        "timeout": seconds,
                    }
                ]
            }
        ]
        for event, seconds in claude_code.HOOKS.timeouts.items()
    }
    assert claude_code.HOOKS.timeouts["UserPromptSubmit"] == 5
    assert os.access(setting.home.shim, os.X_OK)
    assert [(one.agent, one.path, one.events) for one in state.installed(setting.home)] == [
        ("claude-code", str(setting.file), tuple(claude_code.HOOKS.timeouts))
    ]


def test_no_settings_file_is_made_and_taken_away_again(setting: Setting) -> None:
    """Also when the client has rewritten it since, as long as nothing of anybody's is in it."""
    setting.install()
    assert stat.S_IMODE(setting.file.stat().st_mode) == 0o600
    assert setting.uninstall() == [Removed(path=str(setting.file), restored=True, changed_since="")]
    assert not setting.file.exists()

    setting.install()
    setting.file.write_text(json.dumps(json.loads(setting.file.read_text()), indent=8))
    assert [one.restored for one in setting.uninstall()] == [True]
    assert not setting.file.exists()


def test_changed_since_then_only_ours_goes_and_the_difference_is_shown(setting: Setting) -> None:
    """New keys, a foreign handler in our own group, a reformatted file: all of it stays."""
    setting.file.write_bytes(LAYOUTS["two blanks"])
    setting.install()
    data = json.loads(setting.file.read_text())
    del data["model"]
    data["theme"] = "dark"
    word = "x9" * 20
    data["env"] = {"SOME_API_KEY": "a secret word", "PLAIN": word}
    data["hooks"]["Stop"][-1]["hooks"].insert(0, {"type": "command", "command": "guest"})
    setting.file.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n")

    (done,) = setting.uninstall()
    assert not done.restored
    assert '+   "theme": "dark",' in done.changed_since
    assert "- 1 line that stood at line 2" in done.changed_since
    assert "a secret word" not in done.changed_since
    assert word not in done.changed_since
    left = json.loads(setting.file.read_text())
    expected = {**FOREIGN, "theme": "dark", "env": data["env"]}
    del expected["model"]
    expected["hooks"] = {**FOREIGN["hooks"]}  # type: ignore[dict-item]
    expected["hooks"]["Stop"] = [*FOREIGN["hooks"]["Stop"], {"hooks": [{"type": "command", "command": "guest"}]}]  # type: ignore[index]
    assert left == expected


def test_an_older_installation_of_ours_is_brought_up_to_date(setting: Setting) -> None:
    """Other time limits, a missing event, everything doubled: put right, and out still gives the bytes from before."""
    setting.file.write_bytes(LAYOUTS["two blanks"])
    setting.install()
    whole = setting.file.read_bytes()
    for spoil in ("timeout", "missing", "double"):
        data = json.loads(setting.file.read_text())
        ours = data["hooks"]["Stop"][-1]
        if spoil == "timeout":
            ours["hooks"][0]["timeout"] = 600
        elif spoil == "missing":
            data["hooks"]["Stop"].pop()
        else:
            data["hooks"]["Stop"].append(ours)
        setting.file.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
        assert len(setting.install()) == 1
        assert setting.file.read_bytes() == whole
    setting.uninstall()
    assert setting.file.read_bytes() == LAYOUTS["two blanks"]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b'{\n  "a": 1,\n  "b": \n}', 4),
        (b'{"a": 1', 1),
        (b'{\n  // why\n  "a": 1\n}', 2),
        (b'{"a": 1,}', 1),
        (b"[]\n", 1),
        (b'{"a":\n\xff}', 2),
        (b'{\n"hooks": []}', 2),
        (b'{\n\n"hooks": {"Stop": {}}}', 3),
    ],
)
def test_settings_that_cannot_be_read_are_named_and_left(setting: Setting, content: bytes, line: int) -> None:
    """File and line, no word of the content; nothing is written, neither there nor in our own home."""
    setting.file.write_bytes(content)
    with pytest.raises(BadInput) as error:
        setting.install()
    assert error.value.at.startswith(f"{setting.file}, line {line}")
    assert setting.file.read_bytes() == content
    assert not os.path.exists(setting.home.root)


def test_nested_too_deeply_is_no_crash(setting: Setting) -> None:
    """A hostile file is refused like any other that nobody can read."""
    setting.file.write_text('{"a":' + "[" * 100_000 + "]" * 100_000 + "}")
    with pytest.raises(BadInput):
        setting.plan()


def test_a_symbolic_link_stays_and_its_target_is_edited(setting: Setting) -> None:
    """Dotfile managers link the file, or the whole folder; a link to nothing is as if there were no file."""
    dotfiles = setting.user_home / "dotfiles"
    dotfiles.mkdir()
    target = dotfiles / "settings.json"
    target.write_bytes(LAYOUTS["tabs"])
    setting.file.symlink_to(target)
    setting.install()
    assert setting.file.is_symlink()
    assert b"bin/hook" in target.read_bytes()
    setting.uninstall()
    assert (setting.file.is_symlink(), target.read_bytes()) == (True, LAYOUTS["tabs"])

    target.unlink()
    setting.install()
    assert b"bin/hook" in target.read_bytes()
    setting.uninstall()
    assert (setting.file.is_symlink(), target.exists()) == (True, False)


def test_a_read_only_file_is_not_replaced(setting: Setting) -> None:
    """Renaming over it would work; whoever made it read-only does not want that."""
    setting.file.write_bytes(LAYOUTS["tabs"])
    setting.file.chmod(0o444)
    with pytest.raises(StoreUnavailable) as error:
        setting.install()
    assert error.value.at == str(setting.file)
    assert setting.file.read_bytes() == LAYOUTS["tabs"]
    assert state.installed(setting.home) == []


def test_a_file_that_changes_meanwhile_wins(setting: Setting) -> None:
    """Between showing and writing the client saved its settings: nothing is written over."""
    setting.file.write_bytes(LAYOUTS["tabs"])
    changes = setting.plan()
    setting.file.write_bytes(LAYOUTS["CRLF"])
    with pytest.raises(Conflict):
        base.apply(setting.home, changes)
    assert setting.file.read_bytes() == LAYOUTS["CRLF"]
    assert state.installed(setting.home) == []


def test_the_config_home_of_the_environment_is_the_only_one(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `CLAUDE_CONFIG_DIR` nothing is created or changed in `~/.claude`; without Claude Code nothing at all."""
    other = setting.user_home / "cfg"
    other.mkdir()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(other))
    assert [change.path for change in setting.install()] == [str(other / "settings.json")]
    assert list(setting.config.iterdir()) == []
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    assert [one.path for one in setting.uninstall()] == [str(other / "settings.json")], "the record knows where it was"
    setting.config.rmdir()
    assert (setting.plan(), setting.install()) == ([], [])
    assert not setting.config.exists()


def test_the_plan_shows_the_difference_and_no_keys(setting: Setting) -> None:
    """A unified diff of what comes in; values of what looks like a key are masked, on one line or many; nothing written."""
    word = "k3" * 15
    for indent in (2, None):
        data = {"env": {"A_TOKEN": "some words", "B": word}, "apiKeyHelper": "/bin/x"}
        setting.file.write_text(json.dumps(data, indent=indent))
        (change,) = setting.plan()
        assert f'"command": "{setting.home.shim}"' in change.diff or f'"command":"{setting.home.shim}"' in change.diff
        assert "some words" not in change.diff
        assert word not in change.diff
    assert not os.path.exists(setting.home.root)


def test_no_copy_of_the_file_is_kept(setting: Setting) -> None:
    """Settings may hold keys: nothing of them is found in our home, and the state file is private."""
    word = "k3" * 15
    setting.file.write_text(json.dumps({"env": {"A_TOKEN": word}}, indent=2))
    setting.install()
    files = [path for path in Path(setting.home.root).rglob("*") if path.is_file()]
    assert files
    assert all(word.encode() not in path.read_bytes() for path in files)
    assert stat.S_IMODE((Path(setting.home.state) / "installed.json").stat().st_mode) == 0o600


def test_obstacles_are_named(setting: Setting) -> None:
    """Hooks switched off altogether, and another scrubjay home that would do everything twice."""
    other = Home(str(setting.user_home / "other"))
    base.install(other, claude_code.INSTALLER.plan(other, str(setting.user_home), os.environ))
    setting.install()
    data = json.loads(setting.file.read_text())
    data["disableAllHooks"] = True
    setting.file.write_text(json.dumps(data))
    found = claude_code.INSTALLER.obstacles(setting.home, str(setting.user_home), os.environ)
    assert {one.remedy for one in found} == {f"edit {setting.file}"}
    assert [one.what for one in found] == [
        f"`disableAllHooks` is true in {setting.file}",
        f"the hooks of another scrubjay home run too: {other.shim} in {setting.file}",
    ]
    setting.uninstall()
    assert len(setting.hooks()["Stop"]) == 1, "the other home's entries are not ours to take"
