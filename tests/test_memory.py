"""The file format: what is written is read back, and whatever a file holds is kept."""

from __future__ import annotations

import time
import unicodedata
from dataclasses import fields as fields_of
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrubjay.errors import Refused
from scrubjay.memory import (
    MAX_BODY_CHARS,
    MAX_DESCRIPTION_CHARS,
    MAX_NAME_CHARS,
    Memory,
    file_name,
    normal,
    parse,
    render,
)
from scrubjay.memory.names import MAX_SLUG_BYTES, fold
from scrubjay.operations import TRUST_ORDER

VPN = Memory(
    id="m-7k2m9x4q1c",
    name="Deploys need the VPN job first",
    description='deploy.yml fails with "no route to bastion" unless the vpn job ran; read before touching CI deploys',
    type="project",
    body="The deploy workflow only reaches the bastion after the `vpn` job.\n\n**Why:** the runners moved out in August.\n"
    "**How to apply:** keep `needs: [vpn]` on every job that deploys.",
    created="2026-09-03T10:12:44Z",
    updated="2026-09-20T08:01:02Z",
    observed="2026-09-03",
    paths=(".github/workflows/",),
    agents=("codex",),
    aliases=("bastion timeout", "CI cannot reach prod"),
    anchors=((("file", ".github/workflows/deploy.yml"), ("hash", "sha256:3fa9"), ("commit", "9b1c2d3")),),
    evidence=("e-4b1f",),
    by="learned",
    pinned=True,
    supersedes=("m-0000000000",),
)

VPN_FILE = """\
---
name: Deploys need the VPN job first
description: "deploy.yml fails with \\"no route to bastion\\" unless the vpn job ran; read before touching CI deploys"
type: project
metadata:
  id: m-7k2m9x4q1c
  created: 2026-09-03T10:12:44Z
  updated: 2026-09-20T08:01:02Z
  observed: 2026-09-03
  paths: [.github/workflows/]
  agents: [codex]
  aliases: [bastion timeout, CI cannot reach prod]
  anchors:
    - {file: .github/workflows/deploy.yml, hash: "sha256:3fa9", commit: "9b1c2d3"}
  evidence: [e-4b1f]
  by: learned
  trust: user
  pinned: true
  supersedes: [m-0000000000]
---

The deploy workflow only reaches the bastion after the `vpn` job.

**Why:** the runners moved out in August.
**How to apply:** keep `needs: [vpn]` on every job that deploys.
"""


def front(data: bytes, loader: type[yaml.BaseLoader | yaml.SafeLoader] = yaml.SafeLoader) -> dict[str, object]:
    """The front matter as an independent YAML parser sees it."""
    text = data.decode().replace("\r\n", "\n")
    loaded = yaml.load(text.split("\n---\n", 1)[0].removeprefix("---\n"), Loader=loader)
    assert isinstance(loaded, dict)
    return loaded


def read(text: str | bytes, name: str = "note.md") -> Memory:
    return parse(text.encode() if isinstance(text, str) else text, name=name).memory


def test_the_format_is_the_documented_one() -> None:
    """One memory with every field gives exactly these bytes, and reads back equal, without a problem."""
    assert render(VPN).decode() == VPN_FILE
    parsed = parse(VPN_FILE.encode(), name="project_x.md")
    assert (parsed.memory, parsed.problems, parsed.broken) == (VPN, (), False)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
