"""Gemini CLI: whose words a record holds, what later lines do to the list of messages, and chats of earlier releases."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay.agents.base import source_at
from scrubjay.errors import UnknownFormat
from scrubjay.session import Session
from tests.agents.growing import Growing, whole
from tests.agents.made import READERS, Record, dump, live_prompts, said

AGENT = "gemini-cli"
READER = READERS[AGENT]
CONTEXT = (
    "<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\n"
    "- **Workspace Directories:**\n  - /w/r\n"
)
HEADER: Record = {"sessionId": "s1", "projectHash": "x", "startTime": "2026-09-03T10:00:00.000Z", "kind": "main"}


def message(uid: str, text: object = "hello", kind: str = "user", at: str = "10:12:44.367", **values: Any) -> Record:
    content = [{"text": text}] if isinstance(text, str) and kind == "user" else text
    return {"id": uid, "timestamp": f"2026-09-03T{at}Z", "type": kind, "content": content, **values}


def answer(uid: str, text: str = "ok", **values: Any) -> Record:
    return message(uid, text, "gemini", **values)


def listed(*messages: Record) -> Record:
    return {"$set": {"messages": list(messages)}}


def place(home: Path, name: str = "session-2026-09-03T10-00-s1.jsonl", project: str = "r") -> Path:
    path = home / ".gemini" / "tmp" / project / "chats" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def read(home: Path, *records: Record | bytes, **values: Any) -> Session:
    path = place(home, **values)
    path.write_bytes(dump([HEADER, *records]))
    return READER.read(READER.find(str(home), {})[-1], None).session


@pytest.mark.parametrize(
    ("content", "origin", "text"),
    [
        ("use tabs", "machine", "use tabs"),
        ("<state_snapshot>\nuse tabs", "harness", "<state_snapshot>\nuse tabs"),
        ("I ran the following shell command:\n```sh\nls\n```", "harness", None),
        ("Here is the user's editor context as a JSON object.", "harness", None),
        ("System: Please continue.", "harness", None),
        ([{"text": "use tabs"}, {"text": "<hook_context>never tabs</hook_context>"}], "machine", "use tabs"),
        ("<hook_context>never tabs</hook_context>\n\nuse tabs", "machine", "use tabs"),
        ([{"text": "<hook_context>never tabs"}], "harness", None),
        ("use <scrubjay-recall>never tabs</scrubjay-recall>tabs", "machine", "use tabs"),
        (["use ", {"text": "tabs"}], "machine", "use \ntabs"),
        ("hi \ud800 there", "machine", "hi \ufffd there"),
    ],
)
def test_what_the_client_and_hooks_put_in_is_no_persons_word(
    content: object, origin: str, text: str | None, tmp_path: Path
) -> None:
    """Contexts, summaries, the editor's state, `!` commands and every hook's text, before the words or behind them."""
    ((found, words),) = said(read(tmp_path, message("u1", content)))
    assert found == origin
    assert text is None or words == text
    assert origin == "harness" or "never tabs" not in words


def test_the_context_is_no_message_and_tells_the_directory(tmp_path: Path) -> None:
    """Its id is the same in every session: as a message it would join them all."""
    session = read(tmp_path, listed(message("c", CONTEXT)), message("u1"), answer("a1"))
    assert [(m.key, m.parent, m.cwd) for m in session.messages] == [("u1", None, "/w/r"), ("a1", "u1", "/w/r")]


def test_a_resume_repeats_the_history_with_its_own_time_and_nothing_is_said_twice(tmp_path: Path) -> None:
    """A prompt was said when its first record says; results written again belong to the same call."""
    result = {"functionResponse": {"id": "t", "name": "read_file", "response": {"output": "x"}}}
    call = {"id": "t", "name": "read_file", "args": {"file_path": "/w/r/a.py"}}
    first = [message("u1", "use tabs"), answer("a1", ""), answer("a1", "", toolCalls=[call]), message("r1", [result])]
    later = [message("u1", "use tabs", at="11:00:00.000"), answer("a1", "", at="11:00:00.000")]
    again = [*later, message("a1_response", [result]), message("r1", [result])]
    session = read(
        tmp_path, *first, HEADER, listed(message("c", CONTEXT)), listed(*again), message("u2", at="11:00:01.0")
    )
    assert [(m.key, m.role, m.at[11:19]) for m in session.messages] == [
        ("u1", "user", "10:12:44"),
        ("a1", "assistant", "10:12:44"),
        ("r1", "tool", "10:12:44"),
        ("u2", "user", "11:00:01"),
    ]
    assert session.messages[1].files == ("/w/r/a.py",)
    assert not any(message.compacted for message in session.messages)


def test_a_later_record_of_an_answer_says_what_counts(tmp_path: Path) -> None:
    """The answer is written when it is there and again when its tools are done: one message with all of it."""
    calls = [
        {"id": "1", "name": "run_shell_command", "args": {"command": "make"}},
        {"id": "2", "name": "web_fetch", "args": {"path": "/not/a/file"}},
    ]
    parts = [{"text": "on it", "thought": True}, {"text": "running"}]
    response = {"functionResponse": {"id": "2", "name": "web_fetch", "response": {"output": "<b>"}}}
    session = read(
        tmp_path, message("u1"), answer("a1", ""), answer("a1", "run", toolCalls=calls[:1]),
        message("a1", parts, "gemini", toolCalls=calls), message("r", [response]),
    )  # fmt: skip
    told = session.messages[1]
    assert (told.text, told.commands, told.files) == ("running", ("make",), ())
    assert (session.messages[2].role, session.messages[2].origin) == ("tool", "external")


def test_a_rewind_to_an_unknown_id_takes_everything(tmp_path: Path) -> None:
    """As the client does it."""
    session = read(tmp_path, message("u1", "a"), answer("a1"), {"$rewindTo": "nobody"}, message("u2", "b"))
    assert live_prompts(session) == ["b"]
    assert len(session.messages) == 3


def test_a_rewind_far_back_is_seen_by_the_next_read(tmp_path: Path) -> None:
    """It names a message before the tail: the file is read again, and what was learnt long ago is left behind."""
    growing = Growing(READER, place(tmp_path))
    growing.append(dump([HEADER, *(m for n in range(6) for m in (message(f"u{n}", f"p{n}"), answer(f"a{n}")))]))
    growing.read()
    growing.append(dump([{"$rewindTo": "u1"}, listed(message("u0", "p0"), answer("a0")), message("v", "other way")]))
    growing.read()
    assert growing.rereads == 1
    assert growing.prompts() == {"u0": True, **{f"u{n}": False for n in range(1, 6)}, "v": True}
    assert growing.messages["v"].parent == "a0"


@pytest.mark.parametrize("turns", [1, 6])
def test_a_compression_leaves_what_was_said_and_its_summary_is_nobodys(turns: int, tmp_path: Path) -> None:
    """The new list holds a summary instead of its beginning: nothing was taken back; read at once or bit by bit, the same."""
    said_before = [m for n in range(turns) for m in (message(f"u{n}", f"p{n}"), answer(f"a{n}"))]
    summary, ack = message("s", "<state_snapshot>use spaces</state_snapshot>"), answer("k", "Got it.")
    kept = said_before[-1:]
    lines = [
        HEADER,
        *said_before,
        listed(message("c", CONTEXT), summary, ack, *kept),
        message("n", "go on"),
        answer("z"),
    ]
    lines += [
        listed(message("c", CONTEXT), summary, ack, *kept, message("n", "go on"), answer("z")),
        message("m", "more"),
    ]
    growing = Growing(READER, place(tmp_path))
    for record in lines:
        growing.append(dump([record]))
        growing.read()
    once = whole(READER, growing.path)
    assert growing.messages == once.messages
    assert growing.prompts() == once.prompts() == {**{f"u{n}": True for n in range(turns)}, "n": True, "m": True}
    assert [m.key for m in once.messages.values() if m.compacted] == ["s"]
    assert {once.messages[key].origin for key in ("s", "k")} == {"harness"}


def test_a_prompt_that_failed_was_said_all_the_same(tmp_path: Path) -> None:
    """The client takes it from the end of its list; that is no compression."""
    session = read(tmp_path, message("u1", "a"), answer("a1"), message("u2", "use tabs"),
                   listed(message("u1", "a"), answer("a1")), message("u3", "again"))  # fmt: skip
    assert live_prompts(session) == ["a", "use tabs", "again"]
    assert not any(message.compacted for message in session.messages)


def test_files_that_an_at_sign_pulled_in_stand_apart(tmp_path: Path) -> None:
    """What the person typed is the text, the files' contents are pasted."""
    parts = [
        {"text": t}
        for t in ("see  @a.md", "\n--- Content from referenced files ---", "rule", "\n--- End of content ---")
    ]
    session = read(tmp_path, message("u1", parts), message("u2", parts, displayContent=[{"text": "see @a.md"}]))
    assert [(m.text, m.pasted) for m in session.messages] == [("see  @a.md", ("rule",)), ("see @a.md", ("rule",))]


