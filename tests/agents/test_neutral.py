"""`scrubjay.session/1`: the schema in docs and the reader are of one mind, and what a file says is what is read."""

from __future__ import annotations

import copy
import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from scrubjay.agents import readers
from scrubjay.agents.neutral import Neutral, neutral_source
from scrubjay.agents.neutral.record import FIELDS, REQUIRED, SCHEMA, problem
from scrubjay.agents.reading import MAX_TOOL_CHARS
from scrubjay.errors import BadInput
from scrubjay.session import Session
from tests.agents.recorded import materialise

DOCUMENT: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent.parent / "docs" / "session-1.schema.json").read_text(encoding="utf-8")
)
VALIDATOR = Draft202012Validator(DOCUMENT)
AT = "2026-09-03T10:12:44Z"

Record = dict[str, Any]


def head(**values: Any) -> Record:
    return {"type": "session", "schema": SCHEMA, "agent": "toy", "session": "s1", "cwd": "/w/r", **values}


def say(text: str, **values: Any) -> Record:
    return {"type": "message", "role": "user", "at": AT, "text": text, **values}


def read(*records: Record | bytes) -> Session:
    data = b"".join(one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in records)
    session = Neutral(io.BytesIO(data)).read(neutral_source("-"), None).session
    assert all(VALIDATOR.is_valid(one) for one in records if isinstance(one, dict))
    return session


def live(session: Session) -> list[tuple[str, bool]]:
    return [(message.text, message.key in session.live) for message in session.messages]


def test_the_schema_is_one_and_names_the_same_fields() -> None:
    """A field that is only in one of the two is a mistake in one of them."""
    Draft202012Validator.check_schema(DOCUMENT)
    for kind, fields in FIELDS.items():
        described = DOCUMENT["$defs"][kind]
        assert set(described["properties"]) == {"type", *fields}
        assert set(described["required"]) == {"type", *REQUIRED[kind]}
    assert DOCUMENT["$id"] == SCHEMA


FULL: list[Record] = [
    head(
        remote="git@host:a/b.git",
        git_branch="main",
        title="t",
        forked_from="s0",
        headless=False,
        sub_agent=True,
        meta={},
    ),
    say(
        "x",
        id="1",
        parent=None,
        origin="user",
        pasted=["p"],
        cwd="/w",
        files=["a"],
        commands=["b"],
        compacted=True,
        meta={},
    ),
    {"type": "leaf", "target": "1", "meta": {}},
]
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 5), st.text(max_size=5), st.just(""), st.just([]), st.just({}),
    st.just([""]), st.just([1]), st.just("/a"), st.just("a b"), st.just("user"), st.just("x" * 201), st.just("é" * 40),
    st.just("2026-09-03T10:12:44+02:00"), st.just("2026-09-03 10:12:44"), st.just("2026-09-03T10:12:44"), st.just(["x"] * 201),
)  # fmt: skip


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(FULL), st.sampled_from([*FIELDS["session"], *FIELDS["message"], "type", "target", "other"]), ODD,
       st.booleans())  # fmt: skip
def test_the_reader_takes_what_the_schema_takes(record: Record, field: str, value: object, gone: bool) -> None:
    """One field changed, taken out or put in: both say yes, or both say no."""
    changed = copy.deepcopy(record)
    if gone:
        changed.pop(field, None)
    else:
        changed[field] = value
    assert (problem(changed) == "") == VALIDATOR.is_valid(changed), problem(changed)


@pytest.mark.parametrize("value", [None, 1, "x", [], [{}], {}, {"type": []}, {"type": "turn"}])
def test_what_is_no_record_is_refused_by_both(value: object) -> None:
    """A list, a number, an unknown type."""
    assert problem(value)
    assert not VALIDATOR.is_valid(value)


def test_a_time_must_exist() -> None:
    """A pattern cannot tell that there is no 31st of February."""
    assert (
        problem(say("x", at="2026-02-31T10:12:44Z")) == "`at` must be a time with its offset, like 2026-09-03T10:12:44Z"
    )