awkward = st.sampled_from([
    'a: b', 'a #b', '- x', 'yes', 'null', '12', '0x1f', '1e3', "'q'", '"q"', '[x]', '{x}', '*a', '&a', '!t', '%d',
    '@x', '`x`', 'a\tb', 'x:', ': x', '#x', '| x', '> x', '2026-01-01', 'a\u2028b', 'a\x85b', '断路器自动恢复', '~', 'a,b',
    '?', '? x', '...', '---', 'key: [a, {b: c}]', '\ufeffx', 'é', 'e\u0301', '😀 x', 'C:\\dir', 'a\\', '"', "'", '=',
    '<<', '.5', '12:30:45', 'x: ', '..',
])  # fmt: skip
fields = st.one_of(texts, awkward)
names = fields.map(lambda text: text or "x").filter(lambda text: normal(replace(VPN, name=text)).name != "")
lists = st.lists(fields, max_size=4).map(tuple)
pairs = st.lists(
    st.tuples(st.sampled_from(["file", "symbol", "hash", "commit"]), fields), max_size=3, unique_by=lambda p: p[0]
)
memories = st.builds(
    Memory,
    id=st.sampled_from(["", "m-7k2m9x4q1c"]),
    name=names,
    description=fields,
    type=st.sampled_from(["user", "feedback", "project", "reference"]),
    body=st.one_of(texts, st.lists(fields, max_size=6).map("\n".join), st.just("```\n---\n## not a heading\n```\n---\nx")),
    status=st.sampled_from(["active", "pending", "dormant", "superseded", "archived"]),
    created=st.sampled_from(["", "2026-09-03T10:12:44Z"]),
    observed=st.sampled_from(["undated", "2026-09-03"]),
    paths=lists, agents=lists, aliases=lists, evidence=lists, supersedes=lists,
    anchors=st.lists(pairs.map(tuple), max_size=2).map(tuple),
    by=st.sampled_from(["user", "agent", "learned", "imported:codex"]),
    trust=st.sampled_from(TRUST_ORDER),
    pinned=st.booleans(),
    superseded_by=st.sampled_from(["", "m-0000000001"]), merged_into=st.sampled_from(["", "m-0000000002"]),
    reason=fields, x_type=st.sampled_from(["", "decision"]), crlf=st.booleans(),
    extra=st.sampled_from(["", "tags: [a, b]   # theirs", "citekey: 'x'\n# a comment\nnote: |\n  two\n\n  lines"]),
    extra_metadata=st.sampled_from(["", "node_type: memory", "nested:\n  deep: [1]\n# kept"]),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(memories)
def test_what_is_written_is_read_back(memory: Memory) -> None:
    """`read(render(x)) == x` up to the normal form, in valid YAML with the three keys on one line each; twice is once."""
    data = render(memory, before=memory)
    parsed = parse(data, name="x.md")
    expected = normal(memory)
    if not expected.description:
        expected = replace(expected, description=parsed.memory.description)  # an empty one is made from the body
    assert parsed.memory == expected
    assert (parsed.problems, parsed.broken) == ((), False)
    top = front(data)
    assert [top["name"], top["description"] or ""] == [normal(memory).name, normal(memory).description]
    assert list(top)[:3] == ["name", "description", "type"]
    assert render(parsed.memory, before=parsed.memory) == render(expected, before=expected)


LINES = st.sampled_from([
    '---', '...', 'name: x', 'name: a: b #c', 'description: >', '  folded', '\tindented', 'metadata:', '  id: m-1',
    '  id: m-2', '    deep: 1', 'metadata: {id: m-1, type: user}', 'metadata: 3', 'type: decision', 'tags: [a',
    'tags: [a]', 'x: *y', 'x: &y 1', '- item', '? k', '# c', '', '  paths: [a, b] # c', '  paths: {a: b}',
    '  anchors: x', '  anchors:', '    - {file: a}', '  - z', '  status: hidden', '  trust: root',
    '  pinned: perhaps', 'Name: y', "'name': z", '%TAG', 'a\x00b', 'x\r', '\ufeffname: q', '<<: 1',
])  # fmt: skip


@settings(max_examples=250, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=300), st.lists(LINES, max_size=14).map(lambda lines: "\n".join(["---", *lines]).encode())
    )
)
@example(b"")
@example(b"---")
@example(b"\xff\xfe---\n")
@example(b"---\n---\n---\n")
def test_no_bytes_are_too_strange(data: bytes) -> None:
    """Arbitrary bytes never raise; what is read can be written as valid YAML, and a second round changes nothing."""
    parsed = parse(data, name="strange.md")
    memory = parsed.memory
    written = render(memory, before=memory)
    assert front(written, yaml.BaseLoader)["name"] == normal(memory).name
    again = parse(written, name="strange.md").memory
    assert again == normal(memory)
    assert render(again, before=again) == written


