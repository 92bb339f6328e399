"""Candidates made by hand, for testing the gate without a session file."""

from __future__ import annotations

from typing import Any

from scrubjay.home import Home
from scrubjay.learn.candidate import Candidate
from scrubjay.operations import Proposal, Quote
from scrubjay.redact import mask
from scrubjay.scope import Place
from scrubjay.session import Message

AT = "2026-09-01T09:00:00Z"


def message(text: str, *, key: str = "k1", origin: Any = "user", role: Any = "user", at: str = AT) -> Message:
    return Message(key=key, parent=None, role=role, origin=origin, at=at, text=mask(text))


def candidate(
    text: str, *, root: str = "/w/demo", said: Message | None = None, others: tuple[Message, ...] = (), **fields: Any
) -> Candidate:
    """A proposal that quotes the whole of `text`, said by a person unless `said` tells otherwise."""
    said = said or message(text)
    quotes = (
        Quote(message=said.key, start=0, text=said.text),
        *(Quote(message=m.key, start=0, text=m.text) for m in others),
    )
    values: dict[str, Any] = {
        "name": "how it is done", "description": "before doing it", "type": "project", "body": said.text, "scope": "project",
        "quotes": quotes, "trust": "user", "cue": "test/rule",
    } | fields  # fmt: skip
    place = Place(Home("/nowhere/.scrubjay"), root, root=root, worktree=root)
    return Candidate(
        proposal=Proposal(**values),
        agent="claude-code",
        session="s1",
        path="/w/s1.jsonl",
        place=place,
        quoted=((quotes[0], said), *zip(quotes[1:], others, strict=True)),
        context="\n".join(m.text for m in (said, *others)),
    )
