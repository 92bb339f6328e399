"""Memory → bytes: strict and stable."""

from __future__ import annotations

import re
from dataclasses import fields, replace

from scrubjay.errors import Refused
from scrubjay.memory import MAX_BODY_CHARS, MAX_DESCRIPTION_CHARS, MAX_NAME_CHARS, Memory
from scrubjay.memory.yaml_lines import flow_list, moment, scalar

_BREAKS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]+")
_SURROGATES = re.compile("[\ud800-\udfff]")

_LIMITS = (
    ("name", MAX_NAME_CHARS, "a name is a noun phrase"),
    ("description", MAX_DESCRIPTION_CHARS, "a description says when to open the memory"),
    ("body", MAX_BODY_CHARS, "one memory holds one fact"),
)

_LISTS = ("paths", "agents", "aliases")


def one_line(text: str) -> str:
    """Text that can stand on one line: control characters and line breaks become a blank."""
    return _SURROGATES.sub("\ufffd", " ".join(_BREAKS.sub(" ", text).split()))


def clean_body(text: str) -> str:
    """No blank lines around, nothing that UTF-8 cannot hold, no NUL."""
    lines = _SURROGATES.sub("\ufffd", text).replace("\x00", "\ufffd").rstrip().split("\n")
    first = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    return "\n".join(lines[first:]).removeprefix("\ufeff")


def normal(memory: Memory) -> Memory:
    """See `memory.normal`."""
    values: dict[str, object] = {}
    for field in fields(memory):
        value = getattr(memory, field.name)
        if field.name == "body":
            values["body"] = clean_body(value)
        elif field.name in ("extra", "extra_metadata"):
            values[field.name] = _SURROGATES.sub("\ufffd", value).strip("\n")
        elif field.name == "anchors":
            values["anchors"] = tuple(
                tuple((one_line(k), one_line(v)) for k, v in anchor) for anchor in value if anchor
            )
        elif isinstance(value, str):
            values[field.name] = one_line(value)
        elif isinstance(value, tuple):
            values[field.name] = tuple(text for text in map(one_line, value) if text)
    return replace(memory, **values)  # type: ignore[arg-type]


def write(memory: Memory, before: Memory | None) -> bytes:
    """See `memory.render`."""
    memory = normal(memory)
    _check(memory, normal(before) if before else None)
    front = [f"name: {scalar(memory.name)}", f"description: {scalar(memory.description)}", f"type: {memory.type}"]
    if memory.extra:
        front.append(memory.extra)
    metadata = _metadata(memory)
    if metadata:
        front += ["metadata:", *(f"  {line}" if line else "" for line in metadata)]
    text = "\n".join(["---", *front, "---", ""])
    if memory.body:
        text += f"\n{memory.body}\n"
    return (text.replace("\n", "\r\n") if memory.crlf else text).encode()


def _metadata(memory: Memory) -> list[str]:
    lines = [f"id: {scalar(memory.id)}"] if memory.id else []
    lines += [f"{key}: {moment(value)}" for key in ("created", "updated") if (value := getattr(memory, key))]
    lines.append(f"observed: {moment(memory.observed or 'undated')}")
    if memory.status != "active":
        lines.append(f"status: {memory.status}")
    if memory.reason:
        lines.append(f"reason: {scalar(memory.reason)}")
    lines += [f"{key}: {flow_list(value)}" for key in _LISTS if (value := getattr(memory, key))]
    if memory.anchors:
        lines.append("anchors:")
        for anchor in memory.anchors:
            pairs = (f"{scalar(key, in_list=True)}: {scalar(value, in_list=True)}" for key, value in anchor)
            lines.append("  - {" + ", ".join(pairs) + "}")
    if memory.evidence:
        lines.append(f"evidence: {flow_list(memory.evidence)}")
    lines += [f"by: {scalar(memory.by)}", f"trust: {memory.trust}"]
    if memory.pinned:
        lines.append("pinned: true")
    if memory.supersedes:
        lines.append(f"supersedes: {flow_list(memory.supersedes)}")
    keys = ("superseded_by", "merged_into", "x_type")
    lines += [f"{key}: {scalar(value)}" for key in keys if (value := getattr(memory, key))]
    return lines + (memory.extra_metadata.split("\n") if memory.extra_metadata else [])


def _check(memory: Memory, before: Memory | None) -> None:
    if not memory.name:
        raise Refused("a memory needs a name", rule="format/name", hint="say what it is about in a few words")
    for key, limit, reason in _LIMITS:
        value = getattr(memory, key)
        if len(value) > limit and (before is None or getattr(before, key) != value):
            raise Refused(
                f"the {key} has {len(value)} characters, at most {limit} are allowed ({reason}); nothing was written",
                at=memory.id,
                rule=f"format/{key}",
                hint="shorten it, or make two memories of it",
            )
