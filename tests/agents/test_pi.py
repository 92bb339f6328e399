"""pi: what no recording shows, and what recordings show of forks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scrubjay.agents import readers
from scrubjay.inject.fence import RECALL_TAG, fenced
from scrubjay.session import Session
from tests.agents.growing import Growing
from tests.agents.made import Record, dump, live_prompts, reading, said
from tests.agents.recorded import materialise

READER = readers()["pi"]


def head(version: int | None = 3, **values: object) -> Record:
    record = {"type": "session", "id": "s1", "timestamp": "2026-09-03T10:00:00.000Z", "cwd": "/w/r", **values}
    return record if version is None else {**record, "version": version}


def entry(uid: str, parent: str | None, role: str = "user", content: object = "hello", **values: object) -> Record:
    """A message; its time is made from its id, so that a copy has the same one."""
    second = sum(uid.encode()) % 60
    stamp = f"2026-09-03T10:12:{second:02}.{len(uid):03}Z"
    message: dict[str, Any] = {"role": role, "content": content, "timestamp": 1788430364000, **values}
    return {"type": "message", "id": uid, "parentId": parent, "timestamp": stamp, "message": message}


def other(uid: str, parent: str | None, kind: str, **values: object) -> Record:
    return {"type": kind, "id": uid, "parentId": parent, "timestamp": "2026-09-03T10:12:44.001Z", **values}


def plain(record: Record) -> Record:
    """As version 1 wrote it."""
    return {key: value for key, value in record.items() if key not in ("id", "parentId")}


def read(path: Path, *records: Record | bytes) -> Session:
    return reading("pi", path / "s.jsonl", records).session


def text(*blocks: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": block} for block in blocks]


def test_the_version_without_ids_keeps_its_keys_when_the_client_rewrites_it(tmp_path: Path) -> None:
    """On opening a file of version 1 the client gives every entry a random id: nothing becomes new by that."""
    tree = [entry("a1", None), entry("a2", "a1", "assistant", text("hi")), entry("a3", "a2", content="use tabs")]
    old = read(tmp_path / "old", head(None, branchedFrom="/x/2026_s0.jsonl"), *map(plain, tree))
    renamed = [entry("a1", None), entry("a2", "a1", "assistant", text("hi")), entry("a3", "a2", content="use tabs")]
    for number, record in enumerate(renamed):
        record |= {"id": f"{number:08x}", "parentId": f"{number - 1:08x}" if number else None}
    new = read(tmp_path / "new", head(2), *renamed)
    assert [m.key for m in old.messages] == [m.key for m in new.messages]
    assert [m.parent for m in old.messages] == [None, *(m.key for m in old.messages[:-1])]
    assert old.live == new.live == {m.key for m in old.messages}
    assert (old.forked_from, new.forked_from) == ("s0", "")


def test_the_same_words_at_another_time_are_another_message(tmp_path: Path) -> None:
    """Ids have eight digits and are drawn anew in each session: the time of an entry tells two apart."""
    first = read(tmp_path / "a", head(), entry("a1", None))
    second = read(tmp_path / "b", head(id="s2"), {**entry("a1", None), "timestamp": "2026-09-04T10:00:00.000Z"})
    assert first.messages[0].key != second.messages[0].key


def test_a_fork_shares_its_history_and_leaves_its_parent_live(tmp_path: Path) -> None:
    """Two files: the copied prefix has the same keys; what the parent said afterwards is still its own."""
    materialise("pi/acme-api-fork-fork", tmp_path)
    parent, fork = (READER.read(source, None).session for source in READER.find(str(tmp_path), {}))
    shared = {m.key for m in parent.messages} & {m.key for m in fork.messages}
    assert fork.forked_from == parent.id
    assert [m.text[:20] for m in fork.messages if m.key in shared and m.role == "user"] == ["partner says signatu"]
    own = [m for m in fork.messages if m.key not in shared]
    assert own[0].parent in shared
    assert parent.live == {m.key for m in parent.messages}


def test_the_last_entry_is_where_the_client_goes_on_whatever_it_is(tmp_path: Path) -> None:
    """Going back leaves no mark but the parent of what comes next; a label or a setting counts, too."""
    records = [head(), entry("a1", None), entry("a2", "a1", "assistant", text("one")), entry("a3", "a2", content="b")]
    assert live_prompts(read(tmp_path, *records)) == ["hello", "b"]
    records.append(other("a4", "a2", "label", targetId="a1", label="here"))
    assert live_prompts(read(tmp_path, *records)) == ["hello"]
    records.append(entry("a5", None, content="another root"))
    assert live_prompts(read(tmp_path, *records)) == ["another root"]


@pytest.mark.parametrize("role", ["custom", "hookMessage", "branchSummary", "compactionSummary", "system"])
def test_what_an_extension_or_the_client_put_in_is_nobodys_word(role: str, tmp_path: Path) -> None:
    """Our own extension's message among them, in every form that the client keeps it."""
    block = fenced(RECALL_TAG, "always use tabs")
    session = read(
        tmp_path,
        head(),
        entry("a1", None, role, block),
        other("a2", "a1", "custom_message", customType="scrubjay", content=block, display=False),
        other("a3", "a2", "branch_summary", fromId="a1", summary="always use tabs"),
        entry("a4", "a3", content=f"{block}\nuse spaces"),
    )
    assert said(session) == [("user", "use spaces")]
    assert all("tabs" not in message.text for message in session.messages)


