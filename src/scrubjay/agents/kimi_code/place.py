"""What stands beside a wire file: the session's own state, the client's lists, and the kimi-cli session it was made from."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from scrubjay.agents import files, jsonl
from scrubjay.agents.base import Json, state_text
from scrubjay.agents.jsonl import Record, string, table
from scrubjay.agents.kimi_cli import prompts
from scrubjay.agents.kimi_cli.context import first_link
from scrubjay.agents.kimi_cli.parser import prompt_key, stamp

_MAX_ORIGINALS = 20_000


def agent_of(path: str) -> str:
    """`main`, or a sub-agent's id: the folder that holds the wire file."""
    return os.path.basename(os.path.dirname(path))


def session_folder(path: str) -> str:
    """The folder of the session, `…/sessions/wd_…/session_…`, for its `agents/main/wire.jsonl`."""
    return os.path.dirname(os.path.dirname(os.path.dirname(path)))


def about_of(path: str) -> dict[str, str]:
    """`id`, `cwd`, `title`, `forked_from`, and for an import `imported` and `source`; "" what is unknown."""
    folder = session_folder(path)
    state = files.small_json(os.path.join(folder, "state.json"))
    custom = table(state, "custom")
    session = string(state, "id") or os.path.basename(folder)
    cwd = string(state, "cwd") or string(state, "workDir") or string(custom, "cwd")
    imported = custom.get("imported_from_kimi_cli") is True
    return {
        "id": session,
        "cwd": cwd or _listed_folder(folder, session),
        "title": string(state, "title")[:200],
        "forked_from": string(state, "forkedFrom"),
        "imported": string(custom, "kimi_cli_session_id") if imported else "",
        "source": string(custom, "kimi_cli_source_path") if imported else "",
    }


def _listed_folder(folder: str, session: str) -> str:
    """The working directory by `session_index.jsonl` or `workspaces.json`, for sessions whose state does not name it."""
    workspace = os.path.basename(os.path.dirname(folder))
    root = os.path.dirname(os.path.dirname(os.path.dirname(folder)))
    try:
        with open(os.path.join(root, "session_index.jsonl"), "rb") as file:
            for _, _, line, _ in jsonl.lines(file, 0):
                if session.encode() in line:
                    for record in jsonl.records(line)[0]:
                        if record.get("sessionId") == session and string(record, "workDir"):
                            return string(record, "workDir")
    except OSError:
        pass
    return string(
        table(table(files.small_json(os.path.join(root, "workspaces.json")), "workspaces"), workspace), "root"
    )


@dataclass(slots=True)
class Originals:
    """The prompts of the kimi-cli session that an imported session was made from, by the hash of their text."""

    chain: str = ""
    """What the keys of prompts begin with that are not among them; "" when the session is no import."""
    keys: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """Message key and time, in order."""

    def take(self, text: str) -> tuple[str, str] | None:
        """Key and time of the next original with these words."""
        waiting = self.keys.get(digest(text))
        return waiting.pop(0) if waiting else None


def digest(text: str) -> str:
    """Of a prompt's words, so that no text has to be kept."""
    return hashlib.blake2b(" ".join(text.split()).encode("utf-8", "replace"), digest_size=9).hexdigest()


def originals(state: Mapping[str, Json]) -> Originals:
    """What an imported session's messages are called in the session they were copied from."""
    session, source = state_text(state, "imported"), state_text(state, "source")
    if not session:
        return Originals()
    found = Originals(chain=first_link(session))
    path = os.path.join(source, "wire.jsonl")
    if not os.path.isabs(source) or os.path.islink(path) or not os.path.isfile(path):
        return found
    count = 0
    try:
        with open(path, "rb") as file:
            for _, _, line, _ in jsonl.lines(file, 0):
                for record in jsonl.records(line)[0] if b'"user_input"' in line else ():
                    count += _note(found, record)
                if count > _MAX_ORIGINALS:
                    break
    except OSError:
        pass
    return found


def _note(found: Originals, record: Record) -> int:
    message = table(record, "message")
    if message.get("type") not in ("TurnBegin", "SteerInput"):
        return 0
    content = table(message, "payload").get("user_input")
    words = prompts.words_of(content)
    if words:
        key = prompt_key(record.get("timestamp"), "\n".join(prompts.texts_of(content)))
        found.keys.setdefault(digest(words), []).append((key, stamp(record.get("timestamp"))))
    return 1
