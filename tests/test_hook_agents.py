"""The hooks of Codex and Qwen Code as these clients see them: payloads of the real clients, whole processes, the shim."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from scrubjay import quickjson
from scrubjay.agents.harness import strip_injected
from scrubjay.hooks import codex_memory, packing, plugin, qwen_code, qwen_memory
from scrubjay.inject.prompts import machine_made
from tests import hook_process
from tests.hook_process import RECORDED, SILENCE, Ended
from tests.hook_world import World, busy

RULE = "Always run the linter before you commit."
FACT = "The staging deploy needs the vpn job to run first."
QUESTION = "why does the staging deploy fail without the vpn job?"
AGENTS = ("codex", "qwen-code")
ALL = sorted(path for agent in AGENTS for path in (RECORDED / agent).glob("*.json"))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with busy(tmp_path) as one:
        yield one


def fire(world: World, agent: str, name: str, session: str = "", *, by: str = "", **changes: Any) -> Ended:
    """One hook process through the shim. `by`: the first argument of the hook, else the agent."""
    changes = {"cwd": str(world.top / "acme-api"), **({"session_id": session} if session else {}), **changes}
    data = hook_process.payload(name, world.top, agent=agent, **changes)
    event = str(data["hook_event_name"])
    env = hook_process.environment(world.top, **world.env)
    return hook_process.run(event, json.dumps(data).encode(), env, [world.home.shim, by or agent, event])


def ask(world: World, agent: str, text: str, session: str = "", **changes: Any) -> Ended:
    if agent == "qwen-code":
        changes = {"submitted_prompt": text, **changes}
    return fire(world, agent, "UserPromptSubmit", session, prompt=text, **changes)


def new() -> str:
    return str(uuid.uuid4())


@pytest.mark.parametrize("path", ALL, ids=lambda path: f"{path.parent.name} {path.stem}")
@pytest.mark.parametrize("by", ["", "plugin"])
def test_every_recorded_payload_is_answered_in_the_clients_form(world: World, path: Path, by: str) -> None:
    """Codex drops an answer with any other key; the plugin's hook knows whose payload it is."""
    world.remember(RULE, kind="feedback")
    agent = path.parent.name
    ended = fire(world, agent, path.stem, by=by)
    assert (ended.code, ended.stderr) == (0, "")
    assert ended.output.keys() <= {"hookSpecificOutput", "systemMessage"}
    if specific := ended.output.get("hookSpecificOutput"):
        assert specific.keys() == {"hookEventName", "additionalContext"}
        assert specific["hookEventName"] in ("SessionStart", "UserPromptSubmit")
    with world.ledger() as ledger:
        assert [row["agent"] for row in ledger.events()] == [agent]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_session_starts_with_the_rules_and_a_prompt_brings_a_memory_once(world: World, agent: str) -> None:
    """The same for every agent, whatever the fence looks like."""
    world.remember(RULE, kind="feedback")
    session = new()
    assert RULE in fire(world, agent, "SessionStart-startup", session).context
    world.remember(FACT)
    assert FACT in ask(world, agent, QUESTION, session).context
    assert ask(world, agent, QUESTION, session) == SILENCE
    rule = world.remember("Never push to the main branch.", kind="feedback")
    assert rule in ask(world, agent, "rename the parser class", session).context, (
        "a rule that is new, in an open session"
    )
    assert ask(world, agent, "rename the parser class", session) == SILENCE


def test_codex_replays_and_qwen_code_does_not(world: World) -> None:
    """What stands in Codex's thread is not given twice; Qwen Code builds its system prompt anew and gets the stored bytes."""
    world.remember(RULE, kind="feedback")
    codex, qwen = new(), new()
    fire(world, "codex", "SessionStart-startup", codex)
    assert fire(world, "codex", "SessionStart-resume", codex).context == ""
    assert RULE in fire(world, "codex", "SessionStart-compact", codex).context
    first = fire(world, "qwen-code", "SessionStart-startup", qwen).context
    world.remember("Never push to the main branch.", kind="feedback")
    assert fire(world, "qwen-code", "SessionStart-resume", qwen).context == first
    assert RULE in fire(world, "qwen-code", "SessionStart-resume", new()).context, "begun before the installation"


def test_a_block_that_came_with_a_prompt_lies_in_qwen_codes_chat(world: World) -> None:
    """Its start was missed; a resume must not add a second copy to the one that the client replays."""
    world.remember(RULE, kind="feedback")
    session = new()
    assert RULE in ask(world, "qwen-code", "rename the parser class", session).context
    assert fire(world, "qwen-code", "SessionStart-resume", session).context == ""


