"""The contract of every reader, on sessions that the real clients wrote."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from scrubjay.agents import readers
from scrubjay.agents.harness import strip_injected
from scrubjay.inject.fence import TAGS
from scrubjay.session import Message, Session
from tests.agents.recorded import ALL_PARTS, Turn, agents_with, manifest, materialise, turns

READERS = readers()


def sessions(part: str, home: Path) -> dict[str, Session]:
    """The sessions of a part by the path of their file below `home`, in a database with `#` and their id."""
    reader = READERS[part.partition("/")[0]]
    found = {}
    for source in reader.find(str(home), {}):
        found[os.path.relpath(source.key, home)] = reader.read(source, None).session
    return found


def session_of(turn: Turn, names: dict[str, str], found: dict[str, Session]) -> Session:
    return found[names[turn.file] + (f"#{turn.native}" if turn.database else "")]


def message_of(turn: Turn, session: Session) -> Message:
    found = [message for message in session.messages if message.line == turn.line and message.role == "user"]
    assert len(found) == 1, f"{turn}: {len(found)} user messages on that line"
    return found[0]


def test_each_agent_of_the_issue_has_a_reader_and_recorded_sessions() -> None:
    """A reader is found because it is there; none goes without sessions that its real client wrote."""
    assert agents_with("acme-api") == list(READERS)


@pytest.mark.parametrize("part", ALL_PARTS)
def test_every_prompt_is_found_where_it_stands_with_key_branch_and_origin(part: str, tmp_path: Path) -> None:
    """Each prompt of the recording is one message: its own id as key, its line, live or gone back from, and who wrote it."""
    names, found = materialise(part, tmp_path), sessions(part, tmp_path)
    for turn in turns(part):
        session = session_of(turn, names, found)
        message = message_of(turn, session)
        assert message.at[:10] == turn.time[:10]
        expected = (turn.key or message.key, turn.line, turn.live, turn.origin, turn.native)
        assert (message.key, message.line, message.key in session.live, message.origin, session.id) == expected


@pytest.mark.parametrize("part", ALL_PARTS)
def test_nothing_else_counts_as_a_prompt(part: str, tmp_path: Path) -> None:
    """Summaries of a compaction, contexts, reminders, command wrappers and sub-agents' prompts are nobody's words."""
    names, found = materialise(part, tmp_path), sessions(part, tmp_path)
    prompts = {
        message.key
        for session in found.values()
        for message in session.messages
        if message.origin in ("user", "machine")
    }
    recorded = {message_of(turn, session_of(turn, names, found)).key for turn in turns(part)}
    assert prompts == recorded


@pytest.mark.parametrize("agent", agents_with("acme-api-fork"))
def test_a_fork_shares_the_keys_of_what_it_took_over(agent: str, tmp_path: Path) -> None:
    """A fork neither repeats its history under new keys nor loses it; its own turns hang on the last inherited message."""
    part = f"{agent}/acme-api-fork"
    materialise(part, tmp_path)
    reader = READERS[agent]
    readings = [reader.read(source, None) for source in reader.find(str(tmp_path), {})]
    parent, fork = (reading.session for reading in readings)
    told = {turn.key for turn in turns(part) if turn.session in ("s09", "s10")}
    own = {turn.key for turn in turns(part) if turn.session == "s14"}
    keys = {message.key for message in fork.messages}
    inherited = keys | {key for key, live in readings[1].branches.items() if live}
    assert fork.id != parent.id
    assert told <= {message.key for message in parent.messages}
    assert told | own <= inherited
    first = min((message for message in fork.messages if message.key in own), key=lambda message: message.line)
    assert first.parent in {message.key for message in parent.messages}


@pytest.mark.parametrize("agent", agents_with("acme-api"))
def test_the_same_story_reads_the_same_in_every_agent(agent: str, tmp_path: Path) -> None:
    """What a client did to the text of a prompt (blanks before `@`) is undone, so that copies can be recognised."""
    texts = {}
    for name in ("claude-code", agent):
        home = tmp_path / name
        names, found = materialise(f"{name}/acme-api", home), sessions(f"{name}/acme-api", home)
        said = {
            (turn.session, turn.kind, turn.index): message_of(turn, session_of(turn, names, found)).text
            for turn in turns(f"{name}/acme-api")
        }
        texts[name] = {place: text.replace(str(home), "") for place, text in said.items()}
    unrecorded = manifest(f"{agent}/acme-api").get("not_recorded", ())
    masked = {(turn.session, turn.kind, turn.index) for turn in turns(f"{agent}/acme-api") if turn.altered}
    masked |= {place for place in texts["claude-code"] if f"{place[0]} {place[1]}" in unrecorded}
    as_said = texts["claude-code"].items()
    assert {place: text for place, text in texts[agent].items() if place not in masked} == {
        place: text for place, text in as_said if place not in masked
    }


@pytest.mark.parametrize("part", ALL_PARTS)
def test_reading_changes_nothing(part: str, tmp_path: Path) -> None:
    """Agents delete transcripts by their times: reading leaves bytes, times and modes alone, even if it may not write."""
    names = materialise(part, tmp_path).values()
    for name in names:
        os.chmod(tmp_path / name, 0o400)
    before, files = {name: _fingerprint(tmp_path / name) for name in names}, sorted(tmp_path.rglob("*"))
    sessions(part, tmp_path)
    assert {name: _fingerprint(tmp_path / name) for name in names} == before
    assert sorted(tmp_path.rglob("*")) == files


def _fingerprint(path: Path) -> tuple[bytes, int, int]:
    info = path.stat()
    return path.read_bytes(), info.st_mtime_ns, stat.S_IMODE(info.st_mode)


@pytest.mark.parametrize("part", ALL_PARTS)
def test_parents_are_earlier_messages_and_files_are_where_the_session_ran(part: str, tmp_path: Path) -> None:
    """The messages of a file are a DAG over message keys; each knows its directory and the offset of its record."""
    materialise(part, tmp_path)
    for name, session in sessions(part, tmp_path).items():
        data = b"" if "#" in name else (tmp_path / name).read_bytes()
        seen: set[str] = set()
        for message in session.messages:
            assert message.parent is None or message.parent in seen or "acme-api-fork" in part or "_" in name
            assert message.cwd.startswith(str(tmp_path / "acme-api"))
            if data:
                assert data[message.offset : message.offset + 1] == b"{"
                assert data.count(b"\n", 0, message.offset) == message.line - 1
            seen.add(message.key)
        assert session.live <= seen
        assert session.fresh == seen


def test_a_sub_agents_file_is_flagged_and_holds_no_prompt(tmp_path: Path) -> None:
    """What an agent tells its sub-agent is no person's word; the main file knows nothing of it either."""
    materialise("claude-code/acme-api-subagent", tmp_path)
    reader = READERS["claude-code"]
    flagged = {source.sub_agent: reader.read(source, None).session for source in reader.find(str(tmp_path), {})}
    assert flagged[True].sub_agent
    assert not flagged[False].sub_agent
    assert [m.origin for m in flagged[True].messages if m.role == "user"] == ["harness"]
    assert flagged[True].live == {message.key for message in flagged[True].messages}


