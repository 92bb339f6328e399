"""Messages of an agent that you build, as the lines of a `scrubjay.session/1` stream."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, fields
from datetime import datetime
from typing import Literal

from scrubjay import clock
from scrubjay.agents.neutral import record as records
from scrubjay.errors import BadInput


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation: `Message("user", "always run make lint")`."""

    role: Literal["user", "assistant", "tool"]
    text: str
    """What was said. Blocks that scrubjay gave are recognised in it and never learnt back."""
    _: KW_ONLY
    at: str | datetime = ""
    """When: ISO 8601 with its offset, or a `datetime` (without a zone: UTC). "" is now."""
    cwd: str = ""
    """Absolute working directory; "" is the store's."""
    id: str = ""
    """Your id of it, one within the agent's sessions. "" is made from what was said before it and its text, so the same list
    given twice is the same messages."""
    parent: str | None = ""
    """Id of the message that it follows (a rewind, a branch); "" the one before it in the list, None: the first."""
    origin: Literal["", "user", "machine", "external", "harness", "assistant", "tool"] = ""
    """Who said it really, when the role does not tell: `machine` for a prompt that a program wrote (waits for review),
    `harness` for text that your program put in (never learnt), `external` for the words of a third party."""
    pasted: tuple[str, ...] = ()
    """What the person pasted, apart from their own words."""
    files: tuple[str, ...] = ()
    """Paths that its tool calls read or wrote."""
    commands: tuple[str, ...] = ()
    """Shell commands that its tool calls ran."""
    compacted: bool = False
    """The conversation before this message was summarised away."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversation:
    """What the messages belong to."""

    agent: str
    session: str
    cwd: str
    headless: bool = False
    forked_from: str = ""


_FIELDS = frozenset(field.name for field in fields(Message))


def stream(about: Conversation, messages: Iterable[Message | Mapping[str, object]]) -> bytes:
    """The stream. Raises `BadInput` with `at` such as `messages[3]`."""
    head: dict[str, object] = {
        "type": "session",
        "schema": records.SCHEMA,
        "agent": about.agent,
        "session": about.session,
        "cwd": about.cwd,
        "headless": about.headless,
    }
    if about.forked_from:
        head["forked_from"] = about.forked_from
    lines = [_checked(head, "the session")]
    if isinstance(messages, Mapping | Message | str | bytes):
        raise BadInput("messages must be a list of messages", at="messages")
    for number, one in enumerate(messages):
        lines.append(_checked(_record(one, f"messages[{number}]"), f"messages[{number}]"))
    return b"".join(lines)


def place_in_list(at: str) -> str:
    """`messages[3]` for the place that the reader of the stream names (`…:5`: the first line is the session)."""
    number = at.rpartition(":")[2]
    return f"messages[{int(number) - 2}]" if number.isdigit() and int(number) > 1 else at


def _record(one: Message | Mapping[str, object], at: str) -> dict[str, object]:
    if isinstance(one, Message):
        given: dict[str, object] = {name: getattr(one, name) for name in _FIELDS}
    elif isinstance(one, Mapping):
        given = dict(one)
    else:
        raise BadInput(f"a message is a Message or a mapping, not {type(one).__name__}", at=at)
    for name in given:
        if name not in _FIELDS:
            hint = "what was said is `text`" if name == "content" else "fields: " + ", ".join(sorted(_FIELDS))
            raise BadInput(f"a message has no field {str(name)[:40]!r}", at=at, hint=hint)
    record: dict[str, object] = {"type": "message", "at": _time(given.pop("at", ""), at)}
    for name, value in given.items():
        if value is None and name == "parent":
            record[name] = None
        elif value not in ("", (), False):
            record[name] = list(value) if isinstance(value, tuple) else value
    return {"text": "", **record}


def _time(value: object, at: str) -> str:
    if value == "":
        return clock.text(clock.now())
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=clock.now().tzinfo)).isoformat(timespec="seconds")
    if isinstance(value, str):
        return value
    raise BadInput("`at` must be a time: a datetime or ISO 8601 text with its offset", at=at)


def _checked(record: dict[str, object], at: str) -> bytes:
    wrong = records.problem(record)
    if wrong:
        raise BadInput(wrong, at=at)
    return json.dumps(record, ensure_ascii=True).encode() + b"\n"
