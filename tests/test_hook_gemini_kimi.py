"""The events of Gemini CLI and Kimi Code, as whole processes, with payloads in the shape that the real clients sent."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from scrubjay.learn import rewound
from scrubjay.ledger import Ledger
from tests import hook_process
from tests.hook_process import SILENCE, SOURCE, Ended
from tests.hook_world import OTHER, SESSION, World, busy
from tests.test_hook_proof import FORBIDDEN, WATCHED

RULE = "Always run the linter before you commit."
FACT = "The staging deploy needs the vpn job to run first."
QUESTION = "why does the staging deploy fail without the vpn job?"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with busy(tmp_path) as one:
        one.repository()
        yield one


def fire(world: World, agent: str, event: str, session: str = SESSION, **more: Any) -> Ended:
    values = {"session_id": session, "cwd": str(world.top / "acme-api"), "hook_event_name": event, **more}
    argv = [world.home.shim, agent, event]
    return hook_process.run(event, values, hook_process.environment(world.top, **world.env), argv)


def gemini(world: World, event: str, session: str = SESSION, **more: Any) -> Ended:
    path = chat(world, session)
    return fire(
        world, "gemini-cli", event, session, transcript_path=str(path), timestamp="2026-11-30T11:12:44Z", **more
    )


def chat(world: World, session: str = SESSION) -> Path:
    return world.top / ".gemini" / "tmp" / "acme-api" / "chats" / f"session-2026-11-30T11-12-{session[:8]}.jsonl"


def kimi(world: World, event: str, session: str = SESSION, **more: Any) -> Ended:
    return fire(world, "kimi-code", event, session, client_type="kimi_code_cli", **more)


def kimi_asks(world: World, text: str, session: str = SESSION) -> str:
    ended = kimi(world, "UserPromptSubmit", session, prompt=[{"type": "text", "text": text}], is_steer=False)
    assert (ended.code, ended.stderr) == (0, "")
    return ended.stdout


def kimi_session(world: World, session: str = SESSION, **state: str) -> Path:
    folder = world.top / ".kimi-code" / "sessions" / "wd_acme-api_0123456789ab" / session
    (folder / "agents" / "main").mkdir(parents=True)
    (folder / "state.json").write_text(json.dumps({"id": session, **state}, separators=(",", ":")), encoding="utf-8")
    wire = folder / "agents" / "main" / "wire.jsonl"
    wire.write_text("", encoding="utf-8")
    return wire


def test_gemini_gets_its_block_with_the_first_prompt(world: World) -> None:
    """Not at the session's start, where a resume would lose the whole prompt; once; in brackets that the client leaves alone;
    beside it what the prompt recalls."""
    world.remember(RULE, kind="feedback")
    world.remember(FACT, name="Deploys", kind="project")
    assert gemini(world, "SessionStart", source="startup").context == ""
    first = gemini(world, "BeforeAgent", prompt=QUESTION).context
    assert first.startswith("[scrubjay-memory]\n")
    assert first.count(RULE) == 1
    assert first.count(FACT) == 1
    assert "<" not in first
    assert gemini(world, "BeforeAgent", prompt="go on").context == ""
    assert gemini(world, "SessionStart", source="resume").context == ""
    assert gemini(world, "BeforeAgent", prompt=QUESTION).context == ""


@pytest.mark.parametrize(
    "prompt",
    [
        f"<hook_context>&lt;x&gt;why does the shop fail&lt;/x&gt;</hook_context>\n\n{QUESTION}",
        f"{QUESTION}\n--- Content from referenced files ---\nContent from @big.txt:\n" + "words " * 10_000,
    ],
    ids=["another-hook", "files"],
)
def test_gemini_recalls_by_what_was_typed(world: World, prompt: str) -> None:
    """Not by what hooks and the client put around it."""
    gemini(world, "BeforeAgent", prompt="hello")
    world.remember(FACT)
    assert FACT in gemini(world, "BeforeAgent", prompt=prompt).context
    assert gemini(world, "BeforeAgent", OTHER, prompt="<hook_context>&lt;x&gt;</hook_context>") == SILENCE


def test_gemini_gets_its_block_again_after_a_summary_and_not_after_a_resume(world: World) -> None:
    """A resume writes the history anew, the old summary too."""
    world.remember(RULE, kind="feedback")
    path = chat(world)
    path.parent.mkdir(parents=True)
    path.write_text('{"sessionId": "s"}\n', encoding="utf-8")
    summary = '{"$set": {"messages": [{"content": [{"text": "<state_snapshot>…</state_snapshot>"}]}]}}\n'
    assert RULE in gemini(world, "BeforeAgent", prompt="hello").context
    with path.open("a", encoding="utf-8") as file:
        file.write(summary)
    gemini(world, "AfterAgent", prompt="hello", prompt_response="ok", stop_hook_active=False)
    assert RULE in gemini(world, "BeforeAgent", prompt="go on").context
    with path.open("a", encoding="utf-8") as file:
        file.write(summary)
    gemini(world, "SessionStart", source="resume")
    assert gemini(world, "BeforeAgent", prompt="go on").context == ""


def test_gemini_is_not_told_what_its_own_files_say(world: World) -> None:
    """GEMINI.md of the person, the name that settings give it, and the project's private memory."""
    for text in (RULE, "Never push to the main branch.", "Use tabs in web files always."):
        world.remember(text, kind="feedback", name=text)
    folder = world.top / ".gemini"
    (folder / "tmp" / "acme-api" / "memory").mkdir(parents=True)
    (folder / "GEMINI.md").write_text(f"- {RULE}\n", encoding="utf-8")
    (folder / "tmp" / "acme-api" / "memory" / "MEMORY.md").write_text("- Never push to the main branch.\n")
    (world.top / "acme-api" / "HOUSE.md").write_text("Use tabs in web files always.\n", encoding="utf-8")
    assert gemini(world, "BeforeAgent", prompt="hello").context.count("- [m-") == 1
    (folder / "settings.json").write_text('{"context": {"fileName": ["GEMINI.md", "HOUSE.md"]}} // two\n')
    assert gemini(world, "BeforeAgent", OTHER, prompt="hello").context == ""