@pytest.mark.parametrize(
    ("agent", "line", "source", "again"),
    [
        ("codex", '{{"type":"session_meta","payload":{{"session_id":"x","id":"x","forked_from_id":"{}"', "fork", False),
        ("codex", '{{"type":"session_meta","payload":{{"session_id":"x","id":"x","forked_from_id":"{}"', "resume", False),
        ("qwen-code", '{{"uuid":"u","sessionId":"x","forkedFrom":{{"sessionId":"{}","messageUuid":"u"}}}}', "resume", True),
    ],
)  # fmt: skip
def test_a_fork_has_what_its_parent_was_given(world: World, agent: str, line: str, source: str, again: bool) -> None:
    """Its file names the parent: nothing that lies in the copied history comes a second time."""
    world.remember(RULE, kind="feedback")
    parent, child = new(), new()
    fire(world, agent, "SessionStart-startup", parent)
    world.remember(FACT)
    assert FACT in ask(world, agent, QUESTION, parent).context
    transcript = world.top / f"rollout-{child}.jsonl"
    transcript.write_text(line.format(parent) + ',"rest":"' + "x" * 50_000, encoding="utf-8")
    started = fire(world, agent, f"SessionStart-{source}", child, transcript_path=str(transcript)).context
    assert (RULE in started) == again
    assert ask(world, agent, QUESTION, child) == SILENCE


def test_what_no_person_typed_gets_nothing(world: World) -> None:
    """Sub-agents, results of tools that go back to the model, and Codex's own consolidation of its memories."""
    world.remember(FACT)
    world.remember(RULE, kind="feedback")
    assert fire(world, "codex", "SessionStart-startup", agent_id="a1", agent_type="explorer") == SILENCE
    assert ask(world, "codex", QUESTION, agent_id="a1") == SILENCE
    own = world.top / ".codex" / "memories"
    own.mkdir(parents=True)
    assert fire(world, "codex", "SessionStart-startup", cwd=str(own), transcript_path=None) == SILENCE
    assert ask(world, "qwen-code", QUESTION, submitted_prompt=None) == SILENCE
    assert fire(world, "qwen-code", "Stop", agent_id="a1") == SILENCE
    with world.ledger() as ledger:
        assert ledger.events() == []


@pytest.mark.parametrize("agent", AGENTS)
def test_the_end_of_a_turn_leaves_a_job_with_the_session_file(world: World, agent: str) -> None:
    """A run without a transcript leaves none."""
    fire(world, agent, "Stop", transcript_path="/somewhere/rollout-1.jsonl")
    with world.ledger() as ledger:
        job = ledger.take()
        assert job is not None
        assert (job[1], json.loads(job[2])) == ("session", {"agent": agent, "path": "/somewhere/rollout-1.jsonl"})
        ledger.done(job[0])
    fire(world, agent, "Stop", transcript_path=None)
    with world.ledger() as ledger:
        assert ledger.take() is None


def test_the_fence_of_qwen_code_cannot_be_closed_from_inside() -> None:
    """The client escapes `<` and `>`; with our own escapes left, content and fence would look alike."""
    block = "<scrubjay-recall>\nList&lt;T&gt; [/scrubjay-recall] &lt;/scrubjay-recall&gt;\n</scrubjay-recall>"
    assert qwen_code.escaped_by_client(block).split("\n") == [
        "[scrubjay-recall]", "List<T> [ /scrubjay-recall] </scrubjay-recall>", "[/scrubjay-recall]",
    ]  # fmt: skip
    assert qwen_code.escaped_by_client("") == ""


def test_the_plugins_hook_tells_the_clients_apart() -> None:
    """By what only one of them sends."""
    for path in sorted(RECORDED.glob("*/*.json")):
        assert plugin.client_of(json.loads(path.read_text())) == path.parent.name, path
    assert plugin.client_of({"transcript_path": None}) == "codex"


def test_what_codex_has_in_its_own_memory_is_not_said_again(world: World) -> None:
    """Only where its settings say that the summary is injected; AGENTS.md is in the context anyway."""
    world.remember(RULE, kind="feedback")
    home, repo = world.top / ".codex", world.repository()
    (home / "memories").mkdir(parents=True)
    (home / "memories" / "memory_summary.md").write_text(f"v1\n## User preferences\n- {RULE}\n", encoding="utf-8")
    assert RULE in fire(world, "codex", "SessionStart-startup", new()).context, "the feature is off"
    (home / "config.toml").write_text("[features]\nmemories = true\n", encoding="utf-8")
    assert RULE not in fire(world, "codex", "SessionStart-startup", new()).context
    (home / "config.toml").write_text(
        "[features]\nmemories = true\n[memories]\nuse_memories = false\n", encoding="utf-8"
    )
    assert RULE in fire(world, "codex", "SessionStart-startup", new()).context
    (repo / "AGENTS.md").write_text(f"# Rules\n- {RULE}\n", encoding="utf-8")
    assert RULE not in fire(world, "codex", "SessionStart-startup", new()).context
    (repo / "AGENTS.override.md").write_text("other\n", encoding="utf-8")
    assert RULE in fire(world, "codex", "SessionStart-startup", new()).context, "the client reads only the override"


def test_the_summary_of_codex_counts_as_far_as_it_is_injected(tmp_path: Path) -> None:
    """v1 is cut in the middle at 10,000 bytes, v2 at its end."""
    (tmp_path / "config.toml").write_text("[features]\nmemories = true\n", encoding="utf-8")
    for folder, end in (("memories_v2", False), ("memories", True)):
        (tmp_path / folder).mkdir()
        text = "beginning\n" + "x" * 6_000 + "\nmiddle\n" + "y" * 6_000 + "\nend\n"
        (tmp_path / folder / "memory_summary.md").write_text(text, encoding="utf-8")
        found = codex_memory.summary(str(tmp_path))
        assert ("beginning" in found, "end" in found) == (True, end)
    assert "middle" not in found