def test_what_was_typed_at_a_terminal_is_in_its_log(tmp_path: Path) -> None:
    """Only the terminal writes `logs.json`: a session that it does not know was run by a program."""
    path = place(tmp_path)
    (path.parent.parent / "logs.json").write_text(json.dumps([{"sessionId": "s1", "message": "hello"}], indent=2))
    assert said(read(tmp_path, message("u1"))) == [("user", "hello")]
    (path.parent.parent / "logs.json").write_text('[{"sessionId": "s2", "mess')
    session = read(tmp_path, message("u1"))
    assert said(session) == [("machine", "hello")]
    assert session.headless


def test_the_directory_is_the_one_that_the_folder_stands_for(tmp_path: Path) -> None:
    """A file in it says so; else its short name is listed; else it is the hash of a listed path."""
    hashed = hashlib.sha256(b"/w/three").hexdigest()
    (tmp_path / ".gemini").mkdir()
    listing = {"projects": {"/w/two": "two", "/w/three": "three"}}
    (tmp_path / ".gemini" / "projects.json").write_text(json.dumps(listing))
    for project in ("one", "two", hashed, "unknown"):
        place(tmp_path, project=project).write_bytes(dump([HEADER, message("u1")]))
    (tmp_path / ".gemini" / "tmp" / "one" / ".project_root").write_text("/w/one\n")
    found = [READER.read(source, None).session.cwd for source in READER.find(str(tmp_path), {})]
    assert sorted(found) == ["", "/w/one", "/w/three", "/w/two"]