def test_kimi_gets_block_and_recall_as_plain_text_with_the_first_prompt(world: World) -> None:
    """The client takes nothing at the session's start."""
    world.remember(RULE, kind="feedback")
    world.remember(FACT, name="Deploys", kind="project")
    assert kimi(world, "SessionStart", source="startup", model="stub", profile="agent") == SILENCE
    first = kimi_asks(world, QUESTION)
    assert first.startswith("<scrubjay-memory>\n")
    assert first.count(RULE) == first.count(FACT) == 1
    assert kimi_asks(world, "go on") == ""
    assert kimi(world, "SessionStart", source="resume") == SILENCE
    assert kimi_asks(world, QUESTION) == ""
    assert kimi(world, "PostCompact", trigger="auto", estimated_token_count=10) == SILENCE
    assert RULE in kimi_asks(world, "and now")
    assert kimi_asks(world, "and then") == ""


def test_two_hooks_of_one_prompt_bring_the_block_of_a_summarised_context_once(world: World) -> None:
    """Registered twice, and the client runs both at the same moment."""
    world.remember(RULE, kind="feedback")
    world.env["SCRUBJAY_HOOK_DEADLINE_MS"] = "10000"
    assert RULE in kimi_asks(world, "hello")
    for number in range(3):
        assert kimi(world, "PostCompact", trigger="auto", estimated_token_count=10) == SILENCE
        with ThreadPoolExecutor() as pool:
            running = [pool.submit(kimi_asks, world, f"go on {number}") for _ in range(2)]
        assert sorted(RULE in one.result() for one in running) == [False, True]


def test_a_new_rule_reaches_an_open_session_of_kimi_once(world: World) -> None:
    """With its next prompt."""
    kimi_asks(world, "hello")
    world.remember(RULE, kind="feedback")
    assert RULE in kimi_asks(world, "go on")
    assert kimi_asks(world, "go on") == ""


def test_a_fork_of_kimi_holds_what_its_parent_was_given(world: World) -> None:
    """It copies the messages; no event tells of it."""
    world.remember(RULE, kind="feedback")
    kimi_session(world)
    assert RULE in kimi_asks(world, "hello")
    kimi_session(world, OTHER, title="Fork: x", forkedFrom=SESSION)
    assert kimi_asks(world, "hello", OTHER) == ""


