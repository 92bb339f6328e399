"""Bytes → memory: lenient, never raises."""

from __future__ import annotations

import re
from typing import get_args

from scrubjay.memory import MAX_DESCRIPTION_CHARS, MAX_FILE_BYTES, MAX_NAME_CHARS, Memory, Parsed
from scrubjay.memory.writing import clean_body, one_line
from scrubjay.memory.yaml_lines import Entry, as_comment, dedent, entries, is_valid, line_text, loaded, word, words
from scrubjay.operations import TRUST_ORDER, MemoryType, Status, Trust

TYPES: tuple[MemoryType, ...] = get_args(MemoryType)
STATUSES: tuple[Status, ...] = get_args(Status)

FOREIGN_TYPES: dict[str, MemoryType] = {
    "preference": "feedback", "preferences": "feedback", "rule": "feedback", "instruction": "feedback",
    "correction": "feedback", "convention": "feedback", "style": "feedback", "workflow": "feedback",
    "profile": "user", "identity": "user", "person": "user", "persona": "user",
    "link": "reference", "pointer": "reference", "resource": "reference", "url": "reference", "doc": "reference",
}  # fmt: skip
"""Types that other products write (and people by hand) → ours; every other word is a `project` memory."""

_OPTIONAL = ("id", "created", "updated", "by", "superseded_by", "merged_into", "reason", "x_type")
_LISTS = ("paths", "agents", "aliases", "evidence", "supersedes")
_FENCE = re.compile(r"---[ \t]*$")
_END = re.compile(r"(?:---|\.\.\.)[ \t]*$")
_TIME = re.compile(r"\d{4}-\d\d-\d\d")
_HEADING = re.compile(r"#{1,6}[ \t]")
_SIMPLE_ENTRY = re.compile(r"[A-Za-z_][\w-]*: [A-Za-z][\w./-]*$")


MAX_LINE_CHARS = 1_000
"""So much of a body's line is looked at for a title or a description."""


class _Front:
    """What the front matter gave, while it is being read."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}
        self.problems: list[str] = []
        self.extra: list[str] = []
        self.extra_metadata: list[str] = []
        self.seen: set[str] = set()

    def keep(self, entry: Entry, where: list[str], *, why: str = "") -> None:
        """Someone else's lines: verbatim where they are YAML, else as a comment."""
        if why:
            self.problems.append(why)
        raw = entry.raw.rstrip("\n ")
        simple = bool(_SIMPLE_ENTRY.match(raw))
        where.append(raw if not why and (simple or is_valid(raw)) else as_comment(entry).rstrip("\n"))

    def comment(self, text: str, where: list[str]) -> None:
        if text:
            where.append(text)


def read(data: bytes, name: str) -> Parsed:
    """See `memory.parse`."""
    problems: list[str] = []
    if not data.strip():
        problems.append("the file is empty")
    if len(data) > MAX_FILE_BYTES:
        problems.append(f"larger than {MAX_FILE_BYTES} bytes, read only so far")
        data = data[:MAX_FILE_BYTES]
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    if not problems and "\ufffd" in text and "\ufffd".encode() * text.count("\ufffd") not in data:
        problems += _undecoded(data)
    if "\x00" in text:
        problems.append("holds NUL characters")
        text = text.replace("\x00", "\ufffd")
    lines = text.split("\n")
    crlf = lines[0].endswith("\r") and len(lines) > 1
    if crlf:
        lines = text.replace("\r\n", "\n").split("\n")
    front, body_lines, unclosed = _split(lines)
    if unclosed:
        problems.append("front matter without an end line (---)")
    found = _front(front)
    body = clean_body("\n".join(body_lines))
    memory = _memory(found, body, name, crlf=crlf)
    return Parsed(memory=memory, problems=(*problems, *found.problems), broken=bool(problems))


def _undecoded(data: bytes) -> list[str]:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return [f"not UTF-8 (byte {error.start})"]
    return []


def _split(lines: list[str]) -> tuple[list[str], list[str], bool]:
    """Front matter, body, and whether the front matter never ends (then it is taken to end at the first blank line)."""
    if not _FENCE.match(lines[0]):
        return [], lines, False
    for number, line in enumerate(lines[1:], 1):
        if _END.match(line):
            return lines[1:number], lines[number + 1 :], False
    end = next((number for number, line in enumerate(lines[1:], 1) if not line.strip()), len(lines))
    return lines[1:end], lines[end:], True


def _front(lines: list[str]) -> _Front:
    found = _Front()
    nested: list[Entry] = []
    for entry in entries(lines):
        key = entry.key.lower()
        if not key:
            raw = entry.lines[0]
            found.keep(entry, found.extra, why="" if raw.startswith("#") else "a line of the front matter is no entry")
        elif key in found.seen:
            found.keep(entry, found.extra, why=f"{entry.key} is given twice")
        elif key in ("name", "description"):
            found.values[key] = one_line(line_text(entry))
        elif key == "type":
            found.values["type"], comment = word(entry)
            found.comment(comment, found.extra)
        elif key == "metadata":
            nested = _nested(entry, found)
        else:
            found.keep(entry, found.extra)
        found.seen.add(key)
    found.seen = set()
    for entry in nested:
        _metadata(entry, found)
    found.extra = _together(found.extra, found.problems)
    found.extra_metadata = _together(found.extra_metadata, found.problems)
    return found


def _together(kept: list[str], problems: list[str]) -> list[str]:
    """Entries that are valid alone need not be so together (an alias without its anchor): then all become comments."""
    if len(kept) < 2 or is_valid("\n".join(kept)):
        return kept
    problems.append("lines of others in the front matter are not valid YAML")
    return [as_comment(Entry(key="", value="", lines=tuple(text.split("\n")))) for text in kept]


