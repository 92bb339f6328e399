"""Our MCP server in clients' own configuration: in beside others, never twice, out again to the byte."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from scrubjay.errors import BadInput
from scrubjay.home import Home
from scrubjay.install import (
    base,
    installers,
    mcp_check,
    mcp_clients,
    mcp_entries,
    mcp_formats,
    shim,
    tomltext,
    uninstall,
)
from scrubjay.install.mcp_clients import CLIENTS

VARIABLES = (
    "CLAUDE_CONFIG_DIR", "CODEX_HOME", "QWEN_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME", "PI_CODING_AGENT_DIR",
    "KIMI_CODE_HOME", "HERMES_HOME", "OPENCLAW_STATE_DIR", "OPENCLAW_CONFIG_PATH",
)  # fmt: skip
FOLDERS = (
    ".claude", ".codex", ".qwen", ".gemini", ".config/opencode", ".pi/agent", ".kimi-code", ".hermes", ".openclaw",
    ".cursor", ".copilot", ".codeium/windsurf", ".config/goose",
)  # fmt: skip
BESIDE = '{\n  // mine\n  "theme": "x",\n  %s: {"docs": {"command": "docs"}},\n}\n'
"""JSON with a comment, a comma at the end and somebody else's server."""
BUSY = {
    "claude-code": '{\n  "numStartups": 3,\n  "mcpServers": {\n    "docs": {"command": "docs"}\n  },\n  "last": 1\n}',
    "codex": '# mine\nmodel = "x"  # cheap\n\n[mcp_servers.docs]\ncommand = "docs"\n\n[tui]\ntheme = "x"\n# the end',
    "copilot-cli": '{"mcpServers":{"docs":{"command":"docs"}}}',
    "cursor": BESIDE % '"mcpServers"',
    "gemini-cli": (BESIDE % '"mcpServers"').replace("},\n}", "}\n}"),
    "goose": "GOOSE_MODEL: x\nextensions:\n  # mine\n  developer: {enabled: true, type: builtin}\n",
    "hermes": "model: {default: x}\nmcp_servers:\n  docs:\n    command: docs\nmemory:\n  provider: honcho\n",
    "kimi-code": '{"mcpServers": {}}',
    "openclaw": BESIDE.replace("%s: ", '"mcp": {"servers": ').replace("}},", "}}},"),
    "opencode": BESIDE % '"mcp"',
    "pi": '{\r\n\t"mcpServers": {\r\n\t\t"docs": {"command": "docs"}\r\n\t}\r\n}\r\n',
    "qwen-code": "\ufeff" + (BESIDE % '"mcpServers"').replace("},\n}", "}\n}"),
    "windsurf": "{}",
}
"""Client → a file with others' entries, comments and layouts."""