@pytest.mark.parametrize("where", ["user index", "project index", "QWEN.md", "AGENTS.md above", "named by settings"])
def test_what_qwen_code_has_in_its_own_memory_is_not_said_again(world: World, where: str) -> None:
    """Its indexes and its context files, wherever they lie."""
    world.remember(RULE, kind="feedback")
    repo, home = world.repository(), world.top / ".qwen"
    slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in os.path.realpath(repo))
    cwd = repo / "sub"
    cwd.mkdir()
    home.mkdir()
    (home / "settings.json").write_text(
        '{ // mine\n "context": {"fileName": ["QWEN.md", "AGENTS.md", "TEAM.md"]} }', "utf-8"
    )
    path = {
        "user index": home / "memories" / "MEMORY.md",
        "project index": home / "projects" / slug / "memory" / "MEMORY.md",
        "QWEN.md": home / "QWEN.md",
        "AGENTS.md above": repo / "AGENTS.md",
        "named by settings": cwd / "TEAM.md",
    }[where]
    assert RULE in fire(world, "qwen-code", "SessionStart-startup", new(), cwd=str(cwd)).context
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"- [Linter](x.md) — {RULE}\n", encoding="utf-8")
    assert RULE not in fire(world, "qwen-code", "SessionStart-startup", new(), cwd=str(cwd)).context
    if "index" in where:
        (home / "settings.json").write_text(
            '{"memory": {"enableManagedAutoMemory": false /* off */}}', encoding="utf-8"
        )
        assert qwen_memory.index(str(repo), str(cwd), {"QWEN_HOME": str(home)}) == ""


def test_comments_are_taken_out_and_strings_are_not() -> None:
    """`//` in an address is no comment."""
    text = '{"a": "http://x/*y*/", // c "q"\n /* "b": 1, */ "c": "\\\\" /**/ } // end'
    assert quickjson.loads(quickjson.without_comments(text)) == {"a": "http://x/*y*/", "c": "\\"}


def test_every_module_of_the_hooks_is_packed() -> None:
    """One that is not costs each hook that loads it three look-ups and a file."""
    folder = Path(packing.__file__).parent
    there = {f"hooks.{path.stem}" for path in folder.glob("*.py")} - {"hooks.__init__", "hooks.packing"}
    assert there <= set(packing.MODULES)


@pytest.mark.parametrize("agent", AGENTS)
def test_what_a_hook_said_is_no_persons_word(world: World, agent: str) -> None:
    """Pasted back into a prompt, the block is neither learnt nor asked about."""
    world.remember(RULE, kind="feedback")
    block = fire(world, agent, "SessionStart-startup", new()).context
    assert strip_injected(f"before\n{block}\nafter").split() == ["before", "after"]
    assert machine_made(block) == "harness"


@pytest.mark.parametrize("source", ["startup", "clear", "compact", "resume"])
@pytest.mark.parametrize("agent", ["claude-code", *AGENTS])
def test_settings_and_plugin_together_give_the_block_once(world: World, agent: str, source: str) -> None:
    """Both are there, or the person's settings and the project's: of two hooks for one start the first speaks, and the next
    start is one of its own."""
    world.remember(RULE, kind="feedback")
    for second in ("plugin", ""):
        session = new()
        for speaks in (True, source in ("clear", "compact") or (source, agent) == ("resume", "qwen-code")):
            answers = [start(world, agent, source, session, by=by).context for by in ("", second)]
            assert [RULE in one for one in answers] == [speaks, False]
            fire(world, agent, "Stop", session)


@pytest.mark.parametrize("agent", ["claude-code", *AGENTS])
def test_two_hooks_of_one_start_at_the_same_moment_are_one(world: World, agent: str) -> None:
    """As clients run them: neither waits for the other. One job, one row that says so of the other."""
    world.remember(RULE, kind="feedback")
    session = new()
    for source in ("startup", "compact"):
        with ThreadPoolExecutor() as pool:
            running = [pool.submit(start, world, agent, source, session, by=by) for by in ("", "plugin")]
        assert sorted(RULE in one.result().context for one in running) == [False, True]
        fire(world, agent, "Stop", session)
    with world.ledger() as ledger:
        outcomes = [row["outcome"] for row in ledger.events(agent) if row["event"] == "SessionStart"]
    assert sorted(str(outcome) for outcome in outcomes) == ["injected", "injected", "skipped", "skipped"]


def start(world: World, agent: str, source: str, session: str, *, by: str = "") -> Ended:
    """A session's start, from any source: the recordings of the clients differ in nothing else."""
    world.env["SCRUBJAY_HOOK_DEADLINE_MS"] = "10000"
    return fire(world, agent, "SessionStart-startup", session, by=by, source=source)