def test_messages_follow_each_other_or_their_parents() -> None:
    """Without `parent` the line before; a leaf goes back; null begins anew. What was left is there and not live."""
    session = read(
        head(), say("one", id="1"), say("two", role="assistant", id="2"), say("three", id="3"), {"type": "leaf", "target": "2"},
        say("four", id="4"), say("five", id="5", parent="4"), say("six", id="6", parent="4"),
    )  # fmt: skip
    by_text = {message.text: message for message in session.messages}
    parents = {
        text: next((t for t, other in by_text.items() if other.key == message.parent), None)
        for text, message in by_text.items()
    }
    assert parents == {"one": None, "two": "one", "three": "two", "four": "two", "five": "four", "six": "four"}
    assert live(session) == [
        ("one", True), ("two", True), ("three", False), ("four", True), ("five", False), ("six", True),
    ]  # fmt: skip
    assert live(read(head(), say("one", id="1"), {"type": "leaf", "target": None})) == [("one", False)]
    assert read(head(), say("one"), say("two", parent=None)).messages[1].parent is None


def test_a_fork_shares_the_keys_of_its_copies_and_nothing_else_does() -> None:
    """By id, or without ids by the words and what came before them; the same words of another session are others."""
    for ids in ({"id": "1"}, {}):
        first = read(head(), say("use tabs", **ids), say("yes"), say("yes"))
        fork = read(head(session="s2", forked_from="s1"), say("use tabs", **ids), say("yes"), say("no"))
        keys = [message.key for message in first.messages]
        assert len(set(keys)) == 3
        assert [message.key for message in fork.messages][:2] == keys[:2]
        assert fork.messages[2].key not in keys
    other = read(head(session="s3"), say("use tabs"))
    assert other.messages[0].key != read(head(), say("use tabs")).messages[0].key
    assert read(head(agent="other"), say("x", id="1")).messages[0].key != read(head(), say("x", id="1")).messages[0].key


@pytest.mark.parametrize(
    ("session", "message", "origin"),
    [
        ({}, {}, "user"),
        ({"headless": True}, {}, "machine"),
        ({"headless": True}, {"origin": "user"}, "user"),
        ({}, {"origin": "external"}, "external"),
        ({}, {"origin": "harness"}, "harness"),
        ({"sub_agent": True}, {"origin": "user"}, "harness"),
        ({}, {"role": "assistant"}, "assistant"),
        ({}, {"role": "tool"}, "tool"),
        ({}, {"role": "tool", "origin": "external"}, "external"),
    ],
)
def test_who_wrote_it(session: Record, message: Record, origin: str) -> None:
    """The file says it; what it leaves out follows from the role and the session."""
    assert [one.origin for one in read(head(**session), say("x", **message)).messages] == [origin]


def test_everything_else_arrives() -> None:
    """Time in UTC, directories, files, commands, pasted content, the compaction; our own blocks do not."""
    session = read(
        head(remote="r", git_branch="b", title="t", forked_from="s0"),
        say("<scrubjay-recall>spaces</scrubjay-recall>use tabs", pasted=["p"], at="2026-09-03T12:12:44.5+02:00"),
        say("done", role="assistant", files=["a.py"], commands=["make"], cwd="/w/r/sub", compacted=True),
        say("x" * 5000, role="tool"),
    )
    assert (session.agent, session.id, session.cwd, session.remote, session.git_branch, session.title, session.forked_from) == (
        "toy", "s1", "/w/r", "r", "b", "t", "s0",
    )  # fmt: skip
    prompt, answer, result = session.messages
    assert (prompt.text, prompt.pasted, prompt.at, prompt.cwd, prompt.line) == ("use tabs", ("p",), AT, "/w/r", 2)
    assert (answer.files, answer.commands, answer.cwd, answer.compacted) == (("a.py",), ("make",), "/w/r/sub", True)
    assert len(result.text) == MAX_TOOL_CHARS


def test_what_is_small_is_forgiven() -> None:
    """A byte order mark, empty lines, no last line feed, a message twice, NULs and lone surrogates."""
    session = read(
        b"\xef\xbb\xbf" + json.dumps(head()).encode() + b"\n", b"\n  \r\n", say("one", id="1"), say("one", id="1"),
        say("two\0\ud800", id="2"), json.dumps(say("three")).encode(),
    )  # fmt: skip
    assert [message.text for message in session.messages] == ["one", "two\ufffd", "three"]
    assert dict(session.skipped) == {"repeated_records": 1}