LENIENT: dict[str, tuple[str, dict[str, object]]] = {
    "byte-order mark": ("\ufeff---\nname: x\ndescription: d\n---\nbody", {"name": "x", "description": "d", "body": "body"}),
    "crlf": ("---\r\nname: x\r\n---\r\nbody\r\n", {"name": "x", "body": "body", "crlf": True}),
    "fence at end of file": ("---\nname: x\n---", {"name": "x", "body": ""}),
    "unquoted colon": ("---\nname: n\ndescription: Finding: use port 5433\n---\n", {"description": "Finding: use port 5433"}),
    "unquoted hash": ("---\nname: Update #2 of the runbook\n---\n", {"name": "Update #2 of the runbook"}),
    "no front matter": ("# Title\n\ntext", {"name": "Title", "description": "text", "body": "# Title\n\ntext"}),
    "type below metadata": ("---\nname: n\nmetadata:\n  type: feedback\n---\n", {"type": "feedback", "extra_metadata": ""}),
    "metadata on one line": ("---\nmetadata: {id: m-1, other: [1]}\n---\n", {"id": "m-1", "extra_metadata": "other:\n- '1'"}),
    "folded description": ("---\nname: n\ndescription: >-\n  two\n  lines\n---\n", {"description": "two lines"}),
    "tabs": ("---\nname: n\nmetadata:\n\tid: m-1\n\tpaths:\n\t\t- a\n---\n", {"id": "m-1", "paths": ("a",)}),
    "double keys": ("---\nname: a\nname: b\n---\n", {"name": "a", "extra": "# name: b"}),
    "comment behind a value": ("---\nname: n\ntype: user # me\n---\n", {"type": "user", "extra": "# me"}),
    "foreign type": ("---\nname: n\ntype: Preference\n---\n", {"type": "feedback", "x_type": "Preference"}),
    "unknown type": ("---\nname: n\ntype: decision\n---\n", {"type": "project", "x_type": "decision"}),
    "unknown status": ("---\nname: n\nmetadata:\n  status: hidden\n---\n", {"status": "pending"}),
    "broken yaml of others": ("---\nname: n\ntags: [a\n---\n", {"name": "n", "extra": "# tags: [a"}),
    "body with fences": ("---\nname: n\n---\n\n```\n---\n## x\n```\n---\ny", {"body": "```\n---\n## x\n```\n---\ny"}),
}  # fmt: skip


@pytest.mark.parametrize("case", LENIENT)
def test_lenient_reading(case: str) -> None:
    """Files as people and other products write them are understood, and none of these counts as broken."""
    text, expected = LENIENT[case]
    parsed = parse(text.encode(), name="note.md")
    assert {key: getattr(parsed.memory, key) for key in expected} == expected
    assert not parsed.broken