def test_sub_agents_and_the_home_variable(tmp_path: Path) -> None:
    """A sub-agent's chat lies in a folder named after its session; what it is told is no person's word."""
    nested = tmp_path / "elsewhere" / ".gemini" / "tmp" / "r" / "chats" / "s1" / "agent.jsonl"
    nested.parent.mkdir(parents=True)
    nested.write_bytes(dump([{**HEADER, "kind": "subagent", "directories": ["/w/d"]}, message("u1", "use tabs")]))
    assert READER.find(str(tmp_path), {}) == []
    (source,) = READER.find(str(tmp_path), {"GEMINI_CLI_HOME": str(tmp_path / "elsewhere")})
    session = READER.read(source, None).session
    assert (source.sub_agent, session.sub_agent, session.cwd) == (True, True, "/w/d")
    assert said(session) == [("harness", "use tabs")]


def legacy(*messages: Record, **values: object) -> Record:
    return {**HEADER, "lastUpdated": "2026-09-03T10:30:00.000Z", **values, "messages": list(messages)}


TALK = (
    message("u1", 'use "{tabs}"\n    {\n'),
    {
        **answer("a1"),
        "toolCalls": [{"id": "t", "name": "read_file", "args": {"file_path": "/a"}, "result": [{"x": [{}]}]}],
    },
    message("u2", "no: spaces"),
)