def test_pasted_text_stands_apart_from_what_was_typed(tmp_path: Path) -> None:
    """Claude Code's terminal marks pasted content: it is kept, and it is not the text of the message."""
    names = materialise("claude-code/acme-api-terminal", tmp_path)
    found = sessions("claude-code/acme-api-terminal", tmp_path)
    pasted = next(turn for turn in turns("claude-code/acme-api-terminal") if turn.index == 4)
    message = message_of(pasted, found[names[pasted.file]])
    assert message.text == ""
    assert message.pasted[0].startswith("look what a blog says:\n> Pro tip")
    assert message.pasted[0].endswith("they update it tomorrow")


@pytest.mark.parametrize("agent", agents_with("acme-api-compaction"))
def test_after_a_compaction_a_boundary_is_marked_and_its_summary_is_not_said_by_anyone(
    agent: str, tmp_path: Path
) -> None:
    """The scripted summary repeats the story's facts: none of it may be a user's or an assistant's message."""
    part = f"{agent}/acme-api-compaction"
    materialise(part, tmp_path)
    (session,) = sessions(part, tmp_path).values()
    assert sum(message.compacted for message in session.messages) == 1
    before = [m.line for m in session.messages if m.origin in ("user", "machine")][2]
    boundary = next(message for message in session.messages if message.compacted)
    assert boundary.line > before
    for message in session.messages:
        if "Primary request and intent" in message.text:
            assert message.origin == "harness"


@pytest.mark.parametrize("agent", agents_with("acme-api"))
def test_files_and_commands_of_tool_calls_are_known(agent: str, tmp_path: Path) -> None:
    """Whatever the tool is called: the shell command that ran and the file that was edited are on an assistant's message."""
    materialise(f"{agent}/acme-api", tmp_path)
    messages = [m for session in sessions(f"{agent}/acme-api", tmp_path).values() for m in session.messages]
    commands = {command for message in messages for command in message.commands}
    files = {os.path.basename(path) for message in messages for path in message.files}
    assert "python3 scripts/check.py --fast" in commands
    assert {"invoices.py", "money.ts", "dunning.py"} <= files
    assert all(message.role == "assistant" for message in messages if message.files or message.commands)


@pytest.mark.parametrize("tag", TAGS)
def test_our_own_blocks_never_come_back(tag: str) -> None:
    """Every element name that we put into a context is one that readers drop, closed or cut off."""
    assert strip_injected(f'a <{tag} scope="user">always use tabs</{tag}> b') == "a  b"
    assert strip_injected(f"a <{tag}>always use tabs") == "a "
