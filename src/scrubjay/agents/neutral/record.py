"""The lines of `scrubjay.session/1`, checked as docs/session-1.schema.json has them, with errors that a person can act on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from scrubjay import clock
from scrubjay.agents.jsonl import Record, clean
from scrubjay.errors import BadInput

SCHEMA = "scrubjay.session/1"
HINT = "docs/session-1.schema.json says what a line may hold"

Check = Callable[[object], str]
"""What is wrong with a value; "" nothing."""

_AT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})", re.ASCII)
_AGENT = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}", re.ASCII)
_MAX_LIST = 200


def _text(least: int = 0, most: int = 1 << 62) -> Check:
    def check(value: object) -> str:
        if not isinstance(value, str):
            return "must be a string"
        if len(value) < least:
            return "must not be empty"
        return "" if len(value) <= most else f"is longer than {most} characters"

    return check


def _or_null(other: Check) -> Check:
    return lambda value: "" if value is None else other(value).replace("a string", "a string or null")


def _directory(value: object) -> str:
    return _text(1, 4096)(value) or ("" if str(value).startswith("/") else "must be an absolute path")


def _time(value: object) -> str:
    if not isinstance(value, str) or not _AT.fullmatch(value) or clock.parse(value) is None:
        return "must be a time with its offset, like 2026-09-03T10:12:44Z"
    return ""


def _agent(value: object) -> str:
    good = isinstance(value, str) and _AGENT.fullmatch(value)
    return "" if good else "must be a name of small letters, digits, `.`, `_`, `-`, at most 40"


def _flag(value: object) -> str:
    return "" if isinstance(value, bool) else "must be true or false"


def _anything(value: object) -> str:
    return "" if isinstance(value, dict) else "must be an object"


def _one_of(*allowed: str) -> Check:
    return lambda value: "" if value in allowed and isinstance(value, str) else f"must be one of {', '.join(allowed)}"


def _list_of(item: Check) -> Check:
    def check(value: object) -> str:
        if not isinstance(value, list):
            return "must be a list of strings"
        if len(value) > _MAX_LIST:
            return f"has more than {_MAX_LIST} entries"
        return next((f"has an entry that {wrong}" for one in value if (wrong := item(one))), "")

    return check


_ID = _text(1, 200)
FIELDS: dict[str, dict[str, Check]] = {
    "session": {
        "schema": _one_of(SCHEMA),
        "agent": _agent,
        "session": _ID,
        "cwd": _directory,
        "remote": _text(0, 2000),
        "git_branch": _text(0, 500),
        "title": _text(0, 1000),
        "forked_from": _ID,
        "headless": _flag,
        "sub_agent": _flag,
        "meta": _anything,
    },
    "message": {
        "role": _one_of("user", "assistant", "tool"),
        "at": _time,
        "text": _text(),
        "id": _ID,
        "parent": _or_null(_ID),
        "origin": _one_of("user", "machine", "external", "harness", "assistant", "tool"),
        "pasted": _list_of(_text()),
        "cwd": _directory,
        "files": _list_of(_text(1, 4096)),
        "commands": _list_of(_text()),
        "compacted": _flag,
        "meta": _anything,
    },
    "leaf": {"target": _or_null(_ID), "meta": _anything},
}
REQUIRED = {
    "session": ("schema", "agent", "session", "cwd"),
    "message": ("role", "at", "text"),
    "leaf": ("target",),
}


def problem(record: object) -> str:
    """What is wrong with a line's value; "" nothing. Names fields, never the words in them."""
    if not isinstance(record, dict):
        return "not a JSON object"
    kind = record.get("type")
    fields = FIELDS.get(kind) if isinstance(kind, str) else None
    if fields is None or not isinstance(kind, str):
        return f"`type` must be one of {', '.join(FIELDS)}"
    for name in REQUIRED[kind]:
        if name not in record:
            return f"a {kind} without `{name}`"
    for name, value in record.items():
        if name != "type" and name not in fields:
            return f"a {kind} has no field `{clean(str(name))[:40]}`; what is your own goes into `meta`"
        if name != "type" and (wrong := fields[name](value)):
            return f"`{name}` {wrong}"
    return ""


def read(line: bytes, at: str) -> Record:
    """The record on a line. Raises `BadInput` with `at` when it is none."""
    try:
        record: object = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadInput(f"not UTF-8, at byte {error.start} of the line", at=at, hint=HINT) from error
    except (ValueError, RecursionError) as error:
        where = f", at character {error.pos + 1} of the line" if isinstance(error, json.JSONDecodeError) else ""
        raise BadInput(f"not JSON{where}", at=at, hint=HINT) from error
    wrong = problem(record)
    if wrong or not isinstance(record, dict):
        raise BadInput(wrong, at=at, hint=_hint(record))
    return record


def _hint(record: object) -> str:
    given = record.get("schema") if isinstance(record, dict) else None
    newer = isinstance(given, str) and given.startswith("scrubjay.session/") and given != SCHEMA
    return f"this release reads {SCHEMA}; upgrade scrubjay" if newer else HINT