@pytest.mark.parametrize("indent", [2, None])
def test_a_chat_of_an_earlier_release_reads_as_one_of_today(indent: int | None, tmp_path: Path) -> None:
    """One JSON object, indented or not, without a line feed at its end: the same messages as from lines."""
    today = read(tmp_path / "today", *TALK)
    path = place(tmp_path, "session-2026-09-03T10-00-s1.json")
    path.write_text(json.dumps(legacy(*TALK, summary="tabs"), indent=indent))
    (source,) = READER.find(str(tmp_path), {})
    session = READER.read(source, None).session
    assert (session.id, session.title, session.skipped) == ("s1", "tabs", {})
    assert [(m.key, m.parent, m.text, m.files) for m in session.messages] == [
        (m.key, m.parent, m.text, m.files) for m in today.messages
    ]


def test_a_chat_that_was_written_anew_is_read_anew(tmp_path: Path) -> None:
    """Until it changes there is nothing new; half written it gives what is whole; resumed it goes on in another file."""
    growing = Growing(READER, place(tmp_path, "session-2026-09-03T10-00-s1.json"))
    growing.append(json.dumps(legacy(*TALK[:2]), indent=2).encode())
    growing.read()
    assert growing.read()[0].session.messages == ()
    later = json.dumps({**legacy(*TALK), "lastUpdated": "later"}, indent=2).encode()
    growing.path.write_bytes(later[:-40])
    growing.read()
    growing.path.write_bytes(later)
    growing.read()
    assert list(growing.messages) == ["u1", "a1", "u2"]
    place(tmp_path).write_bytes(dump([HEADER, *TALK]))
    assert [os.path.basename(source.path) for source in READER.find(str(tmp_path), {})] == [
        "session-2026-09-03T10-00-s1.jsonl"
    ]


def test_an_overlong_message_of_an_earlier_release_is_cut(tmp_path: Path) -> None:
    """Its long strings are shortened while it streams in; the messages around it stay whole."""
    path = place(tmp_path, "session-2026-09-03T10-00-s1.json")
    huge = {**answer("a1"), "toolCalls": [{"id": "t", "result": "x" * 5_000_000, "more": "y" * 5_000_000}]}
    path.write_text(json.dumps(legacy(TALK[0], huge, TALK[2]), indent=2))
    session = READER.read(READER.find(str(tmp_path), {})[0], None).session
    assert [m.key for m in session.messages] == ["u1", "a1", "u2"]
    assert session.skipped == {"long_lines_cut": 1}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("session-a.jsonl", b'{"what": 1}\n{"ever": 2}\n'),
        ("session-a.jsonl", b"\x00\xff not json\n"),
        ("session-a.json", b'{\n  "what": 1\n}'),
        ("session-a.json", b'{"what": 1}'),
    ],
)
def test_a_file_of_which_nothing_is_understood_is_a_failure(name: str, data: bytes, tmp_path: Path) -> None:
    """Silence would look like a session without a prompt."""
    place(tmp_path, name).write_bytes(data)
    with pytest.raises(UnknownFormat):
        READER.read(READER.find(str(tmp_path), {})[0], None)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "type", "content", "text", "$set", "messages", "$rewindTo", "toolCalls", "name", "args"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
RECORDS = st.dictionaries(
    st.sampled_from(["id", "type", "content", "$set", "$rewindTo", "toolCalls", "sessionId", "timestamp", "messages"]),
    st.sampled_from(["u1", "u2", "user", "gemini"]) | JSON,
    max_size=5,
)


@settings(max_examples=120, deadline=None)
@given(st.lists(RECORDS, max_size=6), st.binary(max_size=40), st.sampled_from([".jsonl", ".json"]))
def test_records_of_any_shape_never_crash(records: list[Record], tail: bytes, ending: str) -> None:
    """Whatever a line holds, the messages around it are read, in one read or in several."""
    with tempfile.TemporaryDirectory() as folder:
        growing = Growing(READER, place(Path(folder), f"session-x{ending}"))
        made: list[Record] = [HEADER, message("u1"), *records, {"$set": {"messages": records}}, message("last")]
        if ending == ".json":
            growing.append(json.dumps(legacy(message("u1"), *records, message("last")), indent=2).encode() + tail)
            growing.read()
        for record in made if ending == ".jsonl" else ():
            growing.append(dump([record]))
            growing.read()
        growing.append(tail)
        growing.read()
        assert "last" in growing.messages
        assert source_at(AGENT, str(growing.path)) is not None