BROKEN = {
    "not utf-8": b"---\nname: x\n---\n\xff\xfe",
    "nul": b"---\nname: x\n---\na\x00b",
    "no end": b"---\nname: x\n\nbody",
    "huge": b"---\nname: x\n---\n" + b"a" * 300_000,
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files_are_read_as_far_as_possible_and_marked(case: str) -> None:
    """What a rewrite would lose bytes of is marked broken, and its name is still known."""
    parsed = parse(BROKEN[case], name="note.md")
    assert parsed.broken
    assert parsed.problems
    assert parsed.memory.name == "x"


def test_lines_of_others_survive_a_rewrite() -> None:
    """Unknown keys, their order, quoting, comments and nesting stand verbatim after a change of ours; line ends stay."""
    theirs = 'citekey: "doe2026"   # Zotero\ntags:\n  - a\n  - "b: c"\n# a remark'
    text = f"---\nname: n\ntype: user\n{theirs}\nmetadata:\n    node_type: memory\n    deep:\n        x: [1, 2]\n---\nbody\n"
    memory = read(text.replace("\n", "\r\n"))
    written = render(replace(memory, status="pending"))
    assert theirs.replace("\n", "\r\n").encode() in written
    assert b"  node_type: memory\r\n  deep:\r\n      x: [1, 2]\r\n" in written
    assert b"\n" not in written.replace(b"\r\n", b"")


@pytest.mark.parametrize(
    ("field", "limit"), [("name", MAX_NAME_CHARS), ("description", MAX_DESCRIPTION_CHARS), ("body", MAX_BODY_CHARS)]
)
def test_limits_refuse(field: str, limit: int) -> None:
    """At the limit it is written; one character more is refused with the rule; an unchanged long field is let through."""
    render(replace(VPN, **{field: "x" * limit}))  # type: ignore[arg-type]
    long = replace(VPN, **{field: "x" * (limit + 1)})  # type: ignore[arg-type]
    with pytest.raises(Refused) as refusal:
        render(long)
    assert refusal.value.rule == f"format/{field}"
    render(replace(long, status="archived"), before=long)


NAMES = ["Enable/Disable feature", "con", "a: b?", "x" * 300, "大语言模型概述", "断路器自动恢复", "trailing dot.", "😀", "",
         "../../etc/passwd", "日" * 100, "\u1e9b\u0323", "MEMORY", "ΑΒΓ", "नमस्ते"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_file_names_are_safe(name: str) -> None:
    """One path part, NFC, bounded in bytes, not hidden, no character that some file system refuses, type in front."""
    file = file_name(replace(VPN, name=name), ())
    assert file == unicodedata.normalize("NFC", file)
    assert len(file.encode()) <= MAX_SLUG_BYTES + len("reference_-9999.md")
    assert file.startswith("project_")
    assert file.endswith(".md")
    assert not set('/\\:*?"<>|\x00 ') & set(file)
    assert file[:-3].strip(".") == file[:-3]


def test_file_names_never_meet() -> None:
    """Collisions get a number, also those that differ only by case or by Unicode form."""
    first = file_name(replace(VPN, name="Café"), ())
    assert first == "project_café.md"
    assert file_name(replace(VPN, name="CAFÉ"), [first]) == "project_café-2.md"
    assert file_name(replace(VPN, name="cafe\u0301"), [first.upper(), "project_café-2.md"]) == "project_café-3.md"
    assert len({fold(file_name(replace(VPN, name=name), ())) for name in NAMES[4:6]}) == 2


HOSTILE = {
    "blanks": "---\na" + " " * 200_000 + "\n---\n",
    "quotes": '---\nname: "' + '\\"' * 100_000 + "\n---\n",
    "list": "---\nmetadata:\n  paths: [" + "a," * 100_000 + "\n---\n",
    "nested": "---\nx: " + "[" * 100_000 + "\n---\n",
    "many lines": "---\nname: x\n" + "  y\n" * 50_000 + "---\n",
    "heading": "# a" + " #" * 100_000 + "x\n",
    "aliases": "---\na: &a [x,x]\n" + "".join(f"b{n}: &b{n} [*a,*a,*a]\n" for n in range(2_000)) + "---\n",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_take_no_time(case: str) -> None:
    """A file in a cloned repository cannot keep us busy: reading and writing it back stay far below quadratic time."""
    started = time.process_time()
    memory = parse(HOSTILE[case].encode(), name="x.md").memory
    render(memory, before=memory)
    assert time.process_time() - started < 5  # the quadratic ways that this found took 50 s and more


def test_the_documented_example_is_a_file_as_we_write_it() -> None:
    """docs/file-format.md shows one file that reads without a problem and is written back byte for byte; its table has a
    row for each key."""
    page = (Path(__file__).parent.parent / "docs" / "file-format.md").read_text(encoding="utf-8")
    example = page.split("```markdown\n")[1].split("```\n")[0]
    parsed = parse(example.encode(), name="x.md")
    assert parsed.problems == ()
    assert render(parsed.memory).decode() == example
    keys = {field.name for field in fields_of(Memory)} - {"body", "crlf", "extra", "extra_metadata"}
    assert [key for key in keys if f"`{key}`" not in page and f"`metadata.{key}`" not in page] == []
