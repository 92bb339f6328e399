"""In and out of Hermes and OpenClaw: a folder of ours, one setting, and everything of others untouched."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from scrubjay.errors import BadInput
from scrubjay.home import Home
from scrubjay.install import base, installers, jsonmerge, jsontext, ownfiles, state, uninstall, yamltext
from scrubjay.install.base import Removed
from scrubjay.mcp_server.once import offered

KEYS = ("memory", "provider")


class Setting:
    """A home folder with both agents in it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.user_home = folder / "home"
        self.home = Home(str(folder / "jay home"))
        for name in (".hermes", ".openclaw"):
            (self.user_home / name).mkdir(parents=True)
        monkeypatch.setenv("HOME", str(self.user_home))
        for name in ("HERMES_HOME", "OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH"):
            monkeypatch.delenv(name, raising=False)

    @property
    def yaml(self) -> Path:
        return self.user_home / ".hermes" / "config.yaml"

    @property
    def json(self) -> Path:
        return self.user_home / ".openclaw" / "openclaw.json"

    def plan(self, agent: str) -> list[base.FileChange]:
        return installers()[agent].plan(self.home, str(self.user_home), os.environ)

    def install(self, agent: str) -> list[str]:
        written = base.install(self.home, self.plan(agent))
        assert self.plan(agent) == [], "everything is there"
        return written

    def uninstall(self, agent: str, *, dry_run: bool = False) -> list[Removed]:
        return uninstall(self.home, [agent], dry_run=dry_run)

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.user_home.rglob("*") if path.is_file())
        return {str(path.relative_to(self.user_home)): path.read_bytes() for path in found}


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    return Setting(tmp_path, monkeypatch)


YAMLS = (
    "",
    "# only a comment\n",
    "model: x",
    "model: x\nmemory:\n",
    "model: x\nmemory: null\nskills: {}\n",
    "memory: {}\n",
    "memory: {memory_enabled: true}  # mine\nmodel: x\n",
    "memory:\n    # indented by four\n    memory_enabled: true\n    provider: ''  # none\nmodel: {default: y}\n",
    "memory:\r\n  nudge_interval: 3\r\nmodel: x\r\n",
    "memory:\n  provider:\nmodel: x\n",
)


@pytest.mark.parametrize("text", YAMLS)
def test_hermes_settings_get_one_value_and_their_bytes_back(setting: Setting, text: str) -> None:
    """Whatever the layout; also a setting that stands alone or in a flow mapping."""
    if text:
        setting.yaml.write_bytes(text.encode())
    before = setting.files()
    setting.install("hermes")
    value = yaml.safe_load(setting.yaml.read_bytes())
    was = yaml.safe_load(text) or {}
    assert value == {**was, "memory": {**(was.get("memory") or {}), "provider": "scrubjay"}}
    assert (setting.user_home / ".hermes" / "plugins" / "scrubjay" / "__init__.py").is_file()
    setting.uninstall("hermes", dry_run=True)
    assert setting.files() != before
    done = setting.uninstall("hermes")
    assert all(one.restored for one in done)
    assert setting.files() == before
    assert not (setting.user_home / ".hermes" / "plugins").exists()
    assert state.installed(setting.home) == []


@pytest.mark.parametrize("text", YAMLS)
def test_hermes_settings_changed_since_lose_only_our_value(setting: Setting, text: str) -> None:
    """The person's later lines stay, and so does what an interpreter left beside our files not."""
    setting.yaml.write_bytes(text.encode())
    setting.install("hermes")
    with setting.yaml.open("ab") as file:
        file.write(b"later: 1\n" if setting.yaml.read_bytes().endswith(b"\n") else b"\nlater: 1\n")
    cache = setting.user_home / ".hermes" / "plugins" / "scrubjay" / "__pycache__"
    cache.mkdir()
    (cache / "__init__.cpython-311.pyc").write_bytes(b"x")
    setting.uninstall("hermes")
    value = yaml.safe_load(setting.yaml.read_bytes())
    assert value.pop("later") == 1
    assert not (value.pop("memory", None) or {}).get("provider")
    was = yaml.safe_load(text) or {}
    was.pop("memory", None)
    assert value == was
    assert not cache.parent.exists()


def test_another_provider_stays_and_that_is_said(setting: Setting) -> None:
    """Hermes keeps one at a time: ours is ready, the person decides."""
    setting.yaml.write_text("memory:\n  provider: honcho\n", encoding="utf-8")
    setting.install("hermes")
    assert setting.yaml.read_text(encoding="utf-8") == "memory:\n  provider: honcho\n"
    (obstacle,) = installers()["hermes"].obstacles(setting.home, str(setting.user_home), os.environ)
    assert "honcho" in obstacle.what
    setting.uninstall("hermes")
    assert setting.files() == {".hermes/config.yaml": b"memory:\n  provider: honcho\n"}


def test_every_profile_of_hermes_is_a_home_of_its_own(setting: Setting) -> None:
    """Each gets the plugin and the setting."""
    (setting.user_home / ".hermes" / "profiles" / "coder").mkdir(parents=True)
    written = setting.install("hermes")
    assert sum(path.endswith("config.yaml") for path in written) == 2
    assert sum("profiles/coder/plugins/scrubjay/" in path for path in written) == 4
    setting.uninstall("hermes")
    assert setting.files() == {}


