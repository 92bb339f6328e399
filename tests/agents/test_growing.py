"""Reading again reads what is new: the same messages as one read, wherever the file was cut, and no byte more than needed."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.agents import Cursor, engine, files, readers, reading
from scrubjay.agents.base import source_at
from scrubjay.errors import UnknownFormat
from tests.agents.growing import Growing, cuts, whole
from tests.agents.made import answer, claude, codex, codex_message, dump
from tests.agents.recorded import ALL_PARTS, manifest, materialise, turns

READERS = readers()
RECORDED = [
    (part, file["path"])
    for part in ALL_PARTS
    for file in manifest(part)["files"]
    if "/rollout-" in file["path"]
    or "-home-dev" in file["path"]
    or file["path"].endswith("/wire.jsonl")
    or any(turn.file == file["path"] for turn in turns(part) if "/chats/session-" in turn.file)
]
FILES = sorted((part, path) for part, path in RECORDED if path.endswith(".jsonl"))
AGENTS = sorted({part.partition("/")[0] for part, _ in FILES})
"""Those with a file a session."""
INTERESTING = [
    (part, path)
    for part, path in FILES
    if not part.endswith("/acme-api")
    or any(name in path for name in ("86ea9096", "01a0811a", "d9a1c4c7", "da017945", "93dd28ef", "09-30-eed0d535"))
]


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Each recorded file by its path as recorded."""
    found = {}
    for part in ALL_PARTS:
        home = tmp_path_factory.mktemp("home")
        found.update({f"{part}:{old}": home / new for old, new in materialise(part, home).items()})
    return found


def grow(part: str, path: str, original: Path, pieces: list[bytes], folder: Path) -> tuple[Growing, Growing]:
    """The file read after each piece, and read once."""
    reader, sub_agent = READERS[part.partition("/")[0]], "subagents" in path
    # Beside the original, so that a rollout finds the others of its thread; a name of its own sorts after it.
    copy = folder / original.name
    growing = Growing(reader, copy, sub_agent=sub_agent)
    for piece in pieces:
        growing.append(piece)
        try:
            growing.read()
        except UnknownFormat:
            growing.cursor = None
    return growing, whole(reader, copy, sub_agent=sub_agent)


@pytest.mark.parametrize(("part", "path"), INTERESTING)
def test_read_after_every_line(part: str, path: str, homes: dict[str, Path], tmp_path: Path) -> None:
    """A read after each line of a session gives, together, the messages, branches and parents of one read."""
    original = homes[f"{part}:{path}"]
    pieces = original.read_bytes().splitlines(keepends=True)
    growing, once = grow(part, path, original, pieces, tmp_path)
    assert growing.messages == once.messages
    assert growing.prompts() == once.prompts()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(FILES), st.lists(st.integers(0, 1 << 20), max_size=6))
def test_read_after_any_bytes(homes: dict[str, Path], chosen: tuple[str, str], places: list[int]) -> None:
    """Cut anywhere, inside a line or a character: nothing is lost, doubled or taken in by halves."""
    part, path = chosen
    original = homes[f"{part}:{path}"]
    with tempfile.TemporaryDirectory() as folder:
        growing, once = grow(part, path, original, cuts(original.read_bytes(), places), Path(folder))
        assert growing.messages == once.messages
        assert growing.prompts() == once.prompts()