BAD: list[tuple[str, list[Record | bytes], str, int]] = [
    ("nothing", [], "nothing in it: the first line must be the session", 0),
    ("blank", [b"\n\n"], "nothing in it: the first line must be the session", 0),
    ("no header", [say("x")], "the first line must be the session", 1),
    ("two headers", [head(), say("x"), head(session="s2")], "a second session in one file", 3),
    ("no JSON", [head(), b'{"type": message}\n'], "not JSON, at character 10 of the line", 2),
    ("half a line", [head(), b'{"type": "mess'], "not JSON, at character 10 of the line", 2),
    ("not UTF-8", [head(), b'{"type": "\xff"}\n'], "not UTF-8, at byte 10 of the line", 2),
    ("a list", [head(), b"[]\n"], "not a JSON object", 2),
    ("a typo", [head(), say("x", prent="1")], "a message has no field `prent`; what is your own goes into `meta`", 2),
    ("no time", [head(), {"type": "message", "role": "user", "text": "x"}], "a message without `at`", 2),
    ("no offset", [head(), say("x", at="2026-09-03T10:12:44")],
     "`at` must be a time with its offset, like 2026-09-03T10:12:44Z", 2),
    ("relative", [head(cwd="r")], "`cwd` must be an absolute path", 1),
    ("version", [head(schema="scrubjay.session/2")], "`schema` must be one of scrubjay.session/1", 1),
    ("unknown parent", [head(), say("x", parent="9")], "`parent` names a message that does not stand before it", 2),
    ("unknown leaf", [head(), {"type": "leaf", "target": "9"}], "`target` names a message that does not stand before it", 2),
    ("origin", [head(), say("x", role="assistant", origin="user")],
     "`origin` of role assistant must be one of assistant, harness", 2),
    ("nested", [head(), b"[" * 100_000 + b"\n"], "not JSON", 2),
    ("huge", [head(), b'{"meta": {' + b'"a": 1, ' * 1_200_000 + b'"b": 1}}\n'],
     "a line of more than 8 MB that cannot be shortened", 2),
]  # fmt: skip


@pytest.mark.parametrize(("name", "records", "what", "line"), BAD, ids=[row[0] for row in BAD])
def test_what_is_wrong_is_told_with_its_line(name: str, records: list[Record | bytes], what: str, line: int) -> None:
    """The first wrong line ends it. The error names the field and quotes nothing that was said."""
    data = b"".join(one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in records)
    with pytest.raises(BadInput) as refused:
        list(Neutral(io.BytesIO(data)).read_all(neutral_source("/w/s.jsonl"), None))
    assert (refused.value.what, refused.value.at) == (what, f"/w/s.jsonl:{line}" if line else "/w/s.jsonl")
    assert refused.value.hint


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.lists(st.sampled_from(FULL), max_size=4))
def test_arbitrary_bytes_give_messages_or_a_told_error(data: bytes, records: list[Record]) -> None:
    """Nothing else, whatever stands before them."""
    lines = b"".join(json.dumps(one).encode() + b"\n" for one in records)
    with suppress(BadInput):
        list(Neutral(io.BytesIO(lines + data)).read_all(neutral_source("-"), None))


def as_neutral(session: Session) -> bytes:
    """What a builder of a harness would write of a session."""
    lines: list[Record] = [head(agent=session.agent, session=session.id, cwd=session.cwd)]
    lines += [
        {"type": "message", "id": one.key, "parent": one.parent, "role": one.role, "origin": one.origin, "at": one.at,
         "text": one.text, "pasted": list(one.pasted), "cwd": one.cwd, "files": list(one.files), "commands": list(one.commands)}
        for one in session.messages
    ]  # fmt: skip
    last = next((one.key for one in reversed(session.messages) if one.key in session.live), None)
    return b"".join(json.dumps(line).encode() + b"\n" for line in [*lines, {"type": "leaf", "target": last}])


@pytest.mark.parametrize("agent", ["codex", "hermes", "qwen-code"])
def test_a_recorded_session_written_so_reads_the_same(agent: str, tmp_path: Path) -> None:
    """The format carries all that learning asks of a session: prompts, answers, branches, files."""
    materialise(f"{agent}/acme-api", tmp_path)
    reader = readers()[agent]
    for source in reader.find(str(tmp_path), {}):
        session = reader.read(source, None).session
        if all(
            one.parent is None or one.parent in {other.key for other in session.messages} for one in session.messages
        ):
            again = Neutral(io.BytesIO(as_neutral(session))).read(neutral_source("-"), None).session
            told = [(m.role, m.origin, m.at, m.text, m.files, m.commands, m.cwd) for m in session.messages]
            assert [(m.role, m.origin, m.at, m.text, m.files, m.commands, m.cwd) for m in again.messages] == told
            spoken = {number for number, m in enumerate(session.messages) if m.origin in ("user", "machine")}
            assert [m.key in again.live for n, m in enumerate(again.messages) if n in spoken] == [
                m.key in session.live for n, m in enumerate(session.messages) if n in spoken
            ]