@pytest.mark.parametrize(
    "text",
    [
        "memory: [unclosed\n",
        "- a list\n",
        "a: 1\n\tb: 2\n",
        "x: \ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    ],
)
def test_settings_that_hermes_cannot_read_are_left_alone(setting: Setting, text: str) -> None:
    """Said with the file's name; nothing is written anywhere."""
    setting.yaml.write_bytes(text.encode("latin-1") if "\xed" in text else text.encode())
    before = setting.files()
    with pytest.raises(BadInput) as raised:
        setting.plan("hermes")
    assert str(setting.yaml) in raised.value.at
    assert setting.files() == before


def test_the_record_is_lost_and_ours_go_all_the_same(setting: Setting) -> None:
    """Found by their places and names."""
    setting.yaml.write_text("model: x\n", encoding="utf-8")
    for agent in ("hermes", "openclaw"):
        setting.install(agent)
    os.unlink(os.path.join(setting.home.state, "installed.json"))
    for agent in ("hermes", "openclaw"):
        setting.uninstall(agent)
    assert set(setting.files()) <= {".hermes/config.yaml", ".openclaw/openclaw.json"}
    assert "scrubjay" not in setting.yaml.read_text(encoding="utf-8")
    assert "scrubjay" not in (setting.json.read_text(encoding="utf-8") if setting.json.exists() else "")


def test_hermes_offers_the_tools_of_the_server() -> None:
    """The file beside the plugin is what `jay mcp` offers today (`mcp_server.once.offered`)."""
    assert json.loads(ownfiles.source("hermes", "tools.json")) == {"tools": offered()}


JSONS = (
    "",
    "{}",
    '{"gateway": {"mode": "local"}}',
    '{\n  // mine\n  "plugins": {\n    "allow": ["voice"],\n    "entries": {"voice": {"enabled": true},},\n  },\n}\n',
    '{\n\t"plugins": {"load": {"paths": ["/x"]}},\n\t"z": 1\n}\n',
    '{"plugins": {}, "z": [1,2,],}',
)


def plain(data: bytes) -> dict[str, Any]:
    value = json.loads(jsonmerge.body(data.decode()) or "{}")
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize("text", JSONS)
def test_openclaw_settings_name_the_plugin_and_get_their_bytes_back(setting: Setting, text: str) -> None:
    """With comments and commas at ends; the allow list only where there is one."""
    if text:
        setting.json.write_bytes(text.encode())
    before = setting.files()
    setting.install("openclaw")
    plugins = plain(setting.json.read_bytes())["plugins"]
    assert plugins["load"]["paths"][-1] == str(setting.user_home / ".openclaw" / "scrubjay")
    assert plugins["entries"]["scrubjay"]["hooks"] == {"allowConversationAccess": True}
    assert ("allow" in plugins) == ("allow" in text)
    script = (setting.user_home / ".openclaw" / "scrubjay" / "scrubjay.js").read_text(encoding="utf-8")
    assert setting.home.shim in script
    assert not any(mark in script for mark in ("@hook@", "@agent@", "@state@"))
    setting.uninstall("openclaw")
    assert setting.files() == before
    assert not (setting.user_home / ".openclaw" / "scrubjay").exists()


@pytest.mark.parametrize("text", JSONS)
def test_openclaw_settings_changed_since_lose_only_ours(setting: Setting, text: str) -> None:
    """OpenClaw writes into them itself."""
    setting.json.write_bytes(text.encode())
    setting.install("openclaw")
    data = setting.json.read_bytes()
    setting.json.write_bytes(data.replace(b"{", b'{"meta": {"at": 1}, ', 1))
    setting.uninstall("openclaw")
    left = plain(setting.json.read_bytes())
    assert left.pop("meta") == {"at": 1}
    assert left == plain(text.encode() or b"{}")


def test_settings_in_another_layout_are_left_alone(setting: Setting) -> None:
    """OpenClaw takes JSON5; what we cannot edit is not touched, and the page with the lines is named."""
    setting.json.write_text("{gateway: {mode: 'local'}}\n", encoding="utf-8")
    before = setting.files()
    with pytest.raises(BadInput) as raised:
        setting.plan("openclaw")
    assert "docs/openclaw.md" in raised.value.hint
    assert setting.files() == before


def test_a_denied_plugin_is_an_obstacle(setting: Setting) -> None:
    """`plugins.deny` wins over everything; so does switching all of them off."""
    setting.json.write_text('{"plugins": {"enabled": false, "deny": ["scrubjay"]}}', encoding="utf-8")
    setting.install("openclaw")
    found = installers()["openclaw"].obstacles(setting.home, str(setting.user_home), os.environ)
    assert ["enabled" in one.what for one in found] == [True, False]


def test_a_yaml_value_that_cannot_be_told_apart_is_refused() -> None:
    """A table that is an alias of another: setting it would change both."""
    with pytest.raises(BadInput):
        yamltext.put("a: &x {k: 1}\nmemory: *x\n", KEYS, "scrubjay", "config.yaml")
    text = "memory:\n  provider: scrubjay\n  other: 1\n"
    assert jsontext.apply(text, yamltext.drop(text, KEYS, "f", table_too=True)) == "memory:\n  other: 1\n"