def test_the_sessions_file_is_left_for_the_worker(world: World) -> None:
    """Gemini names it, Kimi's is looked for."""
    wire = kimi_session(world)
    gemini(world, "AfterAgent", prompt="hello", prompt_response="ok", stop_hook_active=False)
    kimi(world, "Stop", stop_hook_active=False)
    kimi(world, "Stop", "no-such-session", stop_hook_active=False)
    jobs = []
    with world.ledger() as ledger:
        while (job := ledger.take()) is not None:
            jobs.append(json.loads(job[2]))
            ledger.done(job[0])
    assert jobs == [
        {"agent": "gemini-cli", "path": str(chat(world))},
        {"agent": "kimi-code", "path": str(wire)},
    ]


def test_kimi_is_not_told_what_its_own_files_say(world: World) -> None:
    """AGENTS.md of the person, of all agents, of the repository."""
    rules = (RULE, "Never push to the main branch.", "Use tabs in web files always.")
    for text in rules:
        world.remember(text, kind="feedback", name=text)
    for text, path in zip(rules, (".kimi-code/AGENTS.md", ".agents/AGENTS.md", "acme-api/AGENTS.md"), strict=True):
        (world.top / path).parent.mkdir(exist_ok=True)
        (world.top / path).write_text(text + "\n", encoding="utf-8")
    assert kimi_asks(world, "hello") == ""


@pytest.mark.parametrize("agent", ["gemini-cli", "kimi-code"])
def test_nonsense_is_survived(world: World, agent: str) -> None:
    """No JSON, no object, no session, other types: nothing is printed, the client goes on."""
    event = "BeforeAgent" if agent == "gemini-cli" else "UserPromptSubmit"
    env = hook_process.environment(world.top)
    argv = [world.home.shim, agent, event]
    for data in (
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"session_id": 1, "cwd": 2}',
        b'{"session_id": "../..", "cwd": "/", "prompt": 7}',
    ):
        assert hook_process.run(event, data, env, argv) == SILENCE
    assert fire(world, agent, "NoSuchEvent") == SILENCE


@pytest.mark.parametrize(("agent", "event"), [("gemini-cli", "BeforeAgent"), ("kimi-code", "UserPromptSubmit")])
def test_the_prompts_hook_stays_light(world: World, agent: str, event: str) -> None:
    """It loads nothing that costs milliseconds, starts nothing, writes nothing but the ledger."""
    world.remember(FACT)
    prompt = QUESTION if agent == "gemini-cli" else [{"type": "text", "text": QUESTION}]
    values = {"session_id": SESSION, "cwd": str(world.top / "acme-api"), "prompt": prompt}
    command = [
        sys.executable,
        "-B",
        "-I",
        "-S",
        "-c",
        WATCHED,
        str(SOURCE),
        agent,
        event,
    ]  # -B: no .pyc among the writes
    ended = hook_process.run(event, values, hook_process.environment(world.top), command)
    report = json.loads(ended.stderr)
    assert FACT in ended.stdout
    assert set(report["modules"]) & FORBIDDEN == set()
    written = [path for event, path in report["seen"] if event != "sqlite3.connect"]
    assert [path for path in written if not path.startswith(world.home.ledger)] == []


def test_kimi_gets_its_block_again_when_its_prompt_was_undone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The block came with the first prompt, and went with it."""
    for name, value in hook_process.environment(world.top, **world.env).items():
        monkeypatch.setenv(name, value)
    world.remember(RULE, kind="feedback")
    wire = kimi_session(world)
    assert RULE in kimi_asks(world, "hello")
    said = {"input": [{"type": "text", "text": "hello"}], "origin": {"kind": "user"}, "promptId": "msg_1"}
    message = {"role": "user", "content": said["input"], "id": "msg_1", "origin": said["origin"]}
    now = int(time.time() * 1000)
    records = [
        {"type": "turn.prompt", "agentId": "main", **said, "time": now},
        {"type": "context.append_message", "agentId": "main", "message": message, "time": now},
        {"type": "context.undo", "agentId": "main", "count": 1, "time": now},
    ]
    wire.write_text("".join(json.dumps(one, separators=(",", ":")) + "\n" for one in records), encoding="utf-8")
    with Ledger.open(world.home.ledger) as ledger:
        ledger.branches("kimi-code", SESSION, {"msg_1": False})
        rewound.free(ledger, "kimi-code", str(wire))
    assert RULE in kimi_asks(world, "go on")
    assert kimi_asks(world, "go on") == ""