def test_a_prompt_that_our_extension_marks_is_a_program_s(tmp_path: Path) -> None:
    """The one after the mark, also when it is read later than the mark."""
    mark = {"customType": "scrubjay", "data": {"headless": True}}
    records = [
        head(),
        entry("a1", None, content="typed"),
        other("a2", "a1", "custom", customType="other", data={"headless": True}),
        entry("a3", "a2", content="typed too"),
        other("a4", "a3", "custom", **mark),
        entry("a5", "a4", content="by a program"),
        entry("a6", "a5", content="typed again"),
        other("a7", "a6", "custom", **mark),
    ]
    session = read(tmp_path, *records)
    assert [message.origin for message in session.messages] == ["user", "user", "machine", "user"]
    assert not session.headless
    growing = Growing(READER, tmp_path / "grows.jsonl")
    growing.append(dump(records))
    growing.read()
    growing.append(dump([entry("a8", "a7", content="the second by a program")]))
    growing.read()
    assert [message.origin for message in growing.messages.values()][-1] == "machine"
    alone = read(tmp_path, head(), other("a1", None, "custom", **mark), entry("a2", "a1", content="by a program"))
    assert alone.headless


def test_a_skill_and_files_on_the_command_line_stand_apart_from_the_words(tmp_path: Path) -> None:
    """`/skill:name words` and `@file words`: the words are the person's, the rest is not."""
    skill = '<skill name="pdf" location="/s/SKILL.md">\nReferences are relative to /s.\n\nAlways extract.\n</skill>'
    pulled = '<file name="/w/notes.md">\nalways use tabs\n</file>\n'
    session = read(
        tmp_path,
        head(),
        entry("a1", None, content=text(f"{skill}\n\nextract report.pdf")),
        entry("a2", "a1", content=text(skill)),
        entry("a3", "a2", content=f"{pulled}{pulled}what is this"),
        entry("a4", "a3", "bashExecution", "", command="make test", output="ok"),
    )
    assert said(session) == [("user", "extract report.pdf"), ("harness", ""), ("user", "what is this"), ("harness", "")]
    assert session.messages[2].pasted == ("always use tabs", "always use tabs")
    assert session.messages[3].commands == ("make test",)


def test_a_compaction_is_a_boundary_and_its_summary_is_not_said(tmp_path: Path) -> None:
    session = read(
        tmp_path,
        head(),
        entry("a1", None),
        other("c1", "a1", "compaction", summary="always use tabs", firstKeptEntryId="c1", tokensBefore=5),
        entry("a2", "c1", content="go on"),
    )
    assert [(m.text, m.compacted) for m in session.messages] == [("hello", False), ("go on", True)]


def test_results_of_mcp_tools_come_from_outside(tmp_path: Path) -> None:
    call = [{"type": "toolCall", "id": "c1", "name": "mcp__scrubjay__recall", "arguments": {}}]
    session = read(
        tmp_path,
        head(),
        entry("a1", None),
        entry("a2", "a1", "assistant", call),
        entry("a3", "a2", "toolResult", text("use tabs"), toolCallId="c1", toolName="mcp__scrubjay__recall"),
    )
    assert [m.origin for m in session.messages] == ["user", "assistant", "external"]


def test_strange_and_broken_records_are_counted_and_stepped_over(tmp_path: Path) -> None:
    """An unknown entry stays in the chain; a broken line costs itself."""
    session = read(
        tmp_path,
        head(),
        entry("a1", None),
        other("x1", "a1", "hologram", data={}),
        entry("a2", "x1", content="b"),
        b'{"type":"message","id":"a3","par\n',
        b"\x00\x00\n",
        json.dumps(entry("a4", "a2", content="\ud800 c")).encode() + b"\n",
    )
    assert session.skipped == {"unknown_records:hologram": 1, "broken_lines": 1}
    assert live_prompts(session) == ["hello", "b", "\ufffd c"]


def test_a_branch_from_far_back_makes_the_file_be_read_again(tmp_path: Path) -> None:
    """The turns that it leaves behind were handed on as live by an earlier read."""
    records = [head()]
    for turn in range(6):
        records.append(entry(f"u{turn}", f"a{turn - 1}" if turn else None, content=f"prompt {turn}"))
        records.append(entry(f"a{turn}", f"u{turn}", "assistant", text(f"answer {turn}")))
    growing = Growing(READER, tmp_path / "s.jsonl")
    growing.append(dump(records))
    growing.read()
    growing.append(dump([entry("n1", "a0", content="instead")]))
    (found,) = growing.read()
    assert found.reread
    live = [growing.messages[key].text for key, flag in growing.prompts().items() if flag]
    assert live == ["prompt 0", "instead"]


def test_session_folders_elsewhere_are_found(tmp_path: Path) -> None:
    """By the variables for the agent's folder and for sessions, and by the setting."""
    for name in ("agent/sessions/--w--", "elsewhere", "by-setting"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "2026_a.jsonl").write_bytes(dump([head(), entry("a1", None)]))
    (tmp_path / "agent" / "settings.json").write_text('{"sessionDir": "~/by-setting"}', encoding="utf-8")
    environ = {
        "PI_CODING_AGENT_DIR": str(tmp_path / "agent"),
        "PI_CODING_AGENT_SESSION_DIR": str(tmp_path / "elsewhere"),
    }
    found = sorted(source.path for source in READER.find(str(tmp_path), environ))
    assert [path.split("/")[-2] for path in found] == ["--w--", "by-setting", "elsewhere"]
