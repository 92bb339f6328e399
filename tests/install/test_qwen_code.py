"""In and out of Qwen Code's `settings.json`, which may hold comments."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from scrubjay import quickjson
from scrubjay.errors import BadInput
from scrubjay.home import Home
from scrubjay.install import base, installers, jsontext, qwen_code, uninstall

INSTALLER = qwen_code.INSTALLER
LAYOUTS = {
    "comments": '{\n  // model\n  "model": {"name": "x"}, /* that one */\n  "hooks": {\n    // none yet\n  }\n}\n',
    "comments among hooks": '{"hooks": {/* a */ "Stop": [ // b\n {"hooks": [{"type": "command", "command": "true"}]} ]}}\n',
    "a comment at the end": '{\n  "a": "http://x" // not a comment\n  // last\n}\n',
    "a comment alone": "// nothing yet",
    "no comment": '{"a": 1}',
}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = Path(os.path.realpath(tmp_path))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("QWEN_HOME", raising=False)
    (home / ".qwen").mkdir()
    return home / ".qwen" / "settings.json"


def install(file: Path) -> Home:
    home = Home(str(file.parent.parent / "jay home"))
    base.install(home, INSTALLER.plan(home, str(file.parent.parent), os.environ))
    return home


@pytest.mark.parametrize("before", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_in_and_out_gives_the_same_bytes_and_keeps_every_comment(file: Path, before: str) -> None:
    """As the client reads it, everything foreign is there as it was, ours once per event."""
    file.write_text(before)
    home = install(file)
    text = file.read_text()
    comments = [part for part in before.replace("*/", "\n").splitlines() if "//" in part or "/*" in part]
    assert all(one.strip().split()[-1] in text for one in comments)
    value = quickjson.loads(quickjson.without_comments(text))
    assert set(value["hooks"]) == set(qwen_code.HOOKS.timeouts)
    assert INSTALLER.plan(home, str(file.parent.parent), os.environ) == []
    uninstall(home)
    assert file.read_text() == before


def test_a_change_since_keeps_comments_when_ours_go(file: Path) -> None:
    """Only our entries go."""
    file.write_text(LAYOUTS["comments"])
    home = install(file)
    file.write_text(file.read_text().replace('"x"', '"y"'))
    uninstall(home)
    text = file.read_text()
    assert "// model" in text
    assert "// none yet" in text
    assert json.loads(jsontext.blanked(text)) == {"model": {"name": "y"}, "hooks": {}}


def test_settings_that_do_not_parse_are_left_alone(file: Path) -> None:
    """Named with the line, as it stands in the file with its comments."""
    file.write_text('// one\n{"a": \n')
    with pytest.raises(BadInput) as error:
        INSTALLER.plan(Home("/nowhere"), str(file.parent.parent), os.environ)
    assert f"{file}, line " in error.value.at
    assert file.read_text() == '// one\n{"a": \n'


def test_qwen_home_moves_the_settings(tmp_path: Path) -> None:
    """`QWEN_RUNTIME_DIR` does not."""
    environ = {"QWEN_HOME": "~/elsewhere", "QWEN_RUNTIME_DIR": "/run"}
    assert INSTALLER.path(environ, "/home/a") == "/home/a/elsewhere/settings.json"
    assert INSTALLER.path({"QWEN_RUNTIME_DIR": "/run"}, "/home/a") == "/home/a/.qwen/settings.json"


def test_every_installer_is_found_by_its_module() -> None:
    """Nothing registers it by hand; the hook knows each of them."""
    from scrubjay.hook import AGENTS

    assert {"claude-code", "codex", "plugin", "qwen-code"} <= installers().keys()
    assert {"claude-code", "codex", "plugin", "qwen-code"} <= AGENTS.keys()