class Machine:
    """A home folder in which every client has run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "home"
        self.home = Home(str(folder / "jay's home"))
        for name in FOLDERS:
            (self.folder / name).mkdir(parents=True)

    def file(self, name: str) -> Path:
        return Path(mcp_clients.files(name, str(self.folder), os.environ)[0][0])

    def plan(self, *names: str) -> list[base.FileChange]:
        return mcp_entries.plan(self.home, names, str(self.folder), os.environ)

    def put(self, *names: str) -> None:
        mcp_entries.write(self.home, self.plan(*names))
        assert self.plan(*names) == [], "everything is there"

    def hooks(self, name: str) -> None:
        planned = installers()[name].plan(self.home, str(self.folder), os.environ, trust=True)
        mcp_entries.settle(self.home, base.install(self.home, planned))

    def entry(self, name: str) -> Any:
        path = str(self.file(name))
        return mcp_formats.at(mcp_formats.load(Path(path).read_bytes(), path), CLIENTS[name].keys)

    def standing(self, name: str) -> tuple[str, str]:
        offers = mcp_entries.offers(self.home, str(self.folder), os.environ)
        ((standing, why),) = ((one.standing, one.why) for one in offers if one.name == name)
        return standing, why

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in found}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Machine(tmp_path)


def wanted(machine: Machine, name: str) -> object:
    return mcp_clients.filled(CLIENTS[name].entry, shim.program(machine.home))


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("kind", ["none", "empty", "busy"])
def test_in_and_out_again(machine: Machine, name: str, kind: str) -> None:
    """The entry as the table has it, everything of others untouched, twice changes nothing more; out gives the old bytes."""
    path = machine.file(name)
    if kind != "none":
        path.write_bytes(b"" if kind == "empty" else BUSY[name].encode())
    before = machine.files()
    assert machine.standing(name) == ("free", "")
    (change,) = machine.plan(name)
    assert machine.files() == before, "a plan writes nothing"
    assert f"+++ {path}" in change.diff
    assert f"+{shim.program(machine.home)}"[1:] in change.diff
    machine.put(name)
    assert machine.entry(name) == wanted(machine, name)
    assert machine.standing(name) == ("in", "")
    if kind == "busy":
        for line in BUSY[name].splitlines():
            assert line.strip(" \t,{}\ufeff") in path.read_text(encoding="utf-8"), line
    assert [(one.path, one.restored) for one in uninstall(machine.home, [name], dry_run=True)] == [(str(path), True)]
    (removed,) = uninstall(machine.home, [name])
    assert (removed.restored, removed.changed_since) == (True, "")
    assert machine.files() == before
    assert not os.path.exists(shim.program(machine.home))


@pytest.mark.parametrize("name", CLIENTS)
def test_what_others_changed_since_stays(machine: Machine, name: str) -> None:
    """Only our entry goes, also when the record was lost."""
    path = machine.file(name)
    path.write_text(BUSY[name], encoding="utf-8", newline="")
    machine.put(name)
    more = b"\n# later\n" if path.suffix in (".toml", ".yaml") else b"\n\n"
    path.write_bytes(path.read_bytes() + more)
    os.unlink(os.path.join(machine.home.state, "installed.json"))
    (removed,) = uninstall(machine.home, ["mcp"])
    assert not removed.restored
    left, old = (mcp_formats.load(data, str(path)) for data in (path.read_bytes(), BUSY[name].encode()))
    assert left == {key: value for key, value in old.items() if value}
    assert path.read_bytes().endswith(more)


@pytest.mark.parametrize("name", ["codex", "gemini-cli", "openclaw", "qwen-code"])
@pytest.mark.parametrize("first", ["hooks", "server"])
def test_hooks_and_the_server_in_one_file(machine: Machine, name: str, first: str) -> None:
    """In whichever order they came: out gives the old bytes, and says so before and after."""
    path = machine.file(name)
    path.write_text(BUSY[name], encoding="utf-8", newline="")
    before = machine.files()
    for step in (machine.hooks, machine.put) if first == "hooks" else (machine.put, machine.hooks):
        step(name)
    assert machine.entry(name) == wanted(machine, name)
    tried = uninstall(machine.home, [name], dry_run=True)
    assert uninstall(machine.home, [name]) == tried
    assert {one.restored for one in tried} == {True}
    assert machine.files() == before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("codex", "sha256:", "sha256:0"), ("gemini-cli", "10000", "9000"), ("qwen-code", '"timeout": 10', '"timeout": 9')],
)
def test_hooks_that_are_written_anew_under_the_server(machine: Machine, name: str, old: str, new: str) -> None:
    """As after an upgrade that changed them: both still go to the byte."""
    path = machine.file(name)
    path.write_text(BUSY[name].rstrip() + "\n", encoding="utf-8", newline="")
    before = machine.files()
    machine.hooks(name)
    machine.put(name)
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8", newline="")
    machine.hooks(name)
    done = uninstall(machine.home, [name])
    assert {one.restored for one in done} == {True}
    assert machine.files() == before


def test_a_moved_config_home_is_where_it_goes(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And nothing is made in the default one."""
    moved = {
        "claude-code": ("CLAUDE_CONFIG_DIR", ".claude.json"), "codex": ("CODEX_HOME", "config.toml"),
        "qwen-code": ("QWEN_HOME", "settings.json"), "gemini-cli": ("GEMINI_CLI_HOME", ".gemini/settings.json"),
        "opencode": ("XDG_CONFIG_HOME", "opencode/opencode.json"), "pi": ("PI_CODING_AGENT_DIR", "mcp.json"),
        "kimi-code": ("KIMI_CODE_HOME", "mcp.json"), "hermes": ("HERMES_HOME", "config.yaml"),
        "openclaw": ("OPENCLAW_STATE_DIR", "openclaw.json"),
    }  # fmt: skip
    before = machine.files()
    for name, (variable, file) in moved.items():
        folder = tmp_path / "moved" / name
        (folder / file).parent.mkdir(parents=True)
        monkeypatch.setenv(variable, str(folder))
        assert machine.file(name) == folder / file
    machine.put(*moved)
    assert machine.files() == before
    monkeypatch.setenv("OPENCLAW_CONFIG_PATH", str(tmp_path / "claw.json"))
    assert machine.file("openclaw") == tmp_path / "claw.json"