@pytest.mark.parametrize("part", [f"{agent}/acme-api" for agent in AGENTS])
def test_only_new_bytes_and_the_tail_are_read_the_second_time(
    part: str, homes: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second read of a grown file reads its new bytes, the last two turns, and the few bytes that prove it is the same."""
    path = max(
        (path for other, path in FILES if other == part), key=lambda path: homes[f"{part}:{path}"].stat().st_size
    )
    data = homes[f"{part}:{path}"].read_bytes()
    lines = data.splitlines(keepends=True)
    growing = Growing(READERS[part.partition("/")[0]], tmp_path / os.path.basename(path))
    growing.append(b"".join(lines[:-2]))
    growing.read()
    cursor = growing.cursor
    assert cursor is not None
    growing.append(b"".join(lines[-2:]))
    counted = _count_bytes(monkeypatch)
    (reading,) = growing.read()
    assert not reading.reread
    proof = 2 * (4096 + 256)
    assert counted[0] <= len(data) - cursor.tail + proof
    assert len(data) - cursor.tail < len(data) / 2


def _count_bytes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    counted = [0]
    plain = files.PlainFile.read

    def read(self: files.PlainFile, size: int, /) -> bytes:
        data = plain(self, size)
        counted[0] += len(data)
        return data

    monkeypatch.setattr(files.PlainFile, "read", read)
    return counted


@pytest.mark.parametrize("agent", AGENTS)
def test_nothing_new_gives_nothing(
    agent: str, homes: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second read of an unchanged file reads a few bytes to prove it, hands on nothing and leaves the cursor where it was."""
    part = f"{agent}/acme-api"
    path = next(path for other, path in FILES if other == part)
    growing = Growing(READERS[agent], tmp_path / os.path.basename(path))
    growing.append(homes[f"{part}:{path}"].read_bytes())
    growing.read()
    cursor = growing.cursor
    counted = _count_bytes(monkeypatch)
    (reading,) = growing.read()
    assert (reading.session.messages, reading.session.fresh) == ((), frozenset())
    assert growing.cursor == cursor
    assert counted[0] <= 4096 + 256


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("change", ["truncated", "rewritten", "replaced"])
def test_a_file_that_is_no_longer_the_same_is_read_from_the_top(
    agent: str, change: str, homes: dict[str, Path], tmp_path: Path
) -> None:
    """Truncated, rewritten in place or replaced: everything in it is new again (marks keep it from being learnt twice)."""
    part = f"{agent}/acme-api"
    path = next(path for other, path in FILES if other == part)
    data = homes[f"{part}:{path}"].read_bytes()
    growing = Growing(READERS[agent], tmp_path / os.path.basename(path))
    growing.append(data)
    growing.read()
    lines = data.splitlines(keepends=True)
    if change == "truncated":
        growing.path.write_bytes(b"".join(lines[: len(lines) // 2]))
    elif change == "rewritten":
        growing.path.write_bytes(b"".join([lines[0].replace(b"{", b"{ ", 1), *lines[1:]]))
    else:
        os.replace(_copy(growing.path, data), growing.path)
    (reading,) = growing.read()
    once = whole(READERS[agent], growing.path)
    assert reading.reread
    assert {m.key: m for m in reading.session.messages} == once.messages
    assert reading.session.fresh == set(once.messages)


def _copy(path: Path, data: bytes) -> Path:
    other = path.with_suffix(".new")
    other.write_bytes(data)
    return other


def test_a_cursor_holds_no_text_of_a_message(homes: dict[str, Path]) -> None:
    """The ledger keeps cursors: ids, paths and numbers, none of what was said."""
    for part, path in FILES:
        once = whole(READERS[part.partition("/")[0]], homes[f"{part}:{path}"], sub_agent="subagents" in path)
        assert once.cursor is not None
        text = once.cursor.to_json()
        assert len(text) < 20_000
        for message in once.messages.values():
            assert len(message.text) < 12 or message.text not in text


@pytest.mark.parametrize(
    "text", ["", "{}", "null", '{"version": 1}', '{"version": 1, "offset": -1, "tail": 0}', "[1]", '{"version": 99}']
)
def test_a_damaged_cursor_means_read_again(text: str) -> None:
    """Unreadable bookkeeping costs a repeated read, never an omission."""
    assert Cursor.from_json(text) is None


def test_a_prompt_whose_author_is_not_known_yet_waits(homes: dict[str, Path], tmp_path: Path) -> None:
    """Qwen Code says only after the prompt whether a person typed it: until then the prompt is not handed on."""
    part = "qwen-code/acme-api-terminal"
    path = next(path for other, path in FILES if other == part)
    lines = homes[f"{part}:{path}"].read_bytes().splitlines(keepends=True)
    growing = Growing(READERS["qwen-code"], tmp_path / "chat.jsonl")
    growing.append(lines[0])
    growing.read()
    assert growing.messages == {}
    growing.append(b"".join(lines[1:3]))
    growing.read()
    assert [message.origin for message in growing.messages.values()] == ["user"]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(AGENTS), st.binary(max_size=400), st.lists(st.integers(0, 400), max_size=2))
def test_arbitrary_bytes_never_crash(agent: str, data: bytes, places: list[int]) -> None:
    """Any file gives messages or "unknown format", nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        growing = Growing(READERS[agent], Path(folder) / "rollout-x.jsonl")
        for piece in cuts(data, places):
            growing.append(piece)
            with contextlib.suppress(UnknownFormat):
                growing.read()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "type", "content", "id", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(FILES), st.data())
def test_a_record_of_any_shape_never_crashes(
    homes: dict[str, Path], chosen: tuple[str, str], data: st.DataObject
) -> None:
    """A real record with any of its values replaced by any JSON: a new version's shapes cost that record at most."""
    part, path = chosen
    lines = homes[f"{part}:{path}"].read_bytes().splitlines(keepends=True)
    place = data.draw(st.integers(0, len(lines) - 1))
    record = json.loads(lines[place])
    spot = record
    for _ in range(data.draw(st.integers(0, 3))):
        inner = [value for value in spot.values() if isinstance(value, dict) and value]
        spot = data.draw(st.sampled_from(inner)) if inner else spot
    spot[data.draw(st.sampled_from(sorted(spot)))] = data.draw(JSON)
    lines[place] = json.dumps(record).encode() + b"\n"
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / os.path.basename(path)
        copy.write_bytes(b"".join(lines))
        once = whole(READERS[part.partition("/")[0]], copy)
        assert source_at(part, str(copy)) is not None
        assert once.messages


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of a few messages, tails of a few kilobytes: what a file of gigabytes meets, on small ones."""
    monkeypatch.setattr(engine, "MARK_EVERY", 3000)
    monkeypatch.setattr(reading, "MARK_EVERY", 3000)
    monkeypatch.setattr(reading, "MAX_TURN_TAIL", 4000)
    monkeypatch.setattr(engine, "IN_PARTS", engine.Limits(chars=3000, messages=8))


@pytest.mark.parametrize(("part", "path"), INTERESTING)
def test_parts_give_the_messages_of_one_piece(
    part: str, path: str, homes: dict[str, Path], tmp_path: Path, tiny: None
) -> None:
    """A huge file is handed on in parts, with context and corrections: together they are what one piece would have been."""
    reader, original = READERS[part.partition("/")[0]], homes[f"{part}:{path}"]
    source = source_at(reader.name, str(original), sub_agent="subagents" in path)
    assert source is not None
    one = reader.read(source, None)
    parts = Growing(reader, original, sub_agent="subagents" in path)
    readings = parts.read()
    prompts = {m.key: m.key in one.session.live for m in one.session.messages if m.origin in ("user", "machine")}
    assert parts.messages == {message.key: message for message in one.session.messages}
    assert parts.prompts() == prompts
    fresh = [key for reading in readings for key in reading.session.fresh]
    assert sorted(fresh) == sorted(parts.messages)
    assert [reading.last for reading in readings] == [False] * (len(readings) - 1) + [True]
    assert len(readings) > 1 or len(fresh) < 8


@pytest.mark.parametrize(("part", "path"), INTERESTING)
def test_read_after_every_line_with_the_smallest_tail(
    part: str, path: str, homes: dict[str, Path], tmp_path: Path, tiny: None
) -> None:
    """Turns longer than the tail: the next read begins inside a turn, and still nothing is lost or doubled."""
    original = homes[f"{part}:{path}"]
    growing, once = grow(part, path, original, original.read_bytes().splitlines(keepends=True), tmp_path)
    assert growing.messages == once.messages
    assert growing.prompts() == once.prompts()


def test_a_turn_without_an_end_is_handed_on_in_parts(tmp_path: Path, tiny: None) -> None:
    """One prompt and hours of work: parts and the next read begin inside the turn, wherever its lines lie."""
    growing = Growing(READERS["claude-code"], tmp_path / "s.jsonl")
    work = [answer(f"a{step}", f"a{step - 1}" if step else "u0", f"step {step} " + "x" * 300) for step in range(80)]
    growing.append(dump([claude("u0", None, content="begin"), *work[:-1]]))
    readings = growing.read()
    assert len(readings) >= 5
    assert all(len(one.session.fresh) <= 25 for one in readings)
    cursor = readings[-1].cursor
    assert 0 < cursor.offset - cursor.tail <= 3 * reading.MARK_EVERY
    growing.append(dump(work[-1:]))
    (again,) = growing.read()
    assert again.session.fresh == {"a79"}
    assert not again.reread
    assert growing.messages == whole(READERS["claude-code"], growing.path).messages


def _turns(count: int) -> list[dict[str, Any]]:
    records = []
    for turn in range(count):
        records.append(claude(f"u{turn}", f"a{turn - 1}" if turn else None, content=f"prompt {turn}"))
        records.append(answer(f"a{turn}", f"u{turn}", f"answer {turn}"))
    return records


@pytest.mark.parametrize(("back_to", "reread"), [(9, False), (8, False), (7, False), (1, True)])
def test_a_rewind_after_the_last_read(back_to: int, reread: bool, tmp_path: Path) -> None:
    """Back by a turn or two: seen from the tail. Far back: the whole file is read, and says which turns are abandoned."""
    growing = Growing(READERS["claude-code"], tmp_path / "s.jsonl")
    growing.append(dump(_turns(10)))
    growing.read()
    growing.append(dump([claude("n1", f"a{back_to}", content="instead"), answer("n2", "n1", "ok")]))
    (reading,) = growing.read()
    assert reading.reread is reread
    assert reading.session.fresh == {"n1", "n2"}
    assert growing.prompts() == {**{f"u{turn}": turn <= back_to for turn in range(10)}, "n1": True}
    assert growing.prompts() == whole(READERS["claude-code"], growing.path).prompts()


@pytest.mark.parametrize(("turns", "reread"), [(1, False), (2, False), (5, True)])
def test_a_roll_back_after_the_last_read(turns: int, reread: bool, tmp_path: Path) -> None:
    """A legacy Codex thread drops turns that an earlier read handed on as live: the next read says so."""
    records = [codex("session_meta", {"id": "t", "cwd": "/w/r", "source": "cli"})]
    for turn in range(8):
        records += [codex_message("user", f"prompt {turn}"), codex_message("assistant", f"answer {turn}")]
    growing = Growing(READERS["codex"], tmp_path / "rollout-t.jsonl")
    growing.append(dump(records))
    growing.read()
    growing.append(
        dump([codex("event_msg", {"type": "thread_rolled_back", "num_turns": turns}), codex_message("user", "instead")])
    )
    (reading,) = growing.read()
    assert reading.reread is reread
    live = [growing.messages[key].text for key, flag in growing.prompts().items() if flag]
    assert live == [*(f"prompt {turn}" for turn in range(8 - turns)), "instead"]


def test_a_format_that_changes_under_a_running_session_is_said_to_be_unknown(tmp_path: Path) -> None:
    """After an upgrade only strange records arrive: refused, so that the cursor stays and nothing is passed over."""
    growing = Growing(READERS["claude-code"], tmp_path / "s.jsonl")
    growing.append(dump(_turns(3)))
    growing.read()
    growing.append(dump({"kind": "v9", "text": f"always {place}"} for place in range(30)))
    with pytest.raises(UnknownFormat):
        growing.read()


def test_a_cursor_that_stood_still_can_be_used_again(tmp_path: Path) -> None:
    """Empty file, half a line, a whole one: nothing is taken in before its time, nothing twice."""
    growing = Growing(READERS["claude-code"], tmp_path / "s.jsonl")
    line = dump([claude("u1", None)])
    fresh = []
    for piece in (b"", line[:40], b"", line[40:], b""):
        growing.append(piece)
        (reading,) = growing.read()
        fresh.append(len(reading.session.fresh))
    assert fresh == [0, 0, 0, 1, 0]
