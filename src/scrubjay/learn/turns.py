"""A session as turns: what a person (or a program) typed, with the assistant's words before and after it."""

from __future__ import annotations

from dataclasses import dataclass

from scrubjay.session import Message, Session


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One prompt. Branches that the client left are turns too (`live` is False)."""

    user: Message
    live: bool
    previous: str = ""
    """Key of the prompt before it on its own branch, "" for the first."""
    assistant_before: str = ""
    """The assistant's last words before the prompt: what a "yes, like that" is about."""
    assistant_before_key: str = ""
    assistant_after: str = ""
    files: tuple[str, ...] = ()
    """Files read or written on this branch up to the prompt, oldest first."""
    fresh: bool = True
    """False: read before, present as context only (it may be revoked or cited, and gives no proposal)."""


def turns(session: Session) -> list[Turn]:
    """The prompts of every branch in the session's order; harness text, tool output and assistants are no turns."""
    after = _answers(session)
    found: list[Turn] = []
    seen: dict[str, _Seen] = {}
    for message in session.messages:
        state = _follow(message, seen.get(message.parent or ""))
        if _is_prompt(message):
            found.append(
                Turn(
                    user=message,
                    live=message.key in session.live,
                    previous=state.prompt,
                    assistant_before=state.said,
                    assistant_before_key=state.said_key,
                    assistant_after=after.get(message.key, ""),
                    files=state.files,
                    fresh=message.key in session.fresh,
                )
            )
            state = _Seen(prompt=message.key, files=state.files)
        seen[message.key] = state
    return found


@dataclass(frozen=True, kw_only=True, slots=True)
class _Seen:
    """What lies on the branch that ends in a message."""

    prompt: str = ""
    said: str = ""
    said_key: str = ""
    files: tuple[str, ...] = ()


def _follow(message: Message, before: _Seen | None) -> _Seen:
    # A parent that stands later in the file (or nowhere) has no state yet: the message starts a branch of its own.
    state = before or _Seen()
    files = state.files
    new = tuple(path for path in dict.fromkeys(message.files) if path not in files)
    if new:
        files = (*files, *new)
    if message.role == "assistant" and message.text.strip():
        return _Seen(prompt=state.prompt, said=message.text, said_key=message.key, files=files)
    if new:
        return _Seen(prompt=state.prompt, said=state.said, said_key=state.said_key, files=files)
    return state


def _answers(session: Session) -> dict[str, str]:
    """The last assistant text after each prompt, up to the next prompt; the live branch wins where it forks."""
    root: dict[str, str] = {}
    answers: dict[str, str] = {}
    lively: dict[str, bool] = {}
    for message in session.messages:
        if _is_prompt(message):
            root[message.key] = message.key
            continue
        prompt = root.get(message.parent or "", "")
        root[message.key] = prompt
        if prompt and message.role == "assistant" and message.text.strip():
            live = message.key in session.live
            if live or not lively.get(prompt, False):
                answers[prompt], lively[prompt] = message.text, live
    return answers


def _is_prompt(message: Message) -> bool:
    return message.role == "user" and message.origin in ("user", "machine")