@pytest.mark.parametrize(
    ("name", "file", "text", "why"),
    [
        ("claude-code", ".claude/settings.json", '{"enabledPlugins": {"scrubjay@scrubjay": true}}', "the plugin brings it"),
        ("codex", ".codex/config.toml", '[plugins."scrubjay@scrubjay"]\nenabled = true\n', "the plugin brings it"),
        ("qwen-code", ".qwen/extensions/scrubjay/qwen-extension.json", '{"name": "scrubjay"}', "the plugin brings it"),
        ("hermes", ".hermes/config.yaml", "memory: {provider: scrubjay}\n", "its memory provider brings the tools"),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": {"m": {"command": "/x/jay", "args": ["mcp"]}}}', "`m` stands in"),
        ("pi", ".pi/agent/mcp.json", '{"mcpServers": {"scrubjay": {"url": "http://127.0.0.1:1/mcp"}}}', "`scrubjay` stands"),
        ("opencode", ".config/opencode/opencode.jsonc", '{"mcp": {"m": {"command": ["jay", "mcp"]}}}', "`m` stands in"),
    ],
)  # fmt: skip
def test_never_twice(machine: Machine, name: str, file: str, text: str, why: str) -> None:
    """Where the plugin, a provider of ours or an entry made by hand brings the tools, none is put in and none taken out."""
    path = machine.folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    standing, told = machine.standing(name)
    assert standing == "taken"
    assert why in told
    assert machine.plan(name) == []
    assert uninstall(machine.home, ["mcp"]) == []
    assert path.read_text(encoding="utf-8") == text


def test_hooks_that_bring_the_tools_count_before_they_are_written(machine: Machine) -> None:
    """Hermes gets its provider in the same run: its server is not offered."""
    with base.as_if(installers()["hermes"].plan(machine.home, str(machine.folder), os.environ)):
        assert machine.standing("hermes")[0] == "taken"
        assert machine.plan("hermes") == []
    assert machine.standing("hermes")[0] == "free"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("codex", "mcp_servers = {docs = {command = 'docs'}}\n"), ("codex", "[mcp_servers\n"), ("cursor", '{"mcpServers": '),
        ("cursor", '{"mcpServers": []}'), ("cursor", "[]"), ("openclaw", "{mcp: {}}"), ("goose", "extensions: [a]\n"),
        ("goose", "a: [\n"), ("kimi-code", "\xff"),
    ],
)  # fmt: skip
def test_a_file_without_a_place_for_it_is_named_and_left_alone(machine: Machine, name: str, text: str) -> None:
    """No half of a plan is written; the offer says why instead of failing."""
    path = machine.file(name)
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadInput) as caught:
        machine.plan("pi", name)
    assert str(path) in (caught.value.at or "")
    assert path.read_bytes() == text.encode("latin-1")
    assert machine.standing(name)[0] in ("free", "taken")