def _nested(entry: Entry, found: _Front) -> list[Entry]:
    if entry.value and not entry.value.startswith("#"):
        tree = loaded("\n".join(entry.lines))
        inner = tree.get(entry.key) if isinstance(tree, dict) else None
        if isinstance(inner, dict):
            import yaml

            text = yaml.safe_dump(inner, allow_unicode=True, sort_keys=False, width=10_000)
            return entries(text.split("\n"))
        if inner != "":
            found.keep(entry, found.extra, why="metadata is no mapping")
        return []
    found.comment(entry.value, found.extra_metadata)
    if any(line[:1] == "\t" for line in entry.lines[1:]):
        found.problems.append("indented with tabs")
    return entries(dedent(entry.lines[1:]))


def _metadata(entry: Entry, found: _Front) -> None:
    key, where = entry.key, found.extra_metadata
    if not key:
        raw = entry.lines[0]
        found.keep(entry, where, why="" if raw.startswith("#") else "a line below metadata is no entry")
        return
    if key in found.seen:
        found.keep(entry, where, why=f"{key} is given twice")
        return
    found.seen.add(key)
    comment = ""
    if key in _OPTIONAL or key in ("observed", "status", "trust", "pinned"):
        found.values[key], comment = word(entry)
    elif key in _LISTS:
        given = words(entry)
        if given is None:
            found.keep(entry, where, why=f"{key} is no list of texts")
        else:
            found.values[key], comment = tuple(one_line(text) for text in given[0] if one_line(text)), given[1]
    elif key == "anchors":
        anchors = _anchors(entry)
        if anchors is None:
            found.keep(entry, where, why="anchors is no list of mappings")
        else:
            found.values[key] = anchors
    elif key == "type" and "type" not in found.values:
        found.values["type"], comment = word(entry)
    else:
        found.keep(entry, where)
    found.comment(comment, where)


def _anchors(entry: Entry) -> tuple[tuple[tuple[str, str], ...], ...] | None:
    tree = loaded("\n".join(dedent(entry.lines)))
    items = tree.get("anchors") if isinstance(tree, dict) else None
    if items == "":
        return ()
    if not isinstance(items, list):
        return None
    anchors = []
    for item in items:
        if not isinstance(item, dict) or not all(isinstance(text, str) for pair in item.items() for text in pair):
            return None
        anchors.append(tuple((one_line(key), one_line(value)) for key, value in item.items()))
    return tuple(anchor for anchor in anchors if anchor)


def _memory(found: _Front, body: str, name: str, *, crlf: bool) -> Memory:
    values = found.values
    kind, foreign = _type(str(values.get("type", "")), name)
    status: Status = "active"
    if given := str(values.get("status", "")):
        status = next((known for known in STATUSES if known == given), "pending")
        if status != given:  # a newer version's word: what we do not understand is not injected
            found.problems.append(f"unknown status {given!r}, taken as pending")
    trust: Trust = "user"
    if claimed := str(values.get("trust", "")):
        trust = next((known for known in TRUST_ORDER if known == claimed), "external")
        if trust != claimed:
            found.problems.append(f"unknown trust {claimed!r}, taken as external")
    title = str(values.get("name", "")) or _title(body, name)
    text = str(values.get("description", "")) or _summary(body)
    optional = {key: one_line(str(values[key])) for key in _OPTIONAL if values.get(key)}
    lists = {key: values[key] for key in _LISTS if key in values}
    anchors = values.get("anchors", ())
    if foreign and "x_type" not in optional:
        optional["x_type"] = foreign
    return Memory(
        id=optional.pop("id", ""),
        name=title,
        description=text,
        type=kind,
        body=body,
        status=status,
        trust=trust,
        observed=one_line(str(values.get("observed", ""))) or "undated",
        pinned=str(values.get("pinned", "")).lower() in ("true", "yes", "on"),
        crlf=crlf,
        extra="\n".join(found.extra).strip("\n"),
        extra_metadata="\n".join(found.extra_metadata).strip("\n"),
        anchors=anchors,  # type: ignore[arg-type]
        **optional,  # type: ignore[arg-type]
        **lists,  # type: ignore[arg-type]
    )


def _type(given: str, name: str) -> tuple[MemoryType, str]:
    """Our type, and the file's own word when it is another one. Without any, the file's name may tell."""
    lower = given.strip().lower()
    for known in TYPES:
        if lower == known:
            return known, ""
    if not lower:
        return next((known for known in TYPES if name.lower().startswith((f"{known}_", f"{known}-"))), "project"), ""
    return FOREIGN_TYPES.get(lower, "project"), one_line(given)


def _title(body: str, name: str) -> str:
    for line in body.split("\n")[:20]:
        if _HEADING.match(line) and (title := one_line(line[:MAX_LINE_CHARS].strip("# \t"))):
            return title[:MAX_NAME_CHARS].strip()
    stem = re.sub(r"\.md$", "", name, flags=re.IGNORECASE)
    for known in TYPES:
        stem = stem.removeprefix(f"{known}_")
    return one_line(re.sub(r"[_-]+", " ", stem))[:MAX_NAME_CHARS].strip() or "untitled"


def _summary(body: str) -> str:
    """The first line that says something, cut to a description."""
    for line in body.split("\n")[:20]:
        text = one_line(line[:MAX_LINE_CHARS].lstrip("#>*- "))
        if text and not _HEADING.match(line) and not line.startswith("```"):
            return text if len(text) <= MAX_DESCRIPTION_CHARS else text[: MAX_DESCRIPTION_CHARS - 1].rstrip() + "…"
    return ""