def test_what_the_person_added_to_the_entry_is_theirs(machine: Machine) -> None:
    """Trust, a time limit, switched off: it is not put back to ours; switched off is told."""
    machine.put("gemini-cli", "opencode")
    path = machine.file("gemini-cli")
    path.write_text(path.read_text().replace('"args"', '"trust": true, "args"'))
    other = machine.file("opencode")
    other.write_text(other.read_text().replace('"enabled": true', '"enabled": false'))
    assert machine.plan("gemini-cli", "opencode") == []
    assert [(title, one.what) for title, one in mcp_entries.obstacles(machine.home)] == [
        ("OpenCode", f"our MCP server is switched off in {other}")
    ]


def test_an_older_entry_of_ours_becomes_todays(machine: Machine) -> None:
    """One entry, renewed in its place by `jay init --mcp`."""
    machine.put("pi")
    path = machine.file("pi")
    path.write_text(path.read_text().replace('"direct"', '"search"'))
    machine.put("pi")
    assert machine.entry("pi") == wanted(machine, "pi")
    assert path.read_text().count("bin/jay") == 1


def test_what_went_wrong_later_is_told(machine: Machine) -> None:
    """An entry that is gone, a file that broke, the plugin that came on top."""
    machine.put("pi", "cursor", "codex")
    machine.file("pi").write_text("{}")
    machine.file("cursor").write_text("{")
    config = machine.file("codex")
    config.write_text(config.read_text() + '[plugins."scrubjay@scrubjay"]\nenabled = true\n')
    told = {title: (one.what, one.remedy) for title, one in mcp_entries.obstacles(machine.home)}
    assert told["pi"] == (f"our MCP server is gone from {machine.file('pi')}", "jay init pi --mcp --days 0")
    assert told["Cursor"][0].startswith("not valid JSON")
    assert "twice" in told["Codex"][0]
    assert tomltext.load(config.read_bytes(), str(config))["mcp_servers"].keys() == {"scrubjay"}


def test_without_the_package_nothing_is_written(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry that could not run is worse than none; one that is there is named by doctor with what to install."""
    machine.put("pi")
    monkeypatch.setitem(sys.modules, "mcp", None)
    before = machine.files()
    with pytest.raises(BadInput) as caught:
        machine.plan("cursor")
    assert "pip install 'scrubjay[mcp]'" in (caught.value.hint or "")
    assert machine.files() == before
    (finding,) = mcp_check.check(machine.home, os.environ)
    assert (finding.state, finding.remedy) == ("error", "pip install 'scrubjay[mcp]'")


def test_the_self_test_starts_what_the_client_would_start(machine: Machine) -> None:
    """Once for all clients: the server names its tools and leaves nothing behind. A dead Python is an error."""
    machine.put("pi", "goose", "opencode")
    before = sorted(path for path in Path(machine.home.root).rglob("*"))
    found = list(mcp_check.check(machine.home, os.environ))
    assert [(one.agent, one.state) for one in found] == [
        ("Goose (MCP)", "ok"),
        ("OpenCode (MCP)", "ok"),
        ("pi (MCP)", "ok"),
    ]
    assert "7 tools" in found[0].detail
    assert sorted(path for path in Path(machine.home.root).rglob("*")) == before
    program = Path(shim.program(machine.home))
    program.write_text(program.read_text().replace(sys.executable, "/nonexistent/python"))
    assert {one.state for one in mcp_check.check(machine.home, os.environ)} == {"error"}
    shim.ensure(machine.home)
    assert sys.executable in program.read_text(), "any `jay` command repairs it"


def test_the_page_has_every_file_and_entry() -> None:
    """docs/mcp.md says for each client which file, and the entry as the table has it."""
    page = (Path(__file__).parents[2] / "docs" / "mcp.md").read_text(encoding="utf-8")
    table = page.partition("| client | file |")[2].partition("\n\n")[0]
    rows = {line.split("|")[1].strip(): line for line in table.splitlines() if line.startswith("| ")}
    for client in CLIENTS.values():
        row = rows[client.title]
        assert all(f"{one}`" in row for one in client.files)
        assert f"`{'.'.join(client.keys)}`" in row
        assert f"`{json.dumps(mcp_clients.filled(client.entry, '…/bin/jay'), ensure_ascii=False)}`" in row
